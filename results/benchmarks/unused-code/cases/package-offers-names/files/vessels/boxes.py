import itertools
from operator import mul, pow


def lid(edge):
    """How large the lid of a cube is."""
    return mul(edge, edge)


def volume(edge):
    """How much a cube holds."""
    cube = edge ** 3
    empty = cube == 0
    return cube
