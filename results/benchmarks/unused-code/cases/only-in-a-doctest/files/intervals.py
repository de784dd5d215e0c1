import functools
from fractions import Fraction


def halves(length):
    """Both halves of a length.

    >>> halves(Fraction(1, 3))
    (Fraction(1, 6), Fraction(1, 6))
    """
    return length / 2, length / 2
