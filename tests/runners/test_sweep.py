import asyncio
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from generator.families.family import Put, Question
from generator.records import bundle
from generator.records.bundle import Attempt, Tokens, Turn
from generator.runners.account import Account
from generator.runners.journal import Journal
from generator.runners.scrub import Scrub
from generator.runners.sweep import PairedSweep, Progress, Stopped, Sweep, run
from generator.runners.system import Candidate, Level, Observed, Terms
from generator.store.bundles import open_bundle
from generator.writer import Harness, begun
from tests.conftest import ANSWERS, BENCHMARK, Kit
from tests.runners.sample import TERMS

QUESTIONS = [Question(case, (Put("?"),)) for case in sorted(ANSWERS)]
REPETITIONS = 5


@dataclass
class Told:
    """A system that does what a test tells it to."""

    name: str = "told"
    does: Callable[[Question, int], Observed] = lambda *_: Observed("completed", (Turn("x"),))
    takes: float = 0.0
    asked: list[str] = field(default_factory=list)
    now: int = 0
    most: int = 0
    """How many questions were open at the same time."""

    given_up: int = 0
    says_so: bool = False
    """Whether it takes being given up as something that happened, and says so."""

    async def ask(self, question: Question, terms: Terms) -> Observed:
        """Wait, then do as told."""
        del terms
        self.asked.append(question.case)
        number = len(self.asked)
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await asyncio.sleep(self.takes)
        except asyncio.CancelledError:
            self.given_up += 1
            if self.says_so:
                return Observed("cancelled")
            raise
        self.now -= 1
        return self.does(question, number)

    def described(self, level: Level | None) -> bundle.System:
        """As an example."""
        del level
        return bundle.System(id=self.name, provider="local", model=self.name)

    async def close(self) -> None:
        """Nothing."""


@dataclass
class Ended:
    """What became of a run."""

    progress: Progress
    stopped: Stopped | None
    attempts: list[Attempt]
    told: list[tuple[int, int]]
    """Done and total, each time that progress was told."""


def swept(
    kit: Kit,
    *systems: Told,
    jobs: int = 4,
    budget: int = 10**9,
    resume: bool = False,
    meanwhile: Callable[[Progress], None] = lambda _: None,
) -> Ended:
    """Put all questions to some systems."""
    candidates = [Candidate(system, TERMS, system.described(None)) for system in systems]
    manifest = begun(
        kit.project,
        benchmark=BENCHMARK,
        systems=[candidate.entry for candidate in candidates],
        harness=Harness(name="h", version="1", contract=1),
        repetitions=REPETITIONS,
    )
    account, told = Account(budget), []
    cases = [question.case for question in QUESTIONS]

    def tell(progress: Progress) -> None:
        told.append((progress.done, progress.total))
        meanwhile(progress)

    with Journal(
        kit.project, out(kit), manifest, cases, Scrub({}), resume=resume, seen=account.add
    ) as journal:
        sweep = Sweep(candidates, QUESTIONS, REPETITIONS)
        progress, stopped = asyncio.run(run(sweep, journal, account, jobs, tell))
        journal.finish(stopped)
    attempts = [observed.attempt for observed in open_bundle(out(kit)).attempts()]
    return Ended(progress, stopped, attempts, told)


def out(kit: Kit) -> Path:
    """Where the run lies."""
    return kit.root / "dist" / "runs" / "new"


TOTAL = len(QUESTIONS) * REPETITIONS


def test_everything_is_asked_once(kit: Kit) -> None:
    """Every case in every repetition of every system, and the bundle has them in order."""
    systems = [Told("b"), Told("a")]
    ended = swept(kit, *systems)
    assert [(one.system, one.case, one.repetition) for one in ended.attempts] == [
        (system, question.case, repetition)
        for system in ("b", "a")
        for question in QUESTIONS
        for repetition in range(1, REPETITIONS + 1)
    ]
    assert (ended.stopped, ended.progress.done) == (None, 2 * TOTAL)
    assert ended.progress.outcomes == {"completed": 2 * TOTAL}


def test_the_order_is_not_that_of_the_clock(kit: Kit) -> None:
    """Two runs whose replies come in another order are the same file, times aside."""
    lines = []
    for jobs, takes in ((1, 0.0), (7, 0.01)):
        ended = swept(kit, Told(takes=takes), jobs=jobs)
        lines.append([one.id for one in ended.attempts])
    assert lines[0] == lines[1]


@pytest.mark.parametrize("jobs", [1, 3, 16])
def test_as_many_are_under_way_as_may_be(kit: Kit, jobs: int) -> None:
    """No more, and no fewer while there are enough left."""
    system = Told(takes=0.01)
    swept(kit, system, jobs=jobs)
    assert system.most == jobs


def test_one_repetition_of_all_comes_before_the_next(kit: Kit) -> None:
    """A run that stops has asked each case as often as any other, give or take one."""
    system = Told()
    swept(kit, system, jobs=1)
    cases = [question.case for question in QUESTIONS]
    assert system.asked == cases * REPETITIONS


def test_progress_is_told(kit: Kit) -> None:
    """From nothing to everything, one by one, with failures by kind and the time left."""
    outcomes = ["completed", "timeout", "failed", "completed"]
    system = Told(does=lambda _, number: Observed(outcomes[number % 4]))  # type: ignore[arg-type]
    left: list[float | None] = []
    ended = swept(kit, system, meanwhile=lambda how: left.append(how.left))
    assert ended.told == [(done, TOTAL) for done in range(TOTAL + 1)]
    assert ended.progress.outcomes == {"completed": 10, "timeout": 5, "failed": 5}
    assert (left[0], left[-1]) == (None, 0)
    assert all(seconds is not None and seconds >= 0 for seconds in left[1:])


def test_time_left_is_as_time_was() -> None:
    """Half of it done in ten seconds leaves ten seconds."""
    assert Progress(total=10, done=5, seconds=10.0).left == 10
    assert Progress(total=10).left is None


# The budget


def spending(tokens: int) -> Told:
    """A system that is billed so much for each attempt."""
    turn = Turn(tokens=Tokens(input=tokens - 1, output=1))
    return Told(does=lambda *_: Observed("completed", (turn,)))


@pytest.mark.parametrize(
    ("budget", "made"), [(1, 1), (10, 1), (11, 2), (70, 7), (TOTAL * 10 - 1, TOTAL)]
)
def test_a_run_stops_at_its_budget(kit: Kit, budget: int, made: int) -> None:
    """No attempt begins once it is reached."""
    ended = swept(kit, spending(10), jobs=1, budget=budget)
    assert len(ended.attempts) == made
    assert ended.stopped == (None if made == TOTAL else "budget")


def test_attempts_under_way_come_to_their_end(kit: Kit) -> None:
    """They were paid for: nothing of them is thrown away."""
    system = spending(10)
    system.takes = 0.01
    ended = swept(kit, system, jobs=4, budget=10)
    assert (ended.stopped, len(ended.attempts), system.given_up) == ("budget", 4, 0)


def test_the_last_attempt_may_reach_the_budget(kit: Kit) -> None:
    """A run in which nothing is left is complete."""
    assert swept(kit, spending(10), budget=TOTAL * 10).stopped is None


def test_what_was_billed_before_counts(kit: Kit) -> None:
    """Going on with the same budget asks nothing; with a larger one it asks the rest."""
    swept(kit, spending(10), jobs=1, budget=30)
    again = spending(10)
    ended = swept(kit, again, jobs=1, budget=30, resume=True)
    assert (ended.stopped, again.asked, len(ended.attempts)) == ("budget", [], 3)
    ended = swept(kit, again, jobs=1, budget=10**6, resume=True)
    assert (ended.stopped, len(again.asked), len(ended.attempts)) == (None, TOTAL - 3, TOTAL)


# Interrupts


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_gives_up_what_is_under_way(kit: Kit, kind: signal.Signals) -> None:
    """At once; what has ended stays, what was given up is made when the run goes on."""
    system = Told()

    def interrupt(progress: Progress) -> None:
        if progress.done == 5:
            system.takes = 60.0
            asyncio.get_running_loop().call_later(0.1, os.kill, os.getpid(), kind)

    started = time.monotonic()
    ended = swept(kit, system, jobs=3, meanwhile=interrupt)
    assert time.monotonic() - started < 30
    assert ended.stopped == "interrupt"
    assert 5 <= len(ended.attempts) < TOTAL
    assert system.given_up == 3
    rest = Told()
    whole = swept(kit, rest, resume=True)
    assert (whole.stopped, len(whole.attempts)) == (None, TOTAL)
    assert len(rest.asked) == TOTAL - len(ended.attempts)


def test_a_system_that_never_waits_can_be_interrupted(kit: Kit) -> None:
    """Simulated systems answer at once, and still leave room for whoever wants to stop."""

    def interrupt(progress: Progress) -> None:
        if progress.done == 2:
            os.kill(os.getpid(), signal.SIGINT)

    ended = swept(kit, Told(), jobs=1, meanwhile=interrupt)
    assert ended.stopped == "interrupt"
    assert len(ended.attempts) < TOTAL


def test_after_a_run_an_interrupt_is_what_it_was(kit: Kit) -> None:
    """Nobody is left deaf."""
    before = signal.getsignal(signal.SIGTERM)
    swept(kit, Told())
    assert signal.getsignal(signal.SIGTERM) == before
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


# Faults


def test_a_fault_ends_the_run(kit: Kit) -> None:
    """What is no answer is raised, others are given up, and what was observed stays."""
    system = Told(takes=0.01)

    def does(_: Question, number: int) -> Observed:
        if number == 4:
            system.takes = 60.0
            raise RuntimeError("the key")
        return Observed("completed")

    system.does = does
    with pytest.raises(RuntimeError, match="the key"):
        swept(kit, system, jobs=3)
    said = open_bundle(out(kit))
    assert (said.manifest.status, said.manifest.stopped) == ("stopped", "crash")
    assert len(list(said.attempts())) >= 3


@pytest.mark.parametrize("content", ["\ud800", "x" * (17 * 1024 * 1024)], ids=["half", "huge"])
def test_what_no_line_can_hold_is_malformed(kit: Kit, content: str) -> None:
    """The run goes on, and its tokens count."""
    odd = Turn(content=content, tokens=Tokens(output=7))
    system = Told(does=lambda _, number: Observed("completed", (odd,) if number == 1 else ()))
    ended = swept(kit, system, jobs=1)
    first = next(one for one in ended.attempts if one.outcome == "malformed")
    assert (first.reason or "").startswith("what it said can't be written down")
    assert first.turns == (Turn(tokens=Tokens(output=7)),)
    assert len(ended.attempts) == TOTAL


def test_the_arms_of_a_pair_take_turns_at_being_first() -> None:
    """Tasks in order, repetitions in order, and neither arm always comes second."""
    arms = [Candidate(Told(name), TERMS, Told(name).described(None)) for name in ("a", "b")]
    work = PairedSweep(arms, QUESTIONS[:2], 3).work()
    assert [(item.question.case, item.repetition, item.candidate.entry.id) for item in work] == [
        (question.case, repetition, arm)
        for question in QUESTIONS[:2]
        for repetition, order in ((1, "ab"), (2, "ba"), (3, "ab"))
        for arm in order
    ]


def test_a_system_that_says_that_it_was_cancelled_is_written_down(kit: Kit) -> None:
    """The attempt was made, and the run is no complete one, even if nothing else was left."""

    def interrupt(progress: Progress) -> None:
        if progress.done == TOTAL - 1:
            asyncio.get_running_loop().call_later(0.05, lambda: os.kill(os.getpid(), signal.SIGINT))
            told.takes = 60.0

    told = Told(says_so=True)
    ended = swept(kit, told, jobs=1, meanwhile=interrupt)
    assert (ended.stopped, ended.progress.outcomes["cancelled"]) == ("interrupt", 1)
    assert [one.outcome for one in ended.attempts].count("cancelled") == 1
    assert len(ended.attempts) == TOTAL


def test_a_prompt_that_is_not_to_be_quoted_is_in_no_record(kit: Kit) -> None:
    """A task's prompt stands in its manifest alone."""
    told = Told()
    candidate = Candidate(told, TERMS, told.described(None))
    stimuli = {}
    for quoted in (True, False):
        question = Question(QUESTIONS[0].case, (Put("a prompt"),), quoted=quoted)
        manifest = begun(
            kit.project,
            benchmark=BENCHMARK,
            systems=[candidate.entry],
            harness=Harness(name="h", version="1", contract=1),
        )
        with Journal(kit.project, out(kit), manifest, [question.case], Scrub({})) as journal:
            sweep = Sweep([candidate], [question], 1)
            asyncio.run(run(sweep, journal, Account(1), 1, lambda _: None))
            journal.finish(None)
        (observed,) = open_bundle(out(kit)).attempts()
        stimuli[quoted] = observed.attempt.stimulus
    assert stimuli == {True: "a prompt", False: None}
