"""Effort: which rows are one sweep, which level is recommended, and what replies take."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import permutations
from math import isclose
from statistics import stdev
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.families.declarative.corpus import read_corpus
from generator.families.declarative.effort import Sweep, sweeps
from generator.families.declarative.scorer import DeclarativeScorer, Spending
from generator.families.declarative.tiers import Tier
from generator.records.benchmark import Effort
from generator.records.bundle import Attempt, Outcome, Tokens, Turn
from generator.records.measure import Mean, Measure
from generator.records.row import Row
from tests.families.declarative.sample import BENCHMARK, case, checks, files
from tests.pages.sample import recorded

LEVELS = ("none", "low", "medium", "xhigh")
"""From cheap to dear, which is no order of their names."""

LARGE, MEDIUM, SMALL = "1.00", "0.50", "0.00"
"""Scores that earn the tiers."""

TIERS = (
    Tier(id="large", at_least={"polite": Decimal("0.90")}),
    Tier(id="medium", at_least={"polite": Decimal("0.50")}),
    Tier(id="small"),
)


def row(effort: str | None, score: str | None = MEDIUM, /, **changed: Any) -> Row:  # noqa: ANN401
    """A row at a level of effort with that score, and with some of its key changed."""
    axes = {} if effort is None else {"effort": effort}
    configuration = {
        "surface": "chat",
        "options": {"temperature": 0},
        **changed.pop("configuration", {}),
    }
    configuration["axes"] = axes | configuration.get("axes", {})
    figure = Mean(
        metric="category_score",
        part="polite",
        n=0 if score is None else 1,
        mean=None if score is None else Decimal(score),
    )
    model = changed.pop("model", "m")
    return recorded(model, configuration=configuration, **changed).with_figures(figure).row


def swept(*rows: Row, tiers: tuple[Tier, ...] = TIERS) -> tuple[Sweep, ...]:
    """The sweeps among some rows."""
    return sweeps(rows, LEVELS, tiers)


def levels(sweep: Sweep) -> list[str]:
    """The levels of a sweep in its order."""
    return [row.key.configuration.axes["effort"] for row in sweep.rows]


def recommended(*scores: str | None) -> str | None:
    """The level to take where the levels from cheap to dear have these scores."""
    (sweep,) = swept(*(row(level, score) for level, score in zip(LEVELS, scores, strict=False)))
    taken = sweep.recommended
    return None if taken is None else taken.key.configuration.axes["effort"]


# Which rows stand together


@pytest.mark.parametrize("order", list(permutations(LEVELS)), ids="-".join)
def test_levels_stand_in_their_declared_order(order: Sequence[str]) -> None:
    """However rows come and whatever levels are called: from cheap to dear, as declared."""
    (sweep,) = swept(*(row(level, LARGE) for level in order))
    assert levels(sweep) == list(LEVELS)
    assert sweep.recommended == sweep.rows[0]


def test_a_row_at_no_declared_level_takes_no_part() -> None:
    """Neither a level that the benchmark does not know nor a row without any is compared."""
    (sweep,) = swept(row("low", MEDIUM), row("high", LARGE), row(None, LARGE))
    assert levels(sweep) == ["low"]
    assert sweep.recommended == sweep.rows[0]
    assert swept(row("high"), row(None)) == ()
    assert sweeps([row("low")], (), TIERS) == ()
    assert swept() == ()


def test_a_sweep_may_lack_levels() -> None:
    """What was asked at some levels only is compared among those."""
    (sweep,) = swept(row("xhigh", LARGE), row("low", MEDIUM))
    assert (levels(sweep), sweep.tiers) == (["low", "xhigh"], ("medium", "large"))
    assert sweep.recommended == sweep.rows[1]


PROMPTED = {"axes": {"effort-by": "prompted"}}


def test_prompted_levels_never_stand_among_native_ones() -> None:
    """A level that was asked by prompt says nothing of the setting of that name."""
    both = swept(
        row("low", MEDIUM),
        row("xhigh", LARGE),
        row("low", LARGE, configuration=PROMPTED),
        row("xhigh", LARGE, configuration=PROMPTED),
    )
    assert [levels(sweep) for sweep in both] == [["low", "xhigh"], ["low", "xhigh"]]
    ways = [{"effort-by" in row.key.configuration.axes for row in sweep.rows} for sweep in both]
    assert sorted(ways, key=str) == [{False}, {True}]
    taken = {
        "effort-by" in found.key.configuration.axes: found.key.configuration.axes["effort"]
        for found in (sweep.recommended for sweep in both)
        if found is not None
    }
    assert taken == {False: "xhigh", True: "low"}


def test_prompted_levels_stand_together_although_each_has_its_own_prompt() -> None:
    """The instruction of a level is how it is asked, as a setting would be."""
    (sweep,) = swept(
        row("low", configuration={**PROMPTED, "prompt": "1" * 64, "options": {"max_tokens": 9}}),
        row("xhigh", configuration={**PROMPTED, "prompt": "2" * 64, "options": {"max_tokens": 99}}),
    )
    assert levels(sweep) == ["low", "xhigh"]


def test_another_prompt_of_native_levels_keeps_them_apart() -> None:
    """Where the level is a setting, a prompt before each case is another way of asking."""
    assert len(swept(row("low"), row("xhigh", configuration={"prompt": "2" * 64}))) == 2


@pytest.mark.parametrize(
    ("low", "dear"),
    [
        ({"reasoning_effort": "low"}, {"reasoning_effort": "xhigh"}),
        ({}, {"reasoning_effort": "xhigh"}),
        ({"reasoning": {"effort": "low"}}, {"reasoning": {"effort": "high"}}),
        (
            {"thinking": {"type": "disabled"}},
            {"thinking": {"type": "enabled", "budget_tokens": 9}, "max_tokens": 10},
        ),
        ({"max_completion_tokens": 10}, {"max_completion_tokens": 100}),
    ],
)
def test_options_that_ask_for_a_level_keep_nothing_apart(
    low: dict[str, Any], dear: dict[str, Any]
) -> None:
    """By what a provider is asked for a level differs from level to level, and must."""
    sent = {"temperature": 0}
    (sweep,) = swept(
        row("low", configuration={"options": sent | low}),
        row("xhigh", configuration={"options": sent | dear}),
    )
    assert levels(sweep) == ["low", "xhigh"]


@pytest.mark.parametrize(
    "changed",
    [
        {"configuration": {"options": {"temperature": 1}}},
        {"configuration": {"options": {}}},
        {"configuration": {"options": {"temperature": 0, "reasoning_mode": "x"}}},
        {"configuration": {"surface": "batch"}},
        {"configuration": {"arm": "control"}},
        {"configuration": {"axes": {"tools": "all"}}},
        {"provider": "another"},
        {"model": "another"},
        {"revision": "2"},
        {"runtime": None},
        {"repetitions": 2},
        {"harness_contract": 2},
        {"tools": "f" * 64},
        {"environment_class": "Linux x86_64"},
    ],
    ids=str,
)
def test_whatever_else_differs_keeps_rows_apart(changed: dict[str, Any]) -> None:
    """A sweep varies in one thing; of two systems, or two ways of asking, each has its own."""
    assert len(swept(row("low"), row("xhigh"))) == 1
    apart = swept(row("low"), row("xhigh", **changed))
    assert sorted(map(levels, apart)) == [["low"], ["xhigh"]]


def test_unknown_options_are_not_those_of_a_system_that_was_sent_none() -> None:
    """What nobody stated may have been anything."""
    unknown = {"configuration": {"options": None}}
    assert len(swept(row("low", configuration={"options": {}}), row("xhigh", **unknown))) == 2
    assert len(swept(row("low", **unknown), row("xhigh", **unknown))) == 1


# Which level is recommended


@pytest.mark.parametrize(
    ("scores", "level"),
    [
        ((LARGE, LARGE, LARGE, LARGE), "none"),
        ((SMALL, MEDIUM, LARGE, LARGE), "medium"),
        ((SMALL, MEDIUM, MEDIUM, MEDIUM), "low"),
        ((SMALL, SMALL, SMALL, LARGE), "xhigh"),
        ((SMALL, SMALL, SMALL, SMALL), "none"),
        ((MEDIUM, SMALL, LARGE, MEDIUM), "medium"),
        ((LARGE, SMALL, SMALL, SMALL), "none"),
        (("0.50", "0.89", "0.60", "0.70"), "none"),
        (("0.49", "0.50", "0.89", "0.90"), "xhigh"),
        ((None, MEDIUM, MEDIUM, None), "low"),
        ((None, None, None, SMALL), "xhigh"),
        ((None, None, None, None), None),
    ],
)
def test_the_cheapest_level_of_the_highest_tier_is_recommended(
    scores: tuple[str | None, ...], level: str | None
) -> None:
    """Of levels that reach the highest tier seen the first counts, however much more others score.

    A dearer level that reaches no more is waste; where no tier was reached nothing is recommended.
    """
    assert recommended(*scores) == level


@given(st.lists(st.sampled_from([LARGE, MEDIUM, SMALL]), min_size=1, max_size=4))
def test_nothing_cheaper_is_as_good_and_nothing_dearer_better(scores: list[str]) -> None:
    """The promise of a recommendation, for any outcome of a sweep."""
    at = LEVELS.index(recommended(*scores) or "")
    assert Decimal(scores[at]) == max(map(Decimal, scores))
    assert all(Decimal(score) < Decimal(scores[at]) for score in scores[:at])


def test_without_tiers_a_sweep_recommends_nothing() -> None:
    """A benchmark may declare levels alone: they are compared, and the reader judges."""
    (sweep,) = swept(row("low", LARGE), row("xhigh", LARGE), tiers=())
    assert (levels(sweep), sweep.tiers, sweep.recommended) == (["low", "xhigh"], (None, None), None)


def test_a_tier_follows_from_the_scores_by_the_thresholds_at_hand() -> None:
    """Where thresholds were raised since a row was recorded, it stands by its scores alone."""
    raised = (Tier(id="huge", at_least={"polite": Decimal("0.60")}), Tier(id="tiny"))
    (sweep,) = swept(row("low", MEDIUM), row("xhigh", LARGE), tiers=raised)
    assert sweep.tiers == ("tiny", "huge")
    assert sweep.recommended == sweep.rows[1]


# What replies take

REPLIED = st.builds(
    Attempt,
    id=st.just("first/polite-a/1"),
    case=st.just("polite-a"),
    system=st.just("first"),
    repetition=st.just(1),
    outcome=st.just("completed"),
    turns=st.lists(
        st.builds(
            Turn,
            tokens=st.none() | st.builds(Tokens, output=st.none() | st.integers(0, 999)),
            elapsed_us=st.none() | st.integers(0, 10**7),
        ),
        max_size=3,
    ).map(tuple),
    elapsed_us=st.none() | st.integers(0, 10**7),
)


def reply(
    *turns: tuple[int | None, int | None],
    elapsed_us: int | None = None,
    outcome: Outcome = "completed",
    said: str = "a",
) -> Attempt:
    """An attempt whose turns took these completion tokens and microseconds."""
    return Attempt(
        id="first/polite-a/1",
        case="polite-a",
        system="first",
        repetition=1,
        outcome=outcome,
        turns=tuple(
            Turn(content=said, tokens=Tokens(output=tokens), elapsed_us=time)
            for tokens, time in turns
        ),
        elapsed_us=elapsed_us,
    )


def spent(attempts: Iterable[Attempt]) -> Spending:
    """What these attempts took."""
    spending = Spending()
    for attempt in attempts:
        spending.add(attempt)
    return spending


def figures(attempts: Iterable[Attempt]) -> tuple[Mean, Mean]:
    """Completion tokens, and tokens per second."""
    tokens, speed = spent(attempts).figures()
    assert isinstance(tokens, Mean)
    assert isinstance(speed, Mean)
    assert (tokens.metric, speed.metric) == ("completion_tokens", "tokens_per_second")
    assert (tokens.part, speed.part) == (None, None)
    return tokens, speed


def as_text(figure: Mean) -> tuple[int, str | None, str | None]:
    """How many values, their mean and their spread, as they are published."""
    mean, spread = (None if value is None else str(value) for value in (figure.mean, figure.spread))
    return figure.n, mean, spread


def test_tokens_and_their_spread_by_hand() -> None:
    """10, 20 and 40 have the mean 70/3; the squares add up to 1400/3, half of it is 15.28²."""
    tokens, _ = figures([reply((10, None)), reply((20, None)), reply((40, None))])
    assert as_text(tokens) == (3, "23.3", "15.3")


def test_equal_tokens_have_no_spread() -> None:
    """A spread of zero is a figure; that of a single value is none."""
    assert as_text(figures([reply((7, None)), reply((7, None))])[0]) == (2, "7.0", "0.0")
    assert as_text(figures([reply((7, None))])[0]) == (1, "7.0", None)


def test_tokens_are_rounded_half_up() -> None:
    """One token in twenty attempts is 0.05 each, which is published as 0.1."""
    tokens, _ = figures([reply((1, None)), *[reply((0, None))] * 19])
    assert as_text(tokens) == (20, "0.1", "0.2")


def test_the_turns_of_an_attempt_count_together() -> None:
    """An attempt of several steps took what all of its replies took."""
    tokens, speed = figures([reply((10, 1_000_000), (30, 3_000_000)), reply((20, 1_000_000))])
    assert as_text(tokens) == (2, "30.0", "14.1")
    assert as_text(speed) == (2, "12.0", None)


def test_speed_is_that_of_all_tokens_together() -> None:
    """100 tokens in one second and 100 in three are 50 a second, not the mean of two speeds."""
    _, speed = figures([reply((100, 1_000_000)), reply((100, 3_000_000))])
    assert as_text(speed) == (2, "50.0", None)


@pytest.mark.parametrize(
    "silent",
    [
        reply(),
        reply((None, 1_000_000)),
        reply((5, 1_000_000), (None, 1_000_000)),
        Attempt("i", "polite-a", "first", 1, "completed", turns=(Turn(content="a"),)),
    ],
    ids=["no turn", "no counter", "a counter of two", "no tokens"],
)
def test_an_attempt_without_its_tokens_is_left_out(silent: Attempt) -> None:
    """A missing counter is missing and not zero: half of an attempt is no attempt."""
    tokens, speed = figures([reply((10, 1_000_000)), silent])
    assert (tokens.n, tokens.mean, speed.n, speed.mean) == (1, Decimal(10), 1, Decimal(10))
    nothing = figures([silent])
    assert [as_text(figure) for figure in nothing] == [(0, None, None), (0, None, None)]


def test_no_tokens_are_a_number() -> None:
    """A reply that is reported to have taken none counts with none."""
    tokens, speed = figures([reply((0, 1_000_000)), reply((10, 1_000_000))])
    assert as_text(tokens) == (2, "5.0", "7.1")
    assert as_text(speed) == (2, "5.0", None)


@pytest.mark.parametrize(
    ("untimed", "timed"),
    [
        (reply((10, None)), 0),
        (reply((10, 0)), 0),
        (reply((10, 1_000_000), (10, None)), 0),
        (reply((10, None), elapsed_us=0), 0),
        (reply((10, None), elapsed_us=2_000_000), 1),
        (reply((10, 1_000_000), (10, None), elapsed_us=4_000_000), 1),
    ],
)
def test_an_attempt_without_its_time_has_tokens_alone(untimed: Attempt, timed: int) -> None:
    """Where a turn has no time that of the attempt stands in; where both miss, it has no speed."""
    tokens, speed = figures([untimed])
    assert (tokens.n, speed.n) == (1, timed)
    assert speed.mean == (Decimal("5.0") if timed else None)


def test_the_times_of_turns_go_before_that_of_the_attempt() -> None:
    """What passes between replies, such as running a tool, is no time of the system."""
    _, speed = figures([reply((10, 1_000_000), (10, 1_000_000), elapsed_us=60_000_000)])
    assert as_text(speed) == (1, "10.0", None)


@given(st.lists(REPLIED, max_size=12), st.integers(1, 4), st.randoms())
def test_who_counted_what_leaves_no_trace(attempts: list[Attempt], parts: int, random: Any) -> None:  # noqa: ANN401
    """Several processes, in any order, come to the figures of one."""
    shares = [spent(attempts[start::parts]) for start in range(parts)]
    random.shuffle(shares)
    together = Spending()
    for share in shares:
        together.merge(share)
    assert together == spent(attempts)
    assert list(together.figures()) == list(spent(attempts).figures())


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=40))
def test_the_spread_is_the_sample_deviation(tokens: list[int]) -> None:
    """Adding up squares as they come gives what two passes over the values give."""
    figure, _ = figures(reply((number, None)) for number in tokens)
    assert figure.spread is not None
    assert figure.mean is not None
    assert isclose(figure.spread, stdev(tokens), abs_tol=0.051)
    assert abs(Fraction(figure.mean) - Fraction(sum(tokens), len(tokens))) <= Fraction(1, 20)


# When it is measured at all


def measures(attempts: Iterable[Attempt], *effort: str) -> list[Measure]:
    """What the scorer measures of a benchmark with these levels."""
    declared = BENCHMARK.model_copy(update={"effort": tuple(Effort(id=level) for level in effort)})
    asked = files(case("polite-a", checks=checks("1")))
    scorer = DeclarativeScorer(read_corpus(asked, declared))
    for each in attempts:
        scorer.add(each)
    return list(scorer.finish().measures)


SPENDING = ["completion_tokens", "tokens_per_second"]


def test_spending_is_measured_where_effort_is_declared() -> None:
    """Timed figures hold for one class of machine, so only a benchmark that asks has them."""
    tried = [reply((10, 1_000_000))]
    with_levels, without = measures(tried, "low"), measures(tried)
    assert with_levels[: len(without)] == without
    assert [measure.id for measure in with_levels[len(without) :]] == SPENDING
    assert not {measure.metric for measure in without} & set(SPENDING)


def test_nothing_reported_is_a_figure_without_a_value() -> None:
    """A system that reports no tokens has the figures all the same, and they are dashes."""
    tokens, speed = measures([reply((None, None))], "low")[-2:]
    assert tokens == Mean(metric="completion_tokens", n=0)
    assert speed == Mean(metric="tokens_per_second", n=0)


@pytest.mark.parametrize(
    ("outcome", "counts"),
    [
        ("completed", 1),
        ("timeout", 1),
        ("malformed", 1),
        ("failed", 1),
        ("provider_error", 0),
        ("harness_error", 0),
        ("over_budget", 0),
        ("skipped", 0),
    ],
)
def test_only_scored_attempts_spend(outcome: Outcome, counts: int) -> None:
    """What is in no other measure is not in these; a wrong answer has cost what it cost."""
    found = measures([reply((10, 1_000_000), outcome=outcome, said="z")], "low")
    tokens, speed = found[-2:]
    assert isinstance(tokens, Mean)
    assert isinstance(speed, Mean)
    assert (tokens.n, speed.n) == (counts, counts)


def test_what_another_scorer_spent_is_added() -> None:
    """A row that several processes score has the spending of all of its attempts."""
    declared = BENCHMARK.model_copy(update={"effort": (Effort(id="low"),)})
    corpus = read_corpus(files(case("polite-a", checks=checks("1"))), declared)
    first, second = DeclarativeScorer(corpus), DeclarativeScorer(corpus)
    first.add(reply((10, 1_000_000)))
    second.add(reply((30, 1_000_000)))
    first.merge(second.gathered())
    assert first.finish().measures[-2:] == (
        Mean(metric="completion_tokens", n=2, mean=Decimal("20.0"), spread=Decimal("14.1")),
        Mean(metric="tokens_per_second", n=2, mean=Decimal("20.0")),
    )
