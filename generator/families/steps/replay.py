"""A system that knows the key: what it says next, on any surface, given what it was told so far."""

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from generator.families.family import Played
from generator.families.steps.catalogue import ActionFile, Catalogue, properties, required
from generator.families.steps.corpus import Case, Step
from generator.families.steps.expected import Told, spelled
from generator.records.bundle import ToolCall, Turn

DONE = "It is done."
DECLINED = "I can't do this with what I have here, so I have changed nothing. What do you need?"


def replay(catalogue: Catalogue, case: Case, surface: str, played: Played) -> Turn:
    """The call of the next step; after the last one, a text. Raises Unfilled.

    It takes an answer for each step that it has taken.
    """
    number = len(played.answers)
    if number >= len(case.steps):
        return Turn(content=DECLINED if case.kind == "refusal" else DONE)
    told = Told(played.fixtures, dict(enumerate(played.answers, 1)))
    step = case.steps[number]
    return Turn(tool_calls=(call_of(catalogue, step.action, surface, arguments_of(step, told)),))


def call_of(
    catalogue: Catalogue, action: ActionFile, surface: str, arguments: Mapping[str, Any]
) -> ToolCall:
    """A call of an action as the surface takes it."""
    offered, called = catalogue.surfaces[surface], action.called[surface]
    sent: dict[str, Any] = {**arguments}
    if offered.arguments is not None:
        sent = {offered.arguments: sent}
    if offered.action is not None:
        sent[offered.action] = called.action
    return ToolCall(called.tool, msgspec.Raw(json.dumps(sent, ensure_ascii=False).encode()))


def made_up(action: ActionFile) -> dict[str, Any]:
    """Values for all arguments that an action requires, such as its schema allows."""
    return {name: _any_value(properties(action)[name]) for name in required(action)}


def arguments_of(step: Step, told: Told) -> dict[str, Any]:
    """What is sent for a step, its confirmation and what is made up included; raises Unfilled."""
    sent = made_up(step.action)
    sent |= {name: spelled(expected, told) for name, expected in step.arguments.items()}
    if step.action.confirmation is not None:
        sent[step.action.confirmation] = True
    return sent


def _any_value(schema: Mapping[str, Any]) -> Any:  # noqa: ANN401  any JSON value
    """A value of the schema, as short as can be; it knows no patterns."""
    for told in ("const", "default"):
        if told in schema:
            return schema[told]
    listed = schema.get("enum") or schema.get("examples")
    return listed[0] if listed else _of_type(schema)


def _of_type(schema: Mapping[str, Any]) -> Any:  # noqa: ANN401
    kinds = schema.get("type", "string")
    known = schema.get("properties", {})
    of_type: dict[str, Any] = {
        "integer": schema.get("minimum", 1),
        "number": schema.get("minimum", 1),
        "boolean": False,
        "array": [_any_value(schema["items"])] * schema.get("minItems", 0)
        if "items" in schema
        else [],
        "object": {name: _any_value(known.get(name, {})) for name in schema.get("required", [])},
        "null": None,
    }
    return of_type.get(
        kinds[0] if isinstance(kinds, list) else kinds, "x" * max(1, schema.get("minLength", 1))
    )
