"""The contract of a family: a way of scoring, from a corpus and observations to measures.

A family is pure. It never sees a path, a clock or git, and keeps no attempt: a scorer is fed one
attempt after the other and remembers counts. A new family is one folder and one line in
`catalog.py`; registry and pages know nothing of families beyond what stands here.
"""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

from generator.families.blocks import Block
from generator.records.benchmark import Benchmark
from generator.records.bundle import Attempt, ToolCall, Turn
from generator.records.comparison import Comparison, Contrast
from generator.records.experiment import Experiment
from generator.records.measure import Measure
from generator.records.row import Contribution, Counts, Row, Standing
from generator.records.run_record import RunRecord


class CorpusFault(Exception):
    """A case file is not what the family asks for; carries the file, the place and the remedy."""

    def __init__(self, file: str, what: str, remedy: str) -> None:
        super().__init__(f"{file}: {what}")
        self.file = file
        self.what = what
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class Metric:
    """What a measure says, for the page that explains it."""

    id: str
    kind: Literal["ratio", "weighted_ratio", "mean", "quantile", "count", "label"]
    title: str
    """A message of the catalogues, like all texts here but the formula."""

    says: str
    numerator: str
    denominator: str
    formula: str
    """The same in every language."""

    better: Literal["higher", "lower", "neither"]
    low: str = "0"
    high: str = "1"


Gathered: TypeAlias = Any
"""What a scorer counted, as plain values that can be sent to another process."""


@dataclass(frozen=True, slots=True)
class Scores:
    """What a scorer makes of all attempts of one row."""

    counts: Counts
    measures: tuple[Measure, ...]
    contributions: tuple[Contribution, ...]


@dataclass(frozen=True, slots=True)
class Put:
    """What is put to a system at once: a prompt, or what its call came back with, or both."""

    prompt: str | None
    tool_result: str | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """What has to stand before a case is put to a system that is to use the benchmark's subject."""

    fixtures: Mapping[str, Any]
    """By name: what the keeper is to make, as the case has it."""

    turns: Mapping[str, int]
    """By surface: how many replies an attempt may have."""

    published: Mapping[str, frozenset[str]]
    """By surface: the names of all tools that its server publishes."""

    first: Mapping[str, frozenset[str]]
    """By surface: the names of those that are shown before all others, where not all can be."""

    shown_at_most: int


@dataclass(frozen=True, slots=True)
class Question:
    """A case as it is put to a system, without its answer key."""

    case: str
    puts: tuple[Put, ...]
    """In a scene, a prompt names fixtures: `{bolt.name}`, and the attempt's `{mark}`."""

    tools: tuple[Mapping[str, Any], ...] = ()
    """Schemas of the functions that are offered."""

    scene: Scene | None = None
    """Where the subject's server offers its own."""

    quoted: bool = True
    """Whether what was put stands in the record of an attempt, where a system does not say it."""


@dataclass(frozen=True, slots=True)
class Played:
    """How far an attempt in a scene is."""

    fixtures: Mapping[str, Any]
    """What was made before it, as `Attempt.fixtures` has it."""

    answers: tuple[str, ...]
    """What each call so far came back with."""


class Corpus(Protocol):
    """All cases of a benchmark with their answer keys, read and checked."""

    @property
    def cases(self) -> AbstractSet[str]:
        """The ids of the cases, in the order in which they are shown."""
        ...


class Scorer(Protocol):
    """Turns the attempts of one row into measures, one attempt at a time."""

    def add(self, attempt: Attempt) -> None:
        """Count one attempt at a case of the corpus."""
        ...

    def gathered(self) -> Gathered:
        """Everything that was counted so far, to be merged into another scorer of the corpus."""
        ...

    def merge(self, gathered: Gathered) -> None:
        """Add what another scorer counted; in any order, the figures come out the same."""
        ...

    def finish(self) -> Scores:
        """The measures of all attempts added so far."""
        ...


class Family(Protocol):
    """A way of scoring."""

    @property
    def id(self) -> str:
        """The name that `benchmark.toml` calls it by."""
        ...

    @property
    def version(self) -> int:
        """Goes up when the same observations would score otherwise."""
        ...

    @property
    def standing(self) -> Standing:
        """How its measures come to be."""
        ...

    @property
    def timed(self) -> bool:
        """Whether its measures hold for one class of machine only, whatever a benchmark says."""
        ...

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """Everything that it measures."""
        ...

    def corpus(self, files: Mapping[str, bytes], benchmark: Benchmark) -> Corpus:
        """Read the files below `cases/`, by POSIX path; raises CorpusFault."""
        ...

    def audit(self, files: Mapping[str, bytes], benchmark: Benchmark) -> tuple[CorpusFault, ...]:
        """Everything that is wrong with these files at once, and not the first fault only."""
        ...

    def questions(self, corpus: Corpus) -> tuple[Question, ...]:
        """Every case as it is put to a system, in the order of the corpus."""
        ...

    def perfect(self, corpus: Corpus, case: str) -> tuple[Turn, ...] | None:
        """Replies that gain everything in a case; none where its key does not tell them."""
        ...

    def scorer(self, corpus: Corpus) -> Scorer:
        """A scorer for one row."""
        ...

    def inventory(self, corpus: Corpus) -> tuple[Block, ...]:
        """What the benchmark asks: shown on the benchmark's page."""
        ...

    def compared(
        self,
        corpus: Corpus,
        benchmark: Benchmark,
        rows: Sequence[Row],
        comparisons: Sequence[Comparison] = (),
    ) -> tuple[Block, ...]:
        """What only the standing rows of this corpus say together; may be nothing."""
        ...

    def tiers(self, corpus: Corpus) -> tuple[str, ...]:
        """The tiers that the benchmark declares, highest first; none where it declares none."""
        ...

    def tier(self, corpus: Corpus, scores: Mapping[str, Decimal]) -> str | None:
        """The tier that rounded category scores earn; none where they earn none."""
        ...

    def recommended(self, corpus: Corpus, benchmark: Benchmark, rows: Sequence[Row]) -> list[Row]:
        """Of each system at several levels of effort, the row at the level to take."""
        ...

    def observed(self, corpus: Corpus | None, attempts: Iterable[Attempt]) -> tuple[Block, ...]:
        """What was said, beside what was expected where the corpus is at hand."""
        ...


Stray: TypeAlias = Literal["action", "argument", "confirmation", "change"]
"""In what a call goes wrong: it names another action, which only reads; a compared argument has
another value; a confirmation lacks; it changes something that nobody asked for."""


@runtime_checkable
class Replays(Protocol):
    """What a family whose cases are played in scenes has besides."""

    def replay(self, corpus: Corpus, case: str, surface: str, played: Played) -> Turn:
        """The next reply of a system that knows the key; after its last step, a text."""
        ...

    def astray(
        self, corpus: Corpus, case: str, surface: str, played: Played, stray: Stray
    ) -> ToolCall | None:
        """A call by which a system goes wrong at this point; none where it can't in this way.

        Action and argument go wrong at the last step only, so that what was before is as it was.
        """
        ...


@runtime_checkable
class Pairs(Protocol):
    """What a family whose runs put two arms to the same cases has besides."""

    def experiment(self, corpus: Corpus) -> Experiment:
        """The arms, what they run and on which terms."""
        ...

    def compare(
        self, records: Sequence[RunRecord], baseline: str, candidate: str, *, left_out: int = 0
    ) -> dict[str, Any]:
        """What the records of two arms say of each other, as JSON values; no corpus is needed.

        `left_out` is how many pairs are not among them, since an attempt of theirs counts in no
        measure. Raises ComparisonFault.
        """
        ...

    def contrast(
        self, corpus: Corpus, baseline: Iterable[Attempt], candidate: Iterable[Attempt]
    ) -> Contrast:
        """What the attempts of two arms say of each other; raises ValueError for unequal pairs."""
        ...
