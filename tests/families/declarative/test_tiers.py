"""Tiers: which word the rounded scores of all categories earn, and what is refused of a table."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.families.declarative.corpus import read_corpus
from generator.families.declarative.scorer import DeclarativeScorer
from generator.families.declarative.tiers import read_tiers, tier_of
from generator.families.family import CorpusFault
from generator.records.benchmark import Benchmark
from generator.records.measure import Label, Measure
from tests.families.declarative.sample import attempt, case, checks, files

TIERS = """\
[[scoring.tiers]]
id = "large"
at_least = {tool-calling = 0.90, instruction = 0.85, json = 0.85}

[[scoring.tiers]]
id = "medium"
at_least = {tool-calling = 0.60, json = 0.50}

[[scoring.tiers]]
id = "small"
"""
"""Those of the contract, from which the cases of a test differ by one line."""

HEAD = """\
format = "assay.benchmark/1"
id = "replies"
family = "declarative"
version = "1"
title = "Replies"
summary = "Whether a reply is what was asked for."
licence = "CC0-1.0"
shown = ["passed"]
run = "python run.py"
categories = [
    {id = "instruction", title = "Instructions"},
    {id = "json", title = "JSON"},
    {id = "tool-calling", title = "Calls of tools"},
]

"""

CATEGORIES = ("instruction", "json", "tool-calling")
SCORES = st.integers(0, 100).map(lambda hundredths: Decimal(hundredths).scaleb(-2))


def benchmark(tiers: str = TIERS) -> Benchmark:
    """A benchmark with these tiers, read from its file."""
    return Benchmark.from_toml((HEAD + tiers).encode())


def earned(*scores: str | None) -> str | None:
    """The tier of scores of instruction, JSON and calls of tools."""
    named = zip(CATEGORIES, scores, strict=True)
    return tier_of(
        {name: None if score is None else Decimal(score) for name, score in named},
        read_tiers(benchmark()),
    )


def measured(tiers: str = TIERS, **weights: str) -> list[Measure]:
    """What the scorer measures where the one case of each category gains that weight of 1."""
    asked = [
        case(
            f"{category}-1",
            category=category.replace("_", "-"),
            checks=checks(weight, str(1 - Decimal(weight))),
        )
        for category, weight in weights.items()
    ]
    scorer = DeclarativeScorer(read_corpus(files(*asked), benchmark(tiers)))
    for each in asked:
        scorer.add(attempt(each["name"], "a"))
    return list(scorer.finish().measures)


@pytest.mark.parametrize(
    ("instruction", "json", "calls", "tier"),
    [
        ("0.85", "0.85", "0.90", "large"),
        ("0.86", "0.86", "0.91", "large"),
        ("1.00", "1.00", "1.00", "large"),
        ("0.84", "0.85", "0.90", "medium"),
        ("0.85", "0.84", "0.90", "medium"),
        ("0.85", "0.85", "0.89", "medium"),
        ("0.00", "0.50", "0.60", "medium"),
        ("0.00", "0.51", "0.61", "medium"),
        ("0.00", "1.00", "1.00", "medium"),
        ("1.00", "0.49", "0.60", "small"),
        ("1.00", "0.50", "0.59", "small"),
        ("1.00", "1.00", "0.59", "small"),
        ("1.00", "0.00", "1.00", "small"),
        ("0.00", "0.00", "0.00", "small"),
    ],
)
def test_a_tier_needs_every_threshold_of_its_own(
    instruction: str, json: str, calls: str, tier: str
) -> None:
    """A threshold is reached by its very number and missed by a hundredth less, in any category."""
    assert earned(instruction, json, calls) == tier


@pytest.mark.parametrize(
    ("instruction", "json", "calls", "tier"),
    [
        ("0.845", "0.845", "0.895", "large"),
        ("0.844999", "0.845", "0.895", "medium"),
        ("0.845", "0.844999", "0.895", "medium"),
        ("0.845", "0.845", "0.894999", "medium"),
        ("0.000001", "0.495", "0.595", "medium"),
        ("0.999999", "0.494999", "0.595", "small"),
        ("0.999999", "0.495", "0.594999", "small"),
    ],
)
def test_a_tier_is_earned_by_rounded_scores(
    instruction: str, json: str, calls: str, tier: str
) -> None:
    """What rounds up to a threshold reaches it, so that the page shows why: 0.895 is 0.90."""
    measures = measured(instruction=instruction, json=json, tool_calling=calls)
    assert Label(metric="tier", value=tier) in measures


def test_the_tier_is_one_label_of_the_whole() -> None:
    """It stands once among the measures, behind the scores that it follows from."""
    measures = measured(instruction="0.9", json="0.9", tool_calling="0.9")
    assert [measure.id for measure in measures if measure.kind == "label"] == ["tier"]
    assert measures[-1] == Label(metric="tier", value="large")


@pytest.mark.parametrize("missing", CATEGORIES)
def test_a_category_without_a_score_leaves_no_tier(missing: str) -> None:
    """Where something that any tier asks was not measured, no tier is claimed, not even the last.

    That holds for the category that only the highest tier asks, too: it may have been earned.
    """
    scores = {category: "1.00" for category in CATEGORIES if category != missing}
    assert earned(*(scores.get(category) for category in CATEGORIES)) is None
    weights = {category.replace("-", "_"): "0.9" for category in scores}
    assert not [measure for measure in measured(**weights) if measure.metric == "tier"]


def test_a_category_without_a_scored_attempt_leaves_no_tier() -> None:
    """Attempts that failed through nobody's fault measure nothing, whatever else was reached."""
    asked = [case(f"{name}-1", category=name, checks=checks("1")) for name in CATEGORIES]
    scorer = DeclarativeScorer(read_corpus(files(*asked), benchmark()))
    scorer.add(attempt("instruction-1", "a"))
    scorer.add(attempt("json-1", "a"))
    scorer.add(attempt("tool-calling-1", outcome="provider_error"))
    assert not [found for found in scorer.finish().measures if found.metric == "tier"]


def test_a_category_that_no_tier_asks_needs_no_score() -> None:
    """Only what a threshold speaks of has to be measured."""
    tiers = TIERS.replace("instruction = 0.85, ", "")
    assert Label(metric="tier", value="large") in measured(tiers, json="0.9", tool_calling="0.9")


def test_without_tiers_there_is_no_label() -> None:
    """A benchmark that declares none has none, and its rows say nothing of one."""
    assert read_tiers(benchmark("")) == ()
    assert tier_of({"json": Decimal(1)}, ()) is None
    measures = measured("", instruction="0.9", json="0.9", tool_calling="0.9")
    assert "tier" not in {measure.metric for measure in measures}


def test_tiers_are_read_in_their_order_with_exact_thresholds() -> None:
    """From the highest to the lowest, as they stand in the file; 0.9 is nine tenths, no float."""
    tiers = read_tiers(benchmark())
    assert [tier.id for tier in tiers] == ["large", "medium", "small"]
    assert tiers[0].at_least == {
        "instruction": Decimal("0.85"),
        "json": Decimal("0.85"),
        "tool-calling": Decimal("0.9"),
    }
    assert tiers[2].at_least == {}


def test_the_first_tier_that_is_reached_counts() -> None:
    """Their order in the file decides, and no order of their names or numbers."""
    tiers = TIERS.replace('"large"', '"b"').replace('"medium"', '"c"').replace('"small"', '"a"')
    read = read_tiers(benchmark(tiers))
    assert tier_of(dict.fromkeys(CATEGORIES, Decimal(1)), read) == "b"
    assert tier_of(dict.fromkeys(CATEGORIES, Decimal("0.7")), read) == "c"
    assert tier_of(dict.fromkeys(CATEGORIES, Decimal(0)), read) == "a"


@given(st.tuples(SCORES, SCORES, SCORES), st.sampled_from(range(3)), SCORES)
def test_a_better_score_never_costs_a_tier(
    scores: tuple[Decimal, ...], which: int, other: Decimal
) -> None:
    """Who does better in one category and alike in the others stands at least as high."""
    order = ["small", "medium", "large"]
    better = [max(score, other) if at == which else score for at, score in enumerate(scores)]
    before, after = earned(*map(str, scores)), earned(*map(str, better))
    assert before is not None
    assert after is not None
    assert order.index(after) >= order.index(before)


SENSELESS = "each tier but the last says what it asks `at_least`, and the last asks none"


@pytest.mark.parametrize(
    ("line", "spoilt", "what"),
    [
        ("json = 0.50}", "poetry = 0.50}", "the tier 'medium' names the category 'poetry', which"),
        ('id = "medium"', 'id = "large"', "two tiers have the same id"),
        ('id = "small"\n', 'id = "small"\nat_least = {json = 0.10}\n', SENSELESS),
        ("at_least = {tool-calling = 0.60, json = 0.50}", "", SENSELESS),
        ("at_least = {tool-calling = 0.60, json = 0.50}", "at_least = {}", SENSELESS),
        ("json = 0.50}", "json = 1.01}", "tiers: at tiers.1.at_least.json: Input should be less "),
        ("json = 0.50}", "json = -0.1}", "tiers: at tiers.1.at_least.json: Input should be great"),
        ("json = 0.50}", 'json = "much"}', "tiers: at tiers.1.at_least.json: Input should be a v"),
        ("json = 0.50}", "JSON = 0.50}", "tiers: at tiers.1.at_least.JSON.[key]: String should m"),
        ('id = "medium"', 'id = "Medium!"', "tiers: at tiers.1.id: String should match pattern"),
        ('id = "medium"', "", "tiers: at tiers.1.id: Field required"),
        ('id = "medium"', 'id = "medium"\nwhy = "so"', "tiers: at tiers.1.why: Extra inputs are"),
        ("at_least = {tool-calling = 0.60, json = 0.50}", "at_least = 1", "at tiers.1.at_least: "),
        (TIERS, "[scoring]\ntiers = 3\n", "[scoring] tiers: at tiers: Input should be a valid"),
        (TIERS, '[scoring]\ntiers = ["large"]\n', "[scoring] tiers: at tiers.0: Input should be"),
    ],
)
def test_a_spoilt_table_is_refused_in_words(line: str, spoilt: str, what: str) -> None:
    """What can't be meant is named with its place, and nobody is asked before it is mended."""
    assert TIERS.count(line) == 1
    declared = benchmark(TIERS.replace(line, spoilt))
    with pytest.raises(CorpusFault) as refused:
        read_tiers(declared)
    assert what in refused.value.what
    assert refused.value.file == "../benchmark.toml"
    assert refused.value.remedy == "Mend [[scoring.tiers]]; the guide shows their form."
    with pytest.raises(CorpusFault) as refused_too:
        read_corpus(files(case("json-1")), declared)
    assert refused_too.value.what == refused.value.what


def test_one_tier_is_earned_by_all() -> None:
    """A single tier is the last one: it asks nothing, and whoever was measured has it."""
    only = read_tiers(benchmark('[[scoring.tiers]]\nid = "any"\n'))
    assert tier_of({}, only) == tier_of({"json": Decimal(0)}, only) == "any"
