"""What the input of runs exposed, and how runs behaved: aggregated as observed, never inferred."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .findings import Findings
from .numbers import number, summary

LEVELS = {"none": 0.0, "low": 0.25, "medium": 0.5, "high": 0.75, "critical": 1.0}
"""The score of each level of exposure."""

_UNKNOWN = "unknown"

KINDS = ("personal_data", "special_category_data", "confidential_data")
"""Kinds of data that an input may hold."""

TRANSITION = "behavior_transition"
"""The one property of a behavioural test that is counted as a word."""


def profile(assessment: object, findings: Findings) -> dict[str, Any] | None:
    """What an assessment says of an input; null where there is none.

    Of data that the assessment does not speak of it is not known whether they were there.
    """
    if assessment is None:
        return None
    if not isinstance(assessment, Mapping):
        findings.warn("input_data_assessment_invalid")
        return None
    level = assessment.get("overall_exposure")
    known = isinstance(level, str) and level in LEVELS
    if not known and level not in (None, _UNKNOWN):
        findings.warn("unknown_exposure", level)
    kinds = {kind: assessment.get(kind) for kind in KINDS}
    return {
        "overall_exposure": level if known else None,
        "exposure_score": LEVELS[str(level)] if known else None,
        **{kind: said if isinstance(said, bool) else None for kind, said in kinds.items()},
    }


def exposed(runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """How many runs there are of each level, and with which kinds of data."""
    profiles = [run["input_profile"] for run in runs if run["input_profile"] is not None]
    levels = [found["overall_exposure"] for found in profiles]
    rated = [level for level in levels if level is not None]
    return {
        "run_count": len(runs),
        "assessed_count": len(profiles),
        "overall_exposure": {
            **{level: rated.count(level) for level in LEVELS},
            _UNKNOWN: len(runs) - len(rated),
        },
        "highest_exposure": max(rated, key=LEVELS.__getitem__, default=None),
        "exposure_score": summary([LEVELS[level] for level in rated]),
        **{kind: _answers(kind, profiles, len(runs)) for kind in KINDS},
    }


def _answers(kind: str, profiles: Iterable[Mapping[str, Any]], runs: int) -> dict[str, int]:
    said = [found[kind] for found in profiles]
    yes, no = said.count(True), said.count(False)
    return {"yes": yes, "no": no, _UNKNOWN: runs - yes - no}


def behaved(runs: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Every numeric property of the behavioural tests with its statistics, and transitions counted.

    A property that one run does not have, or has as something else, is left out of its number.
    """
    tests = [run["behavioral_test"] for run in runs if isinstance(run["behavioral_test"], Mapping)]
    values: dict[str, list[float]] = {}
    transitions: dict[str, int] = {}
    for test in tests:
        for name, value in test.items():
            found = number(value)
            if found is not None:
                values.setdefault(str(name), []).append(found)
        seen = test.get(TRANSITION)
        if isinstance(seen, str):
            transitions[seen] = transitions.get(seen, 0) + 1
    return {
        "run_count": len(tests),
        "numeric": {name: summary(values[name]) for name in sorted(values)},
        "behavior_transitions": dict(sorted(transitions.items())),
    }
