import json

import pytest

from generator.records.bundle import Attempt, Turn
from generator.runners.dialects.catalog import DIALECTS
from generator.runners.dialects.dialect import Call, count
from generator.store.lines import read_attempt, write_attempt


def observed(arguments: str) -> str:
    """The arguments of a call as they come back from the line of an attempt."""
    call = Call("1", "look", arguments).as_observed()
    attempt = Attempt(
        id="s/c/1",
        case="c",
        system="s",
        repetition=1,
        outcome="completed",
        turns=(Turn(tool_calls=(call,)),),
    )
    (turn,) = read_attempt(write_attempt(attempt)).turns
    return bytes(turn.tool_calls[0].arguments).decode()


@pytest.mark.parametrize(
    "arguments",
    [
        "{}",
        '{"city": "Rome"}',
        '{"a": {"b": [1, 2.5, null, true, "è"]}}',
        '{"big": 123456789012345678901234567890, "small": -99999999999999999999}',
        '{"wave": "\\ud83d\\udc4b"}',
    ],
)
def test_arguments_that_are_an_object_are_kept_as_one(arguments: str) -> None:
    """Nothing is rounded, and no character is lost."""
    assert json.loads(observed(arguments)) == json.loads(arguments)


def test_a_call_without_arguments_has_none() -> None:
    """Some servers say so by an empty text."""
    assert observed("") == "{}"


@pytest.mark.parametrize(
    "arguments",
    [
        "Rome",
        "[1]",
        "null",
        '"{}"',
        '{"city": "Rome"',
        '{"city": "Rome", "city": "Oslo"}',
        '{"n": NaN}',
        '{"n": 1e999}',
        '{"n": ' + "9" * 350 + "}",
        '{"n": ' + "9" * 500 + "}",
        '{"half": "\\ud83d"}',
        '{"deep": ' + "[" * 80 + "]" * 80 + "}",
        "[" * 200_000,
    ],
    ids=lambda text: text[:30],
)
def test_arguments_that_two_readers_could_take_differently_are_kept_as_text(arguments: str) -> None:
    """They can be written down and read again, and count as no object."""
    assert json.loads(observed(arguments)) == arguments


@pytest.mark.parametrize("value", [None, True, -1, 1.5, "7", [], {}, 2**53 + 1])
def test_a_count_that_is_none_is_missing(value: object) -> None:
    """A counter that makes no sense is no zero, and ends no run."""
    assert count(value) is None


def test_a_count_is_a_whole_number() -> None:
    """Zero is one."""
    assert [count(number) for number in (0, 7, 2**53)] == [0, 7, 2**53]


def test_each_dialect_is_found_by_its_word() -> None:
    """Two words, two surfaces, two keys."""
    assert {word: (one.surface, one.key) for word, one in DIALECTS.items()} == {
        "openai": ("chat-completions", "OPENAI_API_KEY"),
        "anthropic": ("messages", "ANTHROPIC_API_KEY"),
    }
