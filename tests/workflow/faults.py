"""A disk that refuses, and processes that end, at a moment of the test's choosing.

    python -m tests.workflow.faults

reads a list of jobs from each line of its standard input, does them at the same time, each in a
process of its own, and writes down how each ended. Everything is imported once, before any fork.
"""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import IO, Any
from unittest.mock import patch

from generator.cli.app import run
from generator.store import evidence
from generator.store.project import Project
from generator.workflow import claims, render
from generator.workflow.record import record
from generator.workflow.render import Drawn, drawn
from generator.workflow.withdraw import withdraw

NOW = datetime(2026, 3, 18, 10, tzinfo=UTC)
ENDED = 9

Trouble = Callable[[int, str], object]
"""Is told the number and the kind of each operation, before its effect; what it raises, happens."""


def refuses_once(number: int, code: int) -> Trouble:
    """The N-th operation fails, and no other."""

    def trouble(now: int, _kind: str) -> None:
        if now == number:
            raise OSError(code, os.strerror(code))

    return trouble


def refuses_from(number: int, code: int, afterwards: int) -> Trouble:
    """The N-th operation fails, and in another way all that come after it."""

    def trouble(now: int, _kind: str) -> None:
        if now >= number:
            why = code if now == number else afterwards
            raise OSError(why, os.strerror(why))

    return trouble


def refuses_kinds(kinds: Sequence[str], code: int) -> Trouble:
    """Every operation of some kinds fails."""

    def trouble(_now: int, kind: str) -> None:
        if kind in kinds:
            raise OSError(code, os.strerror(code))

    return trouble


def ends(number: int) -> Trouble:
    """At the N-th operation the process is gone, without a chance to tidy up."""

    def trouble(now: int, _kind: str) -> None:
        if now == number:
            os._exit(ENDED)

    return trouble


@dataclass
class Disk:
    """Counts the operations on what lies below some folders, and lets trouble happen to them.

    A write has half of its effect before. Nothing is made durable, which no process can notice.
    """

    places: Sequence[Path]
    trouble: Trouble
    kinds: list[str] = field(default_factory=list)
    """Of each operation so far."""

    _handles: set[int] = field(default_factory=set)

    def happens(self, kind: str) -> None:
        """Count an operation."""
        self.kinds.append(kind)
        self.trouble(len(self.kinds), kind)

    def _on(self, path: object, kind: str) -> None:
        if isinstance(path, str | Path) and any(
            Path(path).is_relative_to(place) for place in self.places
        ):
            self.happens(kind)

    @contextlib.contextmanager
    def at_work(self) -> Iterator["Disk"]:
        """While it lasts, this is the disk of the process."""
        own = {name: getattr(os, name) for name in _CALLS}

        def opened(path: Path, flags: int, *rest: Any, **words: Any) -> int:  # noqa: ANN401
            before = len(self.kinds)
            self._on(path, "open" if flags & os.O_CREAT else "look")
            handle: int = own["open"](path, flags, *rest, **words)
            self._handles.discard(handle)
            if len(self.kinds) > before:
                self._handles.add(handle)
            return handle

        def file_of(handle: int, mode: str = "r", *rest: Any, **words: Any) -> IO[Any]:  # noqa: ANN401
            if handle in self._handles and mode == "wb":
                return io.BufferedWriter(_Raw(handle, self))
            return own["fdopen"](handle, mode, *rest, **words)  # type: ignore[no-any-return]

        def synced(handle: int) -> None:
            if handle in self._handles:
                self.happens("fsync")

        def replaced(old: Path, new: Path) -> None:
            self._on(new, "replace")
            own["replace"](old, new)

        def unlinked(path: Path, **words: Any) -> None:  # noqa: ANN401
            self._on(path, "unlink")
            own["unlink"](path, **words)

        def made(path: Path, *rest: Any, **words: Any) -> None:  # noqa: ANN401
            self._on(path, "mkdir")
            own["mkdir"](path, *rest, **words)

        calls: tuple[Any, ...] = (opened, file_of, synced, replaced, unlinked, made)
        with patch.multiple(os, **dict(zip(_CALLS, calls, strict=True))):
            yield self


_CALLS = ("open", "fdopen", "fsync", "replace", "unlink", "mkdir")


class _Raw(io.FileIO):
    def __init__(self, handle: int, disk: Disk) -> None:
        super().__init__(handle, "wb")
        self._disk = disk

    def write(self, content: Any) -> int:  # noqa: ANN401  whatever has bytes
        view = memoryview(content)
        half = super().write(view[: len(view) // 2]) or 0
        self._disk.happens("write")
        return half + (super().write(view[half:]) or 0)

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._disk.happens("close")


def recording(root: Path, run: str) -> None:
    """Publish a run."""
    record(Project(root), Path(run))


def replacing(root: Path, run: str) -> None:
    """Publish a run in the place of what stands."""
    record(Project(root), Path(run), replace=True)


def withdrawing(root: Path, row: str) -> None:
    """Take a row back."""
    withdraw(Project(root), row, why="A mistake.", by="Nobody", now=NOW)


def proposing(root: Path, proposal: str) -> None:
    """Propose a claim."""
    claims.propose(Project(root), Path(proposal))


def validating(root: Path, name: str, run: str) -> None:
    """Let another run bear a claim out."""
    claims.validate(Project(root), name, Path(run))


def promoting(root: Path, name: str) -> None:
    """Let a page show a claim."""
    claims.promote(Project(root), name)


def retiring(root: Path, name: str) -> None:
    """Take a claim back for good."""
    claims.retire(Project(root), name)


def drawing(root: Path, _nothing: str = "") -> None:
    """Write the pages, which are drawn in memory only once."""
    with patch.object(render, "drawn", lambda project: _drawn(project.root)):
        render.render(Project(root))


def drawing_slowly(root: Path) -> None:
    """Write pages that were drawn a while ago."""

    def slow(project: Project) -> Drawn:
        pages = drawn(project)
        time.sleep(2)
        return pages

    with patch.object(render, "drawn", slow):
        render.render(Project(root))


@cache
def _drawn(root: Path) -> Drawn:
    return drawn(Project(root))


def command(root: Path, *words: str) -> int:
    """What the command of those words ends with."""
    return run(["--project", str(root), *words])


DEEDS: dict[str, Callable[..., int | None]] = {
    deed.__name__: deed
    for deed in (
        *(recording, replacing, withdrawing, drawing, drawing_slowly, command),
        *(proposing, validating, promoting, retiring),
    )
}


@dataclass(frozen=True, slots=True)
class Job:
    """What a process does, and when it ends, if not by itself."""

    deed: str
    root: str
    words: tuple[str, ...] = ()
    begins_after: float = 0
    """Seconds that it waits first."""

    ends_at: int = 0
    """The operation at which it ends; 0 for none."""

    killed_after: float | None = None
    """Seconds until it is killed."""

    @property
    def draws(self) -> bool:
        """Whether it is quicker where pages have been drawn before."""
        return (
            self.deed in ("drawing", "drawing_slowly", "command")
            and "--submission" not in self.words
        )


class Forks:
    """Another process with everything imported, which forks for each job."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.workflow.faults"],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self, *jobs: Job) -> list[int]:
        """Do some jobs at the same time; how each ended, a signal as its negative number."""
        into, out = self._process.stdin, self._process.stdout
        if into is None or out is None:
            message = "it was started with pipes"
            raise AssertionError(message)
        into.write(json.dumps([asdict(job) for job in jobs]) + "\n")
        into.flush()
        statuses: list[int] = json.loads(out.readline())
        return statuses

    def end(self) -> None:
        """End it."""
        self._process.communicate()


def main() -> None:
    """Do the jobs of each line."""
    with quick():
        for line in sys.stdin:
            jobs = [Job(**job) for job in json.loads(line)]
            for root in {Path(job.root) for job in jobs if job.draws}:
                _drawn(root)
            sys.stdout.write(f"{json.dumps(_ended(jobs))}\n")
            sys.stdout.flush()


@contextlib.contextmanager
def quick() -> Iterator[None]:
    """No time goes into compressing, nor into what only a loss of power would show."""
    with patch.object(evidence, "LEVEL", 1), patch.object(os, "fsync", lambda _: None):
        yield


def _ended(jobs: Sequence[Job]) -> list[int]:
    begun = time.monotonic()
    processes = [_forked(job) for job in jobs]
    for after, process in sorted(
        (job.killed_after, process)
        for job, process in zip(jobs, processes, strict=True)
        if job.killed_after is not None
    ):
        time.sleep(max(0, begun + after - time.monotonic()))
        os.kill(process, signal.SIGKILL)  # which is nothing to one that has ended
    return [os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) for process in processes]


def _forked(job: Job) -> int:
    process = os.fork()
    if process:
        return process
    status = 70
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        time.sleep(job.begins_after)
        root = Path(job.root)
        disk = Disk((root / "results", root / "docs"), ends(job.ends_at))
        with disk.at_work():
            status = DEEDS[job.deed](root, *job.words) or 0
    finally:
        os._exit(status)


if __name__ == "__main__":
    main()
