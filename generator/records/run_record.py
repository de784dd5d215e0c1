"""A run of one arm at one task, as experiments hand it on: one JSON object a line.

The format is that of a harness elsewhere: names in camel case, repetitions from 0, milliseconds.
Nothing in it is a prompt, an output or a credential.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from generator.records.base import strict_json
from generator.records.bundle import (
    EXCLUDED,
    INTEGER_LIMIT,
    Attempt,
    Counter,
    Short,
    Tokens,
    Usage,
)

FEWEST, MOST = 2, 100_000
"""How many records a comparison takes."""

LINE_LIMIT = 1024 * 1024
"""The longest line, in bytes; no record comes near, but the comparison that may follow them."""

_SHOWN = 100
"""How many characters of an unknown key a fault shows."""

_MS = 1_000
"""Microseconds."""

Number: TypeAlias = int | float
"""A number as JSON has it."""

Milliseconds: TypeAlias = (
    Annotated[int, msgspec.Meta(ge=0, le=INTEGER_LIMIT // _MS)]
    | Annotated[float, msgspec.Meta(ge=0, le=INTEGER_LIMIT // _MS)]
)
"""How long something took: a finite number that, in microseconds too, means one thing only."""

RunOutcome: TypeAlias = Literal["completed", "failed", "timeout", "cancelled"]

Identifier = Annotated[str, msgspec.Meta(pattern=r"^[a-zA-Z0-9_-]{1,64}\Z")]


_REMEDY = "A record is one JSON object a line, with the keys that the guide lists and no other."


INCOMPLETE = b'{"type":"comparison","comparison":null,"incomplete":true}'
"""The line that ends the records of an interrupted experiment, so that nothing compares them."""


class ComparisonFault(ValueError):
    """Records that can't be compared, or are none; carries the remedy, and which it is."""

    def __init__(self, what: str, remedy: str = _REMEDY, *, at: int | None = None) -> None:
        super().__init__(what)
        self.remedy = remedy
        """What to do next, as a whole sentence."""
        self.at = at
        """Index of the record; none where it is about all of them."""


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join("ID" if part == "id" else part.title() for part in others)


class RunRecord(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    gc=False,
    rename=_camel,
):
    """What became of one try of an arm at a task."""

    task_id: Identifier
    arm: Identifier
    model: Short
    """`provider/model`."""

    cohort: Short
    """What runs must share to be paired: as a rule, the digest of their experiment."""

    repetition: Counter
    """From 0 on."""

    outcome: RunOutcome
    verified: bool
    """Whether the oracle found the task done."""

    elapsed_ms: Milliseconds
    """The command, and the verification after it."""

    verification_ms: Milliseconds | None = None
    """The verification alone."""

    input_tokens: Counter | None = None
    output_tokens: Counter | None = None
    reasoning_tokens: Counter | None = None
    cache_read_tokens: Counter | None = None
    tool_calls: Counter | None = None
    tool_errors: Counter | None = None
    metrics_status: Literal["observed", "partial", "unavailable"] | None = None
    """Whether the counters came whole; those that did not are taken for missing."""

    def __post_init__(self) -> None:
        """Refuse a success of what did not complete, and text that can't be written again."""
        for text in (self.model, self.cohort):
            text.encode()
        if self.verified and self.outcome != "completed":
            message = "Only completed runs can be verified"
            raise ValueError(message)


_NAMES = {field.encode_name: field for field in msgspec.structs.fields(RunRecord)}


def record_from(value: object) -> RunRecord:
    """The record that a JSON value is; raises ComparisonFault that says what is wrong with it."""
    if isinstance(value, Mapping):
        unknown = [key for key in value if key not in _NAMES]
        if unknown:
            message = f"unrecognized key {str(unknown[0])[:_SHOWN]}"
            raise ComparisonFault(message)
        empty = [key for key, inner in value.items() if inner is None]
        if empty:
            message = f"{empty[0]} is null; a value that is missing is left out"
            raise ComparisonFault(message)
    try:
        return msgspec.convert(value, RunRecord)
    except msgspec.ValidationError as fault:
        raise ComparisonFault(str(fault)) from None


def read_record(line: bytes) -> RunRecord:
    """The record of one line; raises ComparisonFault that says what is wrong with it."""
    return record_from(_value(line))


def read_event(line: bytes) -> RunRecord | None:
    """The same, also where the record stands in an event; none where the event is no run.

    A harness may write `{"type": "run", "run": …}` for each of them, and at the end
    `{"type": "comparison", "comparison": …, "incomplete": …}`, whose figures are not taken over.
    """
    value = _value(line)
    if isinstance(value, Mapping) and "type" in value:
        if value.keys() == {"type", "run"} and value["type"] == "run":
            return record_from(value["run"])
        if value["type"] == "comparison" and value.get("incomplete") is False:
            return None
        if value["type"] == "comparison":
            message = "the experiment is incomplete, and gives no comparison"
            raise ComparisonFault(message, "Run it to its end.")
    return record_from(value)


def _value(line: bytes) -> Any:  # noqa: ANN401  any JSON value
    if len(line) > LINE_LIMIT:
        message = f"it has more than {LINE_LIMIT} bytes"
        raise ComparisonFault(message)
    try:
        return strict_json(line.decode())
    except RecursionError:
        message = "objects and arrays are nested too deep"
        raise ComparisonFault(message) from None
    except ValueError as fault:
        raise ComparisonFault(str(fault)) from None


def line_of(record: RunRecord) -> bytes:
    """One line of a record, without its line end."""
    return msgspec.json.encode(record)


def is_verified(attempt: Attempt) -> bool:
    """Whether an attempt did its task: it completed, and the oracle found nothing to object to."""
    said = attempt.verification
    return attempt.outcome == "completed" and said is not None and said.status == 0


def outcome_of(attempt: Attempt) -> RunOutcome | None:
    """How an attempt ended, for a comparison; none where it counts in no measure."""
    if attempt.outcome == "skipped" or attempt.outcome in EXCLUDED:
        return None
    if attempt.outcome in ("completed", "timeout", "cancelled"):
        return attempt.outcome
    return "failed"


def record_of(attempt: Attempt, *, model: str, arm: str, cohort: str) -> RunRecord:
    """An attempt as a record; raises ComparisonFault for one that can't be one.

    That is an attempt without a time, or one that counts in no measure (see `outcome_of`).
    """
    outcome = outcome_of(attempt)
    if outcome is None:
        message = f"an attempt with the outcome {attempt.outcome} counts in no comparison"
        raise ComparisonFault(message)
    if attempt.elapsed_us is None:
        message = "an attempt without elapsed_us can't be compared"
        raise ComparisonFault(message)
    said: dict[str, Any] = {
        "taskID": attempt.case,
        "arm": arm,
        "model": model,
        "cohort": cohort,
        "repetition": attempt.repetition - 1,
        "outcome": outcome,
        "verified": is_verified(attempt),
        "elapsedMs": _milliseconds(attempt.elapsed_us),
        **_verification(attempt),
        **_counters(attempt.usage),
    }
    return record_from({name: value for name, value in said.items() if value is not None})


def _verification(attempt: Attempt) -> dict[str, Number | None]:
    took = None if attempt.verification is None else attempt.verification.elapsed_us
    return {"verificationMs": None if took is None else _milliseconds(took)}


def _counters(usage: Usage | None) -> dict[str, int | str | None]:
    if usage is None:
        return {}
    tokens = usage.tokens or Tokens()
    return {
        "inputTokens": tokens.input,
        "outputTokens": tokens.output,
        "reasoningTokens": tokens.reasoning,
        "cacheReadTokens": tokens.cache_read,
        "toolCalls": usage.tool_calls,
        "toolErrors": usage.tool_errors,
        "metricsStatus": usage.status,
    }


def _milliseconds(microseconds: int) -> Number:
    whole, rest = divmod(microseconds, _MS)
    return microseconds / _MS if rest else whole
