"""What an assertion is: its type, what its file asks, and its verdict on a reply."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from generator.families.blocks import Code
from generator.families.declarative.javascript import text_of
from generator.families.declarative.reply import Reply
from generator.messages import Message


class CheckFault(ValueError):
    """A check that can't be asked: an unknown type, a value of the wrong kind, a bad pattern."""


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A check as its file has it, but for its weight."""

    type: str
    given: Any = msgspec.field(default=msgspec.UNSET, name="value")
    """What it compares with; null is a value too."""

    flags: str | None = None
    path: str | None = None
    """Where in a JSON document: dotted, and empty for the whole of it."""

    arg: str | None = None
    """Which argument of a call."""

    @property
    def value(self) -> Any:  # noqa: ANN401  any JSON value
        """What it compares with; none for null and where nothing is given."""
        return None if self.given is msgspec.UNSET else self.given


Passes = Callable[[Reply], bool]


@dataclass(frozen=True, slots=True)
class CheckType:
    """One type of assertion."""

    id: str
    says: str
    """What is expected, with the fields of the check as `{value}`, `{path}` and `{arg}`."""

    compile: Callable[[Asked], Passes]
    """From a check to its verdict on a reply; raises CheckFault."""

    takes: tuple[str, ...] = ()
    """Fields that it takes besides `value`."""

    says_without: str | None = None
    """What is expected where there is no value, if a value may be left out."""

    def ready(self, asked: Asked) -> Passes:
        """The verdict for a check of this type; raises CheckFault."""
        for name in ("flags", "path", "arg"):
            if getattr(asked, name) is not None and name not in self.takes:
                message = f"a {self.id} takes no {name}"
                raise CheckFault(message)
        for name in ("path", "arg"):
            if name in self.takes and getattr(asked, name) is None:
                message = f"a {self.id} needs `{name}`"
                raise CheckFault(message)
        return self.compile(asked)


@dataclass(frozen=True, slots=True)
class Check:
    """One assertion, ready to be asked."""

    type: CheckType
    asked: Asked
    weight: int
    """In units of the finest weight."""

    passes: Passes

    @property
    def expectation(self) -> Message:
        """What it expects, for a reader."""
        value = "" if self.asked.given is msgspec.UNSET else text_of(self.asked.value)
        places = {"value": Code(value), "path": Code(self.asked.path or ROOT)}
        says = self.type.says
        if self.asked.value is None and self.type.says_without is not None:
            says = self.type.says_without
        return Message(says, {**places, "arg": Code(self.asked.arg or "")})


def comparable(asked: Asked) -> Any:  # noqa: ANN401  any JSON value
    """The value to compare with, which may be null but not missing; raises CheckFault."""
    if asked.given is msgspec.UNSET:
        message = f"a {asked.type} needs `value`"
        raise CheckFault(message)
    if isinstance(asked.given, dict):
        message = "a value is a text, a number, true, false, null or an array, not an object"
        raise CheckFault(message)
    return asked.given


ROOT = "$"
"""How the empty path is shown."""
