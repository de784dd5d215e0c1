"""The public way for a harness to write a run bundle.

A harness asks for the cases, puts them to its systems, and hands over what it observed:

    root = find_root(__file__)
    with BundleWriter(root, out, benchmark="dates", systems=systems, harness=harness) as bundle:
        for case in read_cases(root, "dates"):
            answer = ask(case["prompt"])
            bundle.attempt(case=case["name"], system="mine", turns=[Turn(content=answer)])

The writer sees to the rest: what git says of the tree when the run starts and when it ends, the
digests of corpus and contracts, the environment without names of host or user, and a manifest
that says `stopped` from the first moment on until the run has ended well. A harness that is killed
loses at most the line that it was writing.
"""

import json
import platform
import secrets
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Literal, Self

from generator.errors import BundleError, UsageError
from generator.families.catalog import family_of
from generator.records.base import slug
from generator.records.bundle import (
    MANIFEST,
    Attempt,
    BenchmarkAsked,
    Corpus,
    Environment,
    Harness,
    Manifest,
    Outcome,
    Runtime,
    Subject,
    System,
    Tokens,
    ToolCall,
    Try,
    Turn,
)
from generator.records.digests import contracts_digest
from generator.store.atomic import write
from generator.store.corpus import BENCHMARK, benchmark_here, declared_inputs
from generator.store.lines import read_attempt, write_attempt
from generator.store.project import Project, find_project

__all__ = [
    "BundleWriter",
    "Harness",
    "Runtime",
    "Subject",
    "System",
    "Tokens",
    "ToolCall",
    "Try",
    "Turn",
    "find_root",
    "read_cases",
    "read_scoring",
]

ATTEMPTS = "attempts.jsonl"


def find_root(start: str | Path) -> Path:
    """Root of the project that holds a file or folder, such as a harness's `__file__`."""
    path = Path(start)
    return find_project(path if path.is_dir() else path.parent).root


def read_cases(root: Path, benchmark: str) -> list[dict[str, Any]]:
    """The cases of a benchmark as their files have them, in name order."""
    cases = benchmark_here(Project(root), benchmark).cases
    return sorted(
        (json.loads(content) for content in cases.values()), key=lambda case: str(case["name"])
    )


def read_scoring(root: Path, benchmark: str) -> dict[str, Any]:
    """The `[scoring]` table of a benchmark: limits and configuration that a harness keeps to."""
    table = tomllib.loads((Project(root).benchmarks / benchmark / BENCHMARK).read_text("utf-8"))
    return dict(table.get("scoring", {}))


class BundleWriter:
    """Writes one run into a folder; use it as a context manager.

    `root` is the root of the project, `out` the folder to write; a bundle that lies there already
    is replaced, any other folder that is not empty is refused. `filter` says what narrowed the
    run to part of the corpus, `subject` what the systems were tested against.
    """

    def __init__(  # noqa: PLR0913  each is a field of the manifest
        self,
        root: Path,
        out: Path,
        *,
        benchmark: str,
        systems: Sequence[System],
        harness: Harness,
        repetitions: int = 1,
        subject: Subject | None = None,
        filter: str | None = None,  # noqa: A002  the manifest's word
        budget: Mapping[str, int] | None = None,
    ) -> None:
        self._project = Project(root)
        self._out = out
        self._manifest = begun(
            self._project,
            benchmark=benchmark,
            systems=systems,
            harness=harness,
            repetitions=repetitions,
            subject=subject,
            filter=filter,
            budget=budget,
        )
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        clear(self._out)
        self._out.mkdir(parents=True, exist_ok=True)
        write(self._out / MANIFEST, self._manifest.to_json())
        self._file = (self._out / ATTEMPTS).open("wb")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is None:
            return
        self._close()
        if kind is None:
            self._end("complete", None)
        else:
            self._end("stopped", "interrupt" if kind is KeyboardInterrupt else "crash")

    def attempt(  # noqa: PLR0913  each is a field of an attempt
        self,
        *,
        case: str,
        system: str,
        outcome: Outcome = "completed",
        turns: Sequence[Turn] = (),
        repetition: int = 1,
        reason: str | None = None,
        stimulus: str | None = None,
        elapsed_us: int | None = None,
    ) -> None:
        """Write down what happened when one system tried one case once.

        Raises ValueError for what is no observation: a repetition of 0, say, or a negative time.
        """
        if self._file is None:
            message = "attempts are written inside the `with` block of a BundleWriter"
            raise RuntimeError(message)
        observed = Attempt(
            id=f"{system}/{case}/{repetition}",
            case=case,
            system=system,
            repetition=repetition,
            outcome=outcome,
            run=self._manifest.run,
            reason=reason,
            stimulus=stimulus,
            turns=tuple(turns),
            elapsed_us=elapsed_us,
        )
        line = write_attempt(observed)
        read_attempt(line)  # what could not be read again is a fault of the harness, and said here
        self._file.write(line + b"\n")
        self._file.flush()

    def stop(self, why: Literal["budget", "interrupt"]) -> None:
        """End the run early; it says so, and can't be published."""
        self._close()
        self._end("stopped", why)

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _end(self, status: Literal["complete", "stopped"], why: str | None) -> None:
        self._manifest = ended(self._project, self._manifest, status, why)
        write(self._out / MANIFEST, self._manifest.to_json())


def begun(  # noqa: PLR0913  each is a field of the manifest
    project: Project,
    *,
    benchmark: str,
    systems: Sequence[System],
    harness: Harness,
    repetitions: int = 1,
    subject: Subject | None = None,
    filter: str | None = None,  # noqa: A002  the manifest's word
    budget: Mapping[str, int] | None = None,
) -> Manifest:
    """The manifest of a run that begins now; should it never end, it says that it crashed."""
    inputs = declared_inputs(benchmark)
    here = benchmark_here(project, benchmark)
    family = family_of(here.benchmark.family)
    if family is None:
        raise UsageError(
            f"The benchmark {benchmark!r} names the family {here.benchmark.family!r}, which "
            "is unknown.",
            "Name a known family in its benchmark.toml.",
        )
    started = datetime.now(UTC)
    return Manifest(
        format="assay.bundle/1",
        run=f"{started:%Y-%m-%dt%H-%M-%S}-{slug(benchmark)}-{secrets.token_hex(3)}",
        benchmark=BenchmarkAsked(id=benchmark, version=here.benchmark.version),
        started=_moment(started),
        status="stopped",
        stopped="crash",
        filter=filter,
        repetitions=repetitions,
        corpus=Corpus(
            commit=project.repo.head(),
            digest=here.digest,
            contracts=contracts_digest(family.id, family.version, here.benchmark.scoring),
        ),
        tree_at_start=project.repo.tree(inputs),
        subject=subject,
        systems=tuple(systems),
        harness=harness,
        budget=dict(budget or {}),
        environment=_environment(),
    )


def ended(
    project: Project,
    manifest: Manifest,
    status: Literal["complete", "stopped"],
    why: str | None,
) -> Manifest:
    """The manifest of a run that ends now."""
    end = {
        "status": status,
        "stopped": why,
        "finished": _moment(datetime.now(UTC)),
        "tree_at_end": project.repo.tree(declared_inputs(manifest.benchmark.id)),
    }
    return manifest.model_copy(update=end)


def clear(out: Path) -> None:
    """Take an earlier run away; raises BundleError for what is no run and not empty."""
    remedy = "Name a folder that is empty, new, or holds an earlier run."
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise BundleError(f"{out} is a link or a file, not a folder.", remedy)
    if not out.exists() or not any(out.iterdir()):
        return
    if not (out / MANIFEST).is_file():
        message = f"{out} is not empty and holds no {MANIFEST}: it is no earlier run."
        raise BundleError(message, remedy)
    shutil.rmtree(out)


def _moment(when: datetime) -> str:
    return f"{when:%Y-%m-%dT%H:%M:%S}Z"


def _environment() -> Environment:
    return Environment(
        os=f"{platform.system()} {platform.release()}",
        python=f"{platform.python_implementation()} {platform.python_version()}",
        cpu=platform.machine() or "unknown",
    )
