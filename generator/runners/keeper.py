"""The program that keeps a subject: makes fixtures, reads the state, removes what was made."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from generator.records.base import strict_json
from generator.records.bundle import Change
from generator.runners.spoken import Lines
from generator.runners.stage import SceneFault

State: TypeAlias = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""By kind and id: every thing that there is, with its fields."""

_LONGEST = 300
"""How long the name of a kind or the id of a thing may be."""


class Keeper:
    """Answers one request after the other, a line each."""

    def __init__(self, lines: Lines, seconds: float, remove: float) -> None:
        """It may take so many seconds for an answer, and so many to remove what was made."""
        self._lines = lines
        self._seconds = seconds
        self._remove = remove
        self._owed = 0
        """How many requests it has not answered: one of them may have been given up."""

    async def make(self, mark: str, fixtures: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """Make everything that a case needs; raises SceneFault."""
        asked = {"do": "make", "mark": mark, "fixtures": dict(fixtures)}
        made = (await self._ask(asked, self._seconds)).get("made")
        missing = [name for name in fixtures if not _is_thing(made, name)]
        if not isinstance(made, dict) or missing:
            what = f" {missing[0]!r}" if missing else ""
            raise SceneFault(f"the keeper did not say what it made{what}")
        return {name: made[name] for name in fixtures}

    async def state(self) -> State:
        """Everything that there is; raises SceneFault."""
        state = (await self._ask({"do": "state"}, self._seconds)).get("state")
        if isinstance(state, dict) and _is_state(state):
            return state
        raise SceneFault("the keeper's state is no table of kinds, ids and fields")

    async def remove(self) -> None:
        """Remove all that was made, also by the system; raises SceneFault."""
        await self._ask({"do": "remove"}, self._remove)

    async def _ask(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        do = request["do"]
        self._lines.write(json.dumps(request, ensure_ascii=False).encode())
        self._owed += 1
        line: bytes | None = b""
        try:
            async with asyncio.timeout(seconds):
                while self._owed and line is not None:
                    line = await self._lines.read()
                    self._owed -= 1
        except TimeoutError as fault:
            said = f"the keeper did not answer to {do!r} within {seconds:g} s"
            raise SceneFault(said) from fault
        if line is None:
            raise SceneFault(f"the keeper did not answer to {do!r}: {self._lines.why}")
        try:
            answer = strict_json(line)
        except (ValueError, RecursionError) as fault:
            raise SceneFault(f"what the keeper answered to {do!r} is no JSON: {fault}") from fault
        if not isinstance(answer, dict):
            raise SceneFault(f"what the keeper answered to {do!r} is no object")
        if "error" in answer:
            raise SceneFault(f"the keeper could not {do!r}: {answer['error']}")
        return answer


def changes(before: State, after: State) -> tuple[Change, ...]:
    """What is different, by kind and id."""
    return tuple(
        change
        for kind in sorted({*before, *after})
        for change in _of_kind(kind, before.get(kind, {}), after.get(kind, {}))
    )


def _of_kind(
    kind: str, before: Mapping[str, Mapping[str, Any]], after: Mapping[str, Mapping[str, Any]]
) -> Iterator[Change]:
    for thing in sorted({*before, *after}):
        if thing not in before:
            yield Change(kind, thing, "added")
        elif thing not in after:
            yield Change(kind, thing, "removed")
        elif fields := _differing(before[thing], after[thing]):
            yield Change(kind, thing, "changed", fields)


def _differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of fields that are not the same JSON."""
    names = sorted({*before, *after})
    return tuple(name for name in names if _written(before, name) != _written(after, name))


def _written(fields: Mapping[str, Any], name: str) -> str | None:
    """A field as JSON, for which 1 is not true; none where there is no such field."""
    return json.dumps(fields[name], sort_keys=True) if name in fields else None


def _is_thing(made: object, name: str) -> bool:
    return isinstance(made, dict) and isinstance(made.get(name), dict)


def _is_state(state: Mapping[str, Any]) -> bool:
    return all(
        isinstance(things, dict)
        and 0 < len(kind) <= _LONGEST
        and all(
            isinstance(fields, dict) and 0 < len(thing) <= _LONGEST
            for thing, fields in things.items()
        )
        for kind, things in state.items()
    )
