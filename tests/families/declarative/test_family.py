"""The family: what it declares, and what it shows of a corpus and of attempts."""

import string

import pytest

from generator.families.blocks import Block, Cell, Code, Lines, Mark, Quote
from generator.families.catalog import FAMILIES, family_of
from generator.families.declarative.family import METRICS, Declarative
from generator.families.declarative.scorer import ENDINGS
from generator.families.family import Metric
from generator.messages import Message
from generator.records.bundle import EXCLUDED, Outcome
from tests.families.declarative.sample import BENCHMARK, attempt, case, checks, corpus, files

FAMILY = Declarative()
CORPUS = corpus(
    case("polite-morning", description="Morning is before noon."),
    case("polite-evening", checks=[*checks("1"), {"type": "word_count", "value": 2}]),
    case("curt-hey", prompt="<b>Hey!</b>"),
)


def said(cell: Cell) -> list[str]:
    """What a cell says, in English, line by line."""
    match cell:
        case Quote(text) | Code(text):
            return [text]
        case Mark(message, _) | (Message() as message):
            return [_in_english(message)]
        case Lines(cells):
            return [line for inner in cells for line in said(inner)]


def _in_english(message: Message) -> str:
    values = {
        name: value.text if isinstance(value, Code) else value
        for name, value in message.values.items()
    }
    return Message(message.id, values).in_english()


def table(blocks: tuple[Block, ...]) -> list[list[list[str]]]:
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
