"""Checks as a file has them, and replies to hold them against."""

from typing import Any

import msgspec

from generator.families.declarative.checks.catalog import check_type
from generator.families.declarative.checks.check import Asked, Passes
from generator.families.declarative.reply import Reply, trimmed
from generator.records.bundle import ToolCall


def compiled(check: dict[str, Any]) -> Passes:
    """The verdict of a check as its file has it; raises CheckFault."""
    return check_type(check["type"]).ready(msgspec.convert(check, Asked))


def ready(type_id: str, **fields: Any) -> Passes:  # noqa: ANN401  any JSON value
    """The verdict of a check of a type with these fields; raises CheckFault."""
    return compiled({"type": type_id, **fields})


def reply(content: str | None = None, *calls: ToolCall) -> Reply:
    """What was said, trimmed as that of an attempt is, and what was called."""
    return Reply(trimmed(content), calls)
