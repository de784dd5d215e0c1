"""What a check is: which fields it takes, and how a reader sees what it expects."""

from decimal import Decimal
from typing import Any

import msgspec
import pytest

from generator.families.blocks import Code
from generator.families.declarative.checks.catalog import CHECKS, check_type
from generator.families.declarative.checks.check import Asked, Check, CheckFault, CheckType

VALUES: dict[str, Any] = {"word_count": 1, "line_count": 1, "json_path_length": 1}
FIELDS = {"flags": "i", "path": "", "arg": "a"}


def asked(**fields: Any) -> Asked:  # noqa: ANN401  any JSON value
    """A check as its file has it."""
    return msgspec.convert(fields, Asked)


def sound(kind: CheckType) -> dict[str, Any]:
    """The fields of a sound check of a type, with all that it can take."""
    fields: dict[str, Any] = {"type": kind.id, **{name: FIELDS[name] for name in kind.takes}}
    if "{value}" in kind.says:
        fields["value"] = VALUES.get(kind.id, "a")
    return fields


def expectation(**fields: Any) -> str:  # noqa: ANN401  any JSON value
    """What a check expects, in English."""
    kind = check_type(fields["type"])
    found = Check(kind, asked(**fields), 1, kind.ready(asked(**fields))).expectation
    values = {name: value.text for name, value in found.values.items() if isinstance(value, Code)}
    assert values.keys() == found.values.keys() == {"value", "path", "arg"}
    return found.id.format(**values)


@pytest.mark.parametrize("kind", CHECKS, ids=lambda kind: kind.id)
def test_a_check_takes_its_own_fields_and_no_other(kind: CheckType) -> None:
    """A field that would be ignored is a fault, even where it is empty."""
    kind.ready(asked(**sound(kind)))
    for name in FIELDS.keys() - set(kind.takes):
        with pytest.raises(CheckFault, match=f"^a {kind.id} takes no {name}$"):
            kind.ready(asked(**sound(kind), **{name: ""}))


@pytest.mark.parametrize("kind", CHECKS, ids=lambda kind: kind.id)
def test_a_check_says_where_it_looks(kind: CheckType) -> None:
    """A path and an argument can't be left out, flags can."""
    for name in kind.takes:
        fields = {key: value for key, value in sound(kind).items() if key != name}
        if name == "flags":
            kind.ready(asked(**fields))
            continue
        with pytest.raises(CheckFault, match=f"^a {kind.id} needs `{name}`$"):
            kind.ready(asked(**fields))


def test_null_is_a_value_and_none_is_none() -> None:
    """Whoever compares with null says so; whoever forgot the value is told so."""
    missing = asked(type="json_path_equals", path="a")
    null = asked(type="json_path_equals", path="a", value=None)
    assert missing.value is null.value is None
    assert missing.given is msgspec.UNSET
    check_type("json_path_equals").ready(null)
    with pytest.raises(CheckFault, match=r"^a json_path_equals needs `value`$"):
        check_type("json_path_equals").ready(missing)


@pytest.mark.parametrize("kind", CHECKS, ids=lambda kind: kind.id)
def test_an_expectation_is_said_with_its_value(kind: CheckType) -> None:
    """A reader sees what a check expects; only what takes no value has nothing to name."""
    assert ("{value}" in kind.says) == (kind.id not in {"not_empty", "json_valid"})
    assert ("{path}" in kind.says) == ("path" in kind.takes)
    assert ("{arg}" in kind.says) == ("arg" in kind.takes)
    assert "{" not in expectation(**sound(kind))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"type": "word_count", "value": Decimal("8.0")}, "number of words: 8"),
        ({"type": "contains", "value": True}, "contains true"),
        ({"type": "not_empty"}, "says something"),
        ({"type": "json_valid"}, "is a JSON document"),
        (
            {"type": "json_path_equals", "path": "a[0].b", "value": [1, "x"]},
            "at a[0].b of the JSON: 1,x",
        ),
        ({"type": "json_path_equals", "path": "", "value": None}, "at $ of the JSON: null"),
        ({"type": "json_path_length", "path": "", "value": 2}, "number of items at $ of the JSON"),
        ({"type": "json_path_type", "path": "a", "value": "array"}, "the type at a of the JSON"),
        ({"type": "tool_called", "value": "look"}, "calls look first"),
        ({"type": "tool_not_called", "value": "look"}, "does not call look first"),
        ({"type": "tool_not_called"}, "calls no tool"),
        ({"type": "tool_arg_equals", "arg": "n", "value": 1}, "the argument n of the call: 1"),
        (
            {"type": "tool_arg_regex", "arg": "n", "value": "^a"},
            "the argument n of the call matches ^a",
        ),
    ],
)
def test_a_reader_sees_value_path_and_argument(fields: dict[str, Any], said: str) -> None:
    """Each expectation names what it looks at, and the whole of a document as `$`."""
    assert expectation(**fields).startswith(said)


@pytest.mark.parametrize(
    "value", [Decimal("1E+999999999"), Decimal("1E-999999999"), 10**400, Decimal("1." + "0" * 5000)]
)
def test_a_vast_number_is_shown_short(value: Any) -> None:  # noqa: ANN401  any JSON value
    """A hostile number can't fill the memory of whoever shows the check."""
    assert len(expectation(type="contains", value=value)) < 40
