"""The contract of a system under test: it is asked, and what happened is written down."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from generator.errors import UsageError
from generator.families.family import Question
from generator.records import bundle
from generator.records.benchmark import Effort
from generator.records.bundle import Change, Outcome, Try, Turn, Usage, Verification


@dataclass(frozen=True, slots=True)
class Observed:
    """What happened when a system was asked once. Nothing in it was corrected or chosen."""

    outcome: Outcome
    turns: tuple[Turn, ...] = ()
    reason: str | None = None
    """Why it did not complete, or why it was asked less than the whole case."""

    elapsed_us: int | None = None
    stimulus: str | None = None
    """What was put to it first, where that is not the question's own first prompt."""

    tries: tuple[Try, ...] = ()
    """Requests that were refused, and no reply came after them."""

    fixtures: Mapping[str, Any] = field(default_factory=dict)
    """What was made before, in a scene."""

    changes: tuple[Change, ...] | None = None
    """What it changed there; none where nobody looked."""

    verification: Verification | None = None
    """What an oracle said of what it left behind."""

    usage: Usage | None = None
    """What it said it used, where it was not asked turn by turn."""


@dataclass(frozen=True, slots=True)
class Level:
    """A level of effort as it is asked for."""

    effort: Effort
    prompted: bool
    """By an instruction before the prompt, since the system has no setting for it."""

    def instructed(self, prompt: str) -> str:
        """A first prompt, behind the instruction where the level is asked for by one."""
        return f"{self.effort.instruction}\n\n{prompt}" if self.prompted else prompt


@dataclass(frozen=True, slots=True)
class Terms:
    """On which terms every question is put."""

    seconds: float
    """How long a system may take for one attempt; what a provider makes us wait is not counted."""

    turns: int | None = None
    """How many replies an attempt may have; as many as it takes where it is missing."""

    level: Level | None = None


class System(Protocol):
    """Something that answers questions."""

    async def ask(self, question: Question, terms: Terms) -> Observed:
        """Put a question; never raises for what the system does or fails to do."""
        ...

    def described(self, level: Level | None) -> bundle.System:
        """Its entry in the manifest: what is measured, with options as they are sent.

        Raises UsageError where the level can't be asked of it: asked all the same, it would be
        measured twice under two names.
        """
        ...

    async def close(self) -> None:
        """Let go of what it holds."""
        ...


@dataclass(frozen=True, slots=True)
class Candidate:
    """A system at one level of effort: what becomes one row."""

    system: System
    terms: Terms
    entry: bundle.System
    put: Callable[[Question], Awaitable[Observed]] | None = None
    """How it is asked where that is not all: in a scene."""

    async def ask(self, question: Question) -> Observed:
        """Put a question to the system."""
        if self.put is not None:
            return await self.put(question)
        return await self.system.ask(question, self.terms)


def refuse_level(name: str, level: Level) -> None:
    """Raise UsageError unless a level can be asked of a system without a setting for it."""
    if not level.prompted:
        raise UsageError(
            f"{name} has no setting for the effort {level.effort.id!r}.",
            "Say --prompted-effort to ask for it by the benchmark's instruction, or name other "
            "levels with --effort.",
        )
    if level.effort.instruction is None:
        raise UsageError(
            f"The effort {level.effort.id!r} has no instruction to be asked for by.",
            "Declare `instruction` for it in benchmark.toml, or leave out --prompted-effort.",
        )
