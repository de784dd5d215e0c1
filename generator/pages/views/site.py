"""Every generated page of a site, one after the other."""

from collections.abc import Iterator

from generator.families.catalog import FAMILIES
from generator.families.family import Family, Metric
from generator.messages import N_, Message
from generator.pages import links
from generator.pages.views.benchmark import benchmark_page
from generator.pages.views.figures import label, title_of
from generator.pages.views.row import row_page
from generator.pages.views.shapes import (
    Event,
    HistoryView,
    HomeView,
    ListedBenchmark,
    MetricsView,
    MetricView,
    Page,
    Published,
    RulesView,
    Site,
)
from generator.provenance.rules import RULES


def pages(site: Site) -> Iterator[Page]:
    """Every generated page; a row's observations are read when its turn comes."""
    listed = tuple(_listed(site, published) for published in site.benchmarks)
    yield from _entrances(site, listed)
    for published in site.benchmarks:
        yield benchmark_page(site, published)
    yield from _explanations(site, listed)
    yield from _gate(site)
    for row in sorted(site.registry.rows.values(), key=lambda row: (row.key.benchmark, row.id)):
        yield row_page(site, row)


def _entrances(site: Site, listed: tuple[ListedBenchmark, ...]) -> Iterator[Page]:
    view = HomeView(listed, len(site.registry.standing()))
    yield Page(
        "index.md",
        "home.md",
        Message(N_("Results that can be checked")),
        Message(
            N_("Published evaluation results, each traced to a commit, a corpus and evidence.")
        ),
        "results/",
        view,
    )
    yield Page(
        "benchmarks/index.md",
        "benchmarks.md",
        Message(N_("Benchmarks")),
        Message(N_("All benchmarks, with how many results each has.")),
        "results/benchmarks/",
        view,
    )


def _explanations(site: Site, listed: tuple[ListedBenchmark, ...]) -> Iterator[Page]:
    metrics = tuple(_metric(family, metric, site, listed) for family, metric in _metrics(site))
    yield Page(
        "metrics/index.md",
        "metrics.md",
        Message(N_("Metrics")),
        Message(N_("What each figure says, what it is out of, and which way is better.")),
        "generator/families/",
        MetricsView(metrics),
    )
    for view in metrics:
        yield Page(
            view.page,
            "metric.md",
            Message(view.metric.title),
            Message(view.metric.says),
            f"generator/families/{view.family}/",
            view,
        )


def _gate(site: Site) -> Iterator[Page]:
    yield Page(
        "rules.md",
        "rules.md",
        Message(N_("What may be published")),
        Message(N_("The rules of the gate: what each refuses, why, and what to do about it.")),
        "generator/provenance/rules.py",
        RulesView(RULES),
    )
    yield Page(
        "history.md",
        "history.md",
        Message(N_("History")),
        Message(N_("What was published, replaced and withdrawn, newest first.")),
        "results/registry/",
        HistoryView(tuple(_events(site))),
    )


def _listed(site: Site, published: Published) -> ListedBenchmark:
    benchmark = published.benchmark
    rows = [row for row in site.registry.standing() if row.key.benchmark == benchmark.id]
    return ListedBenchmark(
        benchmark,
        links.benchmark_page(benchmark.id),
        len(published.corpus.cases),
        len(rows),
        max((row.run.finished for row in rows), default=None),
    )


def _metrics(site: Site) -> Iterator[tuple[Family, Metric]]:
    used = {published.family.id for published in site.benchmarks}
    for family in FAMILIES:
        if family.id in used:
            for metric in family.metrics:
                yield family, metric


def _metric(
    family: Family, metric: Metric, site: Site, listed: tuple[ListedBenchmark, ...]
) -> MetricView:
    shown_by = tuple(
        entry
        for entry, published in zip(listed, site.benchmarks, strict=True)
        if published.family.id == family.id
        and any(shown.partition(".")[0] == metric.id for shown in published.benchmark.shown)
    )
    return MetricView(family.id, metric, links.metric_page(family.id, metric.id), shown_by)


def _events(site: Site) -> Iterator[Event]:
    registry = site.registry
    events = []
    for row in registry.rows.values():
        about = (
            row,
            label(row),
            links.row_page(row),
            title_of(site, row),
            registry.rows.get(row.supersedes) if row.supersedes else None,
        )
        events.append(Event(row.run.finished, *about, None))
        withdrawal = registry.withdrawals.get(row.id)
        if withdrawal is not None:
            events.append(Event(withdrawal.withdrawn, *about, withdrawal))
    yield from sorted(events, key=lambda event: (event.when, event.row.id), reverse=True)
