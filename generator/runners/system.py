"""The contract of a system under test: it is asked, and what happened is written down."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from generator.families.family import Question
from generator.records import bundle
from generator.records.benchmark import Effort
from generator.records.bundle import Outcome, Turn


@dataclass(frozen=True, slots=True)
class Observed:
    """What happened when a system was asked once. Nothing in it was corrected or chosen."""

    outcome: Outcome
    turns: tuple[Turn, ...] = ()
    reason: str | None = None
    """Why it did not complete."""

    elapsed_us: int | None = None
    stimulus: str | None = None
    """What was put to it first, where that is not the question's own first prompt."""

    revision: str | None = None
    """What the provider calls the model that answered."""


@dataclass(frozen=True, slots=True)
class Level:
    """A level of effort as it is asked for."""

    effort: Effort
    prompted: bool
    """By an instruction before the prompt, since the system has no setting for it."""


@dataclass(frozen=True, slots=True)
class Terms:
    """On which terms every question is put."""

    seconds: float
    """The time limit of one request."""

    level: Level | None = None


class System(Protocol):
    """Something that answers questions."""

    async def ask(self, question: Question, terms: Terms) -> Observed:
        """Put a question; never raises for what the system does or fails to do."""
        ...

    def described(self, level: Level | None) -> bundle.System:
        """Its entry in the manifest: what is measured, with options as they are sent."""
        ...


@dataclass(frozen=True, slots=True)
class Candidate:
    """A system at one level of effort: what becomes one row."""

    system: System
    terms: Terms
    entry: bundle.System


@dataclass(slots=True)
class Spent:
    """Tokens that were billed, against what may be."""

    budget: int
    tokens: int = 0
    by_kind: dict[str, int] = field(default_factory=dict)

    def add(self, turns: Sequence[Turn]) -> None:
        """Count what some replies were billed."""
        for turn in turns:
            if turn.tokens is None:
                continue
            for kind in BILLED:
                number = getattr(turn.tokens, kind) or 0
                self.by_kind[kind] = self.by_kind.get(kind, 0) + number
                self.tokens += number

    @property
    def over(self) -> bool:
        """Whether the budget is reached."""
        return self.tokens >= self.budget


BILLED = ("input", "output", "cache_created", "cache_read")
"""Kinds of tokens that add up to what is paid for; reasoning is part of the output."""
