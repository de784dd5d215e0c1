"""Against the examples of the Messages API."""

import json
from typing import Any

import pytest

from generator.records.bundle import Tokens
from generator.runners.dialects.anthropic import Anthropic
from generator.runners.dialects.dialect import MAX_TOKENS, STRANGE, Message
from tests.runners.sample import WEATHER
from tests.runners.stub import blocks

DIALECT = Anthropic()
THOUGHT = {"type": "thinking", "thinking": "Rome it is.", "signature": "EqQBCgIYAhIM1gbcDa9GJw"}
TEXT = {"type": "text", "text": "I'll check the weather."}
USE = {
    "type": "tool_use",
    "id": "toolu_01A09q90qw90lq917835lq9",
    "name": "get_weather",
    "input": {"city": "Rome"},
}


def reply(*content: dict[str, Any], **more: Any) -> Any:  # noqa: ANN401  any JSON value
    """A reply as it is read from the wire."""
    return json.loads(blocks(*content, **more).body)


def test_the_first_request_is_that_of_the_documentation() -> None:
    """Model, a message of blocks, tools by name and input schema, a limit."""
    conversation = [Message("user", "How is the weather in Rome?")]
    options = {"max_tokens": 1024}
    assert DIALECT.body("claude-x", conversation, [WEATHER], options) == {
        "model": "claude-x",
        "max_tokens": 1024,
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "How is the weather in Rome?"}]}
        ],
        "tools": [
            {
                "name": "get_weather",
                "description": "Get the weather of a city.",
                "input_schema": WEATHER["function"]["parameters"],
            }
        ],
    }


def test_a_tool_without_a_schema_takes_nothing() -> None:
    """The provider wants one all the same."""
    bare = {"function": {"name": "now"}}
    assert DIALECT.body("claude-x", [], [bare], {})["tools"] == [
        {
            "name": "now",
            "description": "",
            "input_schema": {"type": "object", "properties": {}},
        }
    ]


def test_a_thought_a_call_and_its_result_go_back() -> None:
    """All blocks are handed back unchanged, signature and all, and results come before words."""
    said = DIALECT.read(reply(THOUGHT, TEXT, USE, stop_reason="tool_use"))
    conversation = [
        Message("user", "How is it?"),
        Message("assistant", raw=said.raw),
        Message("tool", "18 degrees", said.calls[0].id),
        Message("user", "In words, please."),
    ]
    assert DIALECT.body("claude-x", conversation, [], {})["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "How is it?"}]},
        {"role": "assistant", "content": [THOUGHT, TEXT, USE]},
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "toolu_01A09q90qw90lq917835lq9",
                    "content": "18 degrees",
                },
                {"type": "text", "text": "In words, please."},
            ],
        },
    ]


def test_a_call_that_was_not_carried_out_is_an_error() -> None:
    """The provider has a word for it."""
    conversation = [Message("tool", "not run", "toolu_2", ran=False)]
    (message,) = DIALECT.body("claude-x", conversation, [], {})["messages"]
    assert message["content"][0]["is_error"] is True


def test_a_reply_is_read_without_what_was_thought() -> None:
    """The answer is its texts; thoughts are none of it."""
    said = DIALECT.read(reply(THOUGHT, TEXT, USE, {"type": "text", "text": " Now."}))
    assert said.content == "I'll check the weather. Now."
    assert (said.refusal, said.model) == (None, "c-2026-01-01")
    (call,) = said.calls
    assert (call.id, call.name) == (USE["id"], USE["name"])
    assert json.loads(call.arguments) == {"city": "Rome"}


def test_a_reply_without_words_says_nothing() -> None:
    """A call alone is no empty text."""
    assert DIALECT.read(reply(USE)).content is None
    assert DIALECT.read(reply()).content is None


def test_a_refusal_is_no_answer() -> None:
    """The provider says by the reason for the end that the model declined."""
    said = DIALECT.read(reply({"type": "text", "text": "I won't."}, stop_reason="refusal"))
    assert (said.content, said.refusal) == (None, "I won't.")
    assert DIALECT.read(reply(stop_reason="refusal")).refusal == "refusal"


def test_tokens_are_kept_apart() -> None:
    """The provider tells input, cache read and cache created apart."""
    usage = {
        "input_tokens": 50,
        "output_tokens": 503,
        "cache_read_input_tokens": 100_000,
        "cache_creation_input_tokens": 248,
    }
    assert DIALECT.tokens({"usage": usage}) == Tokens(
        input=50, output=503, cache_read=100_000, cache_created=248
    )
    assert DIALECT.tokens({"usage": {"input_tokens": "50", "output_tokens": None}}) == Tokens()
    assert DIALECT.tokens(None) == Tokens()


@pytest.mark.parametrize(
    "content",
    [
        None,
        7,
        [7],
        [{}],
        [{"type": "text"}],
        [{"type": "text", "text": None}],
        [{"type": "tool_use", "name": "look"}],
        [{"type": "tool_use", "id": "1", "name": None, "input": {}}],
    ],
    ids=str,
)
def test_what_is_not_of_the_form_is_strange(content: object) -> None:
    """It is one of the faults that are expected, and never any other."""
    with pytest.raises(STRANGE):
        DIALECT.read({"content": content})


@pytest.mark.parametrize(
    ("level", "budget"), [("low", 2048), ("medium", 8192), ("high", 16384), ("xhigh", 24576)]
)
@pytest.mark.parametrize(
    "model",
    [
        "claude-3-7-sonnet-20250219",
        "claude-opus-4-20250514",
        "claude-sonnet-4-0",
        "claude-opus-4-1-20250805",
        "claude-haiku-4-5-20251001",
        "claude-sonnet-4-5",
    ],
)
def test_models_with_a_budget_are_given_one(model: str, level: str, budget: int) -> None:
    """A budget of thinking, above which the reply has room, below what the model may say."""
    asked = DIALECT.effort(model, level)
    assert asked == {
        "thinking": {"type": "enabled", "budget_tokens": budget},
        "max_tokens": budget + MAX_TOKENS,
    }
    assert budget + MAX_TOKENS < 32_000


@pytest.mark.parametrize("level", ["low", "medium", "high", "xhigh", "max"])
@pytest.mark.parametrize(
    "model", ["claude-opus-4-6", "claude-opus-4-8", "claude-sonnet-5", "claude-something-new"]
)
def test_later_models_are_told_an_effort(model: str, level: str) -> None:
    """They refuse a budget."""
    assert DIALECT.effort(model, level) == {
        "thinking": {"type": "adaptive"},
        "output_config": {"effort": level},
        "max_tokens": 32_000,
    }


@pytest.mark.parametrize("model", ["claude-sonnet-4-5", "claude-sonnet-5"])
def test_no_effort_is_no_thinking(model: str) -> None:
    """Which is a setting of its own."""
    assert DIALECT.effort(model, "none") == {"thinking": {"type": "disabled"}}


@pytest.mark.parametrize(
    ("model", "level"),
    [
        ("claude-sonnet-4-5", "max"),
        ("claude-sonnet-4-5", "minimal"),
        ("claude-sonnet-5", "minimal"),
    ],
)
def test_an_effort_that_the_provider_does_not_know_is_none(model: str, level: str) -> None:
    """It is not sent in the hope that it may be taken."""
    assert DIALECT.effort(model, level) is None


def test_the_key_has_a_header_of_its_own() -> None:
    """Beside the version of the form that is spoken."""
    assert DIALECT.headers("k") == {"anthropic-version": "2023-06-01", "x-api-key": "k"}
    assert DIALECT.headers(None) == {"anthropic-version": "2023-06-01"}
