"""The audit: every kind of leak is planted and found; exceptions need a leak, and a reason."""

import json
from typing import Any

import pytest

from generator.families.steps.audit import audit
from generator.families.steps.leaks import rendered, says, words_in
from tests.families.steps.sample import (
    BENCHMARK,
    CASES,
    CORPUS,
    FAMILY,
    MARK,
    READ,
    REFUSAL,
    STEPS,
    WRITE,
    files,
)


def found(*cases: dict[str, Any], **spoilt: Any) -> list[tuple[str, str]]:  # noqa: ANN401
    """File and fault of all that is wrong."""
    faults = audit(files(*cases, **spoilt), BENCHMARK)
    assert all(fault.remedy.endswith(".") and len(fault.remedy) > 10 for fault in faults)
    return [(fault.file, fault.what) for fault in faults]


def test_a_sound_corpus_has_no_flaw() -> None:
    """No prompt of it says what the catalogue calls things."""
    assert found(*CASES) == []
    assert FAMILY.audit(files(*CASES), BENCHMARK) == ()


@pytest.mark.parametrize(
    ("case", "said", "words", "what"),
    [
        (WRITE, "Use part.rename.", "part.rename", "the id of its action part.rename"),
        (WRITE, "Part, rename!", "part.rename", "the id of its action part.rename"),
        (STEPS, "Then order.ship.", "order.ship", "the id of its action order.ship"),
        (WRITE, "Call run_action.", "run_action", "the tool of its action part.rename on dynamic"),
        (WRITE, "Ask shop_part.", "shop_part", "the tool of its action part.rename on meta"),
        (WRITE, "The shop part.", "shop_part", "the tool of its action part.rename on meta"),
        (WRITE, "Rename it.", "rename", "the name of part.rename, an action of its domain part"),
        (
            WRITE,
            "Do not scrap it.",
            "scrap",
            "the name of part.scrap, an action of its domain part",
        ),
        (REFUSAL, "Or scrap it.", "scrap", "the name of part.scrap, an action of its domain part"),
        (WRITE, "Set newName.", "newName", "an argument of its action part.rename"),
        (WRITE, "The New name counts.", "newName", "an argument of its action part.rename"),
        (WRITE, "The new-name counts.", "newName", "an argument of its action part.rename"),
        (WRITE, "The newname counts.", "newName", "an argument of its action part.rename"),
        (WRITE, "Its part id is so.", "part_id", "an argument of its action part.rename"),
        (WRITE, "Its PartId is so.", "part_id", "an argument of its action part.rename"),
        (WRITE, "Take a note.", "note", "an argument of its action part.rename"),
        (WRITE, "See order.fetch.", "order.fetch", "the id of the action order.fetch"),
        (WRITE, "The shop order.", "shop_order", "a tool on meta"),
        (WRITE, "Use find_action.", "find_action", "a tool on dynamic"),
        (REFUSAL, "Like order.ship.", "order.ship", "the id of the action order.ship"),
    ],
)
def test_a_planted_leak_is_found(case: dict[str, Any], said: str, words: str, what: str) -> None:
    """Whatever a prompt gives away is told, with what it is."""
    planted = {**case, "prompt": f"{case['prompt']} {said}"}
    told = (f"{case['name']}.json", f"the prompt says {words!r}, which is {what}")
    others = [other for other in CASES if other["name"] != case["name"]]
    assert told in found(planted, *others)


def test_a_tool_of_its_own_is_found() -> None:
    """On the surface where each action has one; and what is said twice is told once."""
    planted = {**WRITE, "prompt": f"{WRITE['prompt']} Call part_rename, part_rename!"}
    assert [what for _, what in found(planted)] == [
        "the prompt says 'part.rename', which is the id of its action part.rename",
        "the prompt says 'rename', which is the name of part.rename, an action of its domain part",
    ]


def test_an_argument_inside_another_is_found() -> None:
    """A name deep in the schema is a name of the schema."""
    inner = {"type": "array", "items": {"type": "object", "properties": {"shelfCode": {}}}}
    (own,) = (json.loads(json.dumps(one)) for one in CATALOGUE if one["id"] == "part.fetch")
    own["schema"]["properties"]["places"] = inner
    actions = [own if one["id"] == "part.fetch" else one for one in CATALOGUE]
    planted = {**READ, "prompt": f"{READ['prompt']} Tell the shelf code."}
    assert found(planted, actions=actions) == [
        (
            "part-stock.json",
            "the prompt says 'shelfCode', which is an argument of its action part.fetch",
        )
    ]


CATALOGUE = json.loads(files()["catalogue.json"])["actions"]


def test_what_stands_in_a_place_is_looked_at() -> None:
    """A name of a fixture that is a word of the catalogue leaks through the prompt."""
    bolt = {"make": "part", "with": {"name": "Scrap {mark}"}}
    ((file, what),) = found({**READ, "fixtures": {"bolt": bolt}})
    assert file == "part-stock.json"
    assert what.startswith("the prompt says 'scrap', which is the name of part.scrap")


def test_a_prompt_is_looked_at_as_it_is_sent() -> None:
    """Marks and names are filled in, what only a keeper knows by something of no meaning."""
    own = CORPUS.by_name["order-off"]
    assert (
        rendered(own) == f"Send Order {MARK} off with whoever it says, and take in one Nut {MARK}."
    )


def test_an_exception_excuses_its_words_only() -> None:
    """However they are written; what else the prompt gives away is told as before."""
    planted = {
        **WRITE,
        "prompt": f"{WRITE['prompt']} The new name is all; rename it.",
        "exceptions": [{"words": "new name", "reason": "There is no other word for it."}],
    }
    assert [what.partition(",")[0] for _, what in found(planted)] == ["the prompt says 'rename'"]


def test_an_exception_that_nothing_needs_is_told() -> None:
    """Else it would hide a leak that comes later."""
    spare = {**WRITE, "exceptions": [{"words": "scrap", "reason": "Just in case."}]}
    assert found(spare) == [
        (
            "part-title.json",
            "the exception for 'scrap' is not needed: the prompt leaks no such words",
        )
    ]


def test_faults_and_leaks_are_told_together() -> None:
    """In the order of the files; a case that can't be read is not looked at further."""
    planted = {**WRITE, "prompt": "Rename {bolt.name}."}
    broken = {**READ, "prompt": "Fetch {nut.name}."}
    assert [file for file, _ in found(planted, broken)] == ["part-stock.json", "part-title.json"]
    assert found(READ, actions=[]) == [("catalogue.json", "there is no action")]


def test_words_are_told_apart() -> None:
    """By anything that is no letter or digit, and by humps."""
    assert words_in("displayName") == words_in("display_name") == ["display", "name"]
    assert words_in("HTTPServer.v2-x") == ["http", "server", "v2", "x"]
    assert says("Its display NAME, please", "displayName")
    assert says("the displayname", "display_name")
    assert not says("the display of its name", "displayName")
    assert not says("renamed", "rename")
    assert not says("anything", "…")
