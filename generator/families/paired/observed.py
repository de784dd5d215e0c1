"""What became of each attempt: how it ended, what the oracle said, and what its events tell."""

from collections.abc import Iterable
from decimal import Decimal

from generator.families.blocks import Block, Cell, Code, Lines, Mark, Number, Quote, Table
from generator.families.paired.scorer import counters, ending, milliseconds
from generator.messages import N_, Message
from generator.records.bundle import Attempt

_VERDICTS = {
    "verified": Mark(Message(N_("verified")), "good"),
    "unverified": Mark(Message(N_("not verified")), "bad"),
    "failed": Mark(Message(N_("failed")), "bad"),
    "timed_out": Mark(Message(N_("timed out")), "bad"),
    "cancelled": Mark(Message(N_("cancelled")), "bad"),
    None: Mark(Message(N_("not scored")), "neutral"),
}
_HEADS = (
    *(N_("Attempt"), N_("Ended"), N_("Result"), N_("Oracle"), N_("Milliseconds")),
    *(N_("Of them the oracle"), N_("Input tokens"), N_("Output tokens"), N_("Reasoning tokens")),
    *(N_("Tokens from a cache"), N_("Tool calls"), N_("Tool errors"), N_("Counters")),
)


def observed(attempts: Iterable[Attempt]) -> tuple[Block, ...]:
    """One table of all attempts."""
    return (
        Table(
            Message(N_("Every attempt, with what the oracle said and what its events tell")),
            tuple(map(Message, _HEADS)),
            tuple(_row(attempt) for attempt in attempts),
        ),
    )


def _row(attempt: Attempt) -> tuple[Cell, ...]:
    said = attempt.verification
    return (
        Code(f"{attempt.case} #{attempt.repetition}"),
        _ended(attempt),
        _VERDICTS[ending(attempt)],
        _oracle(attempt),
        _time(attempt.elapsed_us),
        _time(None if said is None else said.elapsed_us),
        *(_number(value) for value in counters(attempt).values()),
        Message(N_("unavailable"))
        if attempt.usage is None
        else Message(_USAGE[attempt.usage.status]),
    )


_USAGE = {
    "observed": N_("observed"),
    "partial": N_("partial"),
    "unavailable": N_("unavailable"),
}


def _ended(attempt: Attempt) -> Cell:
    outcome = Code(attempt.outcome)
    return Lines((outcome, Quote(attempt.reason))) if attempt.reason else outcome


def _oracle(attempt: Attempt) -> Cell:
    """Its exit status, as it was observed."""
    if attempt.verification is None:
        return Message(N_("not asked"))
    if attempt.verification.status is None:
        return Message(N_("did not end in time"))
    return Message(N_("status {status}"), {"status": Code(str(attempt.verification.status))})


def _time(microseconds: int | None) -> Number:
    return Number(None if microseconds is None else milliseconds(microseconds))


def _number(value: int | None) -> Number:
    return Number(None if value is None else Decimal(value))
