from __future__ import annotations

from decimal import Decimal
from math import inf, nan

import pytest

from generator.program import Declined, observed
from tests.results.harness import declared, load, needed, pinned

repairers = load("json-repair", "repairers")
BENCHMARK = declared("json-repair")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": {"d": True, "c": None}}, '{"a":{"c":null,"d":true},"b":1}'),
        ({"ort": "Görlitz"}, '{"ort":"Görlitz"}'),
        ((1, [2, (3,)]), "[1,[2,[3]]]"),
        ([3.0, -0.0, 1e3, 2.5, Decimal("0.10"), Decimal(7)], "[3,0,1000,2.5,0.1,7]"),
        ([1e300, inf, nan], "[1e+300,Infinity,NaN]"),
        ({200: "ok", None: 1, True: 2, 1.5: 3}, '{"1.5":3,"200":"ok","null":1,"true":2}'),
        (["a\ud83d"], '["a\\ud83d"]'),
        ([{1}, object], '["{1}","<class \'object\'>"]'),
        ("a text", '"a text"'),
        ({}, "{}"),
        (False, "false"),
    ],
)
def test_an_answer_is_the_document_in_one_form(value: object, text: str) -> None:
    """Order of keys, white space and ways to write a number make no difference between two."""
    assert repairers.answer_text(value) == text


@pytest.mark.parametrize("value", [None, ""])
def test_nothing_and_an_empty_text_decline(value: object) -> None:
    """A program that has no document has refused the text."""
    with pytest.raises(Declined, match="nothing was returned"):
        repairers.answer_text(value)


def test_every_program_is_declared_by_its_name() -> None:
    """The last argument of its command, and its id in the results; no option is passed."""
    program = "results/benchmarks/json-repair/harness/repairers.py"
    assert [(system.command, system.options) for system in BENCHMARK.systems] == [
        (("python", program, system.id), {}) for system in BENCHMARK.systems
    ]
    assert {system.id for system in BENCHMARK.systems} == repairers.REPAIRERS.keys()


def test_every_package_that_can_change_an_answer_is_pinned() -> None:
    """The list is exactly the programs' own packages: none of them needs another one."""
    assert pinned("json-repair") == needed(BENCHMARK)
    assert [system.id for system in BENCHMARK.systems if system.stands_on] == []


def test_the_standard_library_is_asked_as_the_others_are() -> None:
    """It needs no package, and refuses what is not JSON."""
    loaded = repairers.REPAIRERS["json"]()
    text = ' {"b": 1, "a": 2.0} '
    assert observed(loaded, text, repairers.answer_text) == {"content": '{"a":2,"b":1}'}
    refusal = observed(loaded, '{"a": 1,}', repairers.answer_text)["refusal"]
    assert refusal.startswith("JSONDecodeError: ")
