"""Numbers as they are counted with: whole units, so that every sum is exact in any order."""

import math
from decimal import Decimal
from functools import lru_cache

WEIGHT_PLACES = 20
"""Decimals of a weight; a third written as a float has sixteen, a thousandth of it nineteen."""

WEIGHT_MOST = 1_000_000
"""The greatest weight: with its decimals, sums over a million points stay within 40 digits."""

SCORE_PLACES = 6
"""Decimals of a score."""

ONE = 10**WEIGHT_PLACES
"""The weight 1 in units."""


def units(value: object, places: int, most: int) -> int | None:
    """A number from 0 to `most` in units of its last decimal place; none for anything else.

    A float counts as the shortest decimal that is written for it: 0.1 is a tenth. What has more
    places than there are is refused and not rounded, and so are booleans, texts and NaN.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        return None
    one: int = 10**places
    if isinstance(value, int):
        return value * one
    numerator, denominator = Decimal(repr(value)).as_integer_ratio()
    whole, rest = divmod(numerator * one, denominator)
    return None if rest else whole


@lru_cache(maxsize=4096)
def text(number: int, places: int) -> str:
    """Units as a decimal: no exponent, no zero at the end behind the point."""
    whole, rest = divmod(number, 10**places)
    return f"{whole}.{rest:0{places}d}".rstrip("0") if rest else str(whole)


LARGEST = 1e150
"""The greatest number that statistics are made of: the squares of a million such are finite."""


def number(value: object) -> float | None:
    """A finite number as a float; none for anything else, nor for one too large to be squared."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) + 0.0 if -LARGEST <= value <= LARGEST else None


Z_95 = 1.96
"""Half the width of the 95 % interval in standard errors, as the seed has it."""


def summary(values: list[float]) -> dict[str, float | None]:
    """How many values there are, their centre, their spread and the 95 % interval of the mean.

    The interval is limited to 0 and 1 where all values lie between them, as rates do; that of
    other figures is not, since it would not hold their mean. Sums are rounded once, by `fsum`, so
    they depend neither on the order of the values nor on the version of Python.
    """
    count = len(values)
    if not count:
        return {"n": 0, **dict.fromkeys(_FIGURES)}
    low, high = min(values), max(values)
    # The mean of equal values is that value, and of no others may rounding move it past its ends.
    mean = min(max(math.fsum(values) / count, low), high)
    variance = (
        math.fsum([apart * apart for apart in [value - mean for value in values]]) / (count - 1)
        if count > 1
        else 0.0
    )
    deviation = math.sqrt(variance)
    ends: tuple[float | None, float | None] = (None, None)
    if count > 1:
        half = Z_95 * deviation / math.sqrt(count)
        ends = (mean - half, mean + half)
        if low >= 0 and high <= 1:
            ends = (max(0.0, mean - half), min(1.0, mean + half))
    figures = (mean, low, high, high - low, variance, deviation, *ends)
    return {"n": count, **dict(zip(_FIGURES, figures, strict=True))}


_FIGURES = ("mean", "min", "max", "range", "variance", "stddev", "ci_lower", "ci_upper")
