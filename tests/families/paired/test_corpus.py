"""Reading an experiment: folders and manifest come to one, and each fault has its words."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from generator.families.family import CorpusFault
from generator.families.paired.corpus import read_all, read_corpus
from generator.records.benchmark import Benchmark
from generator.records.experiment import Experiment
from generator.runners.command import resolved
from tests.families.paired.sample import (
    BENCHMARK,
    CASES,
    CORPUS,
    FILES,
    MANIFEST,
    ORACLE,
    TOML,
    corpus,
    files,
    manifest,
    one_task,
)

WHOLE = {
    **MANIFEST,
    "arms": [{"name": "broom", "command": ["python", "-m", "broom", "."]}, MANIFEST["arms"][1]],
    "tasks": [
        {
            "id": "attic",
            "prompt": "Clear the attic.",
            "files": [],
            "oracleCommand": ["is-clear", "attic"],
        },
        *MANIFEST["tasks"],
        {
            "id": "kitchen",
            "prompt": "Wipe the table.",
            "files": [
                {"path": "deep/down/in.txt", "content": "\ufeffcrème\r\n"},
                {"path": "table.txt", "content": "crumbs\n"},
            ],
            "oracleCommand": ["python", "-I", "-B", "-c", ORACLE],
        },
        {
            "id": "stairs",
            "prompt": "Sweep the stairs.",
            "files": [{"path": "steps.txt", "content": "dust\n"}],
            "oracle": "process.exit(1)\n",
        },
    ],
}
"""The same experiment as one manifest."""


def told(
    changed: dict[str, bytes | None] | None = None,
    benchmark: Benchmark = BENCHMARK,
    **fields: object,
) -> list[tuple[str, str]]:
    """File and fault of all that is wrong; each has a remedy, and one of them is raised."""
    found = read_all(files(changed, **fields), benchmark)
    assert found.corpus is None
    assert all(fault.remedy.endswith(".") and len(fault.remedy) > 10 for fault in found.faults)
    with pytest.raises(CorpusFault) as raised:
        read_corpus(files(changed, **fields), benchmark)
    assert raised.value.file == found.faults[0].file
    return [(fault.file, fault.what) for fault in found.faults]


def test_folders_and_manifest_come_to_one_experiment() -> None:
    """Where a task stands makes no difference: neither to what is run nor to the cohort."""
    expected = Experiment.parse(json.dumps(WHOLE).encode())
    assert CORPUS.experiment == expected
    assert CORPUS.experiment.cohort == expected.cohort
    assert read_all(files(), BENCHMARK).faults == []


def test_tasks_stand_in_the_order_of_their_ids() -> None:
    """As cases, and in the experiment that is run."""
    assert tuple(CORPUS.cases) == CASES
    assert tuple(task.id for task in CORPUS.experiment.tasks) == CASES


def test_one_source_of_tasks_is_enough() -> None:
    """All in the manifest, or all in folders."""
    assert tuple(one_task().cases) == ("hall",)
    assert tuple(corpus(tasks=None).cases) == ("attic", "kitchen", "stairs")


def test_an_arm_without_a_command_has_that_of_its_system() -> None:
    """Rather than the experiment's; an arm that is no system has the latter."""
    own = corpus(command=["general"], arms=[{"name": "broom"}, {"name": "sponge"}]).experiment
    assert [own.command_of(arm) for arm in own.arms] == [
        ("python", "-m", "broom", "."),
        ("general",),
    ]
    same = {"name": "broom", "command": ["python", "-m", "broom", "."]}
    assert corpus(arms=[same, MANIFEST["arms"][1]]).experiment == CORPUS.experiment


def oracle(command: tuple[str, ...], workspace: Path, elsewhere: Path) -> int:
    """The exit status of an oracle that is asked of a workspace."""
    asked = [*resolved(command), str(workspace)]
    return subprocess.run(asked, cwd=elsewhere, check=False, env={}).returncode


def test_an_oracle_in_python_judges(tmp_path: Path) -> None:
    """It is told where the workspace is, says no before the task is done, and yes afterwards."""
    command = CORPUS.by_id["kitchen"].judge
    assert resolved(command).__next__() == sys.executable
    place = tmp_path / "work"
    place.mkdir()
    (place / "table.txt").write_text("crumbs\n")
    assert oracle(command, place, tmp_path) == 1
    (place / "table.txt").write_text("\n")
    assert oracle(command, place, tmp_path) == 0


def test_an_oracle_in_python_leaves_nothing_behind(tmp_path: Path) -> None:
    """Not even compiled modules of what it imports there; and what lies about changes nothing."""
    source = "import sys; sys.path.insert(0, sys.argv[1]); import clean; sys.exit(clean.LEFT)"
    command = corpus({"kitchen/oracle.py": source.encode()}).by_id["kitchen"].judge
    place, elsewhere = tmp_path / "work", tmp_path / "elsewhere"
    for folder in (place, elsewhere):
        folder.mkdir()
    (place / "clean.py").write_text("LEFT = 1\n")
    (elsewhere / "sys.py").write_text("raise SystemExit(0)\n")
    (elsewhere / "clean.py").write_text("LEFT = 0\n")
    assert oracle(command, place, elsewhere) == 1
    assert sorted(path.name for path in tmp_path.rglob("*")) == [
        *("clean.py", "clean.py", "elsewhere", "sys.py", "work"),
    ]


TASK = "kitchen/task.json"


@pytest.mark.parametrize(
    ("changed", "file", "what"),
    [
        ({"experiment.json": None}, "experiment.json", "there is no manifest"),
        ({"experiment.json": b"[]"}, "experiment.json", "it holds no JSON object with the fields"),
        ({"experiment.json": b"{}"}, "experiment.json", "it holds no JSON object with the fields"),
        ({"experiment.json": b'{"model"'}, "experiment.json", "Expecting ':' delimiter"),
        ({"experiment.json": b'{"a": NaN}'}, "experiment.json", "NaN is no JSON number"),
        ({"experiment.json": b'{"a": 1, "a": 1}'}, "experiment.json", "the key 'a' stands twice"),
        ({"experiment.json": b"[" * 9_999}, "experiment.json", "recursion"),
        ({"experiment.json": b'{"a": "\\ud800"}'}, "experiment.json", "surrogates not allowed"),
        ({"experiment.json": b"{\n<<<<<<< ours\n"}, "experiment.json", "line 2 is a conflict"),
        ({"experiment.json": b"\xef\xbb\xbf{}"}, "experiment.json", "Unexpected UTF-8 BOM"),
        ({"experiment.json": "{}".encode("utf-16")}, "experiment.json", "can't decode byte 0xff"),
        ({TASK: None}, TASK, "it is missing"),
        ({TASK: b"[]"}, TASK, "at the top: Input should be an object"),
        ({TASK: b'{"prompt": ""}'}, TASK, "at prompt: String should have at least 1 character"),
        ({TASK: b'{"prompt": 1}'}, TASK, "at prompt: Input should be a valid string"),
        ({TASK: b'{"prompt": "p", "prompt": "p"}'}, TASK, "the key 'prompt' stands twice"),
        ({TASK: b'{"prompt": "p", "files": []}'}, TASK, "at files: Extra inputs are not permitted"),
        ({TASK: b'{"prompt": "p", "id": "x"}'}, TASK, "at id: Extra inputs are not permitted"),
        ({TASK: b'{"prompt": "p", "oracle": "x"}'}, TASK, "at oracle: Extra inputs are not"),
        ({TASK: b'{"prompt": "p\\u0000"}'}, TASK, "at prompt: Value error, it has a NUL"),
        ({TASK: "{}".encode("utf-16")}, TASK, "can't decode byte 0xff"),
        (
            {TASK: b'{"prompt": "p", "oracleCommand": ["x"]}'},
            TASK,
            "a task has one oracle; this one has oracle.py and `oracleCommand`",
        ),
        (
            {"kitchen/oracle.js": b"1"},
            TASK,
            "a task has one oracle; this one has oracle.py and oracle.js",
        ),
        ({"kitchen/oracle.py": None}, TASK, "a task has one oracle; this one has none"),
        ({"kitchen/oracle.py": b""}, "kitchen/oracle.py", "at text: String should have at least 1"),
        (
            {"kitchen/oracle.py": b"#" * 100_001},
            "kitchen/oracle.py",
            "at text: Value error, it has more than 100000 bytes",
        ),
        ({"kitchen/oracle.py": b"\xff"}, "kitchen/oracle.py", "it is no text: 'utf-8' codec"),
        ({"kitchen/files/a": b"\xff\xfe"}, "kitchen/files/a", "it is no text: 'utf-8' codec"),
        ({"kitchen/files/.git/config": b""}, "kitchen/files/.git/config", "'.git'"),
        ({"kitchen/files/a/../b": b""}, "kitchen/files/a/../b", "has the part '..'"),
        ({"README.md": b""}, "README.md", "it is no part of a task"),
        ({"kitchen/notes.txt": b""}, "kitchen/notes.txt", "it is no part of a task"),
        ({"kitchen/files": b""}, "kitchen/files", "it is no part of a task"),
        ({"a/kitchen/task.json": b""}, "a/kitchen/task.json", "it is no part of a task"),
        (
            {"hall/task.json": FILES["attic/task.json"]},
            "hall/task.json",
            "a task of experiment.json has the id 'hall' too",
        ),
        ({"a b/task.json": FILES["attic/task.json"]}, "a b", "at id: String should match pattern"),
    ],
)
def test_a_fault_of_a_file_is_told(changed: dict[str, bytes | None], file: str, what: str) -> None:
    """One file spoilt is one fault, with the file and what is wrong there."""
    (found,) = told(changed)
    assert found[0] == file
    assert what in found[1]


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"model": None}, "at model: Field required"),
        ({"model": "no slash"}, "at model: String should match pattern"),
        ({"model": 1}, "at model: Input should be a valid string"),
        ({"oracle": "x"}, "at oracle: Extra inputs are not permitted"),
        ({"repetitions": 51}, "at repetitions: Input should be less than or equal to 50"),
        ({"repetitions": "3"}, "at repetitions: Input should be a valid integer"),
        ({"timeoutMs": 99}, "at timeoutMs: Input should be greater than or equal to 100"),
        ({"timeout_ms": 100}, "at timeout_ms: Extra inputs are not permitted"),
        ({"arms": [{"name": "broom"}]}, "an experiment has exactly two arms, not 1"),
        ({"arms": "both"}, "at arms: Input should be a valid array"),
        ({"arms": [{"name": "broom"}] * 2}, "the arm 'broom' stands twice"),
        ({"arms": [{"name": "broom"}, {"name": ["broom"]}]}, "at arms.1.name: Input should be"),
        ({"arms": [{"name": "broom"}, "mop"]}, "at arms.1: Input should be"),
        ({"arms": [{"name": "broom"}, {"name": "rag"}]}, "the arm 'rag' has no `command`, nor has"),
        (
            {"arms": [{"name": "broom"}, {"name": "A_rag", "command": ["x"]}]},
            "the arm 'A_rag' can't be called so in a row of a benchmark",
        ),
        (
            {"arms": [{"name": "broom", "command": ["x"]}, MANIFEST["arms"][1]]},
            "the arm 'broom' has a `command`, and [[systems]] of benchmark.toml declares another",
        ),
        ({"tasks": []}, "at tasks: Value error, an experiment has 1 to 100 tasks, not 0"),
        ({"tasks": [{"id": "x"}]}, "at tasks.0.prompt: Field required"),
        (
            {"tasks": [{**MANIFEST["tasks"][0], "id": f"t{n}"} for n in range(98)]},
            "at tasks: Value error, an experiment has 1 to 100 tasks, not 101",
        ),
    ],
)
def test_a_fault_of_the_manifest_is_told(fields: dict[str, Any], what: str) -> None:
    """By its place in the file; folders are not blamed for it."""
    (found,) = told(**fields)
    assert found[0] == "experiment.json"
    assert what in found[1]


def test_a_name_of_an_arm_may_be_as_long_as_a_manifest_allows() -> None:
    """What is a name in a row is one here, to the last of 64 letters."""
    long = "a" * 64
    own = corpus(arms=[{"name": "broom"}, {"name": long, "command": ["x"]}]).experiment
    assert own.arms[1].name == long


def test_an_experiment_has_a_task() -> None:
    """Without one there is nothing to compare."""
    nothing: dict[str, bytes | None] = dict.fromkeys(FILES)
    assert told(nothing, tasks=None) == [("experiment.json", "there is no task")]


def test_nothing_changes_a_score() -> None:
    """A table of scoring would stand for something that is not there."""
    scoring = Benchmark.from_toml((TOML + "\n[scoring]\nweight = 2\n").encode())
    ((file, what),) = told(benchmark=scoring)
    assert file == "../benchmark.toml"
    assert what.startswith("[scoring] has weight")
    empty = Benchmark.from_toml((TOML + "\n[scoring]\n").encode())
    assert read_corpus(files(), empty) == CORPUS


def test_all_faults_are_told_at_once() -> None:
    """In the order of the files; a manifest that can't be read hides no fault of a folder."""
    spoilt = {"experiment.json": b"{", TASK: b"{", "stairs/oracle.js": b"", "x.txt": b""}
    assert [file for file, _ in told({**spoilt})] == [
        *("experiment.json", TASK, "stairs/oracle.js", "x.txt")
    ]
    both = {"kitchen/files/a": b"\xff", "kitchen/oracle.py": b"\xff"}
    assert [file for file, _ in told({**both})] == ["kitchen/files/a", "kitchen/oracle.py"]


def test_a_sample_is_what_it_is_spoilt_from() -> None:
    """Changing no field leaves the manifest as it is."""
    assert manifest() == MANIFEST
