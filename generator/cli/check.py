"""`results check`."""

from typing import Annotated

import typer

from generator.cli.say import Progress, as_json, counted, note, out


def command(
    context: typer.Context,
    *,
    submission: Annotated[
        bool,
        typer.Option("--submission", help="Leave out the pages, as for a pull request."),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Say it for a program.")] = False,
) -> None:
    """Prove offline that corpus, evidence, registry and pages agree.

    Every row is judged again by the rules, scored again from its evidence with the answer key at
    its own commit, and looked for on its page; all pages are drawn again in memory and compared.
    Each finding names a file and what mends it.

    Exit code 0: everything agrees. 1: findings.
    """
    from dataclasses import asdict  # noqa: PLC0415

    from generator.store.project import find_project  # noqa: PLC0415
    from generator.workflow.check import check  # noqa: PLC0415

    progress = Progress()
    report = check(find_project(context.obj), submission=submission, tell=progress)
    progress.end()
    if json:
        as_json(asdict(report))
    else:
        for finding in report.findings:
            out(f"{finding.file}: {finding.id}: {finding.what}\n    {finding.remedy}")
        for said in report.notes:
            note(f"note: {said}")
        numbers = {"benchmark": report.benchmarks, "row": report.rows, "page": report.pages}
        looked_at = ", ".join(counted(number, thing) for thing, number in numbers.items())
        agree = counted(len(report.findings), "finding") if report.findings else "all agree"
        nothing_yet = "" if report.rows else " (nothing is published yet)"
        out(f"{looked_at}: {agree}{nothing_yet}")
    raise typer.Exit(1 if report.findings else 0)
