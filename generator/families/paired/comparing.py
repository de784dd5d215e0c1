"""Comparing the records of two arms, by the keys and rules of the harness that they come from.

Failures stay in the denominator of the success rate. Times are those of verified runs only, and
the ratio is over pairs in which both were. What is missing stays missing.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeAlias

from generator.families.paired.contrasting import (
    DIFFERENCE,
    LIMITS,
    MEDIAN_OF_RATIOS,
    OVER_CASES,
    OVER_PAIRS,
    RATIO_OF_MEDIANS,
    Tried,
    conclusions,
    contrast,
)
from generator.records.comparison import Contrast, Estimate, Test
from generator.records.run_record import FEWEST, MOST, ComparisonFault, Number, RunRecord

TWICE = "Duplicate task/model/cohort/repetition/arm"
UNMATCHED = "Missing matched task/model/cohort/repetition pair"
"""What is said of records and of attempts alike that do not pair."""

P95_FROM = 20
"""How many verified runs of one cell it takes to say when 95 % of them had ended."""

COUNTERS = {
    "inputTokens": "input_tokens",
    "outputTokens": "output_tokens",
    "reasoningTokens": "reasoning_tokens",
    "cacheReadTokens": "cache_read_tokens",
    "toolCalls": "tool_calls",
    "toolErrors": "tool_errors",
}
"""Counters by the key that they are published under, with their names in a record."""

PairOfRuns: TypeAlias = tuple[RunRecord, RunRecord]
"""The baseline's run and the candidate's, at one task in one repetition."""


def compare(pairs: Sequence[PairOfRuns], baseline: str, candidate: str) -> dict[str, Any]:
    """What the pairs of two arms come to, as JSON values; there is one at least."""
    verified = [(one, other) for one, other in pairs if one.verified and other.verified]
    ratios = [
        ratio
        for one, other in verified
        if one.elapsed_ms > 0
        if math.isfinite(ratio := other.elapsed_ms / one.elapsed_ms)
    ]
    cells: dict[tuple[str, str, str], list[PairOfRuns]] = {}
    for one, other in pairs:
        cells.setdefault(_cell(one), []).append((one, other))
    ones, others = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return {
        "cells": [_compared(key, cells[key]) for key in sorted(cells)],
        "baseline": {"arm": baseline, **_summary(ones)},
        "candidate": {"arm": candidate, **_summary(others)},
        "pairedVerifiedCount": len(verified),
        "ratioSampleCount": len(ratios),
        "medianCandidateOverBaselineElapsedRatio": _median(ratios),
    }


def paired(records: Sequence[RunRecord], baseline: str, candidate: str) -> tuple[PairOfRuns, ...]:
    """Both arms' runs at the same task, model, cohort and repetition; raises ComparisonFault."""
    if baseline == candidate:
        raise ComparisonFault("Comparison arms must differ", "Name the two arms that differ.")
    if not FEWEST <= len(records) <= MOST:
        raise ComparisonFault(
            f"runs must be an array of {FEWEST}..{MOST}",
            f"A comparison takes {FEWEST} to {MOST} records; split what is larger by task.",
        )
    found: tuple[_Tries, _Tries] = {}, {}
    for index, record in enumerate(records):
        if record.arm not in (baseline, candidate):
            known = ", ".join(sorted({each.arm for each in records}))
            raise ComparisonFault(
                f"Unknown comparison arm: {record.arm}",
                f"Name both arms as the records do, which have: {known}.",
                at=index,
            )
        key = (*_cell(record), record.repetition)
        if found[record.arm == candidate].setdefault(key, index) != index:
            raise ComparisonFault(
                TWICE,
                "Each try stands once; keep the records of two experiments apart.",
                at=index,
            )
    return _matched(records, *found)


_Tries: TypeAlias = dict[tuple[str, str, str, int], int]
"""By cell and repetition: the index of the record."""


def _matched(
    records: Sequence[RunRecord], baseline: _Tries, candidate: _Tries
) -> tuple[PairOfRuns, ...]:
    either = baseline | candidate
    alone = sorted(either[key] for key in baseline.keys() ^ candidate.keys())
    if alone:
        raise ComparisonFault(
            UNMATCHED,
            "Both arms are to be run at the same tasks, as often, with the same model and in one "
            "cohort; an experiment that was interrupted gives no comparison.",
            at=alone[0],
        )
    return tuple((records[index], records[candidate[key]]) for key, index in baseline.items())


def _cell(record: RunRecord) -> tuple[str, str, str]:
    return record.task_id, record.model, record.cohort


def _compared(cell: tuple[str, str, str], pairs: Sequence[PairOfRuns]) -> dict[str, Any]:
    task, model, cohort = cell
    return {
        "taskID": task,
        "model": model,
        "cohort": cohort,
        "baseline": _summary([pair[0] for pair in pairs]),
        "candidate": _summary([pair[1] for pair in pairs]),
    }


def _summary(runs: Sequence[RunRecord]) -> dict[str, Any]:
    """What the runs of one arm come to; there is one at least."""
    times = sorted(run.elapsed_ms for run in runs if run.verified)
    one_cell = len({_cell(run) for run in runs}) == 1
    return {
        "count": len(runs),
        "verifiedCount": len(times),
        "successRate": _number(len(times) / len(runs)),
        "successfulElapsedMedianMs": _median(times),
        "successfulElapsedP95Ms": _p95(times) if one_cell else None,
        "failures": {
            **{
                outcome: sum(run.outcome == outcome for run in runs)
                for outcome in ("failed", "timeout", "cancelled")
            },
            "completed_unverified": sum(
                run.outcome == "completed" and not run.verified for run in runs
            ),
        },
        "metrics": {key: _counter(runs, name) for key, name in COUNTERS.items()},
    }


def _p95(ordered: Sequence[Number]) -> Number | None:
    """The ⌈0.95 n⌉-th smallest, counted in integers; none of too few."""
    if len(ordered) < P95_FROM:
        return None
    return _number(ordered[-(len(ordered) * -95 // 100) - 1])


def _counter(runs: Iterable[RunRecord], name: str) -> dict[str, Number | None]:
    """How many runs have a counter, how many have not, and the median of those that do."""
    said = [
        None if run.metrics_status not in (None, "observed") else getattr(run, name) for run in runs
    ]
    observed = [value for value in said if value is not None]
    return {
        "observedCount": len(observed),
        "missingCount": len(said) - len(observed),
        "median": _median(observed),
    }


def _median(values: Sequence[Number]) -> Number | None:
    """The middle one, or the middle of the middle two, halved before they are added."""
    if not values:
        return None
    ordered = sorted(values)
    upper = len(ordered) // 2
    if len(ordered) % 2:
        return _number(ordered[upper])
    return _number(ordered[upper - 1] / 2 + ordered[upper] / 2)


def _number(value: Number) -> Number:
    """A number as JSON's own language writes it: 110, and not 110.0."""
    return int(value) if value == int(value) else value


def contrast_of(pairs: Iterable[PairOfRuns], *, left_out: int = 0) -> Contrast:
    """What the pairs of two arms say of each other.

    A case is a task, whatever the models and cohorts that it was tried with: its runs resemble
    each other, and a test over cases gives each one say.
    """
    cases: dict[str, list[tuple[Tried, Tried]]] = {}
    for one, other in sorted(pairs, key=_by_task):
        cases.setdefault(one.task_id, []).append((_tried(one), _tried(other)))
    return contrast(cases, left_out)


def _by_task(pair: PairOfRuns) -> tuple[str, str, str, int]:
    return *_cell(pair[0]), pair[0].repetition


def _tried(record: RunRecord) -> Tried:
    return Tried(record.verified, round(record.elapsed_ms * 1_000))


def statistics_of(found: Contrast) -> dict[str, Any]:
    """A contrast as JSON values, with what may be concluded from it in English."""
    estimates = {estimate.id: _estimate(estimate) for estimate in found.estimates}
    tests = {test.id: _test(test) for test in found.tests}
    pairs = found.pairs
    return {
        "pairs": {
            "both": pairs.both,
            "baselineOnly": pairs.baseline_only,
            "candidateOnly": pairs.candidate_only,
            "neither": pairs.neither,
        },
        "leftOut": found.left_out,
        "difference": estimates[DIFFERENCE],
        "mcnemar": tests[OVER_PAIRS],
        "signTest": tests[OVER_CASES],
        "ratioOfMedians": estimates[RATIO_OF_MEDIANS],
        "medianOfRatios": estimates[MEDIAN_OF_RATIOS],
        "fewestDiscordant": found.fewest,
        "concluded": [message.in_english() for message in conclusions(found)],
        "limits": [message.in_english() for message in LIMITS],
    }


def _estimate(estimate: Estimate) -> Mapping[str, Any]:
    return {
        "n": estimate.n,
        "value": _figure(estimate.value),
        "low": _figure(estimate.low),
        "high": _figure(estimate.high),
        "method": estimate.method,
    }


def _test(test: Test) -> Mapping[str, Any]:
    return {"baseline": test.baseline, "candidate": test.candidate, "p": _figure(test.p)}


def _figure(value: Decimal | None) -> Number | None:
    return None if value is None else _number(float(value))
