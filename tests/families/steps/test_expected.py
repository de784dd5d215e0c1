import json

import pytest

from generator.families.steps.expected import OfStep, Told, meets, spelled

MADE = {"id": "0f1e2d3c4b5a6978", "short": "0f1e2d", "name": "Order 12", "total": 80}


@pytest.mark.parametrize("path", ["id", "orders[0].id"])
def test_what_a_step_returned_may_be_named_as_it_can_be(path: str) -> None:
    """By its id, its short id or its name, wherever in the answer it stands."""
    answer = MADE if path == "id" else {"orders": [MADE]}
    told = Told({}, {1: json.dumps(answer)})
    asked = OfStep(1, path)
    assert [name for name, value in MADE.items() if meets(asked, value, told)] == [
        *("id", "short", "name")
    ]
    assert spelled(asked, told) == MADE["id"]


def test_another_value_of_an_answer_is_itself_alone() -> None:
    """Only an id stands for a thing."""
    told = Told({}, {1: json.dumps({"total": 80, "name": "Order 12", "id": "x"})})
    assert meets(OfStep(1, "total"), "80", told)
    assert not meets(OfStep(1, "total"), "Order 12", told)
    assert not meets(OfStep(1, "name"), "x", told)
    assert not meets(OfStep(2, "id"), "x", told)


@pytest.mark.parametrize("answer", [None, "", "No such order.", "[]", '{"id": []}', '"id"'])
def test_an_answer_without_it_meets_nothing(answer: str | None) -> None:
    """Whatever the server said instead."""
    assert not meets(OfStep(1, "id"), "x", Told({}, {1: answer}))
