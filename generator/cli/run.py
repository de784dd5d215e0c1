"""`results run`."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from generator.cli.say import Progress, as_json, counted, note, out, program

if TYPE_CHECKING:
    from generator.runners.account import Account
    from generator.runners.sweep import Progress as How
    from generator.workflow.run import Ran


class Tools(StrEnum):
    """How tools are offered."""

    native = "native"
    prompted = "prompted"


def command(
    context: typer.Context,
    benchmark: Annotated[
        str, typer.Argument(help="The id of a benchmark, or the file of a paired experiment.")
    ],
    *,
    system: Annotated[
        list[str] | None,
        typer.Option(
            help="openai:MODEL, anthropic:MODEL, command:NAME, fake:VARIANT, or all that are "
            "declared; may be said several times. A paired benchmark declares its own two."
        ),
    ] = None,
    repeat: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=10_000,
            help="How often each case; once by default. A paired benchmark says it itself.",
        ),
    ] = None,
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
    surface: Annotated[
        list[str] | None,
        typer.Option(help="A surface of the benchmark's subject; all that it has by default."),
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="NAME=JSON, sent with every request as it is.")
    ] = None,
    revision: Annotated[
        str | None, typer.Option(help="Which revision is asked, where its replies do not say.")
    ] = None,
    runtime: Annotated[
        Path | None, typer.Option(help="A JSON file that says what runs the model.")
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(
            min=1, max=2**53, help="Billed tokens at which the run stops; 2000000 by default."
        ),
    ] = None,
    spend: Annotated[bool, typer.Option("--spend", help="Providers may be paid.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a stopped run.")] = False,
    env: Annotated[
        list[str] | None,
        typer.Option(help="A variable of this environment that the commands of arms may see."),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1, max=1_000, help="Attempts at the same time; 8 by default, and 1 of two arms."
        ),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option("--out", help="The folder to write; dist/runs/ID by default."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Say it for a program.")] = False,
) -> None:
    """Put a benchmark to systems, and write down what happened.

    Every case is put to every system, at every declared level of effort, and on every surface of
    the benchmark's subject, if it has one. Nothing is repeated or
    corrected on a system's behalf: only a request that the provider itself refused is sent again.
    The run stops at its budget, and on Ctrl-C; --resume goes on where it ended, and without it a
    run begins anew. Two arms are timed beside each other, so they are always begun anew.

    A paired benchmark is run without --system: it declares two arms, which try every task in
    alternating order on fresh workspaces, one attempt at a time. The file of such an experiment
    can be named instead; its records go to standard output, one a line, or to the file in --out.

    Exit code 0: the run is complete. 1: it was stopped.
    """
    from generator.cli.capture import capture, is_manifest  # noqa: PLC0415
    from generator.cli.options import values  # noqa: PLC0415
    from generator.store.project import find_project  # noqa: PLC0415
    from generator.workflow.run import Wanted, run  # noqa: PLC0415

    if is_manifest(benchmark):
        raise typer.Exit(capture(context, Path(benchmark), env or (), jobs, folder))
    progress = Progress()

    def show(how: "How", account: "Account") -> None:
        progress("asking", how.done, how.total, line(how, account))

    try:
        done = run(
            find_project(context.obj),
            Wanted(
                benchmark=benchmark,
                systems=system or (),
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
                surfaces=surface or (),
                runtime=runtime,
                shown=env or (),
            ),
            warn=lambda reason: note(f"this run could never be published: {reason}"),
            show=show,
        )
    finally:
        progress.end()
    if json:
        as_json(_plain(done))
    else:
        _print(done)
    raise typer.Exit(1 if done.stopped else 0)


def line(how: "How", account: "Account") -> str:
    """What there is to say of a run that is under way: failures, tokens, cost, time left."""
    failures = {kind: n for kind, n in how.outcomes.items() if kind != "completed"}
    parts = [f"{number} {kind}" for kind, number in sorted(failures.items())]
    parts += [f"{account.tokens:,} of {account.budget:,} tokens"] if account.tokens else []
    parts += _cost(account)
    if how.left is not None and how.done < how.total:
        parts.append(f"{_time(how.left)} left")
    return f" ({', '.join(parts)})" if parts else ""


def _print(done: "Ran") -> None:
    how, account = done.progress, done.account
    where = _place(done.out)
    outcomes = ", ".join(f"{number} {kind}" for kind, number in sorted(how.outcomes.items()))
    out(f"{where}: {counted(how.done, 'attempt')}{': ' if outcomes else ''}{outcomes}")
    if account.tokens:
        cost = "".join(f", {cost}" for cost in _cost(account))
        out(f"tokens billed: {account.tokens:,}{cost}")
    if done.stopped is None:
        out(f"next: {program()} record {where}")
        return
    left = counted(how.total - how.done, "attempt")
    if done.whole:
        out(f"stopped: somebody ended it; {left} left; the cohort stays incomplete, begin anew")
        return
    budget = f"the budget of {account.budget:,} tokens is reached"
    why = budget if done.stopped == "budget" else "somebody ended it"
    more = "--resume and a larger --budget" if done.stopped == "budget" else "--resume"
    out(f"stopped: {why}; {left} left; go on with {more}")


def _plain(done: "Ran") -> dict[str, Any]:
    how, account = done.progress, done.account
    return {
        "out": _place(done.out),
        "status": done.manifest.status,
        "stopped": done.stopped,
        "attempts": how.done,
        "left": how.total - how.done,
        "outcomes": dict(sorted(how.outcomes.items())),
        "tokens": account.by_kind,
        "cost": {
            currency: f"{cost.normalize():f}" for currency, cost in sorted(account.cost.items())
        },
    }


def _place(folder: Path) -> str:
    """A folder as it is called from here, or else without the name of whose home it is in."""
    whole = folder.resolve()
    for start, named in ((Path.cwd(), ""), (Path.home(), "~/")):
        if whole.is_relative_to(start):
            return f"{named}{whole.relative_to(start)}"
    return str(whole)


def _cost(account: "Account") -> list[str]:
    if not account.cost:
        return []
    sums = " + ".join(f"{cost:.4f} {currency}" for currency, cost in sorted(account.cost.items()))
    return [f"at least {sums}" if account.unpriced else sums]


def _time(seconds: float) -> str:
    """A time in one or two units: 40 s, 3 min, 2 h 5 min."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{round(seconds)} s"
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"  # noqa: PLR2004
