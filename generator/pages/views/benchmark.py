"""A benchmark's page: rows that agree stand in one table, ranked by the first shown measure."""

from collections.abc import Collection, Iterable, Iterator
from decimal import Decimal

from generator.messages import Message
from generator.pages import links
from generator.pages.charts import proportions
from generator.pages.views.figures import column, is_current, label, labels, share
from generator.pages.views.shapes import (
    BenchmarkView,
    Bounded,
    Claimed,
    Column,
    Group,
    Line,
    Page,
    Published,
    Site,
)
from generator.records.candidate import Bound, Promotion
from generator.records.measure import Ratio
from generator.records.registry import Registry
from generator.records.row import Row


def benchmark_page(site: Site, published: Published) -> Page:
    """The page of one benchmark."""
    benchmark = published.benchmark
    columns = tuple(
        found for shown in benchmark.shown if (found := column(published, shown)) is not None
    )
    rows = [row for row in site.registry.standing() if row.key.benchmark == benchmark.id]
    current = [row for row in rows if is_current(published, row.key)]
    here = {row.id for row in current}
    comparisons = [
        comparison
        for comparison in site.registry.compared()
        if {comparison.baseline, comparison.candidate} <= here
    ]
    return Page(
        links.benchmark_page(benchmark.id),
        "benchmark.md",
        Message(benchmark.title),
        Message(benchmark.summary),
        f"results/benchmarks/{benchmark.id}/",
        BenchmarkView(
            published,
            columns,
            tuple(_groups(published, columns, rows)),
            published.family.compared(published.corpus, benchmark, current, comparisons),
            published.family.inventory(published.corpus),
            tuple(_claims(site.registry, published)),
        ),
    )


def _groups(
    published: Published, columns: tuple[Column, ...], rows: Iterable[Row]
) -> Iterator[Group]:
    grouped: dict[tuple[str, str, str, str], list[Row]] = {}
    for row in rows:
        key = row.key
        harness = f"{key.harness} {key.harness_contract}"
        agreed = (key.benchmark_version, key.corpus, key.contracts, harness)
        grouped.setdefault(agreed, []).append(row)
    here = (published.benchmark.version, published.digest, published.contracts)
    for agreed, members in sorted(grouped.items(), key=lambda item: (item[0][:3] != here, item[0])):
        lines = _ranked(columns, members)
        first = [
            (line.label, figure)
            for line in lines
            for figure in line.measures[:1]
            if isinstance(figure, Ratio)
        ]
        yield Group(*agreed, agreed[:3] == here, lines, proportions(first))


def _ranked(columns: tuple[Column, ...], rows: Collection[Row]) -> tuple[Line, ...]:
    names = labels(rows)
    lines = [
        Line(
            row,
            names[row.id],
            links.row_page(row),
            tuple(row.measure(column.id) for column in columns),
        )
        for row in rows
    ]
    sign = -1 if columns and columns[0].metric.better == "higher" else 1

    def place(line: Line) -> tuple[bool, Decimal, str]:
        value = share(line.measures[0]) if line.measures else None
        return value is None, sign * (value or Decimal(0)), line.label

    return tuple(sorted(lines, key=place))


def _claims(registry: Registry, published: Published) -> Iterator[Claimed]:
    """The promoted claims about rows of a benchmark, by id, whether their rows stand or not."""
    standing = {row.id for row in registry.standing()}
    for promotion in registry.promoted(published.benchmark.id):
        row = registry.rows[promotion.row]
        yield Claimed(
            promotion,
            row,
            label(row),
            links.row_page(row),
            row.id in standing,
            tuple(_bounded(published, promotion, bound) for bound in promotion.holds),
        )


def _bounded(published: Published, promotion: Promotion, bound: Bound) -> Bounded:
    first, second = (
        next((found for found in run.measures if found.id == bound.measure), None)
        for run in promotion.runs
    )
    return Bounded(bound, column(published, bound.measure), (first, second))
