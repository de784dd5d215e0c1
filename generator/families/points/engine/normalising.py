"""The classifications of a run, made alike: defaults set, sources looked up, everything counted."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .config import Terms
from .findings import Findings, shown
from .truth import Truth, is_id

UNRATED = "unrated"
"""The coverage and the status of what nobody classified."""

_ADDRESSED = "addressed"
_OUT = "out_context"

Pair = tuple[str, str]
"""A coverage and a status."""


@dataclass(frozen=True, slots=True)
class Normalised:
    """What the classifications of a run come to, before any figure is made of them."""

    listed: list[dict[str, Any]]
    """Each classification with everything that it was given, in its order."""

    weighed: Mapping[Pair, Sequence[int]]
    """By coverage and status: what each point of the ground truth weighs, in units."""

    statuses: Mapping[str, str]
    """The status of each point of the ground truth that was classified."""


def normalised(
    entries: Sequence[Any],
    truth: Truth,
    terms: Terms,
    context: frozenset[str] | None,
    findings: Findings,
) -> Normalised:
    """Count the classifications of a run; what is wrong with them goes to the findings.

    `context` holds the documents that the run was given. Where a run does not declare any, nothing
    is known to have been kept from it, and every point counts as available.
    """
    listed: list[dict[str, Any]] = []
    statuses: dict[str, str] = {}
    weighed: defaultdict[Pair, list[int]] = defaultdict(list)
    points, pairs = truth.points, terms.pairs
    for entry in entries:
        # What may be a million entries takes the short way; the long one is for what is odd.
        try:
            point_id, coverage, status = entry["point_id"], entry["coverage"], entry["status"]
            weight, units, source = points[point_id]
            pair = pairs[coverage, status]
            new = entry.copy()
        except (AttributeError, LookupError, TypeError):
            words = _words(entry, truth, terms, findings)
            if words is None:
                continue
            point_id, coverage, status = words
            new = {**entry, "coverage": coverage, "status": status}
            if point_id not in points:
                listed.append(new | {"weight": None, "available_to_model": None})
                continue
            weight, units, source = points[point_id]
            pair = (coverage, status)
        available = context is None or source is None or source in context
        if not available and coverage == _ADDRESSED:
            new["coverage"] = _OUT
            pair = (_OUT, status)
        new["weight"] = weight
        new["available_to_model"] = available
        listed.append(new)
        weighed[pair].append(units)
        if point_id in statuses:
            findings.error("point_evaluated_twice", point_id)
        statuses[point_id] = status
    return Normalised(listed, weighed, statuses)


def _words(
    entry: object, truth: Truth, terms: Terms, findings: Findings
) -> tuple[str, str, str] | None:
    """Point, coverage and status of an entry that lacks some of them, or has them oddly."""
    point_id = entry.get("point_id") if isinstance(entry, dict) else None
    if not (isinstance(entry, dict) and is_id(point_id)):
        findings.error("point_id_missing")
        return None
    if point_id not in truth.points:
        findings.warn("unknown_point", point_id)
    coverage, status = entry.get("coverage"), entry.get("status")
    if not (isinstance(coverage, str) and coverage in terms.coverages):
        coverage = _odd("unknown_coverage", coverage, findings)
    if not (isinstance(status, str) and status in terms.statuses):
        status = _odd("unknown_status", status, findings)
    return point_id, coverage, status


def _odd(finding: str, value: object, findings: Findings) -> str:
    """A word that is not known stays as it is, so that it can be looked at; none is unrated."""
    if value is None:
        return UNRATED
    findings.warn(finding, value)
    return value if isinstance(value, str) else shown(value)


def counted(done: Normalised, terms: Terms) -> dict[str, dict[str, int]]:
    """How many points have each coverage and each status."""
    coverages, statuses = dict.fromkeys(terms.coverages, 0), dict.fromkeys(terms.statuses, 0)
    for (coverage, status), found in sorted(done.weighed.items()):
        coverages[coverage] = coverages.get(coverage, 0) + len(found)
        statuses[status] = statuses.get(status, 0) + len(found)
    return {"coverage": coverages, "status": statuses}
