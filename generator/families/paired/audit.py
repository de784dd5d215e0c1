"""Everything that is wrong with an experiment at once, and what makes its oracles doubtful."""

import re
from collections.abc import Iterable, Iterator, Mapping
from keyword import iskeyword

from generator.families.family import CorpusFault
from generator.families.paired.corpus import MANIFEST, Placed, read_all
from generator.records.benchmark import Benchmark
from generator.records.experiment import Task

_A_TEXT = 20
"""The fewest characters of an argument that is taken for the text of an oracle, not for a name."""

_OF_JAVASCRIPT = frozenset(
    {
        *("case", "catch", "const", "debugger", "default", "delete", "do", "enum", "export"),
        *("extends", "false", "function", "instanceof", "let", "new", "null", "static", "super"),
        *("switch", "this", "throw", "true", "typeof", "var", "void"),
    }
)
"""Words of the language that Python has not."""

_Told = tuple[str, str]
"""What is wrong, and what to do."""


def audit(files: Mapping[str, bytes], benchmark: Benchmark) -> tuple[CorpusFault, ...]:
    """All faults, in the order of the files; tasks that can't be read are not looked at further."""
    reading = read_all(files, benchmark)
    arms = () if reading.manifest is None else [arm.name for arm in reading.manifest.arms]
    found = [*reading.faults]
    for placed in reading.placed.values():
        told = (*_doubtful_oracle(placed.task, arms), *_given_away(placed.task))
        found += (_fault(placed, *each) for each in told)
    found += _repeated(reading.placed.values())
    return tuple(sorted(found, key=lambda fault: fault.file))


def _fault(placed: Placed, what: str, remedy: str) -> CorpusFault:
    """A fault of a task, which is named where its file holds several."""
    named = f"the task {placed.task.id!r}: {what}" if placed.file == MANIFEST else what
    return CorpusFault(placed.file, named, remedy)


def _doubtful_oracle(task: Task, arms: Iterable[str]) -> Iterator[_Told]:
    """An oracle must not know which arm it judges; a word of its language tells it nothing."""
    said = " ".join(task.judge[1:])
    for arm in arms:
        if iskeyword(arm) or arm in _OF_JAVASCRIPT:
            continue
        if re.search(rf"(?<![\w-]){re.escape(arm)}(?![\w-])", said):
            yield (
                f"its oracle mentions the arm {arm!r}, and must not know which arm it judges",
                "Let it look at the workspace alone; or name the arm as nothing else is called.",
            )


def _given_away(task: Task) -> Iterator[_Told]:
    """Where whoever does the task can read how it will be judged."""
    for text in map(str.strip, task.judge):
        if len(text) < _A_TEXT:
            continue
        if text in task.prompt:
            yield "its prompt contains the text of its oracle", "Ask for it in other words."
        for file in task.files:
            if text in file.content:
                yield (
                    f"its workspace contains the text of its oracle, in {file.path!r}",
                    "Take it out: an oracle lies where nobody works.",
                )


def _repeated(placed: Iterable[Placed]) -> Iterator[CorpusFault]:
    """Tasks that are the same but for what is asked, which would count twice."""
    seen: dict[object, str] = {}
    for one in placed:
        files = frozenset((file.path, file.content) for file in one.task.files)
        first = seen.setdefault((files, one.task.judge), one.task.id)
        if first != one.task.id:
            what = f"it has the files and the oracle of the task {first!r}"
            yield _fault(one, what, "Leave one of them out, or let them ask for different things.")
