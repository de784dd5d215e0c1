"""The cases of a benchmark of tool use: the catalogue, and one JSON file a case.

A case is a request in plain language, the fixtures that it needs, and a key: the steps that a right
agent takes, each an action of the catalogue with the arguments that are compared, and what may be
changed on the way.
"""

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

import msgspec

from generator.families.family import CorpusFault
from generator.families.places import MARK, places
from generator.families.steps.catalogue import (
    CATALOGUE,
    ActionFile,
    Catalogue,
    properties,
    read_catalogue,
)
from generator.families.steps.expected import (
    Expected,
    OfFixture,
    OfStep,
    ReferenceFault,
    read_expected,
    references,
    texts,
)
from generator.families.steps.reading import REMEDY, read_file
from generator.records.base import as_seen
from generator.records.benchmark import Benchmark

Kind = Literal["read", "write", "multi-step", "destructive", "refusal"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""What a case asks for, in the order in which it is shown."""

_MANY = 2
"""Steps that a case in several steps has at least."""

NEW = "new"
"""Stands for a thing that was added."""

_Text = Annotated[str, msgspec.Meta(min_length=1, max_length=300)]
_Name = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,100}$")]


class FixtureFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is made before an attempt, as the file has it."""

    make: _Text
    """What kind of thing; the keeper knows it."""

    fields: dict[str, Any] = msgspec.field(default={}, name="with")


class StepFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step of the key as the file has it."""

    action: _Text
    arguments: dict[str, Any] = {}


class OfFixtureFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A thing that was made before."""

    fixture: _Name


class ChangeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an attempt may change, as the file has it."""

    kind: _Text
    what: Literal["added", "changed", "removed"]
    thing: Literal["new"] | OfFixtureFile | None = None
    """A thing that was added, one that was made before, or any of the kind."""

    fields: list[_Text] | None = None
    """What of it may be different; anything where it is left out."""


class ExceptionFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words that a prompt may say although they are the catalogue's."""

    words: _Text
    reason: _Text


class CaseFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A case as its file has it."""

    name: _Text
    kind: Kind
    prompt: Annotated[str, msgspec.Meta(min_length=1)]
    fixtures: dict[_Name, FixtureFile] = {}
    steps: list[StepFile] = []
    changes: list[ChangeFile] = []
    exceptions: list[ExceptionFile] = []
    domains: list[_Text] | None = None
    """Of a refusal: what it is about. Elsewhere the actions tell."""

    description: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """An action of the key, and the values of the arguments that are compared."""

    action: ActionFile
    arguments: Mapping[str, Expected]
    """Without the confirmation."""


@dataclass(frozen=True, slots=True)
class Case:
    """A request with its key."""

    file: str
    name: str
    kind: Kind
    prompt: str
    fixtures: Mapping[str, FixtureFile]
    """In the order in which they are made."""

    steps: tuple[Step, ...]
    changes: tuple[ChangeFile, ...]
    exceptions: tuple[ExceptionFile, ...]
    domains: tuple[str, ...]
    description: str | None


@dataclass(frozen=True, slots=True)
class StepsCorpus:
    """The catalogue, and all cases by name, in name order."""

    catalogue: Catalogue
    by_name: Mapping[str, Case]

    @property
    def cases(self) -> AbstractSet[str]:
        """Names of the cases, in name order."""
        return self.by_name.keys()


def read_corpus(files: Mapping[str, bytes], benchmark: Benchmark) -> StepsCorpus:
    """Read the catalogue and all cases, by POSIX path; raises CorpusFault for the first fault."""
    corpus, faults = read_all(files, benchmark)
    if corpus is None or faults:
        raise faults[0]
    return corpus


def read_all(
    files: Mapping[str, bytes], benchmark: Benchmark
) -> tuple[StepsCorpus | None, list[CorpusFault]]:
    """What can be read, and everything that is wrong; without a catalogue, no case is read."""
    catalogue, faults = read_catalogue(files, benchmark)
    if catalogue is None:
        return None, faults
    reading = _Reading(catalogue)
    for path, content in sorted(files.items()):
        if path != CATALOGUE:
            reading.read(path, content)
    if len(files) == 1:
        message = "there is no case"
        reading.faults.append(CorpusFault("", message, "Put at least one beside the catalogue."))
    in_order = sorted(reading.cases, key=lambda case: case.name)
    return StepsCorpus(catalogue, {case.name: case for case in in_order}), reading.faults


class _Reading:
    """Reads one case after the other, and goes on after a fault."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._names: dict[object, str] = {}
        """By name as a reader sees it: the file that it stands in."""

        self.cases: list[Case] = []
        self.faults: list[CorpusFault] = []

    def read(self, path: str, content: bytes) -> None:
        try:
            file = read_file(path, content, CaseFile)
        except CorpusFault as fault:
            self.faults.append(fault)
            return
        found = [*_faults(file, self._catalogue)]
        first = self._names.setdefault(as_seen(file.name), path)
        if first != path:
            what = f"the name {file.name!r} stands in {first} too, or reads the same"
            found.append((what, "Give each case a name of its own."))
        self.faults += (CorpusFault(path, what, remedy) for what, remedy in found)
        if not found:
            self.cases.append(_case(path, file, self._catalogue))


def _case(path: str, file: CaseFile, catalogue: Catalogue) -> Case:
    actions = [catalogue.actions[step.action] for step in file.steps]
    return Case(
        file=path,
        name=file.name,
        kind=file.kind,
        prompt=file.prompt,
        fixtures=file.fixtures,
        steps=tuple(
            Step(
                action,
                {
                    name: read_expected(value)
                    for name, value in step.arguments.items()
                    if name != action.confirmation
                },
            )
            for action, step in zip(actions, file.steps, strict=True)
        ),
        changes=tuple(file.changes),
        exceptions=tuple(file.exceptions),
        domains=_domains(file, actions),
        description=file.description,
    )


def _domains(file: CaseFile, actions: list[ActionFile]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(file.domains or [action.domain for action in actions]))


_Told = tuple[str, str]
"""What is wrong, and what to do."""


def _faults(case: CaseFile, catalogue: Catalogue) -> Iterator[_Told]:
    """Everything that is wrong with a case by itself."""
    yield from _faults_of_fixtures(case)
    yield from _faults_of_places(case)
    for number, step in enumerate(case.steps, 1):
        action = catalogue.actions.get(step.action)
        if action is None:
            yield (
                f"step {number}: the action {step.action!r} is not in the catalogue",
                f"Name an action of {CATALOGUE}.",
            )
            continue
        told = (*_faults_of_step(action, step), *_faults_of_references(case, number, step))
        for what, remedy in told:
            yield f"step {number} ({action.id}): {what}", remedy
    yield from _faults_of_changes(case)
    yield from _faults_of_domains(case, catalogue)
    actions = [catalogue.actions.get(step.action) for step in case.steps]
    known = [action for action in actions if action is not None]
    if len(known) == len(actions):
        yield from _faults_of_kind(case, known)
        yield from _faults_of_showing(_domains(case, known), catalogue)


_KINDS_ASK: Mapping[Kind, tuple[Callable[[list[ActionFile]], bool], str]] = {
    "read": (
        lambda actions: bool(actions) and not any(action.changes for action in actions),
        "at least one step, and all of them read",
    ),
    "write": (
        lambda actions: [action.destructive for action in actions if action.changes] == [False],
        "one step that changes something, and it is not destructive",
    ),
    "multi-step": (lambda actions: len(actions) >= _MANY, f"at least {_MANY} steps"),
    "destructive": (
        lambda actions: any(action.destructive for action in actions),
        "at least one step that is destructive",
    ),
    "refusal": (lambda actions: not actions, "no step"),
}
"""By kind: whether the actions of the steps fit it, and what it asks of them."""


def _faults_of_kind(case: CaseFile, actions: list[ActionFile]) -> Iterator[_Told]:
    """What the kind says, and the steps don't."""
    fits, asks = _KINDS_ASK[case.kind]
    if not fits(actions):
        found = ", ".join(action.id for action in actions) or "none"
        yield (
            f"a case of the kind {case.kind!r} has {asks}; its steps are: {found}",
            "Give it the kind that fits its steps, or the steps that fit its kind.",
        )
    if case.kind in ("read", "refusal") and case.changes:
        yield (
            f"a case of the kind {case.kind!r} changes nothing, and `changes` allows something",
            "Leave `changes` out.",
        )


def _faults_of_fixtures(case: CaseFile) -> Iterator[_Told]:
    made: list[str] = []
    for name, fixture in case.fixtures.items():
        if name == MARK:
            yield f"a fixture is called {MARK!r}, as the mark is", "Call it something else."
        for text in texts(fixture.fields):
            for place in places(text):
                if place.field and place.fixture in case.fixtures and place.fixture not in made:
                    circle = _names(case, place.fixture, name)
                    how = "in a circle" if circle else "before it is made"
                    yield (
                        f"the fixture {name!r} names {place}, {how}",
                        "Let a fixture name only what stands before it.",
                    )
        made.append(name)


def _names(case: CaseFile, fixture: str, other: str) -> bool:
    """Whether a fixture names another, or one that does."""
    seen: set[str] = set()
    ahead = [fixture]
    while ahead:
        here = ahead.pop()
        if here == other:
            return True
        if here in case.fixtures and here not in seen:
            seen.add(here)
            ahead += (
                place.fixture
                for text in texts(case.fixtures[here].fields)
                for place in places(text)
            )
    return False


def _faults_of_places(case: CaseFile) -> Iterator[_Told]:
    """Places that nothing fills, wherever they stand."""
    told = [("the prompt", case.prompt)]
    told += (
        (f"the fixture {name!r}", text)
        for name, fixture in case.fixtures.items()
        for text in texts(fixture.fields)
    )
    told += (
        (f"step {number}", text)
        for number, step in enumerate(case.steps, 1)
        for text in texts(step.arguments)
    )
    made = ", ".join(case.fixtures) or "none"
    for where, text in told:
        for place in places(text):
            of_mark = place.fixture == MARK
            if of_mark != (place.field is None) or not (of_mark or place.fixture in case.fixtures):
                yield (
                    f"{where} has the place {place}, which no fixture fills; there are: {made}",
                    f"Write {{{MARK}}}, or a fixture and a field of it.",
                )


def _faults_of_step(action: ActionFile, step: StepFile) -> Iterator[_Told]:
    known = properties(action)
    for name in step.arguments:
        if name not in known:
            yield (
                f"its schema lacks the argument {name!r}; it has: {', '.join(known) or 'none'}",
                "Name an argument of the schema.",
            )
    needed = action.confirmation
    if needed is not None and step.arguments.get(needed) is not True:
        found = "none" if needed not in step.arguments else repr(step.arguments[needed])
        yield (
            f"it is destructive, and its confirmation {needed!r} is {found} in the key",
            f'Write "{needed}": true.',
        )


def _faults_of_references(case: CaseFile, number: int, step: StepFile) -> Iterator[_Told]:
    for name, value in step.arguments.items():
        try:
            found = [*references(read_expected(value))]
        except ReferenceFault as fault:
            yield f"the argument {name!r}: {fault}", REMEDY
            continue
        for reference in found:
            match reference:
                case OfFixture(fixture) if fixture not in case.fixtures:
                    made = ", ".join(case.fixtures) or "none"
                    yield (
                        f"the argument {name!r} is of the fixture {fixture!r}; there are: {made}",
                        "Name a fixture of the case.",
                    )
                case OfStep(earlier) if not 1 <= earlier < number:
                    yield (
                        f"the argument {name!r} comes from step {earlier}, which is not before it",
                        "Name a step that comes before.",
                    )


def _faults_of_changes(case: CaseFile) -> Iterator[_Told]:
    for number, change in enumerate(case.changes, 1):
        where, thing = f"change {number} ({change.kind}, {change.what})", change.thing
        if isinstance(thing, OfFixtureFile) and thing.fixture not in case.fixtures:
            made = ", ".join(case.fixtures) or "none"
            yield (
                f"{where} is of the fixture {thing.fixture!r}; there are: {made}",
                "Name a fixture of the case.",
            )
        if thing is not None and (thing == NEW) != (change.what == "added"):
            yield (
                f"{where} is of a thing that can't be",
                f'What was added is "{NEW}"; what was there before is a fixture.',
            )
        if change.fields is not None and change.what != "changed":
            yield f"{where} has `fields`", "Leave them out: they are of what was changed."


def _faults_of_domains(case: CaseFile, catalogue: Catalogue) -> Iterator[_Told]:
    if (case.kind == "refusal") != bool(case.domains):
        yield (
            f"a refusal names its `domains`, and no other case does; this is of {case.kind!r}",
            "Name the domains that the request is about, or leave them out.",
        )
    for domain in case.domains or ():
        if domain not in catalogue.domains:
            yield (
                f"the domain {domain!r} is not in the catalogue",
                f"Name one of: {', '.join(catalogue.domains)}.",
            )


def _faults_of_showing(domains: tuple[str, ...], catalogue: Catalogue) -> Iterator[_Told]:
    most = catalogue.shown_at_most
    for surface in catalogue.surfaces:
        tools = len(catalogue.shown_first(surface, domains))
        if tools > most:
            yield (
                f"its domains have {tools} tools on {surface!r}, where at most {most} are shown",
                "Let the case be about fewer domains, or show more.",
            )
