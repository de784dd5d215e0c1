"""What the key expects of an argument: a value, or a word of where the value comes from.

In a case's file stand values of JSON. Three kinds of object among them, at any depth, are
references: `{"fixture": "bolt"}`, `{"fixture": "bolt", "field": "supplier"}`, and
`{"step": 1, "path": "orders[0].id"}`. A text may hold places.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from generator.families.places import Unfilled, field_of, filled
from generator.families.steps.values import alike
from generator.records.base import strict_json

Expected: TypeAlias = Any
"""A value of JSON in which references stand as objects of the classes below."""

SPELLINGS = ("id", "name", "short")
"""Fields by any of which a thing may be named; the first that there is, a replay uses."""

_PATH = re.compile(r"[^.\[\]]+|\[(?:0|[1-9][0-9]{0,8})\]")
_WHOLE_PATH = re.compile(r"(?:[^.\[\]]+|\[[0-9]{1,9}\])(?:\.[^.\[\]]+|\[[0-9]{1,9}\])*|")


@dataclass(frozen=True, slots=True)
class OfFixture:
    """A thing that was made, by any of its names; or a field of it."""

    fixture: str
    field: str | None = None


@dataclass(frozen=True, slots=True)
class OfStep:
    """What an earlier step's call came back with, at a path."""

    step: int
    """From 1."""

    path: str


Reference: TypeAlias = OfFixture | OfStep


class ReferenceFault(ValueError):
    """An object that looks like a reference and is none; the message says why."""


@dataclass(frozen=True, slots=True)
class Told:
    """What an attempt has told so far: what references are looked up in."""

    fixtures: Mapping[str, Any]
    answers: Mapping[int, str | None] = field(default_factory=dict)
    """By number of a step that was reached: what its call came back with."""


def read_expected(value: Any) -> Expected:  # noqa: ANN401  any JSON value
    """A value with references in the place of the objects that are some; raises ReferenceFault."""
    match value:
        case {"fixture": str(fixture), **rest} if rest.keys() <= {"field"}:
            named = rest.get("field")
            if not isinstance(named, str | None):
                raise ReferenceFault("`field` of a fixture is a text")
            return OfFixture(fixture, named)
        case {"step": int(step), "path": str(path), **rest} if not rest and step is not True:
            if not _WHOLE_PATH.fullmatch(path):
                message = f"the path {path!r} is none such as `orders[0].id`"
                raise ReferenceFault(message)
            return OfStep(step, path)
        case dict():
            return {name: read_expected(inner) for name, inner in value.items()}
        case list():
            return [read_expected(inner) for inner in value]
        case _:
            return value


def references(expected: Expected) -> Iterator[Reference]:
    """Every reference in a value."""
    return (part for part in _leaves(expected) if isinstance(part, OfFixture | OfStep))


def texts(value: Any) -> Iterator[str]:  # noqa: ANN401  any JSON value, with references or not
    """Every text in a value, which may hold places."""
    return (part for part in _leaves(value) if isinstance(part, str))


def meets(expected: Expected, sent: Any, told: Told) -> bool:  # noqa: ANN401  any JSON value
    """Whether a value that was sent is the expected one; what nothing tells, no value meets."""
    match expected:
        case OfFixture() | OfStep():
            return any(alike(sent, value) for value in _values(expected, told))
        case dict():
            return (
                isinstance(sent, dict)
                and sent.keys() == expected.keys()
                and all(meets(inner, sent[name], told) for name, inner in expected.items())
            )
        case list():
            return (
                isinstance(sent, list)
                and len(sent) == len(expected)
                and all(map(meets, expected, sent, [told] * len(sent)))
            )
        case str():
            try:
                return alike(sent, filled(expected, told.fixtures))
            except Unfilled:
                return False
        case _:
            return alike(sent, expected)


def spelled(expected: Expected, told: Told) -> Any:  # noqa: ANN401  any JSON value
    """The expected value as a system that knows the key sends it; raises Unfilled."""
    match expected:
        case OfFixture() | OfStep():
            values = _values(expected, told)
            if not values:
                message = f"nothing tells {expected}"
                raise Unfilled(message)
            return values[0]
        case dict():
            return {name: spelled(inner, told) for name, inner in expected.items()}
        case list():
            return [spelled(inner, told) for inner in expected]
        case str():
            return filled(expected, told.fixtures)
        case _:
            return expected


def _leaves(value: Any) -> Iterator[Any]:  # noqa: ANN401
    match value:
        case dict():
            for inner in value.values():
                yield from _leaves(inner)
        case list():
            for inner in value:
                yield from _leaves(inner)
        case _:
            yield value


def _values(reference: Reference, told: Told) -> list[Any]:
    """All that a reference may stand for; nothing where nothing tells it."""
    if isinstance(reference, OfStep):
        return _at_path(told.answers.get(reference.step), reference.path)
    fields = SPELLINGS if reference.field is None else (reference.field,)
    found = []
    for name in fields:
        try:
            found.append(field_of(told.fixtures, reference.fixture, name))
        except Unfilled:
            continue
    return found


def _at_path(answer: str | None, path: str) -> list[Any]:
    """What stands at a path; with an id, all names that the thing has beside it."""
    try:
        value = strict_json(answer or "")
    except (ValueError, RecursionError):
        return []
    around, parts = None, _PATH.findall(path)
    for part in parts:
        around = value
        if part.startswith("["):
            place = int(part[1:-1])
            if not isinstance(value, list) or place >= len(value):
                return []
            value = value[place]
        elif not isinstance(value, dict) or part not in value:
            return []
        else:
            value = value[part]
    if parts[-1:] != ["id"] or not isinstance(around, dict):
        return [value]
    return [value, *(around[name] for name in SPELLINGS if name != "id" and name in around)]
