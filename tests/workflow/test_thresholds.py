"""Thresholds on runs and rows of any family."""

from pathlib import Path

import pytest

from generator.errors import UsageError
from generator.store.registry import read_registry
from generator.workflow.thresholds import Outcome, gate, limited, threshold
from generator.workflow.withdraw import withdraw
from tests.conftest import Kit, edit_json


def held(kit: Kit, target: str | Path, *said: str, which: str | None = None) -> Outcome:
    """Hold the least that measures may be against something."""
    thresholds = [threshold(one, "min") for one in said]
    return gate(str(target), thresholds, start=kit.root, which=which)


def test_every_system_of_a_run_is_gated(kit: Kit) -> None:
    """By the public ids of its measures, whatever its family is."""
    done = held(kit, kit.run, "passed=1", "passed.curt=0.75")
    assert [one.subject for one in done.gated] == ["the system first", "the system second"]
    assert all(gate.threshold.measure.startswith("passed") for gate in done.gated[0].gates)
    assert len(done.gated[0].gates) == 2


def test_one_system_may_be_named(kit: Kit) -> None:
    """Then it is the only one; a name that the run does not have is a fault."""
    assert len(held(kit, kit.run, "passed=0", which="first").gated) == 1
    with pytest.raises(UsageError, match="has no system gone"):
        held(kit, kit.run, "passed=0", which="gone")


def test_a_run_that_was_stopped_fails(kit: Kit) -> None:
    """Whatever its figures are: half a run is no run."""
    run = kit.variant("stopped")
    edit_json(run / "run.json", lambda said: said.update(status="stopped", stopped="budget"))
    done = held(kit, run, "passed=0")
    assert not done.passed
    assert all(one.gates[0].passed for one in done.gated)
    assert done.gated[0].faults == ("The run was not run to its end: it has the status stopped.",)


def test_a_row_is_gated_by_what_is_published(published: Kit) -> None:
    """A ratio passes where it is equal to the limit, exactly."""
    for row in read_registry(published.project).standing():
        ratio = row.measure("passed")
        assert ratio is not None
        assert ratio.kind == "ratio"
        done = held(published, row.id, "passed=0")
        (found,) = done.gated[0].gates
        assert found.figure.terms == f"{ratio.numerator}/{ratio.denominator}"
        share = ratio.numerator / ratio.denominator
        assert held(published, row.id, f"passed={share}").passed
        assert not held(published, row.id, f"passed={share + 0.001}").passed


def test_a_row_that_was_withdrawn_fails(published: Kit) -> None:
    """And it is said why it was."""
    row = next(iter(read_registry(published.project).rows))
    withdraw(published.project, row, why="It was wrong.", by="me")
    done = held(published, row, "passed=0")
    assert not done.passed
    assert done.gated[0].faults == ("It is withdrawn: It was wrong.",)


def test_a_row_is_of_one_system(published: Kit) -> None:
    """To name one is a fault, and so is a row that is not there."""
    row = next(iter(read_registry(published.project).rows))
    with pytest.raises(UsageError, match="A row is of one system"):
        held(published, row, "passed=0", which="first")
    with pytest.raises(UsageError, match="is no report, no folder of a run, and not the id"):
        held(published, "gone", "passed=0")
    with pytest.raises(UsageError, match="is no report, no folder of a run, and not the id"):
        held(published, "x" * 5000, "passed=0")


def test_a_measure_that_is_not_there_is_a_fault(kit: Kit) -> None:
    """With the names of those that are."""
    with pytest.raises(UsageError, match="The system first has no measure gone") as caught:
        held(kit, kit.run, "gone=0")
    assert "passed.curt" in caught.value.remedy


def test_a_limit_is_exact() -> None:
    """It is what was written, and no float near it."""
    assert limited("m", "max", "0.1").limit * 10 == 1
    assert threshold("a.b=c=1e-2", "min").measure == "a.b=c"
