"""`results run` of a bare manifest, as a process of its own and as a command."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator.errors import BundleError
from generator.workflow.compare import compare_file
from tests.cli.conftest import Said
from tests.conftest import Kit
from tests.runners.experiments import manifest, python, task
from tests.runners.test_process import written


def laid(folder: Path, **spoilt: Any) -> Path:  # noqa: ANN401  any JSON
    """A manifest on the disk."""
    path = folder / "pairs.json"
    path.write_text(json.dumps(manifest(**spoilt)), encoding="utf-8")
    return path


def test_records_go_to_standard_output(kit: Kit, results: Callable[..., Said]) -> None:
    """One a line, and what there is to say of them beside."""
    said = results(kit, "run", laid(kit.root))
    assert said.code == 0
    assert [json.loads(line)["verified"] for line in said.out.splitlines()] == [True] * 4
    assert said.err.startswith("4 attempts of 4: 4 completed; cohort ")


def test_records_go_to_a_file_that_is_new(kit: Kit, results: Callable[..., Said]) -> None:
    """What was measured before is not written over."""
    path = laid(kit.root)
    first, again = (results(kit, "run", path, "--out", "records.ndjson") for _ in range(2))
    assert (first.code, first.out, again.code) == (0, "", 2)
    assert "records.ndjson is there already" in again.err
    assert len((kit.root / "records.ndjson").read_bytes().splitlines()) == 4


@pytest.mark.parametrize(
    "words", [("--repeat", "2"), ("--system", "fake:perfect"), ("--resume",), ("--json",)]
)
def test_the_manifest_says_all(
    kit: Kit, results: Callable[..., Said], words: tuple[str, ...]
) -> None:
    """An option that would say it again is refused, and nothing is run."""
    said = results(kit, "run", laid(kit.root), *words)
    assert (said.code, said.out) == (2, "")
    assert f"{words[0]} has no meaning there" in said.err


def test_an_interrupt_leaves_a_record_of_what_was_under_way(tmp_path: Path) -> None:
    """The exit code says that the cohort is not complete."""
    begun = tmp_path / "begun"
    source = f"import time; open({str(begun)!r}, 'w').write('1'); time.sleep(600)"
    path = laid(tmp_path, command=python(source), timeoutMs=600_000)
    done = subprocess.Popen(
        [sys.executable, "-m", "generator", "run", path],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509  a background shell ignores it
    )
    written(begun)
    done.send_signal(signal.SIGINT)
    out, err = done.communicate(timeout=30)
    assert done.returncode == 1
    first, last = map(json.loads, out.splitlines())
    assert (first["outcome"], last["incomplete"]) == ("cancelled", True)
    (tmp_path / "records.ndjson").write_text(out, encoding="utf-8")
    with pytest.raises(BundleError, match="the experiment is incomplete"):
        compare_file(tmp_path / "records.ndjson", "baseline", "candidate")
    assert err.endswith("stopped: the cohort stays incomplete, and gives no comparison\n")


def test_a_command_that_is_asked_elsewhere_shows_a_variable(
    kit: Kit, results: Callable[..., Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operator names it; without that the command does not see it."""
    monkeypatch.setenv("SOME_API_KEY", "not-a-real-key")
    source = (
        "import os, pathlib; "
        "pathlib.Path('state').write_text('done' if 'SOME_API_KEY' in os.environ else 'no')"
    )
    path = laid(kit.root, command=python(source), repetitions=1)
    for words, verified in (((), False), (("--env", "SOME_API_KEY"), True)):
        said = results(kit, "run", path, *words)
        assert {json.loads(line)["verified"] for line in said.out.splitlines()} == {verified}
        assert "not-a-real-key" not in said.out


@pytest.mark.parametrize(
    "spoilt", [{"repetitions": 51}, {"tasks": [task(oracleCommand=python("pass"))]}], ids=str
)
def test_what_can_not_be_run_leaves_no_file(
    kit: Kit, results: Callable[..., Said], spoilt: dict[str, Any]
) -> None:
    """So that the next attempt is not told that the file is there already."""
    assert results(kit, "run", laid(kit.root, **spoilt), "--out", "records.ndjson").code > 1
    assert not (kit.root / "records.ndjson").exists()
    assert results(kit, "run", laid(kit.root), "--out", "records.ndjson").code == 0
