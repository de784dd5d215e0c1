"""The assertions: each type with what passes and what fails, the golden corners, the patterns."""

import json
import time
import unicodedata
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from generator.families.blocks import Code
from generator.families.declarative.checks import (
    CHECKS,
    PATTERN_LIMIT,
    WHITE,
    CheckFault,
    as_text,
    check_type,
    pattern,
    trimmed,
    words,
)

OWN = Path(__file__).parent / "check_vectors.json"
SHARED = Path(__file__).parents[4] / "shared" / "golden" / "declarative" / OWN.name
"""Beside a checkout, where the whole set of vectors is kept."""

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))

PASSING_AND_FAILING: tuple[tuple[str, Any, str, str], ...] = (
    ("word_count", 2, "a b", "a b c"),
    ("word_count", 0, " ", "a"),
    ("word_count", 1, "-", "- -"),
    ("word_count", 2, "a\u00a0b", "ab"),
    ("word_count", Decimal("2.0"), "a b", "a"),
    ("line_count", 2, "a\n\n \nb", "a b"),
    ("line_count", 1, "a\rb", "a\nb"),
    ("line_count", 0, "\n\n", "a"),
    ("first_word", "yes", "«yes» she said", "Yes she said"),
    ("first_word", "", "...", "a"),
    ("first_word", 8, "8 o'clock", "7 o'clock"),
    ("last_word", "yes", "she said yes!", "yes she said"),
    ("last_word", "l'ora", "\u00e8 l'ora.", "\u00e8 ora."),
    ("last_word", Decimal("8.0"), "at 8", "at 8.0"),
    ("contains", "red", "Bright RED.", "bright blue"),
    ("contains", "a.c", "xa.cx", "abc"),
    ("contains", "STRASSE\n", "strasse\n", "strasse"),
    ("contains", True, "it is true", "it is false"),
    ("not_contains", "red", "bright blue", "Bright RED."),
    ("regex", "^a+$", "aaa", "aAa"),
    ("regex", r"\p{L}{3}", "\u00e8t\u00e0", "\u00e8t1"),
    ("regex", "a$", "a", "a\n"),
    ("not_regex", "[0-9]", "none", "1"),
    ("not_empty", None, "x", ""),
)


def passes(check: dict[str, Any], content: str) -> bool:
    """The verdict on a content, trimmed first as an attempt's is."""
    compiled = check_type(check["type"]).compile(check.get("value"), check.get("flags"))
    return compiled(trimmed(content))


def agrees(vector: dict[str, Any]) -> bool:
    """Whether a golden vector comes out as recorded; what throws there is a fault here."""
    if isinstance(vector["pass"], bool):
        return passes(vector["check"], vector["content"]) == vector["pass"]
    with pytest.raises(CheckFault):
        passes(vector["check"], vector["content"])
    return True


@pytest.mark.parametrize("vector", json.loads(OWN.read_text("utf-8")), ids=json.dumps)
def test_a_golden_vector_comes_out_as_recorded(vector: dict[str, Any]) -> None:
    """Every recorded corner of every check that exists is kept."""
    assert agrees(vector)


def test_the_shared_vectors_come_out_as_recorded() -> None:
    """Where the whole set of vectors lies beside the checkout, its known types agree too."""
    if not SHARED.is_file():
        pytest.skip("the shared vectors are not beside this checkout")
    known = {kind.id for kind in CHECKS}
    asked = [
        vector
        for vector in json.loads(SHARED.read_text("utf-8"))
        if vector["check"]["type"] in known
    ]
    assert len(asked) >= len(json.loads(OWN.read_text("utf-8")))
    assert [vector for vector in asked if not agrees(vector)] == []


@pytest.mark.parametrize(("kind", "value", "good", "bad"), PASSING_AND_FAILING)
def test_a_check_passes_and_fails(kind: str, value: Any, good: str, bad: str) -> None:  # noqa: ANN401
    """Each type of check tells a text that meets it from one that does not."""
    compiled = check_type(kind).compile(value, None)
    assert compiled(good)
    assert not compiled(bad)


def test_every_type_has_a_passing_and_a_failing_text() -> None:
    """No type of check is without a test."""
    assert [kind.id for kind in CHECKS] == list(
        dict.fromkeys(kind for kind, _, _, _ in PASSING_AND_FAILING)
    )


@pytest.mark.parametrize(
    ("kind", "value", "flags", "content", "verdict"),
    [
        ("contains", "Red", None, "red", True),
        ("contains", "Red", "", "red", False),
        ("contains", "Red", "i", "red", True),
        ("not_contains", "Red", "", "red", True),
        ("regex", "^b", None, "a\nb", False),
        ("regex", "^b", "m", "a\nb", True),
        ("regex", "a.b", None, "a\nb", False),
        ("regex", "a.b", "s", "a\nb", True),
        ("regex", "x|B", "i", "b", True),
        ("regex", "^B.C$", "ims", "a\nb\nc", True),
        ("not_regex", "B", "i", "b", False),
    ],
)
def test_flags_do_what_they_say(
    kind: str,
    value: str,
    flags: str | None,
    content: str,
    verdict: bool,  # noqa: FBT001  what the table expects
) -> None:
    """Each flag changes its one thing, over the whole of a pattern."""
    assert passes({"type": kind, "value": value, "flags": flags}, content) == verdict


@pytest.mark.parametrize(
    ("value", "named"),
    [
        ("(?=a)b", r"(?="),
        ("(?!a)b", r"(?!"),
        ("(?<=a)b", r"(?<"),
        ("(?<!a)b", r"(?<"),
        (r"(a)\1", r"\1"),
        ("(?P<x>a)(?P=x)", "(?P="),
        ("(", "missing )"),
        ("[a", "missing ]"),
        ("a{1001}", "{1001}"),
        ("((a{100}){100}){100}", "{100}"),
    ],
)
def test_what_re2_has_not_is_refused_by_name(value: str, named: str) -> None:
    """Look-around, back-references and what grows without bound can't be asked, and it is said."""
    with pytest.raises(CheckFault) as caught:
        pattern(value, None)
    assert repr(value) in str(caught.value)
    assert named in str(caught.value)


@pytest.mark.parametrize("flags", ["g", "iu", "-i", "i)(", " "])
@pytest.mark.parametrize("kind", ["contains", "not_contains", "regex", "not_regex"])
def test_an_unknown_flag_is_refused(kind: str, flags: str) -> None:
    """A flag that would be ignored, or would leave its place, is a fault."""
    with pytest.raises(CheckFault, match="is unknown; possible are i, m and s"):
        check_type(kind).compile("a", flags)


def test_a_pattern_has_a_longest() -> None:
    """A pattern of the limit is taken, one more character is not."""
    assert pattern("a" * PATTERN_LIMIT, None)
    with pytest.raises(CheckFault, match="at most 1000 characters; this one has 1001"):
        pattern("a" * (PATTERN_LIMIT + 1), None)


@pytest.mark.parametrize("value", [None, 5, True, ["a"], {"a": 1}])
@pytest.mark.parametrize("kind", ["regex", "not_regex"])
def test_a_pattern_is_a_text(kind: str, value: Any) -> None:  # noqa: ANN401  any JSON value
    """No other value is guessed to be a pattern."""
    with pytest.raises(CheckFault, match="a pattern is a text, not "):
        check_type(kind).compile(value, None)


@pytest.mark.parametrize("value", [None, ["a"], {"a": 1}])
@pytest.mark.parametrize("kind", ["contains", "not_contains", "first_word", "last_word"])
def test_a_text_is_not_missing(kind: str, value: Any) -> None:  # noqa: ANN401  any JSON value
    """A check without its value would pass, or fail, whatever is said."""
    with pytest.raises(CheckFault, match="the value is a text or a number, not "):
        check_type(kind).compile(value, None)


@pytest.mark.parametrize("value", [None, True, ["a"], {"a": 1}])
@pytest.mark.parametrize("kind", ["word_count", "line_count"])
def test_a_count_is_a_number(kind: str, value: Any) -> None:  # noqa: ANN401  any JSON value
    """A count without a number would fail whatever is said."""
    with pytest.raises(CheckFault, match="the value is a number, not "):
        check_type(kind).compile(value, None)


def test_an_unknown_type_is_refused_with_the_known_ones() -> None:
    """Whoever misspelt a type reads the right spelling."""
    with pytest.raises(CheckFault) as caught:
        check_type("words")
    assert str(caught.value) == (
        "the check type 'words' is unknown; known are word_count, line_count, first_word, "
        "last_word, contains, not_contains, regex, not_regex, not_empty"
    )


@pytest.mark.parametrize("content", ["a" * 50_000 + "!", "a" * 50_000])
def test_no_pattern_hangs_the_scorer(content: str) -> None:
    """The pattern that ruins other engines takes a time that grows with the text only."""
    search = check_type("regex").compile("(a+)+$", None)
    started = time.monotonic()
    assert search(content) == content.endswith("a")
    assert time.monotonic() - started < 30, "exponential time would outlast the universe"


@given(TEXTS)
def test_a_text_contains_itself(text: str) -> None:
    """Whatever a value holds is looked for literally: no character of it is a pattern."""
    value = text[:400]
    try:
        compiled = check_type("contains").compile(value, "")
    except CheckFault:
        assert len(re2.escape(value)) > PATTERN_LIMIT
    else:
        assert compiled(f"before{value}after")
        assert not check_type("not_contains").compile(value, "")(value)


@given(TEXTS, st.sampled_from(["", "a", "aa", "b c", "\u00e8"]))
def test_contains_is_the_containment_of_texts(content: str, value: str) -> None:
    """Without a flag the check is the plain question whether a text holds another."""
    assert check_type("contains").compile(value, "")(content) == (value in content)


@given(st.lists(st.text("ab.-", min_size=1)), st.sampled_from(WHITE))
def test_words_are_what_white_space_separates(parts: list[str], space: str) -> None:
    """Every kind of white space separates words, any number of it, and nothing else does."""
    assert words(space.join(parts)) == parts
    assert words(f"{space}{space * 2}".join(["", *parts, ""])) == parts


def test_white_space_is_that_of_the_seeds_language() -> None:
    """What separates words is what ECMAScript says: every Unicode space, and a few controls."""
    spaces = {chr(code) for code in range(0x10000) if unicodedata.category(chr(code)) == "Zs"}
    assert set(WHITE) == spaces | set("\t\n\v\f\r\u2028\u2029\ufeff")


@given(TEXTS)
def test_trimming_takes_white_space_off_both_ends(text: str) -> None:
    """What is left begins and ends with something that is not white space, or is nothing."""
    found = trimmed(text)
    assert found in text
    assert not found or (found[0] not in WHITE and found[-1] not in WHITE)
    assert trimmed(found) == found


def test_a_missing_reply_says_nothing() -> None:
    """No content and an empty content are the same silence."""
    assert trimmed(None) == ""


@given(st.sampled_from(CHECKS), TEXTS)
def test_a_check_and_its_opposite_never_agree(kind: Any, content: str) -> None:  # noqa: ANN401
    """`not_x` passes exactly where `x` fails."""
    opposite = next((known for known in CHECKS if known.id == f"not_{kind.id}"), None)
    if opposite is not None:
        assert kind.compile("[ab]", None)(content) != opposite.compile("[ab]", None)(content)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "true"),
        (False, "false"),
        (8, "8"),
        (Decimal("8.0"), "8"),
        (Decimal("8.50"), "8.5"),
        (Decimal("1E+3"), "1000"),
        (Decimal("1E-6"), "0.000001"),
        ("8.0", "8.0"),
    ],
)
def test_a_value_is_compared_as_text(value: Any, text: str) -> None:  # noqa: ANN401  any JSON value
    """Numbers are written the way the seed's language writes them."""
    assert as_text(value) == text


def test_a_vast_number_is_written_short() -> None:
    """A hostile exponent can't fill the memory of whoever shows the check."""
    assert len(as_text(Decimal("1E+999999999"))) < 20
    assert len(as_text(Decimal("1E-999999999"))) < 20


@pytest.mark.parametrize("kind", CHECKS, ids=lambda kind: kind.id)
def test_an_expectation_is_said_with_its_value(kind: Any) -> None:  # noqa: ANN401  see CHECKS
    """A reader sees what a check expects; only `not_empty` has nothing to name."""
    assert ("{value}" in kind.says) == (kind.id != "not_empty")
    assert "{" not in kind.says.format(value=Code("x"))
