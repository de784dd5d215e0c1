"""The shapes of views, and of what they are made from.

A view is the same for every locale, so it is made once; `render` then says it in each of them.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from generator.families.blocks import Block, Cell
from generator.families.family import Corpus, Family, Metric
from generator.messages import Message
from generator.pages.charts import Chart
from generator.provenance.rules import Rule
from generator.records.benchmark import Benchmark
from generator.records.bundle import Attempt
from generator.records.candidate import Bound, Promotion
from generator.records.measure import Measure
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
class Bounded:
    """A measure that a claim bounds, in both of its runs."""

    bound: Bound
    column: Column | None
    """None where the family has no such metric any more."""

    measures: tuple[Measure | None, Measure | None]
    """In the run of the row, and in the run that validated the claim."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A promoted claim on the page of its benchmark."""

    promotion: Promotion
    row: Row
    label: str
    """The system of the row."""

    page: str
    """Path of the row's page."""

    stands: bool
    """Whether the row does; a claim about one that does not is still shown, and says so."""

    figures: tuple[Bounded, ...]


@dataclass(frozen=True, slots=True)
class BenchmarkView:
    """A benchmark's page."""

    published: Published
    columns: tuple[Column, ...]
    groups: tuple[Group, ...]
    """Those of the corpus at hand first."""

    compared: tuple[Block, ...]
    """What the rows of the corpus at hand say together."""

    inventory: tuple[Block, ...]
    claims: tuple[Claimed, ...] = ()
    """What was claimed about rows and borne out."""


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
    benchmark_page: str | None
    """None where the benchmark is gone."""

    figures: tuple[Figure, ...]
    observed: tuple[Block, ...]
    provenance: tuple[Entry, ...]
    withdrawal: Withdrawal | None
    superseded_by: Row | None
    supersedes: Row | None
    earlier: bool
    """Whether it answered another corpus, version or contracts than the benchmark holds now."""


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
