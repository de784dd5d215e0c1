"""The corpus: sound as it stands; one thing spoilt, it is refused by file, place and remedy."""

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

import pytest

from generator.families.family import CorpusFault
from generator.families.steps.corpus import KINDS, read_all, read_corpus
from generator.families.steps.expected import OfFixture, OfStep
from generator.records.benchmark import Benchmark
from tests.families.steps.sample import (
    ACTIONS,
    BENCHMARK,
    CASES,
    CORPUS,
    DESTRUCTIVE,
    FAMILY,
    READ,
    REFUSAL,
    STEPS,
    SURFACES,
    WRITE,
    action,
    corpus,
    files,
)

Spoil = Callable[[dict[str, Any]], Any]


def spoilt(case: Mapping[str, Any], spoil: Spoil) -> dict[str, Any]:
    """A copy of a case with one thing spoilt."""
    copy = deepcopy(dict(case))
    spoil(copy)
    return copy


def found(content: Mapping[str, bytes], benchmark: Benchmark = BENCHMARK) -> list[tuple[str, str]]:
    """File and fault of all that is wrong."""
    faults = read_all(content, benchmark)[1]
    assert all(fault.remedy.endswith(".") and len(fault.remedy) > 10 for fault in faults)
    if faults:
        with pytest.raises(CorpusFault) as caught:
            read_corpus(content, benchmark)
        assert caught.value.what == faults[0].what
    return [(fault.file, fault.what) for fault in faults]


def test_a_sound_corpus_is_read_whole() -> None:
    """Cases stand in the order of their names, with their steps, kinds and domains."""
    assert found(files(*CASES)) == []
    assert list(CORPUS.cases) == sorted(case["name"] for case in CASES)
    assert {case.kind for case in CORPUS.by_name.values()} == set(KINDS)
    steps = CORPUS.by_name["order-off"]
    assert steps.domains == ("order", "part")
    assert [step.action.id for step in steps.steps] == ["order.fetch", "order.ship", "part.add"]
    assert steps.steps[1].arguments == {
        "order_id": OfFixture("order", "id"),
        "carrier": OfStep(1, "carriers[0].name"),
    }
    assert CORPUS.by_name["part-paint"].domains == ("part",)
    gone = CORPUS.by_name["part-gone"]
    assert list(gone.steps[0].arguments) == ["part_id"]
    assert gone.file == "part-gone.json"


def test_a_question_comes_with_its_scene() -> None:
    """What is to be made, how long it may take, and what is published: all but the key."""
    asked = {question.case: question for question in FAMILY.questions(CORPUS)}
    assert list(asked) == list(CORPUS.cases)
    question = asked["order-off"]
    assert [put.prompt for put in question.puts] == [STEPS["prompt"]]
    assert question.scene is not None
    assert question.scene.fixtures == STEPS["fixtures"]
    assert question.scene.turns == {"dynamic": 13, "meta": 10, "individual": 10}
    assert question.scene.published["dynamic"] == {"find_action", "run_action"}
    assert question.scene.published["meta"] == {"shop_part", "shop_order"}
    assert len(question.scene.published["individual"]) == len(ACTIONS)
    assert question.scene.shown_at_most == 128
    first = asked["part-paint"].scene
    assert first is not None
    assert first.turns == {"dynamic": 7, "meta": 6, "individual": 6}
    assert first.first["dynamic"] == {"find_action", "run_action"}
    assert "part_scrap" in first.first["individual"]
    assert "order_ship" not in first.first["individual"]


def test_all_tools_are_shown_where_nothing_is_said() -> None:
    """Without a limit, as many as the largest surface has."""
    surfaces = [dict(one) for one in json.loads(files()["catalogue.json"])["surfaces"]]
    del surfaces[2]["shown_at_most"]
    scene = FAMILY.questions(corpus(READ, surfaces=surfaces))[0].scene
    assert scene is not None
    assert scene.shown_at_most == len(ACTIONS)


FAULTS: list[tuple[Mapping[str, Any], Spoil, str]] = [
    (READ, lambda c: c.update(extra=1), "unknown field `extra`"),
    (READ, lambda c: c.update(kind="look"), "Invalid enum value 'look' - at `$.kind`"),
    (READ, lambda c: c.update(prompt=""), "at `$.prompt`"),
    (READ, lambda c: c.pop("name"), "missing required field `name`"),
    (READ, lambda c: c["fixtures"].update({"a b": c["fixtures"]["bolt"]}), "at `key` in"),
    (READ, lambda c: c["steps"][0].update(action="part.get"), "'part.get' is not in the catalogue"),
    (
        READ,
        lambda c: c["steps"][0]["arguments"].update(id=1),
        "step 1 (part.fetch): its schema lacks the argument 'id'; it has: part_id",
    ),
    (
        DESTRUCTIVE,
        lambda c: c["steps"][0]["arguments"].pop("confirm"),
        "step 1 (part.scrap): it is destructive, and its confirmation 'confirm' is none in the key",
    ),
    (
        DESTRUCTIVE,
        lambda c: c["steps"][0]["arguments"].update(confirm="true"),
        "its confirmation 'confirm' is 'true' in the key",
    ),
    (
        READ,
        lambda c: c.update(prompt="How many {nut.name}?"),
        "the prompt has the place {nut.name}, which no fixture fills; there are: bolt",
    ),
    (READ, lambda c: c.update(prompt="How many {bolt}?"), "the prompt has the place {bolt}"),
    (READ, lambda c: c.update(prompt="{mark.name}?"), "the prompt has the place {mark.name}"),
    (
        WRITE,
        lambda c: c["steps"][0]["arguments"].update(newName="{nut.name}"),
        "step 1 has the place {nut.name}",
    ),
    (
        READ,
        lambda c: c["fixtures"]["bolt"]["with"].update(deep=[{"of": "{nut.id}"}]),
        "the fixture 'bolt' has the place {nut.id}",
    ),
    (
        READ,
        lambda c: c["fixtures"]["bolt"]["with"].update(of="{bolt.id}"),
        "the fixture 'bolt' names {bolt.id}, in a circle",
    ),
    (
        STEPS,
        lambda c: c["fixtures"]["bolt"]["with"].update(of="{order.id}"),
        "the fixture 'bolt' names {order.id}, in a circle",
    ),
    (
        READ,
        lambda c: c.update(
            fixtures={
                "bolt": {"make": "part", "with": {"of": "{nut.id}"}},
                "nut": {"make": "part"},
            }
        ),
        "the fixture 'bolt' names {nut.id}, before it is made",
    ),
    (
        REFUSAL,
        lambda c: c["fixtures"].update(mark={"make": "part"}),
        "a fixture is called 'mark', as the mark is",
    ),
    (
        READ,
        lambda c: c["steps"][0]["arguments"].update(part_id={"fixture": "nut"}),
        "the argument 'part_id' is of the fixture 'nut'; there are: bolt",
    ),
    (
        READ,
        lambda c: c["steps"][0]["arguments"].update(part_id=[{"fixture": "bolt", "field": 1}]),
        "`field` of a fixture is a text",
    ),
    (
        READ,
        lambda c: c["steps"][0]["arguments"].update(part_id={"step": 1, "path": "id"}),
        "the argument 'part_id' comes from step 1, which is not before it",
    ),
    (
        STEPS,
        lambda c: c["steps"][1]["arguments"].update(carrier={"step": 1, "path": "a..b"}),
        "the path 'a..b' is none",
    ),
    (
        WRITE,
        lambda c: c["changes"][0].update(thing={"fixture": "nut"}),
        "change 1 (part, changed) is of the fixture 'nut'; there are: bolt",
    ),
    (WRITE, lambda c: c["changes"][0].update(thing="new"), "is of a thing that can't be"),
    (STEPS, lambda c: c["changes"][1].update(thing={"fixture": "bolt"}), "a thing that can't be"),
    (STEPS, lambda c: c["changes"][1].update(fields=["name"]), "(part, added) has `fields`"),
    (WRITE, lambda c: c["changes"][0].update(thing="old"), "at `$.changes[0].thing`"),
    (READ, lambda c: c.update(kind="write"), "kind 'write' has one step that changes something"),
    (READ, lambda c: c.update(kind="multi-step"), "'multi-step' has at least 2 steps"),
    (READ, lambda c: c.update(kind="destructive"), "has at least one step that is destructive"),
    (
        READ,
        lambda c: c.update(kind="refusal", domains=["part"]),
        "a case of the kind 'refusal' has no step; its steps are: part.fetch",
    ),
    (READ, lambda c: c.update(steps=[]), "'read' has at least one step, and all of them read"),
    (WRITE, lambda c: c.update(kind="read", changes=[]), "all of them read; its steps are: part"),
    (DESTRUCTIVE, lambda c: c.update(kind="write"), "something, and it is not destructive"),
    (
        READ,
        lambda c: c.update(changes=[{"kind": "part", "what": "added"}]),
        "a case of the kind 'read' changes nothing, and `changes` allows something",
    ),
    (REFUSAL, lambda c: c.pop("domains"), "a refusal names its `domains`"),
    (READ, lambda c: c.update(domains=["part"]), "no other case does; this is of 'read'"),
    (REFUSAL, lambda c: c.update(domains=["paint"]), "the domain 'paint' is not in the catalogue"),
    (
        WRITE,
        lambda c: c.update(exceptions=[{"words": "name", "reason": ""}]),
        "at `$.exceptions[0].reason`",
    ),
]


@pytest.mark.parametrize(("case", "spoil", "what"), FAULTS, ids=[told for _, _, told in FAULTS])
def test_a_spoilt_case_is_refused(case: Mapping[str, Any], spoil: Spoil, what: str) -> None:
    """One thing is wrong with one file among sound ones, and just that is told."""
    others = [other for other in CASES if other["name"] != case["name"]]
    content = files(*others) | {"spoilt.json": json.dumps(spoilt(case, spoil)).encode()}
    ((file, told),) = found(content)
    assert file == "spoilt.json"
    assert what in told


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"{", "Expecting property name"),
        (b'{"name": "a", "name": "b"}', "the key 'name' stands twice"),
        (b'{"name": NaN}', "NaN is no JSON number"),
        (b"\xff", "utf-8"),
        (b"[" * 100 + b"]" * 100, "nested more than 64 deep"),
        (b"[" * 100_000, "recursion"),
        (b'{"name": "\\ud800"}', "surrogates not allowed"),
    ],
    ids=["broken", "twice", "nan", "bytes", "deep", "deeper", "surrogate"],
)
def test_a_file_that_is_no_json_is_refused(content: bytes, what: str) -> None:
    """It is read as strictly as every file of the project."""
    ((file, told),) = found(files(READ) | {"spoilt.json": content})
    assert file == "spoilt.json"
    assert what in told


def test_two_cases_of_one_name_are_refused() -> None:
    """Also where they differ only in what a reader can't see."""
    content = files(READ) | {
        "spoilt.json": json.dumps({**READ, "name": "part-\u200bstock"}).encode()
    }
    assert found(content) == [
        (
            "spoilt.json",
            "the name 'part-\\u200bstock' stands in part-stock.json too, or reads the same",
        )
    ]


def test_all_faults_are_told_at_once() -> None:
    """Of each file, and of each place in it."""
    one = spoilt(READ, lambda c: c["steps"][0]["arguments"].update(a=1, b=2))
    other = spoilt(WRITE, lambda c: c["steps"][0].update(action="part.get"))
    assert len(found(files(one, other))) == 3


def test_a_corpus_without_a_case_is_refused() -> None:
    """A catalogue alone asks nothing."""
    assert found(files()) == [("", "there is no case")]


def test_references_may_stand_inside() -> None:
    """A list of things is compared thing by thing."""
    listed = action("order.pack", "parts")
    case = spoilt(
        READ,
        lambda c: c.update(
            steps=[
                {
                    "action": "order.pack",
                    "arguments": {"parts": [{"id": {"fixture": "bolt"}, "n": 2}]},
                }
            ]
        ),
    )
    (step,) = corpus(case, actions=[*ACTIONS, listed]).by_name["part-stock"].steps
    assert step.arguments == {"parts": [{"id": OfFixture("bolt"), "n": 2}]}


# The catalogue


def changed(name: str, **fields: Any) -> list[dict[str, Any]]:  # noqa: ANN401  any JSON value
    """All actions, one of them changed."""
    assert any(one["id"] == name for one in ACTIONS)
    return [{**one, **fields} if one["id"] == name else one for one in ACTIONS]


def called(name: str, surface: str, **fields: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    """All actions, one of them called otherwise on a surface."""
    (own,) = (one for one in ACTIONS if one["id"] == name)
    return changed(name, called={**own["called"], surface: fields})


def schema(name: str, *required: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    """All actions, one of which requires something else."""
    return changed(name, schema={"properties": {"part_id": {}}, "required": list(required)})


FILE = "catalogue.json"
INDIVIDUAL = {"id": "individual", "turns_per_step": 2}
BY_ACTION = {"turns_per_step": 2, "action": "action", "arguments": "arguments"}
SOUND = [{"id": "dynamic", **BY_ACTION}, {"id": "meta", **BY_ACTION}, INDIVIDUAL]


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"extra": 1}, "unknown field `extra`"),
        ({"turns_more": -1}, "at `$.turns_more`"),
        ({"surfaces": [*SOUND[:2], {**INDIVIDUAL, "turns_per_step": 0}]}, "at `$.surfaces[2]"),
        ({"surfaces": [*SOUND, INDIVIDUAL]}, "two surfaces are called 'individual'"),
        ({"helpers": {"menu": []}}, "`helpers` names the surface 'menu', which is unknown"),
        ({"actions": []}, "there is no action"),
        ({"actions": [*ACTIONS, ACTIONS[0]]}, "two actions are called 'part.search'"),
        (
            {"actions": changed("part.fetch", called={"meta": {"tool": "shop_part"}})},
            "the action 'part.fetch': `called` has the surfaces meta, and there are dynamic, meta",
        ),
        (
            {"actions": called("part.fetch", "meta", tool="shop_part")},
            "on the surface 'meta', which names by argument an action, its call says otherwise",
        ),
        (
            {"actions": called("part.fetch", "individual", tool="part_fetch", action="fetch")},
            "on the surface 'individual', which has no argument that names an action",
        ),
        (
            {"actions": called("part.fetch", "individual", tool="order_fetch")},
            "on 'individual' the actions 'part.fetch' and 'order.fetch' are called alike",
        ),
        (
            {"actions": called("part.fetch", "meta", tool="run_action", action="order.fetch")},
            "'run_action' does not mean the same on 'dynamic' and on 'meta'",
        ),
        (
            {
                "surfaces": [SOUND[0], {"id": "meta", **BY_ACTION, "arguments": None}, INDIVIDUAL],
                "actions": called("part.fetch", "meta", tool="run_action", action="part.fetch"),
            },
            "'run_action' does not mean the same on 'dynamic' and on 'meta'",
        ),
        (
            {"helpers": {"dynamic": ["part_fetch"]}},
            "the helper 'part_fetch' of the surface 'dynamic' is the tool of an action too",
        ),
        (
            {"actions": changed("part.fetch", schema={"properties": []})},
            "the action 'part.fetch': `properties` of its schema are no schemas by name",
        ),
        (
            {"actions": schema("part.fetch", "x")},
            "its schema requires ['x'], and has the arguments part_id",
        ),
        (
            {"actions": schema("part.fetch", {})},
            "its schema requires [{}]",
        ),
        (
            {"actions": changed("part.scrap", confirmation="sure")},
            "its schema lacks the confirmation 'sure'; it has part_id, confirm",
        ),
        (
            {"actions": changed("part.scrap", confirmation=None)},
            "an action has a `confirmation` if it is destructive, and only then",
        ),
        (
            {"actions": changed("part.scrap", changes=False)},
            "it is destructive and changes nothing",
        ),
        (
            {
                "surfaces": [
                    SOUND[0] | {"shown_at_most": 9},
                    SOUND[1],
                    INDIVIDUAL | {"shown_at_most": 8},
                ]
            },
            "surfaces show at most 8, 9 tools",
        ),
        (
            {"surfaces": [{**SOUND[0], "shown_at_most": 3}, *SOUND[1:]]},
            "the surface 'individual' has 7 tools and no `shown_at_most`",
        ),
    ],
    ids=str,
)
def test_a_spoilt_catalogue_is_refused(fields: dict[str, Any], what: str) -> None:
    """One thing is wrong with it, and just that is told; no case is read by it."""
    ((file, told),) = found(files(READ, **fields))
    assert file == FILE
    assert what in told


def test_a_case_about_more_tools_than_are_shown_is_refused() -> None:
    """Every tool of its domains has to be seen."""
    surfaces = [*SOUND[:2], {**INDIVIDUAL, "shown_at_most": 3}]
    assert found(files(READ, surfaces=surfaces)) == [
        ("part-stock.json", "its domains have 5 tools on 'individual', where at most 3 are shown")
    ]


def test_surfaces_may_share_tools_that_mean_the_same() -> None:
    """Two surfaces that differ in their words only are called alike."""
    actions = [
        {**one, "called": {**one["called"], "meta": one["called"]["dynamic"]}} for one in ACTIONS
    ]
    assert found(files(READ, actions=actions)) == []


def test_a_corpus_without_a_catalogue_is_refused() -> None:
    """Nothing says what its actions are."""
    content = {"part-stock.json": json.dumps(READ).encode()}
    assert found(content) == [("catalogue.json", "there is no catalogue of the subject's actions")]


@pytest.mark.parametrize(
    ("subject", "what"),
    [
        (None, "there is no [subject]"),
        ({"surfaces": ()}, f"the surfaces of [subject] are none, those of {FILE} {SURFACES[0]}"),
        ({"refused": "(?!x)"}, "`refused` of [subject] is no pattern: '(?!x)'"),
    ],
)
def test_a_benchmark_whose_subject_does_not_fit_is_refused(
    subject: dict[str, Any] | None, what: str
) -> None:
    """The fault is of benchmark.toml, seen from the cases."""
    assert BENCHMARK.subject is not None
    own = None if subject is None else BENCHMARK.subject.model_copy(update=subject)
    ((file, told),) = found(files(READ), BENCHMARK.model_copy(update={"subject": own}))
    assert file == "../benchmark.toml"
    assert told.startswith(what)
