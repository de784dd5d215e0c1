"""Everything about numbers, in one place."""

from fractions import Fraction
from math import gcd, lcm, tau

__all__ = ["Fraction", "gcd", "halved"]


def halved(value):
    return Fraction(value) / 2
