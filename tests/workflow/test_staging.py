"""Runs of a benchmark whose cases are played in scenes."""

import json
import os
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from generator.errors import CorpusError, UsageError
from generator.families.steps.scorer import RATIOS
from generator.records.bundle import Attempt
from generator.records.measure import Ratio
from generator.runners.scene import require_client
from generator.store.bundles import open_bundle
from generator.workflow.probe import probe
from generator.workflow.record import record
from generator.workflow.run import Ran, Wanted, run
from tests.conftest import BENCHMARK, Kit
from tests.runners import library, shelf
from tests.runners.playing import PROGRAM
from tests.runners.stub import Stub, called


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where scenes lie."""
    folder = tmp_path / "scenes"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def ran(kit: Kit, *systems: str, **wanted: Any) -> Ran:  # noqa: ANN401  what tests like to vary
    """Run the benchmark of the shelf."""
    return run(kit.project, Wanted(library.LIBRARY, systems, **wanted))


def attempts(done: Ran) -> list[Attempt]:
    """What was observed, in the order of the bundle."""
    return [observed.attempt for observed in open_bundle(done.out).attempts()]


def test_a_run_covers_every_surface(kit: Kit, place: Path) -> None:
    """A row each, with the subject, the surface and the tools that it was served."""
    done = ran(library.lay_out(kit), "fake:perfect")
    said = done.manifest
    assert said.subject is not None
    assert (said.subject.name, said.subject.version) == ("shelf", "1")
    assert [one.surface for one in said.systems] == list(shelf.SURFACES)
    assert [one.axes for one in said.systems] == [{"tools": "native"}] * 3
    assert len({one.tools for one in said.systems}) == 3
    assert done.progress.outcomes == {"completed": 18}
    made = attempts(done)
    marks = {json.loads(bytes(one.fixtures))["mark"]["name"] for one in made}
    assert len(marks) == len(made)
    assert all(one.changes is not None for one in made)
    assert list(place.iterdir()) == []


def test_such_a_run_is_rehearsed_and_its_figures_are_full(kit: Kit, place: Path) -> None:
    """From the calls on a live server to the row of each surface; in earnest one rule stands."""
    del place
    done = ran(library.lay_out(kit), "fake:perfect")
    rehearsal = record(kit.project, done.out, rehearsal=True)
    assert (rehearsal.published, rehearsal.refused) == (3, 0)
    for verdict in rehearsal.verdicts:
        assert verdict.row is not None
        whole = [one for one in map(verdict.row.measure, RATIOS) if one is not None]
        assert len(whole) == len(RATIOS)
        assert all(isinstance(one, Ratio) and one.numerator == one.denominator for one in whole)
    earnest = record(kit.project, done.out)
    assert {refusal.rule.id for one in earnest.verdicts for refusal in one.refusals} == {
        "fake-provider"
    }


def test_surfaces_may_be_named(kit: Kit) -> None:
    """In whatever order, they come in that of the benchmark."""
    done = ran(library.lay_out(kit), "fake:silent", surfaces=["individual", "meta"])
    assert [one.id for one in done.manifest.systems] == [
        "fake-silent-meta",
        "fake-silent-individual",
    ]


def test_a_surface_that_is_none_is_said(kit: Kit) -> None:
    """With those that there are; and a benchmark without any has none to name."""
    library.lay_out(kit)
    with pytest.raises(UsageError, match="no surface 'metal'") as fault:
        ran(kit, "fake:perfect", surfaces=["metal"])
    assert "dynamic, meta, individual" in fault.value.remedy
    with pytest.raises(UsageError, match="has no surfaces"):
        run(kit.project, Wanted(BENCHMARK, ["fake:wrong"], surfaces=["meta"]))


def test_a_program_has_no_part_in_scenes(kit: Kit) -> None:
    """It is told before anything is asked."""
    program = '[[systems]]\nid = "mine"\ncommand = ["cat"]\nprovider = "local"\n'
    library.lay_out(kit, more=program)
    with pytest.raises(UsageError, match="command:mine"):
        ran(kit, "command:mine")


@pytest.mark.parametrize(
    ("modes", "said"),
    [
        ({"server": "others"}, "library_close"),
        ({"server": "ends"}, "the shelf fell down"),
        ({"keeper": "make-fails"}, "no make"),
        ({"keeper": "state-odd"}, "state"),
    ],
)
def test_a_subject_that_does_not_stand_is_said_before_anything_is_asked(
    kit: Kit, modes: dict[str, str], said: str
) -> None:
    """No bundle is begun."""
    with pytest.raises(CorpusError, match=said):
        ran(library.lay_out(kit, **modes), "fake:perfect")
    assert not (kit.root / "dist" / "runs" / library.LIBRARY).exists()


def test_what_fails_later_is_left_out_of_every_measure(kit: Kit) -> None:
    """And says why, attempt by attempt."""
    done = ran(library.lay_out(kit, server="dies"), "fake:perfect", surfaces=["meta"])
    assert done.progress.outcomes == {"harness_error": 5, "completed": 1}
    assert {one.reason for one in attempts(done) if one.reason} == {
        "the server is gone: it ended with status 1: out of paper"
    }


def test_a_case_that_was_not_put_has_no_prompt(kit: Kit, tmp_path: Path) -> None:
    """Its places were never filled."""
    count = tmp_path / "count"
    once = f'[ -e "{count}" ] && exit 1; touch "{count}"; exec "$0" "{PROGRAM}" keep'
    library.lay_out(kit, keeper="well")
    place = kit.root / f"results/benchmarks/{library.LIBRARY}/benchmark.toml"
    spoilt = json.dumps(["/bin/sh", "-c", once, sys.executable])
    lines = place.read_text("utf-8").splitlines()
    kept = [f"keeper = {spoilt}" if one.startswith("keeper") else one for one in lines]
    place.write_text("\n".join(kept), "utf-8")
    kit.commit("A keeper that works once")
    done = ran(kit, "fake:perfect", surfaces=["meta"])
    assert done.progress.outcomes == {"harness_error": 6}
    assert {(one.stimulus, one.turns) for one in attempts(done)} == {(None, ())}


def test_without_the_client_there_is_a_word_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What to install, and not an import that failed."""
    for name in [name for name in sys.modules if name.split(".")[0] == "mcp"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(UsageError, match="not installed") as fault:
        require_client()
    assert "pip install mcp" in fault.value.remedy


def test_an_interrupt_leaves_nothing_behind(kit: Kit, place: Path) -> None:
    """Neither folders nor processes; what is left is made by --resume."""
    library.lay_out(kit, server="slow")

    def interrupt() -> None:
        until = time.monotonic() + 30
        while time.monotonic() < until:
            file = kit.root / "dist" / "runs" / library.LIBRARY / "attempts.jsonl"
            if file.exists() and file.stat().st_size:
                break
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    ending = threading.Thread(target=interrupt)
    ending.start()
    done = ran(kit, "fake:does-not-stop", surfaces=["meta"], jobs=2)
    ending.join()
    assert (done.stopped, list(place.iterdir())) == ("interrupt", [])
    assert 0 < done.progress.done < 6
    again = ran(kit, "fake:does-not-stop", surfaces=["meta"], resume=True)
    assert (again.stopped, len(attempts(again))) == (None, 6)


def test_a_model_is_probed_in_a_scene(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    """One request, with the tools of the first surface and a prompt without places."""
    library.lay_out(kit)
    with Stub(called("run_action", {"action": "book.list"})) as stub:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{stub.url}/v1")
        done = probe(kit.project, Wanted(library.LIBRARY, ["openai:m"]))
    assert (done.accepted, done.case) == (True, "aloud")
    (sent,) = stub.sent
    assert [tool["function"]["name"] for tool in sent.body["tools"]] == [shelf.FIND, shelf.RUN]
    assert "{" not in sent.body["messages"][0]["content"]
