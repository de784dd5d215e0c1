"""Values as JavaScript compares them: their text, their number, their type, and what lies where."""

import math
import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.families.declarative.javascript import (
    UNDEFINED,
    WHITE,
    at_path,
    loosely_equal,
    number_of,
    text_of,
    type_of,
)

NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?(?:e[+-][1-9][0-9]*)?")
"""How JavaScript writes a finite number."""

FLOATS = st.floats(allow_nan=False, allow_infinity=False)
PLAIN = st.none() | st.booleans() | st.integers() | FLOATS | st.text(max_size=5)
VALUES = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text("ab\u00e81-", min_size=1, max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)
NO_OBJECTS = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=3), max_leaves=12)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (UNDEFINED, "undefined"),
        (None, "null"),
        (True, "true"),
        (False, "false"),
        ("", ""),
        ("8.0", "8.0"),
        (" a ", " a "),
        (0, "0"),
        (-0.0, "0"),
        (8, "8"),
        (-8, "-8"),
        (100, "100"),
        (1.0, "1"),
        (-1.5, "-1.5"),
        (0.1, "0.1"),
        (0.1 + 0.2, "0.30000000000000004"),
        (123456.789, "123456.789"),
        (10**20, "100000000000000000000"),
        (999999999999999999999, "1e+21"),
        (123456789012345678901, "123456789012345680000"),
        (10**21, "1e+21"),
        (-(10**21), "-1e+21"),
        (1.25e21, "1.25e+21"),
        (1e22, "1e+22"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (1e-5, "0.00001"),
        (1e-6, "0.000001"),
        (1.25e-6, "0.00000125"),
        (1e-7, "1e-7"),
        (-1.25e-7, "-1.25e-7"),
        (9.5e-7, "9.5e-7"),
        (5e-324, "5e-324"),
        (2**53, "9007199254740992"),
        (2**53 + 1, "9007199254740992"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
        (math.nan, "NaN"),
        (10**400, "Infinity"),
        (-(10**400), "-Infinity"),
        (Decimal("8.0"), "8"),
        (Decimal("8.50"), "8.5"),
        (Decimal("1E+3"), "1000"),
        (Decimal("1E-6"), "0.000001"),
        (Decimal("1E+999999999"), "Infinity"),
        (Decimal("-1E+999999999"), "-Infinity"),
        (Decimal("1E-999999999"), "0"),
        (Decimal("0.1000000000000000055511151231257827021181583404541015625"), "0.1"),
        ([], ""),
        ([None], ""),
        ([UNDEFINED], ""),
        ([[]], ""),
        ([[], []], ","),
        ([1, 2.0, "a", True, None], "1,2,a,true,"),
        ([1, [2, [3, 4]], "5,6"], "1,2,3,4,5,6"),
        ([{"a": 1}], "[object Object]"),
        ({}, "[object Object]"),
        ({"a": 1}, "[object Object]"),
    ],
)
def test_a_value_has_its_text(value: Any, text: str) -> None:  # noqa: ANN401  any JSON value
    """Each kind of value is written as `String(value)` writes it."""
    assert text_of(value) == text


@given(FLOATS)
def test_the_text_of_a_number_is_that_number(number: float) -> None:
    """No digit is lost, and none is there that is not needed."""
    text = text_of(number)
    assert float(text) == number_of(text) == number
    assert NUMBER.fullmatch(text)
    assert len(_digits(text)) <= len(_digits(repr(number)))


@given(FLOATS.filter(bool))
def test_a_number_has_an_exponent_where_it_would_be_long(number: float) -> None:
    """From 1e21 up and below 1e-6 a number is written short, and nowhere else."""
    assert ("e" in text_of(number)) == (abs(number) >= 1e21 or abs(number) < 1e-6)


def _digits(text: str) -> str:
    return re.sub(r"e.*|\D", "", text).strip("0")


@given(st.integers(-(2**53), 2**53))
def test_an_integer_that_a_double_holds_is_written_in_full(number: int) -> None:
    """A whole number is written without a point, as Python writes it."""
    assert text_of(number) == text_of(float(number)) == text_of(Decimal(number)) == str(number)


@given(st.integers())
def test_an_integer_is_a_double(number: int) -> None:
    """What a double can't hold is the nearest that it can."""
    assert text_of(number) == text_of(float(number))
    assert number_of(number) == float(number)


@given(st.lists(NO_OBJECTS, max_size=4), st.lists(NO_OBJECTS, min_size=1, max_size=4))
def test_the_text_of_an_array_does_not_tell_how_it_is_nested(
    outer: list[Any], inner: list[Any]
) -> None:
    """Arrays are written without brackets."""
    assert text_of([*outer, inner]) == text_of([*outer, *inner])
    assert text_of([inner]) == text_of(inner)


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (None, 0),
        (True, 1),
        (False, 0),
        (8, 8),
        (8.5, 8.5),
        (Decimal("8.5"), 8.5),
        (10**400, math.inf),
        (-(10**400), -math.inf),
        ("", 0),
        (" \n\u00a0\ufeff", 0),
        ("8", 8),
        (" 8\n", 8),
        ("\ufeff8\u2003", 8),
        ("00012", 12),
        ("-0", 0),
        ("+5", 5),
        ("-5", -5),
        ("1.", 1),
        (".5", 0.5),
        ("-.5e-1", -0.05),
        ("5E3", 5000),
        ("5e+3", 5000),
        ("1e999", math.inf),
        ("-1e999", -math.inf),
        ("1e-999", 0),
        ("Infinity", math.inf),
        ("+Infinity", math.inf),
        ("-Infinity", -math.inf),
        ("9007199254740993", 2**53),
        ("0x1f", 31),
        ("0X1F", 31),
        ("0o17", 15),
        ("0O17", 15),
        ("0b11", 3),
        ("0B11", 3),
        (" 0x1f ", 31),
        ("0x" + "f" * 400, math.inf),
        ([], 0),
        ([[]], 0),
        ([None], 0),
        ([""], 0),
        ([" 7 "], 7),
        ([[[7]]], 7),
        (["0x10"], 16),
    ],
)
def test_a_value_has_its_number(value: Any, number: float) -> None:  # noqa: ANN401  as above
    """Each kind of value counts as `Number(value)` counts it."""
    assert number_of(value) == number


@pytest.mark.parametrize(
    "value",
    [
        UNDEFINED,
        {},
        {"a": 1},
        [1, 2],
        [True],
        [{}],
        [[], []],
        math.nan,
        "a",
        "1a",
        "1 2",
        "1,5",
        "1_000",
        "\u0661",
        "\uff11",
        "nan",
        "NaN",
        "inf",
        "infinity",
        "INFINITY",
        "Infinity1",
        ".",
        "+",
        "-",
        "+.",
        "e5",
        ".e5",
        "1e",
        "1e+",
        "1e1.5",
        "1.5.2",
        "--1",
        "+-1",
        "- 1",
        "1n",
        "0x",
        "0xg",
        "0xX1",
        "0oX1",
        "0bX1",
        "0o-1",
        "0x1.8",
        "-0x10",
        "+0x10",
        "0x-1",
        "0x 1",
        "0x1_0",
        "0o8",
        "0o",
        "0b2",
        "0b",
        "0d1",
        "0b\u0661",
        "true",
        "null",
    ],
)
def test_what_is_no_number_is_none(value: Any) -> None:  # noqa: ANN401  as above
    """What other languages read as a number is none here, and equals no number."""
    assert math.isnan(number_of(value))
    assert not any(loosely_equal(value, wanted) for wanted in (0, 1, 1.5, 31, math.nan))


@given(st.integers(0, 2**70))
def test_a_number_may_be_written_in_other_bases(number: int) -> None:
    """Hexadecimal, octal and binary texts are numbers, in either case, but for a sign."""
    for text in (f"0x{number:x}", f"0X{number:X}", f"0o{number:o}", f"0O{number:o}"):
        assert number_of(text) == float(number)
    for text in (f"0b{number:b}", f"0B{number:b}"):
        assert number_of(text) == float(number)
        assert math.isnan(number_of(f"-{text}"))


@given(FLOATS, st.text(WHITE, max_size=3), st.text(WHITE, max_size=3))
def test_white_space_around_a_number_is_not_looked_at(
    number: float, before: str, after: str
) -> None:
    """A number in a text is that number with any space around it, and none with space in it."""
    assert number_of(f"{before}{number!r}{after}") == number
    assert number_of(before + after) == 0
    assert math.isnan(number_of(f"{number!r} {before}0"))


@given(st.integers() | FLOATS | st.text(max_size=5))
def test_an_array_of_one_counts_as_what_is_in_it(value: float | str) -> None:
    """An array of one number or text is that number; of more it is none."""
    alone, wrapped = number_of(value), number_of([value])
    assert alone == wrapped or (math.isnan(alone) and math.isnan(wrapped))
    assert math.isnan(number_of([value, value]))


def test_white_space_is_that_of_the_language() -> None:
    """It is what ECMAScript says: every Unicode space, and a few controls."""
    spaces = {chr(code) for code in range(0x10000) if unicodedata.category(chr(code)) == "Zs"}
    assert set(WHITE) == spaces | set("\t\n\v\f\r\u2028\u2029\ufeff")
    assert len(set(WHITE)) == len(WHITE)


@pytest.mark.parametrize(
    ("found", "wanted", "equal"),
    [
        ("56", 56, True),
        ("5.60e1", 56, True),
        ("0x38", 56, True),
        (56, "56", True),
        (56.0, "56", True),
        (56, "56.0", False),
        ("56.0", "56", False),
        ("56", Decimal("56.0"), True),
        ("", 0, True),
        ([], 0, True),
        (None, 0, True),
        (False, 0, True),
        (True, 1, True),
        ([1], 1, True),
        (UNDEFINED, 0, False),
        ({}, 0, False),
        ("", None, False),
        ("", False, False),
        (0, False, False),
        (1, True, False),
        (True, True, True),
        ("true", True, True),
        ("True", True, False),
        (None, None, True),
        ("null", None, True),
        (UNDEFINED, None, False),
        (UNDEFINED, "undefined", True),
        (None, "", False),
        ([], "", True),
        ([None], [], True),
        ([1, 2], "1,2", True),
        ("1,2", [1, 2], True),
        ([1, [2]], [[1], 2], True),
        ({}, "[object Object]", True),
        ({"a": 1}, [{"b": 2}], True),
        ("Maria", "maria", False),
        (" a", "a", False),
        (0.1 + 0.2, 0.3, False),
        (2**53 + 1, 2**53, True),
        (10**400, 5, False),
        (math.inf, 10**400, True),
    ],
)
def test_values_are_equal_loosely(found: Any, wanted: Any, equal: bool) -> None:  # noqa: ANN401, FBT001
    """Against a number both are compared as numbers, otherwise as texts."""
    assert loosely_equal(found, wanted) == equal


@given(st.integers() | FLOATS)
def test_a_number_equals_its_text_both_ways(number: float) -> None:
    """A number in quotes is the number, and the number is its text."""
    text = text_of(number)
    for one, other in ((number, text), (text, number), ([number], number), (number, number)):
        assert loosely_equal(one, other)
    assert loosely_equal(number, math.nextafter(float(number), math.inf)) is False


@given(VALUES)
def test_every_value_can_be_compared(value: Any) -> None:  # noqa: ANN401  any JSON value
    """No value of a reply crashes a comparison, and each equals its own text."""
    assert loosely_equal(value, text_of(value))
    assert loosely_equal(value, 0) == (number_of(value) == 0)
    assert type_of(value) in {"boolean", "number", "string", "object"}


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (UNDEFINED, "undefined"),
        (None, "object"),
        ([], "object"),
        ({}, "object"),
        (True, "boolean"),
        (False, "boolean"),
        (0, "number"),
        (1.5, "number"),
        (math.nan, "number"),
        (Decimal(1), "number"),
        ("", "string"),
        ("1", "string"),
    ],
)
def test_a_value_has_its_type(value: Any, kind: str) -> None:  # noqa: ANN401  any JSON value
    """Null and arrays are objects, and a boolean is no number."""
    assert type_of(value) == kind


TREE: dict[str, Any] = {
    "items": [{"name": "a"}, {"name": "b", "sizes": [[1, 2], [3]]}],
    "text": "h\U0001f600y",
    "half": "\ud800",
    "length": 7,
    "0": "zero",
    "-1": "minus",
    " ": "space",
    "none": None,
    "number": 5,
}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("items[0].name", "a"),
        ("items.0.name", "a"),
        ("items[1].sizes[0][1]", 2),
        ("items.1.sizes.1.0", 3),
        (".items..[1]..name.", "b"),
        ("items.length", 2),
        ("items[1].sizes[0].length", 2),
        ("length", 7),
        ("0", "zero"),
        ("[0]", "zero"),
        ("-1", "minus"),
        (" ", "space"),
        ("none", None),
        ("text.length", 4),
        ("text.0", "h"),
        ("text[1]", "\ud83d"),
        ("text[2]", "\ude00"),
        ("text[3]", "y"),
        ("text.0.0.length", 1),
        ("half.length", 1),
        ("half[0]", "\ud800"),
    ],
)
def test_what_lies_at_a_path_is_found(path: str, found: Any) -> None:  # noqa: ANN401  as above
    """Names, indexes and lengths lead on, with dots or in brackets."""
    assert at_path(TREE, path) == found


@pytest.mark.parametrize(
    "path",
    [
        "nowhere",
        "Items",
        "items[2]",
        "items[-1]",
        "items[00]",
        "items[01]",
        "items[+1]",
        "items[1.0]",
        "items[\u0661]",
        "items[ 1 ]",
        "items.name",
        "items.Length",
        "items[" + "9" * 5000 + "]",
        "text[4]",
        "text.name",
        "text[-1]",
        "none.name",
        "none.length",
        "number.length",
        "number.0",
        "nowhere.at.all",
        "items[0].name.name",
        "items[0][name][name]",
    ],
)
def test_what_is_not_there_is_undefined(path: str) -> None:
    """A path that leads nowhere ends in no value, not in null, and in no crash."""
    assert at_path(TREE, path) is UNDEFINED


@pytest.mark.parametrize("path", ["", ".", "[]", "..[]"])
def test_a_path_without_a_step_is_the_value_itself(path: str) -> None:
    """The empty path is the root."""
    assert at_path(TREE, path) is TREE
    assert at_path(None, path) is None


def _places(value: Any) -> Iterator[tuple[tuple[str, ...], Any]]:  # noqa: ANN401  any JSON value
    yield (), value
    members: Any = ()
    if isinstance(value, dict):
        members = value.items()
    elif isinstance(value, list):
        members = ((str(number), inner) for number, inner in enumerate(value))
    for name, inner in members:
        yield from (((name, *rest), found) for rest, found in _places(inner))


@given(VALUES)
def test_everything_in_a_value_has_a_path(value: Any) -> None:  # noqa: ANN401  any JSON value
    """Whatever is nested somewhere is found there, in either way of writing its path."""
    for steps, found in _places(value):
        assert at_path(value, ".".join(steps)) is found
        assert at_path(value, "".join(f"[{step}]" for step in steps)) is found


@given(VALUES, st.text(".[]ab019length\u00e8"))
def test_any_path_ends_somewhere(value: Any, path: str) -> None:  # noqa: ANN401  any JSON value
    """No path and no value crash the scorer: what is found has a type."""
    assert type_of(at_path(value, path)) in {
        *("undefined", "boolean", "number", "string", "object"),
    }
