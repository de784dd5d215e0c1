"""The oracles of `shown-tests`: no to what is given, yes to a right function and to no other."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from generator.records.experiment import Task
from tests.results.oracles import experiment, judged, untouched

SOLUTIONS = json.loads(Path(__file__).with_name("solutions.json").read_text("utf-8"))
"""By task: a file `solution.py` that does it."""

TASKS = experiment("shown-tests").tasks


def test_every_task_has_a_solution() -> None:
    """So that none asks for what can't be done."""
    assert [task.id for task in TASKS] == sorted(SOLUTIONS)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_an_oracle_tells_what_is_done(task: Task) -> None:
    """It says no to the stub, to a file that only ends well, and yes to a right function."""
    given = untouched(task)
    wanted = {
        given["solution.py"]: 1,
        "raise SystemExit(0)": 1,
        "import os; os._exit(0)": 1,
        SOLUTIONS[task.id]: 0,
    }
    said = {text: judged(task, {**given, "solution.py": text}) for text in wanted}
    assert said == wanted


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_the_visible_tests_ask_for_nothing_else(task: Task, tmp_path: Path) -> None:
    """A right function passes them, and knowing their answers by heart does not do the task."""
    given = {**untouched(task), "solution.py": SOLUTIONS[task.id]}
    for path, text in given.items():
        (tmp_path / path).write_text(text, encoding="utf-8")
    subprocess.run([sys.executable, "-B", "test_solution.py"], cwd=tmp_path, check=True)
