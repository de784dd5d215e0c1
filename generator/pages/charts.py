"""Geometry of charts; the drawing is a macro in `templates/chart.svg`, the words are a locale's."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from generator.families.blocks import Span
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
MOST_TICKS = 6
LINEAR_UP_TO = 20
"""How many times the smallest value the largest may be for an axis that begins at 0."""


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


@dataclass(frozen=True, slots=True)
class Line:
    """Where the two values of one thing stand; none of a value that there is not."""

    label: str
    y: int
    first: float | None
    second: float | None


@dataclass(frozen=True, slots=True)
class Spread:
    """Pairs of values below each other, on one axis."""

    lines: tuple[Line, ...]
    height: int
    ticks: tuple[tuple[Decimal, float], ...]
    """Value and position."""

    logarithmic: bool


def spread(spans: Sequence[Span]) -> Spread | None:
    """A chart of pairs of values; none where there is no value.

    The axis begins at 0, unless the small values would all stand there: then it is logarithmic,
    which a value of 0 does not allow.
    """
    values = [value for span in spans for value in (span.first, span.second) if value is not None]
    if not values:
        return None
    logarithmic = 0 < min(values) * LINEAR_UP_TO < max(values)
    low, high, marks = _decades(values) if logarithmic else _steps(max(values))

    def place(value: Decimal) -> float:
        if logarithmic:
            return _across(math.log10(value / low) / math.log10(high / low))
        return _across(float(value / high))

    names = _shortened([span.label for span in spans])
    lines = tuple(
        Line(
            label=name,
            y=TOP + ROW * number,
            first=None if span.first is None else place(span.first),
            second=None if span.second is None else place(span.second),
        )
        for number, (name, span) in enumerate(zip(names, spans, strict=True))
    )
    ticks = tuple((mark, place(mark)) for mark in marks)
    return Spread(lines, TOP + ROW * len(lines) + AXIS, ticks, logarithmic)


_Axis = tuple[Decimal, Decimal, list[Decimal]]
"""Where it begins and ends, and its ticks."""


def _steps(largest: Decimal) -> _Axis:
    """From 0 to the first tick that is not below the largest value, in round steps."""
    step = next(
        step for step in _round_numbers(largest / 1_000) if step * (MOST_TICKS - 1) >= largest
    )
    count = max(1, math.ceil(largest / step))
    ticks = [step * number for number in range(count + 1)]
    return ticks[0], ticks[-1], ticks


def _decades(values: Sequence[Decimal]) -> _Axis:
    """From round number to round number; of many round numbers, the powers of ten are ticks."""
    low, high = min(values), max(values)
    ticks: list[Decimal] = []
    for number in _round_numbers(low):
        if number <= low:
            ticks.clear()
        ticks.append(number)
        if number >= high:
            break
    powers = [tick for tick in ticks if tick.as_tuple().digits[0] == 1]
    return ticks[0], ticks[-1], ticks if len(ticks) <= MOST_TICKS else powers


def _round_numbers(start: Decimal) -> Iterator[Decimal]:
    """1, 2 and 5 times every power of ten, from not above a value on; from 1 on for 0."""
    exponent = start.adjusted() if start else 0
    while True:
        for digit in (1, 2, 5):
            number = Decimal(digit).scaleb(exponent)
            yield Decimal(int(number)) if exponent >= 0 else number
        exponent += 1


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
