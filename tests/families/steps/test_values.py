"""Values are compared by what they mean: one form each, so that likeness is an equivalence."""

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.families.steps.values import alike, form_of

SPELLED = st.sampled_from(
    ("3", "3.0", " 3 ", "3e0", "03", "true", " true\n", "True", "false", "", " ", "null", "-0", "x")
)
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
)
VALUES = st.recursive(
    SCALARS | SPELLED | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(SPELLED, inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (3, 3.0),
        (3, "3"),
        (3, " 3.00 "),
        (0.1, "0.1"),
        (1000, "1e3"),
        (-0.0, 0),
        ("3.0", "3"),
        (Decimal("0.10"), 0.1),
        (True, "true"),
        (False, " false"),
        ("Bolt", " Bolt\n"),
        ([1, "a"], ["1", " a"]),
        ({"a": [True]}, {"a": ["true"]}),
        (None, None),
        ("1e99999999999999999999", " 1e99999999999999999999"),
    ],
)
def test_what_means_the_same_is_alike(one: Any, other: Any) -> None:  # noqa: ANN401  any JSON value
    """Numbers are numbers, texts are trimmed, truth may be written out."""
    assert alike(one, other)
    assert alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (3, "three"),
        (3, 4),
        (1, True),
        (0, False),
        ("007", "7"),
        ("007", 7),
        (True, "True"),
        (True, "yes"),
        ("Bolt", "bolt"),
        ("a b", "a  b"),
        (None, "null"),
        (None, ""),
        ([1, 2], [2, 1]),
        ([1], 1),
        ([], {}),
        ({"a": 1}, {"a": 1, "b": None}),
        ("1e99999999999999999999", "1e99999999999999999998"),
        (float(2**53), 2**53 + 1),
        ("Infinity", "NaN"),
    ],
)
def test_what_means_something_else_is_not(one: Any, other: Any) -> None:  # noqa: ANN401  as above
    """A leading zero makes a code of a number; capitals, order and what is missing count."""
    assert not alike(one, other)
    assert not alike(other, one)


@given(VALUES)
def test_a_value_is_like_itself_and_its_text(value: Any) -> None:  # noqa: ANN401  as above
    """What was sent as JSON and read again is the same value."""
    assert alike(value, value)
    assert alike(value, json.loads(json.dumps(value)))


@given(VALUES, VALUES, VALUES)
def test_likeness_is_an_equivalence(one: Any, other: Any, third: Any) -> None:  # noqa: ANN401
    """It has no direction, and carries over."""
    assert alike(one, other) == alike(other, one)
    if alike(one, other):
        assert alike(one, third) == alike(other, third)


@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_is_like_its_text(number: float) -> None:
    """Whatever it is, and however much white space is around it."""
    assert alike(number, json.dumps(number))
    assert alike(f"\n {json.dumps(number)} ", number)


@given(VALUES, VALUES)
def test_members_are_compared_one_by_one(one: Any, other: Any) -> None:  # noqa: ANN401
    """An array or an object is like another just if what is in them is."""
    assert alike([one], [other]) == alike(one, other) == alike({"a": one}, {"a": other})
    assert form_of([one, other]) == form_of((one, other))
