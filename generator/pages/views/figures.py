"""Names of systems and benchmarks, columns, and the number that a measure is ranked by."""

from collections import Counter
from collections.abc import Iterable
from decimal import Decimal

from generator.families.blocks import Cell, Code
from generator.messages import Message
from generator.pages import links
from generator.pages.views.shapes import Column, Published, Site
from generator.records.key import COHORT, EFFORT, SHORT, Key
from generator.records.measure import Measure, Ratio
from generator.records.row import Row

_UNSAID = frozenset({EFFORT, COHORT})
"""Axes that are no part of a name: the level stands with the model, a cohort in the provenance."""


def label(row: Row) -> str:
    """A system's name in a table: model, effort, revision, and what else sets it apart."""
    configuration = row.key.configuration
    others = [value for axis, value in configuration.axes.items() if axis not in _UNSAID]
    arm = configuration.arm if configuration.arm != row.key.model else None
    parts = [row.system, row.named_revision, arm, *others]
    return " ".join(part for part in parts if part)


def is_current(published: Published, key: Key) -> bool:
    """Whether a row was asked what the benchmark asks now, and scored by the same contracts."""
    asked = (key.benchmark_version, key.corpus, key.contracts)
    return asked == (published.benchmark.version, published.digest, published.contracts)


def labels(rows: Iterable[Row]) -> dict[str, str]:
    """By row id: names by which the rows of one table can be told apart."""
    every = list(rows)
    names = {row.id: label(row) for row in every}
    for further in (_surface, _provider, _short_id):
        common = Counter(names.values())
        names |= {
            row.id: f"{names[row.id]} ({further(row)})"
            for row in every
            if common[names[row.id]] > 1
        }
    return names


def _surface(row: Row) -> str:
    return row.key.configuration.surface or row.key.provider


def _provider(row: Row) -> str:
    return row.key.provider


def _short_id(row: Row) -> str:
    return row.key.digest[:SHORT]


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


def title_of(site: Site, row: Row) -> Cell:
    """The title of a row's benchmark; its id where the benchmark is gone."""
    titles = {known.benchmark.id: known.benchmark.title for known in site.benchmarks}
    title = titles.get(row.key.benchmark)
    return Message(title) if title else Code(row.key.benchmark)


def column(published: Published, measure_id: str) -> Column | None:
    """The column of a measure's public id; none where the family has no such metric."""
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
