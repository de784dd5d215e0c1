"""The audit: what makes an oracle doubtful is planted, and found by its task and file."""

import json
from typing import Any

import pytest

from generator.families.paired.audit import audit
from tests.families.paired.sample import BENCHMARK, FAMILY, FILES, MANIFEST, ORACLE, files

HALL: dict[str, Any] = MANIFEST["tasks"][0]
LINES = ORACLE.strip()


def found(
    changed: dict[str, bytes | None] | None = None, **fields: object
) -> list[tuple[str, str]]:
    """File and fault of all that is wrong."""
    faults = audit(files(changed, **fields), BENCHMARK)
    assert all(fault.remedy.endswith(".") and len(fault.remedy) > 10 for fault in faults)
    return [(fault.file, fault.what) for fault in faults]


def in_python(source: str) -> dict[str, bytes | None]:
    """The kitchen with another oracle."""
    return {"kitchen/oracle.py": source.encode()}


def test_a_sound_experiment_has_no_flaw() -> None:
    """And the family says the same of it."""
    assert found() == []
    assert FAMILY.audit(files(), BENCHMARK) == ()


def test_all_faults_are_told_and_what_can_be_read_is_looked_at() -> None:
    """A fault in one file hides no doubt about another."""
    spoilt: dict[str, bytes | None] = {**in_python("# not for the mop"), "attic/task.json": b"{"}
    assert [file for file, _ in found(spoilt)] == ["attic/task.json", "kitchen/task.json"]


@pytest.mark.parametrize("source", ["x = 'mop'", "# mop, really", "arm == ('mop')"])
def test_an_oracle_that_mentions_an_arm_is_found(source: str) -> None:
    """It must not know which arm it judges, however it says the name."""
    what = "its oracle mentions the arm 'mop', and must not know which arm it judges"
    assert found(in_python(source)) == [("kitchen/task.json", what)]


@pytest.mark.parametrize("source", ["# mopping up", "the_mop = 1", "x = 'wet-mop'", "mop2 = Mop()"])
def test_a_word_that_contains_a_name_is_another_word(source: str) -> None:
    """Only the name itself is looked for."""
    assert found(in_python(source)) == []


@pytest.mark.parametrize("name", ["with", "new", "python", "node"])
def test_what_every_oracle_says_tells_nothing(name: str) -> None:
    """Words of the language, and the program that reads it."""
    arms = [{"name": "broom"}, {"name": name, "command": ["x"]}]
    source = f"with open(1) as new: pass  # {'' if name in ('python', 'node') else name}"
    assert found(in_python(source), arms=arms) == []


def test_a_task_in_the_manifest_is_named() -> None:
    """Where one file holds several tasks, the file alone does not tell which."""
    tasks = [{**HALL, "oracleCommand": ["judge", "--of=broom"]}]
    what = (
        "the task 'hall': its oracle mentions the arm 'broom', and must not know which arm it "
        "judges"
    )
    assert found(tasks=tasks) == [("experiment.json", what)]


def test_an_oracle_in_the_workspace_is_found() -> None:
    """Whoever works there could read how it will be judged."""
    planted = {"kitchen/files/hint.txt": f"# hint\n{LINES}\n# end\n".encode()}
    what = "its workspace contains the text of its oracle, in 'hint.txt'"
    assert found({**planted}) == [("kitchen/task.json", what)]


def test_an_oracle_in_the_prompt_is_found() -> None:
    """The prompt says what to do, and not how it is looked at."""
    planted = json.dumps({"prompt": f"Pass this: {LINES}"}).encode()
    what = "its prompt contains the text of its oracle"
    assert found({"kitchen/task.json": planted}) == [("kitchen/task.json", what)]


def test_a_name_is_no_text_of_an_oracle() -> None:
    """A short argument, such as the name of a file, may well stand in a workspace."""
    planted = {"attic/files/list.txt": b"is-clear attic\n"}
    assert found({**planted}) == []


def test_tasks_that_are_the_same_are_found() -> None:
    """Same files and same oracle count twice, whatever is asked, and in whatever order."""
    twin = {
        path.replace("kitchen", "pantry"): content
        for path, content in FILES.items()
        if path.startswith("kitchen/")
    }
    asked = {**twin, "pantry/task.json": b'{"prompt": "Wipe it."}'}
    what = "it has the files and the oracle of the task 'kitchen'"
    assert found({**asked}) == [("pantry/task.json", what)]
    assert found({**asked, "pantry/files/more.txt": b""}) == []
    assert found({**asked, "pantry/oracle.py": b"raise SystemExit(1)"}) == []
