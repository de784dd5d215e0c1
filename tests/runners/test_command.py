import json
import os
import platform
import shlex
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import pytest

from generator.errors import UsageError
from generator.families.family import Put, Question
from generator.records.base import digest_of_json
from generator.records.benchmark import DeclaredSystem, Effort
from generator.records.bundle import Runtime, Tokens
from generator.records.key import EFFORT, EFFORT_BY
from generator.runners.command import OUTPUT_LIMIT, Command
from generator.runners.system import Observed, Terms
from tests.runners.sample import KEY, LOW, ROME, TERMS, WEATHER, ask, level

ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "HOME": "/home/somebody",
    "OPENAI_API_KEY": KEY,
    "GITHUB_TOKEN": "not-a-real-token",
    "LANG": "it_IT.UTF-8",
    "LC_TIME": "it_IT.UTF-8",
    "TZ": "Asia/Tokyo",
    "PYTHONHASHSEED": "7",
    "PYTHONWARNINGS": "error",
}


def program(*command: str, **said: Any) -> Command:  # noqa: ANN401  what tests like to declare
    """A declared program."""
    declared = DeclaredSystem(id="mine", command=command, provider="local", **said)
    return Command(declared, Path("/"), ENVIRONMENT, offered="0" * 64)


def script(text: str, **said: Any) -> Command:  # noqa: ANN401  the same
    """A script of the shell as a declared program."""
    return program("/bin/sh", "-c", text, **said)


def saying(value: object) -> Command:
    """A program that writes a JSON value, whatever it is asked."""
    return script(f"echo {shlex.quote(json.dumps(value))}")


def given(question: Question = ROME, terms: Terms = TERMS) -> dict[str, Any]:
    """The case as a program reads it."""
    echo = "import json, sys; json.dump({'content': sys.stdin.read()}, sys.stdout)"
    content = ask(program(sys.executable, "-c", echo), question, terms).turns[0].content
    return dict(json.loads(content or ""))


# What it is given


def test_a_program_is_given_the_case() -> None:
    """The whole conversation, the tools, the limits, and no answer key."""
    assert given() == {
        "case": "rome",
        "prompt": "How is the weather in Rome?",
        "steps": [
            {"prompt": "How is the weather in Rome?", "toolResult": None},
            {"prompt": None, "toolResult": "18 degrees"},
        ],
        "tools": [WEATHER],
        "limits": {"seconds": 20.0},
    }


def test_a_program_is_told_its_limits() -> None:
    """How many turns, and how many tokens at this level."""
    terms = Terms(5.0, turns=3, level=level(prompted=True))
    assert given(terms=terms)["limits"] == {"seconds": 5.0, "turns": 3, "tokens": 100}


def test_a_level_is_asked_for_before_the_first_prompt() -> None:
    """In the prompt, in the first step, and in what is written down as put to it."""
    terms = Terms(20.0, level=level(prompted=True))
    told = given(terms=terms)
    prompt = "Answer at once.\n\nHow is the weather in Rome?"
    assert told["prompt"] == told["steps"][0]["prompt"] == prompt
    assert ask(saying({}), ROME, terms).stimulus == prompt


def environment_of_a_program() -> list[str]:
    """The variables of a program, with their values."""
    observed = ask(script("""printf '{"content": "%s"}' "$(env | sort | tr '\\n' ' ')" """))
    return (observed.turns[0].content or "").split()


def test_a_program_inherits_no_setting_that_could_reach_an_answer() -> None:
    """Time zone, language and hash seed are the same on every machine, and no warning is raised."""
    words = environment_of_a_program()
    assert {*words} > {"TZ=UTC", "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "PYTHONHASHSEED=0"}
    assert "PYTHONWARNINGS=ignore" in words
    assert not [word for word in words if "it_IT" in word or word.startswith("LC_TIME")]


def test_python_is_the_one_that_runs_this() -> None:
    """Its packages are the ones whose versions are named, whatever is called python elsewhere."""
    echo = "import json, sys; json.dump({'content': sys.executable}, sys.stdout)"
    assert ask(program("python", "-c", echo)).turns[0].content == sys.executable


def test_a_program_has_no_keys_in_its_environment() -> None:
    """What is no secret it has as we have it."""
    words = environment_of_a_program()
    assert "HOME=/home/somebody" in words
    assert not [word for word in words if "KEY" in word or "TOKEN" in word or KEY in word]


def test_no_shell_takes_part() -> None:
    """An argument is one argument, whatever stands in it."""
    observed = ask(program("/bin/echo", '{"content": "$(id) `id` ; * | x"}'))
    assert observed.turns[0].content == "$(id) `id` ; * | x"


# What it says


def test_a_program_says_one_thing() -> None:
    """An answer, or that it declines."""
    observed = ask(saying({"content": "Hello!"}))
    assert (observed.outcome, observed.reason, observed.stimulus) == (
        "completed",
        None,
        "Say hello.",
    )
    assert [turn.content for turn in observed.turns] == ["Hello!"]
    assert observed.elapsed_us is not None
    assert ask(saying({"refusal": "No."})).turns[0].refusal == "No."


def test_a_program_says_several_things() -> None:
    """Turns as an attempt has them, with calls and tokens."""
    turns = [
        {"tool_calls": [{"name": "get_weather", "arguments": {"city": "Rome"}}]},
        {"content": "18.", "tokens": {"input": 7, "output": 2}, "model": "mine-2"},
    ]
    first, second = ask(saying({"turns": turns}), ROME).turns
    assert (first.tool_calls[0].name, bytes(first.tool_calls[0].arguments)) == (
        "get_weather",
        b'{"city": "Rome"}',
    )
    assert (second.content, second.tokens, second.model) == ("18.", Tokens(7, 2), "mine-2")


@pytest.mark.parametrize("outcome", ["completed", "failed", "provider_error", "harness_error"])
def test_a_program_may_say_how_it_ended(outcome: str) -> None:
    """With its reason."""
    observed = ask(saying({"outcome": outcome, "reason": "so it is"}))
    assert (observed.outcome, observed.reason) == (outcome, "so it is")


def test_a_program_that_failed_without_a_word_has_said_nothing() -> None:
    """What it did say before it failed is kept; who is content to say nothing has said that."""
    assert ask(saying({"outcome": "failed"})).turns == ()
    assert len(ask(saying({"outcome": "failed", "content": ""})).turns) == 1
    assert len(ask(saying({})).turns) == 1


@pytest.mark.parametrize("outcome", ["timeout", "over_budget", "skipped", "cancelled", "passed"])
def test_a_program_does_not_judge_itself(outcome: str) -> None:
    """How an attempt ends otherwise is not its to say, and a score has no place at all."""
    assert ask(saying({"content": "x", "outcome": outcome})).outcome == "malformed"


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "Hello!",
        {"content": 7},
        {"content": "x", "score": 1},
        {"turns": [{"content": "x", "passed": True}]},
        {"turns": [{"tokens": {"input": -1}}]},
        {"turns": {}},
    ],
    ids=str,
)
def test_what_is_no_observation_is_malformed(value: object) -> None:
    """It is not made into one."""
    observed = ask(saying(value))
    assert (observed.outcome, observed.turns) == ("malformed", ())
    assert (observed.reason or "").startswith("what it wrote is no observation")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("true", "it wrote nothing"),
        ("echo", "it wrote nothing"),
        ("echo '{'", "what it wrote is no observation"),
        ("echo '{} {}'", "what it wrote is no observation"),
        ('printf \'{"content": "\\377"}\'', "what it wrote is no observation"),
        ("printf '[%.0s' $(seq 3000)", "what it wrote is no observation"),
    ],
)
def test_what_is_no_json_is_malformed(text: str, words: str) -> None:
    """Nothing, half of something, two of them, no text."""
    observed = ask(script(text))
    assert observed.outcome == "malformed"
    assert (observed.reason or "").startswith(words)


def test_more_turns_than_are_allowed_are_malformed() -> None:
    """They are kept as they were said, and gain nothing."""
    turns = [{"content": "one"}, {"content": "two"}, {"content": "three"}]
    observed = ask(saying({"turns": turns}), terms=Terms(20.0, turns=2))
    assert (observed.outcome, len(observed.turns)) == ("malformed", 3)
    assert observed.reason == "it took 3 turns; at most 2 are allowed"


# How it ends


def ended(text: str, seconds: float = 20.0) -> Observed:
    """What came of a script."""
    return ask(script(text), terms=Terms(seconds))


@pytest.mark.parametrize(
    ("text", "outcome", "reason"),
    [
        ("exit 3", "failed", "it ended with status 3: "),
        ("echo '{}'; echo oh no >&2; exit 1", "failed", "it ended with status 1: oh no"),
        ("kill -11 $$", "failed", "it ended with signal 11: "),
        ("kill -9 $$", "failed", "it ended with signal 9: "),
        ("yes | head -c 1000000000", "failed", f"it wrote more than {OUTPUT_LIMIT} bytes"),
        ("sleep 1000 & echo '{}'", "completed", None),
    ],
    ids=["status", "complaint", "crash", "killed", "a gigabyte", "lingering"],
)
def test_how_a_program_ends_is_as_observed(text: str, outcome: str, reason: str | None) -> None:
    """A crash is the system's own, and what it left behind holds nobody up."""
    observed = ended(text)
    assert (observed.outcome, observed.reason) == (outcome, reason)


def test_no_answer_in_time_is_a_timeout() -> None:
    """However much it has said by then."""
    observed = ended('echo \'{"content": "x"}\'; sleep 1000', seconds=0.5)
    assert (observed.outcome, observed.reason) == ("timeout", "no answer within 0.5 s")


@pytest.mark.parametrize("name", ["/no/such/program", "no-such-program", "/etc/passwd", "a\0b"])
def test_a_program_that_can_not_be_started_is_no_fault_of_a_system(name: str) -> None:
    """It counts in no measure."""
    observed = ask(program(name))
    assert observed.outcome == "harness_error"
    assert (observed.reason or "").startswith("the program can't be started: ")


@pytest.mark.parametrize("after", [0, 250, 290, 295, 5_000, 70_000])
def test_a_complaint_is_told_without_keys(after: int) -> None:
    """A program may know the key from elsewhere; however it lies, not even half of it is told."""
    text = f"printf '%s' {KEY} >&2; head -c {after} /dev/zero | tr '\\0' . >&2; exit 1"
    reason = ended(text).reason or ""
    assert not [part for part in (KEY[:8], KEY[-8:], KEY[8:16]) if part in reason]
    assert len(reason) < 350


# What is said of it


def test_the_manifest_has_it_as_it_is_declared() -> None:
    """Where its name comes from, its version, its surface and options, the tools it is offered."""
    system = program("x", model="their-name", revision="1.2", surface="call", options={"a": 1})
    entry = system.described(None)
    assert (entry.id, entry.provider, entry.model) == ("mine", "local", "their-name")
    assert (entry.revision, entry.surface, entry.options) == ("1.2", "call", {"a": 1})
    assert (entry.axes, entry.prompt, entry.tools) == ({}, None, "0" * 64)
    assert program("x").described(None).model == "mine"
    assert program("x").described(None).runtime is None


def test_versions_are_those_that_are_installed() -> None:
    """Its own is the revision; those of what it needs are settings of the Python that runs it."""
    system = program("python", "x.py", revision_of="pytest", stands_on=("pluggy", "msgspec"))
    entry = system.described(None)
    assert entry.revision == version("pytest")
    assert entry.runtime == Runtime(
        name=platform.python_implementation(),
        version=platform.python_version(),
        settings={"msgspec": version("msgspec"), "pluggy": version("pluggy")},
    )


def test_what_comes_with_python_has_its_version() -> None:
    """The standard library is released with the interpreter."""
    entry = program("python", "x.py", revision_of="python").described(None)
    assert entry.revision == platform.python_version()
    assert entry.runtime is not None
    assert entry.runtime.settings == {}


def test_what_is_missing_is_named_before_anything_is_asked() -> None:
    """All of it at once; a package that is not there has failed at no case."""
    system = program("python", "x.py", revision_of="no-such-b", stands_on=("no-such-a", "pytest"))
    with pytest.raises(UsageError, match="not installed: no-such-a, no-such-b"):
        system.described(None)


def test_a_level_makes_another_row() -> None:
    """Marked as asked for by prompt, with the digest of the instruction and the allowance."""
    entry = program("x", options={"a": 1}).described(level(prompted=True))
    assert (entry.id, entry.axes) == ("mine-low", {EFFORT: "low", EFFORT_BY: "prompted"})
    assert entry.options == {"a": 1, "max_tokens": 100}
    assert entry.prompt == digest_of_json({"effort": "Answer at once."})


@pytest.mark.parametrize(
    ("effort", "prompted", "words"),
    [(LOW, False, "no setting for the effort"), (Effort(id="low"), True, "no instruction")],
)
def test_a_level_that_can_not_be_asked_is_refused(
    *, effort: Effort, prompted: bool, words: str
) -> None:
    """A program has no setting of its own, and without an instruction there is nothing to say."""
    with pytest.raises(UsageError, match=words):
        program("x").described(level(effort, prompted=prompted))


def test_a_case_of_any_script_arrives() -> None:
    """Characters are themselves on both ways."""
    question = Question("c", (Put("挨拶 è \U0001f44b \u2028 \"'\\"),))
    content = ask(script('cat | cut -c 1-0; echo \'{"content": "挨拶"}\''), question).turns[0]
    assert content.content == "挨拶"
    assert (
        msgspec.json.decode(msgspec.json.encode(given(question)))["prompt"]
        == question.puts[0].prompt
    )
