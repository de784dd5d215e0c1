"""The oracle of a task: a program that says by its exit status whether the task is done.

It is started from an empty folder and is told where the workspace lies. What it is stands in the
manifest alone: never in the workspace, and never in what a command under test says.
"""

import os
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.errors import CorpusError, UsageError
from generator.records.experiment import NODE, Experiment, Task
from generator.runners import process
from generator.runners.command import STEADY
from generator.runners.workspace import Workspace, located, workspace

SECONDS = 10.0
"""How long an oracle may take at least, however short an attempt may be."""

NOT_DONE = 1
"""The exit status that says that a task is not done."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How an oracle ended."""

    status: int | None
    """None where it did not end in time."""

    seconds: float
    broken: str | None = None
    """What its interpreter said, where it could not even run it; it ends with status 1, too."""

    @property
    def named(self) -> str:
        """What it did, for a person who has to mend it."""
        if self.status is None:
            return f"did not end within {self.seconds:.0f} s"
        if self.status < 0:
            return f"was ended by signal {-self.status}"
        return f"ended with status {self.status}"


async def ask(task: Task, place: Workspace, seconds: float, root: Path) -> Verdict:
    """Put the question whether a task is done; raises UsageError where it can't be put."""
    limit = max(seconds, SECONDS)
    with tempfile.TemporaryDirectory(prefix="assay-", ignore_cleanup_errors=True) as empty:
        environment = {**STEADY, "HOME": empty, "TMPDIR": empty, **_path(place.environment)}
        command = (*located(task.judge, root), str(place.tree))
        try:
            ended = await process.run(command, Path(empty), environment, b"", limit, lambda _: None)
        except TimeoutError:
            return Verdict(None, limit)
        except (OSError, ValueError) as fault:
            raise UsageError(
                f"The oracle of {task.id!r} can't be started: {fault}.",
                f"Install {command[0]}, or name another program in its `oracleCommand`.",
            ) from fault
    said = ended.err.decode(errors="replace")
    return Verdict(ended.status, ended.seconds, _broken(said, place.tree))


async def refuse_tasks(
    experiment: Experiment, tasks: Sequence[Task], shown: Mapping[str, str], root: Path
) -> None:
    """Raise an AssayError that names every task whose oracle can't judge it.

    On the untouched workspace an oracle says that the task is not done; one that says otherwise,
    crashes or hangs would say nothing of what a command did.
    """
    _refuse_missing(tasks, shown, root)
    faults = []
    for task in tasks:
        async with workspace(task.files, shown, {}) as place:
            verdict = await ask(task, place, experiment.seconds, root)
        if verdict.status == NOT_DONE and verdict.broken is not None:
            faults.append(f"{task.id}: its oracle has a fault of its own: {verdict.broken}")
        if verdict.status != NOT_DONE:
            done = " (done already)" if verdict.status == 0 else ""
            faults.append(f"{task.id}: its oracle {verdict.named}{done}")
    if faults:
        raise CorpusError(
            f"On an untouched workspace an oracle has to end with status {NOT_DONE}; "
            f"{'; '.join(faults)}.",
            "Mend the oracle, or the files that the task begins with.",
        )


async def expect_not_done(task: Task, place: Workspace, seconds: float, root: Path) -> None:
    """Raise CorpusError unless the task is still to be done."""
    verdict = await ask(task, place, seconds, root)
    if verdict.status != NOT_DONE:
        raise CorpusError(
            f"{task.id}: on an untouched workspace its oracle {verdict.named}, and not with "
            f"status {NOT_DONE} as before.",
            "An oracle must say the same of the same files, whenever it is asked.",
        )


def refuse_commands(experiment: Experiment, shown: Mapping[str, str], root: Path) -> None:
    """Raise UsageError where the program of an arm is not there, before anything is run."""
    for arm in experiment.arms:
        program = next(located(experiment.command_of(arm), root))
        # What is named relative to the workspace may be one of its files.
        relative = os.sep in program and not Path(program).is_absolute()
        if not relative and shutil.which(program, path=shown.get("PATH", os.defpath)) is None:
            raise UsageError(
                f"The command of the arm {arm.name!r} is run by {program}, which is not installed "
                "or can't be run.",
                "Install it, make it executable, or mend `command`.",
            )


def _refuse_missing(tasks: Sequence[Task], shown: Mapping[str, str], root: Path) -> None:
    needed: dict[str, list[str]] = {}
    for task in tasks:
        program = next(located(task.judge, root))
        if shutil.which(program, path=shown.get("PATH", os.defpath)) is None:
            needed.setdefault(task.judge[0], []).append(task.id)
    for program, names in needed.items():
        kind = "are JavaScript" if program == NODE else f"are run by {program}"
        raise UsageError(
            f"The oracles of {', '.join(names)} {kind}, and {program} is not installed.",
            f"Install {program}, or write these oracles as an `oracleCommand` of another program.",
        )


_OF_PYTHON = re.compile(r"^(?:Name|UnboundLocal|Syntax|Indentation|Tab)Error\b.*", re.MULTILINE)
_OF_NODE = re.compile(r"^(?:Reference|Syntax)Error\b.*", re.MULTILINE)
_FRAME = re.compile(r'^\s+File "([^"]*)", line', re.MULTILINE)


def _broken(said: str, tree: Path) -> str | None:
    """The fault of the oracle's own program; none where it fell over something in the workspace.

    An assertion that fails ends with status 1 as well, and is a way to say that a task is not done.
    """
    frames = _FRAME.findall(said)
    own = not frames or not Path(frames[-1]).is_relative_to(tree)
    pattern = _OF_PYTHON if frames else _OF_NODE
    fault = pattern.search(said) if own else None
    return fault[0][:_SAID] if fault else None


_SAID = 200


def _path(environment: Mapping[str, str]) -> dict[str, str]:
    return {"PATH": environment["PATH"]} if "PATH" in environment else {}
