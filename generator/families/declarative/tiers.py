"""Tiers: a word for the scores of all categories together, as a benchmark declares it.

`[[scoring.tiers]]` in `benchmark.toml` lists them from the highest to the lowest. Each but the last
says what the rounded score of each named category must be at least; the last takes all the rest.
"""

from collections.abc import Mapping
from decimal import Decimal

from generator.families.family import CorpusFault
from generator.records.base import Record, Share, Slug, canonical_json, fault_in
from generator.records.benchmark import Benchmark

_FILE = "../benchmark.toml"
"""Seen from the folder of the cases."""


class Tier(Record):
    """A word, and the scores that earn it."""

    id: Slug
    at_least: dict[Slug, Share] = {}
    """By category."""


class _Declared(Record):
    tiers: tuple[Tier, ...] = ()


def read_tiers(benchmark: Benchmark) -> tuple[Tier, ...]:
    """The tiers that a benchmark declares, highest first; raises CorpusFault."""
    declared = canonical_json({"tiers": benchmark.scoring.get("tiers", [])})
    try:
        tiers = _Declared.parse(declared).tiers
    except ValueError as fault:
        raise _fault(f"[scoring] tiers: {fault_in(declared, fault)}") from fault
    known = {category.id for category in benchmark.categories}
    for tier in tiers:
        for category in tier.at_least:
            if category not in known:
                message = f"the tier {tier.id!r} names the category {category!r}, which is unknown"
                raise _fault(message)
    if len({tier.id for tier in tiers}) != len(tiers):
        raise _fault("two tiers have the same id")
    if tiers and (tiers[-1].at_least or not all(tier.at_least for tier in tiers[:-1])):
        raise _fault("each tier but the last says what it asks `at_least`, and the last asks none")
    return tiers


def tier_of(
    scores: Mapping[str, Decimal | None] | Mapping[str, Decimal], tiers: tuple[Tier, ...]
) -> str | None:
    """The highest tier that rounded category scores earn.

    None where there are no tiers, or where a category that one of them asks was not measured.
    """
    asked = {category for tier in tiers for category in tier.at_least}
    measured = {name: score for name, score in scores.items() if score is not None}
    if not asked <= measured.keys():
        return None
    return next(
        (
            tier.id
            for tier in tiers
            if all(measured[category] >= least for category, least in tier.at_least.items())
        ),
        None,
    )


def _fault(what: str) -> CorpusFault:
    return CorpusFault(_FILE, what, "Mend [[scoring.tiers]]; the guide shows their form.")
