"""What a run is evaluated with: known words, weights and scores, and how they are overridden."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

from .numbers import ONE, SCORE_PLACES, WEIGHT_MOST, WEIGHT_PLACES, units

SCHEMA = "diber-evaluation-v0.9.0"
"""What a report calls its own form."""

CONFIG: dict[str, Any] = {
    "version": "0.9.0",
    "coverage": {
        "addressed": True,
        "should": True,
        "gap": True,
        "out_context": True,
        "not_relevant": True,
        "unrated": True,
    },
    "status": {
        "correct": True,
        "partial": True,
        "omission": True,
        "inference": True,
        "over": True,
        "error": True,
        "math_error": True,
        "hallu": True,
        "missing": True,
        "na": True,
        "unrated": True,
    },
    "defaultImportanceWeight": {
        "Critical": 2.0,
        "High": 1.0,
        "Medium": 0.5,
        "Low": 0.25,
        "undefined": 1.0,
    },
    "statusScore": {
        "correct": 1.0,
        "partial": 0.5,
        "inference": 0.25,
        "over": 0.25,
        "error": 0.0,
        "math_error": 0.0,
        "hallu": 0.0,
        "omission": 0.0,
        "missing": 1.0,
        "na": None,
        "unrated": None,
    },
    "coverageScore": {
        "addressed": 1.0,
        "should": 0.0,
        "gap": None,
        "out_context": None,
        "not_relevant": None,
        "unrated": None,
    },
}
"""The configuration of the contract; nobody changes it, an override is merged into a copy."""

UNDEFINED = "undefined"
"""The importance of a point that declares none."""


class PointsFault(ValueError):
    """What leaves nothing to evaluate; carries what happened and what to do."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.what = what
        self.remedy = remedy


class Weight(NamedTuple):
    """A weight as it is written, and as it is counted with."""

    value: float
    units: int


ONCE = Weight(1.0, ONE)
"""What an extra claim weighs that does not say."""


@dataclass(frozen=True, slots=True)
class Terms:
    """A configuration as it is counted with."""

    coverages: tuple[str, ...]
    statuses: tuple[str, ...]
    pairs: Mapping[tuple[str, str], tuple[str, str]]
    """Every known coverage with every known status, as itself."""

    weights: Mapping[str, Weight]
    """By importance."""

    scores: Mapping[str, int]
    """By status, in units of a score; a status that is not rated is missing."""

    covered: frozenset[str]
    """Coverages with the score 1: what was dealt with."""

    owed: frozenset[str]
    """Coverages with the score 0: what should have been dealt with."""

    plain: Mapping[str, Any]
    """The configuration as a report quotes it."""


def merged(override: Mapping[str, Any] | None) -> dict[str, Any]:
    """The configuration with what is overridden, key by key; raises PointsFault."""
    whole = {
        key: dict(value) if isinstance(value, dict) else value for key, value in CONFIG.items()
    }
    if override is None:
        return whole
    if not isinstance(override, Mapping):
        raise _fault("it is no object", "Give an object with the keys of CONFIG.")
    for key, value in override.items():
        if key not in CONFIG:
            raise _fault(f"it has the key {key!r}", f"Its keys are {', '.join(CONFIG)}.")
        if key == "version":
            if not isinstance(value, str):
                raise _fault("its version is no text", "Name the version of your weights.")
            whole[key] = value
        elif isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
            whole[key].update(value)
        else:
            raise _fault(f"{key} is no object", f"Give an object, as CONFIG has for {key}.")
    return whole


def terms(override: Mapping[str, Any] | None = None) -> Terms:
    """A configuration made ready; raises PointsFault for one that nobody could count with."""
    whole = merged(override)
    coverages, statuses = _words(whole, "coverage"), _words(whole, "status")
    _refuse_strangers(whole, "coverageScore", coverages)
    _refuse_strangers(whole, "statusScore", statuses)
    weights = {
        importance: _weight(f"defaultImportanceWeight.{importance}", value)
        for importance, value in whole["defaultImportanceWeight"].items()
    }

    scores = {
        status: _score(f"statusScore.{status}", score)
        for status, score in whole["statusScore"].items()
        if score is not None
    }
    covering = {
        coverage: _one_or_none(f"coverageScore.{coverage}", score)
        for coverage, score in whole["coverageScore"].items()
        if score is not None
    }
    return Terms(
        coverages=coverages,
        statuses=statuses,
        pairs={pair: pair for pair in product(coverages, statuses)},
        weights=weights,
        scores=scores,
        covered=frozenset(name for name, score in covering.items() if score),
        owed=frozenset(name for name, score in covering.items() if not score),
        plain=whole,
    )


def _words(whole: Mapping[str, Any], key: str) -> tuple[str, ...]:
    for name, known in whole[key].items():
        if not isinstance(known, bool):
            raise _fault(f"{key}.{name} is neither true nor false", "Say true for a known word.")
    return tuple(sorted(name for name, known in whole[key].items() if known))


def _refuse_strangers(whole: Mapping[str, Any], key: str, known: tuple[str, ...]) -> None:
    place = key.removesuffix("Score")
    for name in whole[key]:
        if name not in known and name not in CONFIG[place]:
            raise _fault(f"{key} scores {name!r}", f"Declare it in {place} too.")


def _weight(place: str, value: object) -> Weight:
    found = weight(value)
    if found is None:
        raise _fault(f"{place} is no weight", f"A weight is {WEIGHT_SAID}.")
    return found


def _score(place: str, score: object) -> int:
    found = units(score, SCORE_PLACES, 1)
    if found is None:
        raise _fault(
            f"{place} is no score",
            f"A score is a number from 0 to 1 with at most {SCORE_PLACES} decimals, or null.",
        )
    return found


def _one_or_none(place: str, score: object) -> bool:
    found = units(score, SCORE_PLACES, 1)
    if found not in (0, 10**SCORE_PLACES):
        raise _fault(f"{place} is no score of a coverage", "It is 1, 0 or null.")
    return found != 0


WEIGHT_SAID = f"a number from 0 to {WEIGHT_MOST} with at most {WEIGHT_PLACES} decimals"


def weight(value: object) -> Weight | None:
    """A weight that somebody gave; none for what is none."""
    found = units(value, WEIGHT_PLACES, WEIGHT_MOST)
    return None if found is None else Weight(float(value) + 0.0, found)  # type: ignore[arg-type]


def _fault(what: str, remedy: str) -> PointsFault:
    return PointsFault(f"The configuration can't be used: {what}.", remedy)
