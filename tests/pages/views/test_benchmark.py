"""A benchmark's page: which rows stand together, and in which order."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.families.blocks import Table
from generator.messages import Message
from generator.pages.views.benchmark import benchmark_page
from generator.pages.views.shapes import BenchmarkView, Group, Page, Site
from generator.records.measure import Mean
from tests.pages.sample import HERE, Recorded, published, ratio, recorded, site, withdrawn

OTHER = "f" * 64


def page_of(of: Site) -> Page:
    """The page of the site's benchmark."""
    return benchmark_page(of, of.benchmarks[0])


def view_of(of: Site) -> BenchmarkView:
    """What that page shows."""
    view = page_of(of).view
    assert isinstance(view, BenchmarkView)
    return view


def groups_of(*rows: Recorded) -> tuple[Group, ...]:
    """The tables of these rows."""
    return view_of(site(*rows)).groups


def labels(group: Group) -> list[str]:
    """The systems of a table, in its order."""
    return [line.label for line in group.lines]


def test_the_page_is_the_benchmarks() -> None:
    """Its path, title, description and source are those of the benchmark's own file."""
    page = page_of(site())
    assert page.path == "benchmarks/greetings.md"
    assert page.title == Message("Greetings")
    assert page.description == Message("Whether a system greets back.")
    assert page.source == "results/benchmarks/greetings/"
    assert page.searched


def test_without_a_row_there_is_no_table() -> None:
    """Nothing published is no group: the page says so in words."""
    assert view_of(site()).groups == ()


def test_rows_that_agree_stand_in_one_table() -> None:
    """Systems and configurations differ within a table; what they were asked does not."""
    (group,) = groups_of(
        recorded("a"), recorded("b", runtime=None), recorded("c", configuration={"surface": "x"})
    )
    assert labels(group) == ["a 1.0", "b 1.0", "c 1.0"]
    assert (group.version, group.harness) == ("1", "greeter 1")
    assert (group.corpus, group.contracts) == (HERE.digest, HERE.contracts)
    assert group.current


@pytest.mark.parametrize(
    ("changed", "current"),
    [
        ({"benchmark_version": "0"}, False),
        ({"corpus": OTHER}, False),
        ({"contracts": OTHER}, False),
        ({"harness": "another"}, True),
        ({"harness_contract": 2}, True),
    ],
)
def test_rows_that_do_not_agree_stand_apart(changed: dict[str, Any], current: bool) -> None:  # noqa: FBT001
    """Another version, corpus, contracts or harness is another table; older questions are told."""
    groups = groups_of(recorded("a"), recorded("b", **changed))
    assert sorted(labels(group) for group in groups) == [["a 1.0"], ["b 1.0"]]
    flags = {labels(group)[0]: group.current for group in groups}
    assert flags == {"a 1.0": True, "b 1.0": current}


@settings(deadline=None)
@given(st.permutations(range(5)))
def test_the_questions_of_today_come_first(order: list[int]) -> None:
    """Tables on the corpus at hand stand above all others, whatever the order of the rows."""
    rows = [
        recorded("z"),
        recorded("a", corpus="0" * 64),
        recorded("b", corpus=OTHER),
        recorded("c", benchmark_version="0"),
        recorded("d", harness="aardvark"),
    ]
    groups = groups_of(*(rows[place] for place in order))
    assert [group.current for group in groups] == [True, True, False, False, False]
    assert [labels(group)[0][0] for group in groups] == ["d", "z", "c", "a", "b"]


def test_rows_of_another_benchmark_stand_elsewhere() -> None:
    """A benchmark's page holds its own rows only."""
    (group,) = groups_of(recorded("a"), recorded("b", benchmark="farewells"))
    assert labels(group) == ["a 1.0"]


def test_replaced_and_withdrawn_rows_leave_the_table() -> None:
    """Only rows that stand are compared."""
    first = recorded("a", {"curt-hey": "Hm?"})
    second = recorded("a", supersedes=first.row)
    gone = recorded("b")
    view = view_of(site(first, second, gone, withdrawals=[withdrawn(gone)]))
    assert [line.row.id for group in view.groups for line in group.lines] == [second.row.id]
    withdrawn_too = site(first, second, withdrawals=[withdrawn(second)])
    assert view_of(withdrawn_too).groups == ()


def test_the_best_row_stands_first() -> None:
    """Rows are ranked by the first shown measure; it is the share that counts."""
    (group,) = groups_of(
        recorded("a").with_figures(ratio(9, 100)),
        recorded("b").with_figures(ratio(1, 1)),
        recorded("c").with_figures(ratio(2, 3)),
    )
    assert labels(group) == ["b 1.0", "c 1.0", "a 1.0"]


def test_equal_rows_stand_in_the_order_of_their_names() -> None:
    """A tie is broken by the label, so that every machine draws the same table."""
    names = ["b", "C", "a", "ä"]
    (group,) = groups_of(*(recorded(name).with_figures(ratio(2, 4)) for name in names))
    assert labels(group) == ["C 1.0", "a 1.0", "b 1.0", "ä 1.0"]


def test_what_was_not_measured_stands_last() -> None:
    """A row without the figure is below every row with one, even one of zero; ties by label."""
    (group,) = groups_of(
        recorded("a").with_figures(ratio(0, 0)),
        recorded("b").with_figures(),
        recorded("c").with_figures(ratio(0, 5)),
        recorded("d").with_figures(ratio(5, 5)),
    )
    assert labels(group) == ["d 1.0", "c 1.0", "a 1.0", "b 1.0"]


def test_where_lower_is_better_the_lowest_stands_first() -> None:
    """The metric of the first column says which way is up; nothing measured is last either way."""
    rows = [
        recorded("a").with_figures(ratio(3, 4, "wrong")),
        recorded("b").with_figures(ratio(0, 0, "wrong")),
        recorded("c").with_figures(ratio(1, 4, "wrong")),
    ]
    view = view_of(site(*rows, benchmarks=[published(shown=("wrong", "passed"))]))
    assert labels(view.groups[0]) == ["c 1.0", "a 1.0", "b 1.0"]


def test_a_mean_ranks_by_its_value() -> None:
    """Any measure with a number can stand first, and one without values is last."""
    figures = {"a": None, "b": "0.50", "c": "0.75"}
    rows = [
        recorded(name).with_figures(
            Mean.parse(
                f'{{"metric": "category_score", "part": "polite", "n": {1 if mean else 0}'
                + (f', "mean": "{mean}"}}' if mean else "}")
            )
        )
        for name, mean in figures.items()
    ]
    view = view_of(site(*rows, benchmarks=[published(shown=("category_score.polite",))]))
    assert labels(view.groups[0]) == ["c 1.0", "b 1.0", "a 1.0"]
    assert view.groups[0].chart is None


def test_columns_are_those_that_the_benchmark_shows() -> None:
    """Each shown measure is a column in its order, titled by its part; an unknown one is none."""
    shown = ("wrong", "passed.curt", "unheard_of", "passed.elsewhere")
    columns = view_of(site(benchmarks=[published(shown=shown)])).columns
    assert [column.id for column in columns] == ["wrong", "passed.curt", "passed.elsewhere"]
    assert [column.metric.id for column in columns] == ["wrong", "passed", "passed"]
    whole, known, unknown = (column.part for column in columns)
    assert whole is None
    assert known == Message("Curt greetings")
    assert unknown is not None
    assert columns[1].page == "metrics/declarative/passed.md"


def test_a_line_has_a_figure_for_each_column() -> None:
    """A measure that a row lacks leaves a gap in its place, and shifts no other."""
    (group,) = groups_of(recorded("a").with_figures(ratio(1, 3, "wrong")))
    (line,) = group.lines
    assert line.measures == (None, None, None, None, ratio(1, 3, "wrong"))
    assert line.page == f"results/greetings/{line.row.id}.md"


def test_the_chart_shows_what_the_table_ranks_by() -> None:
    """Bars stand in the order of the table, one for each system that was measured."""
    (group,) = groups_of(
        recorded("a").with_figures(ratio(1, 4)),
        recorded("b").with_figures(ratio(0, 0)),
        recorded("c").with_figures(ratio(3, 4)),
    )
    assert group.chart is not None
    assert [bar.label for bar in group.chart.bars] == ["c 1.0", "a 1.0"]
    assert groups_of(recorded("b").with_figures(ratio(0, 0)))[0].chart is None


def test_every_case_is_listed() -> None:
    """The inventory has a table for each category, in the benchmark's order, and all its cases."""
    tables = [table for table in view_of(site()).inventory if isinstance(table, Table)]
    assert [table.caption for table in tables] == [
        Message("Polite greetings"),
        Message("Curt greetings"),
    ]
    assert [len(table.rows) for table in tables] == [2, 1]
