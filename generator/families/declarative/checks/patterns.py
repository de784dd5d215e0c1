r"""Patterns of google-re2: no look-around, no back-references, and a time that grows with the text.

They come from corpora and meet text from strangers. In this dialect `\w`, `\d` and `\s` are ASCII;
`\p{L}` is any letter.
"""

from collections.abc import Callable
from typing import Any

import re2

from generator.families.declarative.checks.check import CheckFault

PATTERN_LIMIT = 1_000
"""The longest pattern, in characters."""

_FLAGS = frozenset("ims")

Search = Callable[[str], bool]


def literal(text: str, flags: str | None) -> Search:
    """Whether a text occurs, as it is; raises CheckFault."""
    return pattern(re2.escape(text), flags)


def pattern(value: Any, flags: str | None) -> Search:  # noqa: ANN401  any JSON value
    """Whether a pattern matches somewhere; CheckFault where value or flags are not possible."""
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
        search = re2.compile(f"(?{flags}){value}" if flags else value, options).search
    except re2.error as fault:
        said = fault.args[0].decode() if isinstance(fault.args[0], bytes) else str(fault)
        message = f"the pattern {value!r} can't be compiled by re2: {said}"
        raise CheckFault(message) from fault
    # In bytes, else re2 counts characters too; half a surrogate pair is a character of its own.
    return lambda text: search(text.encode(errors="surrogatepass")) is not None
