"""Names of systems and benchmarks, columns, and the number that a measure is ranked by."""

from decimal import Decimal

from generator.families.blocks import Cell, Code
from generator.messages import Message
from generator.pages import links
from generator.pages.views.shapes import Column, Published, Site
from generator.records.measure import Measure, Ratio
from generator.records.row import Row


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
