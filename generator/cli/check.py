"""`results check`."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from generator.cli.say import Progress, as_json, counted, note, out

if TYPE_CHECKING:
    from generator.workflow.check import Report


class Format(StrEnum):
    """How findings are said."""

    text = "text"
    json = "json"
    github = "github"


def command(
    context: typer.Context,
    *,
    submission: Annotated[
        bool,
        typer.Option("--submission", help="Leave out the pages, as for a pull request."),
    ] = False,
    format: Annotated[  # noqa: A002  the option's name
        Format, typer.Option(help="For people, for programs, or as annotations of GitHub Actions.")
    ] = Format.text,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Prove offline that corpus, evidence, registry and pages agree.

    Every row is judged again by the rules, scored again from its evidence with the answer key at
    its own commit, and looked for on its page; all pages are drawn again in memory and compared.
    What can't be computed again is held against git: published files never change. Each finding
    names a file and what mends it.

    Exit code 0: everything agrees. 1: findings.
    """
    from generator.store.project import find_project  # noqa: PLC0415
    from generator.workflow.check import check  # noqa: PLC0415

    progress = Progress()
    report = check(find_project(context.obj), submission=submission, tell=progress)
    progress.end()
    if json or format is Format.json:
        from dataclasses import asdict  # noqa: PLC0415

        as_json(asdict(report))
    else:
        _print(report, annotated=format is Format.github)
    raise typer.Exit(1 if report.findings else 0)


def _print(report: "Report", *, annotated: bool) -> None:
    for finding in report.findings:
        said = f"{finding.what}\n{finding.remedy}"
        if annotated:
            where = f"file={_property(finding.file)},title={_property(finding.id)}"
            out(f"::error {where}::{_data(said)}")
        else:
            out(f"{finding.file}: {finding.id}: {finding.what}\n    {finding.remedy}")
    for said in report.notes:
        if annotated:
            out(f"::notice ::{_data(said)}")
        else:
            note(f"note: {said}")
    numbers = {"benchmark": report.benchmarks, "row": report.rows, "page": report.pages}
    looked_at = ", ".join(counted(number, thing) for thing, number in numbers.items())
    agree = counted(len(report.findings), "finding") if report.findings else "all agree"
    nothing_yet = "" if report.rows else " (nothing is published yet)"
    out(f"{looked_at}: {agree}{nothing_yet}")


def _data(text: str) -> str:
    """Text of a workflow command of GitHub Actions, which ends at a line's end."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """A value of a workflow command's property, which also ends at a colon or comma."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
