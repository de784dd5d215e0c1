"""Going wrong in one way: each costs just the measures that it should, on every surface."""

import json
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from generator.families.family import Played, Stray
from generator.families.steps.corpus import StepsCorpus
from generator.families.steps.scorer import StepsScorer
from generator.records.bundle import Attempt, ToolCall, Turn
from generator.records.measure import Ratio
from tests.families.steps.sample import (
    ACTIONS,
    CASES,
    CORPUS,
    DESTRUCTIVE,
    FAMILY,
    READ,
    REFUSAL,
    SURFACES,
    WRITE,
    Server,
    action,
    attempt,
    corpus,
    made,
)


def played(case: Mapping[str, Any], surface: str, stray: Stray) -> Attempt:
    """What comes of a case when it goes wrong in one way."""
    fixtures = made(case.get("fixtures", {}))
    server = Server(CORPUS, surface, fixtures)
    answers: list[str] = []
    turns: list[Turn] = []

    def say(*calls: ToolCall) -> None:
        answered = tuple(map(server.answer, calls))
        turns.append(Turn(tool_calls=answered))
        answers.extend(one.answer or "" for one in answered)

    while True:
        now = Played(fixtures, tuple(answers))
        wrong = FAMILY.astray(CORPUS, case["name"], surface, now, stray)
        turn = FAMILY.replay(CORPUS, case["name"], surface, now)
        if not turn.tool_calls:
            if stray == "change" and wrong is not None:
                say(wrong)
            return attempt(case, *turns, turn, changes=tuple(server.changes))
        say(wrong if wrong is not None and stray != "change" else turn.tool_calls[0])


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize(
    ("stray", "lost"),
    [
        ("action", {"passed", "reached"}),
        ("argument", {"passed", "arguments"}),
        ("confirmation", {"passed", "reached", "confirmation"}),
        ("change", {"passed", "no_side_effects", "refusals"}),
    ],
)
def test_going_wrong_costs_what_it_should(stray: Stray, lost: set[str], surface: str) -> None:
    """And nothing else: the server takes each call but the one without its confirmation."""
    scorer = StepsScorer(CORPUS)
    for case in CASES:
        if stray != "action" or case["kind"] != "destructive":
            scorer.add(played(case, surface, stray))
    short = {
        measure.metric
        for measure in scorer.finish().measures
        if isinstance(measure, Ratio) and measure.numerator < measure.denominator
    }
    assert short == lost


def test_a_wrong_action_in_place_of_a_destructive_one_confirms_nothing() -> None:
    """A destructive step that is not reached is not confirmed either."""
    scorer = StepsScorer(CORPUS)
    scorer.add(played(DESTRUCTIVE, "meta", "action"))
    ratios = {one.id: one for one in scorer.finish().measures if isinstance(one, Ratio)}
    assert ratios["confirmation"].numerator == 0
    assert ratios["no_side_effects"].numerator == 1


@pytest.mark.parametrize(
    ("case", "stray"),
    [(REFUSAL, "action"), (REFUSAL, "argument"), (REFUSAL, "confirmation"), (READ, "confirmation")],
)
def test_there_may_be_no_occasion(case: Mapping[str, Any], stray: Stray) -> None:
    """A refusal has no step, and what needs no confirmation can't lack it."""
    fixtures = made(case["fixtures"])
    assert FAMILY.astray(CORPUS, case["name"], "meta", Played(fixtures, ()), stray) is None


def sent(own: StepsCorpus, stray: Stray) -> dict[str, Any] | None:
    """What the wrong call of the case `part-stock` sends."""
    fixtures = made(READ["fixtures"])
    call = FAMILY.astray(own, "part-stock", "individual", Played(fixtures, ()), stray)
    return None if call is None else msgspec.json.decode(call.arguments, type=dict)


@pytest.mark.parametrize(
    ("value", "schema", "other"),
    [
        (3, {"type": "integer"}, 4),
        (3, {"type": "integer", "maximum": 3}, 2),
        (True, {"type": "boolean"}, False),
        ("low", {"enum": ["low", "high"]}, "high"),
        ("2026-03-01", {"pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}, "2026-03-02"),
        ("C1", {"pattern": "^[A-Z][0-9]$"}, "C2"),
        ("abc", {"maxLength": 3}, "ab1"),
        ("abc", {"maxLength": 300}, "abc nobody-and-nothing"),
        (["a"], {"type": "array"}, ["nobody-and-nothing", "a"]),
        ({"a": 1}, {}, "nobody-and-nothing"),
        ("only", {"enum": ["only"]}, None),
        ("x", {"pattern": "(?!x)"}, None),
    ],
)
def test_another_value_is_one_that_the_schema_allows(
    value: Any,  # noqa: ANN401  any JSON value
    schema: dict[str, Any],
    other: Any,  # noqa: ANN401
) -> None:
    """Else the server would refuse the call, and more would be lost than an argument."""
    own = action("part.other", schema={"properties": {"it": schema}, "required": ["it"]})
    case = {**READ, "steps": [{"action": "part.other", "arguments": {"it": value}}]}
    found = sent(corpus(case, actions=[*ACTIONS, own]), "argument")
    assert found == (None if other is None else {"it": other})


def test_a_wrong_action_takes_what_is_known() -> None:
    """It reads, is of the same domain, and gets what it needs from the right call."""
    others = [one for one in ACTIONS if one["id"] != "part.search"]
    beside = action("part.history", "part_id", "since")
    own = corpus(READ, actions=[*others, beside])
    bolt = made(READ["fixtures"])["bolt"]["id"]
    assert sent(own, "action") == {"part_id": bolt, "since": "x"}
    assert sent(corpus(READ, actions=others), "action") == {"order_id": "x"}
    alone = [one for one in others if one["id"] != "order.fetch"]
    assert sent(corpus(READ, actions=alone), "action") is None


def test_a_wrong_argument_names_nothing_rather_than_changes_something() -> None:
    """Where a thing is named, it names none; what is chosen from a list is left as it is."""
    listed = {"type": "string", "enum": ["name", "stock"]}
    known = {"detail": listed, "value": {"type": "string"}, "part_id": {"type": "string"}}
    own = action("part.set", schema={"properties": known, "required": [*known]}, changes=True)
    arguments: dict[str, Any] = {"detail": "name", "value": "Nut"}
    for further, wrong in (({"part_id": {"fixture": "bolt"}}, "part_id"), ({}, "value")):
        step = {"action": "part.set", "arguments": {**arguments, **further}}
        case = {**READ, "kind": "write", "steps": [step]}
        found = sent(corpus(case, actions=[*ACTIONS, own]), "argument")
        assert found is not None
        assert "nobody" in found[wrong]
        assert found["detail"] == "name"


def test_a_change_is_one_that_another_case_asks_for() -> None:
    """If what it names is there too; it is not what the case itself may change."""
    fixtures = made(REFUSAL["fixtures"])
    now = Played(fixtures, ())
    call = FAMILY.astray(CORPUS, "part-paint", "individual", now, "change")
    assert call is not None
    assert call.name in {"part_add", "part_rename"}
    alone = corpus(REFUSAL, READ)
    assert FAMILY.astray(alone, "part-paint", "individual", now, "change") is None
    elsewhere = {**WRITE, "fixtures": {"bolt": {"make": "tool", "with": {"name": "x"}}}}
    assert FAMILY.astray(corpus(REFUSAL, elsewhere), "part-paint", "meta", now, "change") is None
    assert json.loads(bytes(call.arguments))
