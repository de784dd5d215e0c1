import json
from typing import Any

import pytest

from generator.records.base import fault_in
from generator.records.experiment import ARGUMENT_LIMIT, Experiment
from tests.runners.experiments import DONE, manifest, python, task


def fault(**spoilt: Any) -> str:  # noqa: ANN401  any JSON
    """What is said of a manifest with something spoilt."""
    return fault_of(json.dumps(manifest(**spoilt)))


def fault_of(text: str) -> str:
    """What is said of a manifest that can't be read."""
    with pytest.raises(ValueError) as raised:  # noqa: PT011  the text is what is compared
        Experiment.parse(text)
    return fault_in(text.encode(), raised.value)


def test_a_sound_manifest_is_read() -> None:
    """With the defaults that its operator left out."""
    whole = Experiment.parse(json.dumps(manifest(repetitions=None, timeoutMs=None)))
    assert (whole.repetitions, whole.timeout_ms) == (3, 120_000)
    assert whole.arms[0].features == {}


def test_the_cohort_is_that_of_the_manifest_with_its_defaults() -> None:
    """Said or left out, a default is the same experiment; anything else is another."""
    bare = Experiment.parse(json.dumps(manifest(repetitions=None)))
    said = Experiment.parse(json.dumps(manifest(repetitions=3)))
    other = Experiment.parse(json.dumps(manifest(repetitions=4)))
    assert bare.cohort == said.cohort != other.cohort
    assert len(said.cohort) == 64


ARMS = [{"name": "baseline"}, {"name": "candidate"}]


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        ({"more": 1}, "at more: Extra inputs are not permitted"),
        ({"timeout_ms": 100}, "at timeout_ms: Extra inputs are not permitted"),
        ({"model": None}, "at model: Field required"),
        ({"model": "no-provider"}, "at model: String should match pattern"),
        ({"model": "a/b c"}, "at model: String should match pattern"),
        ({"runtimeRevision": ""}, "at runtimeRevision: String should have at least 1 character"),
        ({"command": []}, "at command: Tuple should have at least 1 item"),
        ({"command": "python x.py"}, "at command: Input should be a valid array"),
        ({"command": ["a\0b"]}, "at command.0: Value error, it has a NUL"),
        ({"command": ["", "x"]}, "at command: Value error, its first part, the program, is empty"),
        ({"command": None}, "the arm 'baseline' has no `command`, nor has the experiment"),
        ({"repetitions": 0}, "at repetitions: Input should be greater than or equal to 1"),
        ({"repetitions": 51}, "at repetitions: Input should be less than or equal to 50"),
        ({"repetitions": "3"}, "at repetitions: Input should be a valid integer"),
        ({"repetitions": True}, "at repetitions: Input should be a valid integer"),
        ({"repetitions": 2.5}, "at repetitions: Input should be a valid integer"),
        ({"timeoutMs": 99}, "at timeoutMs: Input should be greater than or equal to 100"),
        ({"timeoutMs": 600_001}, "at timeoutMs: Input should be less than or equal to 600000"),
        ({"arms": ARMS[:1]}, "an experiment has exactly two arms, not 1"),
        ({"arms": [*ARMS, {"name": "third"}]}, "an experiment has exactly two arms, not 3"),
        ({"arms": [ARMS[0], ARMS[0]]}, "the arm 'baseline' stands twice"),
        ({"arms": [{"name": "a b"}, ARMS[0]]}, "at arms.0.name: String should match pattern"),
        ({"arms": [{"name": "x" * 65}, ARMS[0]]}, "at arms.0.name: String should match pattern"),
        ({"arms": [{"name": "a\n"}, ARMS[0]]}, "at arms.0.name: String should match pattern"),
        ({"arms": [{"name": "a", "extra": 1}, ARMS[0]]}, "at arms.0.extra: Extra inputs"),
        ({"arms": [{"name": "a", "features": []}, ARMS[0]]}, "at arms.0.features: Input should be"),
        ({"arms": [{"name": "a", "toolProfile": 1}, ARMS[0]]}, "at arms.0.toolProfile: Input sho"),
        ({"tasks": []}, "an experiment has 1 to 100 tasks, not 0"),
        (
            {"tasks": [task(f"t{number}") for number in range(101)]},
            "an experiment has 1 to 100 tasks, not 101",
        ),
        ({"tasks": [task(), task()]}, "the task 'write' stands twice"),
        ({"tasks": [task("a/b")]}, "at tasks.0.id: String should match pattern"),
        ({"tasks": [task(prompt="")]}, "at tasks.0.prompt: String should have at least 1 char"),
        (
            {"tasks": [task(prompt="x" * (ARGUMENT_LIMIT + 1))]},
            "at tasks.0.prompt: Value error, it has",
        ),
        ({"tasks": [task(more=1)]}, "at tasks.0.more: Extra inputs are not permitted"),
        ({"tasks": [task(oracle="process.exit(1)")]}, "either an `oracle` or an `oracleCommand`"),
        ({"tasks": [task(oracleCommand=None)]}, "either an `oracle` or an `oracleCommand`"),
        ({"tasks": [task(oracle="", oracleCommand=None)]}, "at tasks.0.oracle: String should have"),
        ({"tasks": [task(oracleCommand=[])]}, "at tasks.0.oracleCommand: Tuple should have at lea"),
        ({"tasks": [task(files=[{"path": "a"}])]}, "at tasks.0.files.0.content: Field required"),
        (
            {"tasks": [task(files=[{"path": "a", "content": "", "mode": 1}])]},
            "at tasks.0.files.0.mode: Extra inputs are not permitted",
        ),
    ],
    ids=lambda value: str(value)[:60],
)
def test_what_is_spoilt_is_named_with_its_place(spoilt: dict[str, Any], said: str) -> None:
    """One thing is spoilt, and the message says what and where."""
    assert said in fault(**spoilt)


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("", None),
        ("/etc/passwd", ""),
        ("a//b", ""),
        ("a/", ""),
        ("./a", "."),
        ("a/./b", "."),
        ("../a", ".."),
        ("a/../../b", ".."),
        (".git/config", ".git"),
        (".GIT/hooks/post-commit", ".GIT"),
        ("a/.git", ".git"),
    ],
)
def test_a_path_stays_inside(path: str, part: str | None) -> None:
    """Relative, with no empty, `.`, `..` or `.git` part, however that is spelled."""
    said = fault(tasks=[task(files=[{"path": path, "content": ""}])])
    wanted = "String should have at least 1" if part is None else f"{path!r} has the part {part!r}"
    assert f"at tasks.0.files.0.path: {'' if part is None else 'Value error, '}{wanted}" in said


@pytest.mark.parametrize("path", ["a\0b", "a\nb", "x" * 256, "é" * 128])
def test_a_path_names_a_file_that_can_be(path: str) -> None:
    """On every file system."""
    said = fault(tasks=[task(files=[{"path": path, "content": ""}])])
    assert "has a part that is no name of a file" in said


@pytest.mark.parametrize(
    ("paths", "said"),
    [(["a", "a"], "the path 'a' stands twice"), (["a/b", "a"], "'a' is a file and a folder")],
)
def test_files_do_not_get_into_each_others_way(paths: list[str], said: str) -> None:
    """Neither twice, nor one in the place of a folder of another."""
    assert said in fault(tasks=[task(files=[{"path": path, "content": ""} for path in paths])])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Expecting value"),
        ("[]", "at the top: Input should be an object"),
        ('{"model": "a/b", "model": "a/c"}', "the key 'model' stands twice in one object"),
        ('{"repetitions": NaN}', "NaN is no JSON number"),
        ('{"repetitions": 1e999}', "1e999 is beyond every float"),
        ('{"arms": ' + "[" * 70 + "]" * 70 + "}", "nested more than 64 deep"),
    ],
)
def test_what_two_readers_could_take_differently_is_refused(text: str, said: str) -> None:
    """Before anything of it is looked at."""
    assert said in fault_of(text)


def test_a_task_has_what_judges_it() -> None:
    """Node runs an oracle in JavaScript, with the workspace as the next argument."""
    node = manifest(tasks=[task(oracle="process.exit(1)", oracleCommand=None)])
    assert Experiment.parse(json.dumps(node)).tasks[0].judge == ("node", "-e", "process.exit(1)")
    assert Experiment.parse(json.dumps(manifest())).tasks[0].judge == tuple(python(DONE))


def test_an_arm_may_have_a_command_of_its_own() -> None:
    """The other then runs the experiment's."""
    arms = [{"name": "a", "command": ["x"]}, {"name": "b"}]
    whole = Experiment.parse(json.dumps(manifest(arms=arms, command=["y"])))
    assert [whole.command_of(arm) for arm in whole.arms] == [("x",), ("y",)]
