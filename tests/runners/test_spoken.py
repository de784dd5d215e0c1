import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from generator.runners.spoken import Lines, spoken
from tests.runners.test_process import gone, number_in, written

LIMIT = 100_000
_Told = TypeVar("_Told")


def talk(script: str, say: Callable[[Lines], Awaitable[_Told]]) -> _Told:
    """What comes of a conversation with a script of the shell."""

    async def talked() -> _Told:
        settings = {"PATH": os.environ["PATH"]}
        async with spoken(["/bin/sh", "-c", script], Path("/"), settings, LIMIT) as lines:
            return await say(lines)

    return asyncio.run(talked())


async def everything(lines: Lines) -> tuple[list[bytes], str]:
    """All lines, and why there are no more."""
    found = []
    while (line := await lines.read()) is not None:
        found.append(line)
    return found, lines.why


def test_a_program_answers_line_by_line() -> None:
    """What is said to it, and what it says, in turn."""

    async def say(lines: Lines) -> list[bytes | None]:
        heard = []
        for word in (b"one", b"two \xff"):
            lines.write(word)
            heard.append(await lines.read())
        lines.close()
        return [*heard, await lines.read()]

    assert talk("cat", say) == [b"one", b"two \xff", None]


@pytest.mark.parametrize(
    ("script", "lines", "why"),
    [
        ("echo a; echo b; exit 3", [b"a", b"b"], "it ended with status 3"),
        ("echo a; printf half; echo why >&2; exit 1", [b"a"], "it ended with status 1: why"),
        ("exec >&-; (sleep 0.1; echo late >&2) & exit 1", [], "it ended with status 1: late"),
        ("kill -9 $$", [], "it ended with signal 9"),
        ("exec >&-; sleep 1000", [], "it closed its output"),
        ("sleep 1000 & exit 4", [], "it ended with status 4"),
        ("head -c 1000000 /dev/zero; sleep 1000", [], "it wrote more than 100000 bytes"),
    ],
)
def test_the_end_of_a_program_is_told(script: str, lines: list[bytes], why: str) -> None:
    """Its status, the end of what it complained of, or that it wrote too much."""
    assert talk(script, everything) == (lines, why)


def test_much_complaint_is_no_reason_to_wait() -> None:
    """Standard error is read, however much it is."""
    heard, _ = talk("head -c 5000000 /dev/zero >&2; echo done", everything)
    assert heard == [b"done"]


def test_a_program_may_end_by_itself(tmp_path: Path) -> None:
    """Its input is closed, and it has a moment to put things in order."""

    async def say(lines: Lines) -> None:
        await lines.read()

    done = tmp_path / "done"
    talk(f"echo up; read -r said; sleep 0.2; echo yes > {done}", say)
    assert done.read_text("utf-8") == "yes\n"


def test_a_program_that_does_not_end_is_ended(tmp_path: Path) -> None:
    """With everything that it started, soon after."""

    async def say(lines: Lines) -> None:
        await lines.read()

    number, began = tmp_path / "number", time.monotonic()
    talk(f"trap '' TERM; sleep 1000 & echo $! > {number}; echo up; wait", say)
    assert time.monotonic() - began < 8
    assert gone(number_in(number))


def test_a_fault_leaves_nothing_behind(tmp_path: Path) -> None:
    """At once: whoever is in trouble does not wait."""
    number = tmp_path / "number"

    async def fail(lines: Lines) -> None:
        await asyncio.to_thread(written, number)
        message = lines.why
        raise ValueError(message)

    began = time.monotonic()
    with pytest.raises(ValueError, match="closed"):
        talk(f"sleep 1000 & echo $! > {number}; wait", fail)
    assert time.monotonic() - began < 5
    assert gone(number_in(number))


def test_a_program_that_is_gone_can_be_spoken_to() -> None:
    """Nobody hears it, and nothing breaks."""

    async def say(lines: Lines) -> bytes | None:
        await lines.exited.wait()
        for _ in range(10):
            lines.write(b"x" * 100_000)
        return await lines.read()

    assert talk("exit 0", say) is None
