"""What is shown of an experiment, of its attempts, and of both arms beside each other."""

import json
from collections.abc import Sequence
from typing import TypeVar

import pytest
from msgspec.structs import replace

from generator.families.blocks import (
    Block,
    Cell,
    Code,
    Interval,
    Lines,
    Mark,
    Note,
    Number,
    Percentage,
    Quote,
    Span,
    Spans,
    Table,
    Terms,
    Transcript,
)
from generator.families.paired.contrasting import LIMITS, conclusions
from generator.messages import Message
from generator.records.bundle import Usage
from tests.families.paired.sample import BENCHMARK, CASES, CORPUS, FAMILY, ORACLE, attempt, corpus
from tests.pages.pair import BASELINE, CANDIDATE, RUN, arms, attempts, comparison, key, recorded
from tests.pages.sample import Recorded

Kind = TypeVar("Kind", Table, Note, Spans, Transcript)


def said(cell: object) -> str:
    """A cell in English, its lines below each other."""
    match cell:
        case Lines(cells):
            return "\n".join(map(said, cells))
        case Mark(Message(text, values), _) | Message(text, values):
            return text.format(**{name: said(value) for name, value in values.items()})
        case Quote(text) | Code(text):
            return text
        case Terms(above, below) | Interval(above, below):
            return f"{above} / {below}"
        case Percentage(value):
            return f"{value}%"
        case _:
            return str(cell)


def of_kind(kind: type[Kind], blocks: Sequence[Block]) -> list[Kind]:
    """The blocks of a kind."""
    return [block for block in blocks if isinstance(block, kind)]


def lines(table: Table) -> list[list[str]]:
    """The heads of a table and its cells."""
    every: list[Sequence[Cell]] = [table.columns, *table.rows]
    return [[said(cell) for cell in row] for row in every]


def blocks_of(*rows: Recorded) -> tuple[Block, ...]:
    """What the family says of rows, of which the first two were compared."""
    found = [one.row for one in rows]
    return FAMILY.compared(CORPUS, BENCHMARK, found, [comparison(*rows[:2])])


def test_the_inventory_shows_the_arms_and_their_terms() -> None:
    """What each of them runs, and what both are held to."""
    both, terms = of_kind(Table, FAMILY.inventory(CORPUS))
    assert lines(both)[1:] == [
        ["broom", "the baseline", '["python", "-m", "broom", "."]', "nothing", "nothing"],
        ["mop", "the candidate", '["mop", "{prompt}"]', '{"wet": true}', "nothing"],
    ]
    assert lines(terms)[1:] == [
        ["Model that both arms ask", "none/none"],
        ["What both arms run on", "an example"],
        ["Time limit of an attempt, in milliseconds", "20000"],
        ["Repetitions of each task", "2"],
        ["Tasks", "4"],
        ["Cohort", CORPUS.experiment.cohort[:16]],
    ]


def test_the_inventory_shows_every_task_whole() -> None:
    """Prompt and workspace, and beside them the oracle; texts are quoted as they are."""
    tasks = of_kind(Transcript, FAMILY.inventory(CORPUS))
    shown = [
        [[(said(name), said(cell)) for name, cell in side] for side in (one.happened, one.expected)]
        for one in tasks
    ]
    assert [said(one.caption) for one in tasks] == [
        f"{case}: what is asked, and how it is judged" for case in CASES
    ]
    assert shown[0] == [
        [("Asked", "Clear the attic."), ("Files", "nothing")],
        [("Judged by", '["is-clear", "attic"]')],
    ]
    assert shown[2] == [
        [
            ("Asked", "Wipe the table."),
            ("File deep/down/in.txt", "\ufeffcrème\r\n"),
            ("File table.txt", "crumbs\n"),
        ],
        [("Judged by", '["python", "-I", "-B", "-c"]'), ("Oracle", ORACLE)],
    ]
    assert shown[3][1] == [("Judged by", '["node", "-e"]'), ("Oracle", "process.exit(1)\n")]


@pytest.mark.parametrize("command", [["judge"], ["node", "judge.js"]])
def test_an_oracle_without_a_text_is_shown_as_a_command(command: list[str]) -> None:
    """A name alone is enough for one, and the name of a file is not its text."""
    said_of = {"attic/task.json": json.dumps({"prompt": "x", "oracleCommand": command}).encode()}
    attic, *_ = of_kind(Transcript, FAMILY.inventory(corpus(said_of)))
    assert [(said(name), said(cell)) for name, cell in attic.expected] == [
        ("Judged by", json.dumps(command))
    ]


def test_tabs_of_a_workspace_are_seen() -> None:
    """They would be lost where texts are escaped, and indentation means something."""
    (kitchen,) = (
        one
        for one in of_kind(
            Transcript, FAMILY.inventory(corpus({"kitchen/files/deep/down/in.txt": b"a:\n\tb"}))
        )
        if said(one.caption).startswith("kitchen")
    )
    assert kitchen.happened[1][1] == Quote("a:\n    b")


def test_every_attempt_is_shown() -> None:
    """How it ended and why, what the oracle said, times, counters, and whether they came whole."""
    (table,) = of_kind(Table, FAMILY.observed(CORPUS, attempts("mop", CANDIDATE)))
    nothing = ["—"] * 6
    failed, late = lines(table)[2], lines(table)[4]
    assert lines(table)[1] == [
        *("attic #1", "completed", "verified", "status 0", "300.000", "2.000"),
        *("700", "90", "—", "—", "4", "—", "observed"),
    ]
    assert failed[:6] == [
        *("attic #2", "failed\nIt ended as failed.", "failed", "not asked", "120.000", "—")
    ]
    assert late == [
        *("hall #2", "completed", "not verified", "did not end in time", "9.500", "2.000"),
        *(*nothing, "unavailable"),
    ]
    assert [row[2] for row in lines(table)[6:]] == ["cancelled", "not verified", "verified"]
    assert lines(table)[7][3] == "status -9"


def test_what_counts_in_no_measure_is_shown_too() -> None:
    """As not scored, with what is known of it; the corpus need not be at hand."""
    (table,) = of_kind(Table, FAMILY.observed(None, attempts("broom", BASELINE)))
    assert lines(table)[8][:5] == [
        *("stairs #2", "provider_error\nIt ended as provider_error.", "not scored"),
        *("not asked", "—"),
    ]
    assert [lines(table)[row][-1] for row in (3, 4, 5)] == ["partial", "unavailable", "unavailable"]
    (partial,) = of_kind(Table, FAMILY.observed(None, [attempt(usage=Usage("partial"))]))
    assert lines(partial)[1][6:] == ["—"] * 6 + ["partial"]


def test_both_arms_stand_side_by_side() -> None:
    """Successes with both terms and interval, failures by kind, time given success with its n."""
    table = of_kind(Table, blocks_of(*arms()))[0]
    assert lines(table) == [
        ["Figure", "broom (pypi:broom 1.0)", "mop (pypi:mop 1.0)"],
        ["Stands for", "the baseline", "the candidate"],
        ["Verified", "5 / 7", "4 / 8"],
        ["95% interval of it, by Wilson", "5 / 7", "4 / 8"],
        ["Unverified", "1 / 7", "2 / 8"],
        ["Failed", "0 / 7", "1 / 8"],
        ["Timed out", "1 / 7", "0 / 8"],
        ["Cancelled", "0 / 7", "1 / 8"],
        ["Median time given success, in milliseconds", "41.000", "22.500"],
        ["Verified attempts that were timed", "5", "4"],
    ]
    assert table.rows[2][1] == Interval(5, 7)


def test_counters_say_how_many_attempts_told_them() -> None:
    """And how many did not; failed attempts count."""
    table = of_kind(Table, blocks_of(*arms()))[1]
    assert lines(table)[0] == [
        "Counter",
        *(f"{arm}: {of}" for arm in ("broom", "mop") for of in ("median", "observed", "missing")),
    ]
    assert lines(table)[1] == ["Input tokens", "890.0", "2", "5", "650.0", "2", "6"]
    assert lines(table)[3] == ["Reasoning tokens", "—", "0", "7", "—", "0", "8"]
    assert lines(table)[6] == ["Tool errors", "—", "0", "7", "1.0", "1", "7"]


def test_pairs_are_told_by_which_arm_succeeded() -> None:
    """The baseline downwards, the candidate across."""
    table = of_kind(Table, blocks_of(*arms()))[2]
    assert lines(table) == [
        ["Pairs", "mop: verified", "mop: not verified"],
        ["broom: verified", "2", "3"],
        ["broom: not verified", "1", "1"],
    ]


def test_both_arms_are_told_task_by_task() -> None:
    """What has no success has no time; of a tie, neither arm was more often verified."""
    table = of_kind(Table, blocks_of(*arms()))[3]
    assert lines(table)[1:] == [
        ["attic", "2 / 2", "1 / 2", "600.250", "300.000", "broom"],
        ["hall", "2 / 2", "1 / 2", "19.050", "9.000", "broom"],
        ["kitchen", "0 / 2", "1 / 2", "—", "15.000", "mop"],
        ["stairs", "1 / 1", "0 / 1", "41.000", "—", "broom"],
    ]
    baseline, _ = arms()
    same = recorded(key("mop"), attempts("mop", BASELINE))
    tied = of_kind(Table, blocks_of(baseline, same))[3]
    assert {row[-1] for row in lines(tied)[1:]} == {"neither"}


def test_the_chart_shows_what_the_table_says() -> None:
    """Case by case the median times of both arms, and nothing where there is none."""
    blocks = blocks_of(*arms())
    (chart,) = of_kind(Spans, blocks)
    rows = of_kind(Table, blocks)[3].rows
    assert [(span.label, Number(span.first), Number(span.second)) for span in chart.spans] == [
        (said(row[0]), row[3], row[4]) for row in rows
    ]
    assert (said(chart.first), said(chart.second)) == (
        *("broom (pypi:broom 1.0)", "mop (pypi:mop 1.0)"),
    )
    assert isinstance(chart.spans[0], Span)


def test_statistics_stand_with_their_n_and_method() -> None:
    """Each estimate and each test of the contrast, in its order."""
    baseline, candidate = arms()
    contrast = comparison(baseline, candidate).contrast
    found = lines(of_kind(Table, blocks_of(baseline, candidate))[4])
    assert found[0] == ["Figure", "Value", "95% interval", "n", "Method"]
    assert [row[1] for row in found[1:]] == [
        *(str(one.value) for one in contrast.estimates),
        *(str(one.p) for one in contrast.tests),
    ]
    assert [row[3] for row in found[1:]] == ["7", "2", "2", "4", "4"]
    first = contrast.estimates[0]
    assert found[1][2] == f"{first.low} to {first.high}"
    assert found[1][4].endswith("at 97.5% each")
    assert [row[2] for row in found[3:]] == ["—"] * 3
    assert found[4][4] == "two-sided; for the baseline 3, for the candidate 1"


WET = {"wet": True}


@pytest.mark.parametrize(
    ("model", "command", "features", "variables", "verdict"),
    [
        ("mop", "mop", WET, ["system", "features"], "in several variables (system, features)"),
        ("broom", "mop", WET, ["command", "features"], "in several variables (command, features)"),
        ("mop", "mop", {}, ["system"], "in system only"),
        ("broom", "broom", WET, ["features"], "in features only"),
        ("broom", "broom", {}, [], "do not differ in anything that is known"),
    ],
)
def test_what_differs_is_told_with_the_verdict(
    model: str, command: str, features: dict[str, bool], variables: list[str], verdict: str
) -> None:
    """One variable, and a difference can be due to it; several, and it can't be told."""
    own = {"command": [command, "."], "timeoutMs": 20_000}
    options = {**own, "features": features} if features else own
    configuration = {**key("mop").configuration.plain(), "options": options}
    blocks = blocks_of(*arms(model=model, configuration=configuration))
    tables = of_kind(Table, blocks)[5:]
    assert [row[0] for table in tables for row in lines(table)[1:]] == variables
    assert verdict in said(of_kind(Note, blocks)[0].sentences[0])


def test_what_differs_is_shown_on_both_sides() -> None:
    """As JSON has it; what one of them lacks is a dash."""
    table = of_kind(Table, blocks_of(*arms(model="broom")))[5]
    assert lines(table)[1:] == [
        ["command", '["broom", "."]', '["mop", "."]'],
        ["features", "—", '{"wet": true}'],
    ]


def test_what_may_be_concluded_stands_in_words() -> None:
    """The sentences of the contrast after the verdict on method, and then the limits."""
    baseline, candidate = arms()
    concluded, limits = of_kind(Note, blocks_of(baseline, candidate))
    expected = conclusions(comparison(baseline, candidate).contrast)
    assert concluded.sentences[1:] == expected
    assert limits.sentences == LIMITS
    assert "justifies no change of defaults" in said(concluded.sentences[-1])


def test_without_both_rows_nothing_is_compared() -> None:
    """A comparison speaks of rows that stand here; rows alone say nothing together."""
    baseline, candidate = arms()
    found = [comparison(baseline, candidate)]
    assert FAMILY.compared(CORPUS, BENCHMARK, [baseline.row], found) == ()
    assert FAMILY.compared(CORPUS, BENCHMARK, [candidate.row], found) == ()
    assert FAMILY.compared(CORPUS, BENCHMARK, [baseline.row, candidate.row]) == ()


def test_comparisons_of_two_runs_are_called_differently() -> None:
    """No two blocks of a page have one name."""
    baseline, candidate = arms()
    again = [
        recorded(key(arm, revision="2.0"), attempts(arm, tried), run="2026-04-01-tidying")
        for arm, tried in (("broom", BASELINE), ("mop", CANDIDATE))
    ]
    rows = [one.row for one in (baseline, candidate, *again)]
    both = [comparison(baseline, candidate), comparison(*again)]
    captions = [said(block.caption) for block in FAMILY.compared(CORPUS, BENCHMARK, rows, both)]
    assert len(set(captions)) == len(captions) == 18
    assert all(caption.startswith(f"Run {RUN}: ") for caption in captions[:9])


def test_an_arm_that_measured_nothing_is_shown() -> None:
    """Dashes, and no figure is made of nothing."""
    baseline, _ = arms()
    none = recorded(
        key("mop"), [replace(one, outcome="harness_error") for one in baseline.attempts]
    )
    blocks = blocks_of(baseline, none)
    side, counters, pairs, cases, statistics, _ = of_kind(Table, blocks)
    assert [row[2] for row in lines(side)[2:]] == ["0 / 0"] * 6 + ["—", "0"]
    assert [row[4:] for row in lines(counters)[1:]] == [["—", "0", "0"]] * 6
    assert [row[1:] for row in lines(pairs)[1:]] == [["0", "0"]] * 2
    assert {row[4] for row in lines(cases)[1:]} == {"—"}
    assert [row[1:3] for row in lines(statistics)[1:]] == [["—", "—"]] * 5
    assert all(span.second is None for chart in of_kind(Spans, blocks) for span in chart.spans)
