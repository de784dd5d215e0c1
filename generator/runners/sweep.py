"""Putting every question to every candidate, several at a time, until there is none left."""

import asyncio
import contextlib
import json
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from msgspec import Raw
from msgspec.structs import replace

from generator.families.family import Question
from generator.records.bundle import Attempt, Turn
from generator.runners.account import Account
from generator.runners.system import Candidate, Observed

Stopped = Literal["budget", "interrupt"]

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_SAID = 300


@dataclass(slots=True)
class Progress:
    """How far a run is."""

    total: int
    done: int = 0
    seconds: float = 0.0
    """Since it went on."""

    outcomes: Counter[str] = field(default_factory=Counter)

    @property
    def left(self) -> float | None:
        """Seconds until it is done, if all goes on as it did; none before anything is done."""
        return self.seconds / self.done * (self.total - self.done) if self.done else None


@dataclass(frozen=True, slots=True)
class Work:
    """One attempt that is to be made."""

    candidate: Candidate
    question: Question
    repetition: int


@dataclass(frozen=True, slots=True)
class Sweep:
    """Everything that a run is to ask."""

    candidates: Sequence[Candidate]
    questions: Sequence[Question]
    repetitions: int

    def work(self) -> Iterator[Work]:
        """All of it, in its order; each repetition of everything before the next."""
        for repetition in range(1, self.repetitions + 1):
            for question in self.questions:
                for candidate in self.candidates:
                    yield Work(candidate, question, repetition)


class PairedSweep(Sweep):
    """The same with two arms on equal terms: neither is always the first on a warm machine."""

    def work(self) -> Iterator[Work]:
        """All repetitions of a case before the next case; the arms in alternating order."""
        for question in self.questions:
            for repetition in range(1, self.repetitions + 1):
                first_to_last = 1 if repetition % 2 else -1
                for candidate in self.candidates[::first_to_last]:
                    yield Work(candidate, question, repetition)


class Book(Protocol):
    """Where attempts are written down."""

    @property
    def run(self) -> str:
        """Id of the run."""
        ...

    @property
    def left(self) -> int:
        """How many attempts are still to be made."""
        ...

    def is_done(self, system: str, case: str, repetition: int) -> bool:
        """Whether that attempt was made, now or before."""
        ...

    def add(self, attempt: Attempt) -> None:
        """Write an attempt down; raises ValueError for what could not be read again."""
        ...


async def run(
    sweep: Sweep, book: Book, account: Account, jobs: int, tell: Callable[[Progress], None]
) -> tuple[Progress, Stopped | None]:
    """Ask until all is asked, the budget is reached or somebody interrupts; why it stopped.

    Attempts that are under way when the budget is reached come to their end; those that an
    interrupt meets are given up, and made on --resume, unless their system says that they were
    cancelled. What a system raises that is no answer (a key that is refused, say) ends the run and
    is raised.
    """
    work = (
        item
        for item in sweep.work()
        if not book.is_done(item.candidate.entry.id, item.question.case, item.repetition)
    )
    progress = Progress(book.left)
    started = time.monotonic()
    stop = asyncio.Event()

    async def ask() -> None:
        for item in work:
            if stop.is_set() or account.over:
                return
            observed = await item.candidate.ask(item.question)
            account.add(_note(book, item, observed))
            progress.done += 1
            progress.outcomes[observed.outcome] += 1
            progress.seconds = time.monotonic() - started
            tell(progress)
            await asyncio.sleep(0)  # a system that never waits would let nobody interrupt

    tell(progress)
    asking = [asyncio.ensure_future(ask()) for _ in range(min(jobs, progress.total))]
    with _interrupts(stop, asking):
        done = await asyncio.gather(*asking, return_exceptions=True)
    for fault in done:
        if isinstance(fault, Exception):
            raise fault
    given_up = stop.is_set() and progress.outcomes["cancelled"]
    if progress.done == progress.total and not given_up:
        return progress, None
    return progress, "interrupt" if stop.is_set() else "budget"


@contextlib.contextmanager
def _interrupts(stop: asyncio.Event, asking: Sequence["asyncio.Future[None]"]) -> Iterator[None]:
    """While inside, an interrupt or a failure gives up what is being asked."""

    def interrupted() -> None:
        stop.set()
        for task in asking:
            task.cancel()

    def failed(task: "asyncio.Future[None]") -> None:
        if not task.cancelled() and task.exception() is not None:
            interrupted()

    for task in asking:
        task.add_done_callback(failed)
    with handling(interrupted):
        yield


@contextlib.contextmanager
def handling(interrupted: Callable[[], None]) -> Iterator[None]:
    """While inside, an interrupt is told; a terminal that closes is one, unless that is ignored."""
    loop = asyncio.get_running_loop()
    kinds = [kind for kind in _SIGNALS if not _is_ignored(kind)]
    for kind in kinds:
        loop.add_signal_handler(kind, interrupted)
    try:
        yield
    finally:
        for kind in kinds:
            loop.remove_signal_handler(kind)


def _is_ignored(kind: signal.Signals) -> bool:
    """Whether somebody, such as nohup, saw to it that a closed terminal ends nothing."""
    return kind == signal.SIGHUP and signal.getsignal(kind) == signal.SIG_IGN


def _note(book: Book, item: Work, observed: Observed) -> Attempt:
    """Write down what happened; what no line can hold is malformed, and the run goes on."""
    system, case = item.candidate.entry.id, item.question.case
    # In a scene that does not stand, nothing was put: the prompt as the case has it names no thing.
    question = item.question
    plain = question.puts[0].prompt if question.scene is None and question.quoted else None
    attempt = Attempt(
        id=f"{system}/{case}/{item.repetition}",
        case=case,
        system=system,
        repetition=item.repetition,
        outcome=observed.outcome,
        run=book.run,
        reason=observed.reason,
        stimulus=observed.stimulus or plain,
        turns=observed.turns,
        elapsed_us=observed.elapsed_us,
        fixtures=Raw(json.dumps(observed.fixtures, ensure_ascii=False).encode()),
        tries=observed.tries,
        changes=observed.changes,
        verification=observed.verification,
        usage=observed.usage,
    )
    try:
        book.add(attempt)
    except ValueError as fault:
        billed = tuple(Turn(tokens=turn.tokens, tries=turn.tries) for turn in attempt.turns)
        why = f"what it said can't be written down: {fault}"[:_SAID]
        attempt = replace(attempt, outcome="malformed", reason=why, turns=billed, usage=None)
        book.add(attempt)
    return attempt
