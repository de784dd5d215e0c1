"""A real language model behind a real server, asked by the command as anybody would ask it.

Run by a step of `.ci/run` of its own: `pytest -m model`. What holds for any model is asserted: the
shape of what was written down, and what the gate says of it. No score is.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.records.bundle import Attempt, Manifest
from generator.store.bundles import open_bundle

ROOT = Path(__file__).resolve().parents[2]
HARNESS = ROOT / "results/benchmarks/capability/harness/serve.py"

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def about(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Serve the smallest model; what it says of its runtime."""
    path = tmp_path_factory.mktemp("model") / "runtime.json"
    port = 18_080 + os.getpid() % 1_000
    command = [sys.executable, str(HARNESS), "--port", str(port), "--about", str(path)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        ready = server.stdout.readline()
        assert ready.startswith("export OPENAI_BASE_URL="), "the server did not start"
        os.environ["OPENAI_BASE_URL"] = ready.strip().partition("=")[2]
        yield path
        server.terminate()


@pytest.fixture(scope="module")
def run(about: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two cases, put to it by the command."""
    out = tmp_path_factory.mktemp("runs") / "model"
    done = results(
        *("run", "capability", "--system", "openai:smollm2-135m-instruct-q4_1"),
        *("--runtime", str(about), "--revision", "of-the-weights", "--option", "temperature=0"),
        *("--tools", "prompted", "--prompted-effort", "--effort", "none"),
        *("--cases", "tool-calling-w[eh]*", "--jobs", "1", "--out", str(out)),
    )
    assert done.returncode == 0, done.stderr
    return out


def results(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """The command, at the root of this repository."""
    command = [sys.executable, "-m", "generator", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_what_it_said_is_written_down(run: Path) -> None:
    """Every reply with its tokens and its time, and the tools that were put into the prompt."""
    bundle = open_bundle(run)
    attempts = [observed.attempt for observed in bundle.attempts()]
    assert [one.case for one in attempts] == ["tool-calling-weather", "tool-calling-which-alarm"]
    assert [one.outcome for one in attempts] == ["completed", "completed"]
    for attempt in attempts:
        well_formed(attempt)
    assert all("get_weather" in (one.stimulus or "") for one in attempts)


def well_formed(attempt: Attempt) -> None:
    """At least one reply, and for each what a provider counts."""
    assert attempt.turns
    for turn in attempt.turns:
        assert turn.content is not None
        assert turn.tokens is not None
        assert turn.tokens.input
        assert turn.tokens.output
        assert turn.elapsed_us
        assert turn.model == "smollm2-135m-instruct-q4_1"


def test_the_manifest_says_what_was_measured(run: Path, about: Path) -> None:
    """Options as sent, the level of effort and how it was asked for, and what ran the model."""
    manifest = Manifest.parse((run / "run.json").read_bytes())
    (system,) = manifest.systems
    assert system.runtime is not None
    assert system.runtime.plain() == json.loads(about.read_text(encoding="utf-8"))
    assert system.options == {"max_tokens": 256, "temperature": 0}
    assert system.axes == {"effort": "none", "effort-by": "prompted"}
    assert (manifest.status, manifest.filter) == ("complete", "tool-calling-w[eh]*")


def test_part_of_a_corpus_is_scored_and_not_published(run: Path) -> None:
    """The gate refuses it by name, and nothing is written."""
    assert results("score", str(run)).returncode == 0
    refused = results("record", str(run))
    assert refused.returncode == 1
    assert "filtered-run" in refused.stdout + refused.stderr
