"""`results audit`."""

from typing import Annotated

import typer

from generator.cli.say import as_json, counted, out


def command(
    context: typer.Context,
    benchmark: Annotated[str, typer.Argument(help="The id of a benchmark.")],
    *,
    json: Annotated[bool, typer.Option("--json", help="Say it for a program.")] = False,
) -> None:
    """Say everything that is wrong with a benchmark's corpus, at once.

    Files that can't be read, checks that can't be asked, checks that can't both pass, weight that
    no answer gains, and cases that fail their own example; keys that don't fit their catalogue, and
    prompts that give their own answer. Nothing is run and nothing is written.

    Exit code 0: nothing is wrong. 1: something is.
    """
    from generator.store.project import find_project  # noqa: PLC0415
    from generator.workflow.audit import audit  # noqa: PLC0415

    done = audit(find_project(context.obj), benchmark)
    if json:
        from dataclasses import asdict  # noqa: PLC0415

        as_json(asdict(done))
    else:
        for flaw in done.flaws:
            out(f"{flaw.file}: {flaw.what}\n    {flaw.remedy}")
        flaws = counted(len(done.flaws), "flaw") if done.flaws else "nothing is wrong"
        out(f"{done.benchmark}: {counted(done.files, 'file')}, {flaws}")
    raise typer.Exit(1 if done.flaws else 0)
