"""All types together: the golden corners of each, and that each tells two replies apart."""

import json
from pathlib import Path
from typing import Any

import pytest

from generator.families.declarative.checks.catalog import CHECKS, check_type
from generator.families.declarative.checks.check import CheckFault
from generator.families.declarative.reply import Reply
from tests.families.declarative.checks.sample import compiled, reply
from tests.families.declarative.sample import call

VECTORS = json.loads((Path(__file__).parents[1] / "check_vectors.json").read_text("utf-8"))

LOOKED = reply("{}", call("look", {"at": "it"}))
MOVED = reply("{}", call("move", {"at": "me"}))

TOLD_APART: tuple[tuple[dict[str, Any], Reply, Reply], ...] = (
    ({"type": "word_count", "value": 2}, reply("a b"), reply("a")),
    ({"type": "line_count", "value": 2}, reply("a\nb"), reply("a b")),
    ({"type": "first_word", "value": "a"}, reply("a b"), reply("b a")),
    ({"type": "last_word", "value": "b"}, reply("a b"), reply("b a")),
    ({"type": "contains", "value": "a"}, reply("cat"), reply("dog")),
    ({"type": "not_contains", "value": "a"}, reply("dog"), reply("cat")),
    ({"type": "regex", "value": "^a+$"}, reply("aa"), reply("ab")),
    ({"type": "not_regex", "value": "^a+$"}, reply("ab"), reply("aa")),
    ({"type": "not_empty"}, reply("a"), reply(" ")),
    ({"type": "json_valid"}, reply("{}"), reply("no")),
    ({"type": "json_path_equals", "path": "a", "value": 1}, reply('{"a":1}'), reply('{"a":2}')),
    (
        {"type": "json_path_type", "path": "a", "value": "string"},
        reply('{"a":"1"}'),
        reply('{"a":1}'),
    ),
    ({"type": "json_path_length", "path": "", "value": 1}, reply("[1]"), reply("[]")),
    ({"type": "tool_called", "value": "look"}, LOOKED, MOVED),
    ({"type": "tool_not_called", "value": "look"}, MOVED, LOOKED),
    ({"type": "tool_arg_equals", "arg": "at", "value": "it"}, LOOKED, MOVED),
    ({"type": "tool_arg_regex", "arg": "at", "value": "^i"}, LOOKED, MOVED),
)


def verdict(vector: dict[str, Any]) -> bool:
    """What the check of a vector says of its reply; raises CheckFault."""
    functions = [sent["function"] for sent in vector["toolCalls"] or ()]
    calls = [call(function["name"], function["arguments"]) for function in functions]
    return compiled(vector["check"])(reply(vector["content"], *calls))


@pytest.mark.parametrize("vector", VECTORS, ids=json.dumps)
def test_a_golden_vector_comes_out_as_recorded(vector: dict[str, Any]) -> None:
    """Every recorded corner of every check is kept; what throws there is a fault here."""
    if isinstance(vector["pass"], bool):
        assert verdict(vector) == vector["pass"]
        return
    assert vector["pass"].keys() == {"throws"}
    with pytest.raises(CheckFault):
        verdict(vector)


def test_every_type_has_a_golden_vector() -> None:
    """No type is without a recorded corner, and none is recorded that there is not."""
    assert {vector["check"]["type"] for vector in VECTORS} == {kind.id for kind in CHECKS}


@pytest.mark.parametrize(("check", "good", "bad"), TOLD_APART, ids=lambda each: str(each)[:40])
def test_a_check_passes_and_fails(check: dict[str, Any], good: Reply, bad: Reply) -> None:
    """Each type of check tells a reply that meets it from one that does not."""
    passes = compiled(check)
    assert passes(good)
    assert not passes(bad)


def test_every_type_is_told_apart() -> None:
    """No type of check is without a passing and a failing reply above, in the same order."""
    assert [check["type"] for check, _, _ in TOLD_APART] == [kind.id for kind in CHECKS]


def test_a_type_is_found_by_its_name() -> None:
    """What a file calls a type by is its id, to the letter."""
    assert [check_type(kind.id) for kind in CHECKS] == list(CHECKS)
    assert len({kind.id for kind in CHECKS}) == len(CHECKS)


@pytest.mark.parametrize("type_id", ["words", "Contains", "contains ", ""])
def test_an_unknown_type_is_refused_with_the_known_ones(type_id: str) -> None:
    """Whoever misspelt a type reads the right spelling."""
    with pytest.raises(CheckFault) as caught:
        check_type(type_id)
    assert str(caught.value) == (
        f"the check type {type_id!r} is unknown; known are word_count, line_count, first_word, "
        "last_word, contains, not_contains, regex, not_regex, not_empty, json_valid, "
        "json_path_equals, json_path_type, json_path_length, tool_called, tool_not_called, "
        "tool_arg_equals, tool_arg_regex"
    )
