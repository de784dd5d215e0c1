"""A provider of chat models that does as it is told: an HTTP server on the loopback.

    with Stub(said("Hello")) as stub:        # every request is answered so
        ...
    with Stub(script=[refused(429), said("Hello")]) as stub:  # one after the other, then the last
        ...
    assert stub.sent[0].body["model"] == "m"

`python -m tests.runners.stub SECONDS` serves "Hello" after so many seconds until it is ended, and
says its port first: a process of its own, for what is measured.
"""

import asyncio
import contextlib
import json
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 429: "Too Many Requests"}


@dataclass(frozen=True, slots=True)
class Sent:
    """A request as it came in."""

    path: str
    headers: Mapping[str, str]
    body: Any
    """What its JSON says."""

    raw: bytes


@dataclass(frozen=True, slots=True)
class Reply:
    """What is sent back."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    after: float = 0.0
    """Seconds until it is."""

    cut: bool = False
    """Whether the connection ends in the middle of it."""


Answer = Callable[[Sent], Reply]


def reply(body: Any, status: int = 200, after: float = 0.0, **headers: str) -> Reply:  # noqa: ANN401
    """JSON, with headers whose underscores are hyphens."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(json.dumps(body).encode(), status, named, after)


def refused(status: int = 429, message: str = "slow down", **headers: Any) -> Reply:  # noqa: ANN401
    """A refusal, in the form that both dialects have."""
    return reply({"error": {"type": "refused", "message": message}}, status, **headers)


def chosen(message: Mapping[str, Any], **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """A chat completion with one choice."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "m-2026-01-01",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": None, **message},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
        **more,
    }


def said(content: str, after: float = 0.0, **more: Any) -> Reply:  # noqa: ANN401
    """A chat completion that says something."""
    return reply(chosen({"content": content}, **more), after=after)


def called(name: str, arguments: Mapping[str, Any] | str, *, id: str = "call_1") -> Reply:  # noqa: A002
    """A chat completion that calls a tool."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    call = {"id": id, "type": "function", "function": {"name": name, "arguments": text}}
    return reply(chosen({"tool_calls": [call]}))


def blocks(*content: Mapping[str, Any], **more: Any) -> Reply:  # noqa: ANN401
    """A reply of the Messages API."""
    return reply(
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "c-2026-01-01",
            "content": list(content),
            "stop_reason": "end_turn",
            "usage": {"input_tokens": 10, "output_tokens": 5},
            **more,
        }
    )


class Stub:
    """Serves from a thread of its own; use it as a context manager."""

    def __init__(self, answer: Reply | Answer | None = None, script: Sequence[Reply] = ()) -> None:
        """Every request has the same answer, or one that is made for it, or the script's next."""
        self.sent: list[Sent] = []
        self.most = 0
        """How many requests were answered at the same time."""

        self.connections = 0
        """How many connections were made to it."""

        self.now = 0
        """How many requests are being answered."""

        self.open: set[asyncio.Transport] = set()
        self.port = 0
        self._answer = answer
        self._script = list(script)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._server: asyncio.Server

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(self.serve(), self._loop).result()
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    async def serve(self) -> asyncio.Server:
        """Start to listen on a free port."""
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: _Connection(self), "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        return server

    def answer(self, sent: Sent) -> Reply:
        """What a request is answered."""
        self.sent.append(sent)
        self.now += 1
        self.most = max(self.most, self.now)
        if self._script:
            return self._script.pop(0) if len(self._script) > 1 else self._script[0]
        assert self._answer is not None
        return self._answer if isinstance(self._answer, Reply) else self._answer(sent)

    async def _end(self) -> None:
        self._server.close()
        for transport in list(self.open):
            transport.abort()
        await asyncio.sleep(0)


class _Connection(asyncio.Protocol):
    """Takes one request after the other."""

    def __init__(self, stub: Stub) -> None:
        self._stub = stub
        self._come = b""
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._stub.connections += 1
        self._stub.open.add(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self._stub.open.discard(self._transport)

    def data_received(self, data: bytes) -> None:
        self._come += data
        head, ended, raw = self._come.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        pairs = (line.split(":", 1) for line in lines)
        headers = {name.lower(): value.strip() for name, value in pairs} if ended else {}
        if not ended or len(raw) < int(headers.get("content-length", "0")):
            return
        self._come = b""
        sent = Sent(first.split()[1], headers, json.loads(raw or b"null"), raw)
        answer = self._stub.answer(sent)
        asyncio.get_running_loop().call_later(answer.after, self._reply, answer)

    def _reply(self, answer: Reply) -> None:
        self._stub.now -= 1
        self._transport.write(_written(answer))
        if answer.cut:
            self._transport.close()


def _written(answer: Reply) -> bytes:
    headers = {
        "content-type": "application/json",
        "content-length": str(len(answer.body)),
        **answer.headers,
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    line = f"HTTP/1.1 {answer.status} {REASONS.get(answer.status, 'Status')}\r\n"
    body = answer.body[: len(answer.body) // 2] if answer.cut else answer.body
    return f"{line}{head}\r\n".encode() + body


async def _serve(seconds: float) -> None:
    stub = Stub(said("Hello", after=seconds))
    server = await stub.serve()
    print(stub.port, flush=True)  # noqa: T201  whoever started it reads the port
    await server.serve_forever()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(float(sys.argv[1])))
