"""Checks on what was said, as text."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from generator.families.declarative.checks.check import Asked, CheckFault, CheckType, Passes
from generator.families.declarative.checks.patterns import literal, pattern
from generator.families.declarative.javascript import text_of
from generator.families.declarative.reply import Reply, trimmed, words
from generator.messages import N_


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
    return text_of(value)


def _word_count(asked: Asked) -> Passes:
    wanted = _count(asked.value)
    return lambda reply: wanted is not None and len(words(reply.content)) == wanted


def _line_count(asked: Asked) -> Passes:
    wanted = _count(asked.value)

    def passes(reply: Reply) -> bool:
        lines = sum(1 for line in reply.content.split("\n") if trimmed(line))
        return wanted is not None and lines == wanted

    return passes


def _bare(word: str) -> str:
    start, end = 0, len(word)
    while start < end and not word[start].isalnum():
        start += 1
    while end > start and not word[end - 1].isalnum():
        end -= 1
    return word[start:end]


def _word_at(position: int) -> Callable[[Asked], Passes]:
    def check(asked: Asked) -> Passes:
        wanted = _wanted(asked.value)

        def passes(reply: Reply) -> bool:
            found = words(reply.content)
            return (_bare(found[position]) if found else "") == wanted

        return passes

    return check


def _contains(asked: Asked) -> Passes:
    found = literal(_wanted(asked.value), "i" if asked.flags is None else asked.flags)
    return lambda reply: found(reply.content)


def _regex(asked: Asked) -> Passes:
    found = pattern(asked.value, asked.flags)
    return lambda reply: found(reply.content)


def _not_empty(asked: Asked) -> Passes:
    del asked
    return lambda reply: bool(reply.content)


def _opposite(of: Callable[[Asked], Passes]) -> Callable[[Asked], Passes]:
    def check(asked: Asked) -> Passes:
        passes = of(asked)
        return lambda reply: not passes(reply)

    return check


TEXTS: tuple[CheckType, ...] = (
    CheckType("word_count", N_("number of words: {value}"), _word_count),
    CheckType("line_count", N_("number of lines that are not blank: {value}"), _line_count),
    CheckType("first_word", N_("the first word is {value}"), _word_at(0)),
    CheckType("last_word", N_("the last word is {value}"), _word_at(-1)),
    CheckType("contains", N_("contains {value}"), _contains, ("flags",)),
    CheckType("not_contains", N_("does not contain {value}"), _opposite(_contains), ("flags",)),
    CheckType("regex", N_("matches {value}"), _regex, ("flags",)),
    CheckType("not_regex", N_("does not match {value}"), _opposite(_regex), ("flags",)),
    CheckType("not_empty", N_("says something"), _not_empty),
)
