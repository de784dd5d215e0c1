"""Putting every question to every candidate, several at a time, until there is none left."""

import asyncio
import contextlib
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from generator.families.family import Question
from generator.records.bundle import Attempt
from generator.runners.journal import Journal
from generator.runners.system import Candidate, Observed, Spent

Stopped = Literal["budget", "interrupt", "crash"]


@dataclass(slots=True)
class Progress:
    """How far a run is."""

    total: int
    done: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    revisions: dict[str, set[str | None]] = field(default_factory=dict)
    """By system: what the provider called the models that answered."""


@dataclass(frozen=True, slots=True)
class _Work:
    candidate: Candidate
    question: Question
    repetition: int


@dataclass(frozen=True, slots=True)
class Sweep:
    """Everything that a run is to ask."""

    candidates: Sequence[Candidate]
    questions: Sequence[Question]
    repetitions: int

    def left(self, journal: Journal) -> Iterator[_Work]:
        """What was not asked yet; each repetition of everything before the next."""
        for repetition in range(1, self.repetitions + 1):
            for question in self.questions:
                for candidate in self.candidates:
                    if not journal.is_done(candidate.entry.id, question.case, repetition):
                        yield _Work(candidate, question, repetition)


async def run(
    sweep: Sweep, journal: Journal, spent: Spent, jobs: int, tell: Callable[[Progress], None]
) -> tuple[Progress, Stopped | None]:
    """Ask until all is asked, the budget is reached or somebody interrupts; why it stopped.

    What a system raises that is no answer (a key that is refused, say) ends the run and is raised.
    """
    work = sweep.left(journal)
    progress = Progress(journal.left)
    stop = asyncio.Event()

    async def ask() -> None:
        for item in work:
            if stop.is_set() or spent.over:
                return
            candidate = item.candidate
            observed = await candidate.system.ask(item.question, candidate.terms)
            _note(journal, item, observed)
            spent.add(observed.turns)
            progress.done += 1
            progress.outcomes[observed.outcome] += 1
            progress.revisions.setdefault(candidate.entry.id, set()).add(observed.revision)
            tell(progress)

    asking = [asyncio.ensure_future(ask()) for _ in range(min(jobs, progress.total))]
    with _interrupts(stop, asking):
        done = await asyncio.gather(*asking, return_exceptions=True)
    for fault in done:
        if isinstance(fault, Exception):
            raise fault
    if stop.is_set():
        return progress, "interrupt"
    return progress, "budget" if spent.over and progress.done < progress.total else None


@contextlib.contextmanager
def _interrupts(stop: asyncio.Event, asking: Sequence["asyncio.Future[None]"]) -> Iterator[None]:
    """While inside, an interrupt ends what is being asked; it is asked again on --resume."""
    loop = asyncio.get_running_loop()

    def interrupted() -> None:
        stop.set()
        for task in asking:
            task.cancel()

    def failed(task: "asyncio.Future[None]") -> None:
        if not task.cancelled() and task.exception() is not None:
            for other in asking:
                other.cancel()

    for task in asking:
        task.add_done_callback(failed)
    loop.add_signal_handler(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)


def _note(journal: Journal, item: _Work, observed: Observed) -> None:
    system, case = item.candidate.entry.id, item.question.case
    prompt = item.question.puts[0].prompt
    journal.add(
        Attempt(
            id=f"{system}/{case}/{item.repetition}",
            case=case,
            system=system,
            repetition=item.repetition,
            outcome=observed.outcome,
            run=journal.manifest.run,
            reason=observed.reason,
            stimulus=observed.stimulus or prompt,
            turns=observed.turns,
            elapsed_us=observed.elapsed_us,
        )
    )
