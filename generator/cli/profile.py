"""`results profile`."""

from pathlib import Path
from typing import Annotated

import typer

from generator.cli.say import as_json, counted, out


def command(
    context: typer.Context,
    benchmark: Annotated[
        str | None, typer.Argument(help="The id of a benchmark that declares tiers.")
    ] = None,
    *,
    file: Annotated[
        Path | None,
        typer.Option("--out", help="Where to write; models_profile.json by default."),
    ] = None,
    judge: Annotated[
        Path | None,
        typer.Option("--judge", help="Say what the profiles of a file are worth now."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Say it for a program.")] = False,
) -> None:
    """Write what each model can be trusted with, for programs that gate tools by tier.

    A profile is taken from a published row, at one level of effort, on the corpus at hand. With
    --judge, those of a file are held against the benchmark at hand: a profile is valid only where
    both its version and its corpus agree, and its tier is derived again.

    Exit code 0: done, or every profile is valid. 1: one of them is not.
    """
    from generator.store.project import find_project  # noqa: PLC0415
    from generator.workflow.profile import judge_profiles, write_profiles  # noqa: PLC0415

    project = find_project(context.obj)
    if (benchmark is None) == (judge is None):
        message = "name a benchmark to write its profiles, or a file with --judge"
        raise typer.BadParameter(message)
    if benchmark is not None:
        written = write_profiles(project, benchmark, file)
        count = counted(len(written.profiles.profiles), "profile")
        if json:
            as_json({"file": str(written.path), "profiles": len(written.profiles.profiles)})
        else:
            out(f"{written.path}: {count}")
        return
    found = judge_profiles(project, judge or Path())
    if json:
        from dataclasses import asdict  # noqa: PLC0415

        as_json({"profiles": [asdict(one) for one in found]})
    else:
        for one in found:
            out(f"{one.system}: {one.tier or f'not valid: {one.why_not}'}")
    raise typer.Exit(1 if any(one.why_not for one in found) else 0)
