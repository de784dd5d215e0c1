"""How an action is declared: once, for the catalogue, the tools, the checks and the doing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from workshop.store import Store

Json: TypeAlias = Any
"""A value of JSON."""

CONFIRMATION = "confirm"
"""The argument without which nothing is destroyed."""


_DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"


class Refused(Exception):
    """A call that isn't carried out: unknown, invalid, or not confirmed."""


@dataclass(frozen=True, slots=True)
class Argument:
    """What a caller can or must say."""

    name: str
    says: str
    schema: Mapping[str, Json]
    required: bool = True

    def described(self) -> dict[str, Json]:
        """Its JSON schema, with what it means."""
        return {**self.schema, "description": self.says}


@dataclass(frozen=True, slots=True)
class Form:
    """How a text has to look."""

    pattern: str
    example: str


class Given:
    """The arguments of a call that passed its schema."""

    def __init__(self, values: Mapping[str, Json]) -> None:
        self._values = values

    def text(self, name: str) -> str:
        """A text that must be there."""
        return str(self._values[name]).strip()

    def whole(self, name: str) -> int:
        """A whole number that must be there."""
        return int(self._values[name])

    def flag(self, name: str) -> bool:
        """Whether something was said to be so; it wasn't where nothing was said."""
        return bool(self._values.get(name, False))

    def maybe(self, name: str) -> str | None:
        """A text that may be there."""
        return self.text(name) if name in self._values else None

    def some(self, *names: str) -> dict[str, Json]:
        """Those of these values that were given, by name."""
        return {name: self._values[name] for name in names if name in self._values}


Does: TypeAlias = "Callable[[Store, Given], Json]"


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that the workshop can do."""

    domain: str
    name: str
    says: str
    """What it does, and what it is to be told apart from."""

    does: Does
    arguments: tuple[Argument, ...] = ()
    changes: bool = False
    destructive: bool = False
    """Whether what it does can't be undone; it needs the confirmation."""

    also: str = ""
    """Other words that people use for it: it is found by them, and they are not shown."""

    @property
    def id(self) -> str:
        """Its name among all."""
        return f"{self.domain}.{self.name}"

    @property
    def takes(self) -> tuple[Argument, ...]:
        """All of its arguments, the confirmation among them where it needs one."""
        return (*self.arguments, CONFIRM) if self.destructive else self.arguments

    @property
    def schema(self) -> dict[str, Json]:
        """The JSON schema of its arguments."""
        return {
            "type": "object",
            "properties": {argument.name: argument.described() for argument in self.takes},
            "required": [argument.name for argument in self.takes if argument.required],
            "additionalProperties": False,
        }

    @property
    def description(self) -> str:
        """What it does, as a caller reads it."""
        warning = " Can't be undone: refused unless confirm is true."
        return self.says + (warning if self.destructive else "")


CONFIRM = Argument(
    CONFIRMATION,
    "Must be true, or nothing is done. Set it only when exactly this was asked for.",
    {"type": "boolean"},
    required=False,  # so that leaving it out is answered by what it is for
)


def reference(kind: str, what: str = "", *, name: str = "", required: bool = True) -> Argument:
    """An argument that names a thing."""
    says = what or f"The {kind}"
    return Argument(
        name or f"{kind}_id",
        f"{says}: its id, its short id or its name.",
        {"type": "string", "minLength": 1},
        required=required,
    )


def text(
    name: str, says: str, *, longest: int = 120, required: bool = True, shortest: int = 1
) -> Argument:
    """An argument that is a text."""
    return Argument(
        name, says, {"type": "string", "minLength": shortest, "maxLength": longest}, required
    )


def like(name: str, says: str, form: Form, *, required: bool = True) -> Argument:
    """An argument that is a text of a certain form."""
    schema = {"type": "string", "pattern": form.pattern, "examples": [form.example]}
    return Argument(name, says, schema, required)


def whole(name: str, says: str, *, low: int = 0, required: bool = True) -> Argument:
    """An argument that is a whole number."""
    schema = {"type": "integer", "minimum": low, "maximum": 10_000_000}
    return Argument(name, says, schema, required)


def one_of(name: str, says: str, choices: tuple[str, ...], *, required: bool = True) -> Argument:
    """An argument that is one of a few words."""
    return Argument(name, says, {"type": "string", "enum": list(choices)}, required)


def yes_no(name: str, says: str, *, required: bool = True) -> Argument:
    """An argument that is true or false."""
    return Argument(name, says, {"type": "boolean"}, required)


def day(name: str, says: str, *, required: bool = True) -> Argument:
    """An argument that is a calendar date."""
    argument = like(name, f"{says}, as YYYY-MM-DD.", Form(_DAY, "2026-05-18"), required=required)
    return replace(argument, schema={**argument.schema, "format": "date"})


def clock(name: str, says: str, example: str) -> Argument:
    """An argument that is a time of day."""
    form = Form(r"^([01][0-9]|2[0-3]):[0-5][0-9]$", example)
    return like(name, f"{says}, as HH:MM in 24 hours.", form)


def is_day(value: str) -> bool:
    """Whether a text is a calendar date of the form YYYY-MM-DD."""
    try:
        return date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False
