"""The bundle of a run that is under way: attempts are written as they end, and none is lost.

They come in any order; at the end they are put into the order of systems, cases and repetitions,
which does not depend on who was faster. A run that was stopped goes on where it ended.
"""

import os
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Self

from generator.errors import UsageError
from generator.records.bundle import MANIFEST, Attempt, Manifest
from generator.runners.scrub import Scrub
from generator.store.atomic import draft, told, write
from generator.store.bundles import open_bundle
from generator.store.lines import read_attempt, write_attempt
from generator.store.project import Project
from generator.writer import ATTEMPTS, clear, ended

_ABSENT = -1
_SAME = ("benchmark", "filter", "repetitions", "corpus", "subject", "harness")
"""Fields of the manifest in which a run that goes on must agree with what it was."""


class Journal:
    """Writes one run; use it as a context manager.

    Every attempt has a place: that of its system, then of its case, then of its repetition.
    """

    def __init__(  # noqa: PLR0913  what it writes, where, and what was there before
        self,
        out: Path,
        manifest: Manifest,
        cases: Sequence[str],
        scrub: Scrub,
        *,
        resume: bool,
        seen: Callable[[Attempt], None] = lambda _: None,
    ) -> None:
        """`seen` is told the attempts that were made before the run was stopped."""
        self.manifest = manifest
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
        if self._resume:
            self._go_on(path)
        else:
            clear(self._out)
        with told(self._out):
            self._out.mkdir(parents=True, exist_ok=True)
            write(self._out / MANIFEST, self.manifest.to_json())
            self._file = path.open("ab")
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def is_done(self, system: str, case: str, repetition: int) -> bool:
        """Whether that attempt was made, now or before the run was stopped."""
        return self._places[self._place(system, case, repetition)] != _ABSENT

    @property
    def left(self) -> int:
        """How many attempts are still to be made."""
        return self._places.count(_ABSENT)

    def add(self, attempt: Attempt) -> None:
        """Write an attempt down; it is on its way to the disk when this returns."""
        line = self._scrub.line(write_attempt(attempt))
        read_attempt(line)  # what could not be read again is a fault of the runner, and said here
        with told(self._out / ATTEMPTS):
            self._file.write(line + b"\n")
            self._file.flush()
        self._places[self._place(attempt.system, attempt.case, attempt.repetition)] = self._end
        self._end += len(line) + 1

    def finish(self, project: Project, why: str | None) -> None:
        """End the run; with `why`, it was stopped before its end."""
        self._file.close()
        self._sort()
        self.manifest = ended(project, self.manifest, "stopped" if why else "complete", why)
        write(self._out / MANIFEST, self.manifest.to_json())

    def _place(self, system: str, case: str, repetition: int) -> int:
        row = self._systems[system] * len(self._cases) + self._cases[case]
        return row * self.manifest.repetitions + repetition - 1

    def _sort(self) -> None:
        path = self._out / ATTEMPTS
        with draft(path.parent, path) as in_order, path.open("rb") as come:
            for start in self._places:
                if start != _ABSENT:
                    come.seek(start)
                    in_order.write(come.readline())
            in_order.settle(path)

    def _go_on(self, path: Path) -> None:
        before = open_bundle(self._out).manifest
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
        self.manifest = self.manifest.model_copy(
            update={
                "run": before.run,
                "started": before.started,
                "tree_at_start": before.tree_at_start,
                "systems": before.systems,
            }
        )
        with told(path), path.open("r+b") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    break  # it was being written when the run was ended
                attempt = read_attempt(line.removesuffix(b"\n"))
                self._places[self._place(attempt.system, attempt.case, attempt.repetition)] = (
                    self._end
                )
                self._end += len(line)
                self._seen(attempt)
            file.truncate(self._end)
            os.fsync(file.fileno())


def _asked(manifest: Manifest) -> list[object]:
    """Its systems, but for what only their replies tell."""
    return [system.model_copy(update={"revision": None}).plain() for system in manifest.systems]
