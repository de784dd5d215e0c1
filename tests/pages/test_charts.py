"""Charts: the geometry says what the figures say."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from generator.pages.charts import LABEL, LETTERS, ROW, TERMS, TICKS, WIDTH, Chart, proportions
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
