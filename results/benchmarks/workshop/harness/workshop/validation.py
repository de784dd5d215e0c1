"""Whether the arguments of a call are what its action takes; says all that is wrong at once."""

from __future__ import annotations

import json
import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

from workshop.declaration import CONFIRMATION, Action, Argument, Json, Refused, is_day

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_NOUNS = {"string": "a text", "integer": "a whole number", "boolean": "true or false"}
_LONGEST = 60


def checked(action: Action, arguments: Json) -> Mapping[str, Json]:
    """The arguments, if the action takes them; raises Refused."""
    if not isinstance(arguments, dict):
        raise Refused(f"Invalid arguments for {action.id}: an object is expected.")
    known = {argument.name: argument for argument in action.takes}
    unknown = [name for name in arguments if name not in known]
    if unknown:
        takes = ", ".join(known) or "none"
        raise Refused(f"Unknown argument of {action.id}: {', '.join(unknown)}. It takes: {takes}.")
    faults = [fault for argument in action.takes for fault in _faults(argument, arguments)]
    if faults:
        raise Refused(f"Invalid arguments for {action.id}: {'; '.join(faults)}.")
    if action.destructive and arguments.get(CONFIRMATION) is not True:
        raise Refused(
            f"Not confirmed: {action.id} can't be undone. If exactly this was asked for, call it"
            f" again with {CONFIRMATION}: true."
        )
    return arguments


def nearest(word: str, known: tuple[str, ...]) -> str:
    """What somebody may have meant who used a word that is not known, as a sentence."""
    close = get_close_matches(word, known, n=1)
    return f" Did you mean {close[0]}?" if close else ""


def _faults(argument: Argument, arguments: Mapping[str, Json]) -> Iterator[str]:
    if argument.name not in arguments:
        if argument.required:
            yield f"{argument.name} is missing ({argument.says.rstrip('.')})"
        return
    value = arguments[argument.name]
    wanted = _wanted(argument.schema, value)
    if wanted:
        yield f"{argument.name} must be {wanted}, not {_shown(value)}"


def _wanted(schema: Mapping[str, Json], value: Json) -> str | None:
    """What a value should have been; None where it is that."""
    kind = schema["type"]
    if not _is(kind, value):
        return _NOUNS[kind]
    if "enum" in schema:
        return None if value in schema["enum"] else f"one of {', '.join(schema['enum'])}"
    if kind == "integer":
        low, high = schema["minimum"], schema["maximum"]
        return None if low <= value <= high else f"from {low} to {high}"
    return _wanted_text(schema, value) if kind == "string" else None


def _wanted_text(schema: Mapping[str, Json], value: str) -> str | None:
    if len(value.strip()) < schema.get("minLength", 0):
        return "a text that is not blank"
    if len(value) > schema.get("maxLength", len(value)):
        return f"at most {schema['maxLength']} characters"
    if schema.get("format") == "date" and not is_day(value):
        return "a calendar date as YYYY-MM-DD"
    if not re.search(schema.get("pattern", ""), value):
        return f"of a form such as {schema['examples'][0]}"
    return None


def _is(kind: str, value: Json) -> bool:
    match kind:
        case "string":
            return isinstance(value, str)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case _:
            return isinstance(value, bool)


def _shown(value: Json) -> str:
    shown = json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= _LONGEST else shown[:_LONGEST] + "…"
