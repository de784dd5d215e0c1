"""`results gate`."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from generator.cli.say import as_json, note, out

if TYPE_CHECKING:
    from generator.workflow.thresholds import Outcome, Threshold

_CONTRACT = {
    "max_hallucination": "gt_hallucination_rate",
    "max_math_error": "math_error_rate",
    "max_extra_hallucination_penalty": "absolute_extra_hallucination_penalty",
    "min_quality": "addressed_quality",
}
"""The measure of each option that the contract of reports has."""


def command(
    context: typer.Context,
    target: Annotated[
        str,
        typer.Argument(
            help="A report of results score, the folder of a run, or the id of a published row."
        ),
    ],
    *,
    max_hallucination: Annotated[
        str | None, typer.Option(help="The most that gt_hallucination_rate may be.")
    ] = None,
    max_math_error: Annotated[
        str | None, typer.Option(help="The most that math_error_rate may be.")
    ] = None,
    max_extra_hallucination_penalty: Annotated[
        str | None, typer.Option(help="The most that absolute_extra_hallucination_penalty may be.")
    ] = None,
    min_quality: Annotated[
        str | None, typer.Option(help="The least that addressed_quality may be.")
    ] = None,
    least: Annotated[
        list[str] | None,
        typer.Option("--min", help="MEASURE=X: the least that a measure may be. May be repeated."),
    ] = None,
    most: Annotated[
        list[str] | None,
        typer.Option("--max", help="MEASURE=X: the most that a measure may be. May be repeated."),
    ] = None,
    run: Annotated[
        str | None,
        typer.Option(
            help="Of a report, the run; by default its last. Of a folder, the system; by default "
            "every one."
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Say it for a program.")] = False,
) -> None:
    """Hold figures against thresholds, for a pipeline; writes nothing.

    A ratio is compared exactly, as its numerator over its denominator, and one that is equal to its
    threshold passes. All gates are reported. What was not measured fails, and so does a run that is
    invalid or was not run to its end, and a row that was withdrawn.

    Exit code 0: every gate is passed. 1: one is not.
    """
    from generator.workflow.thresholds import gate  # noqa: PLC0415

    own = (max_hallucination, max_math_error, max_extra_hallucination_penalty, min_quality)
    thresholds = _thresholds(dict(zip(_CONTRACT, own, strict=True)), least or [], most or [])
    done = gate(target, thresholds, start=context.obj, which=run)
    if json:
        as_json({"target": target, **_plain(done)})
    else:
        _print(done)
    if not done.passed:
        raise typer.Exit(1)


def _thresholds(own: dict[str, str | None], least: list[str], most: list[str]) -> "list[Threshold]":
    from generator.workflow.thresholds import limited, threshold  # noqa: PLC0415

    return [
        *(
            limited(_CONTRACT[option], "min" if option.startswith("min") else "max", limit)
            for option, limit in own.items()
            if limit is not None
        ),
        *(threshold(said, "min") for said in least),
        *(threshold(said, "max") for said in most),
    ]


def _print(done: "Outcome") -> None:
    for one in done.gated:
        out(f"{one.subject}: {'passed' if one.passed else 'failed'}")
        for fault in one.faults:
            out(f"    failed: {fault}")
        for each in one.gates:
            out(f"    {'passed' if each.passed else 'failed'}: {each.says}")
    for said in done.notes:
        note(f"note: {said}")


def _plain(done: "Outcome") -> dict[str, Any]:
    return {
        "passed": done.passed,
        "notes": list(done.notes),
        "subjects": [
            {
                "subject": one.subject,
                "valid": not one.faults,
                "faults": list(one.faults),
                "passed": one.passed,
                "gates": [
                    {
                        "measure": each.threshold.measure,
                        "bound": each.threshold.bound,
                        "limit": each.threshold.text,
                        "value": None if each.figure.value is None else float(each.figure.value),
                        "terms": each.figure.terms,
                        "passed": each.passed,
                        "says": each.says,
                    }
                    for each in one.gates
                ],
            }
            for one in done.gated
        ],
    }
