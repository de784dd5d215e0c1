"""Keeps the workshop for an attempt: makes what a case needs, tells its state, removes it all.

One request a line of JSON on standard input, one answer a line on standard output:

    {"do": "make", "mark": "k3x9", "fixtures": {…}}    {"made": {"bolt": {"id": …, …}}}
    {"do": "state"}                                    {"state": {"part": {"<id>": {…}}, …}}
    {"do": "remove"}                                   {}

What fails is answered by {"error": "why"}. The database lies in the folder that the environment
variable ASSAY_SCENE names.
"""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from typing import TYPE_CHECKING, Any

from workshop.store import REFERS, Store, StoreError, Thing, scene
from workshop.world import furnish

if TYPE_CHECKING:
    from collections.abc import Mapping

_PLACE = re.compile(r"\{([a-z0-9_-]+)(?:\.([a-z_]+))?\}")


class Fault(Exception):
    """A request that can't be met, with the reason."""


def answer(store: Store, request: object) -> dict[str, Any]:
    """What one request comes back with; raises Fault or StoreError."""
    match request:
        case {"do": "make", "mark": str(mark), "fixtures": dict(fixtures)}:
            return {"made": make(store, mark, fixtures)}
        case {"do": "state"}:
            return {"state": store.state()}
        case {"do": "remove"}:
            store.clear()
            return {}
        case _:
            raise Fault("A request is make (with mark and fixtures), state or remove.")


def make(store: Store, mark: str, fixtures: Mapping[str, Any]) -> dict[str, Thing]:
    """A furnished workshop, and in it the fixtures in their order; all of it or nothing."""
    made: dict[str, Thing] = {}
    with store.transaction():
        if not store.all("supplier"):
            furnish(store)
        for name, fixture in fixtures.items():
            match fixture:
                case {"make": str(kind), "with": dict(fields)}:
                    made[name] = _made(store, kind, _filled(fields, mark, made))
                case _:
                    raise Fault(f"The fixture {name} does not say what to make, and with what.")
    return made


def _made(store: Store, kind: str, fields: dict[str, Any]) -> Thing:
    """A thing with these fields; another thing stands in them as its id, short id or name."""
    parts = fields.pop("parts", []) if kind == "order" else []
    for field, other in REFERS.get(kind, {}).items():
        if fields.get(field) is not None:
            fields[field] = store.find(other, fields[field])["id"]
    try:
        thing = store.add(kind, fields)
        for line in parts:
            store.use(thing, store.find("part", line["part"]), line["quantity"])
    except sqlite3.Error as error:
        raise Fault(f"A {kind} of these fields can't be made: {error}.") from error
    return store.find(kind, thing["id"])


def _filled(value: Any, mark: str, made: Mapping[str, Thing]) -> Any:  # noqa: ANN401  any JSON
    """A value with the mark, and with what was made so far, in the places for them."""
    match value:
        case str():
            return _PLACE.sub(lambda place: _at(place, mark, made), value)
        case list():
            return [_filled(inner, mark, made) for inner in value]
        case dict():
            return {key: _filled(inner, mark, made) for key, inner in value.items()}
        case _:
            return value


def _at(place: re.Match[str], mark: str, made: Mapping[str, Thing]) -> str:
    name, field = place.groups()
    if name == "mark" and field is None:
        return mark
    if name not in made or field not in made[name]:
        raise Fault(f"Nothing that was made so far fills {place.group()}.")
    return str(made[name][field])


def main() -> None:
    """Answer every line, until there are no more."""
    store = Store(scene())
    for line in sys.stdin:
        try:
            said = answer(store, json.loads(line))
        except (Fault, StoreError, ValueError, KeyError) as error:
            said = {"error": str(error)}
        sys.stdout.write(json.dumps(said, ensure_ascii=False) + "\n")
        sys.stdout.flush()
    store.close()


if __name__ == "__main__":
    main()
