"""A system that knows the key and goes wrong in one way: each call must cost just what it should.

The server has to accept such a call (unless its confirmation lacks), so values come from the key,
from other cases' keys, or from the schema.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import re2

from generator.families.family import Played, Stray
from generator.families.places import MARK, places
from generator.families.steps.catalogue import ActionFile, properties, required
from generator.families.steps.corpus import Case, Step, StepsCorpus
from generator.families.steps.expected import OfFixture, Told, references, texts
from generator.families.steps.replay import arguments_of, call_of, made_up
from generator.families.steps.values import alike
from generator.records.bundle import ToolCall

NOBODY = "nobody-and-nothing"
"""Names no thing."""


def astray(
    corpus: StepsCorpus, case: Case, surface: str, played: Played, stray: Stray
) -> ToolCall | None:
    """A call by which a system goes wrong; none where it can't in this way. Raises Unfilled.

    Action and argument go wrong at the last step only, so that what was before is as it was.
    """
    told = Told(played.fixtures, dict(enumerate(played.answers, 1)))
    number = len(played.answers)
    step = case.steps[number] if number < len(case.steps) else None
    found: tuple[ActionFile, Mapping[str, Any]] | None = None
    match stray:
        case "change":
            found = _change(corpus, case, told)
        case "confirmation" if step is not None and step.action.confirmation is not None:
            sent = arguments_of(step, told)
            del sent[step.action.confirmation]
            found = step.action, sent
        case "action" if step is not None and number == len(case.steps) - 1:
            found = _action(corpus, case, arguments_of(step, told), step.action.domain)
        case "argument" if step is not None and number == len(case.steps) - 1:
            found = _argument(step, told)
        case _:
            pass
    return None if found is None else call_of(corpus.catalogue, found[0], surface, found[1])


def _action(
    corpus: StepsCorpus, case: Case, known: Mapping[str, Any], domain: str
) -> tuple[ActionFile, Mapping[str, Any]] | None:
    """An action that reads and is not in the key: at best of the domain, and easy to call."""
    own = {step.action.id for step in case.steps}
    others = [
        action
        for action in corpus.catalogue.file.actions
        if not action.changes and action.id not in own
    ]
    if not others:
        return None
    action = min(
        others, key=lambda one: (one.domain != domain, len(set(required(one)) - known.keys()))
    )
    sent = made_up(action)
    return action, {name: known.get(name, value) for name, value in sent.items()}


def _argument(step: Step, told: Told) -> tuple[ActionFile, Mapping[str, Any]] | None:
    """The step's own call with another value of a compared argument.

    At best of one that names a thing, for where there is none, nothing is changed; at worst of one
    that is chosen from a list, for that may say what is to be changed.
    """
    sent, schemas = arguments_of(step, told), properties(step.action)
    in_order = sorted(
        step.arguments,
        key=lambda one: ("enum" in schemas[one], not any(references(step.arguments[one]))),
    )
    for name in in_order:
        schema = schemas[name]
        for other in _others(sent[name], schema):
            if not alike(other, sent[name]) and _is_allowed(other, schema):
                return step.action, {**sent, name: other}
    return None


def _others(value: Any, schema: Mapping[str, Any]) -> Iterator[Any]:  # noqa: ANN401  any JSON value
    """Values beside a value; whoever takes one looks whether it is another, and allowed."""
    yield from schema.get("enum", ())
    match value:
        case bool():
            yield not value
        case int() | float():
            yield from (value + 1, value - 1)
        case str():
            yield f"{value} {NOBODY}"
            yield NOBODY
            # Where a pattern holds (a date, a code), another digit or letter in its last places.
            for place in range(len(value) - 1, -1, -1):
                for other in "123456789ABC":
                    yield value[:place] + other + value[place + 1 :]
        case list():
            yield from ([NOBODY, *value], value[1:])
        case _:
            yield NOBODY


def _is_allowed(value: Any, schema: Mapping[str, Any]) -> bool:  # noqa: ANN401
    """Whether what is commonly said in a schema allows a value."""
    if "enum" in schema:
        return value in schema["enum"]
    if isinstance(value, str):
        return _fits(value, schema.get("pattern", "")) and len(value) <= schema.get(
            "maxLength", len(value)
        )
    if isinstance(value, int | float) and not isinstance(value, bool):
        return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
    return True


def _fits(value: str, pattern: str) -> bool:
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options).search(value) is not None
    except re2.error:  # a pattern of another dialect: nothing is known to fit
        return False


def _change(
    corpus: StepsCorpus, case: Case, told: Told
) -> tuple[ActionFile, Mapping[str, Any]] | None:
    """A change that another case asks for, and this one does not; raises Unfilled."""
    own = {step.action.id for step in case.steps}
    allowed = {(change.kind, change.what) for change in case.changes}
    for other in corpus.by_name.values():
        if allowed & {(change.kind, change.what) for change in other.changes}:
            continue
        for step in other.steps:
            action = step.action
            if not action.changes or action.destructive or action.id in own:
                continue
            if _can_be_told(step, other, case):
                return action, arguments_of(step, told)
    return None


def _can_be_told(step: Step, other: Case, here: Case) -> bool:
    """Whether what a step of another case sends can be said in this one too."""
    values = [*step.arguments.values()]
    named = {place.fixture for text in texts(values) for place in places(text)} - {MARK}
    for reference in references(values):
        if not isinstance(reference, OfFixture):
            return False
        named.add(reference.fixture)
    return all(
        name in here.fixtures and here.fixtures[name].make == other.fixtures[name].make
        for name in named
    )
