"""The scorer: what ends how, what is left out, and figures that add up, in any order."""

import pickle
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.families.declarative.corpus import DeclarativeCorpus, read_corpus
from generator.families.declarative.family import METRICS
from generator.families.declarative.scorer import ENDINGS, DeclarativeScorer
from generator.families.family import Scores
from generator.records.benchmark import Effort
from generator.records.bundle import EXCLUDED, Attempt, Outcome, Tokens, ToolCall
from generator.records.measure import Mean, Measure, Ratio, WeightedRatio
from tests.families.declarative.sample import (
    BENCHMARK,
    CURT,
    POLITE,
    attempt,
    case,
    checks,
    corpus,
    files,
)

CASES = (
    case("polite-a", weight="0.1", checks=checks("0.1", "0.2")),
    case("polite-b", weight="0.2", checks=checks("1", "2", "0.5")),
    case("polite-c", checks=[{"type": "word_count", "value": 0}]),
    case("curt-a", checks=checks("1")),
    case("curt-b", weight="3", checks=[*checks("1"), {"type": "not_contains", "value": "d"}]),
)
CORPUS = corpus(*CASES)
SWEPT = read_corpus(
    files(*CASES),
    BENCHMARK.model_copy(
        update={
            "effort": (Effort(id="low"), Effort(id="high")),
            "scoring": {"tiers": [{"id": "good", "at_least": {POLITE: "0.5"}}, {"id": "poor"}]},
        }
    ),
)
"""The same cases of a benchmark with tiers, whose systems are asked at several levels of effort."""

UNASKED = "curt-b"

CONTENTS = (None, "", " \n", "a", "ab", "abc", "d", "none", "\u00a0")
ATTEMPTS = st.lists(
    st.builds(
        attempt,
        st.sampled_from(sorted({each["name"] for each in CASES} - {UNASKED})),
        st.sampled_from(CONTENTS),
        outcome=st.sampled_from(get_args(Outcome)),
        refusal=st.sampled_from([None, "I won't."]),
        calls=st.sampled_from([(), (ToolCall("look"),)]),
        tokens=st.none()
        | st.builds(
            Tokens, input=st.none() | st.integers(0, 9), output=st.none() | st.integers(0, 9)
        ),
    ),
    max_size=25,
)


def scored(attempts: Iterable[Attempt], own: DeclarativeCorpus = CORPUS) -> Scores:
    """What the scorer makes of some attempts."""
    scorer = DeclarativeScorer(own)
    for each in attempts:
        scorer.add(each)
    return scorer.finish()


def figure(scores: Scores, measure_id: str) -> Measure:
    """The one measure of that public id."""
    (found,) = (measure for measure in scores.measures if measure.id == measure_id)
    return found


def ratio(scores: Scores, measure_id: str) -> tuple[int, int]:
    """Both terms of a ratio."""
    found = figure(scores, measure_id)
    assert isinstance(found, Ratio)
    return found.numerator, found.denominator


def weights(scores: Scores, measure_id: str) -> tuple[Decimal, Decimal]:
    """Both terms of a weighted ratio."""
    found = figure(scores, measure_id)
    assert isinstance(found, WeightedRatio)
    return found.numerator, found.denominator


def mean(scores: Scores, part: str) -> Mean:
    """The score of a category."""
    found = figure(scores, f"category_score.{part}")
    assert isinstance(found, Mean)
    return found


def endings(scores: Scores) -> dict[str, int]:
    """How many scored attempts ended in each way, without those that are none."""
    return {ending: ratio(scores, ending)[0] for ending in ENDINGS if ratio(scores, ending)[0]}


# A scorer after the contract, that shares nothing with the one under test: plain dictionaries and
# fractions, and checks written out as the functions that they mean.
KEY: dict[str, tuple[str, str, list[tuple[str, Callable[[str], bool]]]]] = {
    "polite-a": ("polite", "0.1", [("0.1", lambda t: "a" in t), ("0.2", lambda t: "b" in t)]),
    "polite-b": (
        "polite",
        "0.2",
        [("1", lambda t: "a" in t), ("2", lambda t: "b" in t), ("0.5", lambda t: "c" in t)],
    ),
    "polite-c": ("polite", "1", [("1", lambda t: not t)]),
    "curt-a": ("curt", "1", [("1", lambda t: "a" in t)]),
    "curt-b": ("curt", "3", [("1", lambda t: "a" in t), ("1", lambda t: "d" not in t)]),
}
ENDED = {"timeout": "timed_out", "failed": "crashed", "cancelled": "crashed"}
LEFT_OUT = {"skipped", "provider_error", "harness_error", "over_budget"}


def reference(attempts: list[Attempt]) -> tuple[dict[str, Counter[str]], dict[str, str | None]]:
    """How attempts end, by part, and the score of each category, as text."""
    ends: dict[str, Counter[str]] = defaultdict(Counter)
    terms = {name: [Fraction(0), Fraction(0)] for name in KEY}
    for each in attempts:
        if each.outcome in LEFT_OUT:
            continue
        part, _, wanted = KEY[each.case]
        said = (each.turns[0].content or "").strip()
        full = sum((Fraction(weight) for weight, _ in wanted), Fraction(0))
        met = sum((Fraction(weight) for weight, good in wanted if good(said)), Fraction(0))
        gained = met if each.outcome == "completed" else Fraction(0)
        missed = "wrong" if said or each.turns[0].tool_calls else "unanswered"
        end = "passed" if gained == full else ENDED.get(each.outcome, missed)
        ends[part][end] += 1
        terms[each.case][0] += gained
        terms[each.case][1] += full
    scores: dict[str, str | None] = {}
    for part in (POLITE, CURT):
        asked = [name for name in KEY if KEY[name][0] == part and terms[name][1]]
        total = sum((Fraction(KEY[name][1]) for name in asked), Fraction(0))
        score = sum(
            (
                Fraction(KEY[name][1]) * hundredths(terms[name][0] / terms[name][1])
                for name in asked
            ),
            Fraction(0),
        )
        mean_score = hundredths(score / total / 100) if asked else 0
        scores[part] = f"{mean_score // 100}.{mean_score % 100:02}" if asked else None
    return ends, scores


def hundredths(share: Fraction) -> int:
    """A share in hundredths, half up."""
    return int(100 * share + Fraction(1, 2))


@given(ATTEMPTS)
def test_a_plain_scorer_agrees(attempts: list[Attempt]) -> None:
    """Somebody who scores the same attempts by the contract alone gets the same figures."""
    scores = scored(attempts)
    ends, categories = reference(attempts)
    for ending in ENDINGS:
        for part in (POLITE, CURT):
            assert ratio(scores, f"{ending}.{part}") == (ends[part][ending], ends[part].total())
        both = ends[POLITE] + ends[CURT]
        assert ratio(scores, ending) == (both[ending], both.total())
    for part, expected in categories.items():
        found = mean(scores, part).mean
        assert (None if found is None else str(found)) == expected


@given(ATTEMPTS)
def test_endings_partition_the_scored_attempts(attempts: list[Attempt]) -> None:
    """Each scored attempt ends in exactly one way, in the whole and in each category."""
    scores = scored(attempts)
    for part in ("", f".{POLITE}", f".{CURT}"):
        terms = [ratio(scores, ending + part) for ending in ENDINGS]
        assert {denominator for _, denominator in terms} == {sum(count for count, _ in terms)}
    assert ratio(scores, "passed")[1] == scores.counts.scored


@given(ATTEMPTS)
def test_every_attempt_is_scored_or_counted_apart(attempts: list[Attempt]) -> None:
    """Nothing is lost between what was tried and what was scored."""
    counts = scored(attempts).counts
    outcomes = Counter(each.outcome for each in attempts)
    assert counts.attempts == len(attempts)
    assert counts.turns == sum(len(each.turns) for each in attempts)
    assert counts.skipped == outcomes["skipped"]
    assert counts.provider_errors == outcomes["provider_error"]
    assert counts.harness_errors == outcomes["harness_error"]
    assert counts.over_budget == outcomes["over_budget"]
    apart = counts.skipped + sum(outcomes[outcome] for outcome in EXCLUDED)
    assert counts.scored + apart == counts.attempts


@given(ATTEMPTS, st.randoms())
def test_the_order_of_attempts_changes_nothing(attempts: list[Attempt], random: Random) -> None:
    """A run gives the same figures, however its lines were written."""
    shuffled = list(attempts)
    random.shuffle(shuffled)
    assert scored(shuffled) == scored(attempts)


@given(ATTEMPTS)
def test_contributions_add_up_to_the_measures(attempts: list[Attempt]) -> None:
    """Each figure of the whole and of a category is the sum of what its cases add to it."""
    scores = scored(attempts)
    assert tuple(each.case for each in scores.contributions) == tuple(CORPUS.cases)
    for part in (None, POLITE, CURT):
        cases = [each for each in scores.contributions if part in (None, each.part)]
        added: dict[str, Decimal] = defaultdict(Decimal)
        out_of: dict[str, Decimal] = defaultdict(Decimal)
        for each in cases:
            for measure in each.measures:
                assert isinstance(measure, Ratio | WeightedRatio)
                added[measure.metric] += measure.numerator
                out_of[measure.kind] += measure.denominator if measure.metric == "checks" else 0
        for ending in ENDINGS:
            assert ratio(scores, ending if part is None else f"{ending}.{part}")[0] == added[ending]
        checks_id = "checks" if part is None else f"checks.{part}"
        assert weights(scores, checks_id) == (added["checks"], out_of["weighted_ratio"])
        asked = sum(added[ending] for ending in ENDINGS)
        assert ratio(scores, "passed" if part is None else f"passed.{part}")[1] == asked


@given(ATTEMPTS, st.booleans())
def test_every_measure_is_declared(attempts: list[Attempt], swept: bool) -> None:  # noqa: FBT001
    """What is published is explained: each measure is one of a metric, of that metric's kind."""
    kinds = {metric.id: metric.kind for metric in METRICS}
    found = scored(attempts, SWEPT if swept else CORPUS).measures
    assert len({measure.id for measure in found}) == len(found)
    assert all(kinds[measure.metric] == measure.kind for measure in found)
    assert {measure.metric for measure in found} >= {*ENDINGS, "checks", "category_score"}


def test_every_metric_is_measured() -> None:
    """No metric is explained that a benchmark with tiers and levels of effort does not have."""
    attempts = [attempt("polite-a", "ab"), attempt("curt-a", "a")]
    found = {measure.metric for measure in scored(attempts, SWEPT).measures}
    assert found == {metric.id for metric in METRICS}
    spared = {measure.metric for measure in scored(attempts).measures}
    assert found - spared == {"tier", "completion_tokens", "tokens_per_second"}


@given(ATTEMPTS, st.lists(st.integers(0, 3), min_size=25, max_size=25), st.randoms())
def test_any_split_of_the_attempts_comes_to_the_same(
    attempts: list[Attempt], shares: list[int], random: Random
) -> None:
    """Several scorers, merged in any order, end in the figures of one; parts are plain values."""
    scorers = [DeclarativeScorer(SWEPT) for _ in range(4)]
    for each, share in zip(attempts, shares, strict=False):
        scorers[share].add(each)
    random.shuffle(scorers)
    merged = DeclarativeScorer(SWEPT)
    for scorer in scorers:
        merged.merge(pickle.loads(pickle.dumps(scorer.gathered())))  # noqa: S301  our own
    assert merged.finish() == scored(attempts, SWEPT)


@given(ATTEMPTS, ATTEMPTS)
def test_a_scorer_goes_on_after_a_merge(one: list[Attempt], other: list[Attempt]) -> None:
    """What is merged into a scorer adds to what it counted, and takes nothing from the other."""
    scorer, second = DeclarativeScorer(SWEPT), DeclarativeScorer(SWEPT)
    for each in one:
        scorer.add(each)
    for each in other:
        second.add(each)
    scorer.merge(second.gathered())
    for each in one:
        scorer.add(each)
    assert scorer.finish() == scored([*one, *other, *one], SWEPT)
    assert second.finish() == scored(other, SWEPT)


@pytest.mark.parametrize(
    ("outcome", "content", "ending"),
    [
        ("completed", "ab", "passed"),
        ("completed", " ab \n", "passed"),
        ("completed", "a", "wrong"),
        ("completed", "", "unanswered"),
        ("completed", " \u00a0\n", "unanswered"),
        ("completed", None, "unanswered"),
        ("malformed", "ab", "wrong"),
        ("malformed", "", "unanswered"),
        ("no_tool_call", "ab", "wrong"),
        ("no_tool_call", None, "unanswered"),
        ("timeout", "ab", "timed_out"),
        ("timeout", None, "timed_out"),
        ("failed", "ab", "crashed"),
        ("failed", None, "crashed"),
        ("cancelled", "ab", "crashed"),
    ],
)
def test_endings_are_told_apart(outcome: Outcome, content: str | None, ending: str) -> None:
    """A wrong answer, none, a time limit and a crash are different faults of a system."""
    assert endings(scored([attempt("polite-a", content, outcome=outcome)])) == {ending: 1}


@pytest.mark.parametrize("outcome", ["malformed", "no_tool_call", "timeout", "failed", "cancelled"])
def test_only_a_completed_attempt_gains(outcome: Outcome) -> None:
    """What was said before an attempt broke off gains no weight, and its weight was at stake."""
    scores = scored([attempt("polite-a", "ab", outcome=outcome)])
    assert weights(scores, "checks") == (Decimal(0), Decimal("0.3"))


def test_an_attempt_without_a_turn_says_nothing() -> None:
    """A system that never replied did not answer."""
    assert endings(scored([attempt("polite-a")])) == {"unanswered": 1}


def test_silence_is_right_where_silence_is_asked_for() -> None:
    """A case that expects no answer is passed by none, not left unanswered."""
    assert endings(scored([attempt("polite-c", None)])) == {"passed": 1}


def test_a_refusal_is_no_answer() -> None:
    """A system that declines in words of its own has not answered."""
    assert endings(scored([attempt("polite-a", None, refusal="I won't.")])) == {"unanswered": 1}


def test_a_call_is_an_answer() -> None:
    """A system that calls a tool instead of speaking has done something, and it was wrong."""
    scores = scored([attempt("polite-a", None, calls=(ToolCall("look"),))])
    assert endings(scores) == {"wrong": 1}


def test_the_first_turn_is_the_answer_to_one_step() -> None:
    """A second thought is not looked at, though it shows that something was said."""
    assert endings(scored([attempt("polite-a", "ab", "no")])) == {"passed": 1}
    assert endings(scored([attempt("polite-a", "", "ab")])) == {"wrong": 1}


@pytest.mark.parametrize(
    ("outcome", "counted"),
    [
        ("provider_error", "provider_errors"),
        ("harness_error", "harness_errors"),
        ("over_budget", "over_budget"),
        ("skipped", "skipped"),
    ],
)
def test_what_is_not_the_systems_fault_is_counted_apart(outcome: Outcome, counted: str) -> None:
    """An attempt that tells nothing of the system is in its own count and in no measure."""
    before = scored([attempt("polite-a", "ab")])
    after = scored([attempt("polite-a", "ab"), attempt("polite-a", "a", outcome=outcome)])
    assert after.measures == before.measures
    assert after.contributions == before.contributions
    assert getattr(after.counts, counted) == 1
    assert (after.counts.attempts, after.counts.scored, after.counts.turns) == (2, 1, 2)


def test_weights_are_exact() -> None:
    """0.1 and 0.2 are 0.3, and not one digit more."""
    scores = scored([attempt("polite-a", "ab", repetition=number) for number in range(1, 4)])
    assert weights(scores, "checks") == (Decimal("0.9"), Decimal("0.9"))
    plain = figure(scores, "checks").plain()
    assert (plain["numerator"], plain["denominator"]) == ("0.9", "0.9")


def test_a_part_of_a_case_gains_its_part() -> None:
    """Each check that passes gains its own weight, over every repetition."""
    scores = scored([attempt("polite-b", "b"), attempt("polite-b", "bc", repetition=2)])
    assert weights(scores, "checks.polite") == (Decimal("4.5"), Decimal(7))
    assert endings(scores) == {"wrong": 2}
    assert mean(scores, POLITE).mean == Decimal("0.64")


def test_a_category_is_the_weighted_mean_of_its_cases() -> None:
    """Cases count by their weight, and how often one was repeated does not matter."""
    own = corpus(
        case("polite-a", weight="3", checks=checks("1")), case("polite-b", checks=checks("1", "1"))
    )
    attempts = [attempt("polite-a", "a", repetition=number) for number in range(1, 6)]
    found = mean(scored([*attempts, attempt("polite-b", "a")], own), POLITE)
    assert (found.n, found.mean) == (2, Decimal("0.88"))  # (3 · 1 + 1 · 1/2) / 4 = 0.875


@pytest.mark.parametrize(
    ("passed", "of", "rounded"),
    [(1, 8, "0.13"), (3, 8, "0.38"), (1, 3, "0.33"), (2, 3, "0.67"), (1, 200, "0.01")],
)
def test_a_score_is_rounded_half_up(passed: int, of: int, rounded: str) -> None:
    """A half goes up, where floats and bankers would take it down."""
    own = corpus(case("polite-a", checks=checks("1")))
    attempts = [
        attempt("polite-a", "a" if number <= passed else "x", repetition=number)
        for number in range(1, of + 1)
    ]
    assert mean(scored(attempts, own), POLITE).plain()["mean"] == rounded


def test_a_case_is_rounded_before_its_category() -> None:
    """A case's score is a published figure of its own: 0.125 is 0.13 there, and in the mean."""
    eight = checks(*["1"] * 8)
    own = corpus(case("polite-a", checks=eight), case("polite-b", checks=eight))
    attempts = [attempt("polite-a", "a"), attempt("polite-b", "b")]
    assert mean(scored(attempts, own), POLITE).mean == Decimal("0.13")
    attempts = [attempt("polite-a", "a"), attempt("polite-b", "x")]
    assert mean(scored(attempts, own), POLITE).mean == Decimal("0.07")  # not 0.06, of 0.0625


def test_a_category_that_was_not_measured_has_no_score() -> None:
    """Nothing measured is nothing, not zero."""
    nothing = mean(scored([]), CURT)
    assert (nothing.n, nothing.mean, nothing.spread) == (0, None, None)
    assert (nothing.low, nothing.high) == (None, None)
    assert ratio(scored([]), "passed.curt") == (0, 0)


def test_one_case_has_a_score_and_no_spread() -> None:
    """One case says how good it was, and nothing of how far cases lie apart."""
    one = mean(scored([attempt("curt-a", "x")]), CURT)
    assert (one.n, one.mean) == (1, Decimal("0.00"))
    assert (one.spread, one.low, one.high) == (None, None, None)


def test_a_case_that_was_only_left_out_is_not_in_the_mean() -> None:
    """A case without a scored attempt is no case with a score of zero."""
    attempts = [attempt("curt-a", "a"), attempt("curt-b", "a", outcome="provider_error")]
    found = mean(scored(attempts), CURT)
    assert (found.n, found.mean) == (1, Decimal("1.00"))


def test_spread_and_interval_are_those_of_the_scores() -> None:
    """Scores of 1, 1/2 and 0 lie 1/2 apart, and 1/2 ± 1.96 · 0.5 / √3 is clipped to 0 and 1."""
    two = checks("1", "1")
    own = corpus(*(case(name, checks=two) for name in ("polite-a", "polite-b", "polite-c")))
    attempts = [attempt("polite-a", "ab"), attempt("polite-b", "a"), attempt("polite-c", "x")]
    assert mean(scored(attempts, own), POLITE).plain() == {
        "kind": "mean",
        "metric": "category_score",
        "part": "polite",
        "n": 3,
        "mean": "0.50",
        "spread": "0.5000",
        "low": "0.0000",
        "high": "1.0000",
    }


def test_an_interval_within_the_scores_is_not_clipped() -> None:
    """Scores of 1/2, 1/2 and 1 give 2/3 ± 1.96 · 0.2887 / √3."""
    two = checks("1", "1")
    own = corpus(*(case(name, checks=two) for name in ("polite-a", "polite-b", "polite-c")))
    attempts = [attempt("polite-a", "a"), attempt("polite-b", "b"), attempt("polite-c", "ab")]
    found = mean(scored(attempts, own), POLITE)
    assert (found.mean, found.spread) == (Decimal("0.67"), Decimal("0.2887"))
    assert (found.low, found.high) == (Decimal("0.3400"), Decimal("0.9933"))


def test_tokens_are_kept_apart_and_never_invented() -> None:
    """A kind that no turn reported stays missing, one that was reported as zero is zero."""
    some = [
        attempt("polite-a", "a", tokens=Tokens(input=5, output=0)),
        attempt("polite-b", "a", tokens=Tokens(input=2)),
        attempt("curt-a", "a"),
    ]
    assert scored(some).counts.tokens.plain() == {"input": 7, "output": 0}
    assert scored([attempt("curt-a", "a")]).counts.tokens.plain() == {}


def test_tokens_of_attempts_that_are_left_out_were_spent() -> None:
    """What a failed provider was sent cost something, though it measures nothing."""
    spent = attempt("curt-a", "a", outcome="provider_error", tokens=Tokens(input=5))
    assert scored([spent]).counts.tokens.plain() == {"input": 5}


def test_a_case_of_another_corpus_is_a_bug() -> None:
    """Whoever feeds a scorer has looked whether the case is one of the corpus."""
    with pytest.raises(KeyError):
        scored([attempt("polite-z", "a")])


def test_finishing_twice_gives_the_same() -> None:
    """To look at the figures does not change them."""
    scorer = DeclarativeScorer(CORPUS)
    scorer.add(attempt("polite-a", "ab"))
    assert scorer.finish() == scorer.finish()


@pytest.mark.parametrize("repetitions", [1, 3])
def test_measures_stand_in_the_order_of_the_benchmark(repetitions: int) -> None:
    """First the whole, then each category, each with the same figures in the same order."""
    attempts = [attempt("curt-a", "a", repetition=n) for n in range(1, repetitions + 1)]
    figures = [*ENDINGS, "checks"]
    expected: list[Any] = [(metric, None) for metric in figures]
    for part in (POLITE, CURT):
        expected += [(metric, part) for metric in [*figures, "category_score"]]
    assert [(each.metric, each.part) for each in scored(attempts).measures] == expected
