"""`audit`: everything that is wrong with a benchmark's corpus, before anybody is asked it."""

from dataclasses import dataclass
from posixpath import normpath

from generator.store.corpus import CASES, benchmark_here
from generator.store.project import Project
from generator.workflow.scoring import family_for


@dataclass(frozen=True, slots=True)
class Flaw:
    """One thing that is wrong."""

    file: str
    """Relative to the root of the project."""

    what: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit found."""

    benchmark: str
    files: int
    flaws: tuple[Flaw, ...]


def audit(project: Project, benchmark_id: str) -> Audit:
    """Read every case of the work tree; raises CorpusError where the benchmark can't be read."""
    files = benchmark_here(project, benchmark_id)
    faults = family_for(files.benchmark).audit(files.cases, files.benchmark)
    folder = f"results/benchmarks/{benchmark_id}/{CASES}"
    flaws = (Flaw(normpath(f"{folder}/{one.file}"), one.what, one.remedy) for one in faults)
    return Audit(benchmark_id, len(files.cases), tuple(flaws))
