import bisect
from math import *


def height(degrees):
    return round(sin(radians(degrees)), 3)
