"""The family: what it declares, and what it shows of a corpus and of attempts."""

import string
from typing import Any

import pytest

from generator.families.blocks import (
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
)
from generator.families.catalog import FAMILIES, family_of
from generator.families.declarative.family import METRICS, Declarative
from generator.families.declarative.scorer import ENDINGS
from generator.families.family import Metric, Put
from generator.messages import Message
from generator.records.bundle import EXCLUDED, Outcome, Turn
from tests.families.declarative.sample import (
    BENCHMARK,
    attempt,
    call,
    case,
    checks,
    corpus,
    files,
    steps,
    tool,
)

FAMILY = Declarative()
CORPUS = corpus(
    case("polite-morning", description="Morning is before noon."),
    case("polite-evening", checks=[*checks("1"), {"type": "word_count", "value": 2}]),
    case("curt-hey", prompt="<b>Hey!</b>"),
)

CHAIN = corpus(
    steps(
        "polite-chain",
        {
            "prompt": "Find Maria.",
            "checks": [
                {"type": "tool_called", "value": "find"},
                {"type": "tool_arg_equals", "arg": "name", "value": "Maria"},
            ],
        },
        {"toolResult": '{"id":7}', "checks": [{"type": "contains", "value": "7"}]},
        {"toolResult": "", "prompt": "Sure?", "checks": [{"type": "json_valid"}]},
        description="Who is found is told.",
        tools=[tool("find"), tool("look")],
        example=[
            {"tool_calls": [{"name": "find", "arguments": {"name": "Maria"}}]},
            {"content": "7", "tool_calls": [{"name": "look"}]},
            {"content": "{}"},
        ],
    )
)
ASKED = [
    *("step 1", "Find Maria."),
    *("step 2", 'the tool gives back: {"id":7}'),
    *("step 3", "the tool gives back: ", "Sure?"),
]
EXPECTED = [
    *("step 1", "calls find first", "the argument name of the call: Maria"),
    *("step 2", "contains 7"),
    *("step 3", "is a JSON document"),
]
FIND = Turn(tool_calls=(call("find", {"name": "Maria"}),))


def said(cell: Cell) -> list[str]:
    """What a cell says, in English, line by line."""
    match cell:
        case Quote(text) | Code(text):
            return [text]
        case Number(value):
            return [str(value)]
        case Mark(message, _) | (Message() as message):
            return [_in_english(message)]
        case Terms(numerator, denominator):
            return [f"{numerator} / {denominator}"]
        case Lines(cells):
            return [line for inner in cells for line in said(inner)]
        case Percentage() | Interval():
            return [str(cell)]


def _in_english(message: Message) -> str:
    return Message(
        message.id, {name: _value(value) for name, value in message.values.items()}
    ).in_english()


def _value(value: object) -> object:
    if isinstance(value, Message):
        return _in_english(value)
    return value.text if isinstance(value, Code | Quote) else value


def table(blocks: tuple[Table, ...]) -> list[list[list[str]]]:
    """The one table of some blocks, in English."""
    (found,) = blocks
    return [[said(cell) for cell in row] for row in found.rows]


def test_the_family_is_in_the_catalogue() -> None:
    """A benchmark that names it finds it, and an unknown name finds nothing."""
    assert family_of("declarative") in FAMILIES
    assert family_of("Declarative") is None
    assert len({family.id for family in FAMILIES}) == len(FAMILIES)


def test_it_reads_and_scores_by_the_contract() -> None:
    """A corpus read by the family is one that its scorer takes, and its figures are recomputed."""
    read = FAMILY.corpus(files(case()), BENCHMARK)
    scorer = FAMILY.scorer(read)
    scorer.add(attempt("polite-morning", "yes"))
    assert scorer.finish().counts.scored == 1
    assert FAMILY.standing == "recomputed"


def test_every_case_is_a_question() -> None:
    """What is put to a system is each step in its order, with the tools, and no answer key."""
    (question,) = FAMILY.questions(CHAIN)
    assert question.case == "polite-chain"
    assert question.puts == (Put("Find Maria."), Put(None, '{"id":7}'), Put("Sure?", ""))
    assert list(question.tools) == [tool("find"), tool("look")]
    assert [each.case for each in FAMILY.questions(CORPUS)] == list(CORPUS.cases)
    assert FAMILY.questions(CORPUS)[0].puts == (Put("<b>Hey!</b>"),)


def test_an_example_is_the_perfect_answer() -> None:
    """Who answers as the example does passes, and a case without one tells nothing."""
    turns = FAMILY.perfect(CHAIN, "polite-chain")
    assert turns is not None
    (row,) = table(FAMILY.observed(CHAIN, [attempt("polite-chain", *turns)]))
    assert row[1] == ["passed"]
    assert FAMILY.perfect(CORPUS, "curt-hey") is None


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.id)
def test_a_metric_explains_itself(metric: Metric) -> None:
    """Each metric says what it is out of, in words and as a formula."""
    assert all((metric.title, metric.numerator, metric.denominator, metric.formula))
    assert metric.says.endswith(".")
    texts = metric.title + metric.says + metric.numerator + metric.denominator
    assert [name for _, name, _, _ in string.Formatter().parse(texts) if name] == []


def test_metrics_are_declared_once() -> None:
    """Every ending is a metric, every id stands once, and an unknown id is none."""
    ids = [metric.id for metric in METRICS]
    assert len(set(ids)) == len(ids)
    assert set(ENDINGS) < set(ids)


def test_the_inventory_holds_every_case() -> None:
    """Each case stands in the table of its category, with its question, key and reason."""
    blocks = FAMILY.inventory(CORPUS)
    assert [block.caption.id for block in blocks] == ["Polite greetings", "Curt greetings"]
    polite, curt = ([[said(cell) for cell in row] for row in block.rows] for block in blocks)
    assert polite == [
        [
            ["polite-evening"],
            ["Say polite-evening."],
            ["contains a", "number of words: 2"],
            [""],
        ],
        [
            ["polite-morning"],
            ["Say polite-morning."],
            ["contains yes"],
            ["Morning is before noon."],
        ],
    ]
    assert curt == [[["curt-hey"], ["<b>Hey!</b>"], ["contains yes"], [""]]]


def test_the_inventory_holds_every_step() -> None:
    """A case in several steps is shown with what each puts, gives back and expects."""
    polite, _ = FAMILY.inventory(CHAIN)
    ((name, asked, expected, why),) = ([said(cell) for cell in row] for row in polite.rows)
    assert (name, asked, expected, why) == (
        ["polite-chain"],
        ASKED,
        EXPECTED,
        ["Who is found is told."],
    )


def test_a_result_in_the_only_step_is_shown() -> None:
    """Whatever is put to a system stands where a reader looks for it."""
    step = {"prompt": "Go on.", "toolResult": "found", "checks": checks("1")}
    polite, _ = FAMILY.inventory(corpus(steps("polite-on", step)))
    assert said(polite.rows[0][1]) == ["step 1", "the tool gives back: found", "Go on."]
    assert said(polite.rows[0][2]) == ["contains a"]


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        ({"type": "not_empty"}, "says something"),
        ({"type": "json_valid"}, "is a JSON document"),
        ({"type": "json_path_equals", "path": "", "value": None}, "at $ of the JSON: null"),
        ({"type": "json_path_type", "path": "a[0]", "value": "array"}, "the type at a[0] of the "),
        ({"type": "tool_not_called"}, "calls no tool"),
        ({"type": "tool_not_called", "value": "look"}, "does not call look first"),
        ({"type": "tool_arg_regex", "arg": "at", "value": "^a"}, "the argument at of the call mat"),
    ],
)
def test_a_reader_sees_what_a_check_expects(check: dict[str, Any], expected: str) -> None:
    """Each kind of check is said in words, with its value, its path and its argument."""
    polite, _ = FAMILY.inventory(corpus(case(checks=[check])))
    (line,) = said(polite.rows[0][2])
    assert line.startswith(expected)


def test_a_category_without_a_case_has_an_empty_table() -> None:
    """A declared category is shown, and that it holds nothing shows too."""
    blocks = FAMILY.inventory(corpus(case("curt-hey")))
    assert [len(block.rows) for block in blocks] == [0, 1]


def test_every_row_has_as_many_cells_as_columns() -> None:
    """No table of the family leaves a cell without its column."""
    attempts = [attempt("curt-hey", "yes"), attempt("unknown", "no")]
    for block in (*FAMILY.inventory(CORPUS), *FAMILY.observed(CORPUS, attempts)):
        assert {len(row) for row in block.rows} <= {len(block.columns)}


@pytest.mark.parametrize(
    ("outcome", "content", "verdict", "tone"),
    [
        ("completed", "yes", "passed", "good"),
        ("completed", "no", "wrong", "bad"),
        ("completed", "", "no answer", "bad"),
        ("malformed", "yes", "wrong", "bad"),
        ("no_tool_call", None, "no answer", "bad"),
        ("timeout", None, "timed out", "bad"),
        ("failed", None, "crashed", "bad"),
        ("cancelled", "yes", "crashed", "bad"),
        *((outcome, "yes", "not scored", "neutral") for outcome in (*EXCLUDED, "skipped")),
    ],
)
def test_an_attempt_is_shown_with_its_verdict(
    outcome: Outcome, content: str | None, verdict: str, tone: str
) -> None:
    """What the scorer made of an attempt stands beside what was said."""
    (block,) = FAMILY.observed(CORPUS, [attempt("curt-hey", content, outcome=outcome)])
    (row,) = block.rows
    assert isinstance(row[1], Mark)
    assert (said(row[1]), row[1].tone) == ([verdict], tone)


def test_an_attempt_is_shown_with_what_was_asked_said_and_expected() -> None:
    """A reader can judge each attempt alone: question, answer and key stand side by side."""
    tried = attempt("curt-hey", "yes", "or no", refusal="I stop.", reason="tired", stimulus="Yo!")
    assert table(FAMILY.observed(CORPUS, [tried])) == [
        [["curt-hey"], ["passed"], ["Yo!"], ["yes", "or no", "I stop.", "tired"], ["contains yes"]]
    ]


def test_an_unsaid_stimulus_is_the_case_s_prompt() -> None:
    """Where a harness does not say what it sent, the question of the corpus stands there."""
    ((_, _, asked, *_),) = table(FAMILY.observed(CORPUS, [attempt("curt-hey", "yes")]))
    assert asked == ["<b>Hey!</b>"]


@pytest.mark.parametrize("content", [None, ""])
def test_silence_is_shown_as_nothing(content: str | None) -> None:
    """An empty cell could be a fault of the page, so silence is said in words."""
    ((_, _, _, spoken, _),) = table(FAMILY.observed(CORPUS, [attempt("curt-hey", content)]))
    assert spoken == ["nothing"]


def test_a_repetition_is_told_apart() -> None:
    """The second time that a case was asked is shown as such."""
    attempts = [attempt("curt-hey", "yes", repetition=number) for number in (1, 2)]
    names = [row[0] for row in table(FAMILY.observed(CORPUS, attempts))]
    assert names == [["curt-hey"], ["curt-hey #2"]]


@pytest.mark.parametrize("own", [None, CORPUS], ids=["no corpus", "another corpus"])
def test_without_the_case_nothing_is_judged(own: object) -> None:
    """Where the key is not at hand, what was said is still shown and no verdict is invented."""
    known = CORPUS if own is CORPUS else None
    tried = attempt("polite-unknown", "yes", stimulus="Who?")
    assert table(FAMILY.observed(known, [tried])) == [
        [["polite-unknown"], ["not scored"], ["Who?"], ["yes"], ["not at hand"]]
    ]


def test_every_attempt_is_shown_in_its_order() -> None:
    """Nothing that was observed is left out, and nothing is sorted by how it went."""
    names = ("polite-morning", "curt-hey", "polite-evening")
    shown = table(FAMILY.observed(CORPUS, [attempt(name, "yes") for name in names]))
    assert [row[0] for row in shown] == [[name] for name in names]
    assert table(FAMILY.observed(CORPUS, [])) == []


def marks(cell: Cell) -> list[tuple[str, str]]:
    """The marks in a cell, each with its tone."""
    assert isinstance(cell, Lines)
    return [
        (_in_english(inner.message), inner.tone) for inner in cell.cells if isinstance(inner, Mark)
    ]


@pytest.mark.parametrize(
    ("content", "tones"),
    [
        ("a b", ["good", "good"]),
        ("a", ["good", "bad"]),
        ("b c", ["bad", "good"]),
        ("", ["bad"] * 2),
    ],
)
def test_each_check_is_marked(content: str, tones: list[str]) -> None:
    """Where several things were expected, a reader sees which were met, and not by colour alone."""
    (block,) = FAMILY.observed(CORPUS, [attempt("polite-evening", content)])
    found = marks(block.rows[0][4])
    words = {"good": "met", "bad": "not met"}
    expected = ["contains a", "number of words: 2"]
    assert found == [
        (f"{words[tone]}: {check}", tone) for tone, check in zip(tones, expected, strict=True)
    ]


def test_a_single_check_needs_no_mark() -> None:
    """The result says it already."""
    (block,) = FAMILY.observed(CORPUS, [attempt("curt-hey", "no")])
    assert block.rows[0][4] == FAMILY.inventory(CORPUS)[1].rows[0][2]


@pytest.mark.parametrize("outcome", [*EXCLUDED, "skipped"])
def test_what_was_not_scored_is_not_marked(outcome: Outcome) -> None:
    """Where nothing was judged, what was expected stands there and no verdict."""
    (block,) = FAMILY.observed(CHAIN, [attempt("polite-chain", FIND, outcome=outcome)])
    assert said(block.rows[0][4]) == EXPECTED
    assert marks(block.rows[0][4]) == []


def test_an_attempt_at_several_steps_is_shown_step_by_step() -> None:
    """A reader sees what was put, said and called in each step, and what each reply met."""
    turns = (FIND, Turn(content="8", tool_calls=(call("look", "at <b>"), call("find"))), "{}")
    (block,) = FAMILY.observed(CHAIN, [attempt("polite-chain", *turns, stimulus="Find Maria.")])
    name, verdict, asked, spoken, expected = block.rows[0]
    assert (said(name), said(verdict), said(asked)) == (["polite-chain"], ["wrong"], ASKED)
    assert said(spoken) == [
        'calls find {"name": "Maria"}',
        "8",
        'calls look "at <b>"',
        "calls find {}",
        "{}",
    ]
    assert said(expected) == [
        *("step 1", "met: calls find first", "met: the argument name of the call: Maria"),
        *("step 2", "not met: contains 7"),
        *("step 3", "met: is a JSON document"),
    ]
    assert [tone for _, tone in marks(expected)] == ["good", "good", "bad", "good"]


NOT_REACHED = "not reached: nothing of this step counts"


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (
            ("Maria", "7", "{}"),
            [
                *("step 1", "not met: calls find first"),
                "not met: the argument name of the call: Maria",
                *("step 2", NOT_REACHED, "step 3", NOT_REACHED),
            ],
        ),
        (
            (FIND, "7"),
            [
                *("step 1", "met: calls find first", "met: the argument name of the call: Maria"),
                *("step 2", "met: contains 7", "step 3", NOT_REACHED),
            ],
        ),
        ((), ["step 1", NOT_REACHED, "step 2", NOT_REACHED, "step 3", NOT_REACHED]),
    ],
)
def test_a_step_that_was_not_reached_is_shown_so(
    turns: tuple[Turn | str, ...], expected: list[str]
) -> None:
    """A reader sees where a chain broke, and that nothing behind it counts."""
    (block,) = FAMILY.observed(CHAIN, [attempt("polite-chain", *turns)])
    assert said(block.rows[0][4]) == expected
    assert all(tone == "bad" for text, tone in marks(block.rows[0][4]) if text == NOT_REACHED)


def test_an_attempt_that_broke_off_reached_nothing() -> None:
    """What was said before a time limit is shown, and marked as counting nothing."""
    (block,) = FAMILY.observed(CHAIN, [attempt("polite-chain", FIND, outcome="timeout")])
    assert said(block.rows[0][3]) == ['calls find {"name": "Maria"}']
    assert [text for text, _ in marks(block.rows[0][4])] == [NOT_REACHED] * 3


def test_hostile_text_stands_where_it_is_escaped() -> None:
    """What systems and tools say is a quote or code, never words of the page."""
    hostile = "<script>{check}</script>"
    own = corpus(
        steps(
            "polite-x",
            {"prompt": hostile, "checks": [{"type": "tool_called", "value": hostile}]},
            {"toolResult": hostile, "checks": [{"type": "contains", "value": hostile}]},
        )
    )
    turns = (Turn(content=hostile, refusal=hostile, tool_calls=(call(hostile, hostile),)), hostile)
    for block in (*FAMILY.inventory(own), *FAMILY.observed(own, [attempt("polite-x", *turns)])):
        for row in block.rows:
            for cell in row:
                assert not any(hostile in message.id for message in messages(cell))


def messages(cell: object) -> list[Message]:
    """Every message in a cell, those in messages too."""
    match cell:
        case Mark(message, _):
            return messages(message)
        case Message():
            inner = [found for value in cell.values.values() for found in messages(value)]
            assert all(
                isinstance(value, int | Code | Quote | Message) for value in cell.values.values()
            )
            return [cell, *inner]
        case Lines(cells):
            return [found for each in cells for found in messages(each)]
        case _:
            return []
