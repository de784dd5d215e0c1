"""One program that is spoken with, a line at a time, and nothing of it left afterwards."""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import cast

from generator.runners.process import end

LIMIT = 8 * 1024 * 1024
"""How many bytes a program may write in all: what it answers has to fit into a line."""

_PATIENCE = 2.0
"""Seconds that a program has to end by itself when its input is closed."""

_GRACE = 0.5
"""Seconds until what a program has left behind lets go of its pipes; later they are closed."""

_TAIL = 64 * 1024
"""How much of the end of its standard error is kept."""

_SAID = 300


@contextlib.asynccontextmanager
async def spoken(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], limit: int = LIMIT
) -> AsyncIterator["Lines"]:
    """Start a program without a shell, to be spoken with; raises OSError or ValueError.

    Afterwards its input is closed, and it may end by itself. Where it does not, or where it is
    left by an exception, it is killed with all that it started.
    """
    loop = asyncio.get_running_loop()
    transport, lines = await loop.subprocess_exec(
        lambda: Lines(limit), *command, cwd=folder, env=environment, start_new_session=True
    )
    try:
        yield lines
        lines.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                await lines.exited.wait()
    finally:
        end(transport)
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_GRACE):
                    await lines.exited.wait()
                    await lines.silent.wait()
        finally:
            transport.close()


class _Output(asyncio.SubprocessProtocol):
    """Takes what a program writes as it comes; ends it when that is too much."""

    def __init__(self, limit: int) -> None:
        self.exited = asyncio.Event()
        self.silent = asyncio.Event()
        """Set when nobody holds its pipes any more."""

        self.over = False
        """Whether nothing more can come from it."""

        self._limit = limit
        self._size = 0
        self._lines: deque[bytes] = deque()
        self._begun = bytearray()
        """A line that has not ended."""

        self._came = asyncio.Event()
        self._complained = bytearray()
        self._open = {1, 2}
        self._transport: asyncio.SubprocessTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.SubprocessTransport", transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd != 1:
            self._complained += data
            del self._complained[:-_TAIL]
            return
        self._size += len(data)
        if self._size > self._limit:
            self._lines.clear()
            self._begun.clear()
            end(self._transport)
            self._end()
        elif not self.over:
            self._begun += data
            if b"\n" in data:
                *whole, self._begun = self._begun.split(b"\n")
                self._lines.extend(map(bytes, whole))
                self._came.set()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        del exc
        self._open.discard(fd)
        if not self._open:
            self.silent.set()
        if 1 not in self._open:
            self._may_be_over()

    def process_exited(self) -> None:
        self.exited.set()
        self._may_be_over()

    def _may_be_over(self) -> None:
        """Over once it has ended and all that it wrote has come; or soon after it did one of both.

        A child of its may hold the output that it left, and its status comes after its last word.
        """
        if self.exited.is_set() and not self._open:
            self._end()
        else:
            asyncio.get_running_loop().call_later(_GRACE, self._end)

    def _end(self) -> None:
        self.over = True
        self._came.set()


class Lines(_Output):
    """What a program writes, line by line, and what it is told."""

    @property
    def why(self) -> str:
        """How it came that nothing more does, with the end of what it complained of."""
        if self._size > self._limit:
            return f"it wrote more than {self._limit} bytes"
        status = self._transport.get_returncode()
        if status is None:
            return "it closed its output"
        how = f"signal {-status}" if status < 0 else f"status {status}"
        complained = self._complained.decode(errors="replace").strip()[-_SAID:]
        return f"it ended with {how}: {complained}" if complained else f"it ended with {how}"

    def write(self, line: bytes) -> None:
        """Say a line to it, which it need not read."""
        self._input.write(line + b"\n")

    def close(self) -> None:
        """Say nothing more to it."""
        self._input.close()

    async def read(self) -> bytes | None:
        """The next line that it writes, once there is one; none where it is over."""
        while not self._lines:
            if self.over:
                return None
            self._came.clear()
            await self._came.wait()
        return self._lines.popleft()

    @property
    def _input(self) -> asyncio.WriteTransport:
        return cast("asyncio.WriteTransport", self._transport.get_pipe_transport(0))
