"""What a run has used up, and who answered; it is told every attempt, those made before as well."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from generator.records.benchmark import Price
from generator.records.bundle import Attempt, Tokens

BILLED = ("input", "output", "cache_created", "cache_read")
"""Kinds of tokens that add up to what is paid for; reasoning is part of the output."""

_MILLION = 1_000_000
_LONGEST_NAME = 300


@dataclass(slots=True)
class Account:
    """Tokens that were billed against those that may be, what they cost, and models by system."""

    budget: int
    prices: Mapping[str, Price] = field(default_factory=dict)
    """By system of the run."""

    by_kind: dict[str, int] = field(default_factory=dict)
    cost: dict[str, Decimal] = field(default_factory=dict)
    """By currency."""

    unpriced: bool = False
    """Whether there are tokens besides, whose price nobody declared."""

    models: dict[str, set[str]] = field(default_factory=dict)
    """By system: what its provider called the models that replied; of many, two."""

    @property
    def tokens(self) -> int:
        """Tokens that were billed, of all kinds."""
        return sum(self.by_kind.values())

    @property
    def over(self) -> bool:
        """Whether the budget is reached."""
        return self.tokens >= self.budget

    def add(self, attempt: Attempt) -> None:
        """Count what an attempt was billed."""
        for turn in attempt.turns:
            if turn.tokens is not None:
                self._bill(attempt.system, turn.tokens)
            models = self.models.setdefault(attempt.system, set())
            if turn.model and len(models) < 2:  # noqa: PLR2004  more would say no more
                models.add(turn.model)

    def model(self, system: str) -> str | None:
        """What the provider called the model, if all replies agree and it is a name at all."""
        models = self.models.get(system, set())
        (name,) = models if len(models) == 1 else (None,)
        return name if name is not None and len(name) <= _LONGEST_NAME else None

    def _bill(self, system: str, tokens: Tokens) -> None:
        price = self.prices.get(system)
        for kind in BILLED:
            number = getattr(tokens, kind) or 0
            self.by_kind[kind] = self.by_kind.get(kind, 0) + number
            self.unpriced = self.unpriced or (price is None and number > 0)
            if price is not None:
                each = getattr(price, kind)
                each = price.input if each is None else each
                cost = self.cost.get(price.currency, Decimal(0))
                self.cost[price.currency] = cost + number * each / _MILLION
