"""A row's page: every figure, every answer, and where they come from."""

import json
from collections.abc import Iterator, Mapping

from generator.families.blocks import Block, Cell, Code, Lines, Quote
from generator.families.catalog import family_of
from generator.messages import N_, Message
from generator.pages import links
from generator.pages.views.figures import column, is_current, label, title_of
from generator.pages.views.shapes import Entry, Figure, Page, Published, RowView, Site
from generator.records.base import HEX_ON_PAGES
from generator.records.bundle import Subject, Tree
from generator.records.row import Row

NOT_APPLICABLE = Message(N_("not applicable"))
UNKNOWN = Message(N_("unknown"))
NOTHING = Message(N_("nothing"))
_TREES = {
    "yes": Message(N_("clean")),
    "no": Message(N_("with changes")),
    "unknown": Message(N_("unknown")),
}


def row_page(site: Site, row: Row) -> Page:
    """The page of one row."""
    registry = site.registry
    published = next(
        (known for known in site.benchmarks if known.benchmark.id == row.key.benchmark), None
    )
    benchmark = title_of(site, row)
    superseded = registry.superseded.get(row.id)
    name = label(row)
    view = RowView(
        row=row,
        label=name,
        benchmark=benchmark,
        benchmark_page=links.benchmark_page(row.key.benchmark) if published else None,
        figures=tuple(_figures(published, row)) if published else (),
        observed=_observed(site, row),
        provenance=tuple(_provenance(row)),
        withdrawal=registry.withdrawals.get(row.id),
        superseded_by=registry.rows[superseded] if superseded else None,
        supersedes=registry.rows.get(row.supersedes) if row.supersedes else None,
        earlier=published is None or not is_current(published, row.key),
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


def _figures(published: Published, row: Row) -> Iterator[Figure]:
    for measure in row.measures:
        found = column(published, measure.id)
        if found is not None:
            yield Figure(measure, found)


def _observed(site: Site, row: Row) -> tuple[Block, ...]:
    family = family_of(row.family)
    return family.observed(site.corpus(row), site.attempts(row)) if family else ()


def _provenance(row: Row) -> Iterator[Entry]:
    yield from _measured(row)
    yield from _asked(row)
    yield from _ran(row)


def _measured(row: Row) -> Iterator[Entry]:
    """What was measured, and in which configuration."""
    key, configuration = row.key, row.key.configuration

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
    if configuration.options:
        yield from _pairs(Message(N_("Request options as sent")), configuration.options)
    else:
        stated = NOTHING if configuration.options is not None else None
        yield Entry(Message(N_("Request options as sent")), said("options", stated))
    yield from _pairs(Message(N_("Configuration axes")), configuration.axes)
    if configuration.arm is not None:
        yield Entry(Message(N_("Arm")), Code(configuration.arm))
    if configuration.prompt is not None:
        yield Entry(Message(N_("Prompt before every case")), _digest(configuration.prompt))
    yield Entry(Message(N_("Subject")), said("subject", _subject(key.subject)))
    yield Entry(
        Message(N_("List of tools")), said("tools", _digest(key.tools) if key.tools else None)
    )


def _asked(row: Row) -> Iterator[Entry]:
    """What it was asked, by which contracts, at which commit."""
    key, run = row.key, row.run
    yield Entry(Message(N_("Benchmark")), Code(f"{key.benchmark} {key.benchmark_version}"))
    yield Entry(Message(N_("Corpus")), Code(key.corpus[:HEX_ON_PAGES]))
    yield Entry(Message(N_("Contracts")), Code(key.contracts[:HEX_ON_PAGES]))
    yield Entry(Message(N_("Commit")), Code(run.commit))
    yield Entry(Message(N_("Work tree at the start")), _tree(run.tree_at_start))
    yield Entry(Message(N_("Work tree at the end")), _tree(run.tree_at_end))


def _ran(row: Row) -> Iterator[Entry]:
    """When it ran, by what, where, and what is left of it."""
    key, run = row.key, row.run
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
    if key.environment_class is not None:
        yield Entry(Message(N_("Class of the environment")), Code(key.environment_class))
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


def _digest(text: str) -> Cell:
    return Code(text[:HEX_ON_PAGES])


def _subject(subject: Subject | None) -> Cell | None:
    if subject is None:
        return None
    further = (subject.repository, subject.commit)
    name = Code(f"{subject.name} {subject.version}")
    return Lines((name, *(Code(part) for part in further if part is not None)))


def _tree(tree: Tree) -> Cell:
    said: list[Cell] = [_TREES[tree.clean], *map(Code, tree.paths)]
    if tree.reason is not None:
        said.append(Quote(tree.reason))
    if tree.untracked:
        said.append(
            Message(N_("files that git does not track: {count}"), {"count": tree.untracked})
        )
    return Lines(tuple(said))
