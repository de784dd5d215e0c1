"""Comparing two arms: the golden vectors, every refusal, and what does not matter."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.families.paired import comparing
from generator.families.paired.comparing import paired, statistics_of
from generator.records.comparison import Contrast
from generator.records.run_record import MOST, ComparisonFault, RunRecord, read_record, record_from
from tests.families.paired.runs import record


def compare(records: list[RunRecord], baseline: str, candidate: str) -> dict[str, Any]:
    """What the records of two arms come to."""
    return comparing.compare(paired(records, baseline, candidate), baseline, candidate)


def contrast_of(
    records: list[RunRecord], baseline: str, candidate: str, left_out: int = 0
) -> Contrast:
    """What their pairs say of each other."""
    return comparing.contrast_of(paired(records, baseline, candidate), left_out=left_out)


VECTORS = json.loads((Path(__file__).parent / "compare_vectors.json").read_text("utf-8"))
SOUND = {name: vector for name, vector in VECTORS.items() if "comparison" in vector}
FAULTY = {name: vector for name, vector in VECTORS.items() if "throws" in vector}

ENDS = st.sampled_from(
    [("completed", True), ("completed", False), ("failed", False), ("timeout", False)]
)
TRIES = st.tuples(ENDS, st.integers(0, 10**6) | st.floats(0, 1e6), st.none() | st.integers(0, 99))


@st.composite
def experiments(draw: st.DrawFn) -> list[RunRecord]:
    """Both arms' records of some tasks, in some order."""
    records = []
    for task in range(draw(st.integers(1, 4))):
        for repetition in range(draw(st.integers(1, 4))):
            for arm in ("baseline", "candidate"):
                (outcome, verified), took, tokens = draw(TRIES)
                said = {"outcome": outcome, "verified": verified, "elapsedMs": took}
                where = {"taskID": f"t{task}", "repetition": repetition, "inputTokens": tokens}
                records.append(record(arm, **said, **where))
    return draw(st.permutations(records))


def both(**spoilt: object) -> list[RunRecord]:
    """A pair of sound records, of which both are spoilt alike."""
    return [record("baseline", **spoilt), record("candidate", **spoilt)]


def read(vector: dict[str, Any]) -> list[RunRecord]:
    """The records of a vector, by way of the lines that they would stand in."""
    return [read_record(json.dumps(run).encode()) for run in vector["runs"]]


# The vectors.


def test_there_are_vectors_of_both_kinds() -> None:
    """None got lost between its file and the tests."""
    assert len(SOUND) + len(FAULTY) == len(VECTORS) == 13


@pytest.mark.parametrize("name", SOUND)
def test_a_golden_vector_comes_out_as_recorded(name: str) -> None:
    """Keys in their order, and numbers to the letter: 110, and not 110.0."""
    vector = SOUND[name]
    found = compare(read(vector), vector["baseline"], vector["candidate"])
    assert json.dumps(found, indent=1) == json.dumps(vector["comparison"], indent=1)


@pytest.mark.parametrize("name", FAULTY)
def test_a_golden_vector_is_refused_in_its_words(name: str) -> None:
    """Each fault has the text that it has elsewhere, or names the key that is at fault."""
    vector = FAULTY[name]
    with pytest.raises(ComparisonFault) as fault:
        compare(read(vector), vector["baseline"], vector["candidate"])
    if name == "negative_ms":
        assert vector["throws"] in str(fault.value)
    else:
        assert str(fault.value) == vector["throws"]


# Refusals.


@pytest.mark.parametrize("number", [0, 1, MOST + 1])
def test_too_few_and_too_many_are_refused(number: int) -> None:
    """From 2 to 100,000 records, whatever they say."""
    with pytest.raises(ComparisonFault, match=r"^runs must be an array of 2\.\.100000$"):
        compare([record()] * number, "baseline", "candidate")


def test_as_many_as_there_may_be_are_compared() -> None:
    """100,000 records are a comparison."""
    records = [
        record(arm, taskID=f"t{number}")
        for number in range(MOST // 2)
        for arm in ("baseline", "candidate")
    ]
    found = compare(records, "baseline", "candidate")
    assert len(found["cells"]) == found["ratioSampleCount"] == MOST // 2


@pytest.mark.parametrize(
    ("records", "at"),
    [
        ([*both(), record("third", repetition=1)], 2),
        ([*both(), record("candidate", elapsedMs=7)], 2),
        ([record("baseline"), record("candidate", cohort="other")], 0),
        ([*both(), *both(taskID="t2"), record("candidate", repetition=1)], 4),
    ],
)
def test_a_fault_says_which_record_it_is_about(records: list[RunRecord], at: int) -> None:
    """The second of two that are the same, the one alone, the one of nobody's arm."""
    with pytest.raises(ComparisonFault) as fault:
        paired(records, "baseline", "candidate")
    assert fault.value.at == at


@pytest.mark.parametrize("what", ["taskID", "model", "cohort", "repetition"])
def test_a_pair_is_of_the_same_in_everything(what: str) -> None:
    """Task, model, cohort and repetition: one that differs makes two halves of no pair."""
    other = 1 if what == "repetition" else "other"
    with pytest.raises(ComparisonFault, match="Missing matched"):
        compare([record("baseline"), record("candidate", **{what: other})], "baseline", "candidate")
    assert compare([*both(), *both(**{what: other})], "baseline", "candidate")["ratioSampleCount"]


# What is counted.


@settings(deadline=None, max_examples=20)  # each draws its cases ten thousand times
@given(experiments(), st.randoms(use_true_random=False))
def test_the_order_of_records_does_not_matter(records: list[RunRecord], dice: Random) -> None:
    """Shuffled, they give the same object, statistics included."""
    shuffled = dice.sample(records, len(records))
    for one in (compare, contrast_of):
        found = one(records, "baseline", "candidate")
        assert found == one(shuffled, "baseline", "candidate")


@given(experiments())
def test_every_run_is_counted_once(records: list[RunRecord]) -> None:
    """Verified and failures of each kind add up to all; so do observed and missing counters."""
    found = compare(records, "baseline", "candidate")
    sides = [found["baseline"], found["candidate"]]
    sides += [cell[arm] for cell in found["cells"] for arm in ("baseline", "candidate")]
    for side in sides:
        assert side["verifiedCount"] + sum(side["failures"].values()) == side["count"]
        for counter in side["metrics"].values():
            assert counter["observedCount"] + counter["missingCount"] == side["count"]
    assert sum(side["count"] for side in sides[:2]) == len(records)


@settings(deadline=None, max_examples=20)  # as above
@given(experiments())
def test_the_statistics_are_of_the_same_pairs(records: list[RunRecord]) -> None:
    """The pairs of which both succeeded are those that the ratio is over; each case adds up."""
    found, contrast = (one(records, "baseline", "candidate") for one in (compare, contrast_of))
    assert isinstance(found, dict)
    assert not isinstance(contrast, dict)
    said = statistics_of(contrast)
    assert said["pairs"]["both"] == found["pairedVerifiedCount"]
    assert sum(said["pairs"].values()) == len(records) / 2
    assert sum(case.pairs.total for case in contrast.cases) == len(records) / 2
    json.dumps([found, said], allow_nan=False)


@given(st.lists(st.tuples(st.integers(1, 10**6), st.integers(1, 10**6)), min_size=1, max_size=9))
def test_both_roads_lead_to_one_median_of_ratios(times: list[tuple[int, int]]) -> None:
    """By floats as the harness elsewhere makes it, and exactly; here in whole microseconds."""
    records = [
        record(arm, repetition=repetition, elapsedMs=took / 1_000)
        for repetition, both_took in enumerate(times)
        for arm, took in zip(("baseline", "candidate"), both_took, strict=True)
    ]
    found = compare(records, "baseline", "candidate")
    said = statistics_of(contrast_of(records, "baseline", "candidate"))["medianOfRatios"]
    assert said["n"] == found["ratioSampleCount"] == len(times)
    ratio = found["medianCandidateOverBaselineElapsedRatio"]
    assert said["value"] == pytest.approx(ratio, rel=1e-9, abs=1e-6)


def test_a_baseline_that_took_no_time_has_no_ratio() -> None:
    """Nothing is divided by zero: the pair counts as verified, and not for the ratio."""
    records = [record("baseline", elapsedMs=0), record("candidate")]
    found = compare(records, "baseline", "candidate")
    assert (found["pairedVerifiedCount"], found["ratioSampleCount"]) == (1, 0)
    assert found["medianCandidateOverBaselineElapsedRatio"] is None


def test_a_ratio_beyond_every_number_is_left_out() -> None:
    """The smallest time there is, as a divisor, gives what JSON can't say."""
    records = [record("baseline", elapsedMs=5e-324), record("candidate")]
    found = compare(records, "baseline", "candidate")
    assert (found["ratioSampleCount"], found["pairedVerifiedCount"]) == (0, 1)


def p95_of(records: list[RunRecord]) -> list[Any]:
    """The 95th percentile of the baseline: overall, and of each cell."""
    found = compare(records, "baseline", "candidate")
    sides = [found["baseline"], *(cell["baseline"] for cell in found["cells"])]
    return [side["successfulElapsedP95Ms"] for side in sides]


def cell(number: int, **spoilt: object) -> list[RunRecord]:
    """So many pairs of one cell, the n-th of which took n milliseconds."""
    return [
        one
        for repetition in range(number)
        for one in both(repetition=repetition, elapsedMs=repetition + 1, **spoilt)
    ]


@pytest.mark.parametrize(
    ("number", "expected"),
    [(1, None), (19, None), (20, 19), (21, 20), (39, 38), (40, 38), (41, 39), (100, 95)],
)
def test_95_percent_are_counted_from_20_on(number: int, expected: int | None) -> None:
    """The ⌈0.95 n⌉-th smallest of one cell, and of all where there is one only."""
    assert p95_of(cell(number)) == [expected, expected]


@pytest.mark.parametrize("what", ["taskID", "model", "cohort"])
def test_cells_are_not_mixed_for_95_percent(what: str) -> None:
    """Each cell has its own; all together have none, and 10 of each are not 20 of one."""
    assert p95_of([*cell(20), *cell(20, **{what: "other"})]) == [None, 19, 19]
    assert p95_of([*cell(10), *cell(10, **{what: "other"})]) == [None, None, None]


@pytest.mark.parametrize(
    ("status", "observed"), [("observed", 1), (None, 1), ("partial", 0), ("unavailable", 0)]
)
def test_counters_that_did_not_come_whole_are_missing(status: str | None, observed: int) -> None:
    """Where nothing is said of them they are taken as they stand; zero is a number."""
    records = both(metricsStatus=status, toolCalls=0)
    counter = compare(records, "baseline", "candidate")["baseline"]["metrics"]["toolCalls"]
    assert counter == {
        "observedCount": observed,
        "missingCount": 1 - observed,
        "median": 0 if observed else None,
    }


def test_a_failed_run_is_counted_with_what_it_used() -> None:
    """Counters are over every run that has them; times over those that were verified."""
    records = both(outcome="failed", verified=False, outputTokens=7)
    side = compare(records, "baseline", "candidate")["candidate"]
    assert side["metrics"]["outputTokens"]["median"] == 7
    assert side["successfulElapsedMedianMs"] is None
    assert side["successRate"] == 0


def test_a_case_is_a_task_whatever_it_was_tried_with() -> None:
    """Two models and two cohorts at one task are one case, since its runs resemble each other."""
    records = [*both(), *both(model="other/one"), *both(cohort="second"), *both(taskID="t2")]
    assert [
        (case.case, case.pairs.total)
        for case in contrast_of(records, "baseline", "candidate").cases
    ] == [("t2", 1), ("task", 3)]


def test_the_statistics_of_the_two_tasks() -> None:
    """Every key, on the vector that has some of everything."""
    vector = VECTORS["two_tasks"]
    records = [record_from(run) for run in vector["runs"]]
    found = statistics_of(contrast_of(records, "baseline", "candidate", left_out=2))
    assert len(found.pop("concluded")) == 8
    assert len(found.pop("limits")) == 3
    none = {"low": None, "high": None, "method": None}
    assert found == {
        "pairs": {"both": 2, "baselineOnly": 1, "candidateOnly": 1, "neither": 0},
        "leftOut": 2,
        "difference": {
            "n": 4,
            "value": 0,
            "low": -0.84463,
            "high": 0.84463,
            "method": "clopper-pearson-bonferroni",
        },
        "mcnemar": {"baseline": 1, "candidate": 1, "p": 1},
        "signTest": {"baseline": 0, "candidate": 0, "p": None},
        "ratioOfMedians": {
            "n": 2,
            "value": 0.7,
            "low": 0.636364,
            "high": 0.777778,
            "method": "bootstrap-over-cases",
        },
        "medianOfRatios": {"n": 2, "value": 0.65, **none},
        "fewestDiscordant": 6,
    }
