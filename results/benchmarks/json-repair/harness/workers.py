"""The parent of a worker: asks, waits no longer than the limit, and tells what became of it.

A worker that hangs is killed and one that died is noticed; in both cases the next question starts
a fresh process, so that one text never decides about another.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from select import select
from time import perf_counter_ns
from typing import TYPE_CHECKING, Literal, Self

if TYPE_CHECKING:
    from types import TracebackType
    from typing import IO

START_SECONDS = 60
"""How long a library may take to be imported; no attempt is charged for it."""

LAST_BREATH_SECONDS = 5
"""How long a process that has closed its end may take to leave an exit status."""

CHILD = Path(__file__).with_name("child.py")

# The machine's own settings must not reach an answer: language, hash seed, warnings.
FIXED = {
    "LC_ALL": "C.UTF-8",
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "PYTHONUTF8": "1",
    "PYTHONWARNINGS": "ignore",
    "PYTHONDONTWRITEBYTECODE": "1",
}
PASSED_ON = ("PATH", "PYTHONPATH", "HOME", "LD_LIBRARY_PATH")
"""What an interpreter may need to start at all."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What became of one text."""

    kind: Literal["answered", "refused", "failed", "timeout"]
    text: str
    """The answer, or the reason."""

    elapsed_us: int
    """Microseconds: the worker's own count where it replied, the parent's where it could not."""


class StartError(Exception):
    """A worker did not start, so nothing can be asked."""


def environment() -> dict[str, str]:
    """The environment of a worker: what it needs, and nothing else of this machine's."""
    return {name: os.environ[name] for name in PASSED_ON if name in os.environ} | FIXED


class Worker:
    """One system in a process of its own, started when it is first asked."""

    def __init__(self, systems_file: Path, system: str, *, seconds: float) -> None:
        self._system = system
        self._command = [sys.executable, str(CHILD), str(systems_file), system]
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end(patience=0)

    def ask(self, text: str) -> Reply:
        """Put one text to the system."""
        process = self._process or self._start()
        began = perf_counter_ns()
        with suppress(BrokenPipeError):  # it died, and that is what the line below comes to know
            _write_line(process.stdin, json.dumps(text))
        line = _line_within(process.stdout, self._seconds)
        if line is None:
            self._end(patience=0)
            reason = f"no answer within {self._seconds:g} seconds"
            return Reply("timeout", reason, _microseconds_since(began))
        if not line:
            reason = how_it_ended(self._end(patience=LAST_BREATH_SECONDS))
            return Reply("failed", reason, _microseconds_since(began))
        return Reply(**json.loads(line))

    def _start(self) -> subprocess.Popen[bytes]:
        self._process = process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(),
        )
        if why := self._why_not_ready(process):
            self._end(patience=0)
            message = f"The system {self._system} did not start: {why}."
            raise StartError(message)
        return process

    def _why_not_ready(self, process: subprocess.Popen[bytes]) -> str | None:
        line = _line_within(process.stdout, START_SECONDS)
        if line is None:
            return f"it was not ready within {START_SECONDS} seconds"
        if not line:
            return how_it_ended(self._end(patience=LAST_BREATH_SECONDS))
        first = json.loads(line)
        return None if first["kind"] == "ready" else str(first["text"])

    def _end(self, *, patience: float) -> int:
        """Stop the process, if there is one, and say with which status it ended."""
        process, self._process = self._process, None
        if process is None:
            return 0
        try:
            status = process.wait(timeout=patience)
        except subprocess.TimeoutExpired:
            process.kill()
            status = process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()
        return status


def how_it_ended(status: int) -> str:
    """The words for an exit status; a negative one is the signal that ended the process."""
    if status >= 0:
        return f"the process ended with exit status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    return f"the process was ended by {name}"


def _write_line(stream: IO[bytes] | None, line: str) -> None:
    if stream is not None:
        stream.write(line.encode() + b"\n")
        stream.flush()


def _line_within(stream: IO[bytes] | None, seconds: float) -> bytes | None:
    """The next line; nothing where the process has ended, and None where none came in time."""
    if stream is None or not select([stream], [], [], seconds)[0]:
        return None
    # A worker writes a line only when it is done with a text, and then at once.
    line = stream.readline()
    return line if line.endswith(b"\n") else b""


def _microseconds_since(began: int) -> int:
    return (perf_counter_ns() - began) // 1000
