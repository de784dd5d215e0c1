"""Tests for work in several processes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from multiprocessing import active_children
from pathlib import Path

import pytest

from generator.workflow.processes import in_processes


def doubled(thing: bytes) -> bytes:
    """As heavy again as what it is made of."""
    return thing + thing


def whose(_: int) -> int:
    """Which process this is."""
    time.sleep(0.005)
    return os.getpid()


@pytest.mark.parametrize("size", [1, 60_000, 3_000_000])
@pytest.mark.parametrize("jobs", [2, 3, 5])
def test_things_come_in_their_order_however_heavy_they_are(size: int, jobs: int) -> None:
    """Nobody waits for ever on a pipe that is full at both ends."""
    things = [bytes([number]) * size for number in range(20)]
    assert [*in_processes(things, doubled, jobs)] == [(one, doubled(one)) for one in things]


def test_every_process_has_a_share() -> None:
    """The first works too, and none is left out."""
    shares = {made for _, made in in_processes(range(60), whose, 3)}
    assert (len(shares), os.getpid() in shares) == (3, True)


def test_one_job_makes_nothing() -> None:
    """The caller does the work, and no process is started."""
    assert [*in_processes([1, 2], whose, 1)] == [(1, None), (2, None)]


def test_a_fault_is_raised_when_all_before_it_is_told() -> None:
    """What can't be read any further ends the things, and not those that came before."""

    def things() -> Iterator[int]:
        yield from range(10)
        message = "cut off"
        raise ValueError(message)

    rest = in_processes(things(), whose, 2)
    assert [next(rest)[0] for _ in range(10)] == [*range(10)]
    with pytest.raises(ValueError, match="cut off"):
        next(rest)


def test_no_process_waits_for_whoever_left_early() -> None:
    """Where a thing can't be told, say, and the reading ends."""
    things = in_processes(range(60), whose, 3)
    next(things)
    assert len(active_children()) == 2
    things.close()
    assert active_children() == []


PARENT = """
import os, sys, time
from generator.workflow.processes import in_processes

def work(thing):
    os.write(1, b"%d\\n" % os.getpid())  # in one piece, beside those of others
    time.sleep(0.05)

for _ in in_processes(iter(int, 1), work, 3):
    pass
"""


def test_no_process_outlives_the_first(tmp_path: Path) -> None:
    """Killed without a word, it leaves none behind."""
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        seen: set[int] = set()
        while len(seen) < len("123"):
            seen.add(int(parent.stdout.readline()))
        parent.send_signal(signal.SIGKILL)
    until = time.monotonic() + 10
    while living := [pid for pid in seen if alive(pid)]:
        assert time.monotonic() < until, living
        time.sleep(0.02)


def alive(pid: int) -> bool:
    """Whether a process runs; one that ended may still be listed."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
