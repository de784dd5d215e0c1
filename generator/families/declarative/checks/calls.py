"""Checks on the first call of a reply; whatever it calls after that is not looked at."""

from typing import Any

from generator.families.declarative.checks.check import (
    Asked,
    CheckFault,
    CheckType,
    Passes,
    comparable,
)
from generator.families.declarative.checks.patterns import pattern
from generator.families.declarative.javascript import UNDEFINED, loosely_equal, text_of
from generator.families.declarative.reply import Reply
from generator.messages import N_


def _tool_called(asked: Asked) -> Passes:
    wanted = _tool(asked.value)
    return lambda reply: reply.tool == wanted


def _tool_not_called(asked: Asked) -> Passes:
    if asked.value is None:
        return lambda reply: reply.tool is None
    unwanted = _tool(asked.value)
    return lambda reply: reply.tool != unwanted


def _tool(value: Any) -> str:  # noqa: ANN401  any JSON value
    if not isinstance(value, str) or not value:
        message = f"the value is the name of a tool, not {value!r}"
        raise CheckFault(message)
    return value


def _tool_arg_equals(asked: Asked) -> Passes:
    wanted = comparable(asked)

    def passes(reply: Reply) -> bool:
        return reply.tool is not None and loosely_equal(reply.argument(asked.arg or ""), wanted)

    return passes


def _tool_arg_regex(asked: Asked) -> Passes:
    found = pattern(asked.value, "i" if asked.flags is None else asked.flags)

    def passes(reply: Reply) -> bool:
        argument = reply.argument(asked.arg or "")
        return reply.tool is not None and found(
            "" if argument is None or argument is UNDEFINED else text_of(argument)
        )

    return passes


CALLS: tuple[CheckType, ...] = (
    CheckType("tool_called", N_("calls {value} first"), _tool_called),
    CheckType(
        "tool_not_called",
        N_("does not call {value} first"),
        _tool_not_called,
        says_without=N_("calls no tool"),
    ),
    CheckType(
        "tool_arg_equals", N_("the argument {arg} of the call: {value}"), _tool_arg_equals, ("arg",)
    ),
    CheckType(
        "tool_arg_regex",
        N_("the argument {arg} of the call matches {value}"),
        _tool_arg_regex,
        ("arg", "flags"),
    ),
)
