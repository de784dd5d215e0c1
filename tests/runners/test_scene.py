import asyncio
import contextlib
import json
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from generator.errors import CorpusError
from generator.records.bundle import Change
from generator.runners.scene import NO_OBJECT, Patience, fresh_mark, shown
from generator.runners.stage import Came
from tests.runners import shelf
from tests.runners.playing import (
    IMPATIENT,
    MARK,
    NAMES,
    Script,
    attempt,
    call,
    question,
    scenes,
    subject,
)
from tests.runners.sample import TERMS
from tests.runners.test_process import gone, number_in, written

LIST = call("book_list")


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where scenes lie; whatever happens in a test, none is left there."""
    place = tmp_path / "scenes"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    yield place
    assert list(place.iterdir()) == []


# What a system sees


@pytest.mark.parametrize("surface", shelf.SURFACES)
def test_a_system_sees_what_the_server_publishes(surface: str) -> None:
    """Names, descriptions and schemas of a surface, unchanged; the prompt with names in it."""
    player = Script()
    observed = attempt(scenes(surface=surface), player)
    assert player.stage is not None
    assert [tool["function"] for tool in player.stage.tools] == [
        {
            "name": tool["name"],
            "description": tool["description"],
            "parameters": tool["inputSchema"],
        }
        for tool in shelf.published(surface)
    ]
    assert (player.stage.prompt, player.stage.turns) == ("How long is Bolts k3x9? Say k3x9.", 5)
    assert observed.stimulus == player.stage.prompt
    assert (observed.outcome, observed.reason) == ("completed", None)


def test_fixtures_are_made_before_and_written_down() -> None:
    """With what the keeper says of them, and the mark; a server finds them."""
    player = Script((call("book_show", {"book": f"Bolts {MARK}"}),))
    observed = attempt(scenes(), player)
    made = {"id": "0002-000a", "short": "0002", "name": "Bolts k3x9", "pages": 7}
    assert observed.fixtures == {"bolt": made, "mark": {"name": MARK}}
    assert player.came == [Came("accepted", json.dumps(made))]


def test_each_attempt_has_a_mark_of_its_own() -> None:
    """Lower-case letters and digits, few of them."""
    marks = {fresh_mark() for _ in range(100)}
    assert len(marks) > 90
    assert all(len(mark) == 5 and mark.isalnum() and mark == mark.lower() for mark in marks)


def test_no_attempt_sees_another() -> None:
    """What one adds is not there for the next."""
    where, add = scenes(), call("book_add", {"title": "Nuts"})
    for _ in range(2):
        assert attempt(where, Script((add,))).changes == (Change("book", "0003-0004", "added"),)


def test_a_prompt_that_names_what_was_not_made_is_not_put() -> None:
    """It would not be the question of the case."""
    observed = attempt(scenes(), Script(), question("Where is {nut.name}?"))
    assert observed.outcome == "harness_error"
    assert "{nut.name}" in str(observed.reason)


@pytest.mark.parametrize("mode", ["noise", "pages", "slow"])
def test_a_server_may_be_slow_chatty_or_say_it_in_parts(mode: str) -> None:
    """Lines that are no messages are passed over, and lists come in pages."""
    player = Script((LIST,))
    observed = attempt(scenes(mode), player)
    assert observed.outcome == "completed"
    assert player.stage is not None
    assert len(player.stage.tools) == len(NAMES["individual"])
    assert player.came[0].outcome == "accepted"


def test_where_not_all_tools_can_be_shown_those_of_the_case_are() -> None:
    """And the first others beside them, all in the server's order, which tells nothing."""
    listed = [{"name": name} for name in "abcdef"]
    scene = question(first=frozenset("eb"), shown_at_most=4).scene
    assert scene is not None
    assert [tool["name"] for tool in shown(listed, scene, "meta")] == ["a", "b", "c", "e"]
    few = attempt(
        scenes(), Script(), question(first=frozenset(NAMES["individual"]), shown_at_most=2)
    )
    assert few.reason == "5 tools would have to be shown; 2 may be"


# Calls


def test_a_call_goes_through_unchanged() -> None:
    """Nulls, numbers, odd names and all; so does its answer."""
    sent: dict[str, Any] = {"a": None, "b": [None, 10**30, 1.0, -0.0], "è\u0000": {"ü": {}}}
    player = Script((call("no such tool, really", sent),))
    attempt(scenes("echo"), player)
    assert json.loads(player.came[0].answer) == sent
    assert '"b": [null, 1000000000000000000000000000000, 1.0, -0.0]' in player.came[0].answer


def test_what_a_server_refuses_is_told_from_what_it_took() -> None:
    """By the pattern of the subject; a call that came to nothing behind it was accepted."""
    player = Script(
        (
            call("book_show", {"book": "Bolts k3x9"}),
            call("book_show", {"book": "no such"}),
            call("book_show", {"books": "Bolts k3x9"}),
            call("book_burn", {"book": "Bolts k3x9"}),
            call("no_tool"),
        )
    )
    attempt(scenes(), player)
    assert [(came.outcome, came.failed) for came in player.came] == [
        ("accepted", False),
        ("accepted", True),
        ("refused", True),
        ("refused", True),
        ("refused", True),
    ]
    assert player.came[1].answer == "There is no book no such."


def test_an_error_of_the_protocol_is_a_refusal() -> None:
    """In the server's words."""
    player = Script((LIST,))
    assert attempt(scenes("protocol"), player).outcome == "completed"
    assert player.came == [Came("refused", "no such tool: book_list", failed=True)]


@pytest.mark.parametrize("arguments", ['{"book": ', [], "book", 3, True])
def test_arguments_that_are_no_object_reach_no_server(arguments: object) -> None:
    """No message could carry them; the call is refused in plain words."""
    player = Script((call("book_show", arguments),))
    attempt(scenes(), player)
    assert player.came == [Came("refused", NO_OBJECT, failed=True)]


@pytest.mark.parametrize(
    ("mode", "answer"),
    [
        ("structured", '{"given": {}}'),
        ("parts", 'one\ntwo\n{"type":"image","data":"aGk=","mimeType":"image/png"}'),
    ],
)
def test_an_answer_is_text(mode: str, answer: str) -> None:
    """Texts one below the other; what is none is shown as JSON."""
    player = Script((LIST,))
    attempt(scenes(mode), player)
    assert player.came == [Came("accepted", answer)]


# What is changed


def test_what_was_changed_is_seen() -> None:
    """Added, changed and removed, by id; fields of what was there before and after."""
    calls = (
        call("book_add", {"title": "Nuts"}),
        call("book_retitle", {"book": "0002", "title": "Screws"}),
        call("book_burn", {"book": "The World", "confirm": True}),
    )
    assert attempt(scenes(), Script(calls)).changes == (
        Change("book", "0000-world", "removed"),
        Change("book", "0002-000a", "changed", ("name",)),
        Change("book", "0003-0004", "added"),
    )


def test_whoever_only_looks_changes_nothing() -> None:
    """Which is known, and not merely assumed."""
    assert attempt(scenes(), Script((LIST,))).changes == ()


# Faults that are no system's


@pytest.mark.parametrize(
    ("mode", "said"),
    [
        ("ends", "the server is gone: it ended with status 1: the shelf fell down"),
        ("mute", "the server said nothing for 1.5 s"),
        ("refuses", "the server refused to start: not today"),
        ("odd", "the server broke the protocol: "),
        ("others", "the server publishes a tool that the catalogue lacks: 'library_close'"),
        ("lacks", "the server does not publish a tool of the catalogue: 'book_burn'"),
        ("twice", "the server publishes two tools of one name: 'book_list'"),
    ],
)
def test_a_server_that_can_not_be_used_is_nobodys_fault_but_ours(mode: str, said: str) -> None:
    """The system is not asked at all, and the attempt counts in no measure."""
    player = Script((LIST,))
    observed = attempt(scenes(mode, patience=IMPATIENT), player)
    assert (observed.outcome, player.stage) == ("harness_error", None)
    assert str(observed.reason).startswith(said)


@pytest.mark.parametrize(
    ("mode", "said"),
    [
        ("dies", "the server is gone: it ended with status 1: out of paper"),
        ("hangs", "the server said nothing for 0.5 s"),
        ("notifies", "the server said nothing for 0.5 s"),
        ("floods", "the server is gone: it wrote more than 8388608 bytes"),
        ("broken", "the server broke the protocol: "),
    ],
)
def test_a_server_that_fails_in_the_middle_is_not_held_against_the_system(
    mode: str, said: str
) -> None:
    """What was said and made before stays on record."""
    observed = attempt(scenes(mode, patience=IMPATIENT), Script((LIST,)))
    assert (observed.outcome, observed.changes) == ("harness_error", None)
    assert str(observed.reason).startswith(said)
    assert observed.fixtures["mark"] == {"name": MARK}


@pytest.mark.parametrize("do", ["make", "state"])
@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("fails", "the keeper could not '{do}': no {do}"),
        ("dies", "the keeper did not answer to '{do}': it ended with status 1: no {do} today"),
        ("hangs", "the keeper did not answer to '{do}' within 0.5 s"),
        ("noise", "what the keeper answered to '{do}' is no JSON: "),
        ("list", "what the keeper answered to '{do}' is no object"),
        ("odd", "the keeper"),
    ],
)
def test_a_keeper_that_fails_is_said(do: str, how: str, said: str) -> None:
    """No fixtures, no state: no attempt."""
    observed = attempt(scenes(keeper=f"{do}-{how}", patience=IMPATIENT), Script())
    assert observed.outcome == "harness_error"
    assert str(observed.reason).startswith(said.format(do=do))


@pytest.mark.parametrize("how", ["fails", "dies", "hangs"])
def test_what_could_not_be_removed_is_told(how: str) -> None:
    """It does not undo what was observed; the folder goes in any case."""
    observed = attempt(scenes(keeper=f"remove-{how}", patience=IMPATIENT), Script((LIST,)))
    assert (observed.outcome, observed.changes) == ("completed", ())
    assert str(observed.reason).startswith("what was made could not be removed: the keeper")


@pytest.mark.parametrize("program", ["/no/such/program", "/etc/passwd"])
def test_a_program_that_can_not_be_started_is_said(program: str) -> None:
    """The keeper's as the server's."""
    whole = subject()
    for spoilt in (
        whole.model_copy(update={"keeper": (program,)}),
        whole.model_copy(
            update={
                "surfaces": tuple(
                    one.model_copy(update={"command": (program,)}) for one in whole.surfaces
                )
            }
        ),
    ):
        observed = attempt(scenes(of=spoilt), Script())
        assert observed.outcome == "harness_error"
        assert "can't be started" in str(observed.reason)


def test_the_fault_of_a_player_is_kept_with_its_turns() -> None:
    """What it did before the server died is still told."""
    observed = attempt(scenes("dies", patience=IMPATIENT), Script((call("x", []), LIST)))
    assert [turn.tool_calls[0].outcome for turn in observed.turns] == ["refused"]


# Before a run


def test_a_surface_is_seen_before_anything_is_asked() -> None:
    """The digest of its list of tools is that of every attempt."""
    scene = question().scene
    assert scene is not None
    served = {
        surface: asyncio.run(scenes(surface=surface).served(scene)) for surface in shelf.SURFACES
    }
    assert [one.surface for one in served.values()] == list(shelf.SURFACES)
    assert len({one.tools for one in served.values()}) == len(shelf.SURFACES)
    again = asyncio.run(scenes("pages", surface="individual").served(scene))
    assert again == served["individual"]


@pytest.mark.parametrize("mode", ["ends", "refuses", "others"])
def test_a_subject_that_does_not_stand_is_said_at_once(mode: str) -> None:
    """And not once an attempt."""
    scene = question().scene
    assert scene is not None
    with pytest.raises(CorpusError, match="can't be set up on the surface 'meta'"):
        asyncio.run(scenes(mode, surface="meta").served(scene))


def test_tools_must_not_change_during_a_run() -> None:
    """A row names one list of tools."""
    scene, where = question().scene, scenes("moody")
    assert scene is not None

    async def both() -> str | None:
        await where.served(scene)
        return (await where.attempt(Script(), question(), TERMS)).reason

    assert asyncio.run(both()) == (
        "the server describes its tools otherwise than when the run began"
    )


def test_a_pattern_that_is_none_is_said() -> None:
    """In the dialect that it is read in."""
    with pytest.raises(CorpusError, match="re2"):
        scenes(of=subject().model_copy(update={"refused": "(?<=x)"}))


def test_no_secret_reaches_the_subject() -> None:
    """Nor what is said of it."""
    whole = subject()
    said = ("/bin/sh", "-c", 'echo "token: $A_TOKEN." >&2; echo "$ASSAY_SCENE" >&2; exit 1')
    observed = attempt(scenes(of=whole.model_copy(update={"keeper": said})), Script())
    assert "token: ." in str(observed.reason)
    assert "assay-scene-" in str(observed.reason)


# Nothing is left


def test_children_of_a_server_end_with_it(tmp_path: Path) -> None:
    """Though they hold its output, its end is seen."""
    number = tmp_path / "number"
    patience = Patience(start=20.0, answer=15.0)
    began = time.monotonic()
    observed = attempt(scenes(f"child={number}", patience=patience), Script((LIST,)))
    assert observed.reason == "the server is gone: it ended with status 3"
    assert time.monotonic() - began < 10
    assert gone(number_in(number))


@pytest.mark.parametrize("mode", ["hangs", "mute"])
def test_whoever_is_interrupted_leaves_nothing_behind(mode: str, tmp_path: Path) -> None:
    """Server, keeper and folder go, and what was made is removed before."""
    log = tmp_path / "log"
    whole = subject(mode)
    kept = (
        'echo $$ > "$0"; while read -r said; do echo "$said" >> "$0"; '
        """echo '{"made": {}, "state": {}}'; done"""
    )
    whole = whole.model_copy(update={"keeper": ("/bin/sh", "-c", kept, str(log))})
    asked = question("Hello.", fixtures={})

    async def interrupted() -> None:
        asking = asyncio.ensure_future(scenes(of=whole).attempt(Script((LIST,)), asked, TERMS))
        await asyncio.to_thread(written, log)
        await asyncio.sleep(0.5)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    asyncio.run(interrupted())
    first, *said = log.read_text("utf-8").splitlines()
    assert gone(int(first))
    assert [json.loads(line)["do"] for line in said][-1] == "remove"


def test_a_second_interrupt_does_not_wait(tmp_path: Path) -> None:
    """Not even for a keeper that has what was made still to remove."""
    log = tmp_path / "log"
    kept = 'echo $$ > "$0"; while read -r said; do sleep 1000; done'
    whole = subject().model_copy(update={"keeper": ("/bin/sh", "-c", kept, str(log))})

    async def interrupted() -> float:
        asking = asyncio.ensure_future(scenes(of=whole).attempt(Script(), question(), TERMS))
        await asyncio.to_thread(written, log)
        began = time.monotonic()
        for _ in range(2):
            asking.cancel()
            await asyncio.sleep(0.1)
        with contextlib.suppress(asyncio.CancelledError):
            await asking
        return time.monotonic() - began

    assert asyncio.run(interrupted()) < 3
    assert gone(number_in(log))


def test_many_scenes_stand_side_by_side() -> None:
    """Each is told apart from the others."""
    where = scenes()

    async def all_of_them() -> list[int]:
        add = [call("book_add", {"title": f"Nuts {number}"}) for number in range(6)]
        done = await asyncio.gather(
            *(where.attempt(Script((one,)), question(), TERMS) for one in add)
        )
        return [len(observed.changes or ()) for observed in done]

    assert asyncio.run(all_of_them()) == [1] * 6
    assert os.environ.get("ASSAY_SCENE") is None


def test_no_setting_of_the_machine_reaches_the_subject(monkeypatch: pytest.MonkeyPatch) -> None:
    """As none reaches a program that is asked itself."""
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    said = ("/bin/sh", "-c", 'echo "zone $TZ, locale $LC_ALL" >&2; exit 1')
    observed = attempt(scenes(of=subject().model_copy(update={"keeper": said})), Script())
    assert str(observed.reason).endswith("zone UTC, locale C.UTF-8")
