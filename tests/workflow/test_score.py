import pytest

from generator.errors import RegistryError, RepositoryError, UsageError
from generator.store.registry import read_registry
from generator.workflow.score import score, score_row
from tests.conftest import Kit, edit_attempts, edit_json


def test_a_run_and_its_row_score_alike(published: Kit) -> None:
    """What a run comes to before it is recorded is what its row says, and scores to, afterwards."""
    before = score(published.project, published.run)
    for row in read_registry(published.project).rows.values():
        again = score_row(published.project, row.id)
        assert again == {row.run.system: before[row.run.system]}
        scores = again[row.run.system]
        assert (scores.measures, scores.contributions, scores.counts) == (
            row.measures,
            row.contributions,
            row.counts,
        )


def test_scoring_writes_nothing(kit: Kit) -> None:
    """Neither below results nor below dist is anything left."""
    before = sorted(kit.root.rglob("*"))
    score(kit.project, kit.run)
    assert sorted(kit.root.rglob("*")) == before


def test_a_run_that_would_be_refused_is_scored(kit: Kit) -> None:
    """To score is not to judge: a run that stopped has figures of what it reached."""
    run = kit.variant("stopped")
    edit_json(run / "run.json", lambda said: said.update(status="stopped", stopped="budget"))
    edit_attempts(run, lambda attempts: attempts[:2])
    scores = score(kit.project, run)
    assert scores["first"].counts.scored == 2
    assert scores["second"].counts.scored == 0


def test_what_is_nobodys_fault_is_counted_apart(kit: Kit) -> None:
    """An error of the provider is in no measure; a missing reply of the system is in all."""
    run = kit.variant("errors")
    edit_attempts(
        run,
        lambda attempts: [
            {**attempts[0], "outcome": "provider_error", "turns": []},
            {**attempts[1], "outcome": "timeout", "turns": []},
            *attempts[2:],
        ],
    )
    scores = score(kit.project, run)["first"]
    assert (scores.counts.attempts, scores.counts.scored, scores.counts.provider_errors) == (
        4,
        3,
        1,
    )
    passed = next(measure.plain() for measure in scores.measures if measure.id == "passed")
    assert (passed["numerator"], passed["denominator"]) == (2, 3)


def test_an_unknown_row_is_told(published: Kit) -> None:
    """A name that is neither a run nor a row says what could be named."""
    with pytest.raises(UsageError, match="neither the folder of a run nor the id of a row"):
        score_row(published.project, "gone")


def test_a_row_without_its_evidence_is_told(published: Kit) -> None:
    """What can't be recomputed is not made up."""
    row = published.row_files()[0].stem
    for path in published.evidence_files():
        path.unlink()
    with pytest.raises(RegistryError, match="can't be read"):
        score_row(published.project, row)


def test_a_row_without_its_commit_is_told(published: Kit) -> None:
    """A row is scored with the key at its own commit, and no other."""
    path = published.row_files()[0]
    edit_json(path, lambda row: row["run"].update(commit="0" * 40))
    with pytest.raises(RepositoryError, match="at commit 0000000000000000"):
        score_row(published.project, path.stem)
