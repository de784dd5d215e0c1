"""Requests to a provider: with limits on connections and time, and sent again only where it asked.

A request is sent again only if the provider refused it (a rate limit, a fault of its server) or it
never arrived. What was answered is never asked for again.
"""

import asyncio
import email.utils
import json
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from generator.records.bundle import Try

TRIES = 5
LONGEST_WAIT = 60.0
"""Seconds that are waited at most before a request is sent again."""

REFUSED = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
"""Statuses by which a provider says that it did not take the request."""

_REPLY_LIMIT = 64 * 1024 * 1024
_SAID = 300
_OK = 200


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back in the end."""

    status: int | None
    """The last status; none where no answer came."""

    body: Any
    """The reply as JSON; none where it is none, or where it was refused."""

    tries: tuple[Try, ...]
    """Requests that were refused before."""

    elapsed_us: int
    """From the last request to its reply."""

    fault: str | None = None
    """Why there is no reply: `timeout`, or in the provider's own words."""


class Wire:
    """One connection pool to one provider; use it as an asynchronous context manager."""

    def __init__(self, url: str, headers: Mapping[str, str], connections: int) -> None:
        limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
        self._client = httpx.AsyncClient(
            base_url=url, headers=dict(headers), limits=limits, follow_redirects=False
        )

    async def close(self) -> None:
        """Let go of all connections."""
        await self._client.aclose()

    async def post(self, path: str, body: Mapping[str, Any], seconds: float) -> Answer:
        """Send a request until it is taken, at most `TRIES` times."""
        content = json.dumps(body, ensure_ascii=False).encode()
        tries: list[Try] = []
        while True:
            started = time.monotonic()
            status, text, wait = await self._once(path, content, seconds)
            elapsed = round((time.monotonic() - started) * 1e6)
            refused = status in REFUSED or (status is None and text != TIMEOUT)
            if not refused or len(tries) + 1 == TRIES:
                return _answer(status, text, tuple(tries), elapsed)
            pause = _pause(len(tries), wait)
            tries.append(Try(status=status, reason=text[:_SAID], waited_us=round(pause * 1e6)))
            await asyncio.sleep(pause)

    async def _once(
        self, path: str, content: bytes, seconds: float
    ) -> tuple[int | None, str, str | None]:
        """Status, text and Retry-After of one request; no status where no answer came."""
        try:
            async with asyncio.timeout(seconds):
                reply = await self._client.post(
                    path,
                    content=content,
                    headers={"content-type": "application/json"},
                    timeout=httpx.Timeout(seconds, pool=None),
                )
        except (TimeoutError, httpx.ReadTimeout, httpx.WriteTimeout):
            return None, TIMEOUT, None
        except httpx.HTTPError as fault:
            return None, f"{type(fault).__name__}: {fault}", None
        return reply.status_code, reply.text[:_REPLY_LIMIT], reply.headers.get("retry-after")


TIMEOUT = "timeout"


def _answer(status: int | None, text: str, tries: tuple[Try, ...], elapsed: int) -> Answer:
    if status != _OK:
        said = text if status is None else f"HTTP {status}: {text[:_SAID]}"
        return Answer(status, None, tries, elapsed, said)
    try:
        return Answer(status, json.loads(text), tries, elapsed)
    except (ValueError, RecursionError):
        return Answer(status, None, tries, elapsed)


def _pause(before: int, asked: str | None) -> float:
    """Seconds to wait: what the provider asks for, else twice as long each time, with jitter."""
    if asked is not None:
        seconds = _seconds(asked)
        if seconds is not None:
            return min(max(seconds, 0.0), LONGEST_WAIT)
    return min(LONGEST_WAIT, 2.0**before) * random.uniform(0.5, 1.0)  # noqa: S311  no secret


def _seconds(asked: str) -> float | None:
    try:
        return float(asked)
    except ValueError:
        pass
    try:
        return email.utils.parsedate_to_datetime(asked).timestamp() - time.time()
    except ValueError:
        return None
