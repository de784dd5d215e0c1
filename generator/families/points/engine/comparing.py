"""Two runs beside each other: what was changed between them, and what changed with it.

Runs are compared in the order of their ids, so that neither a sign nor the choice of what is shown
depends on the order of the input.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

from .config import PointsFault
from .metrics import METRICS

LIMITS: dict[str, Any] = {
    "max_comparisons": 1_000,
    "max_scanned_pairs": 100_000,
    "include_multidimensional": False,
}
"""How many comparisons a report has at the most, how many pairs are looked at for them, and
whether those are among them between which several variables were changed."""

_Points = Mapping[str, tuple[str, str]]
"""Coverage and status by point."""

VARIABLES = {
    "model": "model_id",
    "prompt": "prompt_id",
    "context_documents": "context_document_ids",
}
"""What can be changed between two runs, and where a run has it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How far comparing goes."""

    max_comparisons: int
    max_scanned_pairs: int
    include_multidimensional: bool


def limits(override: Mapping[str, Any] | None = None) -> Limits:
    """The limits with what is overridden, key by key; raises PointsFault."""
    said = dict(override or {})
    for key, value in said.items():
        if key not in LIMITS:
            known = ", ".join(LIMITS)
            raise PointsFault(f"There is no limit {key!r}.", f"The limits are {known}.")
        wants = type(LIMITS[key])
        if type(value) is not wants or value < 0:
            raise PointsFault(
                f"The limit {key} is {value!r}.",
                "Say true or false." if wants is bool else "Say a whole number from 0.",
            )
    return Limits(**{**LIMITS, **said})


Configuration = tuple[str | None, str | None, tuple[str, ...] | None]
"""Model, prompt and documents, as far as a run declares them."""


def configuration(run: Mapping[str, Any]) -> Configuration:
    """What makes two runs runs of one configuration; the order of documents is no part of it."""
    documents = run["context_document_ids"]
    return (
        run["model_id"],
        run["prompt_id"],
        None if documents is None else tuple(sorted(set(documents))),
    )


def compared(
    runs: Iterable[Mapping[str, Any]], within: Limits
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Comparisons of pairs of valid runs, and what the limits left of them."""
    ordered = sorted(runs, key=lambda run: run["run_id"])
    settings = {run["run_id"]: configuration(run) for run in ordered}
    points = cache(lambda index: _points(ordered[index]))
    found: list[dict[str, Any]] = []
    scanned = uncontrolled = 0
    reached = None
    for one, other in combinations(range(len(ordered)), 2):
        if scanned == within.max_scanned_pairs:
            reached = "max_scanned_pairs"
            break
        first, second = ordered[one], ordered[other]
        before, after = settings[first["run_id"]], settings[second["run_id"]]
        changed = [name for name, was, now in _beside(before, after) if was != now]
        if len(changed) > 1 and not within.include_multidimensional:
            uncontrolled += 1
        elif len(found) == within.max_comparisons:
            reached = "max_comparisons"
            break
        else:
            undeclared = [name for name, was, now in _beside(before, after) if was is now is None]
            method = methodology(changed, undeclared)
            found.append(_comparison(first, second, method, points(one), points(other)))
        scanned += 1
    pairs = len(ordered) * (len(ordered) - 1) // 2
    return found, _audit(within, pairs, scanned, len(found), uncontrolled, reached)


def _beside(before: Configuration, after: Configuration) -> Iterable[tuple[str, object, object]]:
    """Each variable as two runs have it."""
    return zip(VARIABLES, before, after, strict=True)


def methodology(changed: Sequence[str], undeclared: Sequence[str]) -> dict[str, Any]:
    """What can be said of the method of a comparison, given what was changed in it."""
    match len(changed):
        case 0:
            kind, verdict = "replication", "Nothing was changed: the difference is between runs."
        case 1:
            kind = "strictly_controlled"
            verdict = f"Controlled: only {_WORDS[changed[0]]} changed."
        case number:
            kind = "multidimensional"
            verdict = (
                f"{number} variables were changed: the difference can't be attributed to one of "
                "them."
            )
    if undeclared:
        names = " and ".join(_WORDS[name] for name in undeclared)
        verdict += f" Neither run declares {names}, so it is not known whether that changed."
    return {
        "changed_variables": list(changed),
        "undeclared_variables": list(undeclared),
        "comparison_type": kind,
        "is_valid_controlled": len(changed) == 1,
        "verdict": verdict,
    }


_WORDS = {"model": "the model", "prompt": "the prompt", "context_documents": "the documents given"}


def _comparison(
    one: Mapping[str, Any],
    other: Mapping[str, Any],
    method: Mapping[str, Any],
    before: _Points,
    after: _Points,
) -> dict[str, Any]:
    both = sorted({*before, *after})
    moved = Counter(
        f"{before[point][1]}->{after[point][1]}"
        for point in both
        if point in before and point in after
    )
    return {
        "run_a": one["run_id"],
        "run_b": other["run_id"],
        "methodology": method,
        "metric_deltas": {
            metric: _delta(one["metrics"][metric], other["metrics"][metric]) for metric in METRICS
        },
        "status_transitions": dict(sorted(moved.items())),
        "point_transitions": [
            _transition(point, before.get(point), after.get(point))
            for point in both
            if before.get(point) != after.get(point)
        ],
    }


def _delta(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else after - before


def _transition(
    point: str, before: tuple[str, str] | None, after: tuple[str, str] | None
) -> dict[str, Any]:
    """How the classification of a point changed; null where a run has none of it."""
    coverage_a, status_a = before or (None, None)
    coverage_b, status_b = after or (None, None)
    return {
        "point_id": point,
        "coverage_a": coverage_a,
        "coverage_b": coverage_b,
        "status_a": status_a,
        "status_b": status_b,
    }


def _points(run: Mapping[str, Any]) -> _Points:
    """The classified points of the ground truth."""
    return {
        entry["point_id"]: (entry["coverage"], entry["status"])
        for entry in run["normalized_evaluations"]
        if entry["weight"] is not None
    }


def _audit(  # noqa: PLR0913, PLR0917  each is a field of it
    within: Limits, pairs: int, scanned: int, kept: int, uncontrolled: int, reached: str | None
) -> dict[str, Any]:
    """What was compared of what there is; a truncated list says so, in words too."""
    says = f"All {pairs} pairs of valid runs were looked at."
    if reached is not None:
        limit = getattr(within, reached)
        says = (
            f"The comparisons are truncated: {scanned} of {pairs} pairs of valid runs were looked "
            f"at, since {reached} is {limit}."
        )
    if uncontrolled:
        says += (
            f" Of those, {uncontrolled} are left out since several variables were changed between "
            "their runs; include_multidimensional shows them."
        )
    return {
        "max_comparisons": within.max_comparisons,
        "max_scanned_pairs": within.max_scanned_pairs,
        "include_multidimensional": within.include_multidimensional,
        "pair_count": pairs,
        "scanned_pairs": scanned,
        "comparison_count": kept,
        "left_out_multidimensional": uncontrolled,
        "truncated": reached is not None,
        "truncated_by": reached,
        "says": says,
    }
