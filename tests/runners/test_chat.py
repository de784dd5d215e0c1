import json
from typing import Any

import pytest

from generator.errors import UsageError
from generator.families.family import Put, Question
from generator.records.base import digest_of_json
from generator.records.benchmark import Effort
from generator.records.bundle import Tokens
from generator.records.key import EFFORT, EFFORT_BY
from generator.runners import prompted
from generator.runners.chat import NOT_RUN, Unauthorised
from generator.runners.system import Terms
from tests.runners.sample import HELLO, KEY, LOW, ROME, TERMS, WEATHER, ask, level, model
from tests.runners.stub import Reply, Stub, blocks, called, chosen, refused, reply, said

NOW = {"retry_after": "0"}
USE = {"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": {"city": "Rome"}}


def prompts(stub: Stub) -> list[Any]:
    """The messages of each request, in their order."""
    return [sent.body["messages"] for sent in stub.sent]


# One reply


def test_a_question_is_put_and_its_reply_written_down() -> None:
    """Words, tokens, time and the model that spoke, as they came."""
    with Stub(said("Hello!", after=0.05)) as stub:
        observed = ask(model(stub))
    (turn,) = observed.turns
    assert (observed.outcome, observed.reason, observed.stimulus) == (
        "completed",
        None,
        "Say hello.",
    )
    assert (turn.content, turn.model) == ("Hello!", "m-2026-01-01")
    assert turn.tokens == Tokens(input=10, output=5)
    assert turn.elapsed_us is not None
    assert observed.elapsed_us is not None
    assert 50_000 <= turn.elapsed_us <= observed.elapsed_us


def test_the_key_goes_to_the_provider_and_nowhere_else() -> None:
    """It stands in a header of its dialect, and in nothing that is observed or described."""
    for kind, header, value in (
        ("openai", "authorization", f"Bearer {KEY}"),
        ("anthropic", "x-api-key", KEY),
    ):
        answer = said("Hello!") if kind == "openai" else blocks({"type": "text", "text": "Hello!"})
        with Stub(answer) as stub:
            system = model(stub, kind)
            observed = ask(system)
        assert stub.sent[0].headers[header] == value
        assert KEY not in repr(observed) + system.described(None).model_dump_json()
        assert KEY not in json.dumps(stub.sent[0].body)


def test_a_reply_is_not_corrected() -> None:
    """White space, odd characters and half an answer stay as they came."""
    text = "  \u200bHel\u0000lo\r\n\ufeff "
    with Stub(said(text)) as stub:
        (turn,) = ask(model(stub)).turns
    assert turn.content == text


def test_a_reply_is_not_asked_for_again() -> None:
    """However poor it is, there is one request."""
    for answer in (said(""), reply(chosen({})), Reply(b"{}"), Reply(b"no"), refused(400)):
        with Stub(answer) as stub:
            ask(model(stub))
        assert len(stub.sent) == 1


def test_a_refusal_is_the_systems_own() -> None:
    """It completes the attempt, in its own words."""
    with Stub(reply(chosen({"refusal": "I won't."}))) as stub:
        observed = ask(model(stub))
    assert (observed.outcome, observed.turns[0].refusal) == ("completed", "I won't.")


# Several replies


def test_two_steps_of_chat_completions() -> None:
    """The call is handed back unchanged, with its result by its id, and tools are offered again."""
    first = called("get_weather", '{"city":  "Rome"}', id="call_7")
    with Stub(script=[first, said("It has 18 degrees.")]) as stub:
        observed = ask(model(stub), ROME)
    message = json.loads(first.body)["choices"][0]["message"]
    asked = {"role": "user", "content": "How is the weather in Rome?"}
    result = {"role": "tool", "tool_call_id": "call_7", "content": "18 degrees"}
    assert prompts(stub) == [[asked], [asked, message, result]]
    assert [sent.body["tools"] for sent in stub.sent] == [[WEATHER], [WEATHER]]
    assert [len(turn.tool_calls) for turn in observed.turns] == [1, 0]
    (call,) = observed.turns[0].tool_calls
    assert (call.name, json.loads(bytes(call.arguments))) == ("get_weather", {"city": "Rome"})


def test_two_steps_of_messages() -> None:
    """The same, with what was thought and its signature."""
    thought = {"type": "thinking", "thinking": "Rome.", "signature": "c2ln"}
    with Stub(script=[blocks(thought, USE), blocks({"type": "text", "text": "18."})]) as stub:
        observed = ask(model(stub, "anthropic"), ROME)
    first, second = prompts(stub)
    assert first == [
        {"role": "user", "content": [{"type": "text", "text": "How is the weather in Rome?"}]}
    ]
    assert second == [
        *first,
        {"role": "assistant", "content": [thought, USE]},
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "18 degrees"}],
        },
    ]
    assert [turn.content for turn in observed.turns] == [None, "18."]


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_every_call_gets_a_result(kind: str) -> None:
    """A provider takes no request that leaves a call open; only the first one's result is due."""
    second = {**USE, "id": "toolu_2"}
    both = [
        {"id": "call_1", "type": "function", "function": {"name": "a", "arguments": "{}"}},
        {"id": "call_2", "type": "function", "function": {"name": "b", "arguments": "{}"}},
    ]
    script = {
        "openai": [reply(chosen({"tool_calls": both})), said("18.")],
        "anthropic": [blocks(USE, second), blocks({"type": "text", "text": "18."})],
    }[kind]
    with Stub(script=script) as stub:
        observed = ask(model(stub, kind), ROME)
    results = {
        "openai": [
            {"role": "tool", "tool_call_id": "call_1", "content": "18 degrees"},
            {"role": "tool", "tool_call_id": "call_2", "content": NOT_RUN},
        ],
        "anthropic": [
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "toolu_1", "content": "18 degrees"},
                    {
                        "type": "tool_result",
                        "tool_use_id": "toolu_2",
                        "content": NOT_RUN,
                        "is_error": True,
                    },
                ],
            }
        ],
    }[kind]
    assert prompts(stub)[1][2:] == results
    assert [len(turn.tool_calls) for turn in observed.turns] == [2, 0]


def test_a_prompt_after_a_call_comes_after_its_result() -> None:
    """Where a step brings no result, the call was not carried out, and the provider is told so."""
    question = Question("rome", (Put("How is it?"), Put("Never mind. Say hello.")), (WEATHER,))
    with Stub(script=[called("get_weather", "{}"), said("Hello!")]) as stub:
        ask(model(stub), question)
    assert prompts(stub)[1][2:] == [
        {"role": "tool", "tool_call_id": "call_1", "content": NOT_RUN},
        {"role": "user", "content": "Never mind. Say hello."},
    ]


def test_a_result_and_a_prompt_may_come_together() -> None:
    """First what the tool gave back, then what is asked next."""
    question = Question("rome", (Put("How is it?"), Put("In words.", "18 degrees")), (WEATHER,))
    with Stub(script=[called("get_weather", "{}"), said("Mild.")]) as stub:
        ask(model(stub), question)
    assert [message["role"] for message in prompts(stub)[1][2:]] == ["tool", "user"]


def test_no_call_where_one_was_due_is_as_observed() -> None:
    """What can't be answered is not put; what was said before stays and counts."""
    with Stub(said("I don't know.")) as stub:
        observed = ask(model(stub), ROME)
    assert len(stub.sent) == 1
    assert (observed.outcome, len(observed.turns)) == ("completed", 1)
    assert observed.reason == "no call came that the result of step 2 could answer"


def test_a_limit_of_turns_ends_the_conversation() -> None:
    """As many replies as are allowed are asked for, and the attempt says so."""
    question = Question("talk", tuple(Put(f"Step {number}.") for number in range(5)))
    with Stub(said("Yes.")) as stub:
        observed = ask(model(stub), question, Terms(20.0, turns=3))
    assert len(stub.sent) == 3
    assert (observed.outcome, len(observed.turns)) == ("completed", 3)
    assert observed.reason == "the limit of 3 turns was reached"


def test_a_limit_of_turns_that_is_not_reached_says_nothing() -> None:
    """Exactly as many turns as steps are a whole case."""
    question = Question("talk", (Put("One."), Put("Two.")))
    with Stub(said("Yes.")) as stub:
        observed = ask(model(stub), question, Terms(20.0, turns=2))
    assert (observed.outcome, observed.reason) == ("completed", None)


# Endings


def test_no_reply_in_time_is_a_timeout() -> None:
    """With the limit in its words."""
    with Stub(said("Hello!", after=5)) as stub:
        observed = ask(model(stub), terms=Terms(0.2))
    assert (observed.outcome, observed.reason) == ("timeout", "no reply within 0.2 s")
    assert len(stub.sent) == 1


def test_the_time_is_that_of_the_whole_attempt() -> None:
    """What the first reply took is not there for the second."""
    question = Question("talk", (Put("One."), Put("Two.")))
    with Stub(said("Yes.", after=0.4)) as stub:
        observed = ask(model(stub), question, Terms(0.7))
    assert (observed.outcome, len(observed.turns)) == ("timeout", 1)


def test_what_a_provider_makes_us_wait_is_not_the_systems_time() -> None:
    """A rate limit takes nothing of it."""
    with Stub(script=[refused(429, retry_after="0.6"), said("Hello!")]) as stub:
        observed = ask(model(stub), terms=Terms(0.5))
    assert observed.outcome == "completed"


def test_tries_stand_in_the_turn_that_came_after_them() -> None:
    """Each with its status and wait."""
    with Stub(script=[refused(429, **NOW), refused(503, **NOW), said("Hello!")]) as stub:
        observed = ask(model(stub))
    (turn,) = observed.turns
    assert [tried.status for tried in turn.tries] == [429, 503]
    assert observed.tries == ()


def test_tries_stand_in_the_attempt_where_no_reply_came() -> None:
    """A provider that refuses to the end is no fault of the system."""
    with Stub(refused(503, "overloaded", **NOW)) as stub:
        observed = ask(model(stub, tries=3))
    assert (observed.outcome, observed.turns) == ("provider_error", ())
    assert [tried.status for tried in observed.tries] == [503] * 3
    assert observed.reason is not None
    assert "overloaded" in observed.reason
    assert observed.reason.endswith("the last of 3 tries")


@pytest.mark.parametrize("status", [400, 404, 422])
def test_a_request_that_is_rejected_is_a_provider_error(status: int) -> None:
    """In the provider's words."""
    with Stub(refused(status, "no such model")) as stub:
        observed = ask(model(stub))
    assert observed.outcome == "provider_error"
    assert observed.reason is not None
    assert observed.reason.startswith(f"HTTP {status}: ")
    assert "no such model" in observed.reason


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("openai", {"error": {"message": "upstream failed", "code": 502}}),
        ("anthropic", {"type": "error", "error": {"message": "upstream failed"}}),
    ],
)
def test_a_fault_that_comes_as_a_reply_is_a_provider_error(kind: str, body: object) -> None:
    """Some gateways say 200 and mean otherwise; the model never spoke."""
    with Stub(reply(body)) as stub:
        observed = ask(model(stub, kind))
    assert observed.outcome == "provider_error"
    assert "upstream failed" in (observed.reason or "")


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"{}",
        b"[]",
        b"null",
        b'{"choices": [], "content": 7}',
        b'{"choices": [{"message": {"content": 7}}], "content": [{"type": "text", "text": 7}]}',
        b'{"choices": [{"message": {"content": "\\ud800"}}], "content": []}',
        b'{"choices": [{"message": {"content": NaN}}], "content": [NaN]}',
        b"[" * 99_999,
    ],
    ids=lambda body: body[:40].decode(),
)
def test_what_is_no_reply_is_malformed(kind: str, body: bytes) -> None:
    """It is told as it came, and the next attempt is asked as if nothing had been."""
    with Stub(Reply(body)) as stub:
        observed = ask(model(stub, kind))
    assert observed.outcome == "malformed"
    assert observed.reason is not None
    assert observed.reason.startswith("the reply is not of the provider's form")
    assert len(observed.reason) <= 300


def test_a_reply_that_is_too_long_is_malformed(monkeypatch: pytest.MonkeyPatch) -> None:
    """No line could hold it."""
    monkeypatch.setattr("generator.runners.wire.REPLY_LIMIT", 1000)
    with Stub(said("x" * 1000)) as stub:
        observed = ask(model(stub))
    assert observed.outcome == "malformed"
    assert (observed.reason or "").startswith("the reply has more than ")


def test_a_reply_that_is_nested_deep_ends_no_run() -> None:
    """It may be read and still be too deep to be handed back."""
    for depth in range(900, 1000, 10):
        deep = b"[" * depth + b"]" * depth
        body = said("Yes.").body.replace(b'"content"', b'"x": ' + deep + b', "content"')
        with Stub(Reply(body)) as stub:
            observed = ask(model(stub), Question("talk", (Put("One."), Put("Two."))))
        assert observed.outcome in {"completed", "malformed"}


def test_a_malformed_reply_was_billed_all_the_same() -> None:
    """Its tokens are counted, and what it said is shown."""
    body = {"choices": "none", "usage": {"prompt_tokens": 7, "completion_tokens": 9}}
    with Stub(reply(body)) as stub:
        observed = ask(model(stub))
    (turn,) = observed.turns
    assert (observed.outcome, turn.content) == ("malformed", None)
    assert turn.tokens == Tokens(input=7, output=9)
    assert '"choices": "none"' in (observed.reason or "")


def test_replies_before_one_that_fails_are_kept() -> None:
    """What was observed stays, whatever comes then."""
    question = Question("talk", (Put("One."), Put("Two.")))
    with Stub(script=[said("Yes."), refused(400)]) as stub:
        observed = ask(model(stub), question)
    assert (observed.outcome, [turn.content for turn in observed.turns]) == (
        "provider_error",
        ["Yes."],
    )


def test_a_reply_without_counters_has_none() -> None:
    """A missing counter is missing, not zero."""
    with Stub(said("Hello!", usage=None)) as stub:
        (turn,) = ask(model(stub)).turns
    assert turn.tokens is None


# The key


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_that_is_refused_ends_the_run(status: int) -> None:
    """No attempt can succeed: the fault says whose key it is, and not the key."""
    message = f"Incorrect API key provided: {KEY}."
    with Stub(refused(status, message)) as stub, pytest.raises(Unauthorised) as caught:
        ask(model(stub))
    assert caught.value.what.startswith(f"local refused the key: HTTP {status}: ")
    assert caught.value.remedy == "Set OPENAI_API_KEY to a key that may use m."
    assert KEY not in caught.value.what


def test_a_question_that_is_forbidden_is_not_a_key_that_is_refused() -> None:
    """Where the key was taken before, a 403 is about what was asked."""
    question = Question("talk", (Put("One."), Put("Two.")))
    with Stub(script=[said("Yes."), refused(403, "flagged")]) as stub:
        observed = ask(model(stub), question)
    assert observed.outcome == "provider_error"


# Tools in the prompt


def test_tools_are_put_into_the_prompt() -> None:
    """The request has none then; the reply's block is a call, whose result is a message."""
    call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'
    with Stub(script=[said(call), said("18.")]) as stub:
        observed = ask(model(stub, tools="prompted"), ROME)
    first = prompted.offer(ROME.tools) + "How is the weather in Rome?"
    assert prompts(stub) == [
        [{"role": "user", "content": first}],
        [
            {"role": "user", "content": first},
            {"role": "assistant", "content": call},
            {"role": "user", "content": prompted.response("18 degrees")},
        ],
    ]
    assert not any("tools" in sent.body for sent in stub.sent)
    assert observed.stimulus == first
    (made,) = observed.turns[0].tool_calls
    assert (made.name, json.loads(bytes(made.arguments))) == ("get_weather", {"city": "Rome"})
    assert observed.turns[0].content == call


def test_where_no_tool_is_offered_no_call_is_read() -> None:
    """A block of the form is text then."""
    call = '<tool_call>{"name": "get_weather"}</tool_call>'
    with Stub(said(call)) as stub:
        observed = ask(model(stub, tools="prompted"))
    assert prompts(stub) == [[{"role": "user", "content": "Say hello."}]]
    assert observed.turns[0].tool_calls == ()


def test_which_way_was_used_is_part_of_the_row() -> None:
    """In the surface, and by the digest of what is put before each case."""
    with Stub(said("")) as stub:
        native, asked = (
            model(stub, tools=tools).described(None) for tools in ("native", "prompted")
        )
        without = model(stub, tools="prompted", offered=None).described(None)
    assert (native.surface, native.prompt) == ("chat-completions, tools native", None)
    assert asked.surface == "chat-completions, tools prompted"
    assert asked.prompt == digest_of_json({"tools": prompted.DIGEST})
    assert native.tools == asked.tools == "0" * 64
    assert (without.surface, without.prompt, without.tools) == ("chat-completions", None, None)


# Effort


@pytest.mark.parametrize(
    ("kind", "name", "sent"),
    [
        ("openai", "low", {"reasoning_effort": "low"}),
        ("openai", "none", {"reasoning_effort": "none"}),
        ("anthropic", "none", {"thinking": {"type": "disabled"}, "max_tokens": 4096}),
        (
            "anthropic",
            "high",
            {
                "thinking": {"type": "adaptive"},
                "output_config": {"effort": "high"},
                "max_tokens": 32_000,
            },
        ),
    ],
)
def test_a_level_is_asked_for_by_the_providers_setting(
    kind: str, name: str, sent: dict[str, Any]
) -> None:
    """What is sent is what the row says, and the prompt is left alone."""
    asked = level(Effort(id=name))
    answer = said("") if kind == "openai" else blocks()
    with Stub(answer) as stub:
        system = model(stub, kind)
        entry = system.described(asked)
        observed = ask(system, terms=Terms(20.0, level=asked))
    assert entry.options == sent
    assert {key: stub.sent[0].body.get(key) for key in sent} == sent
    assert entry.axes == {EFFORT: name}
    assert (entry.prompt, observed.stimulus) == (None, "Say hello.")


def test_a_level_is_asked_for_by_prompt() -> None:
    """Its instruction stands before the first prompt, its allowance is sent, the row says so."""
    question = Question("talk", (Put("One."), Put("Two.")))
    asked = level(prompted=True)
    with Stub(said("Yes.")) as stub:
        system = model(stub)
        entry = system.described(asked)
        observed = ask(system, question, Terms(20.0, level=asked))
    assert entry.axes == {EFFORT: "low", EFFORT_BY: "prompted"}
    assert entry.options == {"max_tokens": 100}
    assert entry.prompt == digest_of_json({"effort": "Answer at once."})
    assert observed.stimulus == "Answer at once.\n\nOne."
    assert [m["content"] for m in prompts(stub)[1] if m["role"] == "user"] == [
        "Answer at once.\n\nOne.",
        "Two.",
    ]
    assert [sent.body["max_tokens"] for sent in stub.sent] == [100, 100]


@pytest.mark.parametrize(
    ("effort", "prompted_by", "options", "words"),
    [
        (Effort(id="heroic"), False, {}, "no setting for the effort 'heroic'"),
        (Effort(id="low"), True, {}, "no instruction to be asked for by"),
        (LOW, False, {"reasoning_effort": "high"}, "the effort 'low' sets it"),
        (LOW, True, {"max_tokens": 50}, "the effort 'low' sets it"),
    ],
)
def test_a_level_that_can_not_be_asked_is_refused(
    *, effort: Effort, prompted_by: bool, options: dict[str, Any], words: str
) -> None:
    """Asked all the same, it would be the same run under another name."""
    with Stub(said("")) as stub, pytest.raises(UsageError, match=words):
        model(stub, options=options).described(level(effort, prompted=prompted_by))


def test_an_option_may_give_more_room_than_the_level() -> None:
    """Only what asks for the level is the level's; a limit of tokens is anybody's."""
    with Stub(blocks()) as stub:
        entry = model(stub, "anthropic", options={"max_tokens": 64_000}).described(level())
    assert (entry.options or {})["max_tokens"] == 64_000


def test_options_are_sent_as_they_are() -> None:
    """And stand in the manifest so; what was not sent is not said."""
    options = {"temperature": 0, "seed": 7, "stop": ["\n"]}
    with Stub(said("")) as stub:
        system = model(stub, options=options)
        ask(system, HELLO, TERMS)
        bare = model(stub).described(None)
    assert {name: stub.sent[0].body[name] for name in options} == options
    assert system.described(None).options == options
    assert bare.options == {}
