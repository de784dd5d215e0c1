"""The family `paired`: two arms on the same tasks, and an oracle that says what was done."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, cast

from generator.families.blocks import Block
from generator.families.family import Corpus, CorpusFault, Metric, Put, Question
from generator.families.paired.audit import audit
from generator.families.paired.compared import compared
from generator.families.paired.comparing import compare, contrast_of, paired, statistics_of
from generator.families.paired.contrasted import contrasted
from generator.families.paired.corpus import PairedCorpus, read_corpus
from generator.families.paired.inventory import inventory
from generator.families.paired.metrics import METRICS
from generator.families.paired.observed import observed
from generator.families.paired.scorer import PairedScorer
from generator.records.benchmark import Benchmark
from generator.records.bundle import Attempt, Turn
from generator.records.comparison import Comparison, Contrast
from generator.records.experiment import Experiment
from generator.records.row import Row, Standing
from generator.records.run_record import RunRecord


class Paired:
    """Two arms on the same tasks."""

    id = "paired"
    version = 1
    standing: Standing = "attested"
    timed = True
    metrics: tuple[Metric, ...] = METRICS

    def corpus(self, files: Mapping[str, bytes], benchmark: Benchmark) -> PairedCorpus:
        """Read manifest and tasks; raises CorpusFault."""
        return read_corpus(files, benchmark)

    def audit(self, files: Mapping[str, bytes], benchmark: Benchmark) -> tuple[CorpusFault, ...]:
        """Faults, tasks that are the same, and oracles that know too much or are known."""
        return audit(files, benchmark)

    def questions(self, corpus: Corpus) -> tuple[Question, ...]:
        """The prompt of each task, which stands in no record of an attempt."""
        own = cast("PairedCorpus", corpus)
        return tuple(
            Question(task.id, (Put(task.prompt),), quoted=False) for task in own.by_id.values()
        )

    def perfect(self, corpus: Corpus, case: str) -> tuple[Turn, ...] | None:
        """Nothing: what does a task is a command, and no reply."""
        del corpus, case
        return None

    def scorer(self, corpus: Corpus) -> PairedScorer:
        """A scorer for one row."""
        return PairedScorer(cast("PairedCorpus", corpus))

    def inventory(self, corpus: Corpus) -> tuple[Block, ...]:
        """Both arms, and every task with its workspace and its oracle."""
        return inventory(cast("PairedCorpus", corpus))

    def compared(
        self,
        corpus: Corpus,
        benchmark: Benchmark,
        rows: Sequence[Row],
        comparisons: Sequence[Comparison] = (),
    ) -> tuple[Block, ...]:
        """The arms of each run: side by side, in pairs, case by case, and what may be concluded."""
        del corpus, benchmark
        return compared(rows, comparisons)

    def tiers(self, corpus: Corpus) -> tuple[str, ...]:
        """None: an arm is compared with the other, and with no threshold."""
        del corpus
        return ()

    def tier(self, corpus: Corpus, scores: Mapping[str, Decimal]) -> str | None:
        """None, as there are none."""
        del corpus, scores
        return None

    def recommended(self, corpus: Corpus, benchmark: Benchmark, rows: Sequence[Row]) -> list[Row]:
        """None: a comparison says what may be concluded, which is rarely a recommendation."""
        del corpus, benchmark, rows
        return []

    def observed(self, corpus: Corpus | None, attempts: Iterable[Attempt]) -> tuple[Block, ...]:
        """What became of each attempt."""
        del corpus
        return observed(attempts)

    def experiment(self, corpus: Corpus) -> Experiment:
        """The arms, what they run and on which terms."""
        return cast("PairedCorpus", corpus).experiment

    def compare(
        self, records: Sequence[RunRecord], baseline: str, candidate: str, *, left_out: int = 0
    ) -> dict[str, Any]:
        """What the records of two arms say of each other; raises ComparisonFault."""
        pairs = paired(records, baseline, candidate)
        statistics = statistics_of(contrast_of(pairs, left_out=left_out))
        return {**compare(pairs, baseline, candidate), "statistics": statistics}

    def contrast(
        self, corpus: Corpus, baseline: Iterable[Attempt], candidate: Iterable[Attempt]
    ) -> Contrast:
        """What the attempts of two arms say of each other; raises ValueError for unequal pairs."""
        return contrasted(cast("PairedCorpus", corpus), baseline, candidate)
