"""`results score`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from generator.cli.options import Jobs
from generator.cli.say import Progress, as_json, out

if TYPE_CHECKING:
    from generator.families.family import Scores


def command(
    context: typer.Context,
    run: Annotated[
        str, typer.Argument(help="The folder that a harness wrote, or the id of a published row.")
    ],
    *,
    cases: Annotated[bool, typer.Option("--cases", help="Show each case's terms too.")] = False,
    jobs: Jobs = None,
    json: Annotated[bool, typer.Option("--json", help="Say it for a program.")] = False,
) -> None:
    """Score a run, or a published row again, without judging it; writes nothing.

    A run is scored with the answer key at HEAD, a row from its stored evidence with the key at the
    commit that the row names. Every ratio stands with both of its terms.
    """
    from generator.store.project import find_project  # noqa: PLC0415
    from generator.workflow.score import score, score_row  # noqa: PLC0415

    progress = Progress()
    project = find_project(context.obj)
    is_run = Path(run).is_dir()
    scored = (
        score(project, Path(run), jobs=jobs, tell=progress) if is_run else score_row(project, run)
    )
    progress.end()
    if json:
        as_json({system: _plain(scores) for system, scores in scored.items()})
        return
    for system, scores in scored.items():
        _print(system, scores, cases=cases)


def _print(system: str, scores: "Scores", *, cases: bool) -> None:
    from generator.workflow.record import in_short  # noqa: PLC0415

    out(f"{system}: {scores.counts.scored} of {scores.counts.attempts} attempts scored")
    width = max(len(measure.id) for measure in scores.measures)
    for measure in scores.measures:
        out(f"    {measure.id:<{width}}  {in_short(measure)}")
    if cases:
        for case in scores.contributions:
            out(f"    {case.case}: {in_short(case.measures)}")


def _plain(scores: "Scores") -> dict[str, object]:
    return {
        "counts": scores.counts.plain(),
        "measures": [measure.plain() for measure in scores.measures],
        "cases": [case.plain() for case in scores.contributions],
    }
