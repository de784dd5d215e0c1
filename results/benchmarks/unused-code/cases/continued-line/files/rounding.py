from math import ceil, \
    floor, \
    trunc


def up(value):
    return ceil(value)


def towards_zero(value):
    return trunc(value)
