import asyncio
import contextlib
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from generator.errors import CorpusError, UsageError
from generator.families.family import Put, Question
from generator.records.benchmark import DeclaredSystem
from generator.records.bundle import Tokens, Usage
from generator.records.experiment import Experiment
from generator.runners.arms import ArmOf
from generator.runners.system import Observed, Terms
from generator.runners.workspace import visible
from tests.runners.experiments import WRITES, experiment, manifest, python, task
from tests.runners.test_process import gone, number_in, written

HERE = Path(__file__).parent
QUESTION = Question("write", (Put("Write it."),), quoted=False)


def arm(whole: Experiment, number: int = 0, shown: tuple[str, ...] = ()) -> ArmOf:
    """An arm of an experiment, with what it may see of this environment."""
    own = whole.arms[number]
    return ArmOf(whole, own, own.name, HERE, visible(os.environ, shown))


def tried(source: str | None = None, shown: tuple[str, ...] = (), **spoilt: Any) -> Observed:  # noqa: ANN401
    """What became of an attempt, of the sound one where nothing is spoilt."""
    if source is not None:
        spoilt["command"] = python(source)
    whole = experiment(**spoilt)
    return asyncio.run(arm(whole, 0, shown).ask(QUESTION, Terms(whole.seconds)))


def test_a_task_that_was_done_is_verified() -> None:
    """The oracle's status is the observation; the time covers the command and the oracle."""
    seen = tried()
    assert seen.outcome == "completed"
    assert seen.verification is not None
    assert seen.verification.status == 0
    assert seen.elapsed_us is not None
    assert seen.verification.elapsed_us is not None
    assert 0 < seen.verification.elapsed_us < seen.elapsed_us


def test_a_task_that_was_not_done_is_completed_and_not_verified() -> None:
    """Whatever the command says of it."""
    seen = tried("print('{\"verified\": true}'); print('exit 0')")
    assert (seen.outcome, seen.verification and seen.verification.status) == ("completed", 1)


def test_preparation_and_the_first_check_are_not_timed() -> None:
    """An oracle that takes its time before costs the arm nothing."""
    slow = (
        "import pathlib, sys, time\n"
        "done = pathlib.Path(sys.argv[1], 'state').read_text() == 'done'\n"
        "done or time.sleep(1.5)\n"
        "sys.exit(0 if done else 1)"
    )
    seen = tried(tasks=[task(oracleCommand=python(slow))])
    assert seen.elapsed_us is not None
    assert seen.elapsed_us < 1_400_000


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import sys; sys.exit(7)", "it ended with status 7"),
        ("import os; os.kill(os.getpid(), 9)", "it ended with signal 9"),
        ("import os; os.abort()", "it ended with signal 6"),
    ],
)
def test_a_command_that_fails_is_not_verified(source: str, reason: str) -> None:
    """An oracle is only asked about what completed, and the reason quotes nothing it printed."""
    seen = tried(f"print('a secret', flush=True); {WRITES}; {source}")
    assert (seen.outcome, seen.reason, seen.verification) == ("failed", reason, None)
    assert seen.turns == ()


def test_a_command_that_does_not_end_is_ended_with_its_group(tmp_path: Path) -> None:
    """What it started goes with it."""
    number = tmp_path / "number"
    source = (
        "import subprocess, sys, time; "
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']); "
        f"open({str(number)!r}, 'w').write(str(child.pid)); time.sleep(600)"
    )
    before = time.monotonic()
    seen = tried(source, timeoutMs=1_500)
    assert time.monotonic() - before < 10
    assert (seen.outcome, seen.verification) == ("timeout", None)
    assert seen.elapsed_us == 1_500_000
    assert gone(number_in(number))


def test_a_command_that_leaves_something_running_is_done_when_it_ends(tmp_path: Path) -> None:
    """What lingers is ended, and its time is not the command's."""
    number = tmp_path / "number"
    source = (
        "import subprocess, sys; "
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']); "
        f"open({str(number)!r}, 'w').write(str(child.pid)); {WRITES}"
    )
    seen = tried(source)
    assert seen.outcome == "completed"
    assert seen.elapsed_us is not None
    assert seen.elapsed_us < 5_000_000
    assert gone(number_in(number))


def test_what_leaves_the_group_does_not_hold_an_attempt_up(tmp_path: Path) -> None:
    """A child that starts a session of its own loses its pipes; its grace is nobody's time."""
    number = tmp_path / "number"
    source = (
        "import subprocess, sys; child = subprocess.Popen([sys.executable, '-c', "
        "'import time; time.sleep(600)'], start_new_session=True); "
        f"open({str(number)!r}, 'w').write(str(child.pid)); {WRITES}"
    )
    try:
        seen = tried(source)
        assert seen.outcome == "completed"
        assert seen.elapsed_us is not None
        assert seen.elapsed_us < 950_000
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(number_in(number), signal.SIGKILL)


def test_a_gigabyte_of_output_is_read_and_forgotten() -> None:
    """The attempt is what it would be without it, but for what its events tell."""
    source = (
        "import sys\n"
        "piece = b'x' * 1_000_000\n"
        "for _ in range(1_000): sys.stdout.buffer.write(piece)\n"
        f"{WRITES}"
    )
    seen = tried(source, timeoutMs=120_000)
    assert (seen.outcome, seen.verification and seen.verification.status) == ("completed", 0)
    assert seen.usage == Usage("unavailable")


def test_what_is_written_outside_the_workspace_changes_no_verdict(tmp_path: Path) -> None:
    """The oracle is the manifest's own, and the workspace is fresh for each attempt."""
    source = (
        "import pathlib; here = pathlib.Path.cwd(); "
        "(here.parent / 'state').write_text('done'); "
        f"pathlib.Path({str(tmp_path / 'state')!r}).write_text('done')"
    )
    seen = tried(source)
    assert (seen.outcome, seen.verification and seen.verification.status) == ("completed", 1)


def test_each_attempt_has_a_fresh_workspace_under_git() -> None:
    """One commit, nothing changed, nothing of the attempt before."""
    source = (
        "import os, pathlib, subprocess as s\n"
        "say = lambda *args: s.run(['git', *args], capture_output=True, text=True).stdout\n"
        "sound = (say('status', '--porcelain') == '' and say('rev-list', '--count', 'HEAD') == "
        "'1\\n' and sorted(os.listdir()) == ['.git', 'state'])\n"
        "pathlib.Path('more').write_text('x')\n"
        "pathlib.Path('state').write_text('done' if sound else 'no')"
    )
    whole = experiment(command=python(source))
    for _ in range(2):
        seen = asyncio.run(arm(whole).ask(QUESTION, Terms(whole.seconds)))
        assert seen.verification is not None
        assert seen.verification.status == 0


def test_a_command_sees_what_is_named_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search path, a home of its own, and the variables that the operator names."""
    monkeypatch.setenv("SOME_API_KEY", "not-a-real-key")
    monkeypatch.setenv("OTHER", "1")
    monkeypatch.setenv("HOME", "/somewhere")
    source = (
        "import os, pathlib\n"
        "seen = os.environ\n"
        "sound = (seen.get('SOME_API_KEY') == 'not-a-real-key' and 'OTHER' not in seen "
        "and seen['HOME'] != '/somewhere' and os.listdir(seen['HOME']) == [])\n"
        "pathlib.Path('state').write_text('done' if sound else 'no')"
    )
    for shown, status in ((("SOME_API_KEY",), 0), ((), 1)):
        seen = tried(source, shown)
        assert seen.verification is not None
        assert seen.verification.status == status


def test_a_variable_that_is_not_set_can_not_be_shown() -> None:
    """It would be missed in the middle of a run."""
    with pytest.raises(UsageError, match="NOT_THERE is not set"):
        visible({}, ["NOT_THERE"])


@pytest.mark.parametrize("number", [0, 1])
def test_an_arm_reads_its_features_and_tool_profile(number: int) -> None:
    """From the file that ARM_CONFIG names, which is not in the workspace."""
    arms = [
        {"name": "baseline", "toolProfile": "all"},
        {"name": "candidate", "features": {"state": "done"}},
    ]
    source = (
        "import json, os, pathlib; said = json.load(open(os.environ['ARM_CONFIG'])); "
        "pathlib.Path('state').write_text(said['features'].get('state', said['toolProfile'] or ''))"
    )
    whole = experiment(arms=arms, command=python(source))
    seen = asyncio.run(arm(whole, number).ask(QUESTION, Terms(whole.seconds)))
    assert seen.verification is not None
    assert seen.verification.status == (1 - number)


@pytest.mark.parametrize("source", ["sys.stdin.read()", "sys.argv[1]"])
def test_the_prompt_is_the_standard_input_or_an_argument(source: str) -> None:
    """Of which the command asks by naming it."""
    script = (
        f"import pathlib, sys; said = {source}; "
        "pathlib.Path('state').write_text('done' if said == 'Write it. $HOME \"' else said)"
    )
    command = [*python(script), *(["{prompt}"] if "argv" in source else [])]
    seen = tried(command=command, tasks=[task(prompt='Write it. $HOME "')])
    assert seen.verification is not None
    assert seen.verification.status == 0


def test_a_program_of_the_project_is_named_by_its_root(tmp_path: Path) -> None:
    """No folder of this machine stands in a manifest or in a row."""
    (tmp_path / "tool.py").write_text(WRITES, encoding="utf-8")
    whole = experiment(command=["python", "{root}/tool.py"])
    own = ArmOf(whole, whole.arms[0], "baseline", tmp_path, visible(os.environ, []))
    seen = asyncio.run(own.ask(QUESTION, Terms(whole.seconds)))
    assert seen.verification is not None
    assert seen.verification.status == 0
    options = own.described().options
    assert options is not None
    assert options["command"] == ["python", "{root}/tool.py"]


def test_events_are_counted() -> None:
    """As the command tells them on its standard output."""
    event = {"type": "step_finish", "part": {"id": "a", "tokens": {"input": 3, "output": 1}}}
    seen = tried(f"print({json.dumps(event)!r}); {WRITES}")
    assert seen.usage == Usage("observed", Tokens(input=3, output=1), 0, 0)


def test_a_command_that_can_not_be_started_ends_the_run() -> None:
    """Every attempt of the arm would fail through no fault of what is measured."""
    with pytest.raises(UsageError, match="command of the arm 'baseline' can't be started"):
        tried(command=["no-such-program"])


def test_an_oracle_that_changes_its_mind_ends_the_run(tmp_path: Path) -> None:
    """The same files have to be judged alike before every attempt."""
    mark = tmp_path / "mark"
    source = (
        f"import pathlib, sys; mark = pathlib.Path({str(mark)!r}); "
        "sys.exit(0 if mark.exists() else 1)"
    )
    mark.touch()
    with pytest.raises(CorpusError, match="write: on an untouched workspace its oracle ended with"):
        tried(tasks=[task(oracleCommand=python(source))])


def test_an_attempt_that_is_given_up_is_cancelled(tmp_path: Path) -> None:
    """It is written down as what it was, and its command is ended."""
    number = tmp_path / "number"
    source = f"import os, time; open({str(number)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    whole = experiment(command=python(source))

    async def given_up() -> Observed:
        asking = asyncio.ensure_future(arm(whole).ask(QUESTION, Terms(60)))
        await asyncio.to_thread(written, number)
        asking.cancel()
        return await asking

    seen = asyncio.run(given_up())
    assert (seen.outcome, seen.verification) == ("cancelled", None)
    assert seen.usage == Usage("unavailable")
    assert gone(number_in(number))


def test_an_arm_is_described_by_its_model_or_by_its_program() -> None:
    """With the cohort, so that no two manifests make one measurement."""
    whole = experiment(model="llama.cpp/some-model", runtimeRevision="r1")
    entry = arm(whole).described()
    assert (entry.provider, entry.model, entry.revision) == ("llama.cpp", "some-model", "r1")
    assert (entry.id, entry.arm, entry.axes) == (
        "baseline",
        "baseline",
        {"cohort": whole.cohort[:16]},
    )
    assert entry.options == {"command": manifest()["command"], "timeoutMs": 20_000}
    declared = DeclaredSystem(
        id="baseline", command=("python", "-c", WRITES), provider="pypi", revision_of="pydantic"
    )
    own = ArmOf(whole, whole.arms[0], "baseline", HERE, {}, declared).described()
    assert (own.provider, own.model, own.arm) == ("pypi", "baseline", "baseline")
    assert own.runtime is not None
    assert own.runtime.version == ".".join(map(str, sys.version_info[:3]))


def test_what_goes_to_a_session_of_its_own_is_ended_too(tmp_path: Path) -> None:
    """It was started with the attempt's configuration in its environment, by which it is found."""
    number = tmp_path / "number"
    source = (
        "import subprocess, sys; child = subprocess.Popen([sys.executable, '-c', "
        "'import time; time.sleep(600)'], start_new_session=True, stdin=-3, stdout=-3, stderr=-3); "
        f"open({str(number)!r}, 'w').write(str(child.pid)); {WRITES}"
    )
    assert tried(source).outcome == "completed"
    assert gone(number_in(number))


def test_what_no_sum_can_hold_is_partial() -> None:
    """A command can't break a run by what it says it used."""
    event = {"type": "step_finish", "part": {"tokens": {"input": 2**53 - 1}}}
    lines = [json.dumps({**event, "part": {**event["part"], "id": name}}) for name in "ab"]  # type: ignore[dict-item]
    seen = tried(f"print({chr(10).join(lines)!r}); {WRITES}")
    assert seen.usage == Usage("partial")
