"""The corpus: read in one order, weighed exactly, refused by file and by check."""

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.families.declarative.corpus import read_corpus
from generator.families.family import CorpusFault
from tests.families.declarative.sample import BENCHMARK, case, checks, corpus, files

PATH = "polite/polite-morning.json"
SOUND_CHECK = {"type": "not_empty"}


def fault(content: bytes) -> CorpusFault:
    """How a corpus with a spoilt file among sound ones is refused."""
    with pytest.raises(CorpusFault) as caught:
        read_corpus({**files(case("curt-hey"), case("polite-evening")), PATH: content}, BENCHMARK)
    return caught.value


def spoilt(**fields: Any) -> CorpusFault:  # noqa: ANN401  any JSON value
    """How a corpus with one spoilt case is refused."""
    return fault(json.dumps(case(**fields)).encode())


def test_cases_are_read_in_name_order() -> None:
    """Cases stand in the order of their names, wherever their files lie."""
    read = corpus(case("polite-b"), case("curt-z"), case("curt-a"), case("polite-a"))
    assert read.cases == ("curt-a", "curt-z", "polite-a", "polite-b")
    assert read.categories == (("polite", "Polite greetings"), ("curt", "Curt greetings"))


def test_the_order_of_files_leaves_no_trace() -> None:
    """A corpus is the same however its files were found."""
    found = files(case("polite-b"), case("curt-z"), case("curt-a"))
    one, other = (
        read_corpus(found, BENCHMARK),
        read_corpus(dict(reversed(found.items())), BENCHMARK),
    )
    assert one.cases == other.cases
    assert one.unit == other.unit


def test_a_case_is_read_whole() -> None:
    """Question, reason, weight and checks stand where they are looked for."""
    read = corpus(case(description="It is morning.", weight="2", checks=checks("1", "0.5")))
    found = read.by_name["polite-morning"]
    assert found.description == "It is morning."
    assert found.prompt == "Say polite-morning."
    assert [check.type.id for check in found.checks] == ["contains", "contains"]
    assert read.unit == Decimal("0.1")
    assert (found.weight, found.full) == (20, 15)


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        (
            {"checks": [SOUND_CHECK, {"type": "words"}]},
            "check 2: the check type 'words' is unknown",
        ),
        ({"checks": [{"type": "regex", "value": "("}]}, "check 1: the pattern '(' can't be "),
        ({"checks": [{"type": "regex", "value": "(?=a)"}]}, "check 1: the pattern '(?=a)' can't "),
        ({"checks": [{"type": "regex"}]}, "check 1: a pattern is a text, not None"),
        ({"checks": [{"type": "regex", "value": "a" * 1001}]}, "check 1: a pattern has at most "),
        ({"checks": [{"type": "contains", "value": "a" * 1001}]}, "check 1: a pattern has at most"),
        (
            {"checks": [{"type": "first_word", "value": "a", "flags": "i"}]},
            "check 1: a first_word takes no flags",
        ),
        (
            {"checks": [SOUND_CHECK, SOUND_CHECK, {"type": "regex", "value": "a", "flags": "g"}]},
            "check 3: the flag 'g' is unknown",
        ),
        ({"checks": [{"type": "contains"}]}, "check 1: the value is a text or a number, not None"),
        ({"checks": [{"type": "word_count"}]}, "check 1: the value is a number, not None"),
        ({"checks": [{"type": "not_empty", "weight": 0}]}, "a weight is more than zero"),
        ({"checks": [{"type": "not_empty", "weight": -1}]}, "a weight is more than zero"),
        ({"checks": [{"type": "not_empty", "weight": "1"}]}, "at `$.checks[0].weight`"),
        ({"checks": [{"type": "not_empty", "weight": True}]}, "at `$.checks[0].weight`"),
        ({"checks": [{"type": "not_empty", "weight": float("nan")}]}, "NaN is no JSON number"),
        ({"checks": [{"type": "not_empty", "value": float("inf")}]}, "Infinity is no JSON number"),
        ({"checks": [{"type": "not_empty", "note": "x"}]}, "unknown field `note`"),
        ({"checks": [{"type": 5}]}, "at `$.checks[0].type`"),
        ({"checks": [{"value": 5}]}, "missing required field `type`"),
        ({"checks": []}, "a case needs at least one check"),
        ({"checks": None}, "at `$.checks`"),
        ({"category": "rude"}, "the category 'rude' is unknown"),
        ({"category": "Polite"}, "the category 'Polite' is unknown"),
        ({"name": "curt-hey"}, "the name 'curt-hey' stands in curt/curt-hey.json too"),
        ({"name": ""}, "`name` and `prompt` must not be empty"),
        ({"name": "x" * 301}, "`name` has more than 300 characters"),
        ({"name": 5}, "at `$.name`"),
        ({"prompt": ""}, "`name` and `prompt` must not be empty"),
        ({"prompt": "\ud800"}, "surrogates not allowed"),
        ({"prompt": None}, "at `$.prompt`"),
        ({"weight": 0}, "a weight is more than zero"),
        ({"weight": "2"}, "at `$.weight`"),
        ({"weight": 1_000_001}, "at most 1000000"),
        ({"weight": 0.0000001}, "at most six decimals"),
        ({"wieght": 2}, "unknown field `wieght`"),
    ],
)
def test_one_spoilt_field_is_refused_by_file(fields: dict[str, Any], what: str) -> None:
    """A fault is said with the file and, within it, the check, before anything runs."""
    found = spoilt(**fields)
    assert found.file == PATH
    assert what in found.what
    assert found.remedy.endswith(".")
    assert str(found) == f"{found.file}: {found.what}"


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "Expecting value"),
        (b"{", "line 1 column 2"),
        (b"[]", "Expected `object`, got `array`"),
        (b"{}", "missing required field `name`"),
        (b'{"name": "a", "name": "b"}', "the key 'name' stands twice in one object"),
        (b'{"checks": [{"type": "a", "type": "a"}]}', "the key 'type' stands twice in one object"),
        (b'{"name": "\xff"}', "can't decode byte 0xff"),
        (b"\xef\xbb\xbf{}", "BOM"),
        (json.dumps(case()).encode("utf-16"), "can't decode byte"),
        (b"[" * 100_000, "recursion"),
        (b'{"name": ' + b"1" * 5000 + b"}", "digits"),
    ],
)
def test_what_is_no_json_object_in_utf_8_is_refused_by_file(content: bytes, what: str) -> None:
    """A file that can't be read as JSON is refused like one with a spoilt field."""
    found = fault(content)
    assert found.file == PATH
    assert what in found.what


@pytest.mark.parametrize("number", ["1e999", "1e999999999", "1e-999999999", "1." + "0" * 40 + "1"])
def test_a_weight_can_be_counted(number: str) -> None:
    """A weight that no sum could hold is refused, and quickly."""
    content = json.dumps(case(weight=77)).replace("77", number).encode()
    assert "a weight is more than zero, at most 1000000" in fault(content).what


def test_no_case_is_no_corpus() -> None:
    """A benchmark without a question asks nothing, and is told so."""
    with pytest.raises(CorpusFault, match="there is no case"):
        read_corpus({}, BENCHMARK)


def test_a_benchmark_without_categories_is_told_so() -> None:
    """Categories are the benchmark's to declare."""
    bare = BENCHMARK.model_copy(update={"categories": ()})
    with pytest.raises(CorpusFault) as caught:
        read_corpus(files(case()), bare)
    assert caught.value.remedy == "Name one of benchmark.toml: it declares none."


def test_names_may_differ_by_case_alone() -> None:
    """Names are compared to the letter: ids are public and never folded."""
    assert corpus(case("polite-a"), case("polite-A")).cases == ("polite-A", "polite-a")


@given(st.lists(st.decimals("0.000001", 1000, places=6), min_size=1, max_size=6))
def test_weights_are_whole_numbers_of_the_finest(weights: list[Decimal]) -> None:
    """Every weight is kept exactly, as so many units."""
    read = corpus(case(checks=checks(*map(str, weights))))
    found = read.by_name["polite-morning"]
    assert [check.weight * read.unit for check in found.checks] == weights[:8]
    assert found.weight * read.unit == 1


@given(st.binary(max_size=100))
def test_reading_ends_in_a_corpus_or_in_a_fault(content: bytes) -> None:
    """Whatever the bytes of a file are, it is refused by its name or read."""
    try:
        read_corpus({PATH: content}, BENCHMARK)
    except CorpusFault as found:
        name = found.file
    else:
        name = PATH
    assert name == PATH
