from math import (
    cos,
    hypot,  # exact also for very large sides
    pi,
    sin,
)


def diagonal(width, height):
    return hypot(width, height)


def circumference(radius):
    return 2 * pi * radius
