"""Effort: the rows of one model at the levels that a benchmark declares, and the one to take."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from generator.families.declarative.tiers import Tier, tier_of
from generator.records.key import EFFORT, EFFORT_BY, Key
from generator.records.measure import Mean
from generator.records.row import Row


@dataclass(frozen=True, slots=True)
class Sweep:
    """One system at several levels of effort, from cheap to dear."""

    rows: tuple[Row, ...]
    tiers: tuple[str | None, ...]
    """What each of them reaches."""

    recommended: Row | None
    """The cheapest level that reaches the highest tier seen; none where no tier was reached."""


def sweeps(
    rows: Iterable[Row], levels: Sequence[str], tiers: tuple[Tier, ...]
) -> tuple[Sweep, ...]:
    """The sweeps among some rows: what agrees in everything but its effort stands together.

    `levels` are in order from cheap to dear, `tiers` from the highest to the lowest. A row at no
    declared level takes no part.
    """
    together: dict[str, list[Row]] = {}
    for row in rows:
        if row.key.configuration.axes.get(EFFORT) in levels:
            together.setdefault(_without_effort(row.key).digest, []).append(row)
    return tuple(
        _sweep(
            sorted(found, key=lambda row: levels.index(row.key.configuration.axes[EFFORT])), tiers
        )
        for found in sorted(together.values(), key=lambda found: found[0].id)
    )


def tier_in(row: Row, tiers: tuple[Tier, ...]) -> str | None:
    """The tier that a row's scores earn, whatever was asked when it was recorded."""
    scores = {
        figure.part: figure.mean
        for figure in row.measures
        if isinstance(figure, Mean) and figure.metric == "category_score"
        if figure.part is not None
    }
    return tier_of(scores, tiers)


def _sweep(rows: Sequence[Row], tiers: tuple[Tier, ...]) -> Sweep:
    reached = [tier_in(row, tiers) for row in rows]
    highest = next((tier.id for tier in tiers if tier.id in reached), None)
    recommended = None if highest is None else rows[reached.index(highest)]
    return Sweep(tuple(rows), tuple(reached), recommended)


def _without_effort(key: Key) -> Key:
    """The key of the same measurement at any level."""
    configuration = key.configuration
    axes, options = configuration.axes, configuration.options
    without: dict[str, object] = {
        "axes": {axis: value for axis, value in axes.items() if axis != EFFORT},
        "options": None
        if options is None
        else {name: value for name, value in options.items() if name not in _ASKED_BY},
    }
    if EFFORT_BY in axes:
        without["prompt"] = None  # each level has an instruction of its own
    return key.model_copy(update={"configuration": configuration.model_copy(update=without)})


_ASKED_BY = frozenset(
    {"reasoning_effort", "reasoning", "thinking", "max_tokens", "max_completion_tokens"}
)
"""Options by which providers are asked for a level."""
