"""The catalogue: every action of the subject, and how each surface offers it.

`cases/catalogue.json` is part of the corpus. A recorded attempt does not say on which surface it
was made, so a call has to mean the same on all of them: the catalogue is refused where it would
not.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import msgspec
import re2

from generator.families.family import CorpusFault
from generator.families.steps.reading import read_file
from generator.records.base import strict_json
from generator.records.benchmark import Benchmark
from generator.records.bundle import ToolCall

CATALOGUE = "catalogue.json"
BENCHMARK = "../benchmark.toml"
"""Seen from the folder of the cases."""

_Number = Annotated[int, msgspec.Meta(ge=1, le=1000)]
_Text = Annotated[str, msgspec.Meta(min_length=1, max_length=300)]


class SurfaceFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A surface as the file has it."""

    id: _Text
    turns_per_step: _Number
    action: _Text | None = None
    """The argument of its tools that names the action; none where each action has a tool."""

    arguments: _Text | None = None
    """The argument that holds the action's own; none where they are the call's."""

    shown_at_most: _Number | None = None
    """How many tools a system is shown; all where it is left out."""


class Called(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How an action is called on a surface."""

    tool: _Text
    action: _Text | None = None
    """The value of the argument that names it."""


class ActionFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An action as the file has it."""

    id: _Text
    domain: _Text
    changes: bool
    """Whether it changes what the subject keeps."""

    destructive: bool
    """Whether the subject refuses it without its confirmation."""

    called: dict[str, Called]
    """By surface."""

    schema: dict[str, Any]
    """What its arguments are, as the subject publishes it."""

    confirmation: _Text | None = None
    """The argument that must be true."""


class CatalogueFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`catalogue.json`."""

    turns_more: Annotated[int, msgspec.Meta(ge=0, le=1000)]
    surfaces: list[SurfaceFile]
    actions: list[ActionFile]
    helpers: dict[str, list[_Text]] = {}
    """By surface: tools that are no action, such as a search for actions."""


class Layout(NamedTuple):
    """Where a tool's arguments say which action is meant, and with what."""

    action: str | None
    arguments: str | None


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a call means."""

    action: ActionFile
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All actions, and what calls of them look like."""

    file: CatalogueFile
    actions: Mapping[str, ActionFile]
    """By id."""

    surfaces: Mapping[str, SurfaceFile]
    layouts: Mapping[str, Layout]
    """By the name of a tool that is no helper."""

    meant: Mapping[tuple[str, str | None], ActionFile]
    """By tool, and the value that names the action where one does."""

    @property
    def domains(self) -> tuple[str, ...]:
        """Every domain once, in the order of the catalogue."""
        return tuple(dict.fromkeys(action.domain for action in self.file.actions))

    @property
    def shown_at_most(self) -> int:
        """How many tools a system is shown on any surface."""
        declared = [known.shown_at_most for known in self.file.surfaces if known.shown_at_most]
        return min(declared, default=max(map(len, map(self.published, self.surfaces))))

    def published(self, surface: str) -> frozenset[str]:
        """All tools of a surface, by name."""
        tools = (action.called[surface].tool for action in self.file.actions)
        return frozenset({*tools, *self.file.helpers.get(surface, ())})

    def shown_first(self, surface: str, domains: Iterable[str]) -> frozenset[str]:
        """The tools of some domains, and the helpers, which go with every one."""
        wanted = set(domains)
        tools = (
            action.called[surface].tool for action in self.file.actions if action.domain in wanted
        )
        return frozenset({*tools, *self.file.helpers.get(surface, ())})

    def turns(self, surface: str, steps: int) -> int:
        """How many replies an attempt may have."""
        return self.surfaces[surface].turns_per_step * max(1, steps) + self.file.turns_more

    def resolve(self, call: ToolCall) -> Resolved | None:
        """The action that a call means, with its arguments; none where it means none."""
        layout = self.layouts.get(call.name)
        if layout is None:
            return None
        sent = object_in(msgspec.json.decode(call.arguments))
        named = None if layout.action is None else sent.get(layout.action)
        if named is not None and not isinstance(named, str):
            return None
        action = self.meant.get((call.name, named))
        if action is None:
            return None
        if layout.arguments is not None:
            return Resolved(action, object_in(sent.get(layout.arguments)))
        return Resolved(action, {name: sent[name] for name in sent if name != layout.action})


def object_in(sent: Any) -> dict[str, Any]:  # noqa: ANN401  any JSON value
    """Arguments as an object, also where they were sent as its text; empty where they are none."""
    if isinstance(sent, str):
        try:
            sent = strict_json(sent)
        except (ValueError, RecursionError):
            return {}
    return sent if isinstance(sent, dict) else {}


def properties(action: ActionFile) -> Mapping[str, Any]:
    """The schema of each argument, by name."""
    found = action.schema.get("properties")
    return found if isinstance(found, dict) else {}


def required(action: ActionFile) -> tuple[str, ...]:
    """The arguments that a call must have."""
    found = action.schema.get("required")
    return tuple(found) if isinstance(found, list) else ()


def read_catalogue(
    files: Mapping[str, bytes], benchmark: Benchmark
) -> tuple[Catalogue | None, list[CorpusFault]]:
    """The catalogue, unless something is wrong with it: then everything that is."""
    content = files.get(CATALOGUE)
    if content is None:
        message = "there is no catalogue of the subject's actions"
        return None, [CorpusFault(CATALOGUE, message, "Write it; the guide shows its form.")]
    try:
        file = read_file(CATALOGUE, content, CatalogueFile)
    except CorpusFault as fault:
        return None, [fault]
    faults = [
        *(CorpusFault(BENCHMARK, *told) for told in _faults_of_subject(file, benchmark)),
        *(CorpusFault(CATALOGUE, *told) for told in _faults_of_surfaces(file)),
        *(CorpusFault(CATALOGUE, *told) for told in _faults_of_actions(file)),
    ]
    if not faults:
        faults = [CorpusFault(CATALOGUE, *told) for told in _faults_of_calls(file)]
    return (None, faults) if faults else (_catalogue(file), [])


def _catalogue(file: CatalogueFile) -> Catalogue:
    surfaces = {surface.id: surface for surface in file.surfaces}
    calls = [
        (surface, action.called[surface.id], action)
        for action in file.actions
        for surface in file.surfaces
    ]
    return Catalogue(
        file=file,
        actions={action.id: action for action in file.actions},
        surfaces=surfaces,
        layouts={
            called.tool: Layout(surface.action, surface.arguments) for surface, called, _ in calls
        },
        meant={(called.tool, called.action): action for _, called, action in calls},
    )


_Told = tuple[str, str]
"""What is wrong, and what to do."""


def _faults_of_subject(file: CatalogueFile, benchmark: Benchmark) -> Iterator[_Told]:
    subject = benchmark.subject
    if subject is None:
        yield (
            "there is no [subject], and a benchmark of the family steps has a server to be used",
            "Add the table [subject]; the guide shows its form.",
        )
        return
    here, there = [one.id for one in subject.surfaces], [one.id for one in file.surfaces]
    if set(here) != set(there):
        yield (
            f"the surfaces of [subject] are {_listed(here)}, those of {CATALOGUE} {_listed(there)}",
            "Name the same surfaces in both files.",
        )
    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(subject.refused, options)
    except re2.error as fault:
        yield (
            f"`refused` of [subject] is no pattern: {subject.refused!r} ({_said(fault)})",
            "Write a pattern of RE2.",
        )


def _faults_of_surfaces(file: CatalogueFile) -> Iterator[_Told]:
    ids = [surface.id for surface in file.surfaces]
    if not ids:
        yield "there is no surface", "List at least one."
    for twice in _repeated(ids):
        yield f"two surfaces are called {twice!r}", "Give each surface an id of its own."
    for surface in file.helpers:
        if surface not in ids:
            yield (
                f"`helpers` names the surface {surface!r}, which is unknown",
                f"Name one of: {_listed(ids)}.",
            )


def _faults_of_actions(file: CatalogueFile) -> Iterator[_Told]:
    if not file.actions:
        yield "there is no action", "List at least one."
    for twice in _repeated(action.id for action in file.actions):
        yield f"two actions are called {twice!r}", "Give each action an id of its own."
    for action in file.actions:
        for what, remedy in (*_faults_of_schema(action), *_faults_of_called(action, file.surfaces)):
            yield f"the action {action.id!r}: {what}", remedy


def _faults_of_schema(action: ActionFile) -> Iterator[_Told]:
    known, needed = action.schema.get("properties", {}), action.schema.get("required", [])
    if not isinstance(known, dict) or not all(isinstance(one, dict) for one in known.values()):
        yield "`properties` of its schema are no schemas by name", "Write an object of objects."
        return
    if not isinstance(needed, list) or not all(map(list(known).__contains__, needed)):
        yield (
            f"its schema requires {needed!r}, and has the arguments {_listed(known)}",
            "Require a list of arguments that the schema has.",
        )
    if action.destructive != (action.confirmation is not None):
        yield (
            "an action has a `confirmation` if it is destructive, and only then",
            "Name the argument that must be true, or leave it out.",
        )
    if action.confirmation is not None and action.confirmation not in known:
        yield (
            f"its schema lacks the confirmation {action.confirmation!r}; it has {_listed(known)}",
            "Name an argument of the schema.",
        )
    if action.destructive and not action.changes:
        yield "it is destructive and changes nothing", "Say that it changes something."


def _faults_of_called(action: ActionFile, surfaces: list[SurfaceFile]) -> Iterator[_Told]:
    ids = [surface.id for surface in surfaces]
    if sorted(action.called) != sorted(set(ids)):
        yield (
            f"`called` has the surfaces {_listed(action.called)}, and there are {_listed(ids)}",
            "Say how it is called on each surface, and on no other.",
        )
        return
    for surface in surfaces:
        if (surface.action is None) != (action.called[surface.id].action is None):
            told = "has no argument that names" if surface.action is None else "names by argument"
            yield (
                f"on the surface {surface.id!r}, which {told} an action, its call says otherwise",
                "Give the call an `action` where the surface has one, and only there.",
            )


def _faults_of_calls(file: CatalogueFile) -> Iterator[_Told]:
    """What is wrong with calls beside each other, on one surface and on several."""
    for surface in file.surfaces:
        yield from _faults_on(surface, file)
    meant: dict[tuple[str, str | None], tuple[str, str]] = {}
    layouts: dict[str, tuple[Layout, str]] = {}
    for surface in file.surfaces:
        for action in file.actions:
            called = action.called[surface.id]
            other, there = meant.setdefault((called.tool, called.action), (action.id, surface.id))
            layout = Layout(surface.action, surface.arguments)
            laid, before = layouts.setdefault(called.tool, (layout, surface.id))
            if (other != action.id and there != surface.id) or laid != layout:
                others = there if laid == layout else before
                yield (
                    f"{called.tool!r} does not mean the same on {others!r} and on {surface.id!r}",
                    "Call them differently: an attempt does not say on which surface it was made.",
                )
        yield from _faults_of_helpers(surface.id, file)
    yield from _faults_of_showing(file)


def _faults_on(surface: SurfaceFile, file: CatalogueFile) -> Iterator[_Told]:
    first: dict[Called, str] = {}
    for action in file.actions:
        other = first.setdefault(action.called[surface.id], action.id)
        if other != action.id:
            yield (
                f"on {surface.id!r} the actions {other!r} and {action.id!r} are called alike",
                "Call each action in a way of its own.",
            )


def _faults_of_helpers(surface: str, file: CatalogueFile) -> Iterator[_Told]:
    tools = {called.tool for action in file.actions for called in action.called.values()}
    for helper in file.helpers.get(surface, ()):
        if helper in tools:
            yield (
                f"the helper {helper!r} of the surface {surface!r} is the tool of an action too",
                "List only tools that are no action, or call one of them differently.",
            )


def _faults_of_showing(file: CatalogueFile) -> Iterator[_Told]:
    declared = {surface.shown_at_most for surface in file.surfaces if surface.shown_at_most}
    if len(declared) > 1:
        yield (
            f"surfaces show at most {_listed(sorted(declared))} tools",
            "Let all surfaces that name `shown_at_most` name the same number.",
        )
    for surface in file.surfaces:
        tools = len({action.called[surface.id].tool for action in file.actions})
        if declared and surface.shown_at_most is None and tools > min(declared):
            yield (
                f"the surface {surface.id!r} has {tools} tools and no `shown_at_most`",
                f"Name it there too: another surface shows at most {min(declared)}.",
            )


def _repeated(names: Iterable[str]) -> list[str]:
    listed = list(names)
    return [name for name in dict.fromkeys(listed) if listed.count(name) > 1]


def _listed(names: Iterable[object]) -> str:
    return ", ".join(map(str, names)) or "none"


def _said(fault: Exception) -> str:
    said = fault.args[0] if fault.args else fault
    return said.decode(errors="replace") if isinstance(said, bytes) else str(said)
