from collections.abc import Callable
from pathlib import Path

import pytest

from generator.store.registry import read_registry
from generator.workflow.record import Recording, record
from generator.workflow.render import render_recorded
from generator.workflow.withdraw import withdraw
from tests.conftest import LOCALES, Attempts, Kit, edit_attempts, edit_json

BANNER = "Rehearsal"


def rehearse(kit: Kit, run: Path | None = None, *, replace: bool = False) -> Recording:
    """What `record --dry-run` does."""
    done = record(kit.project, run or kit.run, rehearsal=True, replace=replace)
    render_recorded(kit.project, done)
    return done


def simulated(kit: Kit) -> Path:
    """A run of a provider that answers from the answer key, in a tree with changes."""
    run = kit.variant("simulated")
    edit_json(run / "run.json", lambda said: said["systems"][0].update(provider="fake"))
    edit_json(run / "run.json", lambda said: said["tree_at_end"].update(clean="no"))
    return run


def with_answers(kit: Kit, edit: Callable[[Attempts], None], name: str = "again") -> Path:
    """The sound run with other observations: each attempt has a time, and some answers differ."""
    run = kit.again(name)
    edit_attempts(run, edit)
    return run


def unchanged(_: Attempts) -> None:
    """Every answer is the same."""


def answer_wrongly(attempts: Attempts) -> None:
    """One right answer of the first system is wrong now."""
    attempts[0].update(turns=[{"content": "No."}])


@pytest.mark.parametrize("run", [lambda kit: kit.run, simulated])
def test_a_rehearsal_touches_nothing_committed(published: Kit, run: Callable[[Kit], Path]) -> None:
    """Every file that git could see is the same to the byte afterwards, and none is new."""
    before = published.committed()
    rehearse(published, run(published), replace=True)
    assert published.committed() == before
    assert published.git("status", "--porcelain") == ""


def test_a_rehearsal_leaves_nothing_of_an_earlier_one(kit: Kit) -> None:
    """What the last rehearsal would have published is gone before the next, pages included."""
    rehearse(kit, simulated(kit))
    refused = kit.variant("filtered")
    edit_json(refused / "run.json", lambda said: said.update(filter="polite"))
    rehearse(kit, refused)
    there = Kit(kit.root / "dist" / "rehearsal")
    assert there.row_files() == []
    assert not there.project.docs.exists()


def test_a_rehearsal_writes_below_dist(kit: Kit) -> None:
    """Rows, evidence and pages lie in a place of their own, with the rows marked as rehearsed."""
    done = rehearse(kit, simulated(kit))
    assert (done.published, done.refused, done.rehearsal) == (2, 0, True)
    there = Kit(kit.root / "dist" / "rehearsal")
    assert [verdict.path for verdict in done.verdicts] == there.row_files()
    assert len(there.evidence_files()) == 2
    rows = read_registry(there.project).rows.values()
    assert [row.rehearsal for row in rows] == [True, True]
    assert not kit.project.registry.exists()


def test_every_page_of_a_rehearsal_has_a_banner(kit: Kit) -> None:
    """In every locale, no page of a rehearsal can be taken for a published one."""
    rehearse(kit)
    docs = kit.root / "dist" / "rehearsal" / "docs"
    pages = sorted(docs.rglob("*.md"))
    assert {page.relative_to(docs).parts[0] for page in pages} == set(LOCALES)
    assert [page for page in pages if BANNER not in page.read_text("utf-8")] == []
    assert len([page for page in pages if "results/greetings" in page.as_posix()]) == 6


def test_no_published_page_has_the_banner(published: Kit) -> None:
    """A page that is published says nothing of a rehearsal."""
    pages = sorted(published.project.docs.rglob("*.md"))
    assert [page for page in pages if BANNER in page.read_text("utf-8")] == []


def test_a_rehearsal_starts_from_what_is_committed(published: Kit) -> None:
    """The rows that stand are there; nothing of an earlier rehearsal is."""
    rehearse(published, with_answers(published, answer_wrongly), replace=True)
    there = Kit(published.root / "dist" / "rehearsal")
    assert len(there.row_files()) == 4
    rehearse(published, with_answers(published, unchanged, "once-more"), replace=True)
    rows = read_registry(there.project).rows
    assert set(read_registry(published.project).rows) < set(rows)
    assert len(rows) == 4
    pages = {path.stem for path in (there.project.docs / "en" / "results").rglob("*.md")}
    assert pages == set(rows)


def test_a_rehearsed_run_can_be_recorded_afterwards(kit: Kit) -> None:
    """A rehearsal takes nothing from the run that it rehearsed."""
    tried = rehearse(kit)
    done = kit.record()
    assert [verdict.row.id if verdict.row else None for verdict in done.verdicts] == [
        verdict.row.id if verdict.row else None for verdict in tried.verdicts
    ]


def test_a_fake_run_in_earnest_publishes_nothing(kit: Kit) -> None:
    """What a rehearsal waives is refused in earnest, row by row, with the reason."""
    done = record(kit.project, simulated(kit))
    told = [[refusal.rule.id for refusal in verdict.refusals] for verdict in done.verdicts]
    assert told == [["fake-provider", "dirty-tree"], ["dirty-tree"]]
    assert done.published == 0


# Reproduction


def test_a_rehearsal_says_that_figures_were_reproduced(published: Kit) -> None:
    """Other observations with the same figures reproduce each row that stands."""
    standing = list(read_registry(published.project).rows)
    done = rehearse(published, with_answers(published, unchanged), replace=True)
    found = [verdict.reproduction for verdict in done.verdicts]
    assert [one.row for one in found if one] == standing
    assert [(one.reproduced, one.elsewhere, one.differences) for one in found if one] == [
        (True, (), ()),
        (True, (), ()),
    ]


def test_a_rehearsal_says_what_differs(published: Kit) -> None:
    """Each measure and each case that came out otherwise is listed, with both of its terms."""
    done = rehearse(published, with_answers(published, answer_wrongly), replace=True)
    first, second = (verdict.reproduction for verdict in done.verdicts)
    assert first is not None
    assert second is not None
    assert not first.reproduced
    assert second.reproduced
    told = {one.what: (one.published, one.measured) for one in first.differences}
    assert told["passed"] == ("4/4", "3/4")
    assert told["passed.curt"] == ("2/2", "1/2")
    assert told["curt-hey"] == ("passed 1/1, checks 1/1", "wrong 1/1, checks 0/1")
    assert not any("polite" in what for what in told)


def test_another_revision_is_compared_with_its_nearest_kin(published: Kit) -> None:
    """Where no row has the very same key, the nearest one is named with what is different."""
    standing = next(iter(read_registry(published.project).rows))
    run = with_answers(published, answer_wrongly)
    edit_json(run / "run.json", lambda said: said["systems"][0].update(revision="1.1"))
    found = rehearse(published, run, replace=True).verdicts[0].reproduction
    assert found is not None
    assert (found.row, found.elsewhere) == (standing, ("revision",))
    assert not found.reproduced


def test_the_nearest_kin_is_the_one_that_differs_least(published: Kit) -> None:
    """Of several rows of a model, the one with the fewest differences is compared."""
    run = with_answers(published, unchanged, "far")
    edit_json(
        run / "run.json", lambda said: said["systems"][0].update(revision="9", options={"n": 1})
    )
    published.record(run)
    near = with_answers(published, unchanged, "near")
    edit_json(near / "run.json", lambda said: said["systems"][0].update(revision="9", runtime=None))
    found = rehearse(published, near, replace=True).verdicts[0].reproduction
    assert found is not None
    assert found.elsewhere == ("revision", "runtime")


def test_a_first_measurement_has_nothing_to_reproduce(kit: Kit) -> None:
    """Where no row is of that model, nothing is claimed."""
    assert [verdict.reproduction for verdict in rehearse(kit).verdicts] == [None, None]


def test_a_withdrawn_row_is_nothing_to_reproduce(published: Kit) -> None:
    """What was taken back is no measure of anything."""
    for path in published.row_files():
        withdraw(published.project, path.stem, why="A mistake.", by="Nobody")
    done = rehearse(published, with_answers(published, unchanged))
    assert [verdict.reproduction for verdict in done.verdicts] == [None, None]
