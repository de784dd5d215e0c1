"""The bundle of a run that is under way: attempts are written as they end, and none is lost.

They come in any order; at the end they are put into the order of systems, cases and repetitions,
which does not depend on who was faster. A run that was stopped goes on where it ended. Of each
attempt nothing is kept but where its line begins.
"""

import contextlib
import fcntl
import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Self

from generator.errors import BundleError, UsageError
from generator.records.base import fault_in
from generator.records.bundle import MANIFEST, Attempt, Manifest, System
from generator.runners.scrub import Scrub
from generator.store.atomic import draft, told, write
from generator.store.lines import read_attempt, write_attempt
from generator.store.project import Project
from generator.writer import ATTEMPTS, clear, ended

_ABSENT = -1
_SAME = ("benchmark", "filter", "repetitions", "corpus", "subject", "harness")
"""Fields of the manifest in which a run that goes on must agree with what it was."""


class Journal:
    """Writes one run; use it as a context manager.

    Every attempt has a place: that of its system, then of its case, then of its repetition. A run
    that is left without `finish` has crashed.
    """

    def __init__(  # noqa: PLR0913  what it writes, where, and what was there before
        self,
        project: Project,
        out: Path,
        manifest: Manifest,
        cases: Sequence[str],
        scrub: Scrub,
        *,
        resume: bool = False,
        seen: Callable[[Attempt], None] = lambda _: None,
    ) -> None:
        """`seen` is told the attempts that were made before the run was stopped."""
        self.manifest = scrub.manifest(manifest)
        self._project = project
        self._out = out
        self._cases = {case: number for number, case in enumerate(cases)}
        self._systems = {system.id: number for number, system in enumerate(manifest.systems)}
        self._scrub = scrub
        self._places = array("q", [_ABSENT]) * (
            len(self._systems) * len(self._cases) * manifest.repetitions
        )
        """By place: where the attempt's line begins in the file."""

        self._end = 0
        self._file: IO[bytes]
        self._resume = resume
        self._seen = seen

    def __enter__(self) -> Self:
        path = self._out / ATTEMPTS
        with told(self._out):
            if self._resume:
                self._file = self._go_on(path)
            else:
                with _alone(path, "rb") if path.is_file() else contextlib.nullcontext():
                    clear(self._out)
                self._out.mkdir(parents=True, exist_ok=True)
                self._file = _alone(path, "xb")
            write(self._out / MANIFEST, self.manifest.to_json())
        return self

    def __exit__(self, *_: object) -> None:
        if not self._file.closed:
            self.finish("crash")

    @property
    def run(self) -> str:
        """Id of the run."""
        return self.manifest.run

    def is_done(self, system: str, case: str, repetition: int) -> bool:
        """Whether that attempt was made, now or before the run was stopped."""
        return self._places[self._place(system, case, repetition)] != _ABSENT

    @property
    def left(self) -> int:
        """How many attempts are still to be made."""
        return self._places.count(_ABSENT)

    def add(self, attempt: Attempt) -> None:
        """Write an attempt down; a process that is killed now does not lose it any more.

        Raises ValueError, and writes nothing, for what could not be read again.
        """
        line = self._scrub.line(write_attempt(attempt))
        read_attempt(line)
        with told(self._out / ATTEMPTS):
            self._file.write(line + b"\n")
            self._file.flush()
        self._put(attempt, len(line) + 1)

    def finish(self, why: str | None, systems: Sequence[System] | None = None) -> None:
        """End the run, `why` if before its end; its systems may be known better now."""
        try:
            self._file.flush()
            self._sort()
        finally:
            self._file.close()
        if systems is not None:
            known = self.manifest.model_copy(update={"systems": tuple(systems)})
            self.manifest = self._scrub.manifest(known)
        self.manifest = ended(self._project, self.manifest, "stopped" if why else "complete", why)
        write(self._out / MANIFEST, self.manifest.to_json())

    def _place(self, system: str, case: str, repetition: int) -> int:
        row = self._systems[system] * len(self._cases) + self._cases[case]
        return row * self.manifest.repetitions + repetition - 1

    def _put(self, attempt: Attempt, size: int) -> None:
        self._places[self._place(attempt.system, attempt.case, attempt.repetition)] = self._end
        self._end += size

    def _sort(self) -> None:
        path = self._out / ATTEMPTS
        with draft(path.parent, path) as in_order, path.open("rb") as come:
            for start in self._places:
                if start != _ABSENT:
                    come.seek(start)
                    in_order.write(come.readline())
            in_order.settle(path)

    def _go_on(self, path: Path) -> IO[bytes]:
        before = _manifest(self._out)
        self._refuse_other(before)
        # A tree that is not clean now is one that was not clean during the run.
        now = self.manifest.tree_at_start
        self.manifest = self.manifest.model_copy(
            update={
                "run": before.run,
                "started": before.started,
                "tree_at_start": now
                if before.tree_at_start.clean == "yes"
                else before.tree_at_start,
            }
        )
        file = _alone(path, "r+b" if path.exists() else "xb")
        with contextlib.ExitStack() as unless_it_goes_on:
            unless_it_goes_on.enter_context(file)
            for attempt, size in self._made(path):
                self._put(attempt, size)
                self._seen(attempt)
            file.truncate(self._end)  # what follows was being written when the run was ended
            file.seek(self._end)
            os.fsync(file.fileno())
            unless_it_goes_on.pop_all()
        return file

    def _refuse_other(self, before: Manifest) -> None:
        if before.status == "complete":
            raise UsageError(f"The run in {self._out} is complete.", "Record it, or begin anew.")
        differing = [
            name for name in _SAME if getattr(before, name) != getattr(self.manifest, name)
        ]
        differing += ["systems"] if _asked(before) != _asked(self.manifest) else []
        if differing:
            raise UsageError(
                f"The run in {self._out} was begun otherwise; it differs in "
                f"{', '.join(differing)}.",
                "Go on with the same corpus, commit and options, or begin anew without --resume.",
            )

    def _made(self, path: Path) -> Iterator[tuple[Attempt, int]]:
        """The attempts that were made before, with the sizes of their lines."""
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    return
                try:
                    attempt = read_attempt(line.removesuffix(b"\n"))
                    self._refuse_stray(attempt)
                except (ValueError, RecursionError) as fault:
                    raise BundleError(
                        f"{path}:{number}: it is no attempt of this run: {fault}.",
                        "Something else wrote into the run; begin anew without --resume.",
                    ) from fault
                yield attempt, len(line)

    def _refuse_stray(self, attempt: Attempt) -> None:
        ours = (
            attempt.run == self.manifest.run
            and attempt.system in self._systems
            and attempt.case in self._cases
            and attempt.repetition <= self.manifest.repetitions
        )
        if not ours:
            message = f"it is called {attempt.id!r}, of the run {attempt.run!r}"
            raise ValueError(message)
        if self.is_done(attempt.system, attempt.case, attempt.repetition):
            message = f"{attempt.id!r} was made twice"
            raise ValueError(message)


def _alone(path: Path, mode: str) -> IO[bytes]:
    """Open a file that nobody else writes; raises UsageError where somebody does."""
    file: IO[bytes] = path.open(mode)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise UsageError(
            f"Another process is writing the run in {path.parent}.",
            "Wait for it to end, or name another folder with --out.",
        ) from None
    return file


def _manifest(out: Path) -> Manifest:
    path = out / MANIFEST
    try:
        content = path.read_bytes()
    except OSError as fault:
        raise BundleError(
            f"There is no run in {out} to go on with: {fault.strerror}.",
            "Name the folder of a run that was stopped with --out, or begin one without --resume.",
        ) from fault
    try:
        return Manifest.parse(content)
    except (ValueError, RecursionError) as fault:
        raise BundleError(
            f"{path}: {fault_in(content, fault)}.", "Begin anew, without --resume."
        ) from fault


def _asked(manifest: Manifest) -> list[object]:
    """Its systems, as they were asked."""
    return [system.plain() for system in manifest.systems]
