"""Where things lie in a project, and how it is found."""

from dataclasses import dataclass
from pathlib import Path

from generator.errors import UsageError
from generator.store.repo import Repo


@dataclass(frozen=True, slots=True)
class Project:
    """The folders of one project."""

    root: Path

    @property
    def repo(self) -> Repo:
        """Its git repository."""
        return Repo(self.root)

    @property
    def results(self) -> Path:
        """Benchmarks, registry and evidence."""
        return self.root / "results"

    @property
    def benchmarks(self) -> Path:
        """One folder a benchmark."""
        return self.results / "benchmarks"

    @property
    def registry(self) -> Path:
        """One folder a benchmark, one file a row."""
        return self.results / "registry"

    @property
    def candidates(self) -> Path:
        """Claims about rows, one file each, and promotions beside them."""
        return self.results / "candidates"

    @property
    def evidence(self) -> Path:
        """Observations by the digest of their lines."""
        return self.results / "evidence"

    @property
    def docs(self) -> Path:
        """Pages, one folder a locale."""
        return self.root / "docs"

    @property
    def site(self) -> Path:
        """The built site."""
        return self.root / "site"

    @property
    def dist(self) -> Path:
        """What is not committed: runs and rehearsals."""
        return self.root / "dist"

    @property
    def rehearsal(self) -> "Project":
        """The same layout below `dist/`, for what is only tried."""
        return Project(self.dist / "rehearsal")


def find_project(start: Path) -> Project:
    """The project that holds a folder; raises UsageError where there is none."""
    here = start.resolve()
    for folder in (here, *here.parents):
        if (folder / "results" / "benchmarks").is_dir():
            return Project(folder)
    raise UsageError(
        f"{here} is not inside a project: there is no results/benchmarks in it or above it.",
        "Change to the root of the project, or name it with --project.",
    )
