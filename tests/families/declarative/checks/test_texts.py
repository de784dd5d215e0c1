"""Checks on what was said, as text: what passes, what fails, and values that can't be asked."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.families.declarative.checks.check import CheckFault
from generator.families.declarative.checks.texts import TEXTS
from tests.families.declarative.checks.sample import ready, reply

CONTENTS = st.text(st.characters(exclude_categories=["Cs"]))

PASSING_AND_FAILING: tuple[tuple[str, Any, str, str], ...] = (
    ("word_count", 2, "a b", "a b c"),
    ("word_count", 0, " ", "a"),
    ("word_count", 1, "-", "- -"),
    ("word_count", 2, "a\u00a0b", "ab"),
    ("word_count", 3, "a\n\tb \u3000 c", "a b"),
    ("word_count", Decimal("2.0"), "a b", "a"),
    ("word_count", 2.0, "a b", "a"),
    ("line_count", 2, "a\n\n \nb", "a b"),
    ("line_count", 1, "a\rb", "a\nb"),
    ("line_count", 1, "a\u2028b", "a\nb"),
    ("line_count", 1, "a\n\u00a0\n\ufeff", "a\nb"),
    ("line_count", 0, "\n\n", "a"),
    ("first_word", "yes", "«yes» she said", "Yes she said"),
    ("first_word", "", "...", "a"),
    ("first_word", "", " ", "a"),
    ("first_word", 8, "8 o'clock", "7 o'clock"),
    ("first_word", "o'clock", "-o'clock-", "oclock"),
    ("first_word", "\u0668", "(\u0668)", "8"),
    ("last_word", "yes", "she said yes!", "yes she said"),
    ("last_word", "l'ora", "\u00e8 l'ora.", "\u00e8 ora."),
    ("last_word", "", "she said ...", "she said yes"),
    ("last_word", "", "", "a"),
    ("last_word", Decimal("8.0"), "at 8", "at 8.0"),
    ("last_word", True, "it is true", "it is True"),
    ("contains", "red", "Bright RED.", "bright blue"),
    ("contains", "a.c", "xa.cx", "abc"),
    ("contains", "STRASSE\n", "xstrasse\nx", "strasse"),
    ("contains", True, "it is true", "it is false"),
    ("contains", Decimal("8.0"), "at 8", "at 7"),
    ("not_contains", "red", "bright blue", "Bright RED."),
    ("regex", "^a+$", "aaa", "aAa"),
    ("regex", r"\p{L}{3}", "\u00e8t\u00e0", "\u00e8t1"),
    ("regex", "a$", "a", "ab"),
    ("regex", "^b", "b", "a\nb"),
    ("not_regex", "[0-9]", "none", "1"),
    ("not_regex", "A", "a", "A"),
    ("not_empty", None, "x", ""),
    ("not_empty", None, "x", "\u00a0\n\ufeff"),
)


@pytest.mark.parametrize(("kind", "value", "good", "bad"), PASSING_AND_FAILING)
def test_a_check_passes_and_fails(kind: str, value: Any, good: str, bad: str) -> None:  # noqa: ANN401
    """Each type of check tells a text that meets it from one that does not."""
    passes = ready(kind, value=value)
    assert passes(reply(good))
    assert not passes(reply(bad))


def test_every_type_has_a_passing_and_a_failing_text() -> None:
    """No type of check on texts is without a test."""
    assert [kind.id for kind in TEXTS] == list(
        dict.fromkeys(kind for kind, _, _, _ in PASSING_AND_FAILING)
    )


@pytest.mark.parametrize("kind", ["word_count", "line_count"])
def test_a_number_in_quotes_equals_no_count(kind: str) -> None:
    """Numbers only: "1" never equals 1, as in the seed."""
    assert not ready(kind, value="1")(reply("a"))
    assert not ready(kind, value="0")(reply(""))


@pytest.mark.parametrize(
    ("kind", "value", "flags", "content", "verdict"),
    [
        ("contains", "Red", None, "red", True),
        ("contains", "Red", "", "red", False),
        ("contains", "Red", "i", "red", True),
        ("contains", "Red", "m", "red", False),
        ("not_contains", "Red", None, "red", False),
        ("not_contains", "Red", "", "red", True),
        ("regex", "^b", None, "a\nb", False),
        ("regex", "^b", "m", "a\nb", True),
        ("regex", "a.b", None, "a\nb", False),
        ("regex", "a.b", "s", "a\nb", True),
        ("regex", "x|B", "i", "b", True),
        ("regex", "^B.C$", "ims", "a\nb\nc", True),
        ("not_regex", "B", None, "b", True),
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
    """Case does not matter to `contains` unless flags are given, and matters to `regex`."""
    assert ready(kind, value=value, flags=flags)(reply(content)) == verdict


@pytest.mark.parametrize("kind", ["contains", "not_contains", "regex", "not_regex"])
def test_an_unknown_flag_is_refused(kind: str) -> None:
    """A flag that would be ignored is a fault, whatever takes it."""
    with pytest.raises(CheckFault, match="the flag 'g' is unknown; possible are i, m and s"):
        ready(kind, value="a", flags="g")


@pytest.mark.parametrize("value", [None, 5, True, ["a"], {"a": 1}])
@pytest.mark.parametrize("kind", ["regex", "not_regex"])
def test_a_pattern_is_a_text(kind: str, value: Any) -> None:  # noqa: ANN401  any JSON value
    """No other value is guessed to be a pattern."""
    with pytest.raises(CheckFault, match="a pattern is a text, not "):
        ready(kind, value=value)


@pytest.mark.parametrize("value", [None, ["a"], {"a": 1}])
@pytest.mark.parametrize("kind", ["contains", "not_contains", "first_word", "last_word"])
def test_a_text_is_not_missing(kind: str, value: Any) -> None:  # noqa: ANN401  any JSON value
    """A check without its value would pass, or fail, whatever is said."""
    with pytest.raises(CheckFault, match="the value is a text or a number, not "):
        ready(kind, value=value)


@pytest.mark.parametrize("value", [None, True, ["a"], {"a": 1}])
@pytest.mark.parametrize("kind", ["word_count", "line_count"])
def test_a_count_is_a_number(kind: str, value: Any) -> None:  # noqa: ANN401  any JSON value
    """A count without a number would fail whatever is said."""
    with pytest.raises(CheckFault, match="the value is a number, not "):
        ready(kind, value=value)


@given(CONTENTS, st.sampled_from(["", "a", "aa", "b c", "\u00e8"]))
def test_contains_is_the_containment_of_texts(content: str, value: str) -> None:
    """Without a flag the check is the plain question whether a text holds another."""
    said = reply(content)
    assert ready("contains", value=value, flags="")(said) == (value in said.content)


@given(st.sampled_from(["contains", "regex"]), CONTENTS, st.sampled_from([None, "", "i"]))
def test_a_check_and_its_opposite_never_agree(kind: str, content: str, flags: str | None) -> None:
    """`not_x` passes exactly where `x` fails."""
    said = reply(content)
    passes, opposite = (
        ready(f"{prefix}{kind}", value="[ab]", flags=flags) for prefix in ("", "not_")
    )
    assert passes(said) != opposite(said)


@given(st.lists(st.text("ab\u00e81", min_size=1), min_size=1), st.text(".,!«»-'\u2014"))
def test_edges_of_a_word_are_what_is_neither_letter_nor_digit(words: list[str], edge: str) -> None:
    """However a word is quoted or punctuated, it is the same word."""
    content = " ".join(f"{edge}{word}{edge}" for word in words)
    assert ready("first_word", value=words[0])(reply(content))
    assert ready("last_word", value=words[-1])(reply(content))
    assert ready("word_count", value=len(words))(reply(content))


@given(st.lists(st.sampled_from(["a", " b ", "", " ", "\r", "c\r", "\u00a0"])))
def test_lines_are_counted_that_hold_something(lines: list[str]) -> None:
    """A blank line counts nothing, wherever it stands, and a carriage return ends none."""
    count = sum(1 for line in lines if any(letter in line for letter in "abc"))
    assert ready("line_count", value=count)(reply("\n".join(lines)))
