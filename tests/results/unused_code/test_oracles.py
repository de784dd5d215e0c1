"""The oracles of `unused-code`: no to what is given, yes to what was done by hand."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from generator.records.experiment import Task
from tests.results.oracles import experiment, judged, untouched

SOLUTIONS = json.loads(Path(__file__).with_name("solutions.json").read_text("utf-8"))
"""By task: edits of its files that do it, and edits of the result that spoil it again."""

TASKS = experiment("unused-code").tasks


def edited(files: Mapping[str, str], edits: Iterable[list[str]]) -> dict[str, str]:
    """Files after some edits: the path, what is replaced and by what, and how often at most."""
    after = dict(files)
    for path, old, new, *limit in edits:
        assert old in after[path]
        after[path] = after[path].replace(old, new, *map(int, limit))
    return after


def test_every_task_has_a_solution() -> None:
    """Also those that neither arm does."""
    assert [task.id for task in TASKS] == sorted(SOLUTIONS)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_an_oracle_tells_what_is_done(task: Task) -> None:
    """It says no before anything is done, yes when all is, and no when that is spoilt."""
    solution = SOLUTIONS[task.id]
    done = edited(untouched(task), solution["done"])
    assert (judged(task, untouched(task)), judged(task, done)) == (1, 0)
    spoilt = [edited(done, edits) for edits in solution["spoilt"]]
    assert [judged(task, files) for files in spoilt] == [1] * len(spoilt)
