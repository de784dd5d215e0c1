"""Putting attempts to a family's scorer, and remembering what was asked; one attempt at a time."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from posixpath import normpath
from typing import Any

from generator.errors import CorpusError
from generator.families.catalog import FAMILIES, family_of
from generator.families.family import Corpus, CorpusFault, Family, Scorer
from generator.provenance.facts import Asked
from generator.provenance.secrets import found
from generator.records.benchmark import Benchmark
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

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process reads it again from its files, unless it has it from its parent."""
        return answer_key, (self.files,)


def family_for(benchmark: Benchmark) -> Family:
    """The family that a benchmark names; raises CorpusError where there is none."""
    family = family_of(benchmark.family)
    if family is None:
        known = ", ".join(known.id for known in FAMILIES)
        raise CorpusError(
            f"The benchmark {benchmark.id!r} names the family {benchmark.family!r}.",
            f"Name one of the known families in its benchmark.toml: {known}.",
        )
    return family


def answer_key(files: BenchmarkFiles) -> AnswerKey:
    """Read the corpus by the benchmark's family; raises CorpusError."""
    benchmark = files.benchmark
    family = family_for(benchmark)
    try:
        return AnswerKey(files, family, family.corpus(files.cases, benchmark))
    except CorpusFault as fault:
        path = normpath(f"results/benchmarks/{benchmark.id}/{CASES}/{fault.file}")
        raise CorpusError(f"{path}: {fault.what}.", fault.remedy) from fault


@dataclass(slots=True)
class Tries:
    """Which cases were tried in which repetitions; it can be sent to another process."""

    repetitions: dict[str, int] = field(default_factory=dict)
    """By case: bit N is set where repetition N was made."""

    skipped: set[str] = field(default_factory=set)
    attempts: int = 0
    excluded: int = 0

    def made(self, case: str) -> list[int]:
        """The repetitions of a case that were made, in order."""
        bits = self.repetitions.get(case, 0)
        return [number for number in range(bits.bit_length()) if bits >> number & 1]

    def overlap(self, other: "Tries") -> bool:
        """Whether both hold a try at the same case in the same repetition."""
        return any(bits & self.repetitions.get(case, 0) for case, bits in other.repetitions.items())

    def merge(self, other: "Tries") -> None:
        """Add tries that do not overlap with these."""
        for case, bits in other.repetitions.items():
            self.repetitions[case] = self.repetitions.get(case, 0) | bits
        self.skipped |= other.skipped
        self.attempts += other.attempts
        self.excluded += other.excluded


@dataclass(slots=True)
class Tally:
    """The attempts of one row: scored as they come, and remembered by case and repetition only."""

    scorer: Scorer
    tries: Tries = field(default_factory=Tries)
    again: list[str] = field(default_factory=list)
    """Attempts at what was tried before, with their places."""

    def add(self, observed: Observed) -> None:
        """Count an attempt at a case of the corpus; one that was made before is only noted."""
        attempt, tries = observed.attempt, self.tries
        before, bit = tries.repetitions.get(attempt.case, 0), 1 << attempt.repetition
        if before & bit:
            self.again.append(f"{attempt.case} #{attempt.repetition}, {observed.place}")
            return
        tries.repetitions[attempt.case] = before | bit
        tries.attempts += 1
        tries.excluded += attempt.outcome in EXCLUDED
        if attempt.outcome == "skipped":
            tries.skipped.add(attempt.case)
        self.scorer.add(attempt)

    def asked(self, corpus: Corpus, repetitions: int) -> Asked:
        """What was asked, against every case in every repetition."""
        made = self.tries.repetitions
        never = {case for case in corpus.cases if case in self.tries.skipped or not made.get(case)}
        missing = [
            f"{case} #{number}"
            for case in corpus.cases
            if case not in never
            for number in range(1, repetitions + 1)
            if not made[case] >> number & 1
        ]
        return Asked(
            cases=len(corpus.cases),
            never=tuple(case for case in corpus.cases if case in never),
            missing=tuple(missing),
            again=tuple(self.again),
            attempts=self.tries.attempts,
            excluded=self.tries.excluded,
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
