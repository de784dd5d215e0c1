import random

import discounts  # noqa: F401
from registry import RULES


def price(amount):
    for rule in RULES:
        amount = rule(amount)
    return amount
