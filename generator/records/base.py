"""What every shape on disk has in common: strict reading, canonical writing, digests.

A record is read with `parse` and written with `canonical_json`: sorted keys, two spaces, a final
newline, finite numbers only. The same value gives the same bytes on every machine.
"""

import hashlib
import json
import math
import re
import unicodedata
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal, NoReturn, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    PlainSerializer,
    StringConstraints,
    ValidationError,
)

HEX_ON_PAGES = 16
"""How much of a digest is shown to a reader; files hold it in full."""

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=100)]
"""A name that is safe in a file name, a link and a page on every system."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=300)]
"""A name as its owner writes it; hostile until escaped."""

Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""A sha256, in full, in lower-case hex."""

Commit = Annotated[str, StringConstraints(pattern=r"^(?:[0-9a-f]{40}|[0-9a-f]{64})$")]
"""A git commit in full hex."""


def _on_the_calendar(moment: str) -> str:
    datetime.fromisoformat(moment)
    return moment


Moment = Annotated[
    str,
    StringConstraints(
        pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?Z$"
    ),
    AfterValidator(_on_the_calendar),
]
"""A moment in UTC that there was, ISO 8601; ordered as text within one precision."""

Certainty = Literal["yes", "no", "unknown"]
"""A yes/no fact that may be unknown; unknown never passes for clean."""

Axis = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_.:-]{1,100}$")]
"""The name of an axis of configuration, or of a measure's part."""


DIGITS = 40
"""The most digits of a decimal: what is written without an exponent must stay short."""

DEPTH_LIMIT = 64
"""How deep objects and arrays may be nested."""

_LONGEST_NUMBER = 400
"""The most characters of a number: a longer one means something to no reader."""

_IGNORED = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""What Unicode calls ignorable: characters that hide, join or reorder others and show nothing."""

_BLANK = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")


def decimal_text(value: Decimal) -> str:
    """The one way a decimal is written: no exponent, no trailing zero behind the point."""
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


ExactDecimal = Annotated[
    Decimal,
    Field(ge=0, allow_inf_nan=False, max_digits=DIGITS),
    PlainSerializer(decimal_text, return_type=str),
]
"""A weight or a sum of weights: exact, never a float."""

Share = Annotated[
    Decimal,
    Field(ge=0, le=1, allow_inf_nan=False, max_digits=DIGITS),
    PlainSerializer(decimal_text, return_type=str),
]
"""A number from 0 to 1, exact."""

Rounded = Annotated[
    Decimal,
    Field(allow_inf_nan=False, max_digits=DIGITS),
    PlainSerializer(lambda value: format(value, "f"), str),
]
"""A figure rounded by its definition; the places that it is written with are part of it."""


class Record(BaseModel):
    """A shape that lies on disk: frozen, strict, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    @classmethod
    def parse(cls, content: bytes | str) -> Self:
        """Read JSON text; raises ValueError for what two readers could take differently."""
        strict_json(content)
        return cls.model_validate_json(content)

    def plain(self) -> dict[str, JsonValue]:
        """The record as JSON values, without what is not set."""
        return self.model_dump(mode="json", exclude_none=True, by_alias=True)

    def to_json(self) -> bytes:
        """The record's canonical bytes."""
        return canonical_json(self.plain())


def strict_json(content: bytes | str, depth: int = DEPTH_LIMIT) -> Any:  # noqa: ANN401
    """Any JSON value; raises ValueError for what two readers could take differently."""
    value = json.loads(
        content,
        object_pairs_hook=unique_keys,
        parse_constant=not_finite,
        parse_float=_finite,
        parse_int=_short_integer,
    )
    _refuse_depth(value, depth)
    return value


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An `object_pairs_hook` that refuses an object in which a key stands twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = sorted({key for key, _ in pairs if key in seen or seen.add(key)})  # type: ignore[func-returns-value]
        message = f"the key {twice[0]!r} stands twice in one object"
        raise ValueError(message)
    return found


def fault_in(content: bytes, fault: Exception) -> str:
    """What is wrong with a file: a conflict marker, or each fault with its place in the file."""
    for number, line in enumerate(content.split(b"\n"), 1):
        if line.startswith((b"<<<<<<< ", b">>>>>>> ")):
            return f"line {number} is a conflict marker of git"
    if not isinstance(fault, ValidationError):
        return str(fault)
    found = fault.errors(include_url=False)
    for error in found:
        if error["loc"] == ("format",) and error["type"] == "literal_error":
            expected = error["ctx"]["expected"]
            return f"its format is {error['input']!r}, and this version of assay reads {expected}"
    return "; ".join(
        f"at {'.'.join(map(str, error['loc'])) or 'the top'}: {error['msg']}" for error in found
    )


def not_finite(constant: str) -> NoReturn:
    """A `parse_constant` that refuses NaN and the infinities."""
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
    if len(text) > _LONGEST_NUMBER:
        message = f"a number of {len(text)} digits"
        raise ValueError(message)


def _refuse_depth(value: Any, room: int) -> None:  # noqa: ANN401  any JSON value
    if not isinstance(value, dict | list):
        return
    if room == 0:
        message = f"objects and arrays are nested more than {DEPTH_LIMIT} deep"
        raise ValueError(message)
    for inner in value.values() if isinstance(value, dict) else value:
        _refuse_depth(inner, room - 1)


def canonical_json(value: JsonValue | Mapping[str, Any]) -> bytes:
    """Canonical bytes for a file: sorted keys, two spaces, final newline, finite numbers."""
    text = json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return text.encode() + b"\n"


def digest_of_json(value: JsonValue | Mapping[str, Any]) -> str:
    """The sha256 of the canonical JSON of a value: sorted keys, no white space, UTF-8.

    A number that is no integer stands as a string of its shortest decimal text, so that no
    language's way of writing floats decides about a digest.
    """
    text = json.dumps(
        _without_floats(value),
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
        allow_nan=False,
    )
    return hashlib.sha256(text.encode()).hexdigest()


def _without_floats(value: Any) -> Any:  # noqa: ANN401  any JSON value
    if isinstance(value, float) and math.isfinite(value):
        return decimal_text(Decimal(repr(value)))
    if isinstance(value, Mapping):
        return {key: _without_floats(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_without_floats(inner) for inner in value]
    return value


def slug(text: str, *, limit: int = 60) -> str:
    """A readable name made of `[a-z0-9-]` only, for file names and links; may be empty."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:limit].strip("-")


def as_seen(value: JsonValue) -> JsonValue:
    """A value with each text as a reader sees it: composed, its spaces alike, nothing hidden."""
    if isinstance(value, str):
        return unicodedata.normalize("NFC", _BLANK.sub(" ", _IGNORED.sub("", value)).strip())
    if isinstance(value, dict):
        return {str(as_seen(key)): as_seen(inner) for key, inner in value.items()}
    return [as_seen(inner) for inner in value] if isinstance(value, list) else value
