"""`results rules`."""

from typing import Annotated

import typer

from generator.cli.say import as_json, out
from generator.errors import UsageError


def command(
    rule: Annotated[str | None, typer.Argument(help="One rule, by its id.")] = None,
    *,
    json: Annotated[bool, typer.Option("--json", help="Say it for a program.")] = False,
) -> None:
    """Explain the rules of the gate: what each refuses, why, and what to do about it."""
    from generator.provenance.rules import RULES  # noqa: PLC0415

    chosen = [known for known in RULES if rule in (None, known.id)]
    if not chosen:
        raise UsageError(
            f"There is no rule {rule!r}.",
            f"Known rules: {', '.join(known.id for known in RULES)}.",
        )
    if json:
        as_json(
            {
                known.id: {
                    "says": known.says,
                    "why": known.why,
                    "remedy": known.remedy,
                    "waived_in_rehearsal": known.waived_in_rehearsal,
                }
                for known in chosen
            }
        )
        return
    for known in chosen:
        waived = "waived in a rehearsal" if known.waived_in_rehearsal else "never waived"
        out(f"{known.id} ({waived})\n    {known.why}\n    What to do: {known.remedy}")
