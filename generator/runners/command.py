"""Any local program: the case on its standard input, an observation on its standard output.

No shell, no keys in its environment, no setting of this machine that could reach an answer, and
nothing of it left when its time is over.
"""

import os
import platform
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import msgspec

from generator.errors import UsageError
from generator.families.family import Question
from generator.records import bundle
from generator.records.base import digest_of_json, slug
from generator.records.benchmark import PYTHON, DeclaredSystem
from generator.records.bundle import Observation, Outcome, Runtime, Turn
from generator.records.key import EFFORT, EFFORT_BY
from generator.runners import process
from generator.runners.scrub import Scrub, without_secrets
from generator.runners.system import Level, Observed, Terms, refuse_level

OUTPUT_LIMIT = 8 * 1024 * 1024
"""How many bytes a program may write: an attempt has to fit into a line."""

STEADY = {
    "TZ": "UTC",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "PYTHONOPTIMIZE": "",
    "PYTHONUTF8": "1",
    "PYTHONWARNINGS": "ignore",
}
"""Settings that could reach an answer, the same on every machine."""

_OF_LANGUAGE = ("LANG", "LC_")
"""How the names of variables begin that say which language this machine speaks."""

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
_Told = tuple[Outcome, tuple[Turn, ...], str | None]


class Command:
    """A program that a benchmark declares."""

    def __init__(
        self,
        declared: DeclaredSystem,
        root: Path,
        environment: Mapping[str, str] = os.environ,
        offered: str | None = None,
    ) -> None:
        """`offered` is the digest of all tools of the benchmark."""
        self._declared = declared
        self._command = tuple(resolved(declared.command))
        self._root = root
        self._offered = offered
        self._environment = steady(environment)
        self._scrub = Scrub(environment)

    def described(self, level: Level | None) -> bundle.System:
        """As the benchmark declares it; a level is always asked for by prompt.

        Raises UsageError where something is not installed whose version its row is to say.
        """
        own = self._declared
        entry = described(own).model_copy(update={"tools": self._offered})
        if level is None:
            return entry
        refuse_level(own.id, level)
        effort = level.effort
        allowed = {} if effort.tokens is None else {"max_tokens": effort.tokens}
        return entry.model_copy(
            update={
                "id": slug(f"{own.id} {effort.id}", limit=100),
                "options": {**own.options, **allowed},
                "axes": {EFFORT: effort.id, EFFORT_BY: "prompted"},
                "prompt": digest_of_json({"effort": effort.instruction}),
            }
        )

    async def ask(self, question: Question, terms: Terms) -> Observed:
        """Start the program, hand it the case, and take what it writes."""
        given = _given(question, terms)
        started = time.monotonic()
        outcome, turns, reason = await self._run(msgspec.json.encode(given), terms)
        elapsed = round((time.monotonic() - started) * 1e6)
        return Observed(outcome, turns, reason, elapsed, given["prompt"])

    async def close(self) -> None:
        """Nothing: no program outlives its case."""

    async def _run(self, given: bytes, terms: Terms) -> _Told:
        try:
            ended = await process.run(
                self._command, self._root, self._environment, given, terms.seconds, OUTPUT_LIMIT
            )
        except TimeoutError:
            return "timeout", (), f"no answer within {terms.seconds:g} s"
        except (OSError, ValueError) as fault:
            why = (isinstance(fault, OSError) and fault.strerror) or fault
            return "harness_error", (), f"the program can't be started: {why}"
        if ended.out is None:
            return "failed", (), f"it wrote more than {OUTPUT_LIMIT} bytes"
        if ended.status != 0:
            how = f"signal {-ended.status}" if ended.status < 0 else f"status {ended.status}"
            complained = self._scrub.text(ended.err.decode(errors="replace"))
            return "failed", (), f"it ended with {how}: {complained.strip()[-_SAID:]}"
        return _observed(ended.out, terms.turns)


def described(declared: DeclaredSystem) -> bundle.System:
    """A program as its benchmark declares it, with the versions that are installed.

    Raises UsageError where something is not.
    """
    versions = _installed(declared)
    return bundle.System(
        id=slug(declared.id, limit=100),
        provider=declared.provider,
        model=declared.model or declared.id,
        revision=(
            versions.get(declared.revision_of) if declared.revision_of else declared.revision
        ),
        runtime=_runtime(declared, versions),
        surface=declared.surface,
        options=declared.options,
    )


def resolved(command: Sequence[str]) -> Iterator[str]:
    """The arguments with this very Python for `python`: its packages are those that are named."""
    program, *arguments = command
    yield (sys.executable or PYTHON) if program == PYTHON else program
    yield from arguments


def steady(environment: Mapping[str, str]) -> dict[str, str]:
    """An environment without secrets, and without this machine's time zone and language."""
    kept = {
        name: value
        for name, value in without_secrets(environment).items()
        if not name.startswith(_OF_LANGUAGE)
    }
    return {**kept, **STEADY}


def _installed(declared: DeclaredSystem) -> dict[str, str]:
    """The versions that its row is to say, by distribution; raises UsageError."""
    wanted = {*declared.stands_on, *filter(None, [declared.revision_of])} - {PYTHON}
    found = {PYTHON: platform.python_version()}
    missing = []
    for name in sorted(wanted):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        raise UsageError(
            f"{declared.id} stands on packages that are not installed: {', '.join(missing)}.",
            "Install them for the Python that runs this; `run` in benchmark.toml says how.",
        )
    return found


def _runtime(declared: DeclaredSystem, versions: Mapping[str, str]) -> Runtime | None:
    if not declared.is_of_python:
        return None
    return Runtime(
        name=platform.python_implementation(),
        version=versions[PYTHON],
        settings={name: versions[name] for name in sorted(declared.stands_on)},
    )


def _given(question: Question, terms: Terms) -> dict[str, Any]:
    """The case as a program is given it, with the limits that it is held to."""
    level = terms.level
    steps = [{"prompt": put.prompt, "toolResult": put.tool_result} for put in question.puts]
    if level is not None:
        steps[0]["prompt"] = level.instructed(steps[0]["prompt"] or "")
    limits = {
        "seconds": terms.seconds,
        "turns": terms.turns,
        "tokens": level.effort.tokens if level is not None else None,
    }
    return {
        "case": question.case,
        "prompt": steps[0]["prompt"],
        "steps": steps,
        "tools": list(question.tools),
        "limits": {name: limit for name, limit in limits.items() if limit is not None},
    }


def _observed(written: bytes, limit: int | None) -> _Told:
    if not written.strip():
        return "malformed", (), "it wrote nothing"
    try:
        answered = _DECODER.decode(written)
    except (ValueError, RecursionError) as fault:
        return "malformed", (), f"what it wrote is no observation: {fault}"[:_SAID]
    if answered.outcome not in _ENDED_BY_PROGRAM:
        return "malformed", (), f"a program does not end as {answered.outcome}"
    turns = _turns(answered)
    if limit is not None and len(turns) > limit:
        return "malformed", turns, f"it took {len(turns)} turns; at most {limit} are allowed"
    return answered.outcome, turns, answered.reason


def _turns(answered: Answered) -> tuple[Turn, ...]:
    """What it said; a program that failed without a word has said nothing."""
    if answered.turns is not None:
        return answered.turns
    turn = Turn(content=answered.content, refusal=answered.refusal)
    return () if turn == Turn() and answered.outcome != "completed" else (turn,)
