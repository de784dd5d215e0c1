"""The command starts quickly: what is slow to import is imported where it is used."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from generator import __version__
from generator.cli.app import app

ROOT = Path(__file__).parents[1]

PAGES = {"babel", "jinja2", "markdown", "material", "mkdocs", "yaml"}
RECORDS = {"msgspec", "orjson", "pydantic", "zstandard"}
SCORES = {"numpy", "re2", "scipy"}
HEAVY = PAGES | RECORDS | SCORES | {"git"}
"""What a command may need, and its help does not."""

COMMANDS = sorted(str(command.name) for command in app.registered_commands)

SCRIPT = """\
import json, sys

before = set(sys.modules)
sys.argv = ["results", *json.loads(sys.argv[1])]
from generator.cli import main

status = 0
try:
    main()
except SystemExit as left:
    status = left.code
imported = sorted({name.split(".")[0] for name in set(sys.modules) - before})
print(json.dumps({"status": status, "imported": imported}), file=sys.stderr)
"""


def started(*words: str) -> tuple[str, set[str]]:
    """What the command says to some words, and the packages that it imported to say it."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(words)],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
        encoding="utf-8",
    )
    told = json.loads(done.stderr.splitlines()[-1])
    assert not told["status"]
    return done.stdout, set(told["imported"])


def test_help_is_said_at_once() -> None:
    """`results --help` lists every command without importing what any of them needs."""
    said, imported = started("--help")
    assert imported & HEAVY == set()
    assert "typer" in imported, "the script measures what is imported"
    assert [command for command in COMMANDS if f" {command} " not in said] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_is_said_at_once(command: str) -> None:
    """To read what a command does, one does not wait for what it needs to do it."""
    said, imported = started(command, "--help")
    assert f"results {command}" in said
    assert imported & (HEAVY - {"pydantic"}) == set(), "typer itself may read options with pydantic"


def test_the_version_is_said_before_anything_is_imported() -> None:
    """`results --version` needs neither the commands nor what they are made with."""
    said, imported = started("--version")
    assert said == f"results {__version__}\n"
    assert imported & (HEAVY | {"typer", "click"}) == set()


def test_the_package_is_the_command() -> None:
    """`python -m generator` is `results`."""
    done = subprocess.run(
        [sys.executable, "-m", "generator", "--version"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
        encoding="utf-8",
    )
    assert done.stdout == f"results {__version__}\n"
