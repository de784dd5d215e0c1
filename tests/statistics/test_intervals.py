"""Intervals and roundings, against published values, the decimal module and the statistics one."""

import statistics
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from generator.statistics.intervals import half_up, mean_interval, sample_deviation, wilson

TRIALS = st.integers(1, 500).flatmap(
    lambda trials: st.tuples(st.integers(0, trials), st.just(trials))
)
SHARES = st.fractions(0, 1, max_denominator=1000)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),  # Newcombe (1998), method 3
        (15, 148, 0.0624, 0.1605),  # the same
        (0, 20, 0.0, 0.1611),  # the same
        (1, 29, 0.0061, 0.1718),  # the same
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
    ],
)
def test_wilson_gives_the_published_interval(
    successes: int, trials: int, low: float, high: float
) -> None:
    """The interval is the one of the literature, to its four places."""
    found = wilson(successes, trials)
    assert found is not None
    assert (round(found[0], 4), round(found[1], 4)) == (low, high)


def test_no_trials_have_no_interval() -> None:
    """Where nothing was tried nothing is known, and no interval pretends otherwise."""
    assert wilson(0, 0) is None


@settings(deadline=None)  # the first interval imports scipy
@given(TRIALS)
def test_an_interval_holds_its_proportion(terms: tuple[int, int]) -> None:
    """0 ≤ low ≤ p ≤ high ≤ 1, and the interval always has a width."""
    successes, trials = terms
    found = wilson(successes, trials)
    assert found is not None
    low, high = found
    assert 0 <= low <= successes / trials <= high <= 1
    assert low < high


@settings(deadline=None)  # the first interval imports scipy
@given(TRIALS)
def test_success_and_failure_mirror_each_other(terms: tuple[int, int]) -> None:
    """Counting failures instead of successes gives the mirrored interval."""
    successes, trials = terms
    found, mirrored = wilson(successes, trials), wilson(trials - successes, trials)
    assert found is not None
    assert mirrored is not None
    assert found == pytest.approx((1 - mirrored[1], 1 - mirrored[0]), abs=1e-12)


@pytest.mark.parametrize(
    ("value", "places", "rounded"),
    [
        (Fraction(1, 8), 2, "0.13"),
        (Fraction(3, 8), 2, "0.38"),
        (Fraction(-1, 8), 2, "-0.13"),
        (Fraction(1, 3), 2, "0.33"),
        (Fraction(2, 3), 4, "0.6667"),
        (Fraction(1), 2, "1.00"),
        (Fraction(0), 2, "0.00"),
        (Fraction(-1, 1000), 2, "0.00"),
        (Fraction(5, 2), 0, "3"),
        (Fraction(1, 8) - Fraction(1, 10**60), 2, "0.12"),
        (Fraction(10**30) + Fraction(1, 2), 0, f"{10**30 + 1}"),
    ],
)
def test_halves_go_up(value: Fraction, places: int, rounded: str) -> None:
    """A half is rounded away from zero, exactly, and written with all of its places."""
    assert format(half_up(value, places), "f") == rounded


@given(st.decimals(-1000, 1000, places=8), st.integers(0, 6))
@example(Decimal("1.005"), 2)
@example(Decimal("2.675"), 2)
def test_half_up_is_what_decimal_calls_so(value: Decimal, places: int) -> None:
    """Rounding agrees with the decimal module's, which knows no float either."""
    expected = value.quantize(
        Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP, context=Context(prec=60)
    )
    assert half_up(Fraction(value), places) == expected


@given(st.fractions(), st.integers(0, 6))
def test_rounding_moves_by_half_a_place_at_most(value: Fraction, places: int) -> None:
    """The rounded figure is one of the nearest."""
    assert abs(Fraction(half_up(value, places)) - value) <= Fraction(1, 2 * 10**places)


@given(st.lists(SHARES, min_size=2, max_size=30))
def test_the_spread_is_the_sample_deviation(values: list[Fraction]) -> None:
    """The spread is that of the standard library, to more digits."""
    found = sample_deviation(values)
    assert found is not None
    assert float(found) == pytest.approx(statistics.stdev(values), abs=1e-12)


@given(st.lists(SHARES, min_size=2, max_size=8), st.randoms())
def test_the_spread_has_no_order(values: list[Fraction], random: Random) -> None:
    """The same values in any order lie equally far apart, to the last digit."""
    shuffled = list(values)
    random.shuffle(shuffled)
    assert sample_deviation(shuffled) == sample_deviation(values)


@pytest.mark.parametrize("values", [[], [Fraction(1, 2)]])
def test_fewer_than_two_values_have_no_spread(values: list[Fraction]) -> None:
    """One value says nothing of how far values lie apart."""
    assert sample_deviation(values) is None


def test_equal_values_do_not_spread() -> None:
    """No rounding makes a spread where there is none."""
    assert sample_deviation([Fraction(1, 3)] * 3) == 0


def test_the_interval_of_a_mean_is_its_formula() -> None:
    """The interval of a mean is the mean ± 1.96 · s / √n."""
    low, high = mean_interval(Fraction(1, 2), Fraction(1, 10), 4)
    assert (low, high) == (Fraction(402, 1000), Fraction(598, 1000))


@given(SHARES, SHARES, st.integers(2, 100))
def test_the_interval_of_a_mean_stays_within_scores(
    mean: Fraction, deviation: Fraction, count: int
) -> None:
    """No interval promises a score below 0 or above 1, and the mean lies in it."""
    low, high = mean_interval(mean, deviation, count)
    assert 0 <= low <= mean <= high <= 1
