"""What every family counts alike: nothing is lost, and nothing depends on who counted what."""

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.families.counting import LEFT_OUT, Counting
from generator.records.bundle import EXCLUDED, Attempt, Outcome, Tokens, Turn
from generator.records.row import Counts

KINDS = Tokens.__struct_fields__
NUMBERS = st.none() | st.integers(0, 9)
TOKENS = st.none() | st.builds(Tokens, **dict.fromkeys(KINDS, NUMBERS))
ATTEMPTS = st.lists(
    st.builds(
        Attempt,
        id=st.just("first/case/1"),
        case=st.just("case"),
        system=st.just("first"),
        repetition=st.just(1),
        outcome=st.sampled_from(get_args(Outcome)),
        turns=st.lists(st.builds(Turn, tokens=TOKENS), max_size=3).map(tuple),
    ),
    max_size=12,
)


def counted(attempts: Iterable[Attempt]) -> Counting:
    """Some attempts, counted in one go."""
    counting = Counting()
    for attempt in attempts:
        counting.scores(attempt)
    return counting


def test_what_is_left_out_of_all_measures_is_counted_by_name() -> None:
    """Each ending that is no fault of the system, or no try at all, has a counter of the row."""
    assert LEFT_OUT.keys() == {*EXCLUDED, "skipped"}
    assert set(LEFT_OUT.values()) < Counts.model_fields.keys()
    assert len(set(LEFT_OUT.values())) == len(LEFT_OUT)


@pytest.mark.parametrize("outcome", get_args(Outcome))
def test_an_attempt_is_scored_or_left_out(outcome: Outcome) -> None:
    """Whoever scores is told whether to; the counter of the ending, and no other, goes up."""
    counting = Counting()
    attempt = Attempt("first/case/1", "case", "first", 1, outcome, turns=(Turn(), Turn()))
    assert counting.scores(attempt) == (outcome not in LEFT_OUT)
    counts = counting.counts()
    expected = {name: int(LEFT_OUT.get(outcome) == name) for name in LEFT_OUT.values()}
    assert {name: getattr(counts, name) for name in LEFT_OUT.values()} == expected
    assert (counts.attempts, counts.scored, counts.turns) == (1, int(outcome not in LEFT_OUT), 2)


@given(ATTEMPTS)
def test_counts_are_sums(attempts: list[Attempt]) -> None:
    """Attempts, turns and each kind of tokens are added up, those of left-out attempts too."""
    counts = counted(attempts).counts()
    outcomes: Counter[str] = Counter(attempt.outcome for attempt in attempts)
    turns = [turn for attempt in attempts for turn in attempt.turns]
    assert (counts.attempts, counts.turns) == (len(attempts), len(turns))
    for outcome, name in LEFT_OUT.items():
        assert getattr(counts, name) == outcomes[outcome]
    assert counts.scored == sum(n for outcome, n in outcomes.items() if outcome not in LEFT_OUT)
    for kind in KINDS:
        reported = [getattr(turn.tokens, kind) for turn in turns if turn.tokens is not None]
        known = [number for number in reported if number is not None]
        assert getattr(counts.tokens, kind) == (sum(known) if known else None)


@given(st.lists(ATTEMPTS, max_size=4), st.randoms())
def test_counting_apart_and_merging_is_counting_together(
    parts: list[list[Attempt]],
    random: Random,
) -> None:
    """However attempts were shared out, and in whatever order the parts are added."""
    together = counted(attempt for part in parts for attempt in part)
    counted_apart = [counted(part) for part in parts]
    random.shuffle(counted_apart)
    merged = Counting()
    for each in counted_apart:
        merged.merge(each)
    assert merged.counts() == together.counts()
    assert merged.tokens == together.tokens


@given(ATTEMPTS, ATTEMPTS)
def test_merging_takes_nothing_from_the_other(one: list[Attempt], other: list[Attempt]) -> None:
    """What was merged can be merged again elsewhere, and what it was merged into goes on alone."""
    first, second = counted(one), counted(other)
    before = second.counts()
    first.merge(second)
    for attempt in one:
        first.scores(attempt)
    assert second.counts() == before
    assert first.counts() == counted([*one, *other, *one]).counts()
