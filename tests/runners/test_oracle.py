import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from generator.errors import CorpusError, UsageError
from generator.runners import oracle
from generator.runners.oracle import Verdict, refuse_tasks
from generator.runners.workspace import visible, workspace
from tests.runners.experiments import experiment, python, task

SHOWN = visible(os.environ, [])
HERE = Path(__file__).parent


def refused(*tasks: dict[str, Any]) -> None:
    """Put the untouched workspaces of these tasks to their oracles."""
    whole = experiment(tasks=list(tasks))
    asyncio.run(refuse_tasks(whole, whole.tasks, SHOWN, HERE))


def asked(source: str, seconds: float = 0.1) -> Verdict:
    """What an oracle of this source says of the untouched workspace."""
    (one,) = experiment(tasks=[task(oracleCommand=python(source))]).tasks

    async def asking() -> Verdict:
        async with workspace(one.files, SHOWN, {}) as place:
            return await oracle.ask(one, place, seconds, HERE)

    return asyncio.run(asking())


def test_a_task_that_is_not_done_can_be_judged() -> None:
    """Exit status 1 on the untouched workspace is all that is asked of an oracle."""
    refused(task())


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("pass", "status 0 (done already)"),
        ("import sys; sys.exit(3)", "status 3"),
        ("import os; os.kill(os.getpid(), 6)", "signal 6"),
    ],
)
def test_a_task_whose_oracle_can_not_judge_is_refused_by_name(source: str, named: str) -> None:
    """One that passes before anything was done, or that crashes."""
    with pytest.raises(CorpusError) as fault:
        refused(task("sound"), task("unsound", oracleCommand=python(source)))
    assert named in fault.value.what
    assert "unsound:" in fault.value.what
    assert "; sound" not in fault.value.what


def test_an_oracle_that_hangs_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """After its time, and with all that it started."""
    monkeypatch.setattr(oracle, "SECONDS", 0.3)
    whole = experiment(
        timeoutMs=300, tasks=[task("hangs", oracleCommand=python("import time; time.sleep(60)"))]
    )
    with pytest.raises(CorpusError, match=r"hangs: its oracle did not end within 0 s"):
        asyncio.run(refuse_tasks(whole, whole.tasks, SHOWN, HERE))


def test_all_unsound_tasks_are_named_at_once() -> None:
    """So that nobody mends one and finds the next."""
    with pytest.raises(CorpusError) as fault:
        refused(*(task(name, oracleCommand=python("pass")) for name in ("one", "two")))
    assert "one: " in fault.value.what
    assert "two: " in fault.value.what


def test_an_oracle_whose_program_is_missing_is_refused_by_name() -> None:
    """Before anything is run."""
    with pytest.raises(UsageError) as fault:
        refused(task("odd", oracleCommand=["no-such-program"]))
    assert fault.value.what == (
        "The oracles of odd are run by no-such-program, and no-such-program is not installed."
    )


def test_javascript_without_node_is_refused_by_name() -> None:
    """Where Node is not installed, the tasks that need it are named."""
    whole = experiment(tasks=[task("old", oracle="process.exit(1)", oracleCommand=None)])
    with pytest.raises(UsageError, match="The oracles of old are JavaScript, and node is not inst"):
        asyncio.run(refuse_tasks(whole, whole.tasks, {"PATH": "/nowhere"}, HERE))


def test_an_oracle_starts_from_an_empty_folder_and_sees_no_secret(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not in the workspace, so that no module there can stand in for one of its own."""
    monkeypatch.setenv("SOME_API_KEY", "sk-not-a-real-one")
    source = (
        "import os, sys\n"
        "sees = {'SOME_API_KEY', 'ARM_CONFIG'} & set(os.environ)\n"
        "there = sorted(os.listdir(sys.argv[1]))\n"
        "sys.exit(1 if not sees and os.listdir() == [] and there == ['.git', 'state'] else 5)"
    )
    assert asked(source).status == 1


def test_what_an_oracle_prints_is_not_kept() -> None:
    """However much it is."""
    assert asked("print('x' * 30_000_000); raise SystemExit(1)").status == 1


NODE = """#!/bin/sh
test "$1" = -e && test "$#" = 3 && test "$2" = "the source" || exit 9
test "$(cat "$3/state")" = done
"""
"""Stands in for Node: takes the source of an oracle, and then the workspace."""


def test_javascript_is_given_to_node_with_the_workspace(tmp_path: Path) -> None:
    """As `node -e SOURCE WORKSPACE`, which makes the workspace `process.argv[1]` there."""
    (tmp_path / "node").write_text(NODE, encoding="utf-8")
    (tmp_path / "node").chmod(0o755)
    shown = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    whole = experiment(tasks=[task("old", oracle="the source", oracleCommand=None)])
    asyncio.run(refuse_tasks(whole, whole.tasks, shown, HERE))


def test_an_oracle_of_the_project_is_named_by_its_root(tmp_path: Path) -> None:
    """As a command of an arm is."""
    judge = tmp_path / "judge.sh"
    judge.write_text('#!/bin/sh\ntest "$(cat "$1/state")" = done\n', encoding="utf-8")
    judge.chmod(0o755)
    whole = experiment(tasks=[task(oracleCommand=["{root}/judge.sh"])])
    asyncio.run(refuse_tasks(whole, whole.tasks, SHOWN, tmp_path))
    judge.unlink()
    with pytest.raises(UsageError, match=r"run by \{root\}/judge.sh, and .* is not installed"):
        asyncio.run(refuse_tasks(whole, whole.tasks, SHOWN, tmp_path))


@pytest.mark.parametrize("source", ["print('x", "assert done", "import os; open(unknown)"])
def test_an_oracle_with_a_fault_of_its_own_is_refused(source: str) -> None:
    """A name or a syntax that is wrong is a crash, although it ends with status 1."""
    with pytest.raises(CorpusError, match=r"write: its oracle has a fault of its own: \w+Error"):
        refused(task(oracleCommand=python(source)))


def test_what_may_lack_in_a_workspace_is_no_fault_of_an_oracle() -> None:
    """A module or an attribute that is not there yet is a way to say that a task is not done."""
    for source in ("import sys; sys.exti(1)", "import not_written_yet"):
        refused(task(oracleCommand=python(source)))


def test_an_assertion_that_fails_says_not_done() -> None:
    """And so does whatever the workspace itself has wrong."""
    refused(task(oracleCommand=python("assert 1 == 2")))
    broken = (
        "import runpy, sys; sys.path.insert(0, sys.argv[1]); runpy.run_path(sys.argv[1] + '/it.py')"
    )
    files = [{"path": "it.py", "content": "name_that_is_not_there"}]
    refused(task(files=files, oracleCommand=python(broken)))
