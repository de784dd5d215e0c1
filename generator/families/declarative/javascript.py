"""How JavaScript takes values for one another, as the rules of comparison have it.

Values are those of JSON as Python reads it; `UNDEFINED` is what is not there. Numbers are doubles.
Source: ECMA-262, Number::toString, StringToNumber, ToString of arrays and objects.
"""

import math
import re
from decimal import Decimal
from typing import Any, Final

WHITE = (
    "\t\n\v\f\r \u00a0\u1680"
    + "".join(map(chr, range(0x2000, 0x200B)))
    + ("\u2028\u2029\u202f\u205f\u3000\ufeff")
)
"""White space and line ends as ECMAScript defines them."""


class _Undefined:
    """The only value of its kind."""


UNDEFINED: Final = _Undefined()

_DECIMAL = re.compile(r"[+-]?(?:Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")
_BASES = {"0x": 16, "0o": 8, "0b": 2}
_DIGITS = {
    base: re.compile(f"[{digits}]+") for base, digits in ((16, "0-9a-fA-F"), (8, "0-7"), (2, "01"))
}
_LONGEST = 21
"""Integers with more digits are written with an exponent."""

_SMALLEST = -6
"""Numbers with more zeros behind the point are written with an exponent."""

_STEP = re.compile(r"[^.\[\]]+")
_INDEX = re.compile(r"0|[1-9][0-9]{0,14}")


def text_of(value: Any) -> str:  # noqa: ANN401  any JSON value, as below
    """`String(value)`: arrays without brackets, objects without what is in them."""
    match value:
        case str():
            return value
        case int() | float() | Decimal() if not isinstance(value, bool):
            return _number_text(_double(value))
        case list():
            return ",".join("" if inner in (None, UNDEFINED) else text_of(inner) for inner in value)
        case dict():
            return "[object Object]"
        case _:
            return {None: "null", True: "true", False: "false"}.get(value, "undefined")


def number_of(value: Any) -> float:  # noqa: ANN401
    """`Number(value)`: an empty text, an empty array and null are 0, what is no number is NaN."""
    match value:
        case None:
            return 0.0
        case bool() | int() | float() | Decimal():
            return _double(value)
        case str() | list():
            return _number_in(text_of(value).strip(WHITE))
        case _:
            return math.nan


def loosely_equal(found: Any, wanted: Any) -> bool:  # noqa: ANN401
    """Against a number both are compared as numbers, otherwise as texts."""
    if isinstance(wanted, int | float | Decimal) and not isinstance(wanted, bool):
        return number_of(found) == _double(wanted)
    return text_of(found) == text_of(wanted)


def type_of(value: Any) -> str:  # noqa: ANN401
    """`typeof value`."""
    match value:
        case _Undefined():
            return "undefined"
        case bool():
            return "boolean"
        case int() | float() | Decimal():
            return "number"
        case str():
            return "string"
        case _:
            return "object"


def at_path(value: Any, path: str) -> Any:  # noqa: ANN401
    """What lies at a dotted path (`items[0].name`); the empty path is the value itself."""
    for step in _STEP.findall(path):
        value = _member(value, step)
    return value


def _member(value: Any, name: str) -> Any:  # noqa: ANN401
    if isinstance(value, dict):
        return value.get(name, UNDEFINED)
    if not isinstance(value, list | str):
        return UNDEFINED
    members = value if isinstance(value, list) else _units(value)
    if name == "length":
        return len(members)
    if _INDEX.fullmatch(name) and int(name) < len(members):
        return members[int(name)]
    return UNDEFINED


def _units(text: str) -> list[str]:
    """What a text is made of in JavaScript: a character beyond the first plane counts as two."""
    units = text.encode("utf-16-le", "surrogatepass")
    return [chr(low + 256 * high) for low, high in zip(units[::2], units[1::2], strict=True)]


def _double(value: float | Decimal) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _number_in(text: str) -> float:
    base = _BASES.get(text[:2].lower())
    if base is not None:
        return _double(int(text[2:], base)) if _DIGITS[base].fullmatch(text[2:]) else math.nan
    if not _DECIMAL.fullmatch(text):
        return math.nan if text else 0.0
    return float(text)


def _number_text(number: float) -> str:
    if not math.isfinite(number):
        return "NaN" if math.isnan(number) else f"{'-' if number < 0 else ''}Infinity"
    _, written, exponent = Decimal(repr(abs(number))).normalize().as_tuple()
    digits, sign = "".join(map(str, written)), "-" if number < 0 else ""
    point = len(digits) + int(exponent)  # how many digits stand before it
    if len(digits) <= point <= _LONGEST:
        return sign + digits + "0" * (point - len(digits))
    if 0 < point <= _LONGEST:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if _SMALLEST < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{point - 1:+d}"
