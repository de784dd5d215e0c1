from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from keeper import Fault, answer, make
from workshop.store import KINDS, Store, StoreError

KEEPER = Path(__file__).parents[3] / "results" / "benchmarks" / "workshop" / "harness" / "keeper.py"

FIXTURES: Mapping[str, Any] = {
    "client": {"make": "customer", "with": {"name": "Ada {mark}"}},
    "seal": {"make": "part", "with": {"name": "Seal {mark}", "stock": 5}},
    "job": {
        "make": "order",
        "with": {
            "name": "Job of {client.name}",
            "customer": "{client.id}",
            "machine": "Band saw",
            "parts": [{"part": "{seal.short}", "quantity": 2}],
        },
    },
}


def test_fixtures_are_made_in_their_order_with_the_mark_in_their_names(store: Store) -> None:
    """A later one holds what an earlier one produced, and every one has id, short and name."""
    made = make(store, "k3x9", FIXTURES)
    assert made["client"]["name"] == "Ada k3x9"
    assert made["job"]["name"] == "Job of Ada k3x9"
    assert made["job"]["customer"] == made["client"]["id"]
    assert made["job"]["parts"] == [{"part": made["seal"]["id"], "quantity": 2}]
    assert store.find("part", "Seal k3x9")["stock"] == 3
    assert all(thing["id"].startswith(thing["short"]) for thing in made.values())


@pytest.mark.parametrize(
    ("fixture", "says"),
    [
        ({"make": "boat", "with": {}}, "No such kind of thing: boat."),
        ({"make": "part", "with": {"name": "x", "colour": "red"}}, "No such field of a part"),
        ({"make": "part", "with": {"name": "x", "id": "1"}}, "No such field of a part: id."),
        ({"make": "part", "with": {"name": "{later.id}"}}, "Nothing that was made so far fills"),
        ({"make": "part", "with": {"name": "x", "stock": -1}}, "A part of these fields can't be"),
        ({"make": "part", "with": {}}, "A part of these fields can't be made"),
        ({"make": "part"}, "The fixture it does not say what to make"),
        ({"make": "order", "with": {"name": "x", "customer": "nobody"}}, "No such customer"),
    ],
)
def test_fixtures_that_cannot_be_made_leave_nothing(
    store: Store, fixture: Mapping[str, Any], says: str
) -> None:
    """One that fails undoes those before it, and says why."""
    before = store.state()
    with pytest.raises((Fault, StoreError)) as failed:
        make(store, "k3x9", {"first": {"make": "part", "with": {"name": "x"}}, "it": fixture})
    assert str(failed.value).startswith(says)
    assert store.state() == before


def test_a_workshop_is_furnished_once(tmp_path: Path) -> None:
    """The first make finds it empty, and the second leaves what is there."""
    store = Store(tmp_path)
    make(store, "a", {})
    before = store.state()
    assert all(before[kind] for kind in KINDS)
    make(store, "b", {})
    assert store.state() == before
    store.close()


def test_two_workshops_have_no_id_in_common(tmp_path: Path) -> None:
    """Nobody can know an id beforehand."""
    ids = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        store = Store(tmp_path / name)
        make(store, "a", {})
        ids.append({identity for things in store.state().values() for identity in things})
        store.close()
    assert not ids[0] & ids[1]


def test_the_process_answers_line_by_line(tmp_path: Path) -> None:
    """Make, state and remove; what it can't do is an answer too, and it goes on."""
    asked = [
        {"do": "make", "mark": "k3x9", "fixtures": FIXTURES},
        {"do": "state"},
        {"do": "sing"},
        {"do": "make", "mark": "k3x9", "fixtures": {"x": {"make": "boat", "with": {}}}},
        {"do": "remove"},
        {"do": "state"},
    ]
    lines = [*map(json.dumps, asked), "no JSON", "[]"]
    done = subprocess.run(
        [sys.executable, str(KEEPER)],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "ASSAY_SCENE": str(tmp_path)},
    )
    made, state, unknown, boat, removed, empty, *spoilt = map(json.loads, done.stdout.splitlines())
    job = made["made"]["job"]
    assert state["state"]["order"][job["id"]]["name"] == job["name"]
    assert "id" not in state["state"]["order"][job["id"]]
    assert "make (with mark and fixtures), state or remove" in unknown["error"]
    assert "boat" in boat["error"]
    assert removed == {}
    assert empty == {"state": {kind: {} for kind in KINDS}}
    assert all(list(one) == ["error"] for one in spoilt)


def test_the_keeper_and_a_server_see_the_same_workshop(tmp_path: Path, store: Store) -> None:
    """Two connections to one file: what one did, the other reads."""
    other = Store(tmp_path)
    assert other.state() == store.state()
    assert answer(other, {"do": "remove"}) == {}
    assert not any(store.state().values())
    other.close()
