"""`results init`."""

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from generator.cli.say import counted, interpreter, out, program

if TYPE_CHECKING:
    from generator.workflow.init import Outcome


def command(
    context: typer.Context,
    folder: Annotated[
        Path | None,
        typer.Argument(
            help="The folder of the site, in a git repository; by default the one that you are in.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Lay out a new site: settings, an example benchmark, pages, CI and a pre-commit hook.

    It asks nothing, and touches nothing that is there already: such files are named, with the lines
    that they lack. A second time it writes what is missing, and nothing where nothing is.
    """
    from generator.workflow.init import init  # noqa: PLC0415

    done = init(folder or context.obj)
    _print(done)
    if done.new:
        _print_next(done)


def _print(done: "Outcome") -> None:
    for place in done.new:
        files = sum(path.is_relative_to(place) for path in done.written)
        out(f"written {_here(place)}" + ("" if place.is_file() else f" ({counted(files, 'file')})"))
    if not done.written:
        out("nothing was missing, and nothing was written")
    elif done.kept:
        out(f"kept as they were: {', '.join(map(_here, done.kept))}")
    for addition in done.additions:
        out("\n    ".join([f"to be added to {_here(addition.path)}:", *addition.lines]))
    for path in done.written:
        if done.requirement is None and path.suffix == ".yml" and ".github" in path.parts:
            out(
                f"to be said in {_here(path)}, under ASSAY: where pip gets Assay from. Here it was "
                "installed from this machine, which CI can't reach."
            )


def _print_next(done: "Outcome") -> None:
    from generator.workflow.init import EXAMPLE  # noqa: PLC0415

    root, here = done.project.root, Path.cwd()
    inside = here.is_relative_to(done.top)
    git = "git" if inside else f"git -C {_quoted(done.top)}"
    added = " ".join(_quoted(path, here if inside else done.top) for path in done.new)
    results = shlex.quote(program())
    if not here.is_relative_to(root):
        results += f" --project {_quoted(root)}"
    commands = [f"{git} add {added} && {git} commit --message 'A site for results'"]
    if done.example:
        run = root / "results" / "benchmarks" / EXAMPLE / "harness" / "run.py"
        commands += [
            f"{shlex.quote(interpreter())} {_quoted(run)}",
            f"{results} record {_quoted(root / 'dist' / 'runs' / EXAMPLE)}",
        ]
    else:
        commands += [f"{results} check"]
    out("\n    ".join(["next:", *commands]))


def _here(path: Path, start: Path | None = None) -> str:
    return os.path.relpath(path, start)


def _quoted(path: Path, start: Path | None = None) -> str:
    return shlex.quote(_here(path, start))
