"""Reading JSON that a model wrote: as it stands, or mended the few ways that add no meaning.

The first that parses is taken, each step standing on those before it:

1. the text as it is;
2. what is inside, where the whole text is one fenced block;
3. what follows the first `{` or `[`; what is behind the document is never dropped;
4. raw line ends and tabs inside strings, escaped;
5. commas before a closing bracket, dropped;
6. an end that is missing, from a short list (`ENDS`), for objects and arrays only.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

ENDS = ("}", "]", '"}', '"]', '"]}', '"}}')
"""What is added where a document breaks off, in this order."""

DEPTH_LIMIT = 200
"""How deep objects and arrays may be nested; a deeper document is none."""

_DIGITS = 400
_FENCE = "```"
_OPENING = re.compile(r"[{\[]")
_STRING = re.compile(r'"[^"\\]*(?:\\(?:.|\Z)[^"\\]*)*(?:"|\Z)', re.DOTALL)
"""A string, also one that never ends; linear, since nothing can make it fail once it has begun."""

_TRAILING_COMMA = re.compile(r",(?=[ \t\r\n]*[}\]])")
_ESCAPES = str.maketrans({"\n": "\\n", "\r": "\\r", "\t": "\\t"})


def parsed(text: str) -> Any:  # noqa: ANN401  any JSON value
    """The document in a text, mended where that helps; none where there is none, or null."""
    for candidate in _candidates(text):
        try:
            return _loaded(candidate)
        except ValueError:
            continue
    return None


def _candidates(text: str) -> Iterator[str]:
    if not is_deep(text):
        yield text
    first, _, rest = text.strip().partition("\n")
    if first.startswith(_FENCE) and _FENCE not in first[3:] and rest.endswith(_FENCE):
        text = rest.removesuffix(_FENCE)
        if not is_deep(text):
            yield text
    opening = _OPENING.search(text)
    if not opening:
        return
    text = text[opening.start() :]
    if is_deep(text):  # as is all that is made of it
        return
    yield text
    text = _STRING.sub(lambda string: string[0].translate(_ESCAPES), text)
    yield text
    text = "".join(_without_trailing_commas(text))
    yield text
    for end in ENDS:
        yield text + end


def _without_trailing_commas(text: str) -> Iterator[str]:
    position = 0
    for string in _STRING.finditer(text):
        yield _TRAILING_COMMA.sub("", text[position : string.start()])
        yield string[0]
        position = string.end()
    yield _TRAILING_COMMA.sub("", text[position:])


def _loaded(text: str) -> Any:  # noqa: ANN401
    return json.loads(text, parse_constant=_no_number, parse_int=_integer)


def is_deep(text: str) -> bool:
    """Whether the JSON in a text is nested deeper than the limit."""
    depth = 0
    if text.count("{") + text.count("[") <= DEPTH_LIMIT:
        return False
    for bracket in re.finditer(r"[{\[}\]]", _STRING.sub("", text)):
        depth += 1 if bracket[0] in "{[" else -1
        if depth > DEPTH_LIMIT:
            return True
    return False


def _integer(text: str) -> float:  # an int is one too
    return int(text) if len(text) <= _DIGITS else float(text)


def _no_number(constant: str) -> NoReturn:
    message = f"{constant} is no JSON number"
    raise ValueError(message)
