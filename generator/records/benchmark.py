"""`benchmark.toml`: what a benchmark says of itself."""

import json
import tomllib
from decimal import Decimal
from typing import Annotated, Literal, NoReturn, TypeVar

from pydantic import JsonValue, PositiveInt, StringConstraints, field_validator, model_validator

from generator.records.base import Axis, ExactDecimal, Name, Record, Share, Slug

Field = Literal["subject", "surface", "options", "tools", "revision"]
"""A provenance field that a benchmark may declare as one that does not apply to it."""


PYTHON = "python"
"""The first word of a command that is run by the Python of `results` itself."""

Title = Annotated[str, StringConstraints(pattern=r"^[^{}<>\[\]|`*\\\n]{1,300}$")]
"""English, and the id of a message of the catalogues: text without markup or places for values."""


class Category(Record):
    """A group of cases that is also reported on its own."""

    id: Slug
    title: Title


class Effort(Record):
    """A level of effort, and how it is asked of a system that has no such setting."""

    id: Slug
    instruction: Name | None = None
    """What is put before each prompt; where it is missing, such a system can't be asked here."""

    tokens: PositiveInt | None = None
    """How many tokens a reply may take."""


class DeclaredSystem(Record):
    """A program that the benchmark can be put to: one process a case, no shell."""

    id: Slug
    command: tuple[Name, ...]
    """Its arguments, of which the first is the program; run from the root of the project.

    `python` is the Python that runs `results`, whatever is called so elsewhere.
    """

    provider: Name
    model: Name | None = None
    """Its name where it comes from; the id where it is missing."""

    revision: Name | None = None
    revision_of: Name | None = None
    """The Python distribution whose installed version is the revision; `python` for its own."""

    stands_on: tuple[Name, ...] = ()
    """Python distributions that it needs, whose installed versions are part of what is measured."""

    surface: Name | None = None
    options: dict[str, JsonValue] = {}

    @field_validator("command")
    @classmethod
    def _something_is_run(cls, command: tuple[str, ...]) -> tuple[str, ...]:
        if not command:
            message = "a command has at least the program"
            raise ValueError(message)
        return command

    @property
    def is_of_python(self) -> bool:
        """Whether its row says which Python ran it, and versions that are installed there."""
        return self.revision_of is not None or bool(self.stands_on)

    @model_validator(mode="after")
    def _versions_are_those_that_run(self) -> "DeclaredSystem":
        if self.revision is not None and self.revision_of is not None:
            message = "`revision` and `revision_of` do not stand together"
            raise ValueError(message)
        if self.is_of_python and self.command[0] != PYTHON:
            message = f"versions are read from the Python that runs it, so the command is {PYTHON}"
            raise ValueError(message)
        return self


class Price(Record):
    """What a million tokens of a system cost; a run that is under way adds it up.

    It stands in no row, for prices change, and tokens don't.
    """

    system: Name
    """As `results run` is told it: `openai:MODEL`, `command:NAME`."""

    input: ExactDecimal
    output: ExactDecimal
    cache_read: ExactDecimal | None = None
    """As `input` where it is missing, like the next."""

    cache_created: ExactDecimal | None = None
    currency: Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")] = "USD"


class Surface(Record):
    """A way in which the subject offers what it can do, and how a server that does so starts."""

    id: Slug
    command: tuple[Name, ...]
    """The MCP server on standard input and output; run from the root of the project, no shell."""


class Subject(Record):
    """The MCP server that systems are to use: how it starts, and how its state is kept."""

    name: Name
    version: Name
    repository: Name | None = None
    keeper: tuple[Name, ...]
    """A program that makes fixtures, reads the state and removes what was made."""

    refused: Name
    """A pattern: an error that it matches says that a call was refused before anything was done."""

    surfaces: tuple[Surface, ...]


_Listed = TypeVar("_Listed", Category, Effort, DeclaredSystem)


class Benchmark(Record):
    """A declared set of cases, the family that scores it, and how it is shown."""

    format: Literal["assay.benchmark/1"]
    """The shape of this file; another number is another shape."""

    id: Slug
    family: Slug
    version: Name
    """Goes up when the meaning of a score changes."""

    title: Title
    summary: Title
    """One sentence."""

    licence: Name
    """SPDX expression for the corpus and the published observations."""

    not_applicable: tuple[Field, ...] = ()
    """Provenance fields that say nothing of this kind of system."""

    shown: tuple[Axis, ...]
    """Ids of the measures in the results table, in order; rows are ranked by the first."""

    excluded_at_most: Share = Decimal("0.05")
    """The share of attempts that may be left out since they failed through no fault of a system."""

    run: Name
    """The command that runs it, from the root of the repository."""

    categories: tuple[Category, ...] = ()

    effort: tuple[Effort, ...] = ()
    """Levels of effort that every system is asked at, from cheap to dear; a row each."""

    systems: tuple[DeclaredSystem, ...] = ()
    """Programs that `results run` knows by name."""

    subject: Subject | None = None
    """What systems are to use, where they are to use something."""

    prices: tuple[Price, ...] = ()
    """What systems cost that are paid for."""

    scoring: dict[str, JsonValue] = {}
    """Everything that changes a score: weights, tiers, limits, configuration."""

    @field_validator("shown")
    @classmethod
    def _something_is_shown(cls, shown: tuple[str, ...]) -> tuple[str, ...]:
        if not shown:
            message = "at least one measure must be shown"
            raise ValueError(message)
        return shown

    @field_validator("categories", "effort", "systems")
    @classmethod
    def _each_once(cls, listed: tuple[_Listed, ...]) -> tuple[_Listed, ...]:
        if len({one.id for one in listed}) != len(listed):
            message = "each id stands once"
            raise ValueError(message)
        return listed

    @field_validator("prices")
    @classmethod
    def _one_price_each(cls, prices: tuple[Price, ...]) -> tuple[Price, ...]:
        if len({price.system for price in prices}) != len(prices):
            message = "each system has one price"
            raise ValueError(message)
        return prices

    @classmethod
    def from_toml(cls, content: bytes) -> "Benchmark":
        """Read the file; raises ValueError (TOML, text or shape) with the place in its words."""
        table = tomllib.loads(content.decode())
        return cls.model_validate_json(json.dumps(table, allow_nan=False, default=_no_json))


def _no_json(value: object) -> NoReturn:
    """TOML has dates and times, JSON has not."""
    message = f"{value} is no value of JSON; a date or a time stands in quotes"
    raise ValueError(message)
