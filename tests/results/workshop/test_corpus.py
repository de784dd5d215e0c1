from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import write_catalogue
from keeper import make
from serve import NAME, VERSION
from workshop.actions import ACTIONS, BY_ID, DOMAINS, perform
from workshop.store import Store
from workshop.surfaces import FIND, SURFACES, called

from generator.records.benchmark import Benchmark

BENCHMARKS = Path(__file__).parents[3] / "results" / "benchmarks"
MARK = "k3x9"


def cases_of(benchmark: str) -> list[dict[str, Any]]:
    """All cases of a benchmark."""
    files = sorted((BENCHMARKS / benchmark / "cases").glob("*/*.json"))
    cases = [json.loads(path.read_text(encoding="utf-8")) for path in files]
    for path, case in zip(files, cases, strict=True):
        assert (case["kind"], case["name"]) == (path.parent.name, path.stem)
    return cases


CASES = cases_of("workshop")
SMALL = cases_of("workshop-small")


def filled(value: Any, made: Mapping[str, Any]) -> Any:  # noqa: ANN401  any JSON
    """A value of a case, with what stands in its places."""
    if isinstance(value, str):
        return re.sub(
            r"\{(\w+)(?:\.(\w+))?\}",
            lambda place: str(made[place[1]][place[2]]) if place[2] else MARK,
            value,
        )
    return value


def given(case: Mapping[str, Any], number: int, made: Any, answers: Any) -> dict[str, Any]:  # noqa: ANN401
    """The arguments of a step as a call has them; what the key leaves open is filled somehow."""
    step = case["steps"][number]
    arguments = {}
    for name, value in step["arguments"].items():
        match value:
            case {"fixture": fixture}:
                arguments[name] = made[fixture]["name"]
            case {"step": earlier, "path": path}:
                arguments[name] = answers[earlier - 1][path]
            case _:
                arguments[name] = filled(value, made)
    open_still = set(BY_ID[step["action"]].schema["required"]) - set(arguments)
    return arguments | dict.fromkeys(open_still, "Anything")


def observed(before: Any, after: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401
    """What is different between two states, as a harness notes it."""
    for kind, things in before.items():
        for thing in things.keys() - after[kind].keys():
            yield {"kind": kind, "what": "removed", "thing": thing}
        new_here = after[kind].keys() - things.keys()
        yield from ({"kind": kind, "what": "added", "thing": "new"} for _ in new_here)
        for thing in things.keys() & after[kind].keys():
            old, new = things[thing], after[kind][thing]
            fields = {field for field in old if old[field] != new[field]}
            if fields:
                yield {"kind": kind, "what": "changed", "thing": thing, "fields": fields}


def declared(case: Mapping[str, Any], made: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What a case says is different afterwards, in the same form."""
    for change in case.get("changes", ()):
        thing = change["thing"]
        if isinstance(thing, dict):
            thing = made[thing["fixture"]]["id"]
        fields = {"fields": set(change["fields"])} if "fields" in change else {}
        yield {"kind": change["kind"], "what": change["what"], "thing": thing} | fields


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_key_leaves_exactly_the_changes_that_it_declares(
    tmp_path: Path, case: Mapping[str, Any]
) -> None:
    """Whoever follows the key changes what was asked for, all of it, and nothing else."""
    store = Store(tmp_path)
    made = make(store, MARK, case["fixtures"])
    before = store.state()
    answers: list[Any] = []
    for number, step in enumerate(case.get("steps", ())):
        arguments = given(case, number, made, answers)
        answers.append(perform(store, BY_ID[step["action"]], arguments))
    seen = list(observed(before, store.state()))
    expected = list(declared(case, made))
    store.close()
    assert sorted(map(str, map(_plain, seen))) == sorted(map(str, map(_plain, expected)))


def _plain(change: Mapping[str, Any]) -> list[Any]:
    return [
        change["kind"],
        change["what"],
        change["thing"],
        sorted(change.get("fields", ())),
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_what_has_to_be_found_is_found(tmp_path: Path, case: Mapping[str, Any]) -> None:
    """A search step that the key fixes, or leaves open, can show the thing of the next step."""
    store = Store(tmp_path)
    made = make(store, MARK, case["fixtures"])
    for number, step in enumerate(case.get("steps", ())):
        if step["action"].endswith(".search") and step["arguments"]:
            answer = perform(store, BY_ID[step["action"]], given(case, number, made, []))
            names = {thing["name"] for thing in made.values()}
            assert any(one["name"] in names for one in answer["found"])
    store.close()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_no_prompt_tells_its_action(store: Store, case: Mapping[str, Any]) -> None:
    """No id, no name of a tool, of an action of the domain or of an argument stands in it."""
    prompt = _words(filled(case["prompt"], make(store, MARK, case["fixtures"])))
    own = [BY_ID[step["action"]] for step in case.get("steps", ())]
    domains = {action.domain for action in own} | set(case.get("domains", ()))
    telling = {FIND}
    telling |= {action.id for action in ACTIONS}
    telling |= {by["tool"] for action in ACTIONS for by in called(action).values()}
    telling |= {action.name for action in ACTIONS if action.domain in domains}
    telling |= {argument.name for action in own for argument in action.takes}
    assert not [word for word in telling if _words(word) in prompt]


def _words(text: str) -> str:
    return f" {' '.join(re.findall('[a-z0-9]+', text.casefold()))} "


def test_all_kinds_all_domains_and_all_actions_are_asked_for() -> None:
    """The corpus is as large as it says in its description."""
    assert Counter(case["kind"] for case in CASES) == {
        "read": 14,
        "write": 23,
        "multi-step": 10,
        "destructive": 9,
        "refusal": 8,
    }
    named = {step["action"] for case in CASES for step in case.get("steps", ())}
    assert named == set(BY_ID)
    assert {BY_ID[action].domain for action in named} == set(DOMAINS)


def test_prompts_differ_and_there_is_always_something_to_be_mistaken_for() -> None:
    """No two cases ask the same, and no fixture is the only one that could be meant."""
    assert len({case["prompt"] for case in CASES}) == len(CASES)
    for case in CASES:
        if case["kind"] == "refusal":
            continue
        asked = re.findall(r"\{(\w+)\.", case["prompt"] + json.dumps(case.get("steps", ())))
        assert set(case["fixtures"]) - set(asked), case["name"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_case_is_sound(case: Mapping[str, Any]) -> None:
    """Its kind is what its steps are, and the key of a destructive step confirms."""
    actions = [BY_ID[step["action"]] for step in case.get("steps", ())]
    for action, step in zip(actions, case.get("steps", ()), strict=True):
        assert set(step["arguments"]) <= set(action.schema["properties"])
        assert (step["arguments"].get("confirm") is True) is action.destructive
    match case["kind"]:
        case "read":
            assert not any(action.changes for action in actions)
        case "write":
            assert [action.changes for action in actions] == [True]
        case "multi-step":
            assert len(actions) > 1
        case "destructive":
            assert any(action.destructive for action in actions)
        case _:
            assert not actions
            assert set(case["domains"]) <= set(DOMAINS)
            assert case["description"]


def test_the_small_benchmark_is_a_part_of_the_large_one() -> None:
    """Twelve cases of all kinds, word for word."""
    assert len(SMALL) == 12
    assert all(case in CASES for case in SMALL)
    assert {case["kind"] for case in SMALL} == {case["kind"] for case in CASES}


def test_both_benchmarks_speak_of_the_server_that_there_is() -> None:
    """Its name, its version, its surfaces, and what a refusal begins with."""
    large, small = (
        Benchmark.from_toml((BENCHMARKS / name / "benchmark.toml").read_bytes())
        for name in ("workshop", "workshop-small")
    )
    assert large.subject is not None
    assert large.subject == small.subject
    assert (large.subject.name, large.subject.version) == (NAME, VERSION)
    assert tuple(surface.id for surface in large.subject.surfaces) == SURFACES
    assert large.subject.refused == "^(Unknown|Invalid|Not confirmed)"


def test_the_catalogues_are_written_from_the_actions(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Run write_catalogue.py where this fails."""
    monkeypatch.setattr(sys, "argv", ["write_catalogue.py", "--check"])
    assert write_catalogue.main() == 0, capsys.readouterr().out


def test_a_catalogue_that_differs_is_named_and_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With --check it is named, without it is written."""
    place = tmp_path / "catalogue.json"
    place.write_text("{}", encoding="utf-8")
    monkeypatch.setattr(write_catalogue, "BENCHMARKS", tmp_path)
    monkeypatch.setattr(write_catalogue, "PLACES", (place,))
    monkeypatch.setattr(sys, "argv", ["write_catalogue.py", "--check"])
    assert write_catalogue.main() == 1
    assert place.read_text(encoding="utf-8") == "{}"
    monkeypatch.setattr(sys, "argv", ["write_catalogue.py"])
    assert write_catalogue.main() == 0
    assert place.read_text(encoding="utf-8") == write_catalogue.catalogue()
    assert capsys.readouterr().out == "catalogue.json differs\ncatalogue.json was written\n"
