"""A disk that refuses, or a process that is killed, leaves the old state or the new one.

The N-th operation fails, for N = 1, 2, … until nothing fails any more.
"""

import contextlib
import errno
import itertools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from generator.errors import StorageError
from generator.store import evidence
from generator.store.atomic import TEMP_MARK
from generator.store.registry import scan_registry
from generator.workflow.check import check
from generator.workflow.record import record
from generator.workflow.render import render
from generator.workflow.withdraw import withdraw
from tests.conftest import Kit

KILLED = """\
import os, sys
from pathlib import Path
from generator.store.project import Project
from generator.workflow.record import record

left = int(sys.argv[3])

def dying(own):
    def call(*arguments):
        global left
        left -= 1
        if left == 0:
            os._exit(9)
        return own(*arguments)
    return call

os.fsync, os.replace = dying(os.fsync), dying(os.replace)
record(Project(Path(sys.argv[1])), Path(sys.argv[2]))
"""


class Failing:
    """Lets every fsync and every rename through but the N-th."""

    def __init__(self, patch: pytest.MonkeyPatch, number: int) -> None:
        self.left = number
        self.fsync, self.replace = os.fsync, os.replace
        patch.setattr(os, "fsync", self._fsync)
        patch.setattr(os, "replace", self._replace)

    def _count(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def _fsync(self, handle: int) -> None:
        self._count()
        self.fsync(handle)

    def _replace(self, old: Path, new: Path) -> None:
        self._count()
        self.replace(old, new)


def state(kit: Kit) -> dict[str, bytes]:
    """Everything below `results/registry` and `results/evidence`, temp files too."""
    places = (kit.project.registry, kit.project.evidence)
    files = [path for place in places for path in sorted(place.rglob("*")) if path.is_file()]
    return {path.relative_to(kit.root).as_posix(): path.read_bytes() for path in files}


def assert_sound(kit: Kit, whole: dict[str, bytes]) -> None:
    """Every row that is there is whole, and stands with its evidence."""
    registry, faults = scan_registry(kit.project)
    assert faults == ()
    found = {path: content for path, content in state(kit).items() if TEMP_MARK not in path}
    assert found.items() <= whole.items()
    for row in registry.rows.values():
        assert f"results/evidence/{row.evidence.digest}.jsonl.zst" in found
    kinds = {finding.id for finding in check(kit.project, submission=True).findings}
    assert kinds <= {"orphan-evidence"}


@pytest.mark.parametrize("replace", [False, True], ids=["first", "replacing"])
def test_recording_leaves_a_sound_registry_whatever_fails(
    kit: Kit, monkeypatch: pytest.MonkeyPatch, *, replace: bool
) -> None:
    """Wherever the disk refuses, what lies there is sound, and recording again completes it."""
    monkeypatch.setattr(evidence, "LEVEL", 1)  # which is quick, and changes nothing else
    run = kit.run
    if replace:
        record(kit.project, kit.run)
        run = kit.again()
    before = kit.root / "before"
    shutil.copytree(kit.project.results, before)
    record(kit.project, run, replace=replace)
    whole = state(kit)
    for number in itertools.count(1):
        shutil.rmtree(kit.project.results)
        shutil.copytree(before, kit.project.results)
        with monkeypatch.context() as patch:
            failing = Failing(patch, number)
            with contextlib.suppress(StorageError):
                record(kit.project, run, replace=replace)
        if failing.left > 0:
            break
        assert not any(TEMP_MARK in path for path in state(kit))
        assert_sound(kit, whole)
        record(kit.project, run, replace=replace)
        assert state(kit) == whole
    assert number > 12, "two rows with their evidence, each made durable in three steps"


@pytest.mark.parametrize("number", [1, 3, 5, 8, 12])
def test_a_killed_recorder_leaves_a_sound_registry(kit: Kit, number: int) -> None:
    """Whenever the process is gone, what lies there is sound, and recording again mends it."""
    command = [sys.executable, "-c", KILLED, str(kit.root), str(kit.run), str(number)]
    assert subprocess.run(command, check=False).returncode == 9
    left = state(kit)
    record(kit.project, kit.run)
    whole = state(kit)
    assert not any(TEMP_MARK in path for path in whole), "stale temp files are swept"
    assert {path: text for path, text in left.items() if TEMP_MARK not in path}.items() <= (
        whole.items()
    )
    assert_sound(kit, whole)


def test_withdrawing_is_done_or_not_done(published: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    """A withdrawal that could not be made durable is whole or not there, and can be repeated."""
    row = published.row_files()[0].stem
    for number in (1, 2):
        with monkeypatch.context() as patch:
            Failing(patch, number)
            with pytest.raises(StorageError):
                withdraw(published.project, row, why="A mistake.", by="Nobody")
        assert scan_registry(published.project)[1] == ()
        assert len(published.row_files()) == 2
    withdraw(published.project, row, why="A mistake.", by="Nobody")
    assert len(published.row_files()) == 3


def test_drawing_leaves_whole_pages_whatever_fails(
    kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each page is the drawn one or not there, and drawing again ends in the same state."""
    record(kit.project, kit.run)
    render(kit.project)
    pages = {path: path.read_bytes() for path in kit.project.docs.rglob("*.md")}
    for number in range(1, 8):
        shutil.rmtree(kit.project.docs)
        with monkeypatch.context() as patch:
            Failing(patch, number)
            with pytest.raises(StorageError):
                render(kit.project)
        left = {path: path.read_bytes() for path in kit.project.docs.rglob("*") if path.is_file()}
        assert left.items() <= pages.items()
    render(kit.project)
    assert {path: path.read_bytes() for path in kit.project.docs.rglob("*.md")} == pages


@pytest.mark.parametrize("place", ["results/registry", "results/evidence", "results/.assay-lock"])
def test_what_is_in_the_way_is_told_before_anything_is_scored(kit: Kit, place: str) -> None:
    """A place that can't be written ends in a sentence, and nothing is half-written."""
    path = kit.root / place
    if path.name == ".assay-lock":
        path.mkdir()
    else:
        path.write_text("in the way")
    before = kit.committed()
    with pytest.raises(StorageError, match="can't be written"):
        record(kit.project, kit.run)
    assert kit.committed().items() >= before.items()
    assert kit.row_files() == []
