import asyncio
import contextlib
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from generator.runners.process import Ended, run

LIMIT = 1_000_000


def ran(
    script: str,
    *,
    given: bytes = b"",
    seconds: float = 20.0,
    folder: Path = Path("/"),
    environment: Mapping[str, str] | None = None,
) -> Ended:
    """How a script of the shell ends."""
    settings = {"PATH": os.environ["PATH"], **(environment or {})}
    command = ["/bin/sh", "-c", script]
    return asyncio.run(run(command, folder, settings, given, seconds, LIMIT))


def is_running(number: int) -> bool:
    """Whether a process is there, and no mere trace of one."""
    try:
        state = (
            Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        )
    except OSError:
        return False
    return state != "Z"


def gone(number: int) -> bool:
    """Whether a process goes away within a moment."""
    until = time.monotonic() + 5
    while is_running(number) and time.monotonic() < until:
        time.sleep(0.01)
    return not is_running(number)


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Path]:
    """A file for the number of a process that a script starts; whatever remains is ended."""
    path = tmp_path / "number"
    yield path
    with contextlib.suppress(OSError, ValueError):
        os.kill(int(path.read_text(encoding="utf-8")), 9)


def written(path: Path) -> None:
    """Wait until a script has written a number."""
    until = time.monotonic() + 20
    while time.monotonic() < until and not (path.exists() and path.read_bytes().strip()):
        time.sleep(0.01)


def number_in(path: Path) -> int:
    """The number that a script wrote."""
    return int(path.read_text(encoding="utf-8"))


def test_a_program_is_given_and_gives() -> None:
    """Standard input, both outputs, and the status."""
    ended = ran("cat; echo of course >&2; exit 3", given=b"ciao \xff")
    assert (ended.status, ended.out, ended.err) == (3, b"ciao \xff", b"of course\n")


def test_a_program_runs_where_and_with_what_it_is_told(tmp_path: Path) -> None:
    """Its folder and its environment, and no other."""
    ended = ran('pwd; echo "$X$HOME"', folder=tmp_path, environment={"X": "x"})
    assert ended.out == f"{tmp_path}\nx\n".encode()


def test_a_program_need_not_read() -> None:
    """A large case that nobody reads is no fault."""
    assert ran("echo done", given=b"x" * 4_000_000).out == b"done\n"


def test_a_program_that_closes_its_input_goes_on() -> None:
    """The pipe breaks, the program does not."""
    assert ran("exec <&-; sleep 0.1; echo done", given=b"x" * 4_000_000).out == b"done\n"


def test_a_large_case_is_given_in_full() -> None:
    """More than a pipe holds at once."""
    assert ran("wc -c | tr -d ' '", given=b"x" * 4_000_000).out == b"4000000\n"


def test_a_signal_is_told() -> None:
    """By its number, negative."""
    assert ran("kill -11 $$").status == -11


def test_much_complaint_is_no_reason_to_wait() -> None:
    """Standard error is read to its end, and its end is what is kept."""
    ended = ran("yes complaint | head -c 5000000 >&2; echo last >&2; echo done")
    assert (ended.status, ended.out) == (0, b"done\n")
    assert ended.err.endswith(b"last\n")
    assert len(ended.err) <= 64 * 1024


def test_a_gigabyte_is_not_read() -> None:
    """A program that writes without end is ended at the limit."""
    started = time.monotonic()
    ended = ran("yes | head -c 1000000000")
    assert ended.out is None
    assert time.monotonic() - started < 15


def test_exactly_the_limit_may_be_written() -> None:
    """One byte more is too much."""
    written = ran(f"head -c {LIMIT} /dev/zero").out
    assert written is not None
    assert len(written) == LIMIT
    assert ran(f"head -c {LIMIT + 1} /dev/zero").out is None


def test_when_time_is_up_a_program_is_ended(started: Path) -> None:
    """With everything that it started, even what takes no hint."""
    with pytest.raises(TimeoutError):
        ran(f"trap '' TERM; sleep 1000 & echo $! > {started}; wait", seconds=1.0)
    assert gone(number_in(started))


def test_what_a_program_leaves_behind_does_not_hold_us_up(started: Path) -> None:
    """It has said what it had to say; what lingers in its group is ended."""
    began = time.monotonic()
    ended = ran(f"sleep 1000 & echo $! > {started}; echo done")
    assert (ended.status, ended.out) == (0, b"done\n")
    assert time.monotonic() - began < 10
    assert gone(number_in(started))


def test_what_left_the_group_does_not_hold_us_up_either(started: Path) -> None:
    """A daemon that keeps the pipes open loses them."""
    began = time.monotonic()
    ended = ran(f"setsid sh -c 'echo $$ > {started}; exec sleep 1000' & sleep 0.5; echo done")
    assert (ended.status, ended.out) == (0, b"done\n")
    assert time.monotonic() - began < 10


def test_whoever_is_cancelled_leaves_nothing_behind(started: Path) -> None:
    """An interrupt ends the programs that are under way."""

    async def interrupted() -> None:
        script = f"sleep 1000 & echo $! > {started}; wait"
        settings = {"PATH": os.environ["PATH"]}
        asking = asyncio.ensure_future(
            run(["/bin/sh", "-c", script], Path("/"), settings, b"", 60.0, LIMIT)
        )
        await asyncio.to_thread(written, started)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    asyncio.run(interrupted())
    assert gone(number_in(started))


def test_many_programs_run_side_by_side() -> None:
    """Each is told apart from the others."""

    async def all_of_them() -> list[Ended]:
        settings = {"PATH": os.environ["PATH"]}
        return await asyncio.gather(
            *(
                run(["/bin/sh", "-c", "cat"], Path("/"), settings, b"%d" % number, 20.0, LIMIT)
                for number in range(20)
            )
        )

    assert [ended.out for ended in asyncio.run(all_of_them())] == [b"%d" % n for n in range(20)]


@pytest.mark.parametrize(
    "command", [["/no/such/program"], ["/etc/passwd"], ["/"], ["a\0b"]], ids=str
)
def test_a_program_that_can_not_be_started_is_said(command: list[str]) -> None:
    """By the fault that the machine has for it."""
    with pytest.raises((OSError, ValueError)):
        asyncio.run(run(command, Path("/"), {}, b"", 5.0, LIMIT))
