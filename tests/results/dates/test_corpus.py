from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

BENCHMARK = Path(__file__).resolve().parents[3] / "results" / "benchmarks" / "dates"
SETTINGS = tomllib.loads((BENCHMARK / "benchmark.toml").read_text(encoding="utf-8"))
NOW = datetime.fromisoformat(SETTINGS["scoring"]["configuration"]["reference"])
FILES = sorted((BENCHMARK / "cases").rglob("*.json"))
CASES: list[dict[str, Any]] = [json.loads(path.read_text(encoding="utf-8")) for path in FILES]

FEWEST = {"absolute": 25, "relative": 22, "languages": 24, "must-refuse": 20}
FEWEST_LANGUAGES = 10

REFUSED = [{"type": "word_count", "value": 0}]
TRUTH = re.compile(r"\^(\d{4}-\d\d-\d\d)\$")

FORMATS = (
    "%Y-%m-%d",
    "%Y%m%d",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%G-W%V-%u",
    "%Y-%j",
    "%Y-%m-%dT%H:%M:%S%z",
    "%Y-%m-%d %H:%M:%S.%f",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d.%m.%Y",
    "%d %B %Y",
    "%B %d, %Y",
    "%Y %B %d",
    "%A, %d %B %Y",
    "%d-%b-%Y",
    "%d%b%Y",
    "%a, %d %b %Y %H:%M:%S %z",
    "%a %b %d %H:%M:%S %Y",
    "%d/%b/%Y:%H:%M:%S %z",
    "%d %B %Y, %I:%M %p",
)
DAYS = {
    "now": 0,
    "today": 0,
    "tonight": 0,
    "tomorrow": 1,
    "yesterday": -1,
    "the day after tomorrow": 2,
    "the day before yesterday": -2,
}
NUMBERS = {"a": 1, "the": 1, "one": 1, "two": 2, "three": 3, "ten": 10, "seventy-two": 72}
HOURS = {"hour": 1, "day": 24, "week": 7 * 24, "fortnight": 14 * 24}
MONTHS = {"month": 1, "year": 12}

AMOUNT = r"(?P<number>[\w-]+) (?P<unit>[a-z]+?)s?"
AHEAD = re.compile(rf"in {AMOUNT}|{AMOUNT.replace('?P<', '?P<later_')} (?:hence|from now)")
AGO = re.compile(rf"{AMOUNT} ago")
AROUND = re.compile(rf"{AMOUNT} (?P<side>before|after) (?P<day>\d+ [A-Z][a-z]+ \d{{4}})")


def of(category: str) -> list[dict[str, Any]]:
    """The cases of one category."""
    return [case for case in CASES if case["category"] == category]


def truth(case: dict[str, Any]) -> date:
    """The date that a case expects."""
    [check] = case["checks"]
    found = TRUTH.fullmatch(check["value"])
    assert check["type"] == "regex"
    assert found is not None
    return date.fromisoformat(found[1])


def written(text: str) -> set[date]:
    """Every day that a text is in one of the forms of the table."""
    found = set()
    for form in FORMATS:
        try:
            found.add(datetime.strptime(text, form).date())  # noqa: DTZ007  only its day is used
        except ValueError:
            continue
    # Day 366 of a common year runs over into the next year here: that is no reading of the text.
    return {day for day in found if str(day.year) in text}


def counted(phrase: str) -> date | None:
    """The day that a relative phrase means, if the small tables above can express it."""
    phrase = phrase.partition(" at ")[0]
    if phrase in DAYS:
        return NOW.date() + timedelta(days=DAYS[phrase])
    if found := AROUND.fullmatch(phrase):
        anchor = datetime.strptime(found["day"], "%d %B %Y")  # noqa: DTZ007  only its day is used
        sign = 1 if found["side"] == "after" else -1
        return moved(anchor, sign, found["number"], found["unit"])
    if found := AGO.fullmatch(phrase):
        return moved(NOW, -1, found["number"], found["unit"])
    if found := AHEAD.fullmatch(phrase):
        number = found["number"] or found["later_number"]
        return moved(NOW, 1, number, found["unit"] or found["later_unit"])
    return None


def moved(start: datetime, sign: int, number: str, unit: str) -> date | None:
    """A day so many units away."""
    amount = sign * (int(number) if number.isdigit() else NUMBERS[number])
    if unit in HOURS:
        return (start + timedelta(hours=amount * HOURS[unit])).date()
    if unit in MONTHS:
        months = start.year * 12 + start.month - 1 + amount * MONTHS[unit]
        return date(months // 12, months % 12 + 1, start.day)
    return None


def test_every_file_has_the_one_form() -> None:
    """A case is five keys in one order, indented by two spaces, with letters as they are."""
    keys = ["name", "category", "description", "prompt", "checks"]
    assert [case["name"] for case in CASES if list(case) != keys] == []
    for path, case in zip(FILES, CASES, strict=True):
        canonical = json.dumps(case, indent=2, ensure_ascii=False) + "\n"
        assert path.read_text(encoding="utf-8") == canonical, path.name


def test_a_case_is_found_by_its_name() -> None:
    """The name is the file's, begins with the folder's, and stands once."""
    for path, case in zip(FILES, CASES, strict=True):
        assert (path.stem, path.parent.name) == (case["name"], case["category"])
        assert re.fullmatch(rf"{case['category']}(-[a-z0-9]+)+", case["name"])
    assert len({case["name"] for case in CASES}) == len(CASES)


def test_no_text_is_asked_twice() -> None:
    """A text that stood in two cases would count twice."""
    twice = [text for text, count in Counter(case["prompt"] for case in CASES).items() if count > 1]
    assert twice == []


def test_every_case_says_why_its_truth_is_the_truth() -> None:
    """The description is one sentence."""
    sentence = re.compile(r"[A-Z0-9].*\.")
    assert [c["name"] for c in CASES if not sentence.fullmatch(c["description"])] == []


def test_each_category_has_enough_cases() -> None:
    """The categories are those that the benchmark declares, and none is thin."""
    counts = Counter(case["category"] for case in CASES)
    assert [category["id"] for category in SETTINGS["categories"]] == list(FEWEST)
    assert counts.keys() == FEWEST.keys()
    assert [name for name, fewest in FEWEST.items() if counts[name] < fewest] == []


def test_what_must_be_refused_is_answered_by_nothing() -> None:
    """A text without a date has the one key that only silence fits, and no other text has it."""
    assert [c["name"] for c in of("must-refuse") if c["checks"] != REFUSED] == []
    assert [c["name"] for c in CASES if c["checks"] == REFUSED] == [
        c["name"] for c in of("must-refuse")
    ]


def test_every_truth_is_a_date_that_exists() -> None:
    """Outside of must-refuse each case expects exactly one day of the calendar."""
    for case in CASES:
        if case["category"] != "must-refuse":
            truth(case)


def test_a_form_of_the_table_has_just_the_truth_as_its_reading() -> None:
    """Where a text is in known forms, all of them agree, and on the day that the case expects."""
    readings = {case["name"]: (written(case["prompt"]), {truth(case)}) for case in of("absolute")}
    known = {name: both for name, both in readings.items() if both[0]}
    assert {name: both for name, both in known.items() if both[0] != both[1]} == {}
    assert len(known) >= 20


def test_a_weekday_in_a_text_is_the_weekday_of_its_date() -> None:
    """A text that contradicted itself would have no truth."""
    weekday = re.compile(r"^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)")
    named = {
        c["name"]: (found[0], truth(c)) for c in CASES if (found := weekday.match(c["prompt"]))
    }
    assert {name for name, (day, when) in named.items() if f"{when:%a}" != day} == set()
    assert named


def test_the_reference_is_a_wednesday_morning() -> None:
    """Cases count from it, and hours must not lead over midnight by surprise."""
    assert (f"{NOW:%A}", NOW.hour) == ("Wednesday", 10)


def test_relative_truths_are_what_counting_gives() -> None:
    """Where the tables of this module can express a phrase, they give the day that it expects."""
    results = {case["name"]: (counted(case["prompt"]), truth(case)) for case in of("relative")}
    known = {name: both for name, both in results.items() if both[0] is not None}
    assert {name: both for name, both in known.items() if both[0] != both[1]} == {}
    assert len(known) >= 25


def test_texts_in_other_languages_mean_what_their_description_says_in_english() -> None:
    """The English words of a description, read by this module, give the same day."""
    known = 0
    for case in of("languages"):
        meaning = case["description"].partition(": ")[2].rstrip(".")
        found = re.match(r"(?:\w+, )?(\d{1,2} [A-Z][a-z]+ \d{4})", meaning)
        days = written(found[1]) if found else {counted(meaning)} - {None}
        assert days <= {truth(case)}, case["name"]
        known += bool(days)
    assert known >= 30


def test_many_languages_are_asked_and_english_is_not_one_of_them() -> None:
    """The second part of the name is the language; each description begins with its name."""
    languages = {case["name"].split("-")[1] for case in of("languages")}
    assert "en" not in languages
    assert all(re.fullmatch("[a-z]{2}", language) for language in languages)
    assert len(languages) >= FEWEST_LANGUAGES
    assert len({c["description"].partition(":")[0] for c in of("languages")}) == len(languages)


def test_no_text_with_a_truth_can_be_read_in_two_orders() -> None:
    """Numbers alone stand only where one of them can be the day, and years have four digits."""
    numeric = re.compile(r"\b(\d{1,2})([./-])(\d{1,2})\2(\d+)\b")
    for case in CASES:
        found = numeric.search(case["prompt"])
        if found is None or case["category"] == "must-refuse":
            continue
        first, second, year = found[1], found[3], found[4]
        assert max(int(first), int(second)) > 12, case["name"]
        assert len(year) == 4, case["name"]


def test_no_text_that_people_read_differently_is_asked() -> None:
    """A bare "next month" is no day, and which Friday is the next one depends on the reader."""
    vague = re.compile(
        r"(?:next|last|this) (?:week|month|year|\w+day)|(?:\w+day|may|\d{1,4})", re.IGNORECASE
    )
    clear = {"today", "yesterday"}
    asked = [case["prompt"] for case in CASES if vague.fullmatch(case["prompt"])]
    assert [text for text in asked if text not in clear] == []


def test_impossible_dates_are_impossible() -> None:
    """A date of must-refuse in a known form has no reading as a day."""
    readings = {case["name"]: written(case["prompt"]) for case in of("must-refuse")}
    assert {name: days for name, days in readings.items() if days} == {}
