"""A paired benchmark from its run to its page: recorded with what its arms say of each other."""

import json
import tomllib

import pytest

from generator.records.comparison import Comparison
from generator.store.registry import read_registry
from generator.workflow.check import check
from generator.workflow.run import Wanted, run
from tests.conftest import TOML, Kit
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
