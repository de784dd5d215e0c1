from typing import Any

import pytest

from generator.families.declarative.corpus import DeclarativeCorpus
from generator.families.declarative.family import Declarative
from generator.families.declarative.scorer import ENDINGS
from generator.records.benchmark import Effort
from generator.records.bundle import EXCLUDED, SIMULATED, Attempt
from generator.records.key import EFFORT
from generator.records.measure import Ratio
from generator.runners.fake import VARIANTS, Fake
from tests.families.declarative.sample import case, corpus
from tests.runners.sample import TERMS, WEATHER, ask, level

FAMILY = Declarative()
WORDS = {"type": "contains", "value": "hello"}
CALLS = {"type": "tool_called", "value": "get_weather"}
KEPT = {"type": "tool_not_called"}
CORPUS = corpus(
    case("polite-words", checks=[WORDS], example="Say hello."),
    case(
        "polite-call",
        tools=[WEATHER],
        checks=[CALLS],
        example=[{"tool_calls": [{"name": "get_weather", "arguments": {"city": "Rome"}}]}],
    ),
    case("curt-abstains", tools=[WEATHER], checks=[KEPT, WORDS], example="hello"),
    case("curt-says-nothing", checks=[{"type": "regex", "value": "^$"}], example=""),
)

PASSES = {
    "perfect": {"polite-words", "polite-call", "curt-abstains", "curt-says-nothing"},
    "wrong": set(),
    "silent": {"curt-says-nothing"},
    "no-calls": {"polite-words", "curt-abstains", "curt-says-nothing"},
    "timeout": set(),
    "crash": set(),
    "provider-error": set(),
}
"""By variant: the cases of which it loses nothing."""

LOSES: dict[str, dict[str, int]] = {
    "perfect": {"passed": 4},
    "wrong": {"wrong": 4},
    "silent": {"passed": 1, "unanswered": 3},
    "no-calls": {"passed": 3, "unanswered": 1},
    "timeout": {"timed_out": 4},
    "crash": {"crashed": 4},
    "provider-error": {},
}
"""By variant: how its attempts end, of those that count."""


def attempts(variant: str, asked: DeclarativeCorpus = CORPUS) -> list[Attempt]:
    """An attempt of a variant at each case."""
    made = []
    for question in FAMILY.questions(asked):
        observed = ask(Fake(variant, FAMILY, asked), question, TERMS)
        made.append(
            Attempt(
                f"s/{question.case}/1",
                question.case,
                "s",
                1,
                observed.outcome,
                turns=observed.turns,
            )
        )
    return made


def figures(variant: str) -> dict[str, Any]:
    """The measures of a variant, by id."""
    scorer = FAMILY.scorer(CORPUS)
    for attempt in attempts(variant):
        scorer.add(attempt)
    return {measure.id: measure for measure in scorer.finish().measures}


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_variant_loses_points_just_where_it_should(variant: str) -> None:
    """How its attempts end, counted over all cases."""
    found = figures(variant)
    ended = {name: found[name].numerator for name in ENDINGS if found[name].numerator}
    assert ended == LOSES[variant]
    assert found["passed"].denominator == (0 if variant == "provider-error" else 4)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_variant_passes_what_it_does_not_spoil(variant: str) -> None:
    """Case by case: a check for silence is met by silence, one against a call by no call."""
    scorer = FAMILY.scorer(CORPUS)
    for attempt in attempts(variant):
        scorer.add(attempt)
    passed = {
        contribution.case
        for contribution in scorer.finish().contributions
        for measure in contribution.measures
        if isinstance(measure, Ratio) and measure.metric == "passed" and measure.numerator
    }
    assert passed == PASSES[variant]


def test_every_variant_is_in_the_tables() -> None:
    """A new one says what it loses."""
    assert set(VARIANTS) == set(PASSES) == set(LOSES)


@pytest.mark.parametrize("variant", ["perfect", "no-calls"])
def test_without_an_example_there_is_nothing_to_answer_with(variant: str) -> None:
    """Which is no fault of a system, and counts in no measure."""
    (attempt,) = attempts(variant, corpus(case()))
    assert (attempt.outcome, attempt.turns) == ("harness_error", ())
    assert attempt.outcome in EXCLUDED


@pytest.mark.parametrize("variant", ["wrong", "silent", "timeout", "crash", "provider-error"])
def test_to_be_wrong_needs_no_example(variant: str) -> None:
    """Each of these answers in the same way whatever the case."""
    (attempt,) = attempts(variant, corpus(case()))
    assert attempt.outcome != "harness_error"


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_simulated_system_says_so(variant: str) -> None:
    """No rule that knows simulated providers can miss it, and no other rule has a word to say."""
    entry = Fake(variant, FAMILY, CORPUS, offered="0" * 64).described(None)
    assert entry.provider in SIMULATED
    assert (entry.model, entry.revision, entry.surface) == (variant, "1", "answer-key")
    assert (entry.options, entry.tools) == ({}, "0" * 64)


def test_a_simulated_system_has_a_simulated_setting_for_effort() -> None:
    """Each level is a row of its own, so that a sweep can be rehearsed."""
    entry = Fake("perfect", FAMILY, CORPUS).described(level(Effort(id="low")))
    assert (entry.id, entry.options, entry.axes) == (
        "fake-perfect-low",
        {"effort": "low"},
        {EFFORT: "low"},
    )
