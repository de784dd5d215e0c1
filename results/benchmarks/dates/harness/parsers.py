"""The systems under test: one object each, and one tuple that lists them.

Each gets its plain documented use, with the reference time where its interface takes one. Nothing
is tuned: no language is named, no order of day and month, no format.

A library is imported where its system is loaded, so that each process holds just one of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from typing import Any


@dataclass(frozen=True, slots=True)
class Loaded:
    """A system that is ready to read texts."""

    read: Callable[[str], object]
    """Takes one text; what it returns is the library's own, or None where nothing was read."""

    refusals: tuple[type[Exception], ...] = ()
    """What it raises, by its own documentation, when it cannot read a text."""


@dataclass(frozen=True, slots=True)
class Parser:
    """One date parser in the one configuration that is tested."""

    id: str
    """Its name in the results."""

    surface: str
    """The call that is used."""

    load: Callable[[datetime], Loaded]
    """Imports the library and sets the reference time."""

    options: str = "{}"
    """The options that are passed, as JSON; `{reference}` stands for the reference time."""

    distribution: str | None = None
    """What it is installed from; none for the standard library."""

    needs: tuple[str, ...] = ()
    """Everything that the distribution requires, directly or not: it may change the answers."""

    def options_at(self, reference: str) -> dict[str, Any]:
        """The options exactly as they are passed, with times as ISO 8601 text."""
        options: dict[str, Any] = json.loads(self.options.replace("{reference}", reference))
        return options


def _dateparser(reference: datetime) -> Loaded:
    # None when the text cannot be read: the docstring of dateparser.parse.
    dateparser = import_module("dateparser")
    return Loaded(lambda text: dateparser.parse(text, settings={"RELATIVE_BASE": reference}))


def _parsedatetime(reference: datetime) -> Loaded:
    # The second value returned is 0 for "not parsed at all": the docstring of Calendar.parse.
    # The flags 1 to 3 say that something was read; the date is then taken as it is returned.
    calendar = import_module("parsedatetime").Calendar()

    def read(text: str) -> object:
        moment, flag = calendar.parseDT(text, sourceTime=reference)
        return moment if flag else None

    return Loaded(read)


def _timefhuman(reference: datetime) -> Loaded:
    # An empty list when nothing is found; the README sets the reference by a tfhConfig.
    timefhuman = import_module("timefhuman")
    config = timefhuman.tfhConfig(now=reference)
    return Loaded(lambda text: timefhuman.timefhuman(text, config=config))


def _datefinder(reference: datetime) -> Loaded:
    # A generator that yields nothing when nothing is found: the docstring of find_dates.
    datefinder = import_module("datefinder")
    return Loaded(lambda text: list(datefinder.find_dates(text, base_date=reference)))


def _dateutil(reference: datetime) -> Loaded:
    # Its docstring lists ParserError for a text that is no date and OverflowError for a number
    # that is too large. `default` is its documented way to say what a date that is not complete
    # is completed from; without it the clock of the machine would decide.
    parser = import_module("dateutil.parser")
    return Loaded(
        lambda text: parser.parse(text, default=reference),
        refusals=(parser.ParserError, OverflowError),
    )


def _arrow(_reference: datetime) -> Loaded:
    # arrow.get(text) reads ISO 8601 and takes no reference. Arrow.dehumanize is another call, for
    # relative phrases of one locale that has to be named, and no plain use tries the one call and
    # then the other: a dispatcher of our own would be under test, not arrow.
    # ParserError is documented as a ValueError, and a date that does not exist comes through as
    # the ValueError of the datetime that was to be made.
    arrow = import_module("arrow")
    return Loaded(lambda text: arrow.get(text).date(), refusals=(ValueError,))


def _standard_library(_reference: datetime) -> Loaded:
    # ValueError for a text that is not ISO 8601; it has no notion of relative dates.
    return Loaded(datetime.fromisoformat, refusals=(ValueError,))


SYSTEMS: tuple[Parser, ...] = (
    Parser(
        id="dateparser",
        distribution="dateparser",
        surface="dateparser.parse",
        options='{"settings": {"RELATIVE_BASE": "{reference}"}}',
        load=_dateparser,
        needs=("python-dateutil", "pytz", "regex", "tzdata", "tzlocal"),
    ),
    Parser(
        id="parsedatetime",
        distribution="parsedatetime",
        surface="parsedatetime.Calendar.parseDT",
        options='{"sourceTime": "{reference}"}',
        load=_parsedatetime,
    ),
    Parser(
        id="timefhuman",
        distribution="timefhuman",
        surface="timefhuman.timefhuman",
        options='{"config": {"now": "{reference}"}}',
        load=_timefhuman,
        needs=("babel", "lark", "python-dateutil", "pytz", "tzdata"),
    ),
    Parser(
        id="datefinder",
        distribution="datefinder",
        surface="datefinder.find_dates",
        options='{"base_date": "{reference}"}',
        load=_datefinder,
        needs=("python-dateutil", "pytz", "regex", "tzdata"),
    ),
    Parser(
        id="python-dateutil",
        distribution="python-dateutil",
        surface="dateutil.parser.parse",
        options='{"default": "{reference}"}',
        load=_dateutil,
        needs=("tzdata",),
    ),
    Parser(
        id="arrow",
        distribution="arrow",
        surface="arrow.get",
        load=_arrow,
        needs=("python-dateutil", "tzdata"),
    ),
    Parser(
        id="datetime",
        surface="datetime.datetime.fromisoformat",
        load=_standard_library,
    ),
)
