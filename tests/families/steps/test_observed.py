"""What is shown of cases, attempts and rows: whole, in order, and in plain words."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from generator.families.blocks import (
    Block,
    Cell,
    Code,
    Interval,
    Lines,
    Mark,
    Number,
    Percentage,
    Quote,
    Table,
    Terms,
    Transcript,
)
from generator.families.steps.metrics import METRICS
from generator.messages import Message
from generator.records.bundle import Attempt, Change, ToolCall, Turn
from tests.families.steps.sample import (
    CASES,
    CORPUS,
    DESTRUCTIVE,
    FAMILY,
    READ,
    REFUSAL,
    STEPS,
    WRITE,
    call,
    replayed,
)
from tests.pages.sample import Recorded
from tests.pages.shop import HERE, recorded

Spoil = Callable[[Attempt], Attempt]


def said(cell: Cell | Message) -> str:
    """A cell in English, its lines below each other."""
    match cell:
        case Lines(cells):
            return "\n".join(map(said, cells))
        case Mark(message, _):
            return said(message)
        case Message(text, values):
            return text.format(**{name: _value(value) for name, value in values.items()})
        case Quote(text) | Code(text):
            return text
        case Number(value) | Percentage(value):
            return "—" if value is None else str(value)
        case Terms(numerator, denominator) | Interval(numerator, denominator):
            return f"{numerator} / {denominator}"


def _value(value: object) -> str:
    return str(value) if isinstance(value, int | str) else said(value)  # type: ignore[arg-type]


def table(block: Block) -> list[list[str]]:
    """The cells of a table."""
    assert isinstance(block, Table)
    return [[said(cell) for cell in row] for row in block.rows]


def shown(spoilt: Attempt) -> tuple[list[str], Transcript]:
    """The line of an attempt in the table, and its transcript."""
    overview, transcript = FAMILY.observed(CORPUS, [spoilt])
    assert isinstance(transcript, Transcript)
    (row,) = table(overview)
    return row, transcript


def calls(*before: ToolCall, instead: bool = False) -> Spoil:
    """What makes other calls before those of the key, or instead of them."""

    def spoil(sound: Attempt) -> Attempt:
        own = () if instead else sound.turns[:-1]
        turns = (*(Turn(tool_calls=(one,)) for one in before), *own, sound.turns[-1])
        return replace(sound, turns=turns)

    return spoil


SCRAPPED = call("part_scrap", part_id="Bolt k3x9")
BOLT = "bolt, by its name, its id or its short id"
TOO_EARLY = "Step 2, order.ship, was not reached: it was called, but not after the step before."
SHIPPED = call("order_ship", order_id="Order k3x9", carrier="Slow")


@pytest.mark.parametrize(
    ("case", "spoil", "words"),
    [
        (READ, calls(), []),
        (
            READ,
            calls(call("part_fetch", "refused")),
            ["Step 1, part.fetch, was reached only after a call that was refused."],
        ),
        (
            READ,
            calls(instead=True),
            ["Step 1, part.fetch, was not reached: it was never called."],
        ),
        (
            READ,
            calls(call("part_fetch", "refused"), call("part_fetch", "refused"), instead=True),
            ["Step 1, part.fetch, was not reached: the server refused every call of it."],
        ),
        (
            STEPS,
            calls(call("order_fetch", order_id="Order k3x9"), instead=True),
            [
                "Step 2, order.ship, was not reached: it was never called.",
                "Step 3, part.add, was not reached: a step before it was not.",
            ],
        ),
        (
            STEPS,
            calls(SHIPPED, call("order_fetch", order_id="Order k3x9"), instead=True),
            [
                TOO_EARLY,
                "Step 3, part.add, was not reached: a step before it was not.",
            ],
        ),
        (
            DESTRUCTIVE,
            calls(SCRAPPED, instead=True),
            ["Step 1, part.scrap, was reached without its confirmation."],
        ),
        (
            WRITE,
            calls(call("part_rename", part_id="Nut", note="asked"), instead=True),
            [
                f'Step 1, part.rename: part_id was "Nut"; expected was {BOLT}.',
                'Step 1, part.rename: newName was missing; expected was "Hex bolt {mark}".',
            ],
        ),
        (
            READ,
            lambda sound: replace(
                sound,
                changes=(
                    Change("part", "a1", "changed", ("name", "stock")),
                    Change("order", "b2", "added"),
                    Change("order", "c3", "removed"),
                ),
            ),
            [
                "Nobody asked for this: part a1 was changed, namely name, stock.",
                "Nobody asked for this: order b2 was added.",
                "Nobody asked for this: order c3 was removed.",
            ],
        ),
        (
            READ,
            lambda sound: replace(calls(SHIPPED, SHIPPED)(sound), changes=None),
            ["The server accepted a call of order.ship, which nobody asked for."],
        ),
        (READ, calls(SHIPPED), []),
        (
            REFUSAL,
            calls(SHIPPED),
            ["The server accepted a call of order.ship, which nobody asked for."],
        ),
        (
            REFUSAL,
            lambda sound: replace(sound, turns=(Turn(""),)),
            ["It gave no answer, where it should have declined or asked."],
        ),
        (
            READ,
            lambda sound: replace(sound, outcome="timeout"),
            ["It did not end by itself (timeout)."],
        ),
        (
            READ,
            lambda sound: replace(sound, outcome="cancelled", reason="7 turns"),
            ["It did not end by itself (cancelled): 7 turns"],
        ),
    ],
)
def test_where_it_went_wrong_is_said(
    case: Mapping[str, Any], spoil: Spoil, words: list[str]
) -> None:
    """Each mistake in a sentence of its own, in the order of what happened."""
    (_, _, _, wrong), transcript = shown(spoil(replayed(case, "individual")))
    assert wrong == ("\n".join(words) or "nothing")
    assert said(transcript.expected[-1][1]) == wrong


def test_an_attempt_is_told_turn_by_turn() -> None:
    """What was made, asked, said, called, answered and changed; and beside it the key."""
    row, transcript = shown(replace(replayed(WRITE, "individual"), repetition=2))
    assert row == ["part-title #2", "Changing", "passed", "nothing"]
    assert said(transcript.caption) == "part-title #2: passed"
    happened = {said(name): said(cell) for name, cell in transcript.happened}
    assert list(happened) == ["Made before", "Asked", "Turn 1", "Turn 2", "Ended", "Changed"]
    assert 'mark: {"name": "k3x9"}' in happened["Made before"]
    assert happened["Asked"] == "From now on, Bolt k3x9 goes by Hex bolt k3x9."
    assert happened["Turn 1"].startswith("calls part_rename {")
    assert happened["Turn 1"].endswith("}\naccepted\ncomes back with {}")
    assert happened["Turn 2"] == "It is done."
    assert happened["Ended"] == "completed"
    assert happened["Changed"].endswith("was changed, namely name")
    expected = {said(name): said(cell) for name, cell in transcript.expected}
    assert list(expected) == ["Step 1", "May be changed", "Where it went wrong"]
    assert expected["Step 1"].splitlines() == [
        "part.rename",
        "part_id: bolt, by its name, its id or its short id",
        'newName: "Hex bolt {mark}"',
        'note: "asked"',
        "reached",
    ]
    assert expected["May be changed"] == "part: bolt is changed, namely name"


def test_other_outcomes_of_calls_are_told_as_they_are() -> None:
    """Also those of harnesses that say something else, or nothing."""
    odd = ToolCall("look", outcome="lost"), ToolCall("look"), call("look", "refused", "No")
    turn = Turn("Hm.", refusal="No.", tool_calls=odd)
    _, transcript = shown(replace(replayed(READ, "meta"), turns=(turn,), changes=None))
    happened = {said(name): said(cell) for name, cell in transcript.happened}
    assert happened["Turn 1"].splitlines() == [
        *("Hm.", "No.", "calls look {}", "lost", "calls look {}", "calls look {}"),
        *("refused", "comes back with No"),
    ]
    assert "Changed" not in happened


def test_what_is_left_out_says_why() -> None:
    """It is not scored, and the key stands beside it all the same."""
    left = replace(replayed(READ, "meta"), outcome="harness_error", reason="no keeper")
    row, transcript = shown(left)
    assert row == ["part-stock", "Reading", "not scored", "harness_error\nno keeper"]
    names = [said(name) for name, _ in transcript.expected]
    assert names == ["Step 1", "May be changed"]
    assert "reached" not in said(transcript.expected[0][1])
    assert shown(replace(left, outcome="skipped", reason=None))[0][3] == "skipped"


def test_without_the_corpus_the_attempt_is_told() -> None:
    """Nothing is judged by a key that is not at hand."""
    overview, transcript = FAMILY.observed(None, [replayed(READ, "meta")])
    assert table(overview) == [["part-stock", "not at hand", "not scored", "nothing"]]
    assert isinstance(transcript, Transcript)
    assert [said(cell) for _, cell in transcript.expected] == ["not at hand"]


# The inventory


def test_the_inventory_counts_and_lists() -> None:
    """Kinds with their steps, domains with their actions, and every case with prompt and key."""
    kinds, domains, *listed = FAMILY.inventory(CORPUS)
    assert table(kinds)[-1] == ["All", "5", "6"]
    assert table(kinds)[2] == ["Several steps", "1", "3"]
    assert table(domains) == [
        ["part", "5", "4", "5"],
        ["order", "1", "2", "2"],
        ["All", "5", "6", "7"],
    ]
    rows = [row for block in listed for row in table(block)]
    assert [row[0] for row in rows] == [
        *("part-stock", "part-title", "order-off", "part-gone", "part-paint")
    ]
    assert {row[1] for row in rows} == {case["prompt"] for case in CASES}
    by_name = {row[0]: row for row in rows}
    assert by_name["part-paint"][3] == "It declines or asks, and changes nothing."
    assert by_name["part-gone"][3].endswith("confirmed by confirm")
    assert by_name["order-off"][3].splitlines()[:4] == [
        *("step 1", "order.fetch", "order_id: order, by its name, its id or its short id"),
        "step 2",
    ]
    assert "carrier: carriers[0].name of what step 1 came back with" in by_name["order-off"][3]
    assert by_name["order-off"][4] == "order: order is changed\npart: one is added"
    assert by_name["part-title"][5] == "The plainest of changes."


# Comparisons


def compared(*rows: Recorded) -> list[tuple[str, list[list[str]]]]:
    """Captions and cells of all comparisons."""
    blocks = FAMILY.compared(CORPUS, HERE.benchmark, [one.row for one in rows])
    return [(said(block.caption), table(block)) for block in blocks]


def test_surfaces_of_a_system_stand_together_and_systems_of_a_surface() -> None:
    """Both terms of every measure; the caption says on what the rows agree."""
    one, other = recorded("careful", "meta", {}), recorded("careful", "individual", {})
    third = recorded("clumsy", "meta", {})
    (first, by_surface), (second, by_system) = compared(one, other, third)
    assert first.startswith("The surfaces of pypi:careful 1.0; these rows agree on version 1, ")
    assert first.endswith("subject shop 1.0, options {}, tools native, cpython 3.11")
    assert [row[0] for row in by_surface] == ["individual", "meta"]
    assert by_surface[0][1:] == [
        *("5 / 5", "6 / 6", "6 / 6", "10 / 10", "1 / 1", "5 / 5", "1 / 1", "5 / 5")
    ]
    assert second.startswith("Systems on the surface meta; these rows agree on version 1, ")
    assert [row[0] for row in by_system] == [
        *("pypi:careful 1.0 cpython 3.11", "pypi:clumsy 1.0 cpython 3.11")
    ]
    (head, *measures) = FAMILY.compared(CORPUS, HERE.benchmark, [one.row, other.row])[0].columns  # type: ignore[union-attr]
    assert said(head) == "Surface"
    assert [said(each) for each in measures] == [metric.title for metric in METRICS]


def test_rows_that_differ_in_more_are_not_compared() -> None:
    """Another system on another surface, or other options, agree on too little."""
    one, other = recorded("careful", "meta", {}), recorded("clumsy", "individual", {})
    assert compared(one, other) == []
    assert compared(one) == []
    configuration = other.row.key.configuration.model_copy(
        update={"surface": "meta", "options": {"temperature": 1}}
    )
    key = other.row.key.model_copy(update={"configuration": configuration})
    moved = Recorded(other.row.model_copy(update={"key": key}), other.attempts)
    assert compared(one, moved) == []


def test_a_row_without_a_measure_shows_a_dash() -> None:
    """What was not measured is no zero."""
    one, other = recorded("careful", "meta", {}), recorded("careful", "individual", {})
    ((_, rows),) = compared(one.with_figures(), other)
    assert rows[1][1:] == ["—"] * len(METRICS)
