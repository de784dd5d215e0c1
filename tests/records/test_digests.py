"""Digests: which corpus, which contracts, which measurement."""

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from generator.records.base import digest_of_json
from generator.records.digests import contracts_digest, corpus_digest

PATHS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)
CORPORA = st.dictionaries(PATHS, st.binary(max_size=20), max_size=4)


def test_the_published_vector_of_a_corpus() -> None:
    """The digest is the one that the contract publishes for its example."""
    assert corpus_digest({"a.json": b"{}\n", "b/c.json": b"[1]"}) == (
        "59bcd1fd76fe2136f3eb91b8b6f3d7f1481e4e2c2a38de82858e9d88d1dfafbe"
    )


def test_a_corpus_has_no_order() -> None:
    """Files are taken in byte order of their paths, however they were found."""
    files = {"b.json": b"1", "a/z.json": b"2", "B.json": b"3", "é.json": b"4", "a.json": b"5"}
    assert corpus_digest(dict(reversed(files.items()))) == corpus_digest(files)


@pytest.mark.parametrize(
    "spoilt",
    [
        {"a.json": b"{}", "b/c.json": b"[1]"},
        {"a.json": b"{}\n", "b/d.json": b"[1]"},
        {"a.json": b"{}\n"},
        {"a.json": b"{}\n", "b/c.json": b"[1]", "d.json": b""},
        {"a.json": b"[1]", "b/c.json": b"{}\n"},
    ],
)
def test_any_change_is_another_corpus(spoilt: dict[str, bytes]) -> None:
    """A byte, a name, a file more or less: each makes another corpus."""
    assert corpus_digest(spoilt) != corpus_digest({"a.json": b"{}\n", "b/c.json": b"[1]"})


@given(CORPORA, CORPORA)
def test_two_corpora_have_two_digests(one: dict[str, bytes], other: dict[str, bytes]) -> None:
    """No content can pass for the start of another file, since lengths stand before it."""
    assert (corpus_digest(one) == corpus_digest(other)) == (one == other)


def test_contracts_are_the_canonical_json_of_the_contract() -> None:
    """Sorted keys, no white space, UTF-8, a number that is no integer as its decimal text."""
    scoring = {"weights": {"b": 0.5, "a": 1}, "title": "Größe", "list": [1.5, True, None]}
    text = (
        '{"family":"declarative","family_version":1,"scoring":'
        '{"list":["1.5",true,null],"title":"Größe","weights":{"a":1,"b":"0.5"}}}'
    )
    expected = hashlib.sha256(text.encode()).hexdigest()
    assert contracts_digest("declarative", 1, scoring) == expected


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.1, "0.1"),
        (0.30000000000000004, "0.30000000000000004"),
        (1.0, "1"),
        (1e16, "10000000000000000"),
        (1e-7, "0.0000001"),
        (-2.5, "-2.5"),
    ],
)
def test_a_float_stands_as_its_shortest_decimal_text(number: float, text: str) -> None:
    """No language's way of writing floats decides about a digest."""
    assert digest_of_json({"x": number}) == digest_of_json({"x": text})


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_text_of_a_float_is_that_float(number: float) -> None:
    """Two floats that differ never share a digest by being rounded."""
    beside = number + 1.0
    assert (digest_of_json([number]) == digest_of_json([beside])) == (number == beside)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_what_is_not_finite_has_no_digest(number: float) -> None:
    """A value that can't be written has no canonical bytes."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        digest_of_json({"x": [number]})


@given(
    st.dictionaries(
        st.text("abc", max_size=3),
        st.integers() | st.floats(allow_nan=False, allow_infinity=False),
        min_size=2,
    )
)
def test_the_order_of_keys_does_not_matter(value: dict[str, JsonValue]) -> None:
    """A table says the same in any order."""
    assert digest_of_json(dict(reversed(value.items()))) == digest_of_json(value)


@pytest.mark.parametrize(
    ("family", "version", "scoring"),
    [
        ("steps", 1, {"limit": 10}),
        ("declarative", 2, {"limit": 10}),
        ("declarative", 1, {"limit": 11}),
        ("declarative", 1, {"limit": "10"}),
        ("declarative", 1, {"limit": True}),
        ("declarative", 1, {}),
    ],
)
def test_whatever_changes_a_score_changes_the_contracts(
    family: str, version: int, scoring: dict[str, JsonValue]
) -> None:
    """Family, its version and the scoring table are all part of the promise."""
    assert contracts_digest(family, version, scoring) != contracts_digest(
        "declarative", 1, {"limit": 10}
    )


def test_an_integer_beyond_every_float_keeps_its_digits() -> None:
    """Whole numbers are exact, however long."""
    long = 123456789012345678901234567890
    expected = hashlib.sha256(json.dumps([long]).encode()).hexdigest()
    assert digest_of_json([long]) == expected
