import collections.abc as cabc
import datetime as dt
import os.path as osp
from statistics import median as middle
from textwrap import dedent as datetime


def total(lengths):
    if not isinstance(lengths, cabc.Iterable):
        raise TypeError("not a series of lengths")
    return sum(lengths)


def typical(lengths):
    return middle(lengths)
