"""The contract of a dialect: what providers are sent and what they send back, as values only."""

import contextlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

import msgspec

from generator.records.base import DEPTH_LIMIT, strict_json
from generator.records.bundle import INTEGER_LIMIT, Tokens, ToolCall

Json: TypeAlias = Any
"""Any JSON value, as a provider has it."""

MAX_TOKENS = 4096
"""How many tokens a reply may take where neither option nor level says it and one must."""

RESERVED = frozenset({"model", "messages", "tools", "stream"})
"""Members of a request that no option may take the place of."""

STRANGE = (LookupError, TypeError, AttributeError, ValueError, RecursionError)
"""What reading a reply raises that is not of the provider's form."""

_BEYOND_EVERY_FLOAT = re.compile(r"[0-9]{309}")
_AROUND = 5
"""How deep the arguments of a call lie in the line of an attempt."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a reply, by the name that the provider gave it."""

    id: str
    name: str
    arguments: str
    """As sent: the text of an object, or of what is none."""

    def as_observed(self) -> ToolCall:
        """The call as a bundle holds it: an object only where two readers take it for the same."""
        sent = self.arguments
        with contextlib.suppress(ValueError, RecursionError):
            value = strict_json(sent or "{}", DEPTH_LIMIT - _AROUND)
            if isinstance(value, dict) and not _BEYOND_EVERY_FLOAT.search(sent):
                return ToolCall(self.name, msgspec.Raw(_written(value)))
        return ToolCall(self.name, msgspec.Raw(_written(sent)))


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Literal["user", "assistant", "tool"]
    content: str = ""
    answers: str = ""
    """The id of the call that a tool's result answers."""

    ran: bool = True
    """Whether the call was carried out that it answers."""

    raw: Json = None
    """A reply as the provider has it, which is handed back to it unchanged."""


@dataclass(frozen=True, slots=True)
class Said:
    """A reply, as the provider's form has it."""

    content: str | None
    refusal: str | None = None
    calls: tuple[Call, ...] = ()
    tokens: Tokens = field(default_factory=Tokens)
    model: str | None = None
    """What the provider calls the model that answered."""

    raw: Json = None
    """The reply as the provider has it."""


class Dialect(Protocol):
    """How one kind of provider is spoken to."""

    path: str
    surface: str
    key: str
    """The variable of the environment that holds the key."""

    base: str
    """Its address, unless `base_variable` says another."""

    base_variable: str
    defaults: Mapping[str, Any]
    """Options that no request goes without, unless they are given."""

    def headers(self, key: str | None) -> dict[str, str]:
        """Headers of every request."""
        ...

    def effort(self, model: str, level: str) -> dict[str, Any] | None:
        """Options by which a level is asked for; none where the provider has no such level."""
        ...

    def body(
        self,
        model: str,
        conversation: Sequence[Message],
        tools: Sequence[Mapping[str, Any]],
        options: Mapping[str, Any],
    ) -> dict[str, Any]:
        """The request."""
        ...

    def read(self, reply: Json) -> Said:
        """The reply; raises one of `STRANGE` where it is not of the provider's form."""
        ...

    def tokens(self, reply: Json) -> Tokens:
        """What any reply was billed, of the provider's form or not."""
        ...


def _written(value: Json) -> bytes:
    """A JSON value; raises ValueError for half a surrogate pair."""
    return json.dumps(value, ensure_ascii=False).encode()


def text(value: Json) -> str | None:
    """A text or nothing; anything else is strange."""
    if value is not None and not isinstance(value, str):
        message = f"a text was expected, not {type(value).__name__}"
        raise TypeError(message)
    return value


def name(value: Json) -> str:
    """A text; nothing or anything else is strange."""
    found = text(value)
    if found is None:
        message = "a text was expected, and there is none"
        raise TypeError(message)
    return found


def table(value: Json, *keys: str) -> Mapping[str, Any]:
    """The object that stands below some keys; an empty one where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def count(value: Json) -> int | None:
    """A number of tokens; nothing where it is no such number."""
    return value if type(value) is int and 0 <= value <= INTEGER_LIMIT else None
