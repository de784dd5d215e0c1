"""Against the examples of the Chat Completions API."""

from typing import Any

import pytest

from generator.records.bundle import Tokens
from generator.runners.dialects.dialect import STRANGE, Message
from generator.runners.dialects.openai import OpenAI
from tests.runners.sample import WEATHER
from tests.runners.stub import chosen

DIALECT = OpenAI()
CALL = {
    "id": "call_abc123",
    "type": "function",
    "function": {"name": "get_weather", "arguments": '{"city": "Rome"}'},
}
ASSISTANT: dict[str, Any] = {
    "role": "assistant",
    "content": None,
    "refusal": None,
    "annotations": [],
    "tool_calls": [CALL],
}


def test_the_first_request_is_that_of_the_documentation() -> None:
    """Model, messages, tools by their schemas, and options as they are."""
    conversation = [Message("user", "What is the weather like in Rome?")]
    assert DIALECT.body("gpt-x", conversation, [WEATHER], {"temperature": 0}) == {
        "model": "gpt-x",
        "messages": [{"role": "user", "content": "What is the weather like in Rome?"}],
        "tools": [WEATHER],
        "temperature": 0,
    }


def test_without_tools_none_are_sent() -> None:
    """An endpoint without tools is not told of an empty list."""
    body = DIALECT.body("gpt-x", [Message("user", "Hello!")], [], {})
    assert body == {"model": "gpt-x", "messages": [{"role": "user", "content": "Hello!"}]}


def test_a_schema_without_a_type_is_a_function() -> None:
    """A case need not say it; the provider wants it said."""
    bare = {"function": WEATHER["function"]}
    assert DIALECT.body("gpt-x", [], [bare], {})["tools"] == [WEATHER]


def test_a_call_and_its_result_go_back() -> None:
    """The reply is handed back unchanged, and its call is answered by its id."""
    said = DIALECT.read(chosen(ASSISTANT))
    conversation = [
        Message("user", "How is it?"),
        Message("assistant", raw=said.raw),
        Message("tool", "18 degrees", said.calls[0].id),
    ]
    assert DIALECT.body("gpt-x", conversation, [], {})["messages"] == [
        {"role": "user", "content": "How is it?"},
        ASSISTANT,
        {"role": "tool", "tool_call_id": "call_abc123", "content": "18 degrees"},
    ]


def test_a_reply_is_read() -> None:
    """Text, call and model as they stand there."""
    said = DIALECT.read(chosen({"content": "Hello!"}))
    assert (said.content, said.refusal, said.calls, said.model) == (
        "Hello!",
        None,
        (),
        "m-2026-01-01",
    )
    (call,) = DIALECT.read(chosen(ASSISTANT)).calls
    assert (call.id, call.name, call.arguments) == (
        "call_abc123",
        "get_weather",
        '{"city": "Rome"}',
    )


def test_a_refusal_is_no_answer() -> None:
    """The model's own words where it declines are kept apart."""
    said = DIALECT.read(chosen({"content": None, "refusal": "I can't help with that."}))
    assert (said.content, said.refusal) == (None, "I can't help with that.")


def test_a_list_of_parts_is_read_by_its_texts() -> None:
    """Some servers send what was thought beside what is said."""
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]},
        {"type": "text", "text": "Hel"},
        {"type": "text", "text": "lo!"},
    ]
    assert DIALECT.read(chosen({"content": parts})).content == "Hello!"


def test_tokens_are_kept_apart() -> None:
    """Those of the cache are not counted as input a second time; reasoning is a part of output."""
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 40,
        "total_tokens": 140,
        "prompt_tokens_details": {"cached_tokens": 64, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 32},
    }
    assert DIALECT.tokens({"usage": usage}) == Tokens(
        input=36, output=40, reasoning=32, cache_read=64
    )


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        (None, Tokens()),
        ([], Tokens()),
        ("many", Tokens()),
        ({}, Tokens()),
        ({"prompt_tokens": "12"}, Tokens()),
        ({"prompt_tokens": 12, "completion_tokens": -1}, Tokens(input=12)),
        ({"prompt_tokens": 12, "prompt_tokens_details": None}, Tokens(input=12)),
        (
            {"prompt_tokens": 12, "prompt_tokens_details": {"cached_tokens": 13}},
            Tokens(input=12),
        ),
    ],
)
def test_a_counter_that_makes_no_sense_is_missing(usage: object, tokens: Tokens) -> None:
    """It is never zero, and the reply is not lost for it."""
    reply = chosen({"content": "Hello!"}, usage=usage)
    assert DIALECT.read(reply).tokens == tokens


@pytest.mark.parametrize("reply", [None, [], "x", 7, {}, {"choices": []}, {"choices": [{}]}])
def test_tokens_of_anything_are_told(reply: object) -> None:
    """What is no reply was billed nothing that could be known."""
    assert DIALECT.tokens(reply) == Tokens()


@pytest.mark.parametrize(
    "message",
    [
        {"content": 7},
        {"content": [{"type": "text"}]},
        {"content": ["Hello!"]},
        {"refusal": {}},
        {"tool_calls": 7},
        {"tool_calls": [{}]},
        {"tool_calls": [{"function": None}]},
        {"tool_calls": [{"function": {"name": None}}]},
        {"tool_calls": [{"function": {"name": 7, "arguments": "{}"}}]},
    ],
    ids=str,
)
def test_what_is_not_of_the_form_is_strange(message: dict[str, Any]) -> None:
    """It is one of the faults that are expected, and never any other."""
    with pytest.raises(STRANGE):
        DIALECT.read(chosen(message))


@pytest.mark.parametrize("reply", [None, [], "x", 7, {}, {"choices": []}, {"choices": [{}]}])
def test_what_is_no_reply_is_strange(reply: object) -> None:
    """The same of the whole."""
    with pytest.raises(STRANGE):
        DIALECT.read(reply)


@pytest.mark.parametrize(
    ("sent", "arguments"),
    [({"city": "Rome"}, '{"city": "Rome"}'), (None, "{}"), ("", ""), ("{", "{")],
)
def test_arguments_that_are_no_text_are_taken_as_sent(sent: object, arguments: str) -> None:
    """Some servers send an object, or nothing."""
    call = {"function": {"name": "look", "arguments": sent}}
    (read,) = DIALECT.read(chosen({"tool_calls": [call]})).calls
    assert (read.id, read.arguments) == ("0", arguments)


@pytest.mark.parametrize("level", ["none", "minimal", "low", "medium", "high", "xhigh"])
def test_effort_is_a_setting(level: str) -> None:
    """`reasoning_effort`, by the provider's own names."""
    assert DIALECT.effort("gpt-x", level) == {"reasoning_effort": level}


def test_an_effort_that_the_provider_does_not_know_is_none() -> None:
    """It is not sent in the hope that it may be taken."""
    assert DIALECT.effort("gpt-x", "heroic") is None


def test_the_key_is_a_bearer_token() -> None:
    """A local server may need none."""
    assert DIALECT.headers("k") == {"authorization": "Bearer k"}
    assert DIALECT.headers(None) == {}
