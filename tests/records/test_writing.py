"""Canonical writing: the same value gives the same bytes, and they are read as that value."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from generator.records.base import Record, canonical_json, decimal_text
from generator.records.bundle import Manifest, System
from generator.records.measure import Mean, Ratio, WeightedRatio
from generator.records.row import Row
from tests.records.sample import key, manifest, plain_row, row, withdrawal

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=3)
    ),
    max_leaves=10,
)


@pytest.mark.parametrize(
    "record",
    [row(), manifest(), withdrawal(row()), key()],
    ids=lambda record: type(record).__name__,
)
def test_what_is_written_is_read_as_the_same(record: Record) -> None:
    """A record that goes through its file is the record that it was."""
    written = record.to_json()
    assert type(record).parse(written) == record
    assert type(record).parse(written).to_json() == written


def test_a_file_has_one_form() -> None:
    """Sorted keys, two spaces, UTF-8, a final newline: nothing is left to whoever writes."""
    figure = Ratio(metric="passed", part="curt", numerator=1, denominator=2)
    assert figure.to_json() == (
        b"{\n"
        b'  "denominator": 2,\n'
        b'  "kind": "ratio",\n'
        b'  "metric": "passed",\n'
        b'  "numerator": 1,\n'
        b'  "part": "curt"\n'
        b"}\n"
    )


def test_letters_are_written_as_they_are() -> None:
    """A file can be read by people of every language."""
    system = System(id="a", provider="pypi", model="Größe/città")
    assert "Größe/città".encode() in system.to_json()


def test_what_is_not_set_is_not_written() -> None:
    """An unknown field leaves no trace, so that it can't be taken for a value."""
    plain = System(id="a", provider="p", model="m").plain()
    assert "revision" not in plain
    assert "options" not in plain


def test_a_null_among_the_options_is_kept() -> None:
    """An option that was sent as null was sent: it is a value and stays."""
    system = System(id="a", provider="p", model="m", options={"seed": None})
    assert System.parse(system.to_json()) == system
    assert system.plain()["options"] == {"seed": None}


def test_order_and_white_space_of_a_source_leave_no_trace() -> None:
    """Two files that say the same are written as the same bytes."""
    backwards = json.dumps(dict(reversed(plain_row().items())), separators=(",", ":"))
    assert Row.parse(backwards).to_json() == row().to_json()


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_only_finite_numbers_are_written(number: float) -> None:
    """What no reader of JSON could read is not written."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json({"number": number})


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), JSON_VALUES, max_size=4))
def test_canonical_bytes_hold_the_value(value: dict[str, JsonValue]) -> None:
    """Any JSON object is read back from its canonical bytes, which end in one newline."""
    written = canonical_json(value)
    assert json.loads(written) == value
    assert written.endswith(b"\n")
    assert canonical_json(dict(reversed(value.items()))) == written


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), JSON_VALUES, max_size=4))
def test_options_survive_whatever_they_are(options: dict[str, JsonValue]) -> None:
    """Request options as sent come back as sent."""
    system = System(id="a", provider="p", model="m", options=options)
    again = System.parse(system.to_json())
    assert again == system
    assert again.to_json() == system.to_json()


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("1", "1"),
        ("100", "100"),
        ("1.50", "1.5"),
        ("0.10", "0.1"),
        ("2.000", "2"),
        ("1E+3", "1000"),
        ("1E-7", "0.0000001"),
        ("0.00", "0"),
    ],
)
def test_a_weight_is_written_in_one_way(number: str, text: str) -> None:
    """No exponent and no trailing zero: equal weights are equal bytes."""
    assert decimal_text(Decimal(number)) == text


@given(st.decimals(0, 10**6, places=6))
def test_a_weight_survives_its_file(weight: Decimal) -> None:
    """A weight is exact: what is read is what was written, to the last digit."""
    figure = WeightedRatio(metric="checks", numerator=Decimal(0), denominator=weight)
    again = WeightedRatio.parse(figure.to_json())
    assert again.denominator == weight
    assert again.to_json() == figure.to_json()


def test_a_rounded_figure_keeps_its_places() -> None:
    """0.50 was rounded to two places, which is part of what it says."""
    figure = Mean(metric="category_score", n=2, mean=Decimal("0.50"))
    assert figure.plain()["mean"] == "0.50"
    assert Mean.parse(figure.to_json()).to_json() == figure.to_json()


def test_the_manifest_is_whole() -> None:
    """Every field of a manifest that says everything comes back from its file."""
    everything = manifest(
        subject={"name": "server", "version": "2", "repository": "https://x", "commit": "a" * 64},
        environment={"os": "Linux", "python": "CPython 3.11", "cpu": "x86_64"},
        budget={"tokens": 1000},
        filter="curt",
        tree_at_end={"clean": "no", "paths": ["a.py"]},
    )
    assert Manifest.parse(everything.to_json()) == everything
