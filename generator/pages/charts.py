"""Geometry of charts; the drawing is a macro in `templates/chart.svg`, the words are a locale's."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from generator.records.measure import Ratio
from generator.statistics.intervals import wilson

WIDTH = 800
LABEL = 240
LETTERS = 28
"""How much of a name fits beside its bar, in a wide font too; the table has all of it."""

TERMS = 90
ROW = 30
TOP = 8
AXIS = 30
TICKS = (0, 25, 50, 75, 100)


@dataclass(frozen=True, slots=True)
class Bar:
    """One system's proportion, with its interval, in the chart's units."""

    label: str
    figure: Ratio
    y: int
    length: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Chart:
    """Proportions below each other, from 0 to 100 %."""

    bars: tuple[Bar, ...]
    height: int
    ticks: tuple[tuple[int, float], ...]
    """Percent and position."""


def proportions(lines: Sequence[tuple[str, Ratio]]) -> Chart | None:
    """A chart of proportions with 95 % Wilson intervals; none where nothing was measured."""
    bars: list[Bar] = []
    names = _shortened([label for label, _ in lines])
    for name, (_, figure) in zip(names, lines, strict=True):
        interval = wilson(figure.numerator, figure.denominator)
        if interval is not None:
            low, high = interval
            bars.append(
                Bar(
                    label=name,
                    figure=figure,
                    y=TOP + ROW * len(bars),
                    length=_across(figure.numerator / figure.denominator) - LABEL,
                    low=_across(low),
                    high=_across(high),
                )
            )
    if not bars:
        return None
    ticks = tuple((percent, _across(percent / 100)) for percent in TICKS)
    return Chart(tuple(bars), TOP + ROW * len(bars) + AXIS, ticks)


def _shortened(labels: Sequence[str]) -> list[str]:
    """Names without their middle, or without their end where that alone tells them apart."""
    half = LETTERS // 2
    names = [
        label if len(label) <= LETTERS else f"{label[: half - 1]}…{label[-half:]}"
        for label in labels
    ]
    found = Counter(names)
    return [
        name if found[name] == 1 else f"{label[: LETTERS - 1]}…"
        for name, label in zip(names, labels, strict=True)
    ]


def _across(share: float) -> float:
    return round(LABEL + share * (WIDTH - LABEL - TERMS), 1)
