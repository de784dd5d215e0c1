"""Prompts that give their own answer: words of the catalogue that a prompt says.

A name is found as it is written and as the phrase that it forms, in capitals or not: `displayName`
and `display_name` are both found in "the display name". Prompts are looked at as a system gets
them, with what would be made in their places.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from generator.families.places import MARK, Unfilled, filled, places
from generator.families.steps.catalogue import ActionFile, Catalogue
from generator.families.steps.corpus import Case

_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
"""Where a word of a name in capitals begins."""

_SAMPLE = "k3x9"
"""In the place of what only a keeper knows: a mark, an id."""


@dataclass(frozen=True, slots=True)
class Leak:
    """Words of a prompt that are of the catalogue."""

    words: str
    """As the catalogue writes them."""

    what: str
    """What they are there."""

    @property
    def key(self) -> str:
        """The same for all ways to write the words."""
        return "".join(words_in(self.words))


def words_in(text: str) -> list[str]:
    """The words of a text or of a name, in small letters; underscores and humps part them."""
    return [word.lower() for word in _WORD.findall(_HUMP.sub(" ", text))]


def says(text: str, name: str) -> bool:
    """Whether a text says a name: its words one after the other, or all of them in one."""
    phrase = words_in(name)
    for words in (words_in(text), [word.lower() for word in _WORD.findall(text)]):
        joined = f" {' '.join(words)} "
        if f" {' '.join(phrase)} " in joined or f" {''.join(phrase)} " in joined:
            return bool(phrase)
    return False


def leaks(catalogue: Catalogue, case: Case) -> Iterator[Leak]:
    """What a case's prompt says of the catalogue, each of it once, whether excepted or not."""
    prompt = rendered(case)
    seen: set[str] = set()
    for leak in _forbidden(catalogue, case):
        if leak.key not in seen and says(prompt, leak.words):
            seen.add(leak.key)
            yield leak


def rendered(case: Case) -> str:
    """A case's prompt with something such as would be made in its places."""
    made: dict[str, Any] = {MARK: {"name": _SAMPLE}}
    for name, fixture in case.fixtures.items():
        made[name] = {field: _filled(value, made) for field, value in fixture.fields.items()}
    for place in places(case.prompt):
        if place.field is not None:
            made[place.fixture].setdefault(place.field, _SAMPLE)
    return filled(case.prompt, made)


def _filled(value: Any, made: Mapping[str, Any]) -> Any:  # noqa: ANN401  any JSON value
    if not isinstance(value, str):
        return value
    try:
        return filled(value, made)
    except Unfilled:
        return _SAMPLE


def _forbidden(catalogue: Catalogue, case: Case) -> Iterator[Leak]:
    """All that a prompt must not say, what is closest to the answer first."""
    actions = list({step.action.id: step.action for step in case.steps}.values())
    for action in actions:
        yield Leak(action.id, f"the id of its action {action.id}")
        for surface, called in action.called.items():
            yield Leak(called.tool, f"the tool of its action {action.id} on {surface}")
    for action in catalogue.file.actions:
        if action.domain in case.domains:
            told = f"the name of {action.id}, an action of its domain {action.domain}"
            yield from (Leak(name, told) for name in _short_names(action))
    for action in actions:
        for name in _arguments(action.schema):
            yield Leak(name, f"an argument of its action {action.id}")
    yield from _ids_and_tools(catalogue)


def _ids_and_tools(catalogue: Catalogue) -> Iterator[Leak]:
    for action in catalogue.file.actions:
        yield Leak(action.id, f"the id of the action {action.id}")
        for surface, called in action.called.items():
            yield Leak(called.tool, f"a tool on {surface}")
    for surface, helpers in catalogue.file.helpers.items():
        yield from (Leak(helper, f"a tool on {surface}") for helper in helpers)


def _short_names(action: ActionFile) -> Iterator[str]:
    """What an action is called within its domain."""
    yield action.id.removeprefix(f"{action.domain}.")
    yield from (called.action for called in action.called.values() if called.action is not None)


def _arguments(schema: Any) -> Iterator[str]:  # noqa: ANN401  any JSON value
    """Names of arguments, also of those inside others."""
    if isinstance(schema, dict):
        known = schema.get("properties")
        for name, inner in known.items() if isinstance(known, dict) else ():
            yield name
            yield from _arguments(inner)
        for key, inner in schema.items():
            if key != "properties":
                yield from _arguments(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from _arguments(inner)
