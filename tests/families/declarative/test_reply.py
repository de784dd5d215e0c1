"""A reply: its words, its document, and the arguments of its first call."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.families.declarative.javascript import UNDEFINED, WHITE
from generator.families.declarative.reply import Reply, trimmed, words
from generator.records.bundle import ToolCall, Turn
from tests.families.declarative.checks.sample import reply
from tests.families.declarative.sample import call

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.lists(st.text("ab.-", min_size=1)), st.sampled_from(WHITE))
def test_words_are_what_white_space_separates(parts: list[str], space: str) -> None:
    """Every kind of white space separates words, any number of it, and nothing else does."""
    assert words(space.join(parts)) == parts
    assert words(f"{space}{space * 2}".join(["", *parts, ""])) == parts


@pytest.mark.parametrize("joiner", ["\u200b", "\x1c", "\x85", "\u180e", "\0", "-"])
def test_what_is_no_white_space_separates_nothing(joiner: str) -> None:
    """What only other languages take for a space is a part of a word."""
    assert words(f"a{joiner}b") == [f"a{joiner}b"]
    assert trimmed(f"{joiner}a{joiner}") == f"{joiner}a{joiner}"


@given(TEXTS)
def test_trimming_takes_white_space_off_both_ends(text: str) -> None:
    """What is left begins and ends with something that is not white space, or is nothing."""
    found = trimmed(text)
    assert found in text
    assert not found or (found[0] not in WHITE and found[-1] not in WHITE)
    assert trimmed(found) == found
    assert trimmed(WHITE + text + WHITE) == found


def test_a_missing_reply_says_nothing() -> None:
    """No content and an empty content are the same silence."""
    assert trimmed(None) == trimmed("") == ""
    assert Reply.of(Turn()) == Reply.of(Turn(content=" \n")) == Reply("")


def test_a_turn_is_looked_at_trimmed_and_with_its_calls() -> None:
    """What was said stands without the space around it, and what was called in its order."""
    calls = (ToolCall("look"), ToolCall("move"))
    found = Reply.of(Turn(content="\u00a0 yes\n", tool_calls=calls))
    assert found.content == "yes"
    assert found.calls == calls
    assert found.tool == "look"


def test_a_reply_without_a_call_calls_nothing() -> None:
    """Words call no tool, and have no argument."""
    found = reply("look")
    assert found.tool is None
    assert found.arguments == {}
    assert found.argument("at") is UNDEFINED


def test_a_document_is_that_of_the_content() -> None:
    """What was said is read as JSON, mended where that helps; nothing else is."""
    assert reply('here: {"a":1,}').document == {"a": 1}
    assert reply("no", call("look", {"a": 1})).document is None


def test_a_document_is_found_once() -> None:
    """What takes time to find is kept."""
    found = reply('{"a":1}', call("look", '{"b":2'))
    assert found.document is found.document
    assert found.arguments is found.arguments


@pytest.mark.parametrize(
    ("sent", "arguments"),
    [
        ({"at": "it"}, {"at": "it"}),
        ({}, {}),
        ('{"at":"it"}', {"at": "it"}),
        ('{"at":"it"', {"at": "it"}),
        ('{"at":["it', {"at": ["it"]}),
        ('```json\n{"at":"it",}\n```', {"at": "it"}),
        ("", {}),
        (" \n\u00a0", {}),
        ("\ufeff{}", {}),
        ("garbage", {"_error": "invalid JSON"}),
        ("null", {"_error": "invalid JSON"}),
        ("{'at':1}", {"_error": "invalid JSON"}),
        ("[1]", [1]),
        ("5", 5),
        ([1], [1]),
        (5, 5),
    ],
)
def test_arguments_are_an_object_or_the_text_of_one(sent: Any, arguments: Any) -> None:  # noqa: ANN401
    """A text is read as JSON, mended where that helps; one that is none is told as an error."""
    assert reply(None, call("look", sent)).arguments == arguments


def test_arguments_are_those_of_the_first_call() -> None:
    """What is called later is not looked at, whatever it is called with."""
    found = reply(None, call("look", {"at": 1}), call("move", {"at": 2, "to": 3}))
    assert found.argument("at") == 1
    assert found.argument("to") is UNDEFINED


@pytest.mark.parametrize("sent", [b"null", b"[1]", b'"[1]"', b"5", b'"at"', b'"null"', b"{}"])
def test_what_is_no_object_has_no_argument(sent: bytes) -> None:
    """Arguments of another kind have no names, and crash nothing."""
    found = Reply("", (ToolCall("look", msgspec.Raw(sent)),))
    assert found.argument("at") is UNDEFINED
    assert found.argument("0") is UNDEFINED


def test_an_argument_that_is_null_is_there() -> None:
    """Null was sent; what was not sent is undefined."""
    found = reply(None, call("look", {"at": None}))
    assert found.argument("at") is None
    assert found.argument("to") is UNDEFINED


@given(st.dictionaries(st.text(max_size=3), st.none() | st.integers() | st.text(max_size=3)))
def test_an_object_and_its_text_are_the_same_arguments(arguments: dict[str, Any]) -> None:
    """Providers send either; whoever checks sees no difference."""
    as_object = reply(None, call("look", arguments))
    as_text = reply(None, call("look", json.dumps(arguments)))
    assert as_object.arguments == as_text.arguments == arguments
