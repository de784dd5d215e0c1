"""Asking the oracles of a published paired benchmark about workspaces of a test's own."""

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path

from generator.families.paired.family import Paired
from generator.records.experiment import Experiment, File, Task
from generator.runners import oracle
from generator.runners.workspace import visible, workspace
from generator.store.corpus import benchmark_here
from generator.store.project import Project

ROOT = Path(__file__).parents[2]
SHOWN = visible(os.environ, [])


def experiment(benchmark: str) -> Experiment:
    """The experiment of a benchmark as it lies here."""
    here, family = benchmark_here(Project(ROOT), benchmark), Paired()
    return family.experiment(family.corpus(here.cases, here.benchmark))


def judged(task: Task, files: Mapping[str, str]) -> int | None:
    """What the oracle of a task says of a workspace."""

    async def asked() -> int | None:
        laid = [File(path=path, content=content) for path, content in files.items()]
        async with workspace(laid, SHOWN, {}) as place:
            return (await oracle.ask(task, place, 10, ROOT)).status

    return asyncio.run(asked())


def untouched(task: Task) -> dict[str, str]:
    """The workspace of a task at the start."""
    return {file.path: file.content for file in task.files}
