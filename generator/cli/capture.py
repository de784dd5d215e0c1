"""`results run MANIFEST`: a paired experiment that is no benchmark's."""

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import typer

from generator.cli.say import Progress, counted, note
from generator.errors import StorageError, UsageError

_FITTING = ("benchmark", "env", "jobs", "folder")
"""Parameters of `results run` that mean something for a manifest."""


def is_manifest(named: str) -> bool:
    """Whether a file is named, and not a benchmark, whose id has neither slash nor dot."""
    return "/" in named or named.endswith(".json")


def capture(
    context: typer.Context,
    path: Path,
    shown: Sequence[str],
    jobs: int | None,
    out: Path | None,
) -> int:
    """Run it, one record a line as attempts end; the exit code."""
    from generator.workflow.paired import JOBS, file_of_records  # noqa: PLC0415
    from generator.workflow.paired import capture as captured  # noqa: PLC0415

    _refuse_unfitting(context)
    progress = Progress()
    with _standard_output() if out is None else file_of_records(out) as emit:
        try:
            done = captured(
                path,
                shown=shown,
                jobs=jobs or JOBS,
                emit=emit,
                show=lambda how: progress("trying", how.done, how.total),
            )
        finally:
            progress.end()
    how = done.progress
    outcomes = ", ".join(f"{number} {kind}" for kind, number in sorted(how.outcomes.items()))
    note(f"{counted(how.done, 'attempt')} of {how.total}: {outcomes}; cohort {done.cohort[:16]}")
    if done.stopped is not None:
        note("stopped: the cohort stays incomplete, and gives no comparison")
    return 1 if done.stopped else 0


def _refuse_unfitting(context: typer.Context) -> None:
    for name in context.params:
        source = context.get_parameter_source(name)
        if name not in _FITTING and source is not None and source.name == "COMMANDLINE":
            raise UsageError(
                f"The manifest says all that its arms are run with; --{name.replace('_', '-')} "
                "has no meaning there.",
                "Leave it out, or change the manifest.",
            )


@contextlib.contextmanager
def _standard_output() -> Iterator[Callable[[bytes], None]]:
    if sys.stdout is None:
        raise UsageError("Standard output is closed.", "Name a file for the records with --out.")

    def emit(line: bytes) -> None:
        try:
            sys.stdout.buffer.write(line)
            sys.stdout.flush()
        except BrokenPipeError:
            raise
        except OSError as fault:
            raise StorageError(
                f"Standard output can't be written: {fault.strerror or fault}.",
                "Name a file on another disk with --out, and run the experiment again.",
            ) from fault

    yield emit
