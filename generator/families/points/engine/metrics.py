"""The figures of one run, each with its own numerator and denominator.

They are made of sums of whole units, so a figure is its two terms divided once. Where the
denominator is zero nothing was measured: the figure is null, and never 0.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from .config import ONCE, Terms, Weight, weight
from .findings import Findings
from .normalising import Normalised
from .numbers import SCORE_PLACES, WEIGHT_PLACES, text
from .truth import Relation

METRICS = (
    "coverage_raw",
    "coverage_weighted",
    "addressed_quality",
    "usable_information",
    "effective_information",
    "gt_hallucination_rate",
    "error_rate",
    "math_error_rate",
    "omission_rate",
    "relation_consistency",
    "absolute_extra_hallucination_penalty",
)
"""The ids of the figures, in the order in which the contract has them."""

PENALTY = METRICS[-1]
"""The only one that is a sum, and out of nothing."""

_USABLE = ("correct", "partial")
_FULL = 10**SCORE_PLACES
"""The score 1 in its units."""


class Figure(NamedTuple):
    """A figure in whole units; a sum has the units of 1 as its denominator."""

    numerator: int
    denominator: int
    places: int
    """Decimals of both; a number of things has none."""

    @property
    def value(self) -> float | None:
        """The figure, rounded once; null where nothing was measured."""
        return self.numerator / self.denominator if self.denominator else None


def figures(
    done: Normalised, terms: Terms, consistent: tuple[int, int], penalty: int
) -> dict[str, Figure]:
    """All figures of a run.

    `consistent` is how many relations are, and how many were evaluated; `penalty` what the extra
    claims weigh that are hallucinated.
    """
    eligible_number = covered_number = 0
    eligible = covered = scored = gained = usable = omitted = 0
    defects = dict.fromkeys(("hallu", "error", "math_error"), 0)
    for (coverage, status), weights in done.weighed.items():
        units = sum(weights)
        if coverage in terms.covered:
            covered_number += len(weights)
            covered += units
            score = terms.scores.get(status)
            if score is not None:
                scored += units
                gained += units * score
            if status in _USABLE:
                usable += units
            if status in defects:
                defects[status] += units
        elif coverage in terms.owed:
            eligible_number += len(weights)
            eligible += units
            if status == "omission":
                omitted += units
    eligible_number += covered_number
    eligible += covered
    by_weight = WEIGHT_PLACES
    by_score = WEIGHT_PLACES + SCORE_PLACES
    return {
        "coverage_raw": Figure(covered_number, eligible_number, 0),
        "coverage_weighted": Figure(covered, eligible, by_weight),
        "addressed_quality": Figure(gained, scored * _FULL, by_score),
        "usable_information": Figure(usable, covered, by_weight),
        "effective_information": Figure(gained, eligible * _FULL, by_score),
        "gt_hallucination_rate": Figure(defects["hallu"], eligible, by_weight),
        "error_rate": Figure(defects["error"], eligible, by_weight),
        "math_error_rate": Figure(defects["math_error"], eligible, by_weight),
        "omission_rate": Figure(omitted, eligible, by_weight),
        "relation_consistency": Figure(*consistent, 0),
        PENALTY: Figure(penalty, ONCE.units, by_weight),
    }


def written(metric: str, figure: Figure) -> dict[str, Any]:
    """The terms of a figure: numbers of things as integers, weights as exact decimals in texts."""
    if metric == PENALTY:
        return {"sum": text(figure.numerator, figure.places)}
    both = {"numerator": figure.numerator, "denominator": figure.denominator}
    if not figure.places:
        return both
    return {name: text(term, figure.places) for name, term in both.items()}


def related(
    relations: Iterable[Relation], statuses: Mapping[str, str]
) -> tuple[list[dict[str, Any]], tuple[int, int]]:
    """Every relation of which both ends were classified; how many are consistent, and of how many.

    A contradiction is kept track of, and no rule says when it is none: it counts as consistent.
    """
    found = []
    for source, target, kind in relations:
        if source not in statuses or target not in statuses:
            continue
        premise, conclusion = statuses[source], statuses[target]
        found.append(
            {
                "source_point_id": source,
                "target_point_id": target,
                "type": kind,
                "source_status": premise,
                "target_status": conclusion,
                "consistent": _consistent(kind, premise, conclusion),
            }
        )
    return found, (sum(1 for one in found if one["consistent"]), len(found))


_UNFOUNDED = ("error", "hallu", "omission", "missing")
"""Statuses of a premise from which nothing correct follows."""


def _consistent(kind: str, premise: str, conclusion: str) -> bool:
    if kind == "depends_on":
        return not (conclusion == "correct" and premise in _UNFOUNDED)
    return not (kind == "supports" and premise == "hallu")


CLAIMED = ("hallu", "over", "error")
"""Statuses of an extra claim."""


def penalised(claims: object, findings: Findings) -> tuple[int, dict[str, int]]:
    """What hallucinated extra claims weigh, in units, and how many there are of each status."""
    counts = dict.fromkeys(CLAIMED, 0)
    penalty = 0
    if claims is None:
        return penalty, counts
    if not isinstance(claims, list | tuple):
        findings.error("extra_claims_not_array")
        return penalty, counts
    for number, claim in enumerate(claims, 1):
        if not isinstance(claim, Mapping):
            findings.error("extra_claim_invalid", number)
            continue
        status, weighs = claim.get("status"), _weight(claim)
        hallucinated = status == "hallu"
        if weighs is None:
            # Only what is hallucinated is weighed: elsewhere, a bad weight spoils no figure.
            note = findings.error if hallucinated else findings.warn
            note("extra_claim_weight_invalid", number)
        if status is None:
            findings.warn("extra_claim_status_missing", number)
        elif not isinstance(status, str) or status not in counts:
            findings.warn("unknown_extra_claim_status", status)
        else:
            counts[status] += 1
            penalty += weighs.units if hallucinated and weighs else 0
    return penalty, counts


def _weight(claim: Mapping[str, Any]) -> Weight | None:
    own = claim.get("weight")
    return ONCE if own is None else weight(own)
