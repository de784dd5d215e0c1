"""`results record`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from generator.cli.options import Jobs
from generator.cli.say import Progress, as_json, counted, out

if TYPE_CHECKING:
    from generator.workflow.record import Recording, Reproduction, Verdict


def command(
    context: typer.Context,
    run: Annotated[Path, typer.Argument(help="The folder that the harness wrote.")],
    *,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Rehearse: write below dist/rehearsal, publish nothing."),
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Let new rows take the place of those that stand.")
    ] = False,
    older: Annotated[
        bool, typer.Option("--older", help="With --replace: let an older run replace a newer row.")
    ] = False,
    submission: Annotated[
        bool,
        typer.Option("--submission", help="Write rows and evidence only, as a pull request does."),
    ] = False,
    jobs: Jobs = None,
    json: Annotated[bool, typer.Option("--json", help="Say it for a program.")] = False,
) -> None:
    """Judge a run, and publish the rows that no rule refuses.

    The recorded observations are scored with the answer key at HEAD. Every rule is asked about
    every row, and all refusals are reported. Accepted rows and their evidence are written below
    results/, and the pages are drawn again. Nothing of a refused row is written.

    A rehearsal waives only the rules that say so (see results rules). With --replace it says for
    each row that stands whether its figures were reproduced.

    Exit code 0: everything offered was published. 1: something was refused.
    """
    from generator.store.project import find_project  # noqa: PLC0415
    from generator.workflow.record import record  # noqa: PLC0415
    from generator.workflow.render import render_recorded  # noqa: PLC0415

    progress = Progress()
    project = find_project(context.obj)
    done = record(
        project, run, replace=replace, older=older, rehearsal=dry_run, jobs=jobs, tell=progress
    )
    pages = 0 if submission else render_recorded(project, done)
    progress.end()
    if json:
        as_json(_plain(done))
    else:
        _print(done, project.root, pages)
    raise typer.Exit(1 if done.refused else 0)


def _print(done: "Recording", root: Path, pages: int) -> None:
    for verdict in done.verdicts:
        if verdict.row is not None and verdict.path is not None:
            verb = "would be published as" if done.rehearsal else "published as"
            out(f"{verdict.system}: {verb} {verdict.path.relative_to(root)}")
            if verdict.reproduction is not None:
                out(f"    {_said(verdict.reproduction)}")
    if done.comparison is not None:
        out(f"compared: {done.comparison.id}")
    for block in _blocks(done.verdicts):
        out(block)
    where = "below dist/rehearsal" if done.rehearsal else "redrawn"
    if done.published and pages:
        out(f"{counted(pages, 'page')} {where}")
    word = "publishable" if done.rehearsal else "published"
    total = counted(len(done.verdicts), "candidate")
    if not done.published:
        word = "nothing would be published" if done.rehearsal else "nothing was published"
        out(f"{word}: {total}, {done.refused} refused, in {done.run}")
    else:
        out(f"{total}: {done.published} {word}, {done.refused} refused")


def _said(found: "Reproduction") -> str:
    elsewhere = f" (it differs in {', '.join(found.elsewhere)})" if found.elsewhere else ""
    if found.reproduced:
        aside = ", times aside" if found.timed else ""
        return f"reproduced: every figure is that of {found.row}{aside}{elsewhere}"
    shown = [
        f"{difference.what}: published {difference.published}, now {difference.measured}"
        for difference in found.differences[:_SHOWN]
    ]
    more = len(found.differences) - len(shown)
    rest = [f"and {more} more"] if more > 0 else []
    first = f"not reproduced: {len(found.differences)} differences from {found.row}{elsewhere}:"
    return "\n        ".join([first, *shown, *rest])


_SHOWN = 5


def _blocks(verdicts: "tuple[Verdict, ...]") -> list[str]:
    """One block a refusal; systems that were refused by the same words share it."""
    systems: dict[tuple[str, str, str], list[str]] = {}
    for verdict in verdicts:
        for refusal in verdict.refusals:
            said = (refusal.rule.id, refusal.says.in_english(), refusal.rule.remedy)
            systems.setdefault(said, []).append(verdict.system)
    return [
        f"{rule}: {says}\n    {remedy}\n    refused: {', '.join(refused)}"
        for (rule, says, remedy), refused in systems.items()
    ]


def _plain(done: "Recording") -> dict[str, Any]:
    return {
        "run": str(done.run),
        "rehearsal": done.rehearsal,
        "candidates": len(done.verdicts),
        "published": done.published,
        "refused": done.refused,
        "comparison": done.comparison.id if done.comparison else None,
        "rows": [
            {
                "system": verdict.system,
                "row": verdict.row.id if verdict.row else None,
                "refusals": [
                    {
                        "rule": refusal.rule.id,
                        "says": refusal.says.in_english(),
                        "remedy": refusal.rule.remedy,
                    }
                    for refusal in verdict.refusals
                ],
                "reproduction": _reproduction(verdict.reproduction),
            }
            for verdict in done.verdicts
        ],
    }


def _reproduction(found: "Reproduction | None") -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "row": found.row,
        "elsewhere": list(found.elsewhere),
        "reproduced": found.reproduced,
        "differences": [
            {"what": one.what, "published": one.published, "measured": one.measured}
            for one in found.differences
        ],
    }
