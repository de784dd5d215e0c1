from __future__ import annotations

import re
from decimal import Decimal


def gross(net: Decimal, rate: Decimal) -> Decimal:
    return net * (1 + rate)


def later(order: Order) -> Order:
    return order


class Order:
    pass
