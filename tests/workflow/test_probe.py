import time
from tests.conftest import Kit
from generator.workflow.check import check
def test_a(published: Kit) -> None:
    t=time.time()
    r=check(published.project)
    print(time.time()-t, r)
    t=time.time()
    x=published.record(replace=True)
    print(time.time()-t, x.verdicts[0].refusals)
def test_b(published: Kit) -> None: pass
def test_c(kit: Kit) -> None:
    t=time.time(); kit.record(); print("record", time.time()-t)
    t=time.time(); kit.project.repo.tree(("results",)); print("tree", time.time()-t)
