"""A workshop before anything is asked: so much in it that the right thing has to be found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workshop.store import KINDS, REFERS, Store

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_WORLD = Path(__file__).with_name("world.json")


def furnish(store: Store) -> None:
    """Put everything of the file into the store; things stand in each other by name."""
    world: Mapping[str, Sequence[dict[str, Any]]] = json.loads(_WORLD.read_text(encoding="utf-8"))
    for kind in KINDS:
        for fields in world[kind]:
            _put(store, kind, dict(fields))


def _put(store: Store, kind: str, fields: dict[str, Any]) -> None:
    parts = fields.pop("parts", [])
    for field, other in REFERS.get(kind, {}).items():
        if field in fields:
            fields[field] = store.find(other, fields[field])["id"]
    if kind == "note":
        about_kind, about = fields.pop("about")
        fields["about"] = store.find(about_kind, about)["id"]
    thing = store.add(kind, fields)
    for name, quantity in parts:
        store.use(thing, store.find("part", name), quantity)
