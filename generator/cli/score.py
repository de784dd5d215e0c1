"""`results score`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from generator.cli.options import Jobs
from generator.cli.say import Progress, as_json, note, out
from generator.errors import UsageError

if TYPE_CHECKING:
    from generator.families.family import Scores


def command(
    context: typer.Context,
    run: Annotated[
        str | None,
        typer.Argument(help="The folder that a harness wrote, or the id of a published row."),
    ] = None,
    *,
    cases: Annotated[bool, typer.Option("--cases", help="Show each case's terms too.")] = False,
    jobs: Jobs = None,
    json: Annotated[bool, typer.Option("--json", help="Say it for a program.")] = False,
    truth: Annotated[
        Path | None, typer.Option(help="Instead of a run: the JSON file with a ground truth.")
    ] = None,
    evals: Annotated[
        Path | None,
        typer.Option(help="With --truth: the JSON file with an experiment and its evaluations."),
    ] = None,
    into: Annotated[
        Path | None,
        typer.Option(
            "--out", help="With --truth: the file to write the report to, and not to the output."
        ),
    ] = None,
    max_comparisons: Annotated[
        int | None,
        typer.Option(min=0, help="With --truth: how many comparisons the report has at the most."),
    ] = None,
    max_scanned_pairs: Annotated[
        int | None,
        typer.Option(min=0, help="With --truth: how many pairs of runs are looked at for them."),
    ] = None,
    include_multidimensional: Annotated[
        bool,
        typer.Option(
            "--include-multidimensional",
            help="With --truth: compare also where several variables were changed.",
        ),
    ] = False,
) -> None:
    """Score a run, or a published row again, without judging it; or report on an experiment.

    A run is scored with the answer key at HEAD, a row from its stored evidence with the key at the
    commit that the row names. Every ratio stands with both of its terms. Nothing is written.

    With --truth and --evals, an experiment that was classified point by point becomes a report, as
    JSON: figures with their terms, repeated runs, comparisons with what was changed, the matrix of
    models and prompts. It is written to --out, or else to the output. No project is needed.
    """
    limits = {
        "max_comparisons": max_comparisons,
        "max_scanned_pairs": max_scanned_pairs,
        "include_multidimensional": include_multidimensional or None,
    }
    said = {key: value for key, value in limits.items() if value is not None}
    if _asks_for_report(run, [truth, evals, into, *said], of_runs=cases or jobs is not None):
        _report(truth, evals, into, said)
    elif run is not None:
        _score(context.obj, run, cases=cases, jobs=jobs, json=json)


def _asks_for_report(run: str | None, told: list[Any], *, of_runs: bool) -> bool:
    """Which of the two forms is meant; raises UsageError for a mixture, and for neither."""
    reports = any(one is not None for one in told)
    if run is not None and reports:
        raise UsageError(
            "A run is named, and so are options of a report on an experiment.",
            "Name either a run, or --truth and --evals with what goes with them.",
        )
    if reports and of_runs:
        raise UsageError(
            "--cases and --jobs go with a run, and not with --truth and --evals.",
            "Leave them out; the report has every point of every run.",
        )
    if run is None and not reports:
        raise UsageError(
            "There is nothing to score.", "Name a run or a row, or --truth FILE and --evals FILE."
        )
    return reports


def _report(
    truth: Path | None, evals: Path | None, into: Path | None, limits: dict[str, Any]
) -> None:
    from generator.workflow.evaluating import evaluate, notes, write_report  # noqa: PLC0415

    if truth is None or evals is None:
        raise UsageError(
            "A report on an experiment takes a ground truth and evaluations.",
            "Name both: --truth FILE --evals FILE.",
        )
    report = evaluate(truth, evals, limits)
    if into is None:
        as_json(report)
    else:
        write_report(report, into, (truth, evals))
        out(f"written: {into}")
    for said in notes(report):
        note(f"note: {said}")


def _score(start: Path, run: str, *, cases: bool, jobs: int | None, json: bool) -> None:
    from generator.store.project import find_project  # noqa: PLC0415
    from generator.workflow.score import score, score_row  # noqa: PLC0415

    progress = Progress()
    project = find_project(start)
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
