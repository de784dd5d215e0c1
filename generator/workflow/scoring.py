"""Putting attempts to a family's scorer, and remembering what was asked; one attempt at a time."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from generator.errors import CorpusError
from generator.families.catalog import FAMILIES, family_of
from generator.families.family import Corpus, CorpusFault, Family, Scorer
from generator.provenance.facts import Asked
from generator.provenance.secrets import found
from generator.records.bundle import EXCLUDED
from generator.records.digests import contracts_digest
from generator.store.corpus import CASES, BenchmarkFiles
from generator.store.lines import Observed, without_escapes


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
    again: list[str] = field(default_factory=list)
    """Attempts at what was tried before, with their places."""

    attempts: int = 0
    excluded: int = 0

    def add(self, observed: Observed) -> None:
        """Count an attempt at a case of the corpus; one that was made before is only noted."""
        attempt = observed.attempt
        seen = self.repetitions.setdefault(attempt.case, set())
        if attempt.repetition in seen:
            self.again.append(f"{attempt.case} #{attempt.repetition}, {observed.place}")
            return
        seen.add(attempt.repetition)
        self.attempts += 1
        self.excluded += attempt.outcome in EXCLUDED
        if attempt.outcome == "skipped":
            self.skipped.add(attempt.case)
        self.scorer.add(attempt)

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
        return Asked(
            cases=len(corpus.cases),
            never=tuple(never),
            missing=tuple(missing),
            again=tuple(self.again),
            attempts=self.attempts,
            excluded=self.excluded,
        )


def leaks(observed: Observed) -> list[str]:
    """Kinds and places of what looks like a secret in an observation, also behind escapes."""
    shown = without_escapes(observed.line)
    return [f"{kind}, {observed.place}" for kind in found(shown)]


def tally(key: AnswerKey, evidence: Iterable[Observed]) -> Tally:
    """The tally of evidence; raises KeyError for a case that the corpus has not."""
    total = Tally(key.family.scorer(key.corpus))
    for observed in evidence:
        total.add(observed)
    return total
