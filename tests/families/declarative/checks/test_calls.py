"""Checks on calls: only the first is looked at, and its arguments are compared loosely."""

from typing import Any

import pytest

from generator.families.declarative.checks.check import CheckFault
from tests.families.declarative.checks.sample import ready, reply
from tests.families.declarative.sample import call

SILENT = reply("look, move")
LOOKED = reply(None, call("look", {"at": "Maria", "n": "1", "none": None, "yes": True, "l": [1]}))
BOTH = reply("done", call("look", {"at": "Maria"}), call("move", {"to": "Rome"}))


def test_only_the_first_call_is_looked_at() -> None:
    """What a reply calls after its first call neither passes nor fails anything."""
    assert ready("tool_called", value="look")(BOTH)
    assert not ready("tool_called", value="move")(BOTH)
    assert ready("tool_not_called", value="move")(BOTH)
    assert not ready("tool_not_called", value="look")(BOTH)
    assert ready("tool_arg_equals", arg="at", value="Maria")(BOTH)
    assert not ready("tool_arg_equals", arg="to", value="Rome")(BOTH)
    assert not ready("tool_arg_regex", arg="to", value="Rome")(BOTH)


def test_without_a_call_no_tool_was_called() -> None:
    """A reply in words calls nothing, whatever words they are."""
    assert not ready("tool_called", value="look")(SILENT)
    assert ready("tool_not_called", value="look")(SILENT)
    assert ready("tool_not_called")(SILENT)


def test_no_tool_at_all_is_none_of_them() -> None:
    """Without a value, and with null, any call fails; a name is that name to the letter."""
    assert not ready("tool_not_called")(LOOKED)
    assert not ready("tool_not_called", value=None)(LOOKED)
    assert not ready("tool_called", value="Look")(LOOKED)
    assert ready("tool_not_called", value="Look")(LOOKED)


@pytest.mark.parametrize("value", ["undefined", "", None, 0])
def test_without_a_call_there_is_no_argument(value: Any) -> None:  # noqa: ANN401  any JSON value
    """An argument is that of a call: where there is none, nothing equals or matches."""
    assert not ready("tool_arg_equals", arg="at", value=value)(SILENT)
    assert not ready("tool_arg_regex", arg="at", value="^$")(SILENT)
    assert not ready("tool_arg_regex", arg="at", value="")(SILENT)


@pytest.mark.parametrize(
    ("arg", "value", "verdict"),
    [
        ("at", "Maria", True),
        ("at", "maria", False),
        ("n", 1, True),
        ("n", "1", True),
        ("yes", True, True),
        ("yes", 1, True),
        ("yes", "true", True),
        ("none", None, True),
        ("none", "null", True),
        ("none", 0, True),
        ("l", 1, True),
        ("l", [1], True),
        ("l", "1", True),
        ("gone", None, False),
        ("gone", "undefined", True),
        ("gone", 0, False),
        ("", "undefined", True),
    ],
)
def test_an_argument_equals_loosely(
    arg: str,
    value: Any,  # noqa: ANN401  any JSON value
    verdict: bool,  # noqa: FBT001  what the table expects
) -> None:
    """Against a number both are numbers, otherwise both are texts; a missing one is undefined."""
    assert ready("tool_arg_equals", arg=arg, value=value)(LOOKED) == verdict


@pytest.mark.parametrize(
    ("arg", "value", "flags", "verdict"),
    [
        ("at", "^maria$", None, True),
        ("at", "^maria$", "", False),
        ("at", "^maria$", "i", True),
        ("at", "^maria$", "m", False),
        ("n", "^1$", None, True),
        ("yes", "^true$", None, True),
        ("l", "^1$", None, True),
        ("none", "^$", None, True),
        ("none", "null", None, False),
        ("gone", "^$", None, True),
        ("gone", "undefined", None, False),
    ],
)
def test_an_argument_matches(
    arg: str,
    value: str,
    flags: str | None,
    verdict: bool,  # noqa: FBT001  what the table expects
) -> None:
    """Case does not matter unless flags are given; null and what is missing are an empty text."""
    assert ready("tool_arg_regex", arg=arg, value=value, flags=flags)(LOOKED) == verdict


def test_arguments_that_are_no_json_are_told_as_an_error() -> None:
    """What a system sent instead of arguments can be asked for, under `_error`."""
    said = reply(None, call("look", "garbage"))
    assert ready("tool_arg_regex", arg="_error", value="^invalid json$")(said)
    assert ready("tool_arg_equals", arg="at", value="undefined")(said)


def test_an_argument_of_half_a_surrogate_pair_is_a_text() -> None:
    """What a hostile system sends is matched, and crashes nothing."""
    said = reply(None, call("look", r'{"at":"\ud800"}'))
    assert ready("tool_arg_regex", arg="at", value="^.$")(said)
    assert not ready("tool_arg_regex", arg="at", value="a")(said)


@pytest.mark.parametrize(
    ("kind", "fields", "what"),
    [
        ("tool_called", {}, "the value is the name of a tool, not None"),
        ("tool_called", {"value": ""}, "the value is the name of a tool, not ''"),
        ("tool_called", {"value": 5}, "the value is the name of a tool, not 5"),
        ("tool_called", {"value": "a", "arg": "b"}, "a tool_called takes no arg"),
        ("tool_not_called", {"value": ""}, "the value is the name of a tool, not ''"),
        ("tool_not_called", {"value": ["a"]}, "the value is the name of a tool, not ['a']"),
        ("tool_not_called", {"path": "a"}, "a tool_not_called takes no path"),
        ("tool_arg_equals", {"value": 1}, "a tool_arg_equals needs `arg`"),
        ("tool_arg_equals", {"arg": "a"}, "a tool_arg_equals needs `value`"),
        ("tool_arg_equals", {"arg": "a", "value": {}}, "not an object"),
        ("tool_arg_equals", {"arg": "a", "value": 1, "flags": "i"}, "takes no flags"),
        ("tool_arg_regex", {"value": "a"}, "a tool_arg_regex needs `arg`"),
        ("tool_arg_regex", {"arg": "a"}, "a pattern is a text, not None"),
        ("tool_arg_regex", {"arg": "a", "value": 1}, "a pattern is a text, not 1"),
        ("tool_arg_regex", {"arg": "a", "value": "("}, "can't be compiled by re2"),
        ("tool_arg_regex", {"arg": "a", "value": "a", "flags": "g"}, "the flag 'g' is unknown"),
        ("tool_arg_regex", {"arg": "a", "value": "a", "path": ""}, "takes no path"),
    ],
)
def test_what_can_t_be_asked_is_refused(kind: str, fields: dict[str, Any], what: str) -> None:
    """A check without its argument, or with a value of another kind, is a fault of the corpus."""
    with pytest.raises(CheckFault) as caught:
        ready(kind, **fields)
    assert what in str(caught.value)
