import asyncio
import contextlib
import os
from pathlib import Path
from typing import Any

import pytest

from generator.records.bundle import Change
from generator.runners.keeper import Keeper, State, changes
from generator.runners.spoken import spoken
from generator.runners.stage import SceneFault

BEFORE: State = {"book": {"1": {"name": "One", "pages": 1}, "2": {"name": "Two"}}, "shelf": {}}


@pytest.mark.parametrize(
    ("after", "seen"),
    [
        (BEFORE, ()),
        ({"book": BEFORE["book"]}, ()),
        ({**BEFORE, "lamp": {"9": {}}}, (Change("lamp", "9", "added"),)),
        (
            {"book": {"2": {"name": "Two"}, "3": {}}},
            (Change("book", "1", "removed"), Change("book", "3", "added")),
        ),
        (
            {"book": {**BEFORE["book"], "1": {"name": "one", "size": "A4", "pages": 1}}},
            (Change("book", "1", "changed", ("name", "size")),),
        ),
        (
            {"book": {**BEFORE["book"], "1": {"name": "One", "pages": True}}},
            (Change("book", "1", "changed", ("pages",)),),
        ),
        (
            {"book": {**BEFORE["book"], "2": {"name": "Two", "pages": None}}},
            (Change("book", "2", "changed", ("pages",)),),
        ),
    ],
)
def test_a_difference_is_seen(after: State, seen: tuple[Change, ...]) -> None:
    """In things and in their fields, as JSON has them: 1 is not true, and null is something."""
    assert changes(BEFORE, after) == seen


def test_things_come_in_order() -> None:
    """Whatever order the keeper tells them in."""
    after: State = {"shelf": {"b": {}, "a": {}}, "book": {}}
    found = [(change.kind, change.thing) for change in changes(BEFORE, after)]
    assert found == [("book", "1"), ("book", "2"), ("shelf", "a"), ("shelf", "b")]


def kept(script: str, *, seconds: float = 10.0) -> Any:  # noqa: ANN401  a state
    """The second state that a keeper tells, where the first was given up."""

    async def asked() -> Any:  # noqa: ANN401
        settings = {"PATH": os.environ["PATH"]}
        async with spoken(["/bin/sh", "-c", script], Path("/"), settings) as lines:
            keeper = Keeper(lines, seconds, 5.0)
            with contextlib.suppress(SceneFault):
                await keeper.state()
            await asyncio.sleep(0.4)
            return await keeper.state()

    return asyncio.run(asked())


def test_an_answer_that_came_too_late_is_no_answer_to_the_next_request() -> None:
    """Each request has its own line, whatever became of those before."""
    script = """
    read -r one; sleep 0.5; echo '{"state": {"book": {"1": {}}}}'
    read -r two; echo '{"state": {}}'
    """
    assert kept(script, seconds=0.3) == {}


@pytest.mark.parametrize(
    "state", ["3", '{"book": []}', '{"book": {"1": []}}', '{"": {}}', '{"book": {"": {}}}', "null"]
)
def test_a_state_is_a_table(state: str) -> None:
    """Of kinds, ids and fields; anything else is no state."""
    with pytest.raises(SceneFault, match="table"):
        kept(f"""while read -r said; do echo '{{"state": {state}}}'; done""")
