"""Places in a case's texts: `{mark}`, and `{bolt.name}`, a field of what was made for an attempt.

`Attempt.fixtures` says what fills them: each fixture's fields by its name, and the mark as the
field `name` of `mark`.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

MARK = "mark"
"""What a fresh mark of each attempt goes by; no fixture has this name."""

_PLACE = re.compile(r"\{([A-Za-z0-9_-]+)(?:\.([A-Za-z0-9_-]+))?\}")


class Place(NamedTuple):
    """A place that something of an attempt fills."""

    fixture: str
    field: str | None

    def __str__(self) -> str:
        """As it is written."""
        return f"{{{self.fixture}}}" if self.field is None else f"{{{self.fixture}.{self.field}}}"


class Unfilled(LookupError):
    """Nothing that was made fills a place; the message says which."""


def places(text: str) -> Iterator[Place]:
    """The places in a text; braces around anything else are braces."""
    return (Place(match[1], match[2]) for match in _PLACE.finditer(text))


def filled(text: str, fixtures: Mapping[str, Any]) -> str:
    """A text with its places filled; raises Unfilled."""
    return _PLACE.sub(lambda match: _at(Place(match[1], match[2]), fixtures), text)


def field_of(fixtures: Mapping[str, Any], fixture: str, field: str) -> Any:  # noqa: ANN401  any JSON
    """A field of what was made; raises Unfilled where there is none."""
    made = fixtures.get(fixture)
    if not isinstance(made, Mapping) or field not in made:
        message = f"nothing that was made has {Place(fixture, field)}"
        raise Unfilled(message)
    return made[field]


def _at(place: Place, fixtures: Mapping[str, Any]) -> str:
    if place.field is None and place.fixture != MARK:
        message = f"{place} names no field"
        raise Unfilled(message)
    value = field_of(fixtures, place.fixture, place.field or "name")
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
