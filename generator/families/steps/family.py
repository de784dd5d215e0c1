"""The family `steps`: what it measures, and what it shows of cases and attempts."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import cast

from generator.families.blocks import Block
from generator.families.family import (
    Corpus,
    CorpusFault,
    Metric,
    Played,
    Put,
    Question,
    Scene,
    Stray,
)
from generator.families.steps.astray import astray
from generator.families.steps.audit import audit
from generator.families.steps.compared import compared
from generator.families.steps.corpus import Case, StepsCorpus, read_corpus
from generator.families.steps.inventory import inventory
from generator.families.steps.metrics import METRICS
from generator.families.steps.observed import observed
from generator.families.steps.replay import replay
from generator.families.steps.scorer import StepsScorer
from generator.records.benchmark import Benchmark
from generator.records.bundle import Attempt, ToolCall, Turn
from generator.records.comparison import Comparison
from generator.records.row import Row, Standing


class Steps:
    """Tool use on a real server."""

    id = "steps"
    version = 1
    standing: Standing = "recomputed"
    timed = False
    metrics: tuple[Metric, ...] = METRICS

    def corpus(self, files: Mapping[str, bytes], benchmark: Benchmark) -> StepsCorpus:
        """Read catalogue and cases; raises CorpusFault."""
        return read_corpus(files, benchmark)

    def audit(self, files: Mapping[str, bytes], benchmark: Benchmark) -> tuple[CorpusFault, ...]:
        """Faults, prompts that leak, and exceptions that nothing needs."""
        return audit(files, benchmark)

    def questions(self, corpus: Corpus) -> tuple[Question, ...]:
        """The prompt of each case, and the scene that it is played in."""
        own = cast("StepsCorpus", corpus)
        return tuple(_question(own, case) for case in own.by_name.values())

    def perfect(self, corpus: Corpus, case: str) -> tuple[Turn, ...] | None:
        """Nothing: what is right depends on what was made for an attempt; see `replay`."""
        del corpus, case
        return None

    def replay(self, corpus: Corpus, case: str, surface: str, played: Played) -> Turn:
        """The next step of the key; raises Unfilled where what was made does not tell it."""
        own = cast("StepsCorpus", corpus)
        return replay(own.catalogue, own.by_name[case], surface, played)

    def astray(
        self, corpus: Corpus, case: str, surface: str, played: Played, stray: Stray
    ) -> ToolCall | None:
        """A call by which a system goes wrong at this point; none where it can't in this way."""
        own = cast("StepsCorpus", corpus)
        return astray(own, own.by_name[case], surface, played, stray)

    def scorer(self, corpus: Corpus) -> StepsScorer:
        """A scorer for one row."""
        return StepsScorer(cast("StepsCorpus", corpus))

    def inventory(self, corpus: Corpus) -> tuple[Block, ...]:
        """Cases by kind and by domain, and every case with its prompt and key."""
        return inventory(cast("StepsCorpus", corpus))

    def compared(
        self,
        corpus: Corpus,
        benchmark: Benchmark,
        rows: Sequence[Row],
        comparisons: Sequence[Comparison] = (),
    ) -> tuple[Block, ...]:
        """The surfaces of each system, and the systems on each surface."""
        del corpus, benchmark, comparisons
        return compared(rows)

    def tiers(self, corpus: Corpus) -> tuple[str, ...]:
        """None: the measures are not weighed against each other."""
        del corpus
        return ()

    def tier(self, corpus: Corpus, scores: Mapping[str, Decimal]) -> str | None:
        """None, as there are none."""
        del corpus, scores
        return None

    def recommended(self, corpus: Corpus, benchmark: Benchmark, rows: Sequence[Row]) -> list[Row]:
        """None: a level of effort is recommended by the tier that it reaches."""
        del corpus, benchmark, rows
        return []

    def observed(self, corpus: Corpus | None, attempts: Iterable[Attempt]) -> tuple[Block, ...]:
        """What became of each attempt, and each of them turn by turn with the key beside it."""
        return observed(cast("StepsCorpus | None", corpus), attempts)


def _question(corpus: StepsCorpus, case: Case) -> Question:
    catalogue = corpus.catalogue
    scene = Scene(
        fixtures={
            name: {"make": fixture.make, "with": fixture.fields}
            for name, fixture in case.fixtures.items()
        },
        turns={
            surface: catalogue.turns(surface, len(case.steps)) for surface in catalogue.surfaces
        },
        published={surface: catalogue.published(surface) for surface in catalogue.surfaces},
        first={
            surface: catalogue.shown_first(surface, case.domains) for surface in catalogue.surfaces
        },
        shown_at_most=catalogue.shown_at_most,
    )
    return Question(case.name, (Put(case.prompt),), scene=scene)
