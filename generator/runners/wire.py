"""Requests to a provider: with limits on connections and time, and sent again only where it asked.

A request is sent again only if the provider refused it (a rate limit, a fault of its server) or it
could not be reached at all. What it took is never sent again, whatever becomes of the reply.
"""

import asyncio
import email.utils
import json
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.request import getproxies, proxy_bypass

import httpx

from generator.errors import UsageError
from generator.records.base import not_finite
from generator.records.bundle import Try
from generator.runners.scrub import Scrub

TRIES = 5
"""How often a request is sent at most."""

LONGEST_WAIT = 120.0
"""Seconds between two tries at most; a provider that asks for more is not asked again."""

REPLY_LIMIT = 8 * 1024 * 1024
"""How many bytes a reply may have: an attempt has to fit into a line."""

_FIRST_WAIT = 1.0
_REFUSED = frozenset({408, 425, 429})
"""Statuses besides those of a faulty server by which a provider says that it took no request."""

_SERVER_FAULT = 500
_OK = 200
_SAID = 300
_CONNECT = 10.0
"""Seconds until a provider that can't be reached is said to be so."""

_IDLE = 2.0
"""Seconds after which a connection is not used again: its other end may be about to close it."""

_UNREACHED = (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError)

Fault = Literal["timeout", "refused", "rejected", "unreached", "broken", "too-long"]
"""Why there is no reply; what was `refused` or `unreached` may be sent again."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back in the end."""

    status: int | None
    """The last status; none where no answer came."""

    content: bytes
    tries: tuple[Try, ...]
    """Requests that were refused; where there is no reply, the last one as well."""

    elapsed_us: int
    """From the last request to its reply."""

    fault: Fault | None = None
    """Why there is no reply."""

    said: str = ""
    """The same in the provider's words, or in those of the connection."""

    def json(self) -> Any:  # noqa: ANN401  any JSON value
        """The reply; raises ValueError or RecursionError where it is no JSON that can be kept."""
        value = json.loads(self.content, parse_constant=not_finite)
        if b"\\u" in self.content:
            json.dumps(value, ensure_ascii=False).encode()  # half a surrogate pair is no text
        return value


class Wire:
    """Connections to one provider, as many as there may be; each is used for one request at a time.

    Each has a pool of its own: in a pool that many share, every request looks at all of them.
    """

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        connections: int,
        scrub: Scrub | None = None,
        tries: int = TRIES,
    ) -> None:
        self._url = url
        self._headers = {"content-type": "application/json", **headers}
        self._scrub = scrub or Scrub({})
        self._tries = tries
        self._secure = httpx.create_ssl_context() if url.startswith("https:") else False
        self._proxy = _proxy(httpx.URL(url))
        self._free: asyncio.LifoQueue[httpx.AsyncHTTPTransport | None] = asyncio.LifoQueue()
        try:
            first = self._connection()
        except (ImportError, ValueError, httpx.InvalidURL):
            raise UsageError(
                "The proxy that the environment names can't be used.",
                "Name one of http in https_proxy, or none, and the address in no_proxy.",
            ) from None
        for connection in [*[None] * (connections - 1), first]:
            self._free.put_nowait(connection)

    async def close(self) -> None:
        """Let go of all connections."""
        while not self._free.empty():
            connection = self._free.get_nowait()
            if connection is not None:
                await connection.aclose()

    async def post(self, path: str, body: bytes, seconds: float) -> Answer:
        """Send a request until it is taken, within bounds."""
        tries: list[Try] = []
        while True:
            answer, asked = await self._once(path, body, seconds)
            if answer.fault not in {"refused", "unreached"}:
                return _after(tries, answer)
            waited = None
            if len(tries) + 1 < self._tries:
                waited = pause(len(tries), asked, random.random())  # noqa: S311  no secret
            waited_us = None if waited is None else round(waited * 1e6)
            tries.append(Try(answer.status, answer.said, waited_us))
            if waited is None:
                return _after(tries, answer)
            await asyncio.sleep(waited)

    def shown(self, said: str) -> str:
        """In a few words, and without secrets: cut after these are out, for half of one is one."""
        return self._scrub.text(said)[:_SAID]

    async def _once(self, path: str, body: bytes, seconds: float) -> tuple[Answer, str | None]:
        """What came of one request, and its Retry-After."""
        connection = await self._free.get() or self._connection()
        started = time.monotonic()
        status: int | None = None
        content, asked, said = b"", None, ""
        fault: Fault | None = None
        try:
            async with asyncio.timeout(seconds):
                reply = await connection.handle_async_request(self._request(path, body, seconds))
                status, asked = reply.status_code, reply.headers.get("retry-after")
                content, whole = await _read(reply)
            fault = None if whole else "too-long"
        except (TimeoutError, httpx.ReadTimeout, httpx.WriteTimeout):
            fault = "timeout"
        except (*_UNREACHED, UnicodeError) as broken:  # the last for a name that is none
            fault, said = "unreached", self.shown(f"{type(broken).__name__}: {broken}")
        except (httpx.HTTPError, httpx.StreamError) as broken:
            fault, said = "broken", self.shown(f"{type(broken).__name__}: {broken}")
        finally:
            self._free.put_nowait(connection)
        if status is not None and status != _OK:  # which says it all, whatever its words were
            refused = status in _REFUSED or status >= _SERVER_FAULT
            fault = "refused" if refused else "rejected"
            said = self.shown(f"HTTP {status}: {content.decode(errors='replace')}")
        elapsed = round((time.monotonic() - started) * 1e6)
        return Answer(status, content, (), elapsed, fault, said), asked

    def _connection(self) -> httpx.AsyncHTTPTransport:
        one = httpx.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=_IDLE)
        return httpx.AsyncHTTPTransport(verify=self._secure, limits=one, proxy=self._proxy)

    def _request(self, path: str, body: bytes, seconds: float) -> httpx.Request:
        # Time is kept around the whole request; only a connection has a limit of its own.
        connect = {"connect": min(_CONNECT, seconds / 2)}
        return httpx.Request(
            "POST",
            self._url + path,
            headers=self._headers,
            content=body,
            extensions={"timeout": connect},
        )


def pause(before: int, asked: str | None, jitter: float) -> float | None:
    """Seconds to wait after so many refusals: never less than the provider asks for.

    None where that is longer than anybody waits. Without its word, twice as long each time.
    `jitter`, from 0 to 1, keeps those that were refused together from coming back together.
    """
    seconds = None if asked is None else _seconds(asked)
    if seconds is None:
        return min(LONGEST_WAIT, _FIRST_WAIT * 2.0**before * (0.5 + jitter / 2))
    return None if seconds > LONGEST_WAIT else seconds + jitter * max(0.1, seconds / 10)


def _seconds(asked: str) -> float | None:
    """Seconds that Retry-After asks for, as a number or as a date; none where it is neither."""
    try:
        seconds = float(asked)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(asked).timestamp() - time.time()
        except (ValueError, TypeError, LookupError, ArithmeticError):
            return None
    return max(seconds, 0.0) if seconds == seconds else None  # noqa: PLR0124  NaN is no number


async def _read(reply: httpx.Response) -> tuple[bytes, bool]:
    """The content of a reply, and whether that is all of it."""
    parts, size = [], 0
    try:
        async for part in reply.aiter_bytes():
            size += len(part)
            if size > REPLY_LIMIT:
                return b"", False
            parts.append(part)
    finally:
        await reply.aclose()
    return b"".join(parts), True


def _after(tries: list[Try], answer: Answer) -> Answer:
    return Answer(
        answer.status,
        answer.content,
        tuple(tries),
        answer.elapsed_us,
        answer.fault,
        answer.said,
    )


def _proxy(url: httpx.URL) -> str | None:
    """The proxy that the environment names for an address."""
    named = getproxies()
    return None if proxy_bypass(url.host) else named.get(url.scheme) or named.get("all")
