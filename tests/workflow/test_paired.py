import json
from pathlib import Path
from typing import Any

import pytest

from generator.errors import CorpusError, UsageError
from generator.records.experiment import MANIFEST_LIMIT
from generator.records.run_record import RunRecord, read_record
from generator.workflow.paired import Captured, capture, manifest_at
from tests.runners.experiments import experiment, manifest, python, task


def laid(tmp_path: Path, **spoilt: Any) -> Path:  # noqa: ANN401  any JSON
    """A manifest on the disk."""
    path = tmp_path / "pairs.json"
    path.write_text(json.dumps(manifest(**spoilt)), encoding="utf-8")
    return path


def captured(path: Path, jobs: int = 1) -> tuple[Captured, list[RunRecord]]:
    """What becomes of it, and its records."""
    lines: list[bytes] = []
    done = capture(path, jobs=jobs, emit=lines.append)
    assert all(line.endswith(b"\n") for line in lines)
    return done, [read_record(line.rstrip()) for line in lines]


def test_a_manifest_is_run_whole(tmp_path: Path) -> None:
    """Every arm tries every task as often as it says; tasks in order, arms in alternating order."""
    path = laid(tmp_path, tasks=[task("b"), task("a")])
    done, records = captured(path)
    assert (done.stopped, done.progress.done) == (None, 8)
    assert [(one.task_id, one.repetition, one.arm) for one in records] == [
        (name, repetition, arm)
        for name in ("b", "a")
        for repetition, arms in ((0, ("baseline", "candidate")), (1, ("candidate", "baseline")))
        for arm in arms
    ]
    assert {one.cohort for one in records} == {experiment(tasks=[task("b"), task("a")]).cohort}
    assert all(one.verified for one in records)


def test_names_of_arms_stay_as_they_are(tmp_path: Path) -> None:
    """Also those that a bundle could not have, and that would be one name there."""
    path = laid(tmp_path, arms=[{"name": "With_It"}, {"name": "with-it"}])
    _, records = captured(path)
    assert {one.arm for one in records} == {"With_It", "with-it"}


def test_records_hold_no_prompt_and_no_output(tmp_path: Path) -> None:
    """Nor anything else that was said."""
    path = laid(
        tmp_path,
        command=python("import sys; print('an answer'); sys.exit('a complaint')"),
        tasks=[task(prompt="a question")],
    )
    lines: list[bytes] = []
    capture(path, emit=lines.append)
    said = b"".join(lines)
    assert b'"outcome":"failed"' in said
    assert not any(text in said for text in (b"question", b"answer", b"complaint"))


def test_attempts_at_the_same_time_are_the_same_attempts(tmp_path: Path) -> None:
    """In another order, if need be."""
    path = laid(tmp_path, repetitions=4)
    _, records = captured(path, jobs=3)
    assert sorted((one.arm, one.repetition) for one in records) == [
        (arm, repetition) for arm in ("baseline", "candidate") for repetition in range(4)
    ]


def test_nothing_is_run_while_an_oracle_can_not_judge(tmp_path: Path) -> None:
    """The task is named, and no record is made."""
    mark = tmp_path / "ran"
    path = laid(
        tmp_path,
        command=python(f"open({str(mark)!r}, 'w')"),
        tasks=[task(), task("odd", oracleCommand=python("pass"))],
    )
    with pytest.raises(CorpusError, match="odd: its oracle ended with status 0"):
        captured(path)
    assert not mark.exists()


def test_a_manifest_that_is_not_there_is_named(tmp_path: Path) -> None:
    """With what to do."""
    with pytest.raises(UsageError, match=r"nothing\.json can't be read: No such file"):
        manifest_at(tmp_path / "nothing.json")


def test_a_spoilt_manifest_is_named_with_the_place(tmp_path: Path) -> None:
    """As the record says it."""
    with pytest.raises(UsageError, match=r"pairs\.json: at repetitions: Input should be less"):
        manifest_at(laid(tmp_path, repetitions=51))


def test_a_manifest_may_be_large_and_not_larger(tmp_path: Path) -> None:
    """Eight million bytes are read; one byte more is refused before anything is looked at."""
    path = laid(tmp_path)
    room = MANIFEST_LIMIT - len(path.read_bytes())
    large = laid(
        tmp_path, tasks=[task(files=[{"path": "state", "content": "x" * (room + len("not yet"))}])]
    )
    assert large.stat().st_size == MANIFEST_LIMIT
    assert len(manifest_at(large).tasks[0].files[0].content) > 7_900_000
    with large.open("ab") as file:
        file.write(b"\n")
    with pytest.raises(UsageError, match=f"has more than {MANIFEST_LIMIT} bytes"):
        manifest_at(large)


def test_bytes_that_are_no_text_are_no_manifest(tmp_path: Path) -> None:
    """A fault, and no trace of one."""
    path = tmp_path / "pairs.json"
    path.write_bytes(b'{"model": "\xff"}')
    with pytest.raises(UsageError, match=r"pairs\.json: "):
        manifest_at(path)


def test_a_program_that_is_missing_is_found_before_anything_is_run(tmp_path: Path) -> None:
    """Of either arm, also of the one that would come second."""
    mark = tmp_path / "ran"
    arms = [
        {"name": "a", "command": python(f"open({str(mark)!r}, 'w')")},
        {"name": "b", "command": ["no-such-program"]},
    ]
    with pytest.raises(UsageError, match="arm 'b' is run by no-such-program, which is not inst"):
        captured(laid(tmp_path, arms=arms))
    assert not mark.exists()


def test_a_byte_order_mark_is_named(tmp_path: Path) -> None:
    """It can't be seen, so it is said."""
    path = laid(tmp_path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    with pytest.raises(UsageError, match=r"pairs\.json begins with a byte order mark"):
        manifest_at(path)


def test_half_a_surrogate_pair_is_no_text(tmp_path: Path) -> None:
    """No file could be written with it."""
    path = laid(tmp_path)
    path.write_text(path.read_text("utf-8").replace("Write it.", "\\ud800"), encoding="utf-8")
    with pytest.raises(UsageError, match="surrogates not allowed"):
        manifest_at(path)


def test_without_git_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not that the folder is missing."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with pytest.raises(UsageError, match="git is not there"):
        captured(laid(tmp_path))
