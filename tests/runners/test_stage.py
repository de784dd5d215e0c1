"""Chat models in scenes: the conversation with a provider, and the calls on a live server."""

import asyncio
import json
from typing import Any

import pytest

from generator.families.family import Question
from generator.records.base import digest_of_json
from generator.records.bundle import Change, ToolCall
from generator.records.key import EFFORT
from generator.runners import prompted
from generator.runners.chat import ChatModel
from generator.runners.scene import NO_OBJECT, Scenes
from generator.runners.stage import Served
from generator.runners.system import Observed, Terms
from tests.runners import shelf
from tests.runners.playing import IMPATIENT, question, scenes
from tests.runners.sample import LOW, TERMS, level, model
from tests.runners.stub import Reply, Stub, blocks, called, chosen, refused, reply, said

SERVED = Served("meta", "f" * 64)
SHOW = called("book_show", {"book": "Bolts k3x9"})
ADD = called("book_add", {"title": "Nuts"})


def several(*calls: tuple[str, str]) -> Reply:
    """A chat completion with several calls, by name and arguments."""
    made = [
        {"id": f"call_{n}", "type": "function", "function": {"name": name, "arguments": text}}
        for n, (name, text) in enumerate(calls)
    ]
    return reply(chosen({"content": "Let me see.", "tool_calls": made}))


def play(
    system: ChatModel,
    where: Scenes | None = None,
    asked: Question | None = None,
    terms: Terms = TERMS,
) -> Observed:
    """One attempt of a model."""

    async def played() -> Observed:
        try:
            return await (where or scenes()).attempt(system, asked or question(), terms)
        finally:
            await system.close()

    return asyncio.run(played())


def outcomes(observed: Observed) -> list[list[str | None]]:
    """What became of the calls, by turn."""
    return [[call.outcome for call in turn.tool_calls] for turn in observed.turns]


def messages(stub: Stub) -> list[list[dict[str, Any]]]:
    """The messages of each request."""
    return [sent.body["messages"] for sent in stub.sent]


def test_a_conversation_goes_on_until_there_is_no_call() -> None:
    """The prompt with its names, every call with its answer, and the tools of the server."""
    with Stub(script=[SHOW, ADD, said("Seven.")]) as stub:
        observed = play(model(stub))
    assert (observed.outcome, observed.reason) == ("completed", None)
    assert outcomes(observed) == [["accepted"], ["accepted"], []]
    assert observed.turns[-1].content == "Seven."
    assert observed.changes == (Change("book", "0003-0004", "added"),)
    assert observed.stimulus == "How long is Bolts k3x9? Say k3x9."
    first, second, third = messages(stub)
    assert first == [{"role": "user", "content": observed.stimulus}]
    (call,) = observed.turns[0].tool_calls
    assert second[2] == {"role": "tool", "tool_call_id": "call_1", "content": call.answer}
    assert third[: len(second)] == second
    for sent in stub.sent:
        assert [tool["function"]["parameters"] for tool in sent.body["tools"]] == [
            tool["inputSchema"] for tool in shelf.published("individual")
        ]


def test_every_call_of_a_reply_is_carried_out_in_order() -> None:
    """And each has a result of its own, refused ones too."""
    three = several(
        ("book_add", '{"title": "Nuts"}'), ("book_burn", '{"book": "0003"}'), ("book_list", "")
    )
    with Stub(script=[three, said("Done.")]) as stub:
        observed = play(model(stub))
    assert outcomes(observed) == [["accepted", "refused", "accepted"], []]
    results = messages(stub)[1][2:]
    assert [one["tool_call_id"] for one in results] == ["call_0", "call_1", "call_2"]
    assert results[1]["content"] == "Not confirmed"
    assert "Nuts" in results[2]["content"]


@pytest.mark.parametrize("arguments", ['{"book": "Bol', "[1, 2]", '"book"', "null", "ciao"])
def test_broken_arguments_are_not_mended(arguments: str) -> None:
    """The system hears that its call was not carried out, and the bundle has what it sent."""
    with Stub(script=[called("book_show", arguments), said("Sorry.")]) as stub:
        observed = play(model(stub))
    (call,) = observed.turns[0].tool_calls
    assert (call.outcome, call.answer) == ("refused", NO_OBJECT)
    assert json.loads(bytes(call.arguments)) == arguments
    assert messages(stub)[1][2]["content"] == NO_OBJECT


def test_messages_say_that_a_call_failed() -> None:
    """As the server says, whether it refused the call or came to nothing with it."""
    uses = [
        {"type": "tool_use", "id": f"toolu_{n}", "name": "book_show", "input": {"book": book}}
        for n, book in enumerate(("0002", "no such"))
    ]
    with Stub(script=[blocks(*uses), blocks({"type": "text", "text": "7."})]) as stub:
        observed = play(model(stub, "anthropic"))
    assert outcomes(observed) == [["accepted", "accepted"], []]
    results = messages(stub)[1][-1]["content"]
    assert [one.get("is_error") for one in results] == [None, True]


def test_the_limit_of_turns_is_kept() -> None:
    """The calls of the last reply are still carried out."""
    with Stub(ADD) as stub:
        observed = play(model(stub), asked=question(turns=3))
    assert (observed.outcome, observed.reason) == ("cancelled", "the limit of 3 turns was reached")
    assert outcomes(observed) == [["accepted"]] * 3
    assert len(observed.changes or ()) == 3
    assert len(stub.sent) == 3


def test_a_benchmark_may_allow_fewer_turns() -> None:
    """The lower limit holds."""
    with Stub(ADD) as stub:
        observed = play(model(stub), terms=Terms(20.0, turns=2))
    assert observed.reason == "the limit of 2 turns was reached"


def test_by_prompt_calls_are_read_from_the_text() -> None:
    """And what they come back with is one message, in the form that the row names."""
    text = "\n".join(
        f'<tool_call>\n{{"name": "book", "arguments": {json.dumps(given)}}}\n</tool_call>'
        for given in ({"action": "list"}, {"action": "burn", "arguments": {"book": "0002"}})
    )
    with Stub(script=[said(text), said("Done.")]) as stub:
        observed = play(model(stub, tools="prompted"), scenes(surface="meta"))
    assert outcomes(observed) == [["accepted", "refused"], []]
    first, second = messages(stub)
    assert "tools" not in stub.sent[0].body
    assert '"name": "book"' in first[0]["content"]
    assert first[0]["content"] == observed.stimulus
    assert first[0]["content"].endswith("How long is Bolts k3x9? Say k3x9.")
    calls = observed.turns[0].tool_calls
    assert second[2:] == [
        {"role": "user", "content": prompted.responses(call.answer or "" for call in calls)}
    ]
    assert second[2]["content"].endswith("<tool_response>\nNot confirmed\n</tool_response>")


def test_a_server_that_dies_leaves_what_was_said() -> None:
    """The reply, its tokens and its call, of which nobody knows what became."""
    with Stub(SHOW) as stub:
        observed = play(model(stub), scenes("dies", patience=IMPATIENT))
    assert observed.outcome == "harness_error"
    assert observed.reason == "the server is gone: it ended with status 1: out of paper"
    (turn,) = observed.turns
    assert turn.tokens is not None
    assert turn.tool_calls == (ToolCall("book_show", turn.tool_calls[0].arguments),)


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (refused(400), "provider_error"),
        (reply({"no": "choices"}), "malformed"),
        (said("late", after=3.0), "timeout"),
    ],
)
def test_a_provider_that_fails_is_told_as_elsewhere(answer: Reply, outcome: str) -> None:
    """And what was changed until then is still seen."""
    with Stub(script=[ADD, answer]) as stub:
        observed = play(model(stub), terms=Terms(1.0))
    assert observed.outcome == outcome
    assert len(observed.changes or ()) == 1


def test_a_servers_time_is_not_the_systems() -> None:
    """Only what the provider takes counts against an attempt."""
    with Stub(script=[SHOW, SHOW, SHOW, said("7")]) as stub:
        observed = play(model(stub), scenes("slow"), terms=Terms(0.8))
    assert observed.outcome == "completed"


def test_a_row_names_surface_and_form() -> None:
    """Native or by prompt, the list as served, and the digest of what is put before."""
    with Stub(said("")) as stub:
        native = model(stub, offered=None).staged(None, SERVED)
        by_prompt = model(stub, offered=None, tools="prompted").staged(
            level(LOW, prompted=True), SERVED
        )
    assert (native.id, native.surface, native.tools) == ("local-m-meta", "meta", "f" * 64)
    assert (native.axes, native.prompt) == ({"tools": "native"}, None)
    assert by_prompt.id == "local-m-low-meta"
    assert by_prompt.axes["tools"] == "prompted"
    assert by_prompt.axes[EFFORT] == "low"
    assert by_prompt.prompt == digest_of_json(
        {"effort": "Answer at once.", "tools": prompted.DIGEST}
    )
