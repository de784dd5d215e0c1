"""Intervals for proportions and means."""

from decimal import Context, Decimal
from fractions import Fraction
from functools import cache

CONFIDENCE = 0.95
Z_95 = Fraction(196, 100)
"""The two-sided 95 % quantile of the standard normal, as the field writes it."""

_PRECISE = Context(prec=40)


@cache
def wilson(successes: int, trials: int) -> tuple[float, float] | None:
    """Wilson's score interval at 95 % for a proportion; none without trials.

    Wilson (1927), without continuity correction, as scipy computes it. It never leaves 0 to 1 and
    is honest at 0 of n and n of n, where the usual interval has no width.
    """
    if trials == 0:
        return None
    from scipy.stats import binomtest  # noqa: PLC0415  slow to import; only pages need it

    interval = binomtest(successes, trials).proportion_ci(CONFIDENCE, method="wilson")
    return float(interval.low), float(interval.high)


def half_up(value: Fraction, places: int) -> Decimal:
    """A fraction rounded half up (away from zero), exactly: no float takes part."""
    units = int(abs(value) * 10**places + Fraction(1, 2))
    return Decimal(-units if value < 0 else units).scaleb(-places, _PRECISE)


def sample_deviation(values: list[Fraction]) -> Fraction | None:
    """Sample standard deviation (n - 1), to forty digits; none for fewer than two values."""
    count = len(values)
    if count < 2:  # noqa: PLR2004  one value has no spread
        return None
    mean = sum(values, Fraction(0)) / count
    variance = sum(((value - mean) ** 2 for value in values), Fraction(0)) / (count - 1)
    return square_root(variance)


def square_root(value: Fraction) -> Fraction:
    """The square root of a fraction that is not negative, to forty digits."""
    quotient = _PRECISE.divide(Decimal(value.numerator), Decimal(value.denominator))
    return Fraction(quotient.sqrt(_PRECISE))


def mean_interval(mean: Fraction, deviation: Fraction, count: int) -> tuple[Fraction, Fraction]:
    """The 95 % interval of a mean of scores: mean ± 1.96 · s / √n, clipped to 0 and 1."""
    half = Z_95 * deviation / Fraction(Decimal(count).sqrt(_PRECISE))
    return max(Fraction(0), mean - half), min(Fraction(1), mean + half)
