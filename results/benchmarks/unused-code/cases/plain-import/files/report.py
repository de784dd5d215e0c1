"""Prints how warm the rooms are."""

import json
import statistics


def mean(readings):
    return round(statistics.mean(readings), 1)


if __name__ == "__main__":
    print(mean([20.5, 21.0, 19.75]))
