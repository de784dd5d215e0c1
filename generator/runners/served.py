"""An MCP server on standard input and output, as its client sees it.

The SDK speaks the protocol; the program behind it is one of ours to start and to end.
"""

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Mapping
from types import TracebackType
from typing import Any, Self, TypeVar

import mcp_types as types
from mcp.client.session import ClientSession
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage

from generator import __version__
from generator.runners.spoken import Lines
from generator.runners.stage import Came, SceneFault

_PAGES = 1_000
"""Pages that a list of tools may have."""

_SAID = 300
_Answer = TypeVar("_Answer")

# What a server does wrong is told where it matters, and not on the way.
for _talker in ("client", "mcp"):
    logging.getLogger(_talker).addHandler(logging.NullHandler())


@contextlib.asynccontextmanager
async def served(lines: Lines, start: float, answer: float) -> AsyncIterator["Server"]:
    """A server that has said hello; raises SceneFault.

    `start` and `answer` are the seconds that it may take for that, and for anything else.
    """
    held: asyncio.Future[ClientSession] = asyncio.get_running_loop().create_future()

    async def hold() -> None:
        # In a task of its own: what goes wrong in the SDK's tasks must not cancel an attempt.
        us = types.Implementation(name="assay", version=__version__)
        try:
            async with ClientSession(_Read(lines), _Write(lines), client_info=us) as session:
                held.set_result(session)
                await asyncio.Event().wait()
        except Exception as fault:  # noqa: BLE001  whatever it is, a call that waits is told
            if not held.done():
                held.set_exception(SceneFault(f"the server can't be spoken with: {fault}"))

    holding = asyncio.ensure_future(hold())
    try:
        server = Server(await held, holding, lines, answer)
        await server.greet(start)
        yield server
    finally:
        holding.cancel()
        await asyncio.wait({holding})


class Server:
    """A server, for as long as its program runs."""

    def __init__(
        self,
        session: ClientSession,
        holding: "asyncio.Future[None]",
        lines: Lines,
        seconds: float,
    ) -> None:
        self._session = session
        self._holding = holding
        self._lines = lines
        self._seconds = seconds

    async def greet(self, seconds: float) -> None:
        """Agree on a version; raises SceneFault."""
        try:
            await self._within(seconds, self._session.initialize())
        except MCPError as refused:
            raise SceneFault(f"the server refused to start: {refused}"[:_SAID]) from refused

    async def tools(self) -> list[dict[str, Any]]:
        """All tools, as it lists them; raises SceneFault."""
        listed: list[dict[str, Any]] = []
        cursor: str | None = None
        for _ in range(_PAGES):
            page = types.PaginatedRequestParams(cursor=cursor) if cursor else None
            request = types.ListToolsRequest(params=page)
            try:
                found = await self._within(
                    self._seconds, self._session.send_request(request, types.ListToolsResult)
                )
            except MCPError as refused:
                raise SceneFault(f"the server lists no tools: {refused}"[:_SAID]) from refused
            listed += [
                tool.model_dump(mode="json", by_alias=True, exclude_unset=True)
                for tool in found.tools
            ]
            cursor = found.next_cursor
            if cursor is None:
                return listed
        raise SceneFault("the server's list of tools has no end")

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Came:
        """Pass on a call; raises SceneFault where no answer came.

        An answer is not held against the tool's own output schema: what the server says is what
        the system is shown.
        """
        params = types.CallToolRequestParams(name=name, arguments=dict(arguments))
        request = types.CallToolRequest(params=params)
        try:
            result = await self._within(
                self._seconds, self._session.send_request(request, types.CallToolResult)
            )
        except MCPError as refused:
            return Came("refused", refused.message, failed=True)
        return Came("accepted", _text(result), failed=bool(result.is_error))

    async def _within(self, seconds: float, asked: Awaitable[_Answer]) -> _Answer:
        """An answer; raises MCPError where it is an error, and SceneFault where there is none."""
        try:
            async with asyncio.timeout(seconds):
                return await asked
        except TimeoutError as fault:
            if self._lines.over:
                raise SceneFault(f"the server is gone: {self._lines.why}") from fault
            raise SceneFault(f"the server said nothing for {seconds:g} s") from fault
        except MCPError as fault:
            if self._lines.over:
                raise SceneFault(f"the server is gone: {self._lines.why}") from fault
            if self._holding.done():
                raise SceneFault("the server broke the protocol") from fault
            raise
        except (ValueError, RuntimeError) as fault:
            why = " ".join(str(fault).partition("For further")[0].split())  # pydantic's own links
            raise SceneFault(f"the server broke the protocol: {why}"[:_SAID]) from fault


def _text(result: types.CallToolResult) -> str:
    """The texts of an answer, and the JSON of what is none."""
    parts = [
        block.text
        if isinstance(block, types.TextContent)
        else block.model_dump_json(by_alias=True, exclude_unset=True)
        for block in result.content
    ]
    if not parts and result.structured_content is not None:
        return json.dumps(result.structured_content, ensure_ascii=False)
    return "\n".join(parts)


class _Stream:
    """What the SDK wants of both ends; the program is ended elsewhere."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines

    async def aclose(self) -> None:
        """Nothing."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        return None


class _Read(_Stream):
    """The messages of a server; whatever else it writes is passed over."""

    async def receive(self) -> SessionMessage | Exception:
        """The next message."""
        return await anext(self)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        while (line := await self._lines.read()) is not None:
            with contextlib.suppress(ValueError):
                message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
                return SessionMessage(message)
            await asyncio.sleep(0)  # much noise would let no clock run
        raise StopAsyncIteration


class _Write(_Stream):
    """What a server is told."""

    async def send(self, item: SessionMessage, /) -> None:
        """Pass a message on."""
        written = item.message.model_dump_json(by_alias=True, exclude_unset=True)
        self._lines.write(written.encode())
