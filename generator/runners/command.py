"""Any local program: the case on its standard input, an observation on its standard output.

No shell, no keys in its environment, and nothing of it left when its time is over.
"""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from generator.families.family import Question
from generator.records import bundle
from generator.records.base import slug
from generator.records.benchmark import DeclaredSystem
from generator.records.bundle import Observation, Outcome, Turn
from generator.records.key import EFFORT, EFFORT_BY
from generator.runners.scrub import without_secrets
from generator.runners.system import Level, Observed, Terms

OUTPUT_LIMIT = 16 * 1024 * 1024
_SAID = 300
_ENDED_BY_PROGRAM: tuple[Outcome, ...] = ("completed", "failed", "provider_error", "harness_error")


class Answered(Observation, frozen=True):
    """What a program writes: `content` or `refusal` for one reply, or `turns` for several."""

    content: str | None = None
    refusal: str | None = None
    turns: tuple[Turn, ...] | None = None
    outcome: Outcome = "completed"
    reason: str | None = None


_DECODER = msgspec.json.Decoder(Answered)


class Command:
    """A program that a benchmark declares."""

    def __init__(self, declared: DeclaredSystem, root: Path) -> None:
        self._declared = declared
        self._root = root

    def described(self, level: Level | None) -> bundle.System:
        """As the benchmark declares it."""
        own = self._declared
        axes = {} if level is None else {EFFORT: level.effort.id, EFFORT_BY: "prompted"}
        suffix = "" if level is None else f" {level.effort.id}"
        return bundle.System(
            id=slug(own.id + suffix, limit=100),
            provider=own.provider,
            model=own.model or own.id,
            revision=own.revision,
            surface=own.surface,
            options=own.options,
            axes=axes,
        )

    async def ask(self, question: Question, terms: Terms) -> Observed:
        """Start the program, hand it the case, and take what it writes."""
        started = time.monotonic()
        given = _given(question, terms)
        outcome, turns, reason = await self._run(given, terms.seconds)
        elapsed = round((time.monotonic() - started) * 1e6)
        return Observed(outcome, turns, reason, elapsed, question.puts[0].prompt)

    async def _run(
        self, given: bytes, seconds: float
    ) -> tuple[Outcome, tuple[Turn, ...], str | None]:
        try:
            process = await asyncio.create_subprocess_exec(
                *self._declared.command,
                cwd=self._root,
                env=without_secrets(os.environ),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as fault:
            return "harness_error", (), f"the program can't be started: {fault.strerror}"
        try:
            async with asyncio.timeout(seconds):
                written, complained = await _talk(process, given)
                status = await process.wait()
        except TimeoutError:
            return "timeout", (), f"no answer within {seconds:g} s"
        finally:
            _end(process)
        if written is None:
            return "failed", (), f"it wrote more than {OUTPUT_LIMIT} bytes"
        if status != 0:
            how = f"signal {-status}" if status < 0 else f"status {status}"
            return "failed", (), f"it ended with {how}: {complained[-_SAID:].strip()}"
        return _observed(written)


def _given(question: Question, terms: Terms) -> bytes:
    level = terms.level
    first, *rest = question.puts
    before = f"{level.effort.instruction}\n\n" if level is not None and level.prompted else ""
    steps: list[Mapping[str, Any]] = [
        {"prompt": put.prompt, "toolResult": put.tool_result}
        for put in (type(first)(before + (first.prompt or ""), first.tool_result), *rest)
    ]
    return msgspec.json.encode(
        {
            "case": question.case,
            "prompt": steps[0]["prompt"],
            "steps": steps,
            "tools": list(question.tools),
        }
    )


async def _talk(process: asyncio.subprocess.Process, given: bytes) -> tuple[bytes | None, str]:
    """What it wrote and what it complained of; none where it wrote too much."""
    assert process.stdin is not None  # noqa: S101  for the types: all three are pipes
    assert process.stdout is not None  # noqa: S101
    assert process.stderr is not None  # noqa: S101
    complaining = asyncio.create_task(process.stderr.read(_SAID * 100))
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(given)
        await process.stdin.drain()
        process.stdin.close()
    written = await _read(process.stdout)
    if written is None:
        _end(process)
    return written, (await complaining).decode(errors="replace")


async def _read(stream: asyncio.StreamReader) -> bytes | None:
    parts, size = [], 0
    while part := await stream.read(1 << 16):
        size += len(part)
        if size > OUTPUT_LIMIT:
            return None
        parts.append(part)
    return b"".join(parts)


def _end(process: asyncio.subprocess.Process) -> None:
    """End it and everything that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _observed(written: bytes) -> tuple[Outcome, tuple[Turn, ...], str | None]:
    try:
        answered = _DECODER.decode(written)
    except (ValueError, RecursionError) as fault:
        return "malformed", (), f"what it wrote is no observation: {fault}"[:_SAID]
    if answered.outcome not in _ENDED_BY_PROGRAM:
        return "malformed", (), f"a program does not end as {answered.outcome}"
    turns = answered.turns
    if turns is None:
        turns = (Turn(content=answered.content, refusal=answered.refusal),)
    return answered.outcome, turns, answered.reason
