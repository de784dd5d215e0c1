"""Reads the text of a case by one date parser: `python parsers.py NAME`, see benchmark.toml.

Each parser gets its plain documented use, with the reference time where its interface takes one.
Nothing is tuned: no language is named, no order of day and month, no format. The options stand in
benchmark.toml as they are passed here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from datetime import date, datetime
from functools import partial
from importlib import import_module
from pathlib import Path

from generator.program import Declined, Loaded, answer

BENCHMARK = Path(__file__).resolve().parents[1] / "benchmark.toml"


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


PARSERS: dict[str, Callable[[datetime], Loaded]] = {
    "dateparser": _dateparser,
    "parsedatetime": _parsedatetime,
    "timefhuman": _timefhuman,
    "datefinder": _datefinder,
    "python-dateutil": _dateutil,
    "arrow": _arrow,
    "datetime": _standard_library,
}


def reference() -> datetime:
    """What `now` means: said by the benchmark, and not by a clock."""
    scoring = tomllib.loads(BENCHMARK.read_text(encoding="utf-8"))["scoring"]
    return datetime.fromisoformat(scoring["configuration"]["reference"])


def answer_text(value: object) -> str:
    """The calendar dates in what a parser returned, in its order, each once, between spaces."""
    if text := " ".join(dict.fromkeys(day.isoformat() for day in _dates(value))):
        return text
    if value is None or value == []:
        raise Declined("nothing was returned")
    raise Declined(f"what was returned holds no date: {type(value).__name__}")


def _dates(value: object) -> Iterator[date]:
    if isinstance(value, datetime):
        yield value.date()
    elif isinstance(value, date):
        yield value
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _dates(part)


if __name__ == "__main__":
    now = reference()
    answer({name: partial(load, now) for name, load in PARSERS.items()}, answer_text)
