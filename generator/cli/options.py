"""Options that several commands share."""

import json
from typing import Annotated, Any

import typer

from generator.errors import UsageError

Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        min=1,
        help="Processes that score; left out, as many as processors for a large run.",
    ),
]
"""How many processes score; the figures and the bytes are the same for any number."""


def values(said: list[str]) -> dict[str, Any]:
    """From `NAME=JSON` to values; what is no JSON is a text. Raises UsageError."""
    found: dict[str, Any] = {}
    for one in said:
        name, equals, value = one.partition("=")
        if not name or not equals:
            raise UsageError(f"{one!r} is no option.", "Say NAME=VALUE, as in temperature=0.")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found
