"""Simulated systems: they prove that the chain works, and can't be published.

Each but the first answers wrongly in one way, and must lose points just there. Those that play in
scenes stand in `replayed`.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from generator.errors import UsageError
from generator.families.family import Corpus, Family, Question, Replays
from generator.records import bundle
from generator.records.base import slug
from generator.records.bundle import Turn
from generator.records.key import EFFORT
from generator.runners.replayed import PLAYS, Part, play
from generator.runners.stage import TOOLS, SceneFault, Served, Stage
from generator.runners.system import Level, Observed, Terms

Turns = tuple[Turn, ...]
Answer = Callable[[Turns], Observed]


def _each(change: Callable[[Turn], Turn]) -> Answer:
    return lambda turns: Observed("completed", tuple(map(change, turns)))


NONSENSE = "\u2205 nothing of the kind"

VARIANTS: Mapping[str, Answer] = {
    "perfect": _each(lambda turn: turn),
    "wrong": _each(lambda _: Turn(content=NONSENSE)),
    "silent": _each(lambda _: Turn(content="")),
    "no-calls": _each(lambda turn: replace(turn, tool_calls=())),
    "timeout": lambda _: Observed("timeout", reason="simulated"),
    "crash": lambda _: Observed("failed", reason="simulated"),
    "provider-error": lambda _: Observed("provider_error", reason="simulated"),
}
"""By name: what becomes of a perfect answer."""

_FROM_KEY = frozenset({"perfect", "no-calls"})
"""Those that need one."""


@dataclass(frozen=True, slots=True)
class Fake:
    """A system that knows the answer key."""

    variant: str
    family: Family
    corpus: Corpus
    offered: str | None = None
    """Digest of all tools of the benchmark."""

    def described(self, level: Level | None) -> bundle.System:
        """Visibly simulated, as is the setting by which it takes any level of effort."""
        self._refuse_unknown(VARIANTS)
        return self._entry(level, "answer-key", self.offered)

    def staged(self, level: Level | None, served: Served) -> bundle.System:
        """The same where a subject offers tools on a surface of its own."""
        self._refuse_unknown(PLAYS)
        if not isinstance(self.family, Replays):
            raise UsageError(
                f"The family {self.family.id!r} has no key that could be played.",
                "Name a system that is no simulated one.",
            )
        entry = self._entry(level, served.surface, served.tools)
        return entry.model_copy(
            update={
                "id": slug(f"{entry.id} {served.surface}", limit=100),
                "axes": {**entry.axes, TOOLS: "native"},
            }
        )

    def _refuse_unknown(self, known: Iterable[str]) -> None:
        if self.variant not in known:
            raise UsageError(
                f"'fake:{self.variant}' can't answer this benchmark.",
                f"Name fake:VARIANT, one of {', '.join(known)}.",
            )

    def _entry(self, level: Level | None, surface: str, tools: str | None) -> bundle.System:
        suffix = "" if level is None else f" {level.effort.id}"
        return bundle.System(
            id=slug(f"fake {self.variant}{suffix}", limit=100),
            provider="fake",
            model=self.variant,
            revision="1",
            surface=surface,
            options={} if level is None else {"effort": level.effort.id},
            axes={} if level is None else {EFFORT: level.effort.id},
            tools=tools,
        )

    async def ask(self, question: Question, terms: Terms) -> Observed:
        """Answer from the key, in this variant's way."""
        del terms
        turns = self.family.perfect(self.corpus, question.case)
        if turns is None:
            if self.variant in _FROM_KEY:
                return Observed("harness_error", reason="the case has no example to answer with")
            turns = (Turn(),) * len(question.puts)
        return VARIANTS[self.variant](turns)

    async def play(self, question: Question, stage: Stage, terms: Terms) -> Observed:
        """Play the key, in this variant's way."""
        del terms
        started = time.monotonic()
        assert isinstance(self.family, Replays)  # noqa: S101  else it was never staged
        part = Part(self.family, self.corpus, question.case, stage)
        try:
            outcome, reason = await play(self.variant, part)
        except SceneFault as fault:
            outcome, reason = "harness_error", str(fault)
        elapsed = round((time.monotonic() - started) * 1e6)
        return Observed(outcome, tuple(part.turns), reason, elapsed)

    async def close(self) -> None:
        """Nothing: it holds nothing."""
