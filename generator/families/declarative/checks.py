r"""The assertions of a case: each type is one object in `CHECKS`.

Content is trimmed before it is looked at. Patterns are google-re2's: no look-around, no
back-references, and a time that grows with the length of the text only, since patterns come from
corpora and meet text from strangers. In its dialect `\w`, `\d` and `\s` are ASCII; `\p{L}` is
any letter.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import re2

from generator.families.blocks import Code
from generator.messages import N_, Message
from generator.records.base import decimal_text

PATTERN_LIMIT = 1_000
"""The longest pattern, in characters."""

WHITE = (
    "\t\n\v\f\r \u00a0\u1680"
    + "".join(map(chr, range(0x2000, 0x200B)))
    + ("\u2028\u2029\u202f\u205f\u3000\ufeff")
)
"""What separates words: white space as the seed's language (ECMAScript) defines it."""

_FLAGS = frozenset("ims")
_PLAIN = range(-6, 21)
"""The orders of magnitude that the seed's language writes without an exponent."""

_ONE_SPACE = str.maketrans(dict.fromkeys(WHITE, " "))


class CheckFault(ValueError):
    """A check that can't be asked: an unknown type, a value of the wrong kind, a bad pattern."""


Passes = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class CheckType:
    """One type of assertion."""

    id: str
    says: str
    """What is expected, with the value as `{value}`."""

    compile: Callable[[Any, str | None], Passes]
    """From the value and the flags of a check to its verdict on a trimmed text; CheckFault."""

    flagged: bool = False
    """Whether it takes flags."""

    def ready(self, value: Any, flags: str | None) -> Passes:  # noqa: ANN401  any JSON value
        """The verdict for a check of this type; raises CheckFault."""
        if flags is not None and not self.flagged:
            message = f"a {self.id} takes no flags"
            raise CheckFault(message)
        return self.compile(value, flags)


@dataclass(frozen=True, slots=True)
class Check:
    """One assertion, ready to be asked."""

    type: CheckType
    value: Any
    weight: int
    """In units of the corpus's finest weight."""

    passes: Passes

    @property
    def expectation(self) -> Message:
        """What it expects, for a reader."""
        return Message(self.type.says, {"value": Code(as_text(self.value))})


def words(content: str) -> list[str]:
    """The words of a text: whatever white space separates."""
    return [word for word in content.translate(_ONE_SPACE).split(" ") if word]


def trimmed(content: str | None) -> str:
    """A reply without the white space around it; a missing one says nothing."""
    return (content or "").strip(WHITE)


def as_text(value: Any) -> str:  # noqa: ANN401  any JSON value
    """A value as text: numbers without a fraction of zero, true and false in lower case."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal) and value.adjusted() in _PLAIN:
        return decimal_text(value)
    return "" if value is None else str(value)


def pattern(value: Any, flags: str | None) -> Any:  # noqa: ANN401  re2 has no types
    """A compiled re2 pattern; raises CheckFault where value or flags are not possible."""
    if not isinstance(value, str):
        message = f"a pattern is a text, not {value!r}"
        raise CheckFault(message)
    if len(value) > PATTERN_LIMIT:
        message = f"a pattern has at most {PATTERN_LIMIT} characters; this one has {len(value)}"
        raise CheckFault(message)
    unknown = sorted(set(flags or "") - _FLAGS)
    if unknown:
        message = f"the flag {unknown[0]!r} is unknown; possible are i, m and s"
        raise CheckFault(message)
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(f"(?{flags}){value}" if flags else value, options)
    except re2.error as fault:
        said = fault.args[0].decode() if isinstance(fault.args[0], bytes) else str(fault)
        message = f"the pattern {value!r} can't be compiled by re2: {said}"
        raise CheckFault(message) from fault


def _count(value: Any) -> int | float | Decimal | None:  # noqa: ANN401  any JSON value
    """A number to compare with; none for a text, which never equals one."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | str):
        message = f"the value is a number, not {value!r}"
        raise CheckFault(message)
    return None if isinstance(value, str) else value


def _wanted(value: Any) -> str:  # noqa: ANN401  any JSON value
    """A text to compare with; a check without one would pass or fail whatever is said."""
    if value is None or isinstance(value, list | dict):
        message = f"the value is a text or a number, not {value!r}"
        raise CheckFault(message)
    return as_text(value)


def _word_count(value: Any, _flags: str | None) -> Passes:  # noqa: ANN401
    wanted = _count(value)
    return lambda content: wanted is not None and len(words(content)) == wanted


def _line_count(value: Any, _flags: str | None) -> Passes:  # noqa: ANN401
    wanted = _count(value)
    return lambda content: (
        wanted is not None and sum(1 for line in content.split("\n") if trimmed(line)) == wanted
    )


def _bare(word: str) -> str:
    start, end = 0, len(word)
    while start < end and not word[start].isalnum():
        start += 1
    while end > start and not word[end - 1].isalnum():
        end -= 1
    return word[start:end]


def _word_at(position: int) -> Callable[[Any, str | None], Passes]:
    def check(value: Any, _flags: str | None) -> Passes:  # noqa: ANN401
        wanted = _wanted(value)

        def passes(content: str) -> bool:
            found = words(content)
            return (_bare(found[position]) if found else "") == wanted

        return passes

    return check


def _found(compiled: Any) -> Passes:  # noqa: ANN401  re2 has no types
    search = compiled.search
    return lambda content: search(content.encode()) is not None  # else re2 counts characters too


def _contains(value: Any, flags: str | None) -> Passes:  # noqa: ANN401
    return _found(pattern(re2.escape(_wanted(value)), "i" if flags is None else flags))


def _regex(value: Any, flags: str | None) -> Passes:  # noqa: ANN401
    return _found(pattern(value, flags))


def _not_empty(_value: Any, _flags: str | None) -> Passes:  # noqa: ANN401
    return bool


def _opposite(of: Callable[[Any, str | None], Passes]) -> Callable[[Any, str | None], Passes]:
    def check(value: Any, flags: str | None) -> Passes:  # noqa: ANN401
        passes = of(value, flags)
        return lambda content: not passes(content)

    return check


CHECKS: tuple[CheckType, ...] = (
    CheckType("word_count", N_("number of words: {value}"), _word_count),
    CheckType("line_count", N_("number of lines that are not blank: {value}"), _line_count),
    CheckType("first_word", N_("the first word is {value}"), _word_at(0)),
    CheckType("last_word", N_("the last word is {value}"), _word_at(-1)),
    CheckType("contains", N_("contains {value}"), _contains, flagged=True),
    CheckType("not_contains", N_("does not contain {value}"), _opposite(_contains), flagged=True),
    CheckType("regex", N_("matches {value}"), _regex, flagged=True),
    CheckType("not_regex", N_("does not match {value}"), _opposite(_regex), flagged=True),
    CheckType("not_empty", N_("says something"), _not_empty),
)


def check_type(type_id: str) -> CheckType:
    """The type of that name; raises CheckFault with the known ones."""
    found = next((known for known in CHECKS if known.id == type_id), None)
    if found is None:
        known_ids = ", ".join(known.id for known in CHECKS)
        message = f"the check type {type_id!r} is unknown; known are {known_ids}"
        raise CheckFault(message)
    return found
