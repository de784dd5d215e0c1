"""How the parts of a key and of an attempt are said: cells of view blocks, without words."""

import json
from collections.abc import Mapping
from typing import Any

from generator.families.blocks import Cell, Code, Lines, Mark, Quote
from generator.families.steps.corpus import NEW, ChangeFile, Kind, OfFixtureFile, Step
from generator.families.steps.expected import Expected, OfFixture, OfStep
from generator.messages import N_, Message
from generator.records.bundle import Change, ToolCall

KIND_TITLES: Mapping[Kind, str] = {
    "read": N_("Reading"),
    "write": N_("Changing"),
    "multi-step": N_("Several steps"),
    "destructive": N_("Destructive"),
    "refusal": N_("To be refused"),
}
NOTHING = Message(N_("nothing"))

_ALLOWED = {
    "added": N_("{kind}: one is added"),
    "changed": N_("{kind}: {thing} is changed"),
    "removed": N_("{kind}: {thing} is removed"),
}
_ANY_ALLOWED = {
    "added": N_("{kind}: any number is added"),
    "changed": N_("{kind}: any is changed"),
    "removed": N_("{kind}: any is removed"),
}
_CHANGED = {
    "added": N_("{kind} {thing} was added"),
    "changed": N_("{kind} {thing} was changed"),
    "removed": N_("{kind} {thing} was removed"),
}


def as_json(value: Any) -> str:  # noqa: ANN401  any JSON value
    """A value as JSON has it; references as the key has them."""
    return json.dumps(value, ensure_ascii=False, default=_reference)


def lines(cells: "list[Cell]") -> Cell:
    """Cells below each other; the word for nothing where there are none."""
    return Lines(tuple(cells)) if cells else NOTHING


def expectation(expected: Expected) -> Cell:
    """What the key expects of an argument."""
    match expected:
        case OfFixture(fixture, None):
            said = N_("{fixture}, by its name, its id or its short id")
            return Message(said, {"fixture": Code(fixture)})
        case OfFixture(fixture, field):
            said = N_("{field} of {fixture}")
            return Message(said, {"field": Code(str(field)), "fixture": Code(fixture)})
        case OfStep(step, path):
            said = N_("{path} of what step {number} came back with")
            return Message(said, {"path": Code(path), "number": step})
        case _:
            return Code(as_json(expected))


def step_of_key(step: Step) -> list[Cell]:
    """An action of the key, with the arguments that are compared and its confirmation."""
    said: list[Cell] = [Code(step.action.id)]
    said += (
        Message(N_("{argument}: {value}"), {"argument": Code(name), "value": expectation(value)})
        for name, value in step.arguments.items()
    )
    if step.action.confirmation is not None:
        confirmed = {"argument": Code(step.action.confirmation)}
        said.append(Message(N_("confirmed by {argument}"), confirmed))
    return said


def allowed(change: ChangeFile) -> Cell:
    """What the key lets an attempt change."""
    kind = Code(change.kind)
    if isinstance(change.thing, OfFixtureFile):
        thing = Code(change.thing.fixture)
        said = Message(_ALLOWED[change.what], {"kind": kind, "thing": thing})
    else:
        of_all = _ALLOWED if change.thing == NEW else _ANY_ALLOWED
        said = Message(of_all[change.what], {"kind": kind})
    return _with_fields(said, change.fields or ())


def changed(change: Change) -> Message:
    """What an attempt changed."""
    told = {"kind": Code(change.kind), "thing": Code(change.thing)}
    return _with_fields(Message(_CHANGED[change.what], told), change.fields)


def fixtures(made: Mapping[str, Any]) -> Cell:
    """What was made before an attempt, or is to be."""
    return lines(
        [
            Message(
                N_("{fixture}: {fields}"), {"fixture": Code(name), "fields": Code(as_json(one))}
            )
            for name, one in made.items()
        ]
    )


def called(call: ToolCall) -> list[Cell]:
    """A call, what the server did with it, and what it came back with."""
    made = Code(f"{call.name} {bytes(call.arguments).decode()}")
    said: list[Cell] = [Message(N_("calls {call}"), {"call": made})]
    match call.outcome:
        case "accepted":
            said.append(Mark(Message(N_("accepted")), "good"))
        case "refused":
            said.append(Mark(Message(N_("refused")), "bad"))
        case None:
            pass
        case other:
            said.append(Code(other))
    if call.answer is not None:
        said.append(Message(N_("comes back with {answer}"), {"answer": Quote(call.answer)}))
    return said


def _with_fields(said: Message, fields: "tuple[str, ...] | list[str]") -> Message:
    if not fields:
        return said
    named = {"change": said, "fields": Code(", ".join(fields))}
    return Message(N_("{change}, namely {fields}"), named)


def _reference(value: object) -> dict[str, Any]:
    match value:
        case OfFixture(fixture, None):
            return {"fixture": fixture}
        case OfFixture(fixture, field):
            return {"fixture": fixture, "field": field}
        case OfStep(step, path):
            return {"step": step, "path": path}
        case _:
            message = f"{type(value).__name__} is no value of a key"
            raise TypeError(message)
