"""What pairs say of each other, and the sentences that follow."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.families.paired.contrasting import LIMITS, Pair, Tried, conclusions, contrast
from generator.records.comparison import Contrast, Estimate, Pairs
from generator.records.comparison import Test as Trial

YES, NO = Tried(verified=True, elapsed_us=1_000), Tried(verified=False, elapsed_us=5_000)
BOTH, BASELINE, CANDIDATE, NEITHER = (YES, YES), (YES, NO), (NO, YES), (NO, NO)

TRIES = st.builds(Tried, st.booleans(), st.none() | st.integers(0, 10**6))
CASES = st.dictionaries(
    st.text("abc", min_size=1, max_size=3),
    st.lists(st.tuples(TRIES, TRIES), min_size=1, max_size=5),
    max_size=4,
)


def estimates(found: Contrast) -> dict[str, Estimate]:
    """Its estimates by id."""
    return {estimate.id: estimate for estimate in found.estimates}


def trials(found: Contrast) -> dict[str, Trial]:
    """Its tests by id."""
    return {test.id: test for test in found.tests}


def sentences(*pairs: Pair, left_out: int = 0) -> str:
    """What is concluded from the pairs of one case."""
    found = contrast({"case": pairs} if pairs else {}, left_out)
    return "\n".join(message.in_english() for message in conclusions(found))


def took(us: int | None) -> Tried:
    """A success that took so long."""
    return Tried(verified=True, elapsed_us=us)


# Figures.


@settings(deadline=None, max_examples=30)  # each draws its cases ten thousand times
@given(CASES)
def test_pairs_add_up_and_no_figure_is_beside_its_interval(cases: dict[str, list[Pair]]) -> None:
    """Every pair is of one kind; what is none has no interval; the record is a sound one."""
    found = contrast(cases, 3)
    assert Contrast.parse(found.to_json()) == found
    assert found.pairs.total == sum(map(len, cases.values()))
    assert [case.case for case in found.cases] == list(cases)
    assert found.left_out == 3
    for estimate in found.estimates:
        if estimate.low is not None:
            assert estimate.value is not None
            assert estimate.high is not None
            assert estimate.low <= estimate.high
            assert estimate.method
        if estimate.value is None:
            assert (estimate.n, estimate.low, estimate.method) == (0, None, None)
    difference = estimates(found)["verified.difference"]
    if difference.value is not None and difference.low is not None:
        assert difference.high is not None
        assert difference.low <= difference.value <= difference.high


@settings(deadline=None, max_examples=30)  # as above
@given(CASES)
def test_the_arms_can_change_places(cases: dict[str, list[Pair]]) -> None:
    """What one has the other has then, and no probability changes."""
    found = contrast(cases, 0)
    turned = contrast(
        {case: [(other, one) for one, other in pairs] for case, pairs in cases.items()}, 0
    )
    assert turned.pairs == Pairs(
        both=found.pairs.both,
        baseline_only=found.pairs.candidate_only,
        candidate_only=found.pairs.baseline_only,
        neither=found.pairs.neither,
    )
    for name, test in trials(found).items():
        other = trials(turned)[name]
        assert (test.baseline, test.candidate, test.p) == (
            other.candidate,
            other.baseline,
            other.p,
        )
    here, there = (estimates(one)["verified.difference"] for one in (found, turned))
    if here.value is not None:
        assert there.value == -here.value


def test_a_difference_is_out_of_all_pairs() -> None:
    """Pairs in which both fail, or neither, are part of what it is out of."""
    found = contrast({"a": [CANDIDATE, CANDIDATE, BASELINE], "b": [BOTH, NEITHER]}, 0)
    difference = estimates(found)["verified.difference"]
    assert (difference.n, difference.value) == (5, Decimal("0.200000"))
    assert difference.method == "clopper-pearson-bonferroni"
    assert found.fewest == 6


def test_a_case_has_one_say() -> None:
    """Over pairs eight speak for the candidate, over cases it is one against two."""
    found = contrast({"a": [CANDIDATE] * 8, "b": [BASELINE, BOTH], "c": [BASELINE]}, 0)
    over_pairs, over_cases = trials(found)["mcnemar-exact"], trials(found)["sign-exact"]
    assert (over_pairs.baseline, over_pairs.candidate, over_pairs.p) == (2, 8, Decimal("0.109375"))
    assert (over_cases.baseline, over_cases.candidate, over_cases.p) == (2, 1, Decimal("1.000000"))


def test_no_probability_is_zero() -> None:
    """What rounds to nothing is published as the least that is written: it was seen, after all."""
    found = contrast({"a": [CANDIDATE] * 300}, 0)
    assert trials(found)["mcnemar-exact"].p == Decimal("0.000001")


def test_the_least_probability_stands_for_none_that_is_larger() -> None:
    """3 to 30 has 0.0000014, which is no "at most 0.000001", however it rounds."""
    found = contrast({"a": [BASELINE] * 3 + [CANDIDATE] * 30}, 0)
    assert trials(found)["mcnemar-exact"].p == Decimal("0.000002")


def test_a_case_that_is_even_has_no_say() -> None:
    """As many successes of either arm speak for neither."""
    found = contrast({"a": [CANDIDATE, BASELINE], "b": [BOTH], "c": [NEITHER]}, 0)
    assert trials(found)["sign-exact"] == Trial(id="sign-exact", baseline=0, candidate=0)


def test_times_are_those_of_successes() -> None:
    """A failure's time is in no median, whichever arm failed; nor is one that nobody took."""
    pairs = [(took(3_000), NO), (took(1_001), took(500)), (took(None), took(700)), (NO, took(1))]
    found = contrast({"case": pairs}, 0)
    (case,) = found.cases
    assert (case.baseline_ms, case.candidate_ms) == (Decimal("2.001"), Decimal("0.500"))
    assert estimates(found)["latency.ratio_of_medians"] == Estimate(
        id="latency.ratio_of_medians", n=1, value=Decimal("0.249938")
    )
    assert estimates(found)["latency.median_of_ratios"] == Estimate(
        id="latency.median_of_ratios", n=1, value=Decimal("0.499500")
    )


def test_a_baseline_that_took_no_time_is_divided_by_never() -> None:
    """The pair is left out of the ratios; one of the candidate that took none is not."""
    found = contrast({"case": [(took(0), took(5)), (took(4), took(0))]}, 0)
    ratios = estimates(found)["latency.median_of_ratios"]
    assert (ratios.n, ratios.value) == (1, Decimal("0.000000"))


def test_a_case_without_success_has_no_time() -> None:
    """A dash, and not zero."""
    (case,) = contrast({"case": [NEITHER]}, 0).cases
    assert case.baseline_ms is case.candidate_ms is None


def test_a_median_is_rounded_half_up() -> None:
    """Half a microsecond is the last place of a median, and is rounded away from zero."""
    (case,) = contrast({"case": [(took(1), took(2)), (took(2), took(3))]}, 0).cases
    assert (case.baseline_ms, case.candidate_ms) == (Decimal("0.002"), Decimal("0.003"))


# Sentences.


@pytest.mark.parametrize(
    ("pairs", "told"),
    [
        ([CANDIDATE] * 6, "at 5 % (p = 0.031250): the candidate succeeded more often."),
        ([BASELINE] * 6, "at 5 % (p = 0.031250): the baseline succeeded more often."),
        ([CANDIDATE] * 5, "does not tell the arms apart at 5 % (p = 0.062500)"),
        ([BOTH] * 50, "No pair tells the arms apart"),
        ([], "No pair tells the arms apart"),
    ],
)
def test_one_sentence_says_whether_the_arms_are_told_apart(pairs: list[Pair], told: str) -> None:
    """In one direction, in the other, not at all; and never that the arms are alike."""
    said = sentences(*pairs)
    assert told in said
    assert ("that does not show" in said) is ("more often." not in said)


def test_what_could_have_been_seen_is_said() -> None:
    """Six pairs are the fewest that tell, out of however many there are."""
    assert "at this size is 6 of 40 pairs" in sentences(*[BOTH] * 40)
    assert "at this size is 6 of 6 pairs" in sentences(*[BOTH] * 6)
    few = sentences(*[CANDIDATE] * 5)
    assert "No difference could have been seen at this size: it takes 6 pairs" in few
    assert "there are 5." in few


def test_the_pairs_are_counted() -> None:
    """How many there are, and how many tell something, for which arm."""
    said = sentences(BOTH, NEITHER, CANDIDATE, CANDIDATE, BASELINE)
    assert "repetition: 5; in 3 of them just one arm" in said
    assert "(baseline: 1, candidate: 2)" in said


def test_pairs_that_are_left_out_are_mentioned_only_then() -> None:
    """Nothing is passed over in silence."""
    assert "Pairs left out" not in sentences(BOTH)
    assert sentences(BOTH, left_out=3).count("arm: 3.") == 1


def test_what_may_not_be_concluded_is_said_in_any_case() -> None:
    """Repetitions, speed and defaults; and the three limits, one whole sentence each."""
    for said in (sentences(BOTH), sentences(*[CANDIDATE] * 60)):
        assert "Repetitions of one task are not independent" in said
        assert "no general superiority in speed, and justifies no change of defaults." in said
    limits = [limit.in_english() for limit in LIMITS]
    assert len(limits) == 3
    assert all(limit.endswith(".") for limit in limits)
