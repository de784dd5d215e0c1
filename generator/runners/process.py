"""One program that is run once: what it wrote, how it ended, and nothing of it left afterwards."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, cast

Hear: TypeAlias = Callable[[bytes], None]
"""Is told what a program writes, as it comes."""

_GRACE = 1.0
"""Seconds until what a program has left behind lets go of its pipes; later they are closed."""

_ROUNDS = 20
"""How often is looked for what a process that is being killed has started meanwhile."""

_TAIL = 64 * 1024
"""How much of the end of its standard error is kept."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended."""

    status: int
    """Negative where a signal ended it."""

    out: bytes | None
    """What it wrote to its standard output; none where that was too much."""

    err: bytes
    """The end of what it wrote to its standard error."""

    seconds: float
    """From its start until it ended, whatever it left behind."""


async def run(  # noqa: PLR0913, PLR0917  what a program is run with
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    given: bytes,
    seconds: float,
    output: int | Hear,
) -> Ended:
    """Run a program without a shell; raises OSError, ValueError or TimeoutError.

    `output` is how many bytes it may write, or who is told them; then none are kept, and there may
    be any number.

    When it has ended, or time is up, everything that it started goes with it: what stayed in its
    group is killed, and what left it loses its pipes.
    """
    loop = asyncio.get_running_loop()
    started = loop.time()
    transport, watch = await loop.subprocess_exec(
        lambda: _Watch(output),
        *command,
        cwd=folder,
        env=environment,
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(seconds):
            watch.give(given)
            await watch.exited.wait()
    finally:
        end(transport)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_GRACE):
                await watch.exited.wait()
                await watch.silent.wait()
        transport.close()
    return Ended(
        transport.get_returncode() or 0,
        watch.written,
        bytes(watch.complained),
        watch.ended - started,
    )


class _Watch(asyncio.SubprocessProtocol):
    """Takes what a program writes as it comes; ends it when that is too much."""

    def __init__(self, output: int | Hear) -> None:
        self.ended = 0.0
        """When, by the clock of the loop."""

        self.exited = asyncio.Event()
        self.silent = asyncio.Event()
        """Set when nobody holds its pipes any more."""

        self.complained = bytearray()
        self._output = output
        self._written: bytearray | None = bytearray()
        self._open = {1, 2}
        self._transport: asyncio.SubprocessTransport

    @property
    def written(self) -> bytes | None:
        """What it wrote; none where that was too much."""
        return None if self._written is None else bytes(self._written)

    def give(self, given: bytes) -> None:
        """Put something on its standard input and close it; it need not be read."""
        pipe = cast("asyncio.WriteTransport", self._transport.get_pipe_transport(0))
        pipe.write(given)
        pipe.write_eof()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.SubprocessTransport", transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd != 1:
            self.complained += data
            del self.complained[:-_TAIL]
        elif not isinstance(self._output, int):
            self._output(data)
        elif self._written is not None and len(self._written) + len(data) > self._output:
            self._written = None
            end(self._transport)
        elif self._written is not None:
            self._written += data

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        del exc
        self._open.discard(fd)
        if not self._open:
            self.silent.set()

    def process_exited(self) -> None:
        self.ended = asyncio.get_running_loop().time()
        self.exited.set()


def end(transport: asyncio.SubprocessTransport) -> None:
    """Kill a program and its group; there may be nothing left of it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(transport.get_pid(), signal.SIGKILL)


def end_marked(mark: str) -> None:
    """Kill what was started with this in its environment, whatever group it has gone to.

    Found where the system tells what processes were started with, as Linux does; elsewhere, and
    where a program wiped its environment, nothing is found.
    """
    found = marked(mark.encode())
    for _ in range(_ROUNDS):
        for number in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(number, signal.SIGKILL)
        found = marked(mark.encode())
        if not found:
            return


def marked(mark: bytes) -> list[int]:
    """Numbers of processes that were started with this in their environment."""
    numbers = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if mark in path.read_bytes().split(b"\0"):
                numbers.append(int(path.parent.name))
    return numbers
