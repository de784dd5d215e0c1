"""What every family counts alike: attempts, what is left out of all measures, turns and tokens."""

from collections import Counter
from dataclasses import dataclass, field

from generator.records import bundle
from generator.records.bundle import Attempt
from generator.records.row import Counts, Tokens

LEFT_OUT = {
    "skipped": "skipped",
    "provider_error": "provider_errors",
    "harness_error": "harness_errors",
    "over_budget": "over_budget",
}
"""By outcome that is in no measure: the counter that it goes to instead."""


@dataclass(slots=True)
class Counting:
    """Counts the attempts of one row; plain values, so it can be sent to another process."""

    attempts: int = 0
    turns: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    """By the counter's name."""

    tokens: dict[str, int] = field(default_factory=dict)
    """By kind; a kind that no attempt reported is missing."""

    def scores(self, attempt: Attempt) -> bool:
        """Count an attempt; whether it is to be scored."""
        self.attempts += 1
        self.turns += len(attempt.turns)
        for turn in attempt.turns:
            if turn.tokens is not None:
                self._report(turn.tokens)
        if attempt.usage is not None and attempt.usage.tokens is not None:
            self._report(attempt.usage.tokens)
        left_out = LEFT_OUT.get(attempt.outcome)
        if left_out is not None:
            self.left_out[left_out] += 1
        return left_out is None

    def merge(self, other: "Counting") -> None:
        """Add what was counted elsewhere."""
        self.attempts += other.attempts
        self.turns += other.turns
        self.left_out.update(other.left_out)
        self._report(bundle.Tokens(**other.tokens))

    def counts(self) -> Counts:
        """The counters of the row."""
        return Counts(
            attempts=self.attempts,
            scored=self.attempts - self.left_out.total(),
            turns=self.turns,
            tokens=Tokens(**self.tokens),
            **self.left_out,
        )

    def _report(self, tokens: bundle.Tokens) -> None:
        known = self.tokens
        for kind in _KINDS:
            number = getattr(tokens, kind)
            if number is not None:
                known[kind] = known.get(kind, 0) + number


_KINDS = bundle.Tokens.__struct_fields__
"""Kinds of tokens, which have the same names in an attempt and in a row."""
