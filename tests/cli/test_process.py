"""The command as a process of its own: exit status, pipes, terminals, signals."""

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from generator.cli.app import app, run
from generator.cli.say import Progress, counted, plain
from tests.conftest import Kit, edit_json

COMMANDS = sorted(str(command.name) for command in app.registered_commands)


def results(
    kit: Kit, *words: str | Path, settings: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command in the root of a project, in pipes."""
    return subprocess.run(
        [sys.executable, "-m", "generator", *map(str, words)],
        cwd=kit.root,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **(settings or {})},
        capture_output=True,
        check=False,
        text=True,
        encoding="utf-8",
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(capsys: pytest.CaptureFixture[str], command: str) -> None:
    """Help says how a command is called, in words, and ends well."""
    assert run([command, "--help"]) == 0
    said = capsys.readouterr().out
    assert f" {command} [OPTIONS]" in said
    assert "--help" in said


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_can_be_told_to_look_away(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    """There is no option that turns a rule off."""
    run([command, "--help"])
    said = capsys.readouterr().out
    assert not [word for word in ("--force", "--skip", "--no-verify", "--allow") if word in said]


def test_a_project_from_first_run_to_last_check(kit: Kit) -> None:
    """Record, check, refuse and mistype: each ends with its own status, and a pipe stays quiet."""
    recorded = results(kit, "record", kit.run)
    assert (recorded.returncode, recorded.stderr) == (0, "")
    checked = results(kit, "check")
    assert (checked.returncode, checked.stderr) == (0, "")
    refused = results(kit, "record", kit.run)
    assert (refused.returncode, refused.stderr) == (1, "")
    assert refused.stdout.startswith("duplicate-row: ")
    mistyped = results(kit, "record", "gone")
    assert (mistyped.returncode, mistyped.stdout) == (3, "")
    assert mistyped.stderr.startswith("error: gone can't be read as a run: ")


def test_without_a_word_help_is_given(kit: Kit) -> None:
    """Who types the bare command learns what there is, and no script takes it for done."""
    done = results(kit)
    assert done.returncode == 2
    assert all(command in done.stdout + done.stderr for command in COMMANDS)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "settings",
    [{"LC_ALL": "C"}, {"LC_ALL": "POSIX", "PYTHONUTF8": "0"}, {"PYTHONIOENCODING": "ascii"}],
    ids=str,
)
def test_names_of_any_script_are_printed_anywhere(kit: Kit, settings: dict[str, str]) -> None:
    """A terminal of plain ASCII is no reason to fall over a name."""
    hostile = kit.variant("saluti-è")
    edit_json(
        hostile / "run.json", lambda said: said["systems"][0].update(provider="fake", model="挨拶")
    )
    done = results(kit, "record", hostile, settings=settings)
    assert (done.returncode, done.stderr) == (1, "")
    assert "fake-provider: fake:" in done.stdout


def test_a_reader_that_leaves_is_no_fault(kit: Kit) -> None:
    """`results rules | head` ends in silence, with the status that shells have for it.

    It is not 0: what was not read may have been a finding.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "generator", "rules"],
        cwd=kit.root,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONUNBUFFERED": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    with process.stderr as errors:
        assert errors.read() == b""
    assert process.wait() == 141


def _heed_interrupts() -> None:
    """Whoever starts the tests in the background has interrupts ignored, and so have they."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_an_interrupt_is_said_in_a_sentence(kit: Kit) -> None:
    """Ctrl-C ends a command with the status that shells expect, and without a traceback."""
    kit.write("site/index.html", "<p>Home")
    process = subprocess.Popen(
        [sys.executable, "-m", "generator", "serve", "--port", "0", "--no-open"],
        cwd=kit.root,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_heed_interrupts,  # noqa: PLW1509  a test has no thread that could hold a lock
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("http://127.0.0.1:")
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 130
    assert errors == "stopped; nothing was half-written\n"


def test_progress_is_shown_on_a_terminal_only(kit: Kit) -> None:
    """On a terminal a line tells how far the command is, and is taken away at the end."""
    ours, theirs = pty.openpty()
    with os.fdopen(ours, "rb") as terminal:
        done = subprocess.run(
            [sys.executable, "-m", "generator", "score", str(kit.run)],
            cwd=kit.root,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            stdout=subprocess.PIPE,
            stderr=theirs,
            check=False,
        )
        shown = os.read(terminal.fileno(), 10_000)
        os.close(theirs)
    assert done.returncode == 0
    assert b"scoring 8/8" in shown
    assert shown.endswith(b"\r\x1b[K")
    assert b"\x1b" not in done.stdout


def test_progress_in_a_pipe_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    """Where nobody watches, nothing is shown."""
    progress = Progress()
    progress("scoring", 1, 2)
    progress.end()
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("one\ntwo", "one\ntwo"),
        ("\x1b[31mred", " [31mred"),
        ("\x1b]8;;http://x\x07link", " ]8;;http://x link"),
        ("a\x9bb\x00c\x7fd\re\tf", "a b c d e f"),
        ("\u202egnp.exe", " gnp.exe"),
        ("zero\u200bwidth\ufeff", "zero width "),
        ("\ud800", " "),
        ("挨拶 è ✓", "挨拶 è ✓"),
    ],
)
def test_text_from_outside_is_printed_plain(text: str, shown: str) -> None:
    """What moves a cursor, rings a bell or turns text around becomes a space; the rest stays."""
    assert plain(text) == shown


def test_numbers_of_things_are_english() -> None:
    """One page, two pages, no pages."""
    assert [counted(number, "page") for number in (0, 1, 2)] == ["0 pages", "1 page", "2 pages"]
