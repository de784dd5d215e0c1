"""Everything that a rule may see of a candidate row. There is no score among it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from generator.records.base import Certainty
from generator.records.bundle import Tree
from generator.records.key import Key

Provided: TypeAlias = Literal["said", "unknown", "not-applicable"]
"""Whether a provenance field has a value, is missing, or does not apply to the benchmark."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the attempts of one system add up to, as cases and repetitions."""

    cases: int
    """Cases of the corpus."""

    never: tuple[str, ...] = ()
    """Cases that were not asked at all: no attempt, or skipped in every repetition."""

    missing: tuple[str, ...] = ()
    """Attempts that are not there, as `case #repetition`, at cases that were asked."""

    again: tuple[str, ...] = ()
    """Attempts that are there more than once, as `case #repetition`, with the later place."""

    attempts: int = 0
    """Attempts that are there."""

    excluded: int = 0
    """Those of them that count in no measure, since they failed through no fault of the system."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the registry that is the same measurement as the candidate."""

    row: str
    stays: bool
    """Nothing may take its place: it has the very same observations, or others of the very same
    run, or a key that differs from the candidate's only in what can't be seen."""

    finished: str = ""
    """When its run ended."""


@dataclass(frozen=True, slots=True)
class Facts:
    """One candidate row, as the rules see it."""

    provider: str
    model: str
    filter: str | None
    asked: Asked
    provided: Mapping[str, Provided]
    corpus_ran: str | None
    corpus_here: str
    contracts_ran: str | None
    contracts_here: str
    version_ran: str
    version_here: str
    status: Literal["complete", "stopped"]
    stopped: str | None
    trees: Mapping[Literal["start", "end"], Tree]
    stands: Standing | None = None
    replace: bool = False
    """Whether replacing a row that stands was asked for."""

    older: bool = False
    """Whether replacing it by an older run was asked for."""

    finished: str | None = None
    """When the run ended."""

    commit: str | None = None
    """The commit whose corpus was asked."""

    reachable: Certainty = "yes"
    """Whether that commit is part of the history of HEAD."""

    strays: tuple[str, ...] = ()
    """Places of attempts in the bundle that are not of this run, or not of its systems or cases."""

    excluded_at_most: Decimal = Decimal(1)
    """The share of attempts that may be excluded, as the benchmark declares it."""

    secrets: tuple[str, ...] = ()
    """Kinds and places of what looks like a secret in what would be published."""


@dataclass(frozen=True, slots=True)
class Stated:
    """What a run states of itself, apart from what makes the measurement; none is unknown."""

    commit: str | None
    corpus: str | None
    contracts: str | None
    finished: str | None


def provided(key: Key, stated: Stated, not_applicable: Iterable[str]) -> dict[str, Provided]:
    """Which required provenance fields are said; `key` holds what else makes the measurement."""
    values = {
        "commit": stated.commit,
        "subject": key.subject,
        "surface": key.configuration.surface,
        "revision": key.revision,
        "options": key.configuration.options,
        "corpus": stated.corpus,
        "contracts": stated.contracts,
        "tools": key.tools,
        "finished": stated.finished,
    }
    excused = frozenset(not_applicable)
    return {name: _provided(value, name in excused) for name, value in values.items()}


def _provided(value: object, excused: bool) -> Provided:  # noqa: FBT001
    if value is not None:
        return "said"
    return "not-applicable" if excused else "unknown"
