"""What a search answers with: how many there are, and what the first of them are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workshop.store import AT_ONCE, Store, Thing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workshop.declaration import Json


def listed(found: Iterable[Thing]) -> Json:
    """Id, short id and name of each; whoever wants more reads one of them."""
    return _answer([{name: thing[name] for name in ("id", "short", "name")} for thing in found])


def whole(store: Store, kind: str, found: Iterable[Thing]) -> Json:
    """Everything about each, of kinds that are small."""
    return _answer([store.view(kind, thing) for thing in found])


def says(thing: Thing, words: str | None, *fields: str) -> bool:
    """Whether each of these words stands somewhere in these fields of a thing."""
    text = " ".join(str(thing[field]) for field in fields).casefold()
    return all(word in text for word in (words or "").casefold().split())


def _answer(found: list[Thing]) -> Json:
    answer: dict[str, Json] = {"total": len(found), "found": found[:AT_ONCE]}
    if len(found) > AT_ONCE:
        answer["more"] = f"Only the first {AT_ONCE} are shown. Search more narrowly."
    return answer
