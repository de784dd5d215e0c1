"""Effort: the rows of one model at the levels that a benchmark declares, and the one to take."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from generator.records.key import EFFORT, Key
from generator.records.measure import Label
from generator.records.row import Row


@dataclass(frozen=True, slots=True)
class Sweep:
    """One system at several levels of effort, from cheap to dear."""

    rows: tuple[Row, ...]
    recommended: Row | None
    """The cheapest level that reaches the highest tier seen; none where no tier was reached."""


def sweeps(rows: Iterable[Row], levels: Sequence[str], tiers: Sequence[str]) -> tuple[Sweep, ...]:
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


def tier_in(row: Row) -> str | None:
    """The tier that a row has."""
    label = row.measure("tier")
    return label.value if isinstance(label, Label) else None


def _sweep(rows: Sequence[Row], tiers: Sequence[str]) -> Sweep:
    reached = [tier_in(row) for row in rows]
    highest = next((tier for tier in tiers if tier in reached), None)
    return Sweep(tuple(rows), None if highest is None else rows[reached.index(highest)])


def _without_effort(key: Key) -> Key:
    """The key of the same measurement at any level."""
    configuration = key.configuration
    options = configuration.options or {}
    without = {
        "axes": {axis: value for axis, value in configuration.axes.items() if axis != EFFORT},
        "options": {name: value for name, value in options.items() if name not in _ASKED_BY},
    }
    return key.model_copy(update={"configuration": configuration.model_copy(update=without)})


_ASKED_BY = frozenset(
    {"reasoning_effort", "reasoning", "thinking", "max_tokens", "max_completion_tokens"}
)
"""Options by which providers are asked for a level."""
