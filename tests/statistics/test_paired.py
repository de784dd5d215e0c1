"""Two arms in pairs, against closed forms, enumeration and scipy's own bootstrap."""

import statistics
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.statistics.paired import (
    difference_interval,
    fewest_discordant,
    mcnemar_exact,
    median,
    ratio_of_medians,
)

SPLITS = st.integers(1, 200).flatmap(
    lambda pairs: st.integers(0, pairs).flatmap(
        lambda ones: st.tuples(st.just(ones), st.integers(0, pairs - ones), st.just(pairs))
    )
)
"""Pairs of which only the baseline succeeded, only the candidate, and all of them."""

VALUES = st.lists(st.integers(1, 2**53), max_size=4)
CASES = st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=5)

MANY = [
    ([37 * n % 101 + 50, 53 * n % 97 + 60], [29 * n % 89 + 45, 61 * n % 83 + 50, 70])
    for n in range(40)
]
"""Cases with values of both arms, spread as by chance."""

BASELINE = [[310, 295, 402], [1_204, 1_190], [88], [95, 97, 91], [640, 655, 700], [12, 13]]
CANDIDATE = [[250, 260, 255], [1_300, 1_250], [80, 85], [94], [500, 520, 777], [12, 15]]


# The difference.


@pytest.mark.parametrize("pairs", [1, 6, 10, 300])
def test_no_discordant_pair_leaves_room_for_a_difference(pairs: int) -> None:
    """The limit is Clopper and Pearson's for 0 of n, at 97.5 %: 1 - 0.0125^(1/n)."""
    end = 1 - 0.0125 ** (1 / pairs)
    assert difference_interval(0, 0, pairs) == pytest.approx((-end, end))


def test_every_pair_for_one_arm_leaves_room_for_less() -> None:
    """By the same closed form: the least share of n of n is 0.0125^(1/n)."""
    least = 0.0125 ** (1 / 10)
    assert difference_interval(0, 10, 10) == pytest.approx((least - (1 - least), 1))


def test_no_pair_has_no_interval() -> None:
    """Of nothing nothing is known."""
    assert difference_interval(0, 0, 0) is None


@settings(deadline=None)  # the first interval imports scipy
@given(SPLITS)
def test_an_interval_holds_its_difference_and_has_a_width(split: tuple[int, int, int]) -> None:
    """-1 ≤ low ≤ difference ≤ high ≤ 1; where the arms do alike, no difference lies in it."""
    ones, others, pairs = split
    found = difference_interval(ones, others, pairs)
    assert found is not None
    low, high = found
    assert -1 <= low <= (others - ones) / pairs <= high <= 1
    assert low < high
    if ones == others:
        assert low < 0 < high


@settings(deadline=None)  # as above
@given(SPLITS)
def test_the_arms_can_change_places(split: tuple[int, int, int]) -> None:
    """What is said of one arm is said of the other with the sign turned."""
    ones, others, pairs = split
    found = difference_interval(ones, others, pairs)
    turned = difference_interval(others, ones, pairs)
    assert found is not None
    assert turned is not None
    assert turned == pytest.approx((-found[1], -found[0]))


@pytest.mark.parametrize(
    ("ones", "others"), [(0.0, 0.0), (0.1, 0.1), (0.5, 0.5), (0.05, 0.3), (0.2, 0.7), (0.0, 0.02)]
)
def test_the_interval_covers_what_it_says(ones: float, others: float) -> None:
    """Over everything that can come out of 12 pairs, the true difference lies in it in 95 %."""
    pairs, covered = 12, 0.0
    for some, more in product(range(pairs + 1), repeat=2):
        rest = pairs - some - more
        if rest < 0:
            continue
        ways = comb(pairs, some) * comb(pairs - some, more)
        probability = ways * ones**some * others**more * (1 - ones - others) ** rest
        low, high = difference_interval(some, more, pairs) or (0, 0)
        covered += probability * (low <= others - ones <= high)
    assert covered >= 0.95


# The tests.


@pytest.mark.parametrize(
    ("ones", "others", "p"),
    [(1, 9, 22 / 1024), (0, 5, 2 / 32), (0, 6, 2 / 64), (5, 5, 1), (1, 1, 1), (2, 8, 112 / 1024)],
)
def test_a_split_is_as_probable_as_counting_says(ones: int, others: int, p: float) -> None:
    """By hand: all splits that are as uneven or more, out of 2^n."""
    assert mcnemar_exact(ones, others) == pytest.approx(p)
    assert mcnemar_exact(others, ones) == pytest.approx(p)


def test_where_nothing_is_discordant_there_is_nothing_to_test() -> None:
    """None is not 1: that would read as if the arms were seen to be alike."""
    assert mcnemar_exact(0, 0) is None


@settings(deadline=None)  # the first test imports scipy
@given(st.integers(0, 60), st.integers(1, 60))
def test_the_test_is_the_binomial_one(ones: int, others: int) -> None:
    """Twice the smaller tail, and never more than 1."""
    discordant = ones + others
    tail = sum(comb(discordant, k) for k in range(min(ones, others) + 1))
    assert mcnemar_exact(ones, others) == pytest.approx(min(1, 2 * tail / 2**discordant))


def test_six_pairs_are_the_fewest_that_tell() -> None:
    """2/2^6 is less than 5 %, 2/2^5 is more; a stricter test takes more."""
    assert (fewest_discordant(), fewest_discordant(0.01)) == (6, 8)
    told, untold = mcnemar_exact(0, fewest_discordant()), mcnemar_exact(0, fewest_discordant() - 1)
    assert told is not None
    assert untold is not None
    assert told < 0.05 <= untold


# The ratio of medians.


@given(st.lists(st.integers(0, 2**53)))
def test_the_median_is_exact(values: list[int]) -> None:
    """The mean of the middle two is a fraction; of nothing there is none."""
    expected = statistics.median(map(Fraction, values)) if values else None
    assert median(values) == expected


def test_two_cases_come_out_in_three_ways() -> None:
    """One case twice, the other twice, or both: the ends are those of either alone."""
    found = ratio_of_medians([[100], [100]], [[50], [200]])
    assert found is not None
    assert (found.value, found.low, found.high, found.cases) == (Fraction(5, 4), 0.5, 2.0, 2)


def test_the_interval_is_that_of_every_machine() -> None:
    """To the sixth place, whatever version of whatever drew the cases."""
    found = ratio_of_medians(BASELINE, CANDIDATE)
    assert found is not None
    assert found.low is not None
    assert found.high is not None
    assert (found.value, round(found.low, 6), round(found.high, 6)) == (
        Fraction(102, 121),
        0.29703,
        3.09375,
    )


def test_the_interval_is_about_that_of_scipy() -> None:
    """Drawn by another generator and taken between two values, the ends are nearly the same."""
    from scipy.stats import bootstrap

    def ratio(drawn: list[int]) -> float:
        ones = [value for case in drawn for value in MANY[case][0]]
        others = [value for case in drawn for value in MANY[case][1]]
        return statistics.median(others) / statistics.median(ones)

    theirs = bootstrap(
        (range(len(MANY)),), ratio, n_resamples=9_999, method="percentile", vectorized=False, rng=1
    ).confidence_interval
    ours = ratio_of_medians([case[0] for case in MANY], [case[1] for case in MANY])
    assert ours is not None
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.02)


@settings(deadline=None, max_examples=15)
@given(CASES)
def test_a_ratio_turned_over_is_the_ratio_of_the_arms_changed(
    cases: list[tuple[list[int], list[int]]],
) -> None:
    """Value and ends are turned over; cases in which one arm has nothing do not count."""
    ones, others = [case[0] for case in cases], [case[1] for case in cases]
    found, turned = ratio_of_medians(ones, others), ratio_of_medians(others, ones)
    both = [case for case in cases if all(case)]
    if not both:
        assert found is turned is None
        return
    assert found is not None
    assert turned is not None
    assert found.cases == turned.cases == len(both)
    assert found.value * turned.value == 1
    if len(both) == 1:
        assert found.low is found.high is None
    else:
        assert found.low is not None
        assert turned.high is not None
        assert found.low * turned.high == pytest.approx(1)


@pytest.mark.parametrize(
    ("baseline", "candidate"),
    [([], []), ([[1], []], [[], [1]]), ([[0]], [[5]]), ([[0, 0], [0]], [[5], [6]])],
)
def test_where_there_is_no_ratio_none_is_said(
    baseline: list[list[int]], candidate: list[list[int]]
) -> None:
    """No case with both, or a baseline that took no time at all."""
    assert ratio_of_medians(baseline, candidate) is None


def test_a_resample_without_a_ratio_leaves_no_interval() -> None:
    """Where the baseline's median may be 0, the ratio may be anything."""
    found = ratio_of_medians([[0], [10], [10]], [[5], [5], [5]])
    assert found is not None
    assert (found.value, found.low, found.high) == (Fraction(1, 2), None, None)


def test_times_that_exceed_each_other_by_far_are_counted_exactly() -> None:
    """The largest time that a record may have, beside the smallest."""
    found = ratio_of_medians([[2**53], [2**53 - 1]], [[1], [1]])
    assert found is not None
    assert found.value == Fraction(2, 2**54 - 1)
