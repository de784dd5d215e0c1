"""The same run ends in the same bytes, whatever the machine is set to and however it is read."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conftest import Kit

RECORD = """\
import sys
from pathlib import Path
from generator.store import bundles
from generator.store.project import Project
from generator.workflow.record import record
from generator.workflow.render import render

root, run, jobs, block = sys.argv[1:]
bundles.BLOCK = int(block)
done = record(Project(Path(root)), Path(run), jobs=int(jobs))
assert done.published == 2
render(Project(Path(root)))
"""


def bytes_of(kit: Kit) -> dict[str, str]:
    """The digest of everything that recording and drawing wrote, by path."""
    places = (kit.project.registry, kit.project.evidence, kit.project.docs)
    files = [path for place in places for path in place.rglob("*") if path.is_file()]
    return {
        path.relative_to(kit.root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


@pytest.mark.parametrize(
    ("settings", "jobs", "block"),
    [
        ({"TZ": "Asia/Kathmandu", "PYTHONHASHSEED": "1"}, 2, 1),
        ({"TZ": "America/St_Johns", "LANG": "it_IT.UTF-8", "PYTHONHASHSEED": "2"}, 1, 300),
        ({"LC_ALL": "C", "PYTHONHASHSEED": "3", "PYTHONUTF8": "0"}, 3, 300),
        ({"LC_ALL": "tr_TR.UTF-8", "LANGUAGE": "tr", "PYTHONHASHSEED": "4"}, 2, 1 << 20),
    ],
    ids=["time-zone", "locale", "plain", "turkish"],
)
def test_every_machine_records_the_same_bytes(
    kit: Kit, published: Kit, settings: Mapping[str, str], jobs: int, block: int
) -> None:
    """Time zone, locale, hash seed, number of processes and size of blocks decide nothing."""
    command = [sys.executable, "-c", RECORD, str(kit.root), str(kit.run), str(jobs), str(block)]
    own = str(Path(__file__).parents[2])
    subprocess.run(command, env={**os.environ, **settings, "PYTHONPATH": own}, check=True)
    assert bytes_of(kit) == bytes_of(published)
