from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from decimal import Decimal
    from fractions import Fraction


def doubled(price: "Decimal") -> "Decimal":
    return price * 2
