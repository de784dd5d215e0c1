"""Charts: the geometry says what the figures say."""

import itertools
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.families.blocks import Span
from generator.pages.charts import (
    LABEL,
    LETTERS,
    LINEAR_UP_TO,
    MOST_TICKS,
    ROW,
    TERMS,
    TICKS,
    WIDTH,
    Chart,
    Spread,
    proportions,
    spread,
)
from generator.records.measure import Ratio
from tests.pages.sample import ratio

RIGHT = WIDTH - TERMS
TERM = st.integers(0, 10_000)
FIGURE = st.tuples(TERM, TERM).map(lambda terms: ratio(min(terms), max(terms)))
FIGURES = st.lists(FIGURE, max_size=12)


def chart_of(*figures: Ratio) -> Chart:
    """The chart of figures of which something was measured."""
    found = proportions([(str(number), figure) for number, figure in enumerate(figures)])
    assert found is not None
    return found


@settings(deadline=None)
@given(FIGURES)
def test_a_bar_for_each_system_that_was_measured(figures: list[Ratio]) -> None:
    """Where nothing was measured there is no bar, and without a bar there is no chart."""
    measured = [figure for figure in figures if figure.denominator]
    chart = proportions([("x", figure) for figure in figures])
    assert (chart is None) == (not measured)
    if chart is not None:
        assert [bar.figure for bar in chart.bars] == measured


@settings(deadline=None)
@given(FIGURES.filter(lambda figures: any(figure.denominator for figure in figures)))
def test_everything_stands_within_the_drawing(figures: list[Ratio]) -> None:
    """Bars and intervals lie between 0 and 100 %, one row below the other, above the axis."""
    chart = chart_of(*figures)
    for bar in chart.bars:
        assert LABEL <= bar.low <= bar.high <= RIGHT
        assert 0 <= bar.length <= RIGHT - LABEL
        assert 0 <= bar.y <= bar.y + ROW <= chart.height
    assert all(lower.y - upper.y == ROW for upper, lower in itertools.pairwise(chart.bars))


@settings(deadline=None)
@given(FIGURES.filter(lambda figures: any(figure.denominator for figure in figures)))
def test_an_interval_lies_across_the_end_of_its_bar(figures: list[Ratio]) -> None:
    """The interval of a proportion encloses it, and is never without width."""
    for bar in chart_of(*figures).bars:
        assert bar.low <= LABEL + bar.length <= bar.high
        assert bar.low < bar.high


@settings(deadline=None)
@given(FIGURE, FIGURE)
def test_a_greater_share_is_no_shorter_bar(one: Ratio, other: Ratio) -> None:
    """The length of a bar grows with its share, and equal shares are equally long."""
    if one.denominator and other.denominator:
        left, right = chart_of(one, other).bars
        ours = one.numerator * other.denominator
        theirs = other.numerator * one.denominator
        assert (left.length <= right.length) if ours <= theirs else (left.length >= right.length)
        assert ours != theirs or left.length == right.length


def test_none_and_all_reach_the_ends() -> None:
    """No share has no length, all of it reaches the 100 % of the axis."""
    none, every = chart_of(ratio(0, 7), ratio(7, 7)).bars
    assert (none.length, LABEL + every.length) == (0, RIGHT)


def test_more_attempts_make_a_narrower_interval() -> None:
    """The same share of more attempts is known better."""
    few, many = chart_of(ratio(5, 10), ratio(500, 1000)).bars
    assert few.length == many.length
    assert few.low < many.low
    assert many.high < few.high


def test_the_axis_goes_from_nothing_to_all() -> None:
    """Ticks stand at their percentages, evenly, from the start of the bars to their longest end."""
    ticks = chart_of(ratio(1, 2)).ticks
    assert [percent for percent, _ in ticks] == list(TICKS) == [0, 25, 50, 75, 100]
    assert [place for _, place in ticks] == [LABEL + (RIGHT - LABEL) * at / 4 for at in range(5)]


def test_a_bar_keeps_the_name_of_its_system() -> None:
    """A label is kept as it is; it is escaped where the chart is drawn."""
    chart = proportions([("<a>", ratio(0, 0)), ("<b>", ratio(1, 2))])
    assert chart is not None
    assert [bar.label for bar in chart.bars] == ["<b>"]


def names(*labels: str) -> list[str]:
    """The names beside the bars of systems that are labelled so."""
    chart = proportions([(label, ratio(1, 2)) for label in labels])
    assert chart is not None
    return [bar.label for bar in chart.bars]


def test_a_long_name_keeps_both_of_its_ends() -> None:
    """Of two revisions of one model, or two levels of its effort, each can be told in the chart."""
    assert names("x" * LETTERS) == ["x" * LETTERS]
    long = "a-rather-long-name-of-a-model@xhigh 1.0"
    assert names(long) == ["a-rather-long…odel@xhigh 1.0"]
    assert len(names(long)[0]) == LETTERS
    assert len(set(names(long, long.replace("xhigh", "low"), long.replace("1.0", "2.0")))) == 3


def test_long_names_that_end_alike_keep_their_beginning() -> None:
    """Where the ends leave two names alike, what stands in their middle is shown instead."""
    alike = [f"parrot-instruct@{level} 2026-03-18 prompted" for level in ("low", "none")]
    assert names(*alike) == ["parrot-instruct@low 2026-03…", "parrot-instruct@none 2026-0…"]


VALUE = st.one_of(st.none(), st.integers(0, 10**12).map(lambda us: Decimal(us).scaleb(-3)))
SPAN = st.builds(Span, st.text(max_size=40), VALUE, VALUE)
SPANS = st.lists(SPAN, min_size=1, max_size=12)


def spread_of(*values: str | None) -> Spread:
    """The spread of values, of which each two belong together."""
    known = [None if value is None else Decimal(value) for value in values]
    pairs = zip(known[::2], known[1::2], strict=True)
    found = spread([Span(str(number), *pair) for number, pair in enumerate(pairs)])
    assert found is not None
    return found


def ticks(of: Spread) -> list[str]:
    """The values of its ticks."""
    return [f"{value:f}" for value, _ in of.ticks]


def measured(spans: list[Span]) -> list[Decimal]:
    """The values that there are."""
    every = [value for span in spans for value in (span.first, span.second)]
    return [value for value in every if value is not None]


@given(SPANS)
def test_a_spread_has_a_line_for_each_thing(spans: list[Span]) -> None:
    """A value that lacks has no place; without any value there is no chart."""
    found = spread(spans)
    assert (found is None) == (not measured(spans))
    if found is not None:
        assert [(line.first is None, line.second is None) for line in found.lines] == [
            (span.first is None, span.second is None) for span in spans
        ]


@given(SPANS.filter(measured))
def test_values_stand_within_the_axis_and_in_their_order(spans: list[Span]) -> None:
    """On one axis for all, above which each line has its row; equal values stand alike."""
    found = spread(spans)
    assert found is not None
    places: dict[Decimal, float] = {}
    for line, span in zip(found.lines, spans, strict=True):
        for place, value in ((line.first, span.first), (line.second, span.second)):
            if place is not None and value is not None:
                assert LABEL <= place <= RIGHT
                assert places.setdefault(value, place) == place
        assert 0 <= line.y <= line.y + ROW <= found.height
    ordered = [places[value] for value in sorted(places)]
    assert ordered == sorted(ordered)


@given(SPANS.filter(measured))
def test_the_axis_has_a_few_round_ticks_in_order(spans: list[Span]) -> None:
    """Linear from 0 to its end; logarithmic where that would crowd what is small."""
    found, values = spread(spans), measured(spans)
    assert found is not None
    assert found.logarithmic == (0 < min(values) * LINEAR_UP_TO < max(values))
    places = [place for _, place in found.ticks]
    assert places == sorted(set(places))
    assert len(places) >= 2
    assert LABEL <= places[0] <= places[-1] <= RIGHT
    if not found.logarithmic:
        assert len(places) <= MOST_TICKS
        assert (found.ticks[0][0], *places[:: len(places) - 1]) == (0, LABEL, RIGHT)
        assert found.ticks[-1][0] >= max(values)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["0", "0"], ["0", "1"]),
        (["1", "20"], ["0", "5", "10", "15", "20"]),
        (["90.5", "100"], ["0", "20", "40", "60", "80", "100"]),
        (["100.001", "7"], ["0", "50", "100", "150"]),
        (["0.3", "0.07"], ["0.0", "0.1", "0.2", "0.3"]),
        (["0", "5000"], ["0", "1000", "2000", "3000", "4000", "5000"]),
        (["1", "21"], ["1", "2", "5", "10", "20", "50"]),
        (["9", "600"], ["10", "100", "1000"]),
        (["0.002", "0.05"], ["0.002", "0.005", "0.01", "0.02", "0.05"]),
        (["3", "3000000"], ["10", "100", "1000", "10000", "100000", "1000000"]),
    ],
)
def test_ticks_are_round_numbers(values: list[str], expected: list[str]) -> None:
    """1, 2 or 5 times a power of ten apart; of many on a logarithmic axis, the powers."""
    assert ticks(spread_of(*values)) == expected


def test_equal_ratios_are_equal_ways_on_a_logarithmic_axis() -> None:
    """Whether a small time was halved or a large one."""
    found = spread_of("1", "2", "500", "1000")
    assert found.logarithmic
    small, large = found.lines
    assert None not in (small.first, small.second, large.first, large.second)
    assert small.second - small.first == pytest.approx(large.second - large.first, abs=0.11)  # type: ignore[operator]


def test_a_zero_has_no_place_on_a_logarithmic_axis() -> None:
    """So an axis with a zero begins there."""
    found = spread_of("0", "1000", "1", None)
    assert not found.logarithmic
    assert (found.lines[0].first, found.lines[1].second) == (LABEL, None)


def test_a_long_label_is_shortened_as_the_name_of_a_system_is() -> None:
    """The table beside it has all of it."""
    (line,) = spread([Span("x" * 99, Decimal(1), None)]).lines  # type: ignore[union-attr]
    assert line.label == names("x" * 99)[0]
