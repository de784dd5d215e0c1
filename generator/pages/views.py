"""What stands on each page: numbers and links, and messages to be said, but no words.

`pages` goes from everything that is published to one `Page` after the other. A view is the same
for every locale, so it is made once; `render` then says it in each of them.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from generator.families.blocks import Block, Cell, Code, Lines, Quote
from generator.families.catalog import FAMILIES
from generator.families.family import Corpus, Family, Metric
from generator.messages import N_, Message
from generator.pages import links
from generator.pages.charts import Chart, proportions
from generator.provenance.rules import RULES, Rule
from generator.records.base import HEX_ON_PAGES
from generator.records.benchmark import Benchmark
from generator.records.bundle import Attempt, Tree
from generator.records.measure import Measure, Ratio
from generator.records.registry import Registry
from generator.records.row import Row, Withdrawal


@dataclass(frozen=True, slots=True)
class Prose:
    """A benchmark's own text in one locale."""

    text: str
    """Markdown without front matter."""

    locale: str
    """The locale that it is written in: the source's where there is no translation."""

    behind: bool
    """Whether the source text has moved on since it was translated."""


@dataclass(frozen=True, slots=True)
class Published:
    """A benchmark as it stands in the work tree."""

    benchmark: Benchmark
    family: Family
    corpus: Corpus
    digest: str
    contracts: str
    prose: Mapping[str, Prose]
    """By the locale of the page."""


@dataclass(frozen=True, slots=True)
class Site:
    """Everything that pages are drawn from."""

    benchmarks: tuple[Published, ...]
    registry: Registry
    attempts: Callable[[Row], Iterable[Attempt]]
    """The observations behind a row."""

    corpus: Callable[[Row], Corpus | None]
    """The corpus that a row was asked; none where it is not at hand."""

    rehearsal: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """One page, in no language yet."""

    path: str
    """Below `docs/<locale>/`."""

    template: str
    title: Message
    description: Message
    source: str
    """What it is drawn from, relative to the root of the project."""

    view: object
    searched: bool = True
    """Whether the search index holds it."""


@dataclass(frozen=True, slots=True)
class Column:
    """A measure in a table of results."""

    id: str
    metric: Metric
    part: Cell | None
    """The part of the benchmark that it speaks of; none for all of it."""

    page: str
    """Path of the metric's page."""


@dataclass(frozen=True, slots=True)
class Line:
    """A row in a table of results."""

    row: Row
    label: str
    page: str
    measures: tuple[Measure | None, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that agree on benchmark version, corpus, contracts and harness."""

    version: str
    corpus: str
    contracts: str
    harness: str
    current: bool
    lines: tuple[Line, ...]
    chart: Chart | None


@dataclass(frozen=True, slots=True)
class BenchmarkView:
    """A benchmark's page."""

    published: Published
    columns: tuple[Column, ...]
    groups: tuple[Group, ...]
    """Those of the corpus at hand first."""

    inventory: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class ListedBenchmark:
    """A benchmark in a list of benchmarks."""

    benchmark: Benchmark
    page: str
    cases: int
    rows: int
    newest: str | None
    """When its newest run ended."""


@dataclass(frozen=True, slots=True)
class MetricView:
    """A metric's page."""

    family: str
    metric: Metric
    page: str
    shown_by: tuple[ListedBenchmark, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A name and what is to be said under it."""

    name: Message
    cell: Cell


@dataclass(frozen=True, slots=True)
class Figure:
    """A measure of a row, with what it means."""

    measure: Measure
    column: Column


@dataclass(frozen=True, slots=True)
class RowView:
    """A row's page."""

    row: Row
    label: str
    benchmark: Cell
    benchmark_page: str
    figures: tuple[Figure, ...]
    observed: tuple[Block, ...]
    provenance: tuple[Entry, ...]
    withdrawal: Withdrawal | None
    superseded_by: Row | None
    supersedes: Row | None
    earlier_corpus: bool


@dataclass(frozen=True, slots=True)
class RulesView:
    """The page of rules."""

    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that became of a row."""

    when: str
    row: Row
    label: str
    page: str
    benchmark: Cell
    supersedes: Row | None
    withdrawal: Withdrawal | None


@dataclass(frozen=True, slots=True)
class HistoryView:
    """The page of what was published, replaced and withdrawn, newest first."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class HomeView:
    """The first page."""

    benchmarks: tuple[ListedBenchmark, ...]
    rows: int


@dataclass(frozen=True, slots=True)
class MetricsView:
    """The list of metrics, by family."""

    metrics: tuple[MetricView, ...]


def pages(site: Site) -> Iterator[Page]:
    """Every generated page; a row's observations are read when its turn comes."""
    listed = tuple(_listed(site, published) for published in site.benchmarks)
    metrics = tuple(_metric(family, metric, site, listed) for family, metric in _metrics(site))
    yield Page(
        "index.md",
        "home.md",
        Message(N_("Results that can be checked")),
        Message(
            N_("Published evaluation results, each traced to a commit, a corpus and evidence.")
        ),
        "results/",
        HomeView(listed, len(site.registry.standing())),
    )
    yield Page(
        "benchmarks/index.md",
        "benchmarks.md",
        Message(N_("Benchmarks")),
        Message(N_("All benchmarks, with how many results each has.")),
        "results/benchmarks/",
        HomeView(listed, len(site.registry.standing())),
    )
    for published in site.benchmarks:
        yield _benchmark_page(site, published)
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
    for row in sorted(site.registry.rows.values(), key=lambda row: (row.key.benchmark, row.id)):
        yield _row_page(site, row)


def label(row: Row) -> str:
    """A system's name in a table: model, revision, and what its configuration sets apart."""
    configuration = row.key.configuration
    parts = [row.key.model, row.key.revision, configuration.arm, *configuration.axes.values()]
    return " ".join(part for part in parts if part)


def share(measure: Measure | None) -> Decimal | None:
    """The number that a measure is ranked by; none where nothing was measured."""
    match measure:
        case None:
            return None
        case Ratio(numerator=top, denominator=out_of):
            return Decimal(top) / Decimal(out_of) if out_of else None
        case _ if measure.kind == "weighted_ratio":
            return measure.numerator / measure.denominator if measure.denominator else None
        case _ if measure.kind == "mean":
            return measure.mean
        case _ if measure.kind == "label":
            return None
        case _:
            return None if measure.value is None else Decimal(measure.value)


def _benchmark_page(site: Site, published: Published) -> Page:
    benchmark = published.benchmark
    columns = tuple(
        column for shown in benchmark.shown if (column := _column(published, shown)) is not None
    )
    rows = [row for row in site.registry.standing() if row.key.benchmark == benchmark.id]
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
            published.family.inventory(published.corpus),
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


def _ranked(columns: tuple[Column, ...], rows: Iterable[Row]) -> tuple[Line, ...]:
    lines = [
        Line(
            row,
            label(row),
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


def _column(published: Published, measure_id: str) -> Column | None:
    metric_id, _, part = measure_id.partition(".")
    family = published.family
    metric = next((known for known in family.metrics if known.id == metric_id), None)
    if metric is None:
        return None
    titles = {category.id: category.title for category in published.benchmark.categories}
    named = Message(titles[part]) if part in titles else Code(part)
    return Column(
        measure_id, metric, named if part else None, links.metric_page(family.id, metric.id)
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
            _title(site, row),
            registry.rows.get(row.supersedes) if row.supersedes else None,
        )
        events.append(Event(row.run.finished, *about, None))
        withdrawal = registry.withdrawals.get(row.id)
        if withdrawal is not None:
            events.append(Event(withdrawal.withdrawn, *about, withdrawal))
    yield from sorted(events, key=lambda event: (event.when, event.row.id), reverse=True)


def _row_page(site: Site, row: Row) -> Page:
    registry = site.registry
    published = next(
        (known for known in site.benchmarks if known.benchmark.id == row.key.benchmark), None
    )
    benchmark = _title(site, row)
    superseded = registry.superseded.get(row.id)
    name = label(row)
    view = RowView(
        row=row,
        label=name,
        benchmark=benchmark,
        benchmark_page=links.benchmark_page(row.key.benchmark),
        figures=tuple(_figures(published, row)) if published else (),
        observed=_observed(site, published, row),
        provenance=tuple(_provenance(row)),
        withdrawal=registry.withdrawals.get(row.id),
        superseded_by=registry.rows[superseded] if superseded else None,
        supersedes=registry.rows.get(row.supersedes) if row.supersedes else None,
        earlier_corpus=published is None or published.digest != row.key.corpus,
    )
    return Page(
        links.row_page(row),
        "result.md",
        Message(N_("{system} on {benchmark}"), {"system": name, "benchmark": benchmark}),
        Message(
            N_("Measures of {system} on {benchmark}, with every answer and full provenance."),
            {"system": name, "benchmark": benchmark},
        ),
        f"results/registry/{row.key.benchmark}/{row.id}.json",
        view,
        searched=False,
    )


def _title(site: Site, row: Row) -> Cell:
    """The title of a row's benchmark; its id where the benchmark is gone."""
    titles = {known.benchmark.id: known.benchmark.title for known in site.benchmarks}
    title = titles.get(row.key.benchmark)
    return Message(title) if title else Code(row.key.benchmark)


def _figures(published: Published, row: Row) -> Iterator[Figure]:
    for measure in row.measures:
        column = _column(published, measure.id)
        if column is not None:
            yield Figure(measure, column)


def _observed(site: Site, published: Published | None, row: Row) -> tuple[Block, ...]:
    family = published.family if published else None
    if family is None or family.id != row.family:
        family = next((known for known in FAMILIES if known.id == row.family), None)
    return family.observed(site.corpus(row), site.attempts(row)) if family else ()


NOT_APPLICABLE = Message(N_("not applicable"))
UNKNOWN = Message(N_("unknown"))


def _provenance(row: Row) -> Iterator[Entry]:
    key, run, configuration = row.key, row.run, row.key.configuration

    def said(field: str, cell: Cell | None) -> Cell:
        if cell is not None:
            return cell
        return NOT_APPLICABLE if field in row.not_applicable else UNKNOWN

    yield Entry(Message(N_("System")), Code(f"{key.provider}:{key.model}"))
    yield Entry(Message(N_("Revision")), said("revision", _code(key.revision)))
    if key.runtime is not None:
        yield Entry(Message(N_("Runtime")), Code(f"{key.runtime.name} {key.runtime.version}"))
        yield from _pairs(Message(N_("Runtime settings")), key.runtime.settings)
    yield Entry(Message(N_("Surface")), said("surface", _code(configuration.surface)))
    if configuration.options is None:
        yield Entry(Message(N_("Request options as sent")), said("options", None))
    else:
        yield from _pairs(Message(N_("Request options as sent")), configuration.options)
    yield from _pairs(Message(N_("Configuration axes")), configuration.axes)
    subject = key.subject
    yield Entry(
        Message(N_("Subject")),
        said("subject", Code(f"{subject.name} {subject.version}") if subject else None),
    )
    yield Entry(Message(N_("List of tools")), said("tools", _digest(key.tools)))
    yield Entry(Message(N_("Benchmark")), Code(f"{key.benchmark} {key.benchmark_version}"))
    yield Entry(Message(N_("Corpus")), Code(key.corpus[:HEX_ON_PAGES]))
    yield Entry(Message(N_("Contracts")), Code(key.contracts[:HEX_ON_PAGES]))
    yield Entry(Message(N_("Commit")), Code(run.commit))
    yield Entry(Message(N_("Work tree at the start")), _tree(run.tree_at_start))
    yield Entry(Message(N_("Work tree at the end")), _tree(run.tree_at_end))
    yield Entry(Message(N_("Run")), Code(run.id))
    yield Entry(Message(N_("Started")), Code(run.started))
    yield Entry(Message(N_("Finished")), Code(run.finished))
    yield Entry(
        Message(N_("Harness")),
        Code(f"{key.harness} {run.harness_version} ({key.harness_contract})"),
    )
    yield Entry(Message(N_("Repetitions")), Quote(str(key.repetitions)))
    if run.environment is not None:
        machine = run.environment
        yield Entry(
            Message(N_("Environment")),
            Lines((Code(machine.os), Code(machine.python), Code(machine.cpu))),
        )
    yield Entry(Message(N_("Evidence")), Code(row.evidence.digest))


def _pairs(name: Message, values: Mapping[str, object]) -> Iterator[Entry]:
    if values:
        lines = tuple(Code(f"{key}: {_as_json(value)}") for key, value in sorted(values.items()))
        yield Entry(name, Lines(lines))


def _as_json(value: object) -> str:
    return (
        value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)
    )


def _code(text: str | None) -> Cell | None:
    return None if text is None else Code(text)


def _digest(text: str | None) -> Cell | None:
    return None if text is None else Code(text[:HEX_ON_PAGES])


_TREES = {
    "yes": Message(N_("clean")),
    "no": Message(N_("with changes")),
    "unknown": Message(N_("unknown")),
}


def _tree(tree: Tree) -> Cell:
    state = _TREES[tree.clean]
    return Lines((state, *map(Code, tree.paths))) if tree.paths else state
