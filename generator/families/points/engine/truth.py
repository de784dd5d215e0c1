"""A ground truth, read once: its points by id and the relations between them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeGuard

from .config import UNDEFINED, Terms, Weight, weight
from .findings import Findings


class Point(NamedTuple):
    """What a classification is held against."""

    weight: float
    units: int
    """The weight as it is counted with."""

    source: str | None
    """The document that the point stands in, where it declares one."""


class Relation(NamedTuple):
    """That two points have to do with each other."""

    source: str
    target: str
    type: str


RELATIONS = ("depends_on", "supports", "contradicts")
"""The types of relations."""


@dataclass(frozen=True, slots=True)
class Truth:
    """A ground truth, and everything that is wrong with it."""

    points: Mapping[str, Point]
    relations: tuple[Relation, ...]
    findings: Findings


def read_truth(ground_truth: object, terms: Terms) -> Truth:
    """Read a ground truth; what is wrong with it is among its findings, and nothing is raised."""
    findings = Findings()
    points: dict[str, Point] = {}
    relations: tuple[Relation, ...] = ()
    if not isinstance(ground_truth, Mapping):
        findings.error("ground_truth_missing")
    elif not isinstance(ground_truth.get("points"), list | tuple):
        findings.error("ground_truth_points_not_array")
    else:
        for entry in ground_truth["points"]:
            _add_point(points, entry, terms, findings)
        relations = _relations(ground_truth.get("relations"), points, findings)
    return Truth(points, relations, findings)


def is_id(value: object) -> TypeGuard[str]:
    """Whether a value can name something: a text that is not empty."""
    return isinstance(value, str) and value != ""


def _add_point(points: dict[str, Point], entry: object, terms: Terms, findings: Findings) -> None:
    point_id = entry.get("point_id") if isinstance(entry, dict) else None
    if not (isinstance(entry, dict) and is_id(point_id)):
        findings.error("point_id_missing")
        return
    if point_id in points:
        findings.error("point_repeated", point_id)
        return
    source = entry.get("source_document_id")
    if source is not None and not isinstance(source, str):
        findings.error("point_source_invalid", point_id)
        return
    found = _weight(entry, terms, findings)
    if found is None:
        findings.error("point_weight_invalid", point_id)
    else:
        points[point_id] = Point(*found, source)


def _weight(entry: Mapping[str, object], terms: Terms, findings: Findings) -> Weight | None:
    """What a point weighs: as it says itself, or as its importance does."""
    own = entry.get("weight")
    if own is not None:
        return weight(own)
    importance = entry.get("importance")
    if importance is None:
        importance = UNDEFINED
    elif not isinstance(importance, str) or importance not in terms.weights:
        findings.warn("unknown_importance", importance)
        importance = UNDEFINED
    return terms.weights[importance]


def _relations(
    declared: object, points: Mapping[str, Point], findings: Findings
) -> tuple[Relation, ...]:
    if declared is None:
        return ()
    if not isinstance(declared, list | tuple):
        findings.error("relations_not_array")
        return ()
    found = []
    for number, entry in enumerate(declared, 1):
        relation = _relation(entry)
        if relation is None:
            findings.error("relation_invalid", number)
            continue
        missing = [end for end in (relation.source, relation.target) if end not in points]
        for end in missing:
            findings.warn("unknown_relation_point", end)
        if relation.type not in RELATIONS:
            findings.warn("unknown_relation_type", relation.type)
        elif not missing:
            found.append(relation)
    return tuple(found)


def _relation(entry: object) -> Relation | None:
    if not isinstance(entry, Mapping):
        return None
    ends = [entry.get(key) for key in ("source_point_id", "target_point_id", "type")]
    return Relation(*ends) if all(map(is_id, ends)) else None  # type: ignore[arg-type]
