"""Patterns: what re2 has and has not, flags, limits, and texts that are not to be trusted."""

import time
from typing import Any

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from generator.families.declarative.checks.check import CheckFault
from generator.families.declarative.checks.patterns import PATTERN_LIMIT, literal, pattern

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@pytest.mark.parametrize(
    ("value", "flags", "text", "found"),
    [
        ("ABC", None, "abc", False),
        ("ABC", "", "abc", False),
        ("ABC", "i", "abc", True),
        ("^b", None, "a\nb", False),
        ("^b", "m", "a\nb", True),
        ("a$", None, "a\nb", False),
        ("a$", None, "a\n", False),
        ("a$", "m", "a\nb", True),
        ("a.b", None, "a\nb", False),
        ("a.b", "s", "a\nb", True),
        ("x|B", "i", "b", True),
        ("^B.C$", "ims", "a\nb\nc", True),
        ("b", "ii", "B", True),
        (r"\p{L}{3}", None, "\u00e8t\u00e0", True),
        (r"\p{L}{3}", None, "\u00e8t1", False),
        (r"\w", None, "\u00e8", False),
        ("\u00c8", "i", "\u00e8", True),
        ("^..$", None, "\u00e8\U0001f600", True),
        ("b", None, "abc", True),
        ("", None, "", True),
        ("^$", None, "a", False),
    ],
)
def test_a_pattern_is_looked_for_anywhere(
    value: str,
    flags: str | None,
    text: str,
    found: bool,  # noqa: FBT001  what the table expects
) -> None:
    """Each flag changes its one thing over the whole of a pattern, and a character is one."""
    assert pattern(value, flags)(text) == found


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


@pytest.mark.parametrize("flags", ["g", "iu", "-i", "i)(", " ", "I", "y", "x"])
def test_an_unknown_flag_is_refused(flags: str) -> None:
    """A flag that would be ignored, or would leave its place, is a fault."""
    with pytest.raises(CheckFault, match="is unknown; possible are i, m and s"):
        pattern("a", flags)
    with pytest.raises(CheckFault, match="is unknown; possible are i, m and s"):
        literal("a", flags)


def test_a_pattern_has_a_longest() -> None:
    """A pattern of the limit is taken, one more character is not."""
    assert pattern("a" * PATTERN_LIMIT, None)("a" * PATTERN_LIMIT)
    with pytest.raises(CheckFault, match="at most 1000 characters; this one has 1001"):
        pattern("a" * (PATTERN_LIMIT + 1), None)


@pytest.mark.parametrize("value", [None, 5, True, ["a"], {"a": 1}])
def test_a_pattern_is_a_text(value: Any) -> None:  # noqa: ANN401  any JSON value
    """No other value is guessed to be a pattern."""
    with pytest.raises(CheckFault, match="a pattern is a text, not "):
        pattern(value, None)


@pytest.mark.parametrize("content", ["a" * 50_000 + "!", "a" * 50_000])
def test_no_pattern_hangs_the_scorer(content: str) -> None:
    """The pattern that ruins other engines takes a time that grows with the text only."""
    search = pattern("(a+)+$", None)
    started = time.monotonic()
    assert search(content) == content.endswith("a")
    assert time.monotonic() - started < 30, "exponential time would outlast the universe"


@pytest.mark.parametrize("value", ["^.$", "^[^a]$", r"^\P{L}$"])
def test_half_a_pair_is_a_character(value: str) -> None:
    """A text of a reply's JSON can hold half a surrogate pair; it is a character, and no crash."""
    assert pattern(value, None)("\ud800")
    assert not pattern("a", None)("\udc00\ud800")


@given(TEXTS)
def test_a_literal_is_found_in_itself(text: str) -> None:
    """Whatever a text holds is looked for as it is: no character of it is a pattern."""
    value = text[:400]
    try:
        search = literal(value, "")
    except CheckFault:
        assert len(re2.escape(value)) > PATTERN_LIMIT
    else:
        assert search(f"before{value}after")


@given(st.text("a.*+?()[]{}|^$\\bB \n\u00e8", max_size=6), st.text("aB.*+\\ \n\u00e8", max_size=20))
def test_a_literal_is_the_containment_of_texts(value: str, text: str) -> None:
    """Without a flag it is the plain question whether a text holds another."""
    assert literal(value, None)(text) == (value in text)
    assert literal(value, "i")(text) == (value.lower() in text.lower())
