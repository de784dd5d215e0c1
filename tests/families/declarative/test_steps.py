"""Cases in several steps: what each reply is held against, and chains that break."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.families.declarative.corpus import FINEST_WEIGHT, Case
from generator.families.declarative.scorer import (
    ENDINGS,
    DeclarativeScorer,
    ending,
    gained,
    verdicts_of,
)
from generator.records.bundle import Attempt, Outcome, Turn
from generator.records.measure import Mean, Ratio, WeightedRatio
from tests.families.declarative.sample import POLITE, attempt, call, case, checks, corpus, steps

NAME = "polite-chain"


def calls(name: str, weight: str = "1") -> dict[str, Any]:
    """A check for a call."""
    return {"type": "tool_called", "value": name, "weight": weight}


def says(text: str, weight: str = "1") -> dict[str, Any]:
    """A check for a text."""
    return {"type": "contains", "value": text, "weight": weight}


def chain(*own: dict[str, Any], **fields: Any) -> Case:  # noqa: ANN401  any JSON value
    """A case in several steps, as it is read."""
    return corpus(steps(NAME, *own, **fields)).by_name[NAME]


def tried(*turns: Turn | str | None, outcome: Outcome = "completed") -> Attempt:
    """An attempt at it."""
    return attempt(NAME, *turns, outcome=outcome)


def made(name: str, content: str | None = None, /, **arguments: Any) -> Turn:  # noqa: ANN401
    """A reply that calls a tool."""
    return Turn(content=content, tool_calls=(call(name, arguments),))


def verdicts(own: Case, of: Attempt) -> list[tuple[bool, ...] | None]:
    """The verdicts of each step."""
    found = list(verdicts_of(own, of))
    assert tuple(step for step, _ in found) == own.steps
    return [passed for _, passed in found]


def weight(own: Case, of: Attempt) -> Decimal:
    """What an attempt gained."""
    return gained(own, of) * FINEST_WEIGHT


CHAIN = chain(
    {
        "prompt": "Find Maria, and order for her.",
        "checks": [
            calls("find"),
            {"type": "tool_arg_equals", "arg": "name", "value": "Maria", "weight": "0.5"},
        ],
    },
    {
        "toolResult": '{"id":7}',
        "checks": [
            calls("order", "2"),
            {"type": "tool_arg_equals", "arg": "id", "value": 7, "weight": "0.5"},
        ],
    },
    {"toolResult": "ordered", "checks": [says("done", "3"), {"type": "tool_not_called"}]},
)
FIND, ORDER, DONE = made("find", name="Maria"), made("order", id=7), Turn(content="done")


@pytest.mark.parametrize(
    ("turns", "expected", "gain"),
    [
        ((FIND, ORDER, DONE), [(True, True), (True, True), (True, True)], "8"),
        ((made("find"), ORDER, DONE), [(True, False), (True, True), (True, True)], "7.5"),
        ((made("look"), ORDER, DONE), [(False, False), (True, True), (True, True)], "6.5"),
        ((FIND, made("find"), DONE), [(True, True), (False, False), (True, True)], "5.5"),
        ((FIND, ORDER, made("order", "done")), [(True, True), (True, True), (True, False)], "7"),
        (("Maria", ORDER, DONE), [(False, False), None, None], "0"),
        ((FIND, "id 7", DONE), [(True, True), (False, False), None], "1.5"),
        ((FIND, ORDER), [(True, True), (True, True), None], "4"),
        ((FIND,), [(True, True), None, None], "1.5"),
        ((None,), [(False, False), None, None], "0"),
        ((), [None, None, None], "0"),
        ((FIND, ORDER, DONE, "no", made("find")), [(True, True)] * 3, "8"),
        ((ORDER, FIND, DONE), [(False, False), (False, False), (True, True)], "4"),
    ],
)
def test_each_reply_is_held_against_its_step(
    turns: tuple[Turn | str | None, ...], expected: list[Any], gain: str
) -> None:
    """A reply is that of one step; a step without one, or behind a break, counts nothing."""
    assert verdicts(CHAIN, tried(*turns)) == expected
    assert weight(CHAIN, tried(*turns)) == Decimal(gain)


def test_a_second_call_is_not_lost_on_the_chain() -> None:
    """A reply with several calls called something, whatever it said besides."""
    both = Turn(content="wait", tool_calls=(call("look"), call("find", {"name": "Maria"})))
    assert verdicts(CHAIN, tried(both, ORDER, DONE))[:2] == [(False, False), (True, True)]


def test_a_prompt_breaks_no_chain() -> None:
    """A step that only asks is reached whatever was said before it."""
    own = chain(
        {"prompt": "Hello!", "checks": [says("hi")]},
        {"prompt": "Look!", "checks": [calls("look")]},
        {"toolResult": "found", "checks": [says("found")]},
        {"prompt": "And?", "checks": [says("bye")]},
    )
    assert verdicts(own, tried("hi", made("look"), "found", "bye")) == [(True,)] * 4
    assert verdicts(own, tried("no", made("look"), "found", "bye")) == [(False,), *[(True,)] * 3]
    assert verdicts(own, tried(made("look"), "no", "found", "bye")) == [
        *((False,), (False,), None, None),
    ]


def test_what_comes_after_a_break_counts_nothing() -> None:
    """Nor does a step that only asks, once the chain is broken."""
    own = chain(
        {"prompt": "Look!", "checks": [says("a")]},
        {"toolResult": "found", "checks": [says("a")]},
        {"prompt": "And?", "checks": [says("a"), {"type": "not_contains", "value": "b"}]},
    )
    assert verdicts(own, tried("a", "a", "a")) == [(True,), None, None]
    assert weight(own, tried("a", "a", "a")) == 1
    assert verdicts(own, tried("a", made("look", "a"), "a")) == [(True,), None, None]


@pytest.mark.parametrize("prompt", [{}, {"prompt": "And?"}])
@pytest.mark.parametrize("result", ["", "found"])
def test_a_result_breaks_a_chain_also_beside_a_prompt(prompt: dict[str, str], result: str) -> None:
    """What a tool gave back, be it nothing, answers a call: without one it can't be said."""
    own = chain(
        {"prompt": "Look!", "checks": [{"type": "not_empty"}]},
        {"toolResult": result, **prompt, "checks": [{"type": "not_empty"}]},
    )
    assert verdicts(own, tried("a", "a")) == [(True,), None]
    assert verdicts(own, tried(made("look", "a"), "a")) == [(True,), (True,)]


def test_a_result_in_the_first_step_breaks_nothing() -> None:
    """Before the first step nobody could have called."""
    own = chain({"prompt": "Go on.", "toolResult": "found", "checks": [says("a")]})
    assert verdicts(own, tried("a")) == [(True,)]


@pytest.mark.parametrize("check", [{"type": "tool_not_called"}, {"type": "word_count", "value": 0}])
def test_silence_is_no_reply(check: dict[str, Any]) -> None:
    """A step that nothing reached gains nothing, even where silence would be right."""
    own = chain(
        {"prompt": "Hush!", "checks": [check]},
        {"prompt": "Hush!", "checks": [check, {"type": "not_contains", "value": "b"}]},
    )
    assert verdicts(own, tried(None, None)) == [(True,), (True, True)]
    assert verdicts(own, tried(None)) == [(True,), None]
    assert verdicts(own, tried()) == [None, None]


@pytest.mark.parametrize("outcome", ["malformed", "no_tool_call", "timeout", "failed", "cancelled"])
def test_an_attempt_that_broke_off_passes_no_step(outcome: Outcome) -> None:
    """Only a completed attempt gains, however much of it was right."""
    of = tried(FIND, ORDER, DONE, outcome=outcome)
    assert verdicts(CHAIN, of) == [None, None, None]
    assert weight(CHAIN, of) == 0


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        (tried(FIND, ORDER, DONE), "passed"),
        (tried(FIND, ORDER, DONE, "no"), "passed"),
        (tried(FIND, ORDER), "wrong"),
        (tried(FIND, "id 7", DONE), "wrong"),
        (tried(None, None, "done"), "wrong"),
        (tried("Maria"), "wrong"),
        (tried(None, " ", ""), "unanswered"),
        (tried(), "unanswered"),
        (tried(FIND, ORDER, DONE, outcome="no_tool_call"), "wrong"),
        (tried(FIND, ORDER, DONE, outcome="timeout"), "timed_out"),
        (tried(FIND, ORDER, DONE, outcome="failed"), "crashed"),
    ],
)
def test_a_chain_ends_in_one_way(of: Attempt, expected: str) -> None:
    """All steps together are one attempt: it passes by all of them, or is one kind of failure."""
    assert ending(CHAIN, of, gained(CHAIN, of)) == expected


def test_weights_of_steps_that_were_not_reached_stay_at_stake() -> None:
    """A system that stops early is measured by all that it was asked, over all repetitions."""
    own = corpus(
        steps(
            NAME,
            {"prompt": "Find.", "checks": [calls("find")]},
            {"toolResult": "7", "checks": [calls("order", "2"), says("wait", "0.5")]},
            {"toolResult": "ok", "checks": [says("done", "0.5")]},
            weight="3",
        ),
        case("polite-short", checks=checks("1")),
    )
    scorer = DeclarativeScorer(own)
    for number, turns in enumerate(
        [(FIND, made("order", "wait"), DONE), (FIND,), ("no", ORDER, DONE), ()], 1
    ):
        scorer.add(attempt(NAME, *turns, repetition=number))
    scorer.add(attempt("polite-short", "b"))
    scores = scorer.finish()
    figures = {measure.id: measure for measure in scores.measures}
    total = figures["checks.polite"]
    assert isinstance(total, WeightedRatio)
    assert (total.numerator, total.denominator) == (Decimal(5), Decimal(17))
    ratios = [figures[f"{name}.polite"] for name in ENDINGS]
    assert [each.numerator for each in ratios if isinstance(each, Ratio)] == [1, 3, 1, 0, 0]
    score = figures["category_score.polite"]
    assert isinstance(score, Mean)
    assert score.mean == Decimal("0.23")  # (3 · 5/16, rounded to 0.31, + 1 · 0) / 4 = 0.2325
    chained, _ = scores.contributions
    assert chained.case == NAME
    assert chained.part == POLITE


# A walk along a chain after the contract, that shares nothing with the one under test.

ASKED: tuple[tuple[dict[str, Any], Any], ...] = (
    ({"prompt": "p"}, False),
    ({"toolResult": "r"}, True),
    ({"prompt": "p", "toolResult": ""}, True),
)
CHECKED: tuple[tuple[dict[str, Any], Any], ...] = (
    ({"type": "tool_called", "value": "a"}, lambda turn: _called(turn) == "a"),
    ({"type": "tool_not_called"}, lambda turn: _called(turn) is None),
    ({"type": "contains", "value": "x"}, lambda turn: "x" in (turn.content or "")),
    ({"type": "not_contains", "value": "y"}, lambda turn: "y" not in (turn.content or "")),
)


def _called(turn: Turn) -> str | None:
    return turn.tool_calls[0].name if turn.tool_calls else None


STEPS = st.lists(
    st.tuples(
        st.sampled_from(ASKED),
        st.lists(st.tuples(st.sampled_from(CHECKED), st.integers(1, 4)), min_size=1, max_size=3),
    ),
    max_size=3,
)
TURNS = st.lists(
    st.builds(
        Turn,
        content=st.sampled_from([None, "x", "y", "xy"]),
        tool_calls=st.sampled_from([(), (call("a"),), (call("b"), call("a"))]),
    ),
    max_size=5,
)


def walked(drawn: Sequence[Any], turns: Sequence[Turn]) -> Fraction:
    """The weight that replies gain."""
    total = Fraction(0)
    for number, ((_, gives_back), checked) in enumerate(drawn):
        if number == len(turns):
            break
        if gives_back and number and not turns[number - 1].tool_calls:
            break
        total += sum(units for (_, good), units in checked if good(turns[number]))
    return total


@given(STEPS, TURNS)
def test_a_plain_walk_agrees(drawn: list[Any], turns: list[Turn]) -> None:
    """Somebody who follows the chain by the contract alone gets the same weight."""
    first = (ASKED[0], [(CHECKED[2], 1)])
    own = chain(
        *(
            {**asked, "checks": [{**check, "weight": units} for (check, _), units in checked]}
            for (asked, _), checked in (first, *drawn)
        )
    )
    of = tried(*turns)
    assert weight(own, of) == walked([first, *drawn], turns)
    full = 1 + sum(units for _, checked in drawn for _, units in checked)
    assert own.full * FINEST_WEIGHT == full
    assert (ending(own, of, gained(own, of)) == "passed") == (weight(own, of) == full)


@given(TURNS, st.integers(0, 5))
def test_more_replies_never_cost_what_was_gained(turns: list[Turn], kept: int) -> None:
    """Who goes on gains what was gained so far, and maybe more."""
    assert weight(CHAIN, tried(*turns[:kept])) <= weight(CHAIN, tried(*turns))
