from __future__ import annotations

import ast
import html
import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from generator.families.declarative.corpus import read_corpus
from generator.families.declarative.scorer import DeclarativeScorer
from generator.records.benchmark import Benchmark
from generator.records.bundle import Attempt, Turn
from generator.records.measure import Ratio

BENCHMARK = Path(__file__).resolve().parents[3] / "results" / "benchmarks" / "json-repair"
SETTINGS = tomllib.loads((BENCHMARK / "benchmark.toml").read_text(encoding="utf-8"))
FILES = sorted((BENCHMARK / "cases").rglob("*.json"))
CASES: list[dict[str, Any]] = [json.loads(path.read_text(encoding="utf-8")) for path in FILES]
DECLARED = Benchmark.from_toml((BENCHMARK / "benchmark.toml").read_bytes())
KEYS = {path.stem: read_corpus({path.name: path.read_bytes()}, DECLARED) for path in FILES}
"""A corpus of one case for each: only the one that is asked has to be scored."""

REFUSE = "must-refuse"
DAMAGE = (
    "trailing-commas",
    "missing-commas",
    "quotes",
    "brackets",
    "comments",
    "surroundings",
    "strings",
    "literals",
)
FEWEST = 11
FEWEST_DAMAGED = 88

REFUSED = [{"type": "word_count", "value": 0}]
WHOLE = "contains"
"""The type of the check that asks for the whole document."""

STRING = r'"(?:[^"\\]|\\.)*"'


def of(category: str) -> list[dict[str, Any]]:
    """The cases of one category."""
    return [case for case in CASES if case["category"] == category]


def damaged() -> list[dict[str, Any]]:
    """The cases with a document."""
    return [case for case in CASES if case["category"] != REFUSE]


def truth(case: dict[str, Any]) -> Any:  # noqa: ANN401  any JSON value
    """The document that a case expects."""
    return json.loads(case["checks"][-1]["value"])


def answer(document: object) -> str:
    """A document as the harness writes an answer."""
    return json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def ending(name: str, said: str) -> str:
    """What an attempt at a case ends as, when this was said."""
    scorer = DeclarativeScorer(KEYS[name])
    scorer.add(
        Attempt(
            id=f"system/{name}/1",
            case=name,
            system="system",
            repetition=1,
            outcome="completed",
            turns=(Turn(content=said),),
        )
    )
    [metric] = [
        figure.metric
        for figure in scorer.finish().measures
        if isinstance(figure, Ratio) and figure.part is None and figure.numerator
    ]
    return metric


def test_every_file_has_the_one_form() -> None:
    """A case is six keys in one order, indented by two spaces, with letters as they are."""
    keys = ["name", "category", "description", "prompt", "example", "checks"]
    assert [case["name"] for case in CASES if list(case) != keys] == []
    for path, case in zip(FILES, CASES, strict=True):
        canonical = json.dumps(case, indent=2, ensure_ascii=False) + "\n"
        # A byte order mark is the one letter that nobody could see.
        assert path.read_text(encoding="utf-8") == canonical.replace("\ufeff", r"\ufeff"), path.name


def test_a_case_is_found_by_its_name() -> None:
    """The name is the file's, begins with the folder's, and stands once."""
    for path, case in zip(FILES, CASES, strict=True):
        assert (path.stem, path.parent.name) == (case["name"], case["category"])
        assert re.fullmatch(rf"{case['category']}(-[a-z0-9]+)+", case["name"])
    assert len({case["name"] for case in CASES}) == len(CASES)


def test_no_text_and_no_document_is_asked_twice() -> None:
    """What stood in two cases would count twice."""
    texts = Counter(case["prompt"] for case in CASES)
    documents = Counter(case["checks"][-1]["value"] for case in damaged())
    assert [once for once, count in (texts + documents).items() if count > 1] == []


def test_every_case_says_why_its_truth_is_the_truth() -> None:
    """The description is one sentence."""
    sentence = re.compile(r"[A-Z0-9].*\.")
    assert [c["name"] for c in CASES if not sentence.fullmatch(c["description"])] == []


def test_each_category_has_enough_cases() -> None:
    """Eight kinds of damage and the texts to refuse are what is declared, and none is thin."""
    counts = Counter(case["category"] for case in CASES)
    assert [category["id"] for category in SETTINGS["categories"]] == [*DAMAGE, REFUSE]
    assert counts.keys() == {*DAMAGE, REFUSE}
    assert [name for name, count in counts.items() if count < FEWEST] == []
    assert len(damaged()) >= FEWEST_DAMAGED


def test_no_text_is_json() -> None:
    """The standard library, which reads JSON and nothing else, reads none of them."""
    for case in CASES:
        with pytest.raises(json.JSONDecodeError):
            json.loads(case["prompt"])


def test_what_must_be_refused_is_answered_by_nothing() -> None:
    """A text without a document has the one key that only silence fits, and no other has it."""
    assert [c["name"] for c in of(REFUSE) if c["checks"] != REFUSED] == []
    assert [c["name"] for c in CASES if c["checks"] == REFUSED] == [c["name"] for c in of(REFUSE)]
    for case in of(REFUSE):
        assert ending(case["name"], "") == "passed"
        assert ending(case["name"], "{}") == "wrong"


def test_the_last_check_of_a_damaged_text_is_its_whole_document() -> None:
    """It is an object or a list, as the harness writes it, and weighs what all others do."""
    for case in damaged():
        *others, whole = case["checks"]
        assert (whole["type"], whole["flags"]) == (WHOLE, ""), case["name"]
        assert isinstance(truth(case), dict | list), case["name"]
        assert whole["value"] == answer(truth(case)), case["name"]
        assert whole["weight"] == sum(check.get("weight", 1) for check in others), case["name"]


def test_places_in_the_document_are_asked_too_and_the_damaged_ones_weigh_double() -> None:
    """A repair that saves part of a document is seen as one."""
    for case in damaged():
        others = case["checks"][:-1]
        assert len(others) >= 2, case["name"]
        assert {check["type"].startswith("json_path_") for check in others} == {True}
        weights = {check.get("weight", 1) for check in others}
        assert weights <= {1, 2}, case["name"]
        assert 2 in weights, case["name"]


def test_a_damaged_number_or_boolean_is_asked_for_its_type() -> None:
    """Loose equality takes "56" for 56: the type stands beside the value."""
    for case in damaged():
        typed = {c["path"] for c in case["checks"] if c["type"] == "json_path_type"}
        for check in case["checks"]:
            loose = check["type"] == "json_path_equals" and isinstance(check["value"], int | float)
            if loose and check.get("weight") == 2:
                assert check["path"] in typed, case["name"]


def test_the_truth_passes_and_silence_does_not() -> None:
    """Every check of a case is met by its own document."""
    assert [c["name"] for c in damaged() if ending(c["name"], answer(truth(c))) != "passed"] == []
    assert [c["name"] for c in damaged() if ending(c["name"], "") != "unanswered"] == []


def spoilt(document: Any) -> Iterator[Any]:  # noqa: ANN401  any JSON value
    """The document with one thing changed, for each thing in it."""
    if isinstance(document, dict):
        for key, inner in document.items():
            yield {name: value for name, value in document.items() if name != key}
            yield {f"{key} " if name == key else name: value for name, value in document.items()}
            yield from ({**document, key: other} for other in spoilt(inner))
        yield {**document, "more": None}
    elif isinstance(document, list):
        for n, inner in enumerate(document):
            yield document[:n] + document[n + 1 :]
            yield from ([*document[:n], other, *document[n + 1 :]] for other in spoilt(inner))
        yield [*document, None]
    else:
        yield None if document is not None else "None"
        yield [document]
        if isinstance(document, str):
            yield document + " "
            yield document.swapcase() if document.swapcase() != document else f"{document}."
        else:
            yield str(document)


def test_no_document_but_the_truth_passes() -> None:
    """One value, key, type, capital or element that differs makes an answer wrong."""
    for case in damaged():
        for other in (*spoilt(truth(case)), [truth(case)], {"document": truth(case)}):
            assert ending(case["name"], answer(other)) == "wrong", (case["name"], other)


def outside_strings(text: str, change: Callable[[str], str]) -> str:
    """The text with everything changed that is not within double quotes."""
    parts = re.split(f"({STRING})", text, flags=re.DOTALL)
    return "".join(part if n % 2 else change(part) for n, part in enumerate(parts))


def test_dropping_trailing_commas_gives_the_truth() -> None:
    """A comma before a closing bracket or before the end is all that is wrong with them."""
    drop = partial(re.sub, r",(?=\s*[}\]])", "")
    for case in of("trailing-commas"):
        text = outside_strings(case["prompt"].rstrip(","), drop)
        assert json.loads(text) == truth(case), case["name"]


def test_a_comma_between_any_two_values_gives_the_truth() -> None:
    """Separators are thrown away, full-width ones too, and set wherever a value follows another."""
    token = re.compile(rf"{STRING}|[\[\]{{}}:]|[^\s,;\uff0c\[\]{{}}:]+")
    for case in of("missing-commas"):
        text = ""
        for part in token.findall(case["prompt"]):
            ended = text != "" and text[-1] not in "[{:"
            text += f",{part}" if ended and part not in ("]", "}", ":") else part
        assert json.loads(text) == truth(case), case["name"]


def bare(text: str) -> list[str]:
    """The characters of a text besides quotes, brackets, backslashes and white space, sorted."""
    return sorted(re.sub(r"""["'`“”„\\\s\[\]{}]""", "", html.unescape(text)))


@pytest.mark.parametrize("category", ["quotes", "brackets"])
def test_nothing_but_quotes_and_brackets_is_other_than_in_the_truth(category: str) -> None:
    """Every other character of the document stands in the text, and none besides."""
    for case in of(category):
        assert bare(case["prompt"]) == bare(case["checks"][-1]["value"]), case["name"]


def test_dropping_comments_gives_the_truth() -> None:
    """Whatever begins outside of strings with two slashes, a slash and a star, or a number sign."""
    comment = re.compile(rf"({STRING})|//[^\n]*|#[^\n]*|/\*.*?\*/", re.DOTALL)
    for case in of("comments"):
        text = comment.sub(lambda found: found[1] or " ", case["prompt"])
        assert json.loads(text) == truth(case), case["name"]


def documents_in(text: str) -> list[Any]:
    """Every object and every list that stands in a text, none of them within another one."""
    found, position = [], 0
    while opening := re.compile(r"[{\[]").search(text, position):
        try:
            document, position = json.JSONDecoder().raw_decode(text, opening.start())
            found.append(document)
        except json.JSONDecodeError:
            position = opening.end()
    return found


def test_what_is_surrounded_is_the_one_document_of_the_text() -> None:
    """It stands there as JSON, and nothing else does; the marks of a quoted mail are taken off."""
    for case in of("surroundings"):
        text = re.sub(r"^> ", "", case["prompt"], flags=re.MULTILINE)
        assert documents_in(text) == [truth(case)], case["name"]


def test_what_must_be_refused_holds_no_document() -> None:
    """Only boxes to tick and a reference to a source look like lists, and are none to a reader."""
    found = {case["name"]: documents_in(case["prompt"]) for case in of(REFUSE)}
    assert {name: documents for name, documents in found.items() if documents} == {
        "must-refuse-checklist": [[], []],
        "must-refuse-footnote": [[4]],
    }


UNDOING: tuple[Callable[[str], str], ...] = (
    str,
    lambda text: text.replace("\\'", "'"),
    lambda text: text.replace("\\", "\\\\"),
    lambda text: re.sub(r"\\x(..)", r"\\u00\1", text),
    lambda text: re.sub(r'" \+\s*"', "", text),
    # A quote that neither follows nor precedes what belongs to the structure is within a string.
    lambda text: re.sub(r'(?<![{\[,:] )(?<![{\[,:])"(?![:,}\]])', r"\"", text),
)


def test_escaping_what_should_have_been_gives_the_truth() -> None:
    """One simple change does it for each of them."""
    for case in of("strings"):
        readings = []
        for undone in UNDOING:
            try:
                readings.append(json.loads(undone(case["prompt"]), strict=False))
            except json.JSONDecodeError:
                continue
        assert truth(case) in readings, case["name"]


def as_python(text: str) -> str:
    """Words and signs of other languages in those of Python, outside of strings."""
    words = {"true": "True", "false": "False", "null": "None", "nil": "None"}
    text = re.sub(r"\b[A-Za-z]+\b", lambda word: words.get(word[0].lower(), word[0]), text)
    return re.sub(r"(?<=\d)n\b", "", text.replace("=>", ":"))


def test_python_reads_the_literals_as_the_truth() -> None:
    """It knows those of all these languages by another name; only arrays of PHP have no place."""
    known = 0
    for case in of("literals"):
        if case["name"] == "literals-php":
            continue
        read = ast.literal_eval(outside_strings(case["prompt"], as_python))
        assert json.loads(json.dumps(read)) == truth(case), case["name"]
        known += 1
    assert known >= FEWEST
