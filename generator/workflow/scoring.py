"""Putting attempts to a family's scorer, and remembering what was asked; one attempt at a time."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from generator.errors import CorpusError
from generator.families.catalog import FAMILIES, family_of
from generator.families.family import Corpus, CorpusFault, Family, Scorer
from generator.provenance.facts import Asked
from generator.records.bundle import Attempt
from generator.records.digests import contracts_digest
from generator.store.corpus import CASES, BenchmarkFiles


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """A benchmark with its answer key read: what attempts are scored with."""

    files: BenchmarkFiles
    family: Family
    corpus: Corpus

    @property
    def contracts(self) -> str:
        """Digest of what the scorer promises."""
        return contracts_digest(self.family.id, self.family.version, self.files.benchmark.scoring)


def answer_key(files: BenchmarkFiles) -> AnswerKey:
    """Read the corpus by the benchmark's family; raises CorpusError."""
    benchmark = files.benchmark
    family = family_of(benchmark.family)
    if family is None:
        known = ", ".join(known.id for known in FAMILIES)
        raise CorpusError(
            f"The benchmark {benchmark.id!r} names the family {benchmark.family!r}.",
            f"Name one of the known families in its benchmark.toml: {known}.",
        )
    try:
        return AnswerKey(files, family, family.corpus(files.cases, benchmark))
    except CorpusFault as fault:
        path = f"results/benchmarks/{benchmark.id}/{CASES}/{fault.file}"
        raise CorpusError(f"{path}: {fault.what}.", fault.remedy) from fault


@dataclass(slots=True)
class Tally:
    """The attempts of one row: scored as they come, and remembered by case and repetition only."""

    scorer: Scorer
    repetitions: dict[str, set[int]] = field(default_factory=dict)
    skipped: set[str] = field(default_factory=set)

    def add(self, attempt: Attempt) -> bool:
        """Count an attempt; False where the same case and repetition was counted before."""
        seen = self.repetitions.setdefault(attempt.case, set())
        if attempt.repetition in seen:
            return False
        seen.add(attempt.repetition)
        if attempt.outcome == "skipped":
            self.skipped.add(attempt.case)
        self.scorer.add(attempt)
        return True

    def asked(self, corpus: Corpus, repetitions: int) -> Asked:
        """What was asked, against every case in every repetition."""
        never = [
            case for case in corpus.cases if case in self.skipped or not self.repetitions.get(case)
        ]
        missing = [
            f"{case} #{number}"
            for case in corpus.cases
            if case not in never
            for number in range(1, repetitions + 1)
            if number not in self.repetitions[case]
        ]
        return Asked(cases=len(corpus.cases), never=tuple(never), missing=tuple(missing))


def tally(key: AnswerKey, attempts: Iterable[Attempt]) -> Tally:
    """The tally of attempts that are known to be of the corpus, such as evidence."""
    found = Tally(key.family.scorer(key.corpus))
    for attempt in attempts:
        found.add(attempt)
    return found
