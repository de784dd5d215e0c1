"""`results init` as a person meets it: what it says, and whether what it says to type works."""

import subprocess
import sys
from pathlib import Path

import pytest

from generator.cli import say
from generator.cli.app import run
from generator.workflow.check import check
from generator.workflow.init import EXAMPLE
from tests.conftest import Kit

NOTHING = "nothing was missing, and nothing was written"


@pytest.fixture
def repository(tmp_path: Path, alone: None) -> Kit:  # noqa: ARG001  it prepares the process
    """A repository of somebody, whose path a shell must be told in quotes."""
    kit = Kit(tmp_path / "my own")
    (kit.root / "src").mkdir(parents=True)
    kit.git("init", "--quiet", "--initial-branch=main")
    kit.git("config", "user.name", "Nobody In Particular")
    kit.git("config", "user.email", "nobody@example.org")
    return kit


@pytest.mark.parametrize(
    ("stands", "words", "site"),
    [
        (".", ["init", "bench marks"], "bench marks"),
        ("src", ["init", ".."], "."),
        ("..", ["init", "my own"], "."),
    ],
    ids=["a-folder-of-it", "from-below", "from-outside"],
)
def test_what_it_says_to_type_works(  # noqa: PLR0913, PLR0917  where one stands, and what one types
    repository: Kit,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    stands: str,
    words: list[str],
    site: str,
) -> None:
    """The commands, typed as they stand, commit the site, run its harness and publish two rows."""
    monkeypatch.chdir(repository.root / stands)
    assert run(words) == 0
    said, _, then = capsys.readouterr().out.partition("next:\n")
    assert said.startswith("written ")
    commands = [line.strip() for line in then.splitlines()]
    assert len(commands) == 3
    for command in commands:
        subprocess.run(["bash", "-euc", command], check=True, capture_output=True)
    project = Kit(repository.root / site).project
    assert (check(project).findings, check(project).rows) == ((), 2)


def test_a_second_time_it_says_that_nothing_was_missing(
    repository: Kit, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is to be committed, so no command is told."""
    monkeypatch.chdir(repository.root)
    run(["init"])
    capsys.readouterr()
    assert run(["init"]) == 0
    assert capsys.readouterr() == (f"{NOTHING}\n", "")


def test_it_says_what_it_kept_and_what_that_lacks(
    repository: Kit, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files that were there are named, each with the lines that a person has to add."""
    monkeypatch.chdir(repository.root)
    repository.write(".gitignore", "/.venv/\n/dist/\n__pycache__/\n.assay-lock\n.assay-tmp-*\n")
    repository.write("mkdocs.yml", "site_name: Mine\n")
    assert run(["init"]) == 0
    said = capsys.readouterr().out
    assert "kept as they were: .gitignore, mkdocs.yml\n" in said
    assert "to be added to .gitignore:\n    /site/\nto be" in said
    assert "to be added to mkdocs.yml:\n    theme: {name: material}\n    plugins: " in said


def test_where_ci_can_not_get_it_that_is_told(
    repository: Kit, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was installed from a file of this machine leaves a place for a person to fill."""
    monkeypatch.chdir(repository.root)
    told = "to be said in .github/workflows/results.yml, under ASSAY: "
    for requirement, place in ((None, 'ASSAY: ""'), ("assay==1.2.3", 'ASSAY: "assay==1.2.3"')):
        (repository.root / ".github/workflows/results.yml").unlink(missing_ok=True)
        monkeypatch.setattr("generator.workflow.init.requirement", lambda found=requirement: found)
        assert run(["init"]) == 0
        assert (told in capsys.readouterr().out) is (requirement is None)
        assert place in repository.read(".github/workflows/results.yml")


def test_a_project_with_benchmarks_is_told_to_check(
    kit: Kit, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """There is no example to run, so what lies there is checked."""
    monkeypatch.chdir(kit.root)
    assert run(["init"]) == 0
    said = capsys.readouterr().out
    assert said.splitlines()[-1].endswith("results check")
    assert EXAMPLE not in said


@pytest.mark.usefixtures("alone")
def test_outside_of_a_repository_it_ends_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What git could not find is told, and that a repository comes first."""
    assert run(["init", str(tmp_path / "new")]) == 6
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines()[-1] == "    Make a repository with git init, or change to one."


def test_python_is_called_as_the_reader_can_call_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """By name where the name means the Python that has the package, else by its path."""
    own = Path(sys.executable)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("shutil.which", lambda _: str(own.with_name("python")))
    assert say.interpreter() == "python"
    monkeypatch.setattr("shutil.which", lambda _: "/somewhere/else/python")
    assert say.interpreter() == str(own)
    monkeypatch.chdir(own.parents[1])
    assert say.interpreter() == f"{own.parent.name}/{own.name}"
