"""Records of runs: what is refused, in which words, and how attempts become them."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.records.bundle import Attempt, Tokens, Usage, Verification
from generator.records.run_record import (
    LINE_LIMIT,
    ComparisonFault,
    RunRecord,
    is_verified,
    line_of,
    outcome_of,
    read_record,
    record_from,
    record_of,
)
from tests.families.paired.runs import SOUND, run

TIMES = st.integers(0, 10**9) | st.floats(0, 1e9)
COUNTS = st.integers(0, 2**53)
RECORDS = st.fixed_dictionaries(
    {
        **{key: st.just(value) for key, value in SOUND.items()},
        "taskID": st.from_regex(r"\A[a-zA-Z0-9_-]{1,64}\Z"),
        "model": st.text(min_size=1, max_size=300),
        "cohort": st.text(min_size=1, max_size=300),
        "repetition": COUNTS,
        "elapsedMs": TIMES,
    },
    optional={
        "verificationMs": TIMES,
        "inputTokens": COUNTS,
        "toolErrors": COUNTS,
        "metricsStatus": st.sampled_from(["observed", "partial", "unavailable"]),
    },
)

ATTEMPT = Attempt(
    id="bare/task/2",
    case="task",
    system="bare",
    repetition=2,
    outcome="completed",
    elapsed_us=1_500,
    verification=Verification(status=0, elapsed_us=250),
    usage=Usage(
        status="observed",
        tokens=Tokens(input=10, output=20, reasoning=5, cache_read=3, cache_created=1),
        tool_calls=4,
        tool_errors=0,
    ),
)


def line(**spoilt: object) -> bytes:
    """A record of the baseline as a line."""
    return json.dumps({**run(), **spoilt}).encode()


def recorded(attempt: Attempt) -> RunRecord:
    """The record of an attempt of the arm `candidate`."""
    return record_of(attempt, model="none/none", arm="candidate", cohort="first")


# Reading.


@given(RECORDS)
def test_what_is_written_is_read_again(said: dict[str, Any]) -> None:
    """A record and its line say the same, in one line, and without what is missing."""
    found = record_from(said)
    written = line_of(found)
    assert read_record(written) == found
    assert json.loads(written) == said
    assert b"\n" not in written
    assert len(written) < LINE_LIMIT


@pytest.mark.parametrize(
    ("spoilt", "told"),
    [
        ({"prompt": "x"}, "unrecognized key prompt"),
        ({"task_id": "x"}, "unrecognized key task_id"),
        ({"taskID": "a b"}, "$.taskID"),
        ({"taskID": "task\n"}, "$.taskID"),
        ({"taskID": "../task"}, "$.taskID"),
        ({"taskID": ""}, "$.taskID"),
        ({"taskID": "t" * 65}, "$.taskID"),
        ({"taskID": "tàsk"}, "$.taskID"),
        ({"taskID": 1}, "Expected `str`, got `int` - at `$.taskID`"),
        ({"arm": "a/b"}, "$.arm"),
        ({"model": ""}, "$.model"),
        ({"cohort": "c" * 301}, "$.cohort"),
        ({"repetition": -1}, "$.repetition"),
        ({"repetition": 0.5}, "$.repetition"),
        ({"repetition": True}, "Expected `int`, got `bool` - at `$.repetition`"),
        ({"repetition": "0"}, "$.repetition"),
        ({"outcome": "skipped"}, "Invalid enum value 'skipped' - at `$.outcome`"),
        ({"outcome": "Completed"}, "$.outcome"),
        ({"outcome": "failed"}, "Only completed runs can be verified"),
        ({"outcome": "timeout"}, "Only completed runs can be verified"),
        ({"outcome": "cancelled"}, "Only completed runs can be verified"),
        ({"verified": 1}, "$.verified"),
        ({"verified": "true"}, "$.verified"),
        ({"elapsedMs": -1}, "$.elapsedMs"),
        ({"elapsedMs": -0.5}, "$.elapsedMs"),
        ({"elapsedMs": "100"}, "$.elapsedMs"),
        ({"elapsedMs": False}, "$.elapsedMs"),
        ({"elapsedMs": 2**53}, "$.elapsedMs"),
        ({"elapsedMs": 1e300}, "$.elapsedMs"),
        ({"elapsedMs": float("inf")}, "Infinity is no JSON number"),
        ({"elapsedMs": float("nan")}, "NaN is no JSON number"),
        ({"verificationMs": -1}, "$.verificationMs"),
        ({"inputTokens": -1}, "$.inputTokens"),
        ({"outputTokens": 1.5}, "$.outputTokens"),
        ({"reasoningTokens": True}, "$.reasoningTokens"),
        ({"cacheReadTokens": "1"}, "$.cacheReadTokens"),
        ({"toolCalls": 2**53 + 1}, "$.toolCalls"),
        ({"toolErrors": []}, "$.toolErrors"),
        ({"metricsStatus": "maybe"}, "$.metricsStatus"),
        ({"metricsStatus": 1}, "$.metricsStatus"),
    ],
)
def test_one_spoilt_value_is_refused_by_its_name(spoilt: dict[str, object], told: str) -> None:
    """The fault says which key it is about, or what is wrong between two of them."""
    with pytest.raises(ComparisonFault) as fault:
        read_record(line(**spoilt))
    assert told in str(fault.value)
    assert fault.value.remedy.endswith(".")


@pytest.mark.parametrize("key", SOUND)
def test_a_key_that_every_record_has_is_missed(key: str) -> None:
    """A record without it is none; above all one that does not say whether it was verified."""
    said = {name: value for name, value in SOUND.items() if name != key}
    with pytest.raises(ComparisonFault, match=f"missing required field `{key}`"):
        read_record(json.dumps(said).encode())


@pytest.mark.parametrize("key", ["inputTokens", "verificationMs", "metricsStatus", "verified"])
def test_null_is_no_way_to_say_missing(key: str) -> None:
    """What is missing is left out, so that no reader takes it for zero."""
    with pytest.raises(ComparisonFault, match=f"{key} is null"):
        record_from({**SOUND, key: None})


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"[]", "Expected `object`, got `array`"),
        (b"null", "Expected `object`, got `null`"),
        (b"7", "Expected `object`, got `int`"),
        (line()[:-1] + b', "arm": "candidate"}', "the key 'arm' stands twice"),
        (line()[:-9], "Unterminated string"),
        (line() + line(), "Extra data"),
        (line(elapsedMs=7).replace(b" 7", b" 1e999"), "1e999 is beyond every float"),
        (line(elapsedMs=7).replace(b" 7", b" " + b"7" * 500), "a number of 500 digits"),
        (b'{"taskID": ' * 70 + b"1" + b"}" * 70, "nested more than 64 deep"),
        (b"[" * 30_000, "nested too deep"),
        (b"\xff\xfe{", "codec can't decode"),
        (b'{"taskID": "\xed\xa0\x80"}', "codec can't decode"),
        (b"", "Expecting value"),
        (line(model="m" * 8_000_000), "it has more than 1048576 bytes"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_two_readers_could_take_differently_is_refused(content: bytes, told: str) -> None:
    """Broken, doubled, endless or too deep: the fault says which, and nothing is read of it."""
    with pytest.raises(ComparisonFault) as fault:
        read_record(content)
    assert told in str(fault.value)


def test_an_escaped_half_of_a_character_is_no_text() -> None:
    """A lone surrogate can't be written again, so it never becomes part of a record."""
    with pytest.raises(ComparisonFault):
        read_record(line(model="\ud800"))


# Attempts.


def test_an_attempt_becomes_a_record() -> None:
    """Repetitions from 0, milliseconds, and each counter under its own name."""
    assert json.loads(line_of(recorded(ATTEMPT))) == {
        "taskID": "task",
        "arm": "candidate",
        "model": "none/none",
        "cohort": "first",
        "repetition": 1,
        "outcome": "completed",
        "verified": True,
        "elapsedMs": 1.5,
        "verificationMs": 0.25,
        "inputTokens": 10,
        "outputTokens": 20,
        "reasoningTokens": 5,
        "cacheReadTokens": 3,
        "toolCalls": 4,
        "toolErrors": 0,
        "metricsStatus": "observed",
    }


def test_what_an_attempt_does_not_say_its_record_does_not_say() -> None:
    """No oracle, no usage: neither a time of the one nor a counter of the other."""
    bare = msgspec.structs.replace(ATTEMPT, verification=None, usage=None, elapsed_us=7_000)
    expected = run("candidate", repetition=1, elapsedMs=7, verified=False)
    assert line_of(recorded(bare)) == json.dumps(expected, separators=(",", ":")).encode()


@pytest.mark.parametrize("status", ["partial", "unavailable"])
def test_counters_that_did_not_come_whole_are_said_to_be_so(status: Any) -> None:  # noqa: ANN401
    """The status travels, and no total does."""
    found = recorded(msgspec.structs.replace(ATTEMPT, usage=Usage(status=status)))
    assert found.metrics_status == status
    assert found.input_tokens is None


@pytest.mark.parametrize("status", [1, 2, 127, -9, None])
def test_only_an_oracle_that_ends_with_0_verifies(status: int | None) -> None:
    """Whatever else it ends with, or that it does not end, the task is not done."""
    attempt = msgspec.structs.replace(ATTEMPT, verification=Verification(status=status))
    assert not is_verified(attempt)
    assert (recorded(attempt).outcome, recorded(attempt).verified) == ("completed", False)


@pytest.mark.parametrize(
    ("outcome", "recorded_as"),
    [
        ("completed", "completed"),
        ("timeout", "timeout"),
        ("cancelled", "cancelled"),
        ("failed", "failed"),
        ("malformed", "failed"),
        ("no_tool_call", "failed"),
    ],
)
def test_an_ending_is_one_of_four(outcome: Any, recorded_as: str) -> None:  # noqa: ANN401
    """What did not complete and was not stopped has failed, and no oracle makes it a success."""
    attempt = msgspec.structs.replace(ATTEMPT, outcome=outcome)
    assert recorded(attempt).outcome == outcome_of(attempt) == recorded_as
    assert recorded(attempt).verified is (outcome == "completed")


@pytest.mark.parametrize("outcome", ["provider_error", "harness_error", "over_budget", "skipped"])
def test_what_counts_in_no_measure_is_no_record(outcome: Any) -> None:  # noqa: ANN401
    """It is no fault of the arm, so it must not look like a failure."""
    attempt = msgspec.structs.replace(ATTEMPT, outcome=outcome)
    assert outcome_of(attempt) is None
    with pytest.raises(ComparisonFault, match=outcome):
        recorded(attempt)


def test_an_attempt_without_a_time_is_no_record() -> None:
    """A time that nobody took is not 0."""
    with pytest.raises(ComparisonFault, match="elapsed_us"):
        recorded(msgspec.structs.replace(ATTEMPT, elapsed_us=None))


def test_an_attempt_at_what_can_be_no_task_is_no_record() -> None:
    """The name of a case is held to the same rules as that of a task."""
    with pytest.raises(ComparisonFault, match=r"\$\.taskID"):
        recorded(msgspec.structs.replace(ATTEMPT, case="a case"))
