"""Strict reading of one line of observations.

No JSON parser refuses everything that two readers could take differently, so the fast one (orjson)
is checked: a line that it would write again to the letter has no key twice, no number that was
rounded, no odd escape. Any other line is read once more by the slow and careful way.
"""

import json
import math
import re
from typing import Any, NamedTuple

import msgspec
import orjson

from generator.records.base import unique_keys
from generator.records.bundle import Attempt

LINE_LIMIT = 16 * 1024 * 1024
"""The longest line, in bytes."""

DEPTH_LIMIT = 64
"""How deep objects and arrays may be nested."""

_DIGITS = 400
_ROOM = DEPTH_LIMIT - 5
"""How deep arguments may be nested inside attempt, turns, turn, calls and call."""

_LONG_NUMBER = re.compile(rb"[0-9]{19}")
"""What may be an integer of more than 64 bits."""

_DECODER = msgspec.json.Decoder(Attempt)


class Observed(NamedTuple):
    """One attempt as read, with the bytes that it was read from."""

    attempt: Attempt
    line: bytes
    """Without its line end."""

    file: str
    number: int

    @property
    def place(self) -> str:
        """Where it lies, for messages: file and line number."""
        return f"{self.file}:{self.number}"


def without_escapes(line: bytes) -> bytes:
    """A line that was read, with every character as itself: what hides behind escapes is seen."""
    if b"\\u" in line or b"\\/" in line:
        return orjson.dumps(orjson.loads(line))
    return line


def read_attempt(line: bytes) -> Attempt:
    """The attempt of one line; raises ValueError that says what was found and what was expected."""
    if len(line) > LINE_LIMIT:
        message = f"the line has {len(line)} bytes; at most {LINE_LIMIT} are read"
        raise ValueError(message)
    value = orjson.loads(line)
    if orjson.dumps(value) != line:
        json.loads(
            line.decode(),
            object_pairs_hook=unique_keys,
            parse_constant=_refuse_constant,
            parse_float=_finite,
            parse_int=_short_integer,
        )
    attempt = _DECODER.decode(line)
    if _is_roomy(attempt.fixtures):
        _refuse_depth(line)
    for turn in attempt.turns:
        for call in turn.tool_calls:
            if _is_roomy(call.arguments):
                _refuse_depth(line)
    return attempt


def _is_roomy(raw: msgspec.Raw) -> bool:
    """Whether what alone may nest at will could be too deep."""
    text = bytes(raw)
    return len(text) > 2 * _ROOM and _opened(text) > _ROOM


def _opened(text: bytes) -> int:
    return text.count(b"{") + text.count(b"[")


def write_attempt(attempt: Attempt) -> bytes:
    """One canonical line, without its line end."""
    line = msgspec.json.encode(attempt)
    if _LONG_NUMBER.search(line):  # the fast parser would round it
        return json.dumps(json.loads(line), ensure_ascii=False, separators=(",", ":")).encode()
    return orjson.dumps(orjson.loads(line))


def _refuse_depth(line: bytes) -> None:
    depth, in_text, escaped = 0, False, False
    for byte in line:
        if in_text:
            if escaped:
                escaped = False
            elif byte == ord("\\"):
                escaped = True
            elif byte == ord('"'):
                in_text = False
        elif byte == ord('"'):
            in_text = True
        elif byte in b"{[":
            depth += 1
            if depth > DEPTH_LIMIT:
                message = f"objects and arrays are nested more than {DEPTH_LIMIT} deep"
                raise ValueError(message)
        elif byte in b"}]":
            depth -= 1


def _refuse_constant(constant: str) -> Any:  # noqa: ANN401  never returns
    message = f"{constant} is no JSON number"
    raise ValueError(message)


def _finite(text: str) -> float:
    _refuse_digits(text)
    value = float(text)
    if not math.isfinite(value):
        message = f"{text} is beyond every float"
        raise ValueError(message)
    return value


def _short_integer(text: str) -> int:
    _refuse_digits(text)
    return int(text)


def _refuse_digits(text: str) -> None:
    if len(text) > _DIGITS:
        message = f"a number of {len(text)} digits"
        raise ValueError(message)
