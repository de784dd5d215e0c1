from __future__ import annotations

import json
from datetime import date, datetime, time

import pytest

from generator.program import Declined, observed
from tests.results.harness import declared, load, needed, pinned

parsers = load("dates", "parsers")
BENCHMARK = declared("dates")
REFERENCE = "2026-03-18T10:00:00"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (datetime(2026, 4, 5, 23, 59), "2026-04-05"),  # noqa: DTZ001  as parsers return it
        (date(33, 4, 3), "0033-04-03"),
        ([(date(2026, 4, 5), date(2026, 4, 7))], "2026-04-05 2026-04-07"),
        ([date(2026, 4, 7), date(2026, 4, 5), date(2026, 4, 7)], "2026-04-07 2026-04-05"),
        ([date(2026, 4, 5), time(12)], "2026-04-05"),
    ],
)
def test_an_answer_is_the_calendar_dates_in_what_was_returned(value: object, text: str) -> None:
    """In the order returned, each once, between single spaces; a range is its two ends."""
    assert parsers.answer_text(value) == text


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "nothing was returned"),
        ([], "nothing was returned"),
        (time(12), "what was returned holds no date: time"),
        ([time(12)], "what was returned holds no date: list"),
    ],
)
def test_what_holds_no_date_declines(value: object, words: str) -> None:
    """A parser that finds nothing has refused the text."""
    with pytest.raises(Declined, match=words):
        parsers.answer_text(value)


def test_every_parser_is_declared_by_its_name() -> None:
    """The last argument of its command, and its id in the results."""
    program = "results/benchmarks/dates/harness/parsers.py"
    assert [system.command for system in BENCHMARK.systems] == [
        ("python", program, system.id) for system in BENCHMARK.systems
    ]
    assert {system.id for system in BENCHMARK.systems} == parsers.PARSERS.keys()


def test_every_package_that_can_change_an_answer_is_pinned() -> None:
    """The list is exactly the parsers' own packages and those that they need."""
    assert pinned("dates") == needed(BENCHMARK)


def test_the_options_of_a_parser_name_the_reference_once() -> None:
    """Every library that takes a reference time is given the one of the benchmark."""
    assert parsers.reference() == datetime.fromisoformat(REFERENCE)
    for system in BENCHMARK.systems:
        options = json.dumps(system.options)
        assert options.count(REFERENCE) == (0 if system.id in {"arrow", "datetime"} else 1)


def test_the_standard_library_is_asked_as_the_others_are() -> None:
    """It needs no package, and refuses what is not ISO 8601."""
    loaded = parsers.PARSERS["datetime"](parsers.reference())
    assert observed(loaded, "2026-04-05", parsers.answer_text) == {"content": "2026-04-05"}
    assert observed(loaded, "tomorrow", parsers.answer_text) == {
        "refusal": "ValueError: Invalid isoformat string: 'tomorrow'"
    }
