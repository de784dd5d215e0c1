"""An arm of a paired experiment: its command is let loose on a task, and the oracle judges.

No shell, no prompt in a record, nothing that the command says: what is kept is how it ended, how
long it took, what the oracle said, and what its events tell of tokens and tools.
"""

import asyncio
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generator.errors import UsageError
from generator.families.family import Question
from generator.records import bundle
from generator.records.base import HEX_ON_PAGES
from generator.records.benchmark import DeclaredSystem
from generator.records.bundle import Verification
from generator.records.experiment import PROMPT, Arm, Experiment, Task
from generator.records.key import COHORT
from generator.runners import oracle, process
from generator.runners.command import described
from generator.runners.events import Events
from generator.runners.system import Level, Observed, Terms
from generator.runners.workspace import Workspace, located, workspace


class ArmOf:
    """One of the two arms, as a system that is asked."""

    def __init__(  # noqa: PLR0913, PLR0917  what an arm is run with
        self,
        experiment: Experiment,
        arm: Arm,
        name: str,
        root: Path,
        shown: Mapping[str, str],
        declared: DeclaredSystem | None = None,
    ) -> None:
        """`name` is what it is called in a bundle, `shown` what its command may see."""
        self._name = name
        self._root = root
        self._experiment = experiment
        self._arm = arm
        self._shown = shown
        self._declared = declared
        self._tasks = {task.id: task for task in experiment.tasks}

    def described(self, level: Level | None = None) -> bundle.System:
        """The declared program, or else the model that the command asks; its arm and its cohort.

        Raises UsageError where something is not installed whose version its row is to say.
        """
        del level
        own, whole = self._arm, self._experiment
        provider, _, model = whole.model.partition("/")
        entry = (
            bundle.System(
                id=self._name, provider=provider, model=model, revision=whole.runtime_revision
            )
            if self._declared is None
            else described(self._declared)
        )
        options: dict[str, Any] = {
            **(entry.options or {}),
            "command": list(whole.command_of(own)),
            "timeoutMs": whole.timeout_ms,
            **({"features": own.features} if own.features else {}),
            **({"toolProfile": own.tool_profile} if own.tool_profile else {}),
        }
        return entry.model_copy(
            update={
                "id": self._name,
                "arm": self._name,
                "options": options,
                "axes": {COHORT: whole.cohort[:HEX_ON_PAGES]},
            }
        )

    async def ask(self, question: Question, terms: Terms) -> Observed:
        """Let the command loose on a fresh workspace; raises AssayError for an unsound task.

        An attempt that is given up is cancelled, and is said to be so.
        """
        task = self._tasks[question.case]
        config = {"features": self._arm.features, "toolProfile": self._arm.tool_profile}
        started: float | None = None
        events = Events()
        try:
            async with workspace(task.files, self._shown, config) as place:
                await oracle.expect_not_done(task, place, terms.seconds, self._root)
                started = time.monotonic()
                return await self._tried(task, place, terms.seconds, events)
        except asyncio.CancelledError:
            took = 0.0 if started is None else time.monotonic() - started
            return Observed(
                "cancelled",
                reason="the attempt was given up",
                elapsed_us=_us(took),
                usage=events.usage(ended=False),
            )

    async def close(self) -> None:
        """Nothing: no program outlives its attempt."""

    async def _tried(
        self, task: Task, place: Workspace, seconds: float, events: Events
    ) -> Observed:
        command = tuple(located(self._experiment.command_of(self._arm), self._root))
        given = b"" if PROMPT in command else task.prompt.encode()
        try:
            ended = await process.run(
                tuple(task.prompt if part == PROMPT else part for part in command),
                place.tree,
                place.environment,
                given,
                seconds,
                events.hear,
            )
        except TimeoutError:
            return Observed(
                "timeout",
                reason=f"no end within {seconds:g} s",
                elapsed_us=_us(seconds),  # what was cleared away afterwards took its own time
                usage=events.usage(ended=False),
            )
        except (OSError, ValueError) as fault:
            raise UsageError(
                f"The command of the arm {self._arm.name!r} can't be started: {fault}.",
                "Install it, make it executable, or mend `command` in the manifest.",
            ) from fault
        usage = events.usage(ended=ended.status >= 0)
        if ended.status != 0:
            how = f"signal {-ended.status}" if ended.status < 0 else f"status {ended.status}"
            return Observed(
                "failed", reason=f"it ended with {how}", elapsed_us=_us(ended.seconds), usage=usage
            )
        verdict = await oracle.ask(task, place, seconds, self._root)
        return Observed(
            "completed",
            elapsed_us=_us(ended.seconds + verdict.seconds),
            verification=Verification(verdict.status, _us(verdict.seconds)),
            usage=usage,
        )


def _us(seconds: float) -> int:
    return round(seconds * 1e6)
