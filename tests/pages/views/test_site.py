"""All pages of a site: which there are, what they list, and what became of every row."""

from generator.families.catalog import FAMILIES
from generator.messages import Message
from generator.pages.views.shapes import (
    BenchmarkView,
    HistoryView,
    HomeView,
    MetricsView,
    MetricView,
    Page,
    RowView,
    RulesView,
    Site,
)
from generator.pages.views.site import pages
from generator.provenance.rules import RULES
from tests.pages.sample import HERE, published, recorded, site, tiny, withdrawn

ALWAYS = ["index.md", "benchmarks/index.md", "metrics/index.md", "rules.md", "history.md"]


def by_path(of: Site) -> dict[str, Page]:
    """The pages of a site; none stands twice."""
    every = list(pages(of))
    found = {page.path: page for page in every}
    assert len(found) == len(every)
    return found


def history(of: Site) -> HistoryView:
    """What the page of the history shows."""
    view = by_path(of)["history.md"].view
    assert isinstance(view, HistoryView)
    return view


def home(of: Site) -> HomeView:
    """What the first page shows."""
    view = by_path(of)["index.md"].view
    assert isinstance(view, HomeView)
    return view


def test_an_empty_site_has_its_lists() -> None:
    """Without benchmarks and rows the pages that list them are there, and empty."""
    found = by_path(site(benchmarks=[]))
    assert list(found) == ALWAYS
    assert home(site(benchmarks=[])) == HomeView((), 0)
    assert found["metrics/index.md"].view == MetricsView(())
    assert found["history.md"].view == HistoryView(())


def test_every_benchmark_metric_and_row_has_a_page() -> None:
    """What is published can be looked up: nothing is without a page, nothing has two."""
    found = by_path(tiny())
    kinds = [type(page.view) for page in found.values()]
    assert kinds.count(BenchmarkView) == 1
    assert kinds.count(MetricView) == len(HERE.family.metrics)
    assert kinds.count(RowView) == len(tiny().registry.rows) == 4
    assert kinds.count(RulesView) == kinds.count(HistoryView) == kinds.count(MetricsView) == 1
    assert kinds.count(HomeView) == 2


def test_replaced_and_withdrawn_rows_keep_their_pages() -> None:
    """What was once published can be looked up for good."""
    first = recorded("a", {"curt-hey": "Hm?"})
    second = recorded("a", supersedes=first.row)
    found = by_path(site(first, second, withdrawals=[withdrawn(second)]))
    for row in (first.row, second.row):
        assert f"results/greetings/{row.id}.md" in found


def test_rows_stand_in_the_order_of_their_names() -> None:
    """The order of pages depends on ids alone, not on the order in which files were read."""
    rows = [recorded(name) for name in "cab"]
    forwards, backwards = by_path(site(*rows)), by_path(site(*reversed(rows)))
    assert list(forwards) == list(backwards)


def test_a_list_counts_the_rows_that_stand() -> None:
    """A benchmark is listed with its cases, its standing rows and the newest of their runs."""
    (entry,) = home(tiny()).benchmarks
    assert (entry.cases, entry.rows) == (3, 2)
    assert entry.newest == "2026-03-21T10:05:00Z"
    assert entry.page == "benchmarks/greetings.md"
    assert home(tiny()).rows == 2


def test_a_benchmark_without_rows_is_listed() -> None:
    """A benchmark that nobody has run yet is there, with no newest run."""
    (entry,) = home(site()).benchmarks
    assert (entry.rows, entry.newest) == (0, None)


def test_rows_of_a_benchmark_that_is_gone_count_as_standing() -> None:
    """They are no benchmark's, and are counted all the same."""
    assert home(site(recorded(benchmark="farewells"))).rows == 1
    assert home(site(recorded(benchmark="farewells"))).benchmarks[0].rows == 0


def test_metrics_are_those_of_the_families_in_use() -> None:
    """A metric's page lists the benchmarks that show it, in any of its parts."""
    found = by_path(site(benchmarks=[published(shown=("passed.polite", "checks"))]))
    shown = {
        page.view.metric.id: [entry.benchmark.id for entry in page.view.shown_by]
        for page in found.values()
        if isinstance(page.view, MetricView)
    }
    (family,) = (family for family in FAMILIES if family.id == "declarative")
    assert list(shown) == [metric.id for metric in family.metrics]
    assert [metric for metric, benchmarks in shown.items() if benchmarks] == ["passed", "checks"]


def test_every_rule_of_the_gate_is_told() -> None:
    """The page of rules holds all of them, in their order."""
    assert by_path(site())["rules.md"].view == RulesView(RULES)


def test_history_tells_the_newest_first() -> None:
    """Publications and withdrawals stand by their moment, newest first; at one moment by row."""
    events = history(tiny()).events
    assert [event.when for event in events] == [
        "2026-04-01T08:00:00Z",
        "2026-03-21T10:05:00Z",
        "2026-03-20T10:05:00Z",
        "2026-03-19T10:05:00Z",
        "2026-03-18T10:05:00Z",
    ]
    same = history(site(recorded("b"), recorded("a"), recorded("c"))).events
    assert [event.label[0] for event in same] == ["c", "b", "a"]


def test_history_tells_what_became_of_each_row() -> None:
    """Every row was published, perhaps in place of another; a withdrawal is an event of its own."""
    on = tiny()
    events = history(on).events
    assert {event.row.id for event in events if event.withdrawal is None} == set(on.registry.rows)
    (back,) = (event for event in events if event.withdrawal)
    assert back.row.id in on.registry.withdrawals
    (newer,) = (event for event in events if event.supersedes)
    assert newer.supersedes == on.registry.rows[newer.row.supersedes or ""]
    assert all(event.benchmark == Message("Greetings") for event in events)


def test_only_pages_of_single_rows_are_left_out_of_search() -> None:
    """The search index is loaded with every page, so it holds what explains."""
    for page in pages(tiny()):
        assert page.searched == (not isinstance(page.view, RowView)), page.path
