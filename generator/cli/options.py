"""Options that several commands share."""

from typing import Annotated

import typer

Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        min=1,
        help="Processes that score; left out, as many as processors for a large run.",
    ),
]
"""How many processes score; the figures and the bytes are the same for any number."""
