"""The scorer: what an oracle and events said, counted; what was not measured is not a zero."""

import json
import pickle
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.families.counting import LEFT_OUT
from generator.families.family import Scores
from generator.families.paired.comparing import P95_FROM
from generator.families.paired.corpus import PairedCorpus
from generator.families.paired.metrics import METRICS
from generator.families.paired.scorer import COUNTERS, ENDINGS, PairedScorer
from generator.records.bundle import EXCLUDED, Attempt, Outcome, Tokens, Usage, Verification
from generator.records.measure import Quantile, Ratio
from tests.families.paired.sample import (
    CASES,
    CORPUS,
    FAMILY,
    FILES,
    attempt,
    corpus,
    observed,
    one_task,
)

VECTORS = json.loads(Path(__file__).with_name("compare_vectors.json").read_bytes())
ALONE = one_task()


def scored(*attempts: Attempt, of: PairedCorpus = CORPUS) -> Scores:
    """The scores of some attempts."""
    scorer = PairedScorer(of)
    for each in attempts:
        scorer.add(each)
    return scorer.finish()


def terms(*attempts: Attempt) -> dict[str, tuple[int, int]]:
    """Both terms of each ratio."""
    return {
        measure.metric: (measure.numerator, measure.denominator)
        for measure in scored(*attempts).measures
        if isinstance(measure, Ratio)
    }


def quantile(metric: str, *attempts: Attempt, of: PairedCorpus = CORPUS) -> tuple[int, str | None]:
    """Of how many values a measure is, and its value as it is published."""
    (found,) = (one for one in scored(*attempts, of=of).measures if one.metric == metric)
    assert isinstance(found, Quantile)
    return found.n, None if found.value is None else str(found.value)


ENDED: list[tuple[Attempt, str]] = [
    (attempt(), "verified"),
    (attempt(elapsed=None, oracle=None), "verified"),
    (attempt(status=1), "unverified"),
    (attempt(status=2), "unverified"),
    (attempt(status=-9), "unverified"),
    (attempt(status=None), "unverified"),
    (Attempt("a", "hall", "broom", 1, "completed"), "unverified"),
    (attempt(outcome="timeout"), "timed_out"),
    (attempt(outcome="cancelled"), "cancelled"),
    (attempt(outcome="failed"), "failed"),
    (attempt(outcome="malformed"), "failed"),
    (attempt(outcome="no_tool_call"), "failed"),
    (
        Attempt("a", "hall", "broom", 1, "failed", verification=Verification(status=0)),
        "failed",
    ),
]


@pytest.mark.parametrize(("tried", "ending"), ENDED)
def test_an_attempt_ends_in_one_way(tried: Attempt, ending: str) -> None:
    """It is verified where it completed and the oracle ended with status 0, and nowhere else."""
    assert terms(tried) == {metric: (int(metric == ending), 1) for metric in ENDINGS}


def test_every_outcome_is_an_ending_or_left_out() -> None:
    """No outcome of a bundle is forgotten: the endings add up to all that is scored."""
    for outcome in get_args(Outcome):
        found = terms(attempt(outcome=outcome))
        assert sum(above for above, _ in found.values()) == int(outcome not in LEFT_OUT)


@pytest.mark.parametrize("outcome", [*EXCLUDED, "skipped"])
def test_what_is_left_out_is_in_no_measure(outcome: Outcome) -> None:
    """It is counted apart, with the tokens that it took."""
    found = scored(attempt(outcome=outcome, usage=observed(input=5, tool_calls=1)))
    assert (found.counts.attempts, found.counts.scored) == (1, 0)
    assert found.counts.tokens.input == 5
    assert all(one.n == 0 for one in found.measures if isinstance(one, Quantile))
    assert all(one.denominator == 0 for one in found.measures if isinstance(one, Ratio))
    assert all(contribution.measures == () for contribution in found.contributions)


def test_time_is_that_of_successes() -> None:
    """A failure that is quick makes nothing faster; the middle of two is their mean, exactly."""
    tries = [attempt(elapsed=1_001), attempt(elapsed=2_000), attempt(status=1, elapsed=1)]
    assert quantile("latency", *tries, attempt(outcome="timeout", elapsed=9)) == (2, "1.501")
    assert quantile("latency", *tries, attempt(elapsed=3)) == (3, "1.001")
    assert quantile("latency", *tries, attempt(elapsed=None)) == (2, "1.501")
    assert quantile("latency", attempt(elapsed=0)) == (1, "0.000")
    assert quantile("latency", attempt(status=1)) == (0, None)


def test_the_time_of_oracles_is_told_of_all_that_were_asked() -> None:
    """Whatever they said."""
    tries = [attempt(oracle=10), attempt(status=1, oracle=30), attempt(status=None, oracle=40)]
    others = [attempt(oracle=None), attempt(outcome="failed")]
    assert quantile("verification", *tries, *others) == (3, "0.030")


@pytest.mark.parametrize(
    ("count", "place"), [(20, 19), (21, 20), (39, 38), (40, 38), (41, 39), (100, 95), (101, 96)]
)
def test_the_95th_percentile_is_a_value_that_was_seen(count: int, place: int) -> None:
    """The ⌈0.95 n⌉-th smallest of the one task, in whatever order they came."""
    tries = [attempt(repetition=n, elapsed=n * 1_000) for n in range(1, count + 1)]
    assert quantile("latency_p95", *tries[::2], *tries[-1 - count % 2 :: -2], of=ALONE) == (
        count,
        f"{place}.000",
    )


def test_the_95th_percentile_needs_20_successes_at_one_task() -> None:
    """Of fewer it is none; of several tasks it is told of each of them, and not of all."""
    many = [attempt(repetition=n) for n in range(1, P95_FROM + 1)]
    refuted = attempt(repetition=99, status=1)
    assert quantile("latency_p95", *many[1:], refuted, of=ALONE) == (0, None)
    assert quantile("latency_p95", *many, of=ALONE) == (20, "10.000")
    assert quantile("latency_p95", *many) == (0, None)
    hall = next(each for each in scored(*many).contributions if each.case == "hall")
    assert {"latency_p95"} <= {measure.metric for measure in hall.measures}
    few = next(each for each in scored(*many[1:]).contributions if each.case == "hall")
    assert not {"latency_p95"} & {measure.metric for measure in few.measures}


def test_counters_are_of_what_was_observed() -> None:
    """Failed attempts included; what did not come whole, or was not told, is missing: no zero."""
    tries = [
        attempt(usage=observed(input=10, output=4, reasoning=0, tool_calls=0)),
        attempt(outcome="failed", usage=observed(input=15, tool_errors=2)),
        attempt(outcome="timeout", usage=Usage("partial")),
        attempt(status=1, usage=Usage("unavailable")),
        attempt(),
    ]
    assert {metric: quantile(metric, *tries) for metric in COUNTERS} == {
        "input_tokens": (2, "12.5"),
        "output_tokens": (1, "4.0"),
        "reasoning_tokens": (1, "0.0"),
        "cache_read_tokens": (0, None),
        "tool_calls": (1, "0.0"),
        "tool_errors": (1, "2.0"),
    }
    cached = Usage("observed", Tokens(cache_read=7, cache_created=9))
    assert quantile("cache_read_tokens", attempt(usage=cached)) == (1, "7.0")


def test_a_case_adds_what_was_measured_of_it() -> None:
    """A zero is a measure; a case that was never scored adds none. Cases come in their order."""
    tries = [attempt("stairs", status=1), attempt("attic", usage=observed(tool_errors=0))]
    found = {each.case: each for each in scored(*tries).contributions}
    assert tuple(found) == CASES
    assert found["hall"].measures == ()
    assert [measure.metric for measure in found["stairs"].measures] == [*ENDINGS, "verification"]
    assert [measure.metric for measure in found["attic"].measures] == [
        *(*ENDINGS, "latency", "verification", "tool_errors")
    ]


def test_every_measure_has_a_page_that_explains_it() -> None:
    """In the same order, of the same kind; only ratios lie between 0 and 1."""
    measures = scored().measures
    assert [one.metric for one in measures] == [metric.id for metric in METRICS]
    assert [one.kind for one in measures] == [metric.kind for metric in METRICS]
    assert {metric.kind: metric.high for metric in METRICS} == {"ratio": "1", "quantile": "∞"}
    assert FAMILY.metrics is METRICS
    units = {one.metric: one.unit for one in measures if isinstance(one, Quantile)}
    assert units == {**dict.fromkeys(("latency", "latency_p95", "verification"), "ms"), **COUNTERS}


USAGES = st.one_of(
    st.none(),
    st.sampled_from([Usage("partial"), Usage("unavailable"), Usage("observed")]),
    st.builds(
        lambda i, o, c: observed(input=i, output=o, tool_calls=c),
        *(st.integers(0, 10**6) for _ in range(3)),
    ),
)
TIMES = st.one_of(st.none(), st.integers(0, 10**9))
TRIES = st.lists(
    st.builds(
        attempt,
        st.sampled_from(CASES),
        st.integers(1, 50),
        st.sampled_from(get_args(Outcome)),
        status=st.sampled_from([0, 0, 0, 1, -9, None]),
        elapsed=TIMES,
        oracle=TIMES,
        usage=USAGES,
    ),
    max_size=60,
)


@given(TRIES, st.integers(1, 4), st.randoms(use_true_random=False))
def test_neither_order_nor_splitting_matters(
    tries: list[Attempt], parts: int, random: Random
) -> None:
    """Scored at once, or in parts elsewhere and in any order, the figures are the same."""
    whole = scored(*tries)
    mixed = [*tries]
    random.shuffle(mixed)
    merged = PairedScorer(CORPUS)
    for number in range(parts):
        scorer = PairedScorer(CORPUS)
        for each in mixed[number::parts]:
            scorer.add(each)
        merged.merge(pickle.loads(pickle.dumps(scorer.gathered())))  # noqa: S301  our own
    assert merged.finish() == whole


@given(TRIES)
def test_endings_add_up(tries: list[Attempt]) -> None:
    """Each scored attempt ends in one way, and no measure is of more attempts than were scored."""
    found = scored(*tries)
    ratios = [one for one in found.measures if isinstance(one, Ratio)]
    assert sum(one.numerator for one in ratios) == found.counts.scored
    for one in found.measures:
        if isinstance(one, Quantile):
            assert one.n <= found.counts.scored
            assert (one.value is None) == (one.n == 0)


Run = Mapping[str, Any]


def arm_of(runs: Sequence[Run], arm: str) -> tuple[PairedCorpus, list[Attempt]]:
    """The runs of an arm as attempts, and the experiment that they are of."""
    own = [run for run in runs if run["arm"] == arm]
    task = {"prompt": "Do it.", "files": [], "oracle": "1"}
    tasks = [{**task, "id": name} for name in sorted({run["taskID"] for run in own})]
    alone: dict[str, bytes | None] = dict.fromkeys(FILES)
    return corpus(alone, tasks=tasks), [_attempt(run) for run in own]


def _attempt(run: Run) -> Attempt:
    counted = run.get("metricsStatus", "observed") == "observed"
    usage = Usage(
        "observed",
        Tokens(input=run.get("inputTokens")),
        tool_calls=run.get("toolCalls"),
        tool_errors=run.get("toolErrors"),
    )
    return attempt(
        run["taskID"],
        run["repetition"] + 1,
        run["outcome"],
        status=0 if run["verified"] else 1,
        elapsed=round(run["elapsedMs"] * 1_000),
        usage=usage if counted else None,
    )


@pytest.mark.parametrize("name", [name for name, one in VECTORS.items() if "comparison" in one])
@pytest.mark.parametrize("arm", ["baseline", "candidate"])
def test_an_arm_measures_what_the_harness_elsewhere_said_of_it(name: str, arm: str) -> None:
    """Successes, failures, times and counters of the vectors, figure by figure."""
    vector = VECTORS[name]
    own, attempts = arm_of(vector["runs"], arm)
    measures = {one.metric: one for one in scored(*attempts, of=own).measures}
    said = vector["comparison"][arm]
    failures = said["failures"]
    expected = {
        "verified": said["verifiedCount"],
        "unverified": failures["completed_unverified"],
        "failed": failures["failed"],
        "timed_out": failures["timeout"],
        "cancelled": failures["cancelled"],
    }
    for metric, numerator in expected.items():
        assert measures[metric] == Ratio(
            metric=metric, numerator=numerator, denominator=said["count"]
        )
    for metric, value in (
        ("latency", said["successfulElapsedMedianMs"]),
        ("latency_p95", said["successfulElapsedP95Ms"]),
        *(
            (counter, said["metrics"][key]["median"])
            for counter, key in (("input_tokens", "inputTokens"), ("tool_calls", "toolCalls"))
        ),
    ):
        found = measures[metric]
        assert isinstance(found, Quantile)
        assert found.value == (None if value is None else Decimal(str(value)))
