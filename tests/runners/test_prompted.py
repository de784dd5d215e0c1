import json
import time

import pytest

from generator.runners.prompted import TEMPLATE, calls_in, offer
from tests.runners.sample import WEATHER


def block(text: str) -> str:
    """A call in the form that the prompt asks for."""
    return f"<tool_call>\n{text}\n</tool_call>"


CALL = '{"name": "get_weather", "arguments": {"city": "Rome"}}'


def test_an_offer_shows_the_form_and_the_schemas() -> None:
    """What is said of a tool natively is said of it here, one a line."""
    text = offer([WEATHER, {"function": {"name": "saluta", "description": "Dì ciao."}}])
    before, after = TEMPLATE.split("{}", 1)
    first, second = text.removeprefix(before).removesuffix(after).splitlines()
    assert json.loads(first) == WEATHER["function"]
    assert second == '{"name": "saluta", "description": "Dì ciao."}'


def test_the_form_that_is_shown_is_the_one_that_is_read() -> None:
    """A model that fills in the template makes a call."""
    filled = TEMPLATE.replace("<name of the tool>", '"get_weather"').replace(
        "<object of its arguments>", '{"city": "Rome"}'
    )
    (call,) = calls_in(filled)
    assert (call.name, json.loads(call.arguments)) == ("get_weather", {"city": "Rome"})


@pytest.mark.parametrize(
    "said",
    [
        block(CALL),
        f"I look it up.\n{block(CALL)}\nWait.",
        f"<tool_call>{CALL}</tool_call>",
        f"</tool_call>{block(CALL)}<tool_call>",
    ],
)
def test_a_block_is_a_call_wherever_it_stands(said: str) -> None:
    """Words around it are none of it."""
    (call,) = calls_in(said)
    assert (call.id, call.name) == ("prompted-0", "get_weather")


def test_blocks_are_calls_in_their_order() -> None:
    """Each with an id of its own."""
    calls = calls_in(block('{"name": "a"}') + block('{"name": "b", "arguments": {}}'))
    assert [(call.id, call.name, call.arguments) for call in calls] == [
        ("prompted-0", "a", "{}"),
        ("prompted-1", "b", "{}"),
    ]


@pytest.mark.parametrize(
    "said",
    [
        "",
        "I would call get_weather.",
        f"I call it: {CALL}",
        f"{CALL} and then I look.",
        f"{CALL}\n[1]",
        f"```json\n{CALL}\n```\nLet me look.",
        f"```json\n{CALL}\n```\n```json\n{CALL}\n```",
        '{"name": "get_weather"}',
        '{"name": "get_weather", "arguments": "Rome"}',
        '{"name": "get_weather", "arguments": {}, "description": "The weather."}',
        "[" * 99_999,
        f"<tool_call>{CALL}",
        f"{CALL}</tool_call>",
        block("get_weather(Rome)"),
        block('{"name": "get_weather"'),
        block('{"arguments": {}}'),
        block('{"name": 7}'),
        block('["get_weather"]'),
        block("null"),
        block("[" * 99_999),
    ],
    ids=lambda said: said[:40],
)
def test_what_is_not_in_the_form_is_no_call(said: str) -> None:
    """Nothing is guessed on the system's behalf."""
    assert calls_in(said) == ()


@pytest.mark.parametrize(
    "said",
    [
        CALL,
        f"```json\n{CALL}\n```",
        f"```\n{CALL}```",
        f" \n{CALL}\n",
        f"[{CALL}]",
        f"{CALL}\n{CALL}",
        f"```json\n{CALL}\n\n{CALL}\n```",
    ],
)
def test_a_reply_that_is_nothing_but_calls_makes_them(said: str) -> None:
    """Many models leave out the marks; that it means a call is no guess."""
    calls = calls_in(said)
    assert len(calls) == said.count("Rome")
    assert {(call.name, call.arguments) for call in calls} == {("get_weather", '{"city": "Rome"}')}


def test_arguments_that_are_no_object_are_kept_as_sent() -> None:
    """The checks say what becomes of them."""
    (text,) = calls_in(block('{"name": "a", "arguments": "Rome"}'))
    (listed,) = calls_in(block('{"name": "a", "arguments": [1]}'))
    assert (text.arguments, listed.arguments) == ("Rome", "[1]")


@pytest.mark.parametrize(
    "piece",
    ["<tool_call>", "</tool_call>", "<", "<tool_call></tool_call>", "```\n", "{} ", "[1] ", CALL],
)
def test_a_hostile_reply_takes_no_longer_than_its_length(piece: str) -> None:
    """Eight megabytes of marks are read at once."""
    said = piece * (8_000_000 // len(piece))
    started = time.process_time()
    calls_in(said)
    assert time.process_time() - started < 10
