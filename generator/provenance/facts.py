"""Everything that a rule may see of a candidate row. There is no score among it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from generator.records.benchmark import Benchmark
from generator.records.bundle import Manifest, System, Tree

Provided: TypeAlias = Literal["said", "unknown", "not-applicable"]
"""Whether a provenance field has a value, is missing, or does not apply to the benchmark."""

REQUIRED = (
    "commit",
    "subject",
    "surface",
    "revision",
    "options",
    "corpus",
    "contracts",
    "tools",
)
"""What a row must say, in the order in which it is reported; provider and model always stand."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the attempts of one system add up to, as cases and repetitions."""

    cases: int
    """Cases of the corpus."""

    never: tuple[str, ...] = ()
    """Cases that were not asked at all: no attempt, or skipped in every repetition."""

    missing: tuple[str, ...] = ()
    """Attempts that are not there, as `case #repetition`, at cases that were asked."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the registry that is the same measurement as the candidate."""

    row: str
    same_evidence: bool
    """The very same observations were recorded before."""


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


def provided(benchmark: Benchmark, manifest: Manifest, system: System) -> dict[str, Provided]:
    """Which required provenance fields a run states for one of its systems."""
    values = {
        "commit": manifest.corpus.commit,
        "subject": manifest.subject,
        "surface": system.surface,
        "revision": system.revision,
        "options": system.options,
        "corpus": manifest.corpus.digest,
        "contracts": manifest.corpus.contracts,
        "tools": system.tools,
    }
    return {name: _provided(name, values[name], benchmark) for name in REQUIRED}


def _provided(name: str, value: object, benchmark: Benchmark) -> Provided:
    if value is not None:
        return "said"
    return "not-applicable" if name in benchmark.not_applicable else "unknown"
