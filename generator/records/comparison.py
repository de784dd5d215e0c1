"""A published statement about two rows: what differs, how they compare, what may be concluded."""

from typing import Literal

from pydantic import JsonValue, NonNegativeInt

from generator.records.base import Axis, Name, Record, Rounded, Slug, digest_of_json, slug
from generator.records.key import SHORT, Key

Method = Literal["replication", "controlled", "confounded"]
"""How many variables differ: none, one, or several, so that no difference is due to one of them."""


class Difference(Record):
    """A variable in which two configurations differ."""

    variable: Slug
    """`system`, `command`, `features`, `tool-profile`, …"""

    baseline: JsonValue = None
    candidate: JsonValue = None


class Pairs(Record):
    """Attempts at the same case in the same repetition, by which of the two succeeded."""

    both: NonNegativeInt
    baseline_only: NonNegativeInt
    candidate_only: NonNegativeInt
    neither: NonNegativeInt

    @property
    def total(self) -> int:
        """How many pairs there are."""
        return self.both + self.discordant + self.neither

    @property
    def discordant(self) -> int:
        """Pairs in which just one of the two succeeded: what tells the arms apart."""
        return self.baseline_only + self.candidate_only


class CasePairs(Record):
    """The pairs of one case, and how long successes took."""

    case: Name
    pairs: Pairs
    baseline_ms: Rounded | None = None
    """Median over the baseline's successes, in milliseconds; none without any."""

    candidate_ms: Rounded | None = None


class Estimate(Record):
    """A figure about the two together, with its 95 % interval."""

    id: Axis
    """`verified.difference`, `latency.ratio_of_medians`, `latency.median_of_ratios`."""

    n: NonNegativeInt
    """How many pairs, or cases where it is over cases, it was made of."""

    value: Rounded | None = None
    """None where there was nothing to make it of."""

    low: Rounded | None = None
    high: Rounded | None = None
    method: Slug | None = None
    """How the interval was made; none without one."""


class Test(Record):
    """A two-sided test of the hypothesis that the arms do not differ."""

    __test__ = False  # its name says nothing to pytest

    id: Slug
    """`mcnemar-exact` over pairs, `sign-exact` over cases."""

    baseline: NonNegativeInt
    """How many speak for the baseline."""

    candidate: NonNegativeInt
    p: Rounded | None = None
    """None where nothing speaks for either; 0.000001 stands for all that is no larger."""


class Contrast(Record):
    """What the observations of two rows say of each other."""

    pairs: Pairs
    left_out: NonNegativeInt = 0
    """Pairs of which an attempt counts in no measure, through no fault of its system."""

    cases: tuple[CasePairs, ...]
    estimates: tuple[Estimate, ...]
    tests: tuple[Test, ...]
    fewest: NonNegativeInt
    """The fewest discordant pairs, all in one direction, that would have told the arms apart."""


class Comparison(Record):
    """Two rows of one run beside each other."""

    format: Literal["assay.comparison/1"]
    id: Slug
    benchmark: Slug
    baseline: Slug
    """Id of the row."""

    candidate: Slug
    differs: tuple[Difference, ...]
    method: Method
    contrast: Contrast

    @property
    def expected_id(self) -> str:
        """The id that follows from the two rows."""
        return comparison_id(self.baseline, self.candidate)


def comparison_id(baseline: str, candidate: str) -> str:
    """What the comparison of two rows is called."""
    readable = slug(" ".join(row.rsplit("-", 2)[0][:40] for row in (baseline, candidate)), limit=85)
    return f"{readable}-{digest_of_json([baseline, candidate])[:SHORT]}"


def audit(baseline: Key, candidate: Key) -> tuple[tuple[Difference, ...], Method]:
    """In which variables two measurements differ, and what that makes of their comparison.

    A system is one variable, whatever its revision stands on; of two systems, how each of them is
    called belongs to what it is.
    """
    one, other = _variables(baseline), _variables(candidate)
    two_systems = one["system"] != other["system"]
    differs = tuple(
        Difference(variable=name, baseline=one.get(name), candidate=other.get(name))
        for name in dict.fromkeys((*one, *other))
        if one.get(name) != other.get(name) and not (two_systems and name in _OF_SYSTEM)
    )
    methods: tuple[Method, Method, Method] = ("replication", "controlled", "confounded")
    return differs, methods[min(len(differs), 2)]


_OWN = {"command": "command", "features": "features", "toolProfile": "tool-profile"}
"""Options that are variables of their own, as arms have them."""

_OF_SYSTEM = frozenset({"command", "options"})


def _variables(key: Key) -> dict[str, JsonValue]:
    own = key.configuration
    options = own.options or {}
    return {
        "system": {
            "provider": key.provider,
            "model": key.model,
            "revision": key.revision,
            "runtime": None if key.runtime is None else key.runtime.plain(),
        },
        **{variable: options.get(name) for name, variable in _OWN.items()},
        "options": {name: value for name, value in options.items() if name not in _OWN},
        "surface": own.surface,
        "prompt": own.prompt,
        "tools": key.tools,
        **own.axes,
    }
