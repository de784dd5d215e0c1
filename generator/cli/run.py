"""`results run`."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from generator.cli.say import Progress, as_json, counted, note, out, program

if TYPE_CHECKING:
    from generator.runners.sweep import Progress as How
    from generator.runners.system import Spent


class Tools(StrEnum):
    """How tools are offered."""

    native = "native"
    prompted = "prompted"


def command(
    context: typer.Context,
    benchmark: Annotated[str, typer.Argument(help="The id of a benchmark.")],
    *,
    system: Annotated[
        list[str],
        typer.Option(
            help="openai:MODEL, anthropic:MODEL, command:NAME, fake:VARIANT, or all that are "
            "declared; may be said several times."
        ),
    ],
    repeat: Annotated[int, typer.Option(min=1, max=10_000, help="How often each case.")] = 1,
    effort: Annotated[
        list[str] | None, typer.Option(help="A level of effort; all that are declared by default.")
    ] = None,
    prompted_effort: Annotated[
        bool, typer.Option("--prompted-effort", help="Ask for effort by the declared instruction.")
    ] = False,
    cases: Annotated[
        str | None, typer.Option(help="Only cases like this; such a run can't be published.")
    ] = None,
    tools: Annotated[Tools, typer.Option(help="How tools are offered.")] = Tools.native,
    option: Annotated[
        list[str] | None, typer.Option(help="NAME=JSON, sent with every request as it is.")
    ] = None,
    revision: Annotated[
        str | None, typer.Option(help="Which revision is asked, where its replies do not say.")
    ] = None,
    budget: Annotated[
        int, typer.Option(min=1, help="Billed tokens at which the run stops.")
    ] = 2_000_000,
    spend: Annotated[bool, typer.Option("--spend", help="Providers may be paid.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a stopped run.")] = False,
    jobs: Annotated[int, typer.Option(min=1, max=1_000, help="Attempts at the same time.")] = 8,
    folder: Annotated[
        Path | None, typer.Option("--out", help="The folder to write; dist/runs/ID by default.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Say it for a program.")] = False,
) -> None:
    """Put a benchmark to systems, and write down what happened.

    Every case is put to every system, at every declared level of effort. Nothing is repeated or
    corrected on a system's behalf: only a request that the provider itself refused is sent again.
    The run stops at its budget, and on Ctrl-C; --resume goes on where it ended.

    Exit code 0: the run is complete. 1: it was stopped.
    """
    from generator.cli.options import values  # noqa: PLC0415
    from generator.store.project import find_project  # noqa: PLC0415
    from generator.workflow.run import Wanted, run  # noqa: PLC0415

    progress = Progress()

    def show(how: "How", spent: "Spent") -> None:
        progress(_line(how, spent), how.done, how.total)

    done = run(
        find_project(context.obj),
        Wanted(
            benchmark=benchmark,
            systems=system,
            repetitions=repeat,
            levels=effort or (),
            prompted=prompted_effort,
            cases=cases,
            budget=budget,
            spend=spend,
            resume=resume,
            out=folder,
            jobs=jobs,
            tools=tools.value,
            options=values(option or []),
            revision=revision,
        ),
        warn=lambda reason: note(f"this run could never be published: {reason}"),
        show=show,
    )
    progress.end()
    outcomes = dict(sorted(done.progress.outcomes.items()))
    if json:
        said: dict[str, Any] = {
            "out": str(done.out),
            "status": done.manifest.status,
            "stopped": done.stopped,
            "attempts": done.progress.done,
            "left": done.progress.total - done.progress.done,
            "outcomes": outcomes,
            "tokens": done.spent.by_kind,
        }
        as_json(said)
    else:
        out(f"{done.out}: {counted(done.progress.done, 'attempt')}, {_outcomes(outcomes)}")
        if done.spent.tokens:
            out(f"tokens billed: {done.spent.tokens}")
        if done.stopped:
            out(f"stopped ({done.stopped}); go on with --resume")
        else:
            out(f"next: {program()} record {done.out}")
    raise typer.Exit(1 if done.stopped else 0)


def _line(how: "How", spent: "Spent") -> str:
    failures = {kind: n for kind, n in how.outcomes.items() if kind != "completed"}
    tokens = f", {spent.tokens} tokens" if spent.tokens else ""
    return f"asking ({_outcomes(failures)}{tokens})" if failures or tokens else "asking"


def _outcomes(counts: dict[str, int]) -> str:
    return ", ".join(f"{number} {outcome}" for outcome, number in counts.items()) or "none"
