from decimal import Decimal

import pytest

from generator.records.benchmark import Price
from generator.records.bundle import Attempt, Tokens, Turn
from generator.runners.account import Account

PRICE = Price(system="openai:m", input=Decimal("1.25"), output=Decimal(10))
CACHED = Price(
    system="anthropic:c",
    input=Decimal(3),
    output=Decimal(15),
    cache_read=Decimal("0.3"),
    cache_created=Decimal("3.75"),
    currency="EUR",
)


def attempt(*turns: Turn, system: str = "s") -> Attempt:
    """An attempt with some turns."""
    return Attempt("s/c/1", "c", system, 1, "completed", turns=turns)


def billed(system: str = "s", **tokens: int) -> Attempt:
    """An attempt that was billed some tokens."""
    return attempt(Turn(tokens=Tokens(**tokens)), system=system)


def test_tokens_add_up_by_kind() -> None:
    """Over turns and attempts; a turn without counters adds nothing."""
    account = Account(100)
    account.add(attempt(Turn(tokens=Tokens(input=7, output=2)), Turn(), Turn(tokens=Tokens())))
    account.add(billed(input=1, cache_read=5, cache_created=4))
    assert account.by_kind == {"input": 8, "output": 2, "cache_created": 4, "cache_read": 5}
    assert account.tokens == 19


def test_reasoning_is_billed_as_output_already() -> None:
    """It is not counted twice."""
    account = Account(100)
    account.add(billed(output=50, reasoning=40))
    assert account.tokens == 50


@pytest.mark.parametrize(("tokens", "over"), [(99, False), (100, True), (101, True)])
def test_a_budget_is_reached_exactly(tokens: int, over: bool) -> None:  # noqa: FBT001
    """At the last token that may be billed."""
    account = Account(100)
    account.add(billed(output=tokens))
    assert account.over is over


def test_cost_adds_up_exactly() -> None:
    """By the million tokens of each kind; what a cache gave costs as input unless it is said."""
    account = Account(10**9, {"s": PRICE})
    account.add(billed(input=1_000_000, output=100_000, cache_read=200_000))
    assert account.cost == {"USD": Decimal("2.5")}
    assert not account.unpriced


def test_currencies_are_kept_apart() -> None:
    """Nobody changes money here."""
    account = Account(10**9, {"s": PRICE, "c": CACHED})
    account.add(billed(output=1_000_000))
    account.add(billed("c", cache_read=1_000_000, cache_created=1_000_000))
    assert account.cost == {"USD": Decimal(10), "EUR": Decimal("4.05")}


def test_tokens_without_a_price_are_said() -> None:
    """The cost is then what it is at least."""
    account = Account(10**9, {"s": PRICE})
    account.add(billed("other"))
    assert not account.unpriced
    account.add(billed("other", output=1))
    assert account.unpriced


def test_a_model_is_named_if_all_replies_agree() -> None:
    """One that was exchanged under way, or never named, has no one name."""
    account = Account(100)
    for system, model in (
        ("a", "m-1"),
        ("a", "m-1"),
        ("b", "m-1"),
        ("b", "m-2"),
        ("c", None),
        ("d", ""),
        ("e", "x" * 301),
    ):
        account.add(attempt(Turn(model=model), system=system))
    assert [account.model(system) for system in "abcdef"] == ["m-1", *[None] * 5]


def test_a_provider_that_names_another_model_each_time_fills_no_memory() -> None:
    """That they differ is all there is to remember."""
    account = Account(100)
    for number in range(1000):
        account.add(attempt(Turn(model=f"m-{number}")))
    assert len(account.models["s"]) == 2
