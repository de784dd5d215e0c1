"""Whatever has happened to a file of the project, a command ends in words and a code."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.cli.app import run
from tests.conftest import CASES, Kit

BENCHMARK = "results/benchmarks/greetings"


def no_text(path: Path) -> None:
    """Bytes that are no text in any encoding."""
    path.write_bytes(b"\xff\xfe\n\x00")


def empty(path: Path) -> None:
    """Nothing at all."""
    path.write_bytes(b"")


def gone(_: Path) -> None:
    """Not there any more."""


def folder(path: Path) -> None:
    """A folder by the name of the file."""
    path.mkdir()


def leading_nowhere(path: Path) -> None:
    """A link to a file that is not there."""
    path.symlink_to("nowhere")


def leading_in_a_circle(path: Path) -> None:
    """A link to itself."""
    path.symlink_to(path.name)


WAYS = (no_text, empty, gone, folder, leading_nowhere, leading_in_a_circle)
PLACES = (
    "mkdocs.yml",
    f"{BENCHMARK}/about.en.md",
    f"{BENCHMARK}/about.es.md",
    f"{BENCHMARK}/benchmark.toml",
    f"{CASES}/curt/curt-yo.json",
    f"{CASES}",
    "results/registry",
    "results/evidence",
    "docs/en/index.md",
    "docs/es",
    "locales/it/LC_MESSAGES/messages.po",
)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("place", PLACES)
def test_damage_is_told_in_words(
    published: Kit,
    capsys: pytest.CaptureFixture[str],
    place: str,
    way: Callable[[Path], None],
) -> None:
    """Neither a check nor a recording falls over a file that is not as it should be."""
    path = published.root / place
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
    way(path)
    for words in (["check"], ["record", str(published.run), "--replace"]):
        code = run(["--project", str(published.root), *words])
        said = capsys.readouterr()
        assert 0 <= code <= 8
        assert said.out + said.err
        assert (said.err == "") == (code <= 1), "an error is told, a finding is a result"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["run.json", "attempts.jsonl"])
def test_a_damaged_run_is_told_in_words(
    kit: Kit, capsys: pytest.CaptureFixture[str], name: str, way: Callable[[Path], None]
) -> None:
    """A run that is not as it should be has a code of its own."""
    (kit.run / name).unlink()
    way(kit.run / name)
    for command in ("record", "score"):
        assert run(["--project", str(kit.root), command, str(kit.run)]) == 3
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith(f"error: {kit.run}")
