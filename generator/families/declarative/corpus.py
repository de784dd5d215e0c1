"""The cases of a declarative benchmark: one JSON file each, checked before anything runs."""

import contextlib
import json
import math
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import msgspec

from generator.families.declarative.checks.catalog import check_type
from generator.families.declarative.checks.check import Asked, Check, CheckFault
from generator.families.declarative.repair import DEPTH_LIMIT, is_deep
from generator.families.declarative.tiers import Tier, read_tiers
from generator.families.family import CorpusFault
from generator.records.base import as_seen, not_finite, unique_keys
from generator.records.benchmark import Benchmark
from generator.records.bundle import ToolCall, Turn

NAME_LIMIT = 300
"""The longest name of a case, in characters: what an attempt can name."""

WEIGHT_LIMIT = 1_000_000
FINEST_WEIGHT = Decimal("0.000001")
"""Weights are counted as whole numbers of it, so that sums are exact."""


class CheckFile(Asked, frozen=True, forbid_unknown_fields=True):
    """A check as its file has it."""

    weight: int | Decimal = 1


class StepFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step as its file has it."""

    checks: list[CheckFile]
    prompt: str | None = None
    tool_result: str | None = msgspec.field(default=None, name="toolResult")


class ExampleCall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A call of a right answer."""

    name: str
    arguments: dict[str, Any] = {}


class ExampleTurn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A turn of a right answer."""

    content: str | None = None
    tool_calls: list[ExampleCall] = []


class CaseFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A case as its file has it: `prompt` and `checks`, or `steps`."""

    name: str
    category: str
    prompt: str | None = None
    checks: list[CheckFile] | None = None
    steps: list[StepFile] | None = None
    tools: list[dict[str, Any]] = []
    description: str | None = None
    example: str | list[ExampleTurn] | None = None
    """A right answer: what is said, or a turn for each step. It must pass every check."""

    weight: int | Decimal = 1


@dataclass(frozen=True, slots=True)
class Step:
    """What is put to the system at once, and what its reply is held against."""

    prompt: str | None
    tool_result: str | None
    """What its call in the step before came back with."""

    checks: tuple[Check, ...]

    full: int = field(init=False)
    """Weight of all its checks."""

    def __post_init__(self) -> None:
        """Add the weights up once."""
        object.__setattr__(self, "full", sum(check.weight for check in self.checks))


@dataclass(frozen=True, slots=True)
class Case:
    """One question, or several in a row, with the answer key."""

    name: str
    category: str
    description: str | None
    weight: int
    """In units of `FINEST_WEIGHT`."""

    steps: tuple[Step, ...]
    tools: tuple[Mapping[str, Any], ...]
    """Schemas of the functions that are offered."""

    example: tuple[Turn, ...] | None
    """A right answer."""

    full: int = field(init=False)
    """Weight of all its checks."""

    def __post_init__(self) -> None:
        """Add the weights up once."""
        object.__setattr__(self, "full", sum(step.full for step in self.steps))


@dataclass(frozen=True, slots=True)
class DeclarativeCorpus:
    """All cases by name, in name order."""

    by_name: Mapping[str, Case]
    categories: tuple[tuple[str, str], ...]
    """Id and title of each category, in the order of the benchmark."""

    tiers: tuple[Tier, ...] = ()
    """Highest first."""

    sweeps: bool = False
    """Whether systems are asked at several levels of effort, so that their spending matters."""

    @property
    def cases(self) -> AbstractSet[str]:
        """Names of the cases, in name order."""
        return self.by_name.keys()


def read_corpus(files: Mapping[str, bytes], benchmark: Benchmark) -> DeclarativeCorpus:
    """Read all case files, by POSIX path below `cases/`; raises CorpusFault for the first fault."""
    reading = Reading(benchmark)
    for path, content in sorted(files.items()):
        reading.read(path, content)
    if reading.faults:
        raise reading.faults[0]
    return reading.corpus()


class Reading:
    """Reads one case file after the other, and goes on after a fault."""

    def __init__(self, benchmark: Benchmark) -> None:
        self._benchmark = benchmark
        self._categories = tuple((known.id, known.title) for known in benchmark.categories)
        self._read: list[Case] = []
        self._names: dict[object, str] = {}
        """By name as a reader sees it: the file that it stands in."""

        self.faults: list[CorpusFault] = []
        self.named: list[str] = []
        """The category of each file that has the form of a case, faulty or not."""

    def read(self, path: str, content: bytes) -> Case | None:
        """Read a case file; everything that is wrong with it is added to the `faults`."""
        try:
            file = _case_file(path, content)
        except CorpusFault as fault:
            self.faults.append(fault)
            return None
        self.named.append(file.category)
        faults = [*_faults(path, file), *self._faults_beside_others(path, file)]
        self.faults += faults
        if faults:
            return None
        self._read.append(_case(file))
        return self._read[-1]

    def corpus(self) -> DeclarativeCorpus:
        """What was read without a fault; raises CorpusFault where that is nothing."""
        if not self._read:
            message = "there is no case"
            raise CorpusFault("", message, "Put at least one JSON file below cases/.")
        in_order = sorted(self._read, key=lambda case: case.name)
        return DeclarativeCorpus(
            {case.name: case for case in in_order},
            self._categories,
            read_tiers(self._benchmark),
            sweeps=bool(self._benchmark.effort),
        )

    def _faults_beside_others(self, path: str, case: CaseFile) -> Iterator[CorpusFault]:
        known = dict(self._categories)
        if case.category not in known:
            yield CorpusFault(
                path,
                f"the category {case.category!r} is unknown",
                f"Name one of benchmark.toml: {', '.join(known) or 'it declares none'}.",
            )
        first = self._names.setdefault(as_seen(case.name), path)
        if first != path:
            yield CorpusFault(
                path,
                f"the name {case.name!r} stands in {first} too, or reads the same",
                "Give each case a name of its own.",
            )


_REMEDY = "Mend the file; the guide on writing a benchmark shows the form of a case."


def _case_file(path: str, content: bytes) -> CaseFile:
    try:
        plain = json.loads(
            _shallow(content.decode()),
            object_pairs_hook=unique_keys,
            parse_constant=not_finite,
            parse_float=_decimal,
        )
        json.dumps(plain, ensure_ascii=False, default=str).encode()  # no half surrogate pairs
        return msgspec.convert(plain, CaseFile, builtin_types=(Decimal,))
    except ValueError as fault:
        raise CorpusFault(path, str(fault), _REMEDY) from fault


def _shallow(text: str) -> str:
    if is_deep(text):
        message = f"objects and arrays are nested more than {DEPTH_LIMIT} deep"
        raise ValueError(message)
    return text


def _decimal(text: str) -> Decimal:
    with contextlib.suppress(ArithmeticError):
        value = Decimal(text)
        if math.isfinite(value):
            return value
    message = f"the number {text[:20]} is beyond every float"
    raise ValueError(message)


def _faults(path: str, case: CaseFile) -> Iterator[CorpusFault]:
    """Everything that is wrong with a case by itself."""
    steps = _steps(case)
    for wrong, what in (*_faults_of_case(case), *_faults_of_steps(steps)):
        if wrong:
            yield CorpusFault(path, what, _REMEDY)
    for step_number, step in enumerate(steps, 1):
        for number, check in enumerate(step.checks, 1):
            try:
                check_type(check.type).ready(check)
            except CheckFault as fault:
                where = f"step {step_number}, " if len(steps) > 1 else ""
                said = f"{where}check {number}: {fault}"
                yield CorpusFault(path, said, "Mend the check, or leave it out.")


def _faults_of_case(case: CaseFile) -> Iterator[tuple[bool, str]]:
    """What could be wrong, and whether it is."""
    steps, example = _steps(case), case.example
    yield not case.name, "`name` must not be empty"
    yield len(case.name) > NAME_LIMIT, f"`name` has more than {NAME_LIMIT} characters"
    one_shot = case.prompt is not None or case.checks is not None
    yield one_shot == (case.steps is not None), "a case has `prompt` and `checks`, or `steps`"
    for number, tool in enumerate(case.tools, 1):
        yield not tool_name(tool), f"tool {number} has no `function` with a `name`"
    turns = 1 if isinstance(example, str) else len(steps if example is None else example)
    yield turns != len(steps), f"`example` has {turns} turns for {len(steps)} steps"
    yield (
        not all(map(_is_weight, _weights(case))),
        f"a weight is more than zero, at most {WEIGHT_LIMIT}, and has at most six decimals",
    )


def _faults_of_steps(steps: list[StepFile]) -> Iterator[tuple[bool, str]]:
    """The same of the steps."""
    yield not steps or not steps[0].prompt, "`prompt` must not be empty, in the first step"
    for number, step in enumerate(steps, 1):
        silent = number > 1 and not step.prompt and step.tool_result is None
        yield silent, f"step {number} needs a `prompt` or a `toolResult`"
        yield not step.checks, f"step {number} needs at least one check"


def tool_name(tool: Mapping[str, Any]) -> str:
    """The name of an offered function; the empty text where its schema has none."""
    function = tool.get("function")
    name = function.get("name") if isinstance(function, dict) else None
    return name if isinstance(name, str) else ""


def _steps(case: CaseFile) -> list[StepFile]:
    return case.steps if case.steps is not None else [StepFile(case.checks or [], case.prompt)]


def _weights(case: CaseFile) -> Iterator[int | Decimal]:
    yield case.weight
    for step in _steps(case):
        yield from (check.weight for check in step.checks)


def _is_weight(weight: int | Decimal) -> bool:
    return 0 < weight <= WEIGHT_LIMIT and Decimal(weight).quantize(FINEST_WEIGHT) == weight


def _case(case: CaseFile) -> Case:
    return Case(
        name=case.name,
        category=case.category,
        description=case.description,
        weight=_units(case.weight),
        steps=tuple(
            Step(step.prompt, step.tool_result, tuple(map(_ready, step.checks)))
            for step in _steps(case)
        ),
        tools=tuple(json.loads(json.dumps(case.tools, default=float))),  # exact only where weighed
        example=_example(case.example),
    )


def _ready(check: CheckFile) -> Check:
    kind = check_type(check.type)
    return Check(kind, check, _units(check.weight), kind.ready(check))


def _example(said: str | list[ExampleTurn] | None) -> tuple[Turn, ...] | None:
    if said is None:
        return None
    if isinstance(said, str):
        return (Turn(content=said),)
    return tuple(
        Turn(
            content=turn.content,
            tool_calls=tuple(
                ToolCall(call.name, msgspec.Raw(json.dumps(call.arguments, default=float).encode()))
                for call in turn.tool_calls
            ),
        )
        for turn in said
    )


def _units(weight: int | Decimal) -> int:
    return int(weight / FINEST_WEIGHT)
