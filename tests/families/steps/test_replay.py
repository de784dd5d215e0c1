"""The replay: who knows the key gains everything, on every surface."""

import json
from typing import Any

import pytest

from generator.families.family import Played, Replays
from generator.families.places import Unfilled
from generator.families.steps.replay import DONE, made_up
from generator.families.steps.scorer import RATIOS, StepsScorer
from generator.records.measure import Ratio
from tests.families.steps.sample import (
    ACTIONS,
    CASES,
    CORPUS,
    FAMILY,
    MARK,
    READ,
    REFUSAL,
    STEPS,
    SURFACES,
    action,
    corpus,
    made,
    replayed,
)


@pytest.mark.parametrize("surface", SURFACES)
def test_who_knows_the_key_scores_every_measure_full(surface: str) -> None:
    """All eight measures are full, of the whole and of every kind that has them."""
    scorer = StepsScorer(CORPUS)
    for case in CASES:
        scorer.add(replayed(case, surface))
    measures = scorer.finish().measures
    assert len(measures) == len(RATIOS) * (1 + len(CASES))
    for measure in measures:
        assert isinstance(measure, Ratio)
        assert measure.numerator == measure.denominator
        assert measure.denominator or measure.part is not None


@pytest.mark.parametrize("surface", SURFACES)
def test_each_step_is_one_call_and_then_a_text(surface: str) -> None:
    """It takes no more turns than steps and an answer; a refusal is a text at once."""
    turns = replayed(STEPS, surface).turns
    assert [len(turn.tool_calls) for turn in turns] == [1, 1, 1, 0]
    assert turns[-1].content == DONE
    (only,) = replayed(REFUSAL, surface).turns
    assert only.content
    assert not only.tool_calls


def test_a_call_is_made_as_its_surface_takes_it() -> None:
    """By the name of the action among the arguments, by a tool of its domain, or by its own."""
    played = Played(made(READ["fixtures"]), ())
    bolt = played.fixtures["bolt"]["id"]
    sent = {
        surface: FAMILY.replay(CORPUS, "part-stock", surface, played).tool_calls[0]
        for surface in SURFACES
    }
    assert {surface: call.name for surface, call in sent.items()} == {
        "dynamic": "run_action",
        "meta": "shop_part",
        "individual": "part_fetch",
    }
    own = {"part_id": bolt}
    assert {surface: json.loads(bytes(call.arguments)) for surface, call in sent.items()} == {
        "dynamic": {"action": "part.fetch", "arguments": own},
        "meta": {"action": "fetch", "arguments": own},
        "individual": own,
    }


def test_what_an_earlier_step_returned_is_handed_on() -> None:
    """The answer to the first call names what the second one sends; marks are filled in."""
    fixtures = made(STEPS["fixtures"])
    answers = ('{"carriers": [{"name": "Slow & Steady"}]}', "{}")
    second = FAMILY.replay(CORPUS, "order-off", "individual", Played(fixtures, answers[:1]))
    assert json.loads(bytes(second.tool_calls[0].arguments))["carrier"] == "Slow & Steady"
    third = FAMILY.replay(CORPUS, "order-off", "individual", Played(fixtures, answers))
    assert json.loads(bytes(third.tool_calls[0].arguments)) == {
        "newName": f"Nut {MARK}",
        "stock": 1,
    }


@pytest.mark.parametrize(
    ("case", "answers", "missing"),
    [
        (READ, (), {"bolt": {}}),
        (READ, (), {}),
        (STEPS, ('{"carriers": []}',), made(STEPS["fixtures"])),
        (STEPS, ("no JSON",), made(STEPS["fixtures"])),
    ],
)
def test_what_nothing_tells_is_no_call(
    case: dict[str, Any], answers: tuple[str, ...], missing: dict[str, Any]
) -> None:
    """Where neither a fixture nor an answer has the value, there is no guess."""
    with pytest.raises(Unfilled):
        FAMILY.replay(CORPUS, case["name"], "meta", Played(missing, answers))


def test_what_the_key_leaves_out_is_made_up() -> None:
    """An argument that is required and not in the key gets a value that its schema allows."""
    schema: dict[str, Any] = {
        "properties": {
            "text": {"type": "string", "minLength": 3},
            "number": {"type": "integer", "minimum": 7},
            "fixed": {"const": "so"},
            "plain": {"type": ["string", "null"], "default": "as ever"},
            "one_of": {"enum": ["a", "b"]},
            "such_as": {"examples": ["C12"]},
            "truth": {"type": "boolean"},
            "list": {"type": "array", "items": {"type": "number"}, "minItems": 2},
            "empty": {"type": "array"},
            "object": {
                "type": "object",
                "properties": {"in": {"type": "null"}},
                "required": ["in"],
            },
        }
    }
    schema["required"] = [*schema["properties"]]
    own = corpus(READ, actions=[*ACTIONS, action("part.other", schema=schema)])
    assert made_up(own.catalogue.actions["part.other"]) == {
        "text": "xxx",
        "number": 7,
        "fixed": "so",
        "plain": "as ever",
        "one_of": "a",
        "such_as": "C12",
        "truth": False,
        "list": [1, 1],
        "empty": [],
        "object": {"in": None},
    }


def test_the_family_replays() -> None:
    """Its cases are played in scenes, so it has what such a family has; and no fixed replies."""
    family: Replays = FAMILY
    assert family.replay(CORPUS, "part-paint", "meta", Played({}, ())).content
    assert FAMILY.perfect(CORPUS, "part-stock") is None
