"""Checks on the JSON in what was said: paths, types, lengths, and values that can't be asked."""

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.families.declarative.checks.check import CheckFault
from tests.families.declarative.checks.sample import ready, reply

DOCUMENT: dict[str, Any] = {
    "a": [{"b": 2}, "x"],
    "n": None,
    "t": True,
    "s": "",
    "f": 1.5,
    "o": {},
    "e": [],
}


@pytest.mark.parametrize(
    ("content", "verdict"),
    [
        (json.dumps(DOCUMENT), True),
        ("here: [1,]", True),
        ("0", True),
        ("false", True),
        ('""', True),
        ("null", False),
        (" ", False),
        ("no", False),
        ("NaN", False),
    ],
)
def test_a_document_is_valid_or_not(content: str, verdict: bool) -> None:  # noqa: FBT001
    """Any JSON but null is valid, also what counts as false elsewhere."""
    assert ready("json_valid")(reply(content)) == verdict


@pytest.mark.parametrize(
    ("path", "value", "verdict"),
    [
        ("a[0].b", 2, True),
        ("a.0.b", "2", True),
        ("a[0].b", Decimal("2.0"), True),
        ("a[0].b", 3, False),
        ("a[0].b", True, False),
        ("a[1]", "x", True),
        ("a", "[object Object],x", True),
        ("a", ["[object Object]", "x"], True),
        ("a.length", 2, True),
        ("n", None, True),
        ("n", "null", True),
        ("n", 0, True),
        ("t", 1, True),
        ("t", True, True),
        ("t", "1", False),
        ("s", 0, True),
        ("s", [], True),
        ("f", Decimal("1.5"), True),
        ("o", "[object Object]", True),
        ("e", "", True),
        ("e", [], True),
        ("nowhere", None, False),
        ("nowhere.at.all", "undefined", True),
        ("nowhere", 0, False),
        ("", "[object Object]", True),
    ],
)
def test_what_lies_at_a_path_equals_loosely(
    path: str,
    value: Any,  # noqa: ANN401  any JSON value
    verdict: bool,  # noqa: FBT001  what the table expects
) -> None:
    """Against a number both are numbers, otherwise both are texts."""
    passes = ready("json_path_equals", path=path, value=value)
    assert passes(reply(json.dumps(DOCUMENT))) == verdict


@pytest.mark.parametrize(
    ("path", "types"),
    [
        ("", {"object"}),
        ("a", {"array", "object"}),
        ("n", {"object"}),
        ("t", {"boolean"}),
        ("s", {"string"}),
        ("f", {"number"}),
        ("a.length", {"number"}),
        ("o", {"object"}),
        ("nowhere", {"undefined"}),
    ],
)
def test_what_lies_at_a_path_has_its_types(path: str, types: set[str]) -> None:
    """An array is an object too, null is an object, and what is not there is undefined."""
    said = reply(json.dumps(DOCUMENT))
    known = ("array", "object", "string", "number", "boolean", "undefined", "null")
    passing = {kind for kind in known if ready("json_path_type", path=path, value=kind)(said)}
    assert passing == types


@pytest.mark.parametrize(
    ("path", "value", "verdict"),
    [
        ("a", 2, True),
        ("a", 1, False),
        ("e", 0, True),
        ("e", 1, False),
        ("s", 0, False),
        ("o", 0, False),
        ("a[1]", 1, False),
        ("n", 0, False),
        ("nowhere", 0, False),
    ],
)
def test_an_array_at_a_path_has_its_length(
    path: str,
    value: int,
    verdict: bool,  # noqa: FBT001  what the table expects
) -> None:
    """Only an array has a number of items: neither a text, nor an object, nor nothing."""
    passes = ready("json_path_length", path=path, value=value)
    assert passes(reply(json.dumps(DOCUMENT))) == verdict


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("json_path_equals", "undefined"),
        ("json_path_equals", None),
        ("json_path_equals", 0),
        ("json_path_type", "undefined"),
        ("json_path_type", "object"),
        ("json_path_length", 0),
    ],
)
@pytest.mark.parametrize("content", ["", "no", "null"])
@pytest.mark.parametrize("path", ["", "a"])
def test_without_a_document_nothing_passes(
    kind: str,
    value: Any,  # noqa: ANN401  any JSON value
    content: str,
    path: str,
) -> None:
    """Where there is no JSON, nothing is missing at a path: there is no path."""
    assert not ready(kind, path=path, value=value)(reply(content))


@pytest.mark.parametrize("content", ['{"a":' + "9" * 400 + "}", '{"a":-' + "9" * 390 + "}"])
def test_a_number_beyond_every_float_is_one(content: str) -> None:
    """What no float holds is infinite, as JavaScript has it, and no crash."""
    said = reply(content)
    assert not ready("json_path_equals", path="a", value=5)(said)
    assert ready("json_path_type", path="a", value="number")(said)
    assert ready("json_path_equals", path="a", value="-" * ("-" in content) + "Infinity")(said)


def test_half_a_surrogate_pair_is_a_text() -> None:
    """What JSON can escape and UTF-8 can't hold is compared and counted, and no crash."""
    said = reply(r'{"a":"\ud800"}')
    assert ready("json_path_equals", path="a.length", value=1)(said)
    assert not ready("json_path_equals", path="a", value="?")(said)


@pytest.mark.parametrize(
    ("kind", "fields", "what"),
    [
        ("json_valid", {"value": True}, "a json_valid takes no value, and has True"),
        ("json_valid", {"path": ""}, "a json_valid takes no path"),
        ("json_valid", {"flags": "i"}, "a json_valid takes no flags"),
        ("json_path_equals", {"path": "a"}, "a json_path_equals needs `value`"),
        ("json_path_equals", {"value": 1}, "a json_path_equals needs `path`"),
        ("json_path_equals", {"path": "a", "value": {}}, "not an object"),
        ("json_path_equals", {"path": "a", "value": 1, "arg": "x"}, "takes no arg"),
        ("json_path_type", {"value": "array"}, "a json_path_type needs `path`"),
        ("json_path_type", {"path": "a"}, "the value is the name of a type, not None"),
        ("json_path_type", {"path": "a", "value": ""}, "the value is the name of a type, not ''"),
        ("json_path_type", {"path": "a", "value": 5}, "the value is the name of a type, not 5"),
        ("json_path_type", {"path": "a", "value": ["array"]}, "the value is the name of a type"),
        ("json_path_length", {"value": 1}, "a json_path_length needs `path`"),
        ("json_path_length", {"path": "a"}, "the value is a number of items, not None"),
        ("json_path_length", {"path": "a", "value": "2"}, "the value is a number of items, not "),
        ("json_path_length", {"path": "a", "value": True}, "a number of items, not True"),
        ("json_path_length", {"path": "a", "value": -1}, "the value is a number of items, not -1"),
        ("json_path_length", {"path": "a", "value": 1.5}, "a number of items, not 1.5"),
    ],
)
def test_what_can_t_be_asked_is_refused(kind: str, fields: dict[str, Any], what: str) -> None:
    """A check without its place, or with a value of another kind, is a fault of the corpus."""
    with pytest.raises(CheckFault) as caught:
        ready(kind, **fields)
    assert what in str(caught.value)


@given(st.lists(st.integers(), max_size=9))
def test_a_length_is_that_of_the_array(items: list[int]) -> None:
    """One number of items passes, and no other."""
    said = reply(json.dumps({"a": items}))
    passing = [n for n in range(11) if ready("json_path_length", path="a", value=n)(said)]
    assert passing == [len(items)]
