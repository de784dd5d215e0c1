"""A paired run: the two arms of a benchmark, or of a bare manifest, on the terms that it states."""

import asyncio
import contextlib
import os
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

from generator.errors import StorageError, UsageError
from generator.families.family import Put, Question
from generator.records.base import canonical_json, fault_in, slug, strict_json
from generator.records.benchmark import DeclaredSystem
from generator.records.bundle import Attempt, System
from generator.records.experiment import MANIFEST_LIMIT, Experiment
from generator.records.run_record import INCOMPLETE, line_of, record_of
from generator.runners.account import Account
from generator.runners.arms import ArmOf
from generator.runners.oracle import refuse_commands, refuse_tasks
from generator.runners.sweep import PairedSweep, Progress, Stopped, handling
from generator.runners.sweep import run as sweep_all
from generator.runners.system import Candidate, Terms
from generator.runners.workspace import visible

JOBS = 1
"""How many attempts are made at the same time unless it is said: they are timed."""

_BOM = b"\xef\xbb\xbf"

UNBOUNDED = 2**53
"""Tokens: a command spends what it spends."""


async def paired_sweep(  # noqa: PLR0913, PLR0917  what two arms are run with
    experiment: Experiment,
    questions: Sequence[Question],
    root: Path,
    shown: Sequence[str],
    declared: Sequence[DeclaredSystem] = (),
    jobs: int = JOBS,
) -> PairedSweep:
    """Two arms and what they are asked, each oracle seen to judge; raises AssayError.

    `root` is where commands find files of the project; `shown` names the
    variables of this environment that commands may see. Attempts that are made `jobs` at a time
    take another time than alone, so then their rows say so.
    """
    seen = visible(os.environ, shown)
    asked = {question.case for question in questions}
    known = {system.id: system for system in declared}
    arms = [
        ArmOf(experiment, arm, name, root, seen, known.get(arm.name))
        for arm, name in zip(experiment.arms, names(experiment), strict=True)
    ]
    # Before any oracle is asked: it may refuse.
    entries = [_timed(arm.described(), jobs) for arm in arms]
    refuse_commands(experiment, seen, root)
    await _unless_interrupted(
        refuse_tasks(
            experiment, [task for task in experiment.tasks if task.id in asked], seen, root
        )
    )
    terms = Terms(experiment.seconds)
    candidates = [Candidate(arm, terms, entry) for arm, entry in zip(arms, entries, strict=True)]
    return PairedSweep(candidates, questions, experiment.repetitions)


async def _unless_interrupted(work: Coroutine[Any, Any, None]) -> None:
    """Do it, and leave nothing of it running when somebody interrupts; raises KeyboardInterrupt."""
    doing = asyncio.ensure_future(work)

    def given_up() -> None:
        doing.cancel()

    with handling(given_up):
        try:
            await doing
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None


def _timed(entry: System, jobs: int) -> System:
    if jobs == JOBS:
        return entry
    return entry.model_copy(update={"options": {**(entry.options or {}), "jobs": jobs}})


def names(experiment: Experiment) -> list[str]:
    """What each arm is called in a bundle, where a name has no capitals and no underscores."""
    found = [slug(arm.name) for arm in experiment.arms]
    return found if len(set(found) - {""}) == len(found) else ["baseline", "candidate"]


@dataclass(frozen=True, slots=True)
class Captured:
    """What became of a bare manifest."""

    cohort: str
    progress: Progress
    stopped: Stopped | None


def capture(
    path: Path,
    *,
    shown: Sequence[str] = (),
    jobs: int = JOBS,
    emit: Callable[[bytes], None],
    show: Callable[[Progress], None] = lambda _: None,
) -> Captured:
    """Run a manifest that is no benchmark's; `emit` is given each record as its attempt ends.

    Raises UsageError for a manifest that can't be read, and CorpusError for a task whose oracle
    can't judge it; nothing is run then.
    """
    experiment = manifest_at(path)
    questions = [Question(task.id, (Put(task.prompt),), quoted=False) for task in experiment.tasks]

    async def captured() -> tuple[Progress, Stopped | None]:
        sweep = await paired_sweep(experiment, questions, path.parent.resolve(), shown)
        stream = _Stream(experiment, emit)
        return await sweep_all(sweep, stream, Account(UNBOUNDED), jobs, show)

    progress, stopped = asyncio.run(captured())
    if stopped is not None:
        emit(INCOMPLETE + b"\n")  # else the records that there are could be compared
    return Captured(experiment.cohort, progress, stopped)


def manifest_at(path: Path) -> Experiment:
    """A manifest; raises UsageError that says what is wrong with it, and where."""
    remedy = "Mend the manifest; the guide lists its fields, under Running."
    try:
        with path.open("rb") as file:
            content = file.read(MANIFEST_LIMIT + 1)
    except OSError as fault:
        raise UsageError(f"{path} can't be read: {fault.strerror}.", remedy) from fault
    if len(content) > MANIFEST_LIMIT:
        raise UsageError(
            f"{path} has more than {MANIFEST_LIMIT} bytes.",
            "Make its files smaller, or several manifests of it.",
        )
    if content.startswith(_BOM):
        raise UsageError(
            f"{path} begins with a byte order mark.", "Write it again as UTF-8 without one."
        )
    try:
        canonical_json(strict_json(content))  # half a surrogate pair is no text
        return Experiment.parse(content)
    except (ValueError, RecursionError) as fault:
        raise UsageError(f"{path}: {fault_in(content, fault)}.", remedy) from fault


@contextlib.contextmanager
def file_of_records(path: Path) -> Iterator[Callable[[bytes], None]]:
    """What writes records into a new file; raises UsageError where one is, or StorageError.

    The file is made with the first record: what can't be run leaves none behind.
    """
    if path.exists():
        raise UsageError(f"{path} is there already.", "Name a new file, or remove that one.")
    with contextlib.ExitStack() as held:
        opened: list[IO[bytes]] = []

        def emit(line: bytes) -> None:
            try:
                if not opened:
                    opened.append(held.enter_context(path.open("xb", buffering=0)))
                opened[0].write(line)
            except OSError as fault:
                raise StorageError(
                    f"{path} can't be written: {fault.strerror or fault}.",
                    "Make room, and run the experiment again; the records up to here are there, "
                    "and an incomplete cohort gives no comparison.",
                ) from fault

        yield emit


class _Stream:
    """Hands records on as attempts end; nothing is made twice, and nothing can be gone on with."""

    def __init__(self, experiment: Experiment, emit: Callable[[bytes], None]) -> None:
        self._experiment = experiment
        self._emit = emit
        self._arms = dict(
            zip(names(experiment), (arm.name for arm in experiment.arms), strict=True)
        )
        self.run = experiment.cohort
        self.left = len(experiment.tasks) * experiment.repetitions * len(experiment.arms)

    def is_done(self, system: str, case: str, repetition: int) -> Literal[False]:
        """Never: each attempt is asked for once."""
        del system, case, repetition
        return False

    def add(self, attempt: Attempt) -> None:
        """Hand an attempt on."""
        whole = self._experiment
        record = record_of(
            attempt, model=whole.model, arm=self._arms[attempt.system], cohort=whole.cohort
        )
        self._emit(line_of(record) + b"\n")
        self.left -= 1
