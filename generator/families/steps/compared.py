"""Rows beside each other: the surfaces of one system, and the systems on one surface.

Each table holds only rows that agree on everything else, and says on what.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from generator.families.blocks import Block, Cell, Code, Number, Table, Terms
from generator.families.steps.metrics import METRICS
from generator.families.steps.sayings import as_json
from generator.messages import N_, Message
from generator.records.base import HEX_ON_PAGES
from generator.records.key import Key
from generator.records.measure import Ratio
from generator.records.row import Row


def compared(rows: Sequence[Row]) -> tuple[Block, ...]:
    """A table for each group of at least two rows that agree on the rest."""
    surfaces = (_of_system(group) for group in _groups(rows, _without_surface))
    systems = (_of_surface(group) for group in _groups(rows, _without_system))
    return (*surfaces, *systems)


def _groups(rows: Iterable[Row], without: Callable[[Key], Key]) -> Iterator[list[Row]]:
    together: dict[str, list[Row]] = {}
    for row in rows:
        together.setdefault(without(row.key).digest, []).append(row)
    found = (group for group in together.values() if len(group) > 1)
    yield from sorted(found, key=lambda group: min(row.id for row in group))


def _without_surface(key: Key) -> Key:
    """The key of the same system on any surface; which tools it is shown goes with that."""
    configuration = key.configuration.model_copy(update={"surface": None})
    return key.model_copy(update={"configuration": configuration, "tools": None})


def _without_system(key: Key) -> Key:
    """The key of any system on the same surface, configured alike."""
    update = {"provider": "any", "model": "any", "revision": None, "runtime": None}
    return key.model_copy(update=update)


def _of_system(group: list[Row]) -> Table:
    first = group[0].key
    said = N_("The surfaces of {system}; these rows agree on {agreed}")
    values = {"system": Code(_system(first)), "agreed": _agreed(first, _runtime(first))}
    in_order = sorted(group, key=lambda row: (row.key.configuration.surface or "", row.id))
    return _table(Message(said, values), N_("Surface"), in_order, _surface)


def _of_surface(group: list[Row]) -> Table:
    first = group[0].key
    said = N_("Systems on the surface {surface}; these rows agree on {agreed}")
    tools = [f"tools {first.tools[:HEX_ON_PAGES]}"] if first.tools else []
    values = {"surface": Code(_surface(first)), "agreed": _agreed(first, tools)}
    in_order = sorted(group, key=lambda row: (_system(row.key), row.id))
    return _table(Message(said, values), N_("System"), in_order, _full_system)


def _table(caption: Message, head: str, rows: Sequence[Row], name: Callable[[Key], str]) -> Table:
    return Table(
        caption,
        (Message(head), *(Message(metric.title) for metric in METRICS)),
        tuple(
            (Code(name(row.key)), *(_terms(row, metric.id) for metric in METRICS)) for row in rows
        ),
    )


def _terms(row: Row, measure: str) -> Cell:
    figure = row.measure(measure)
    if isinstance(figure, Ratio):
        return Terms(figure.numerator, figure.denominator)
    return Number(None)


def _system(key: Key) -> str:
    return f"{key.provider}:{key.model} {key.revision or ''}".strip()


def _full_system(key: Key) -> str:
    return " ".join((_system(key), *_runtime(key)))


def _surface(key: Key) -> str:
    return key.configuration.surface or "—"


def _runtime(key: Key) -> list[str]:
    return [] if key.runtime is None else [f"{key.runtime.name} {key.runtime.version}"]


def _agreed(key: Key, further: Iterable[str]) -> Code:
    """Everything that the rows of a table have in common, by the names that bundles use."""
    configuration, subject = key.configuration, key.subject
    parts = [
        f"version {key.benchmark_version}",
        f"corpus {key.corpus[:HEX_ON_PAGES]}",
        f"contracts {key.contracts[:HEX_ON_PAGES]}",
        f"harness {key.harness} {key.harness_contract}",
        f"repetitions {key.repetitions}",
    ]
    if subject is not None:
        commit = f" {subject.commit[:HEX_ON_PAGES]}" if subject.commit else ""
        parts.append(f"subject {subject.name} {subject.version}{commit}")
    if configuration.options is not None:
        parts.append(f"options {as_json(configuration.options)}")
    parts += (f"{axis} {value}" for axis, value in sorted(configuration.axes.items()))
    if configuration.arm is not None:
        parts.append(f"arm {configuration.arm}")
    if configuration.prompt is not None:
        parts.append(f"prompt {configuration.prompt[:HEX_ON_PAGES]}")
    return Code(", ".join((*parts, *further)))
