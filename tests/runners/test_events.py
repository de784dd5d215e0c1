import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.records.bundle import Tokens, Usage
from generator.runners.events import LIMIT, LINE_LIMIT, Events


def step(name: str | None = "s1", **tokens: object) -> str:
    """A step that is over, as a program tells of it."""
    part = {"tokens": {"input": 10, "output": 4, "reasoning": 1, "cache": {"read": 2, "write": 3}}}
    part["tokens"].update(tokens)
    return json.dumps({"type": "step_finish", "part": {"id": name, **part}})


def call(name: str = "c1", status: str = "completed") -> str:
    """A call of a tool."""
    return json.dumps({"type": "tool_use", "part": {"id": name, "state": {"status": status}}})


def used(*lines: str, ended: bool = True, end: str = "\n") -> Usage:
    """What a program used that wrote these lines."""
    events = Events()
    events.hear("".join(f"{line}\n" for line in lines[:-1]).encode())
    events.hear((lines[-1] + end).encode() if lines else b"")
    return events.usage(ended=ended)


WHOLE = Tokens(input=10, output=4, reasoning=1, cache_read=2, cache_created=3)


def test_a_step_and_its_calls_are_counted() -> None:
    """Tokens by kind, calls that are over, and those in error among them."""
    told = used(call("a"), call("b", "error"), step())
    assert told == Usage("observed", WHOLE, tool_calls=2, tool_errors=1)


def test_a_stream_without_calls_reports_none() -> None:
    """Zero calls were observed: that is a figure, not a gap."""
    assert used(step()) == Usage("observed", WHOLE, tool_calls=0, tool_errors=0)


def test_the_steps_add_up() -> None:
    """Each kind for itself."""
    told = used(step("a"), step("b", input=5))
    assert told.tokens == Tokens(input=15, output=8, reasoning=2, cache_read=4, cache_created=6)


def test_the_same_part_counts_once() -> None:
    """An event that is sent again is no second step and no second call."""
    assert used(call(), call(), step(), step()) == used(call(), step())


def test_a_call_that_is_not_over_is_none() -> None:
    """It will be told again when it ends."""
    assert used(call("a", "running"), call("a"), step()).tool_calls == 1


def test_a_kind_that_one_step_does_not_tell_is_missing() -> None:
    """A sum without it would look like all of it; the other kinds stand."""
    told = used(step("a"), step("b", reasoning=None))
    assert told.tokens is not None
    assert (told.tokens.reasoning, told.tokens.input) == (None, 20)


@pytest.mark.parametrize(
    "spoilt",
    [
        "no JSON",
        "3",
        '{"type":"tool_use","part":[]}',
        '{"type":"step_finish","part":{"id":"x","tokens":{"input":-1}}}',
        '{"type":"step_finish","part":{"id":"x","tokens":{"input":true}}}',
        '{"type":"step_start"}',
        '{"type":"step_finish","part":{"tokens":{"input":1}}}',
        '{"type":"text","part":',
        "[" * 100_000,
        '{"type":"text","part":"' + "x" * LINE_LIMIT + '"}',
    ],
    ids=lambda text: text[:40],
)
def test_totals_are_withheld_where_anything_is_amiss(spoilt: str) -> None:
    """What did not come whole is partial, and says no number."""
    assert used(step(), spoilt, call()) == Usage("partial")


def test_an_end_that_is_cut_off_is_amiss() -> None:
    """The last line need not end, but has to be whole."""
    assert used(step(), call(), end="").status == "observed"
    assert used(step(), call()[:-5], end="") == Usage("partial")


def test_a_program_that_was_ended_tells_no_totals() -> None:
    """Nobody knows what it would still have told."""
    assert used(step(), ended=False) == Usage("partial")


@pytest.mark.parametrize("said", ["", "Done.", '{"type":"text","part":{"text":"hi"}}'])
def test_a_program_that_tells_nothing_is_unavailable(said: str) -> None:
    """That is another thing than telling part of it."""
    assert used(said) == Usage("unavailable")


def test_other_events_are_passed_over() -> None:
    """Whatever their parts are."""
    assert used('{"type":"text","part":"hi","more":[1]}', step()).status == "observed"


def test_a_flood_is_not_kept() -> None:
    """What is looked at has an end; beyond it nothing is held."""
    events = Events()
    events.hear(f"{step()}\n".encode())
    piece = b"x" * (4 * 1024 * 1024)
    for _ in range(2 * LIMIT // len(piece)):
        events.hear(piece)
        assert len(events._rest) <= LINE_LIMIT  # noqa: SLF001  the memory that it takes
    assert events.usage(ended=True) == Usage("partial")


@given(st.lists(st.integers(min_value=1, max_value=60)), st.integers(min_value=0, max_value=3))
def test_the_pieces_in_which_it_comes_do_not_matter(sizes: list[int], calls: int) -> None:
    """A pipe cuts where it likes."""
    lines = [call(f"c{number}") for number in range(calls)] + [step("a"), step("b")]
    text = "".join(f"{line}\n" for line in lines).encode()
    events = Events()
    for size in sizes:
        events.hear(text[:size])
        text = text[size:]
    events.hear(text)
    assert events.usage(ended=True) == used(*lines)


@given(st.binary(max_size=400))
def test_no_bytes_break_it(written: bytes) -> None:
    """A program may write anything."""
    events = Events()
    events.hear(written)
    assert events.usage(ended=True).status in {"unavailable", "partial", "observed"}


def test_a_sum_beyond_every_integer_is_withheld() -> None:
    """Each of them is one that JSON has; all of them together are none."""
    steps = [step(name, input=2**53 - 1) for name in "abc"]
    assert used(*steps) == Usage("partial")
