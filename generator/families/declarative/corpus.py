"""The cases of a declarative benchmark: one JSON file each, checked before anything runs."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NoReturn

import msgspec

from generator.families.declarative.checks import Check, CheckFault, check_type
from generator.families.family import CorpusFault
from generator.records.base import as_seen, not_finite, unique_keys
from generator.records.benchmark import Benchmark

NAME_LIMIT = 300
"""The longest name of a case, in characters: what an attempt can name."""

WEIGHT_LIMIT = 1_000_000
FINEST_WEIGHT = Decimal("0.000001")


class CheckFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A check as its file has it."""

    type: str
    value: Any = None
    flags: str | None = None
    weight: int | Decimal = 1


class CaseFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A case as its file has it."""

    name: str
    category: str
    prompt: str
    checks: list[CheckFile]
    description: str | None = None
    weight: int | Decimal = 1


@dataclass(frozen=True, slots=True)
class Case:
    """One question with its answer key."""

    name: str
    category: str
    prompt: str
    description: str | None
    weight: int
    """In units of the corpus's finest weight."""

    checks: tuple[Check, ...]

    full: int = field(init=False)
    """Weight of all its checks."""

    def __post_init__(self) -> None:
        """Add the weights up once."""
        object.__setattr__(self, "full", sum(check.weight for check in self.checks))


@dataclass(frozen=True, slots=True)
class DeclarativeCorpus:
    """All cases by name, in name order."""

    by_name: Mapping[str, Case]
    categories: tuple[tuple[str, str], ...]
    """Id and title of each category, in the order of the benchmark."""

    unit: Decimal
    """The finest weight: weights are counted as whole numbers of it, so that sums are exact."""

    cases: tuple[str, ...] = field(init=False)
    """Names of the cases, in name order."""

    def __post_init__(self) -> None:
        """Derive the order once."""
        object.__setattr__(self, "cases", tuple(self.by_name))


def read_corpus(files: Mapping[str, bytes], benchmark: Benchmark) -> DeclarativeCorpus:
    """Read all case files, by POSIX path below `cases/`; raises CorpusFault for the first fault."""
    read = {path: _case_file(path, content) for path, content in files.items()}
    unit = _finest(
        weight
        for case in read.values()
        for weight in (case.weight, *(c.weight for c in case.checks))
    )
    known = tuple((category.id, category.title) for category in benchmark.categories)
    by_name: dict[str, Case] = {}
    places: dict[object, str] = {}
    """By name, as a reader sees it."""

    for path, case in sorted(read.items(), key=lambda item: (item[1].name, item[0])):
        if case.category not in dict(known):
            _fault(
                path,
                f"the category {case.category!r} is unknown",
                f"Name one of benchmark.toml: {', '.join(dict(known)) or 'it declares none'}.",
            )
        seen = as_seen(case.name)
        if seen in places:
            _fault(
                path,
                f"the name {case.name!r} stands in {places[seen]} too, or reads the same",
                "Give each case a name of its own.",
            )
        by_name[case.name] = _case(path, case, unit)
        places[seen] = path
    if not by_name:
        _fault("cases", "there is no case", "Put at least one JSON file below cases/.")
    return DeclarativeCorpus(by_name, known, unit)


def _fault(path: str, what: str, remedy: str) -> NoReturn:
    raise CorpusFault(path, what, remedy)


def _case_file(path: str, content: bytes) -> CaseFile:
    remedy = "Mend the file; the guide on writing a benchmark shows the form of a case."
    try:
        plain = json.loads(
            content.decode(),
            object_pairs_hook=unique_keys,
            parse_constant=not_finite,
            parse_float=Decimal,
        )
        json.dumps(plain, ensure_ascii=False, default=str).encode()  # no half surrogate pairs
        case = msgspec.convert(plain, CaseFile, builtin_types=(Decimal,))
    except (ValueError, RecursionError) as fault:
        raise CorpusFault(path, str(fault), remedy) from fault
    if not case.name or not case.prompt:
        _fault(path, "`name` and `prompt` must not be empty", remedy)
    if len(case.name) > NAME_LIMIT:
        _fault(path, f"`name` has more than {NAME_LIMIT} characters", remedy)
    if not case.checks:
        _fault(path, "a case needs at least one check", remedy)
    if not all(map(_is_weight, (case.weight, *(check.weight for check in case.checks)))):
        _fault(
            path,
            f"a weight is more than zero, at most {WEIGHT_LIMIT}, and has at most six decimals",
            remedy,
        )
    return case


def _is_weight(weight: int | Decimal) -> bool:
    return 0 < weight <= WEIGHT_LIMIT and Decimal(weight).quantize(FINEST_WEIGHT) == weight


def _case(path: str, case: CaseFile, unit: Decimal) -> Case:
    checks = []
    for number, check in enumerate(case.checks, 1):
        try:
            kind = check_type(check.type)
            passes = kind.ready(check.value, check.flags)
        except CheckFault as fault:
            raise CorpusFault(
                path, f"check {number}: {fault}", "Mend the check, or leave it out."
            ) from fault
        checks.append(Check(kind, check.value, _units(check.weight, unit), passes))
    return Case(
        name=case.name,
        category=case.category,
        prompt=case.prompt,
        description=case.description,
        weight=_units(case.weight, unit),
        checks=tuple(checks),
    )


def _finest(weights: Iterable[int | Decimal]) -> Decimal:
    exponents = (int(Decimal(weight).normalize().as_tuple().exponent) for weight in weights)
    return Decimal(1).scaleb(min(0, *exponents, 0))


def _units(weight: int | Decimal, unit: Decimal) -> int:
    return int(weight / unit)
