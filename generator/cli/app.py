"""All commands, and the one place where a fault becomes words and an exit code."""

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from generator import __version__
from generator.cli import (
    audit,
    build,
    candidate,
    check,
    compare,
    init,
    probe,
    profile,
    record,
    render,
    rules,
    say,
    score,
    serve,
    withdraw,
)
from generator.cli import run as run_benchmark
from generator.errors import AssayError

app = typer.Typer(
    name="results",
    help="A press for published evaluation results, with a gate in front of it.",
    epilog="Exit codes: 0 done; 1 findings, such as a refusal; 2 usage; above 2 a fault of its "
    "own kind, listed in the guide.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

for module in (
    *(init, record, check, render, build, serve, score, compare, withdraw, rules),
    *(audit, profile, run_benchmark, probe),
):
    app.command(module.__name__.rsplit(".", 1)[-1])(module.command)

app.add_typer(candidate.app)


_BAD_WORDS: Any = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException"
)
"""What typer raises for a command line that is not valid.

It is click's ClickException, and newer versions of typer carry a click of their own.
"""


_INTERRUPTED = 130
_UNREAD = 141
"""As a shell has it for SIGINT and SIGPIPE; what nobody read may have been a finding, so not 0."""


def _version(asked: bool) -> None:
    if asked:
        say.out(f"results {__version__}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    project: Annotated[
        Path,
        typer.Option(
            help="A folder of the project; by default the one that you are in.",
            show_default=False,
        ),
    ] = Path(),
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    """Keep the options that stand before the command."""
    del version
    context.obj = project


def run(words: list[str]) -> int:
    """Run one command; what is thrown becomes words on standard error and an exit code.

    The command is invoked here and not by `app()`, which has an end of its own for interrupts and
    closed pipes, and says nothing of either.
    """
    try:
        command = typer.main.get_command(app)
        with command.make_context("results", words) as context:
            command.invoke(context)
        sys.stdout.flush()
    except typer.Exit as end:
        return end.exit_code
    except AssayError as fault:
        return say.fault(fault)
    except _BAD_WORDS as fault:
        fault.show(sys.stderr)
        return int(fault.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        say.note("stopped; nothing was half-written")
        return _INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _UNREAD
    return 0
