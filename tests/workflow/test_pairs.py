"""A paired benchmark from its run to its page: recorded with what its arms say of each other."""

import json
import tomllib
from typing import Any

import pytest

from generator.errors import CorpusError, UsageError
from generator.records.comparison import Comparison
from generator.store.registry import read_registry
from generator.workflow.check import check
from generator.workflow.compare import compare_file
from generator.workflow.record import record
from generator.workflow.render import render
from generator.workflow.run import Wanted, run
from generator.workflow.withdraw import withdraw
from tests.conftest import BENCHMARK as KIT
from tests.conftest import TOML, Kit, edit_attempts
from tests.runners.experiments import DONE, WRITES, manifest, python, task

PAIRED = "writing"
FOLDER = f"results/benchmarks/{PAIRED}"
SAID = tomllib.loads(TOML)
BENCHMARK = f"""\
format = "assay.benchmark/1"
id = "{PAIRED}"
family = "paired"
version = "1"
title = "{SAID["title"]}"
summary = "{SAID["summary"]}"
licence = "CC0-1.0"
not_applicable = ["subject", "surface", "tools"]
shown = ["verified", "latency"]
run = "results run {PAIRED}"
"""
FORGETS = "import sys; 'read' in sys.stdin.read() or " + f"exec({WRITES!r})"
"""The source of a command that does not do what it is asked to read."""


@pytest.fixture
def pair(kit: Kit) -> Kit:
    """The project with a paired benchmark, whose run is recorded: the candidate errs once."""
    forgets = {"name": "candidate", "command": python(FORGETS)}
    arms = [{"name": "baseline"}, forgets]
    kit.write(f"{FOLDER}/benchmark.toml", BENCHMARK)
    whole = manifest(arms=arms, repetitions=1, tasks=[task()])
    kit.write(f"{FOLDER}/cases/experiment.json", json.dumps(whole))
    kit.write(f"{FOLDER}/cases/read/task.json", '{"prompt": "Please read."}')
    kit.write(f"{FOLDER}/cases/read/oracle.py", f"{DONE}\n")
    kit.write(f"{FOLDER}/cases/read/files/state", "not yet")
    kit.commit("A paired benchmark")
    recording = kit.record(run(kit.project, Wanted(PAIRED)).out)
    assert recording.refused == 0
    kit.commit("Two arms")
    return kit


def findings(kit: Kit) -> list[str]:
    """The ids of what a check finds, pages included."""
    return [finding.id for finding in check(kit.project).findings]


def comparison_file(kit: Kit) -> str:
    """The one comparison, below the root."""
    (path,) = (file for file in kit.row_files() if file.name.endswith(".comparison.json"))
    return path.relative_to(kit.root).as_posix()


def test_a_paired_run_is_recorded_whole(pair: Kit) -> None:
    """Rows of both arms, judged by oracles, their comparison, and a page that tells of it."""
    registry = read_registry(pair.project)
    (found,) = registry.compared()
    rows = [registry.rows[found.baseline], registry.rows[found.candidate]]
    assert [row.key.configuration.arm for row in rows] == ["baseline", "candidate"]
    assert {row.standing for row in rows} == {"attested"}
    assert all(row.key.environment_class for row in rows)
    assert (found.contrast.pairs.both, found.contrast.pairs.baseline_only) == (1, 1)
    assert (found.method, [one.variable for one in found.differs]) == ("controlled", ["command"])
    page = pair.read(f"docs/en/benchmarks/{PAIRED}.md")
    assert 'class="assay-note"' in page
    assert page.count("<svg") == 2
    assert findings(pair) == []


def test_a_comparison_that_was_edited_is_found(pair: Kit) -> None:
    """It is made again from the observations, and says what they say."""
    path = comparison_file(pair)
    said = Comparison.parse(pair.read(path))
    pair.write(path, said.model_copy(update={"method": "replication"}).to_json().decode())
    assert "edited-comparison" in findings(pair)


def test_a_comparison_that_was_removed_is_missed(pair: Kit) -> None:
    """Both arms stand, so what they say of each other does too."""
    (pair.root / comparison_file(pair)).unlink()
    assert "missing-comparison" in findings(pair)


def test_a_comparison_without_its_rows_is_found(pair: Kit) -> None:
    """It can be left over where a recording was killed; recording again ends what was begun."""
    path = comparison_file(pair)
    kept = pair.read(path)
    for file in pair.row_files():
        file.unlink()
    pair.write(path, kept)
    assert "orphan-comparison" in findings(pair)


def test_a_comparison_by_another_name_can_not_be_read(pair: Kit) -> None:
    """Its name follows from its rows."""
    path = pair.root / comparison_file(pair)
    path.rename(path.with_name(f"other{path.name}"))
    assert "unreadable-row" in findings(pair)


def test_a_comparison_of_a_row_that_was_withdrawn_is_on_no_page(pair: Kit) -> None:
    """Its file stays: what was published is never changed."""
    registry = read_registry(pair.project)
    (found,) = registry.compared()
    withdraw(pair.project, found.baseline, by="somebody", why="a mistake")
    render(pair.project)
    after = read_registry(pair.project)
    assert after.compared() == ()
    assert after.comparisons == registry.comparisons
    assert 'class="assay-note"' not in pair.read(f"docs/en/benchmarks/{PAIRED}.md")
    pair.commit("Withdrawn")
    assert findings(pair) == []


def test_a_second_run_reproduces_the_first_but_for_its_times(pair: Kit) -> None:
    """No command takes just as long twice; how it ended is what can come out again."""
    again = run(pair.project, Wanted(PAIRED)).out
    recording = record(pair.project, again, rehearsal=True, replace=True)
    assert recording.comparison is not None
    for verdict in recording.verdicts:
        assert verdict.reproduction is not None
        assert (verdict.reproduction.reproduced, verdict.reproduction.timed) == (True, True)


def test_a_run_on_some_tasks_is_refused(pair: Kit) -> None:
    """It has no comparison either."""
    part = run(pair.project, Wanted(PAIRED, cases="read", out=pair.root / "dist" / "part"))
    recording = pair.record(part.out)
    assert recording.comparison is None
    for verdict in recording.verdicts:
        assert "filtered-run" in [refusal.rule.id for refusal in verdict.refusals]


@pytest.mark.parametrize(
    "spoilt",
    [
        {"systems": ["fake:perfect"]},
        {"repetitions": 2},
        {"levels": ["low"]},
        {"prompted": True},
        {"surfaces": ["meta"]},
        {"options": {"temperature": 0}},
        {"revision": "1"},
        {"resume": True},
        {"budget": 1_000},
        {"spend": True},
        {"tools": "prompted"},
    ],
    ids=str,
)
def test_a_paired_benchmark_says_all_that_it_is_run_with(pair: Kit, spoilt: dict[str, Any]) -> None:
    """Saying it again is a mistake, and no attempt is made; a cohort is not gone on with."""
    (name,) = spoilt
    with pytest.raises(UsageError, match="declares two arms") as fault:
        run(pair.project, Wanted(PAIRED, out=pair.root / "dist" / "not", **spoilt))
    assert ("Begin anew" if name == "resume" else "Leave out --") in fault.value.remedy
    assert not (pair.root / "dist" / "not").exists()


def test_other_benchmarks_have_no_commands_of_arms(pair: Kit) -> None:
    """So there is nothing that a variable could be shown to."""
    with pytest.raises(UsageError, match="has no arms, and --env"):
        run(pair.project, Wanted(KIT, ["fake:perfect"], shown=["HOME"]))


def test_an_oracle_that_can_not_judge_stops_a_benchmark(pair: Kit) -> None:
    """Before a bundle is begun."""
    pair.write(f"{FOLDER}/cases/read/oracle.py", "raise SystemExit(0)\n")
    with pytest.raises(CorpusError, match="read: its oracle ended with status 0"):
        run(pair.project, Wanted(PAIRED, out=pair.root / "dist" / "not"))
    assert not (pair.root / "dist" / "not").exists()


def test_attempts_at_the_same_time_are_another_measurement(pair: Kit) -> None:
    """They take another time than alone, so the row says how many there were."""
    together = run(pair.project, Wanted(PAIRED, jobs=2, out=pair.root / "dist" / "together"))
    assert [(one.options or {})["jobs"] for one in together.manifest.systems] == [2, 2]
    assert pair.record(together.out).published == 2
    assert len(read_registry(pair.project).compared()) == 2
    assert together.manifest.budget == {}


def test_comparing_a_bundle_says_what_is_recorded(pair: Kit) -> None:
    """One way leads over records, the other over rows; the figures are the same."""
    again = run(pair.project, Wanted(PAIRED)).out
    said = compare_file(again, "baseline", "candidate")["statistics"]
    recorded = record(pair.project, again, rehearsal=True, replace=True).comparison
    assert recorded is not None
    contrast = recorded.contrast
    assert said["pairs"] == {
        "both": contrast.pairs.both,
        "baselineOnly": contrast.pairs.baseline_only,
        "candidateOnly": contrast.pairs.candidate_only,
        "neither": contrast.pairs.neither,
    }
    for name, figure in zip(
        ("difference", "ratioOfMedians", "medianOfRatios"), contrast.estimates, strict=True
    ):
        told = [said[name][key] for key in ("value", "low", "high")]
        assert told == [
            None if value is None else float(value)
            for value in (figure.value, figure.low, figure.high)
        ]
    for name, test in zip(("mcnemar", "signTest"), contrast.tests, strict=True):
        assert said[name]["p"] == (None if test.p is None else float(test.p))


def test_the_arms_of_a_pair_stand_or_fall_together(pair: Kit) -> None:
    """What refuses one refuses the other: half a pair says nothing of the change."""
    again = run(pair.project, Wanted(PAIRED, jobs=2, out=pair.root / "dist" / "half")).out
    edit_attempts(again, lambda attempts: attempts[:-1])
    recording = pair.record(again)
    assert [[one.rule.id for one in verdict.refusals] for verdict in recording.verdicts] == [
        ["filtered-run"]
    ] * 2
    assert (recording.published, recording.comparison) == (0, None)
