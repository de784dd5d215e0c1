"""What the benchmark asks: both arms, and every task with its workspace and its oracle."""

import json
from collections.abc import Iterator
from decimal import Decimal

from generator.families.blocks import Block, Cell, Code, Number, Quote, Table, Transcript
from generator.families.paired.corpus import PairedCorpus
from generator.messages import N_, Message
from generator.records.base import HEX_ON_PAGES
from generator.records.experiment import Arm, Experiment, Task

NOTHING = Message(N_("nothing"))
_TAB = 4


def inventory(corpus: PairedCorpus) -> tuple[Block, ...]:
    """A table of the arms, one of the terms, and each task whole."""
    whole = corpus.experiment
    return (_arms(whole), _terms(whole), *(_task(task) for task in corpus.by_id.values()))


def as_json(value: object) -> str:
    """A value as JSON has it, its keys in order."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _arms(experiment: Experiment) -> Table:
    heads = (N_("Arm"), N_("Stands for"), N_("Command"), N_("Features"), N_("Tool profile"))
    stands_for = (N_("the baseline"), N_("the candidate"))
    return Table(
        Message(N_("The two arms of the experiment")),
        tuple(map(Message, heads)),
        tuple(
            (Code(arm.name), Message(which), *_arm(experiment, arm))
            for arm, which in zip(experiment.arms, stands_for, strict=True)
        ),
    )


def _arm(experiment: Experiment, arm: Arm) -> Iterator[Cell]:
    yield Code(as_json(experiment.command_of(arm)))
    yield Code(as_json(arm.features)) if arm.features else NOTHING
    yield Quote(arm.tool_profile) if arm.tool_profile else NOTHING


def _terms(experiment: Experiment) -> Table:
    rows: tuple[tuple[str, Cell], ...] = (
        (N_("Model that both arms ask"), Code(experiment.model)),
        (N_("What both arms run on"), Quote(experiment.runtime_revision)),
        (N_("Time limit of an attempt, in milliseconds"), _number(experiment.timeout_ms)),
        (N_("Repetitions of each task"), _number(experiment.repetitions)),
        (N_("Tasks"), _number(len(experiment.tasks))),
        (N_("Cohort"), Code(experiment.cohort[:HEX_ON_PAGES])),
    )
    return Table(
        Message(N_("The terms on which both arms are run")),
        (Message(N_("Term")), Message(N_("Value"))),
        tuple((Message(name), value) for name, value in rows),
    )


def _task(task: Task) -> Transcript:
    return Transcript(
        Message(N_("{task}: what is asked, and how it is judged"), {"task": Code(task.id)}),
        tuple(_given(task)),
        tuple(_judged(task)),
    )


def _given(task: Task) -> Iterator[tuple[Message, Cell]]:
    yield Message(N_("Asked")), Quote(task.prompt)
    for file in task.files:
        # What escapes a text knows no tabs, and in a program indentation means something.
        content = file.content.expandtabs(_TAB)
        yield Message(N_("File {path}"), {"path": Code(file.path)}), Quote(content)
    if not task.files:
        yield Message(N_("Files")), NOTHING


def _judged(task: Task) -> Iterator[tuple[Message, Cell]]:
    *command, last = task.judge
    if task.oracle is not None or (len(command) > 1 and "\n" in last):
        yield Message(N_("Judged by")), Code(as_json(command))
        yield Message(N_("Oracle")), Quote(last)
    else:
        yield Message(N_("Judged by")), Code(as_json(task.judge))


def _number(value: int) -> Number:
    return Number(Decimal(value))
