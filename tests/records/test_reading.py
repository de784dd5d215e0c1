"""Strict reading: what is not exactly the declared shape is refused, and in words."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.records.base import DEPTH_LIMIT, Record, as_seen, canonical_json, fault_in
from generator.records.bundle import Manifest, System
from generator.records.measure import Mean, Ratio, WeightedRatio
from generator.records.row import Row, Withdrawal
from tests.records.sample import plain_manifest, plain_row, row, withdrawal

RATIO = {"metric": "passed", "numerator": 1, "denominator": 2}


def refusal(shape: type[Record], content: bytes) -> str:
    """What is said of a file that can't be read."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011  the kind is the promise of `parse`
        shape.parse(content)
    return fault_in(content, caught.value)


def test_a_sound_ratio_is_read() -> None:
    """What is declared is read as it stands."""
    assert Ratio.parse(json.dumps(RATIO)) == Ratio(metric="passed", numerator=1, denominator=2)


@pytest.mark.parametrize("not_an_integer", ['"1"', "true", "1.0", "1e0", "null", "[1]", "-1"])
def test_an_integer_is_an_integer(not_an_integer: str) -> None:
    """A text, a yes or a number with a point is never taken for an integer."""
    content = f'{{"metric": "passed", "numerator": {not_an_integer}, "denominator": 2}}'.encode()
    assert refusal(Ratio, content).startswith("at numerator: ")


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_only_json_numbers_are_numbers(constant: str) -> None:
    """What Python's reader takes for a number beyond JSON is refused by its name."""
    content = f'{{"metric": "passed", "numerator": {constant}, "denominator": 2}}'.encode()
    assert refusal(Ratio, content) == f"{constant} is no JSON number"


def test_a_number_beyond_every_float_is_refused() -> None:
    """A number that would be read as infinite can't be written again, so it is not read."""
    content = b'{"id": "a", "provider": "p", "model": "m", "options": {"temperature": 1e400}}'
    assert refusal(System, content) == "1e400 is beyond every float"


def with_options(value: str) -> bytes:
    """A system with one option, whose value is JSON text."""
    return f'{{"id": "a", "provider": "p", "model": "m", "options": {{"o": {value}}}}}'.encode()


@pytest.mark.parametrize("number", ["9" * 401, "-0." + "1" * 398, "1e-" + "0" * 397 + "1"])
def test_a_number_without_end_is_refused(number: str) -> None:
    """A number that is longer than any measurement is told by its length, and one less is read."""
    assert refusal(System, with_options(number)) == "a number of 401 digits"
    assert System.parse(with_options(number[:-1])).options


def test_depth_has_a_limit() -> None:
    """Deeper than the limit two readers differ in what they can read; just as deep is read."""
    room = DEPTH_LIMIT - 2  # the system, its options
    assert System.parse(with_options("[" * room + "]" * room)).options
    too_deep = '{"a": ' * (room + 1) + "1" + "}" * (room + 1)
    assert refusal(System, with_options(too_deep)) == (
        "objects and arrays are nested more than 64 deep"
    )


@pytest.mark.parametrize(
    "other",
    [
        "caf\u00e9 bar",
        "cafe\u0301 bar",
        "cafe\u200b\u0301 bar",
        "\u202ecaf\u00e9\u202c bar\ufe0f",
        "caf\u00e9\t\u00a0bar\x00",
        "caf\u00ad\u00e9 bar\U000e0041",
    ],
)
def test_what_cannot_be_seen_tells_nothing_apart(other: str) -> None:
    """Two ways to write an accent, spaces of any kind and hidden characters look the same."""
    assert as_seen({other: [other, 1]}) == {"caf\u00e9 bar": ["caf\u00e9 bar", 1]}


@pytest.mark.parametrize("other", ["Parser", "p\u0430rser", "par ser", "parser."])
def test_what_can_be_seen_tells_apart(other: str) -> None:
    """Another letter is another text, however alike it may look in some typeface."""
    assert as_seen(other) != as_seen("parser")


@pytest.mark.parametrize(
    ("content", "twice"),
    [
        (b'{"metric": "a", "metric": "a", "numerator": 1, "denominator": 2}', "metric"),
        (b'{"metric": "a", "numerator": 1, "denominator": 2, "x": {"y": 1, "y": 2}}', "y"),
        (b'{"metric": "a", "numerator": 1, "denominator": 2, "\\u006detric": "b"}', "metric"),
    ],
)
def test_a_key_stands_once(content: bytes, twice: str) -> None:
    """Two readers could take either value of a key that stands twice, so neither is taken."""
    assert refusal(Ratio, content) == f"the key '{twice}' stands twice in one object"


def test_an_unknown_key_is_refused_with_its_place() -> None:
    """No score and no misspelt field travels in a record unseen."""
    content = json.dumps(RATIO | {"percentage": 50}).encode()
    assert refusal(Ratio, content) == "at percentage: Extra inputs are not permitted"


def test_an_unknown_key_deep_inside_is_refused_with_its_path() -> None:
    """The place of a fault is the path to it."""
    spoilt = plain_row()
    spoilt["run"]["tree_at_end"]["note"] = "fine"
    said = refusal(Row, canonical_json(spoilt))
    assert said == "at run.tree_at_end.note: Extra inputs are not permitted"


def test_every_fault_is_said_at_once() -> None:
    """Somebody who mends a file by hand learns everything from one try."""
    said = refusal(Ratio, b'{"metric": "A B", "numerator": "1", "denominator": 2}')
    assert said.startswith("at metric: ")
    assert "; at numerator: " in said


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'\xef\xbb\xbf{"metric": "a", "numerator": 1, "denominator": 2}',
        json.dumps(RATIO).encode("utf-16"),
        b'{"metric": "a", "numerator": 1, "denominator": 2} {}',
        b'{"metric": "\\ud800", "numerator": 1, "denominator": 2}',
    ],
)
def test_what_is_no_json_object_in_utf_8_is_refused(content: bytes) -> None:
    """A file is one JSON object in UTF-8, without a mark before it and without anything after."""
    assert refusal(Ratio, content)


@given(st.binary(max_size=200))
def test_reading_ends_in_a_record_or_in_words(content: bytes) -> None:
    """Whatever the bytes are, reading gives a record or a fault that can be said."""
    said = "a record"
    try:
        Withdrawal.parse(content)
    except ValueError as fault:
        said = fault_in(content, fault)
    assert said


@pytest.mark.parametrize(
    ("shape", "sound", "own"),
    [
        (Manifest, plain_manifest(), "assay.bundle/1"),
        (Row, plain_row(), "assay.row/1"),
        (Withdrawal, withdrawal(row()).plain(), "assay.withdrawal/1"),
    ],
)
def test_another_format_is_said_in_one_sentence(
    shape: type[Record], sound: dict[str, Any], own: str
) -> None:
    """A file of another version is told apart from a spoilt one, with both formats named."""
    content = canonical_json({**sound, "format": "assay.other/2", "new": True})
    assert refusal(shape, content) == (
        f"its format is 'assay.other/2', and this version of assay reads '{own}'"
    )


@pytest.mark.parametrize("marker", ["<<<<<<< HEAD", ">>>>>>> theirs"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_conflict_marker_gives_its_line(marker: str, line_end: str) -> None:
    """A merge that was left unfinished is said as such, not as broken JSON."""
    content = line_end.join(["{", '  "metric": "a",', marker, "}", ""]).encode()
    assert refusal(Ratio, content) == "line 3 is a conflict marker of git"


def test_markers_within_a_text_are_no_conflict() -> None:
    """Only a line that begins like git's marker is taken for one."""
    content = b'{"metric": "a <<<<<<< HEAD"'
    assert "conflict" not in refusal(Ratio, content)


@pytest.mark.parametrize(
    ("moment", "good"),
    [
        ("2026-03-18T10:00:00Z", True),
        ("2026-03-18T10:00:00.123456Z", True),
        ("2024-02-29T23:59:59.1Z", True),
        ("2026-03-18T10:00:00", False),
        ("2026-03-18T10:00:00+00:00", False),
        ("2026-03-18 10:00:00Z", False),
        ("2026-03-18T10:00:00.1234567Z", False),
        ("2026-02-30T10:00:00Z", False),
        ("2026-13-01T10:00:00Z", False),
        ("2026-03-18T25:00:00Z", False),
        ("\u0662\u0660\u0662\u0666-03-18T10:00:00Z", False),
        ("2026-03-18T10:00:00Z\n", False),
    ],
)
def test_a_moment_is_one_of_the_calendar(moment: str, good: bool) -> None:  # noqa: FBT001
    """A moment is in UTC, written in one way, and one that there was."""
    plain = withdrawal(row()).plain() | {"withdrawn": moment}
    if good:
        assert Withdrawal.parse(json.dumps(plain)).withdrawn == moment
    else:
        assert refusal(Withdrawal, json.dumps(plain).encode()).startswith("at withdrawn: ")


@pytest.mark.parametrize(
    "slug", ["", "-a", "a-", "a--b", "A", "a_b", "a/b", "..", "a\n", "é", "a" * 101]
)
def test_a_slug_is_safe_in_paths_and_links(slug: str) -> None:
    """No id of ours leaves its folder, folds into another on some system, or ends a line."""
    content = json.dumps({"id": slug, "provider": "p", "model": "m"}).encode()
    assert refusal(System, content).startswith("at id: ")


@pytest.mark.parametrize("digest", ["a" * 63, "A" * 64, "g" * 64, "a" * 64 + "\n"])
def test_a_digest_is_whole_and_in_lower_case(digest: str) -> None:
    """A digest is written in one way, so that two can be compared as texts."""
    content = json.dumps({"id": "a", "provider": "p", "model": "m", "prompt": digest}).encode()
    assert refusal(System, content).startswith("at prompt: ")


@pytest.mark.parametrize(
    ("shape", "terms"),
    [(Ratio, {"numerator": 3, "denominator": 2}), (WeightedRatio, {"numerator": "0.3"})],
)
def test_no_ratio_is_more_than_all(shape: type[Record], terms: dict[str, object]) -> None:
    """A numerator beyond its denominator is no ratio."""
    content = json.dumps({"metric": "passed", "denominator": "0.2"} | terms).encode()
    assert refusal(shape, content).endswith(" is more than all")


@pytest.mark.parametrize(
    "weight", ["-0.1", "NaN", "Infinity", "1e999999999", "1e-999999999", "one", "", "1" * 41]
)
def test_a_weight_is_short_and_finite(weight: str) -> None:
    """A hostile weight can't fill the memory of whoever writes it out in full."""
    content = json.dumps({"metric": "a", "numerator": "0", "denominator": weight}).encode()
    assert refusal(WeightedRatio, content).startswith("at denominator: ")


@pytest.mark.parametrize("figure", ["NaN", "1e999999999", "1e-999999999"])
def test_a_rounded_figure_is_short_and_finite(figure: str) -> None:
    """The same for a figure that is rounded by its definition."""
    content = json.dumps({"metric": "a", "n": 1, "mean": figure}).encode()
    assert refusal(Mean, content).startswith("at mean: ")
