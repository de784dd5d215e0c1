"""`results candidate`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from generator.cli.options import Jobs
from generator.cli.say import Progress, as_json, counted, out

if TYPE_CHECKING:
    from generator.store.project import Project
    from generator.workflow.claims import Outcome, Shown

app = typer.Typer(
    name="candidate",
    help="Claims about published rows, promoted on independent evidence.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Name = Annotated[str, typer.Argument(help="The name of the claim.")]


@app.command("propose")
def propose(
    context: typer.Context,
    *,
    proposal: Annotated[
        Path, typer.Option(help="The JSON file with the claim; it may lie anywhere.")
    ],
) -> None:
    """Propose a claim about a published row.

    The row must stand, its run must have been clean from start to end at a commit that HEAD
    reaches, its figures must come out again from its evidence, and each bound of the claim must
    hold for them. A claim of that name is never overwritten.

    Exit code 0: the claim lies in results/candidates. 1: it was refused.
    """
    from generator.store.project import find_project  # noqa: PLC0415
    from generator.workflow.claims import propose as do  # noqa: PLC0415

    project = find_project(context.obj)
    _end(do(project, proposal), project, "proposed")


@app.command("show")
def show(
    context: typer.Context,
    name: Name,
    *,
    json: Annotated[
        bool,
        typer.Option("--json", help="Say it for a program, the record's own keys among others."),
    ] = False,
) -> None:
    """Show a claim: what it says, what it stands on, how far it has come."""
    from generator.store.project import find_project  # noqa: PLC0415
    from generator.workflow.claims import show as do  # noqa: PLC0415

    found = do(find_project(context.obj), name)
    if json:
        as_json(_plain(found))
    else:
        _print(found)


@app.command("validate")
def validate(
    context: typer.Context,
    name: Name,
    run: Annotated[Path, typer.Argument(help="The folder of an independent run.")],
    *,
    jobs: Jobs = None,
) -> None:
    """Let an independent run bear a claim out.

    It is another run of the same system in the same configuration, at the same commit and on the
    same corpus, published or not. Every rule is asked about it but duplicate-row, and each bound
    of the claim must hold for its figures. Its observations are kept in results/evidence.

    Exit code 0: the claim is validated. 1: it was refused.
    """
    from generator.store.project import find_project  # noqa: PLC0415
    from generator.workflow.claims import validate as do  # noqa: PLC0415

    progress = Progress()
    project = find_project(context.obj)
    done = do(project, name, run, jobs=jobs, tell=progress)
    progress.end()
    _end(done, project, "validated")


@app.command("promote")
def promote(context: typer.Context, name: Name) -> None:
    """Show a validated claim on the page of its benchmark.

    Both of its runs are looked at once more. Nothing is overwritten, and the pages are drawn again.

    Exit code 0: the claim is promoted. 1: it was refused.
    """
    from generator.store.project import find_project  # noqa: PLC0415
    from generator.workflow.claims import promote as do  # noqa: PLC0415

    project = find_project(context.obj)
    _end(do(project, name), project, "promoted", draws=True)


@app.command("retire")
def retire(context: typer.Context, name: Name) -> None:
    """Take a claim back, for good.

    It leaves the page of its benchmark, and its file stays. Only a promotion that nobody has edited
    is removed; an edited one is a conflict and stays.

    Exit code 0: the claim is retired. 1: it was refused.
    """
    from generator.store.project import find_project  # noqa: PLC0415
    from generator.workflow.claims import retire as do  # noqa: PLC0415

    project = find_project(context.obj)
    _end(do(project, name), project, "retired", draws=True)


def _end(done: "Outcome", project: "Project", verb: str, *, draws: bool = False) -> None:
    """Say what was done, or everything that speaks against it, and end with its exit code."""
    if done.refusals:
        for refusal in done.refusals:
            out(f"{refusal.id}: {refusal.what}\n    {refusal.remedy}")
        out(f"not {verb}: {counted(len(done.refusals), 'refusal')} of {done.candidate.id}")
        raise typer.Exit(1)
    redrawn = ""
    if draws:
        from generator.workflow.render import render  # noqa: PLC0415

        redrawn = f"; {counted(len(render(project)), 'page')} redrawn"
    out(f"{verb}: {done.path.relative_to(project.root)}{redrawn}")


def _print(found: "Shown") -> None:
    from generator.workflow.checks.candidates import bound_in_short  # noqa: PLC0415
    from generator.workflow.record import in_short  # noqa: PLC0415

    claim, second = found.candidate, found.candidate.validation
    stands = "" if found.stands else ", which no longer stands"
    out(f"{claim.id}: {claim.state}\n    {claim.claim}")
    out(f"description: {claim.description}\napplies to: {claim.applicability}")
    out(f"row: {found.row.id} of {claim.benchmark}{stands}")
    out(f"revision: {claim.evidence.revision}")
    out(f"run of the row: {claim.evidence.run}, evidence {claim.evidence.digest}")
    out(f"independent run: {f'{second.run}, evidence {second.digest}' if second else 'none yet'}")
    for bound, first, again in found.figures:
        figures = f"{in_short(first)}, {in_short(again)}" if second else in_short(first)
        out(f"    {bound.measure}  {bound_in_short(bound)}: {figures}")


def _plain(found: "Shown") -> dict[str, Any]:
    return {
        **found.candidate.plain(),
        "row_stands": found.stands,
        "figures": [
            {
                "bound": bound.plain(),
                "row": first.plain() if first else None,
                "independent": again.plain() if again else None,
            }
            for bound, first, again in found.figures
        ],
    }
