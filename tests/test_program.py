"""What a Python program that is put behind `command:` makes of a case, as `results run` sees it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from generator import program
from generator.families.family import Put, Question
from generator.records.benchmark import DeclaredSystem
from generator.runners.command import Command
from generator.runners.system import Observed, Terms
from tests.runners.sample import ask

STUB = '''
import os, signal, sys, time
from datetime import datetime

from generator.program import Declined, Loaded, answer


class CannotRead(Exception):
    """The refusal that this library documents."""


def read(text):
    match text:
        case "a refusal":
            raise CannotRead("no answer: " + repr(text))
        case "another exception":
            raise KeyError("at 0x7f00deadbeef in /opt/somewhere/reader.py")
        case "an exception without words":
            raise RecursionError
        case "half a character":
            raise ValueError("\\ud83d")
        case "sleep":
            time.sleep(60)
        case "exit":
            os._exit(3)
        case "leave":
            sys.exit(0)
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "print":
            print("{}")
            os.write(1, b"{}\\n")
            print("a warning", file=sys.stderr)
        case "the epoch here":
            return datetime.fromtimestamp(0).isoformat()
    return text


def written(value):
    if value == "nothing":
        raise Declined("nothing was returned")
    return str(value)


def not_there():
    raise ModuleNotFoundError("No module named 'nowhere'")


if __name__ == "__main__":
    answer({"stub": lambda: Loaded(read, (CannotRead,)), "not-there": not_there}, written)
'''


@pytest.fixture
def stub(tmp_path: Path) -> Path:
    """A program, each case of which ends in its own way."""
    path = tmp_path / "stub.py"
    path.write_text(STUB, encoding="utf-8")
    return path


def asked(stub: Path, prompt: str, function: str = "stub", seconds: float = 30) -> Observed:
    """What came of a prompt."""
    declared = DeclaredSystem(
        id="stub", command=("python", str(stub), function), provider="local", revision="1"
    )
    root = Path(program.__file__).parents[1]
    environment = {**os.environ, "TZ": "America/New_York", "PYTHONPATH": str(root)}
    return ask(
        Command(declared, root, environment), Question("case", (Put(prompt),)), Terms(seconds)
    )


@pytest.mark.parametrize("prompt", ["a text", "", '\ufeff{"a":\r\n"\t\u001b[0m\u2028”"', "print"])
def test_an_answer_is_what_was_made_of_the_text_as_it_is(stub: Path, prompt: str) -> None:
    """Nothing of the text is lost, and nothing that a library prints mixes with the answer."""
    observed = asked(stub, prompt)
    assert (observed.outcome, [turn.content for turn in observed.turns]) == ("completed", [prompt])


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("a refusal", "CannotRead: no answer: 'a refusal'"),
        ("nothing", "nothing was returned"),
    ],
)
def test_what_declines_has_answered(stub: Path, prompt: str, words: str) -> None:
    """By the exception that it documents, or by an answer that is none."""
    observed = asked(stub, prompt)
    assert (observed.outcome, [turn.refusal for turn in observed.turns]) == ("completed", [words])


@pytest.mark.parametrize(
    ("prompt", "reason"),
    [
        ("another exception", "KeyError: 'at <address> in <path>'"),
        ("an exception without words", "RecursionError"),
        ("half a character", "ValueError: \\ud83d"),
        ("leave", "SystemExit: 0"),
        ("exit", "it ended with status 3: "),
        ("kill", "it ended with signal 9: "),
    ],
)
def test_whatever_else_happens_has_failed(stub: Path, prompt: str, reason: str) -> None:
    """Any other exception, and the death of the process; it has said nothing."""
    observed = asked(stub, prompt)
    assert (observed.outcome, observed.reason, observed.turns) == ("failed", reason, ())


def test_no_answer_in_time_is_no_failure(stub: Path) -> None:
    """It is told apart from a crash."""
    assert asked(stub, "sleep", seconds=1.5).outcome == "timeout"


def test_the_time_zone_of_the_machine_does_not_reach_a_library(stub: Path) -> None:
    """The first second of 1970 is on 1 January in UTC and on 31 December west of it."""
    assert asked(stub, "the epoch here").turns[0].content == "1970-01-01T00:00:00"


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        ("not-there", "ModuleNotFoundError: No module named 'nowhere'"),
        ("nobody", "KeyError: 'nobody'"),
    ],
)
def test_a_library_that_does_not_load_has_failed_at_no_case(
    stub: Path, function: str, reason: str
) -> None:
    """It counts in no measure."""
    observed = asked(stub, "a text", function)
    assert (observed.outcome, observed.reason) == ("harness_error", reason)


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("<Thing at 0x7F3a90>", "<Thing at <address>>"),
        ("No such file: '/usr/share/zoneinfo/Nowhere'", "No such file: '<path>'"),
        (r"C:\Python311\Lib\x.py is gone", "<path> is gone"),
        ("Unknown format: 25/12/2026 or 00/00/0000", "Unknown format: 25/12/2026 or 00/00/0000"),
        ("two\nlines  here", "two lines here"),
        ("a" * 10_000, "a" * 499 + "…"),
    ],
)
def test_words_of_a_library_are_the_same_on_every_machine(words: str, kept: str) -> None:
    """No address and no path is kept, and what quotes a whole document is cut."""
    assert program.normalised(words) == kept


def test_what_is_observed_can_be_written_down() -> None:
    """In process as well: one object with an answer, a refusal or how it failed."""

    def read(text: str) -> str:
        return {"good": "fine"}[text]

    def observed(*refusals: type[Exception], prompt: str) -> dict[str, Any]:
        seen = program.observed(program.Loaded(read, refusals), prompt, str)
        return dict(json.loads(json.dumps(seen)))

    assert observed(prompt="good") == {"content": "fine"}
    assert observed(KeyError, prompt="bad") == {"refusal": "KeyError: 'bad'"}
    assert observed(prompt="bad") == {"outcome": "failed", "reason": "KeyError: 'bad'"}
