"""Benchmarks: `benchmark.toml`, the cases, the prose, from the work tree or from a commit."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from generator.errors import CorpusError
from generator.records.base import Slug, fault_in
from generator.records.benchmark import Benchmark
from generator.records.digests import corpus_digest
from generator.store.project import Project

BENCHMARK = "benchmark.toml"
CASES = "cases"


@dataclass(frozen=True, slots=True)
class BenchmarkFiles:
    """A benchmark as it lies somewhere: on disk or at a commit."""

    benchmark: Benchmark
    cases: Mapping[str, bytes]
    """Content by POSIX path below `cases/`."""

    @property
    def digest(self) -> str:
        """Digest of the corpus."""
        return corpus_digest(self.cases)


def benchmark_ids(project: Project) -> tuple[str, ...]:
    """All benchmarks of a project, by name."""
    if not project.benchmarks.is_dir():
        return ()
    return tuple(sorted(path.parent.name for path in project.benchmarks.glob(f"*/{BENCHMARK}")))


def declared_inputs(benchmark_id: Slug) -> tuple[str, ...]:
    """What a run's figures depend on, relative to the root of the project."""
    folder = f"results/benchmarks/{benchmark_id}"
    return (f"{folder}/{BENCHMARK}", f"{folder}/{CASES}", f"{folder}/harness")


def benchmark_here(project: Project, benchmark_id: Slug) -> BenchmarkFiles:
    """A benchmark as it lies in the work tree; raises CorpusError."""
    folder = project.benchmarks / benchmark_id
    try:
        content = (folder / BENCHMARK).read_bytes()
    except OSError as fault:
        known = ", ".join(benchmark_ids(project)) or "none"
        raise CorpusError(
            f"{folder / BENCHMARK} can't be read: {fault.strerror}.",
            f"Known benchmarks: {known}.",
        ) from fault
    benchmark = _benchmark(folder / BENCHMARK, content, benchmark_id)
    return BenchmarkFiles(benchmark, _files(folder / CASES))


def benchmark_at(project: Project, benchmark_id: Slug, commit: str) -> BenchmarkFiles:
    """A benchmark as it was at a commit, from git objects; raises Corpus- or RepositoryError."""
    folder = f"results/benchmarks/{benchmark_id}"
    path = f"{folder}/{BENCHMARK}"
    content = project.repo.file(commit, path)
    if content is None:
        raise CorpusError(
            f"Commit {commit[:16]} holds no {path}.",
            "Commit the benchmark before it is run, and record where that commit is present.",
        )
    cases = project.repo.files(commit, f"{folder}/{CASES}")
    return BenchmarkFiles(_benchmark(Path(path), content, benchmark_id), cases)


def prose(project: Project, benchmark_id: Slug, locale: str) -> str | None:
    """The benchmark's text in a locale, front matter included; none where there is none.

    Raises CorpusError where it is no UTF-8.
    """
    path = project.benchmarks / benchmark_id / f"about.{locale}.md"
    try:
        return path.read_text(encoding="utf-8") if path.is_file() else None
    except ValueError as fault:
        raise CorpusError(f"{path}: {fault}.", "Write it again, in UTF-8.") from fault


def _files(folder: Path) -> dict[str, bytes]:
    """Content by POSIX path; raises CorpusError for what a commit would not hold as a file."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            raise CorpusError(
                f"{path} is a link, or no regular file.",
                "Put a regular file in its place and commit it.",
            )
        if path.is_file():
            found[path.relative_to(folder).as_posix()] = path.read_bytes()
    return found


def _benchmark(path: Path, content: bytes, benchmark_id: str) -> Benchmark:
    remedy = "Mend the file; the guide on writing a benchmark describes it."
    try:
        benchmark = Benchmark.from_toml(content)
    except ValueError as fault:
        raise CorpusError(f"{path}: {fault_in(content, fault)}.", remedy) from fault
    if benchmark.id != benchmark_id:
        raise CorpusError(
            f"{path}: the id is {benchmark.id!r}, the folder is called {benchmark_id!r}.",
            "Give both the same name.",
        )
    return benchmark
