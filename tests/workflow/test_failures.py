"""A disk that refuses, or a process that is killed, leaves the old state or the new one.

The N-th operation fails, for N = 1, 2, … until nothing fails any more.
"""

import contextlib
import errno
import os
import shutil
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, NoReturn

import pytest

from generator.cli.app import run as command
from generator.errors import StorageError, UsageError
from generator.families.declarative.scorer import DeclarativeScorer
from generator.store.atomic import TEMP_MARK
from generator.store.registry import read_registry, scan_registry
from generator.workflow.check import check
from generator.workflow.record import record
from generator.workflow.render import render
from tests.conftest import Kit, edit_json
from tests.workflow.faults import (
    DEEDS,
    ENDED,
    Disk,
    Forks,
    Job,
    quick,
    refuses_from,
    refuses_kinds,
    refuses_once,
)

FULL, BROKEN, READ_ONLY = errno.ENOSPC, errno.EIO, errno.EROFS


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with quick():
        yield


@pytest.fixture
def forks(kit: Kit) -> Iterator[Forks]:  # noqa: ARG001  it prepares the process
    """Another process that forks for each job."""
    others = Forks()
    yield others
    others.end()


State = dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that writes, what it starts from, and what it ends in."""

    kit: Kit
    name: str
    words: tuple[str, ...]
    before: Path
    old: State
    new: State

    @property
    def disk(self) -> tuple[Path, ...]:
        """Where operations are counted."""
        return (self.kit.project.results, self.kit.project.docs)

    def do(self) -> None:
        """Do it in this process."""
        DEEDS[self.name](self.kit.root, *self.words)

    def begin_anew(self) -> None:
        """Put back what it starts from."""
        for place in places(self.kit):
            shutil.rmtree(place, ignore_errors=True)
            kept = self.before / place.name
            if kept.exists():
                shutil.copytree(kept, place)


def places(kit: Kit) -> tuple[Path, ...]:
    """The folders that are written."""
    return (kit.project.registry, kit.project.evidence, kit.project.docs)


def state(kit: Kit) -> State:
    """Every file in those folders, temp files too."""
    files = [path for place in places(kit) for path in place.rglob("*") if path.is_file()]
    return {path.relative_to(kit.root).as_posix(): path.read_bytes() for path in files}


def without_temp_files(found: State) -> State:
    """The files that are meant to be there."""
    return {path: content for path, content in found.items() if TEMP_MARK not in path}


def temp_files(kit: Kit) -> set[str]:
    """What is half."""
    return {path for path in state(kit) if TEMP_MARK in path}


def left_behind(place: Path) -> None:
    """Put a temp file of a process that was killed long ago in a folder."""
    (place / f"{TEMP_MARK}0123456789abcdef").write_text("half")


def prepare_recording(kit: Kit) -> tuple[str, ...]:
    """A first run."""
    return (str(kit.run),)


def prepare_replacing(kit: Kit) -> tuple[str, ...]:
    """A run in the place of another, where one was killed before."""
    record(kit.project, kit.run)
    left_behind(kit.project.registry / "greetings")
    left_behind(kit.project.evidence)
    return (str(kit.again()),)


def prepare_withdrawing(kit: Kit) -> tuple[str, ...]:
    """Two rows, of which one is taken back."""
    record(kit.project, kit.run)
    return (kit.row_files()[0].stem,)


def prepare_drawing(kit: Kit) -> tuple[str, ...]:
    """Pages of which some are missing, one was edited, one is too many, and one is half."""
    record(kit.project, kit.run)
    render(kit.project)
    docs = kit.project.docs
    shutil.copy(docs / "it" / "rules.md", docs / "it" / "orphan.md")
    shutil.rmtree(docs / "it" / "results")
    kit.write("docs/es/rules.md", "Mine now.\n")
    left_behind(docs / "en")
    return ()


@pytest.fixture(
    params=[prepare_recording, prepare_replacing, prepare_withdrawing, prepare_drawing],
    ids=lambda prepare: prepare.__name__.removeprefix("prepare_"),
)
def deed(kit: Kit, request: pytest.FixtureRequest) -> Deed:
    """A thing to do, tried out once and taken back."""
    words = request.param(kit)
    name = request.param.__name__.removeprefix("prepare_")
    before = kit.root / "dist" / "before"
    before.mkdir()
    for place in filter(Path.exists, places(kit)):
        shutil.copytree(place, before / place.name)
    old = without_temp_files(state(kit))
    DEEDS[name](kit.root, *words)
    return Deed(kit, name, words, before, old, state(kit))


def assert_old_or_new(deed: Deed, known: set[frozenset[str]]) -> None:
    """Every file is as before or as afterwards, and each row that is there has its evidence."""
    found = without_temp_files(state(deed.kit))
    for path in {*found, *deed.old, *deed.new}:
        assert found.get(path) in (deed.old.get(path), deed.new.get(path)), path
    registry, faults = scan_registry(deed.kit.project)
    assert faults == ()
    for row in registry.rows.values():
        assert f"results/evidence/{row.evidence.digest}.jsonl.zst" in found
    names = frozenset(found)
    if names not in known:
        known.add(names)
        kinds = {finding.id for finding in check(deed.kit.project, submission=True).findings}
        assert kinds <= {"orphan-evidence"}


def assert_can_be_repeated(deed: Deed) -> None:
    """Done again, it ends as if nothing had happened; what was done before may be said."""
    with contextlib.suppress(UsageError):
        deed.do()
    assert state(deed.kit) == deed.new


def test_whatever_the_disk_refuses_leaves_the_old_or_the_new(deed: Deed) -> None:
    """Wherever it is full once, that is told, no temp file is left, and a second try succeeds."""
    known: set[frozenset[str]] = set()
    seen: set[str] = set()
    deed.begin_anew()
    temp_files_before = temp_files(deed.kit)
    number = 0
    while True:
        number += 1
        deed.begin_anew()
        disk = Disk(deed.disk, refuses_once(number, FULL))
        told = refused(deed, disk)
        if len(disk.kinds) < number:
            break
        assert told or without_temp_files(state(deed.kit)) == deed.new
        kind = disk.kinds[number - 1]
        seen.add(kind)
        assert_old_or_new(deed, known)
        if kind != "unlink":  # what can't be removed goes the next time
            assert told.endswith(f"can't be written: {os.strerror(FULL)}.")
            assert temp_files(deed.kit) <= temp_files_before
        assert_can_be_repeated(deed)
    assert told == ""
    assert seen >= {"open", "write", "fsync", "close", "replace", "look", "unlink"}
    assert ("mkdir" in seen) == (deed.name in ("recording", "drawing"))


def test_a_disk_that_goes_away_leaves_the_old_or_the_new(deed: Deed) -> None:
    """From some moment on nothing can be written or tidied up; the first fault is told."""
    known: set[frozenset[str]] = set()
    number = 0
    while True:
        number += 1
        deed.begin_anew()
        disk = Disk(deed.disk, refuses_from(number, BROKEN, READ_ONLY))
        told = refused(deed, disk)
        if len(disk.kinds) < number:
            break
        assert told or without_temp_files(state(deed.kit)) == deed.new
        assert_old_or_new(deed, known)
        if disk.kinds[number - 1] != "unlink":
            assert told.endswith(f"can't be written: {os.strerror(BROKEN)}.")
        assert_can_be_repeated(deed)
    assert told == ""


def refused(deed: Deed, disk: Disk) -> str:
    """What a disk is told to have refused; the empty text where the deed was done."""
    with disk.at_work():
        try:
            deed.do()
        except StorageError as fault:
            return fault.what
    return ""


def test_whenever_the_process_ends_leaves_the_old_or_the_new(deed: Deed, forks: Forks) -> None:
    """Killed before any operation, it leaves what is sound; the next one tidies up."""
    known: set[frozenset[str]] = set()
    number = 0
    while True:
        number += 1
        deed.begin_anew()
        status = forks(Job(deed.name, str(deed.kit.root), deed.words, ends_at=number))
        if status != [ENDED]:
            break
        assert_old_or_new(deed, known)
        assert_can_be_repeated(deed)
    assert status == [0]
    assert state(deed.kit) == deed.new
    assert check(deed.kit.project, submission=True).findings == ()
    assert number > 8


# Several at once


def revised(kit: Kit, number: int) -> Path:
    """A run of other revisions, so that its rows take nobody's place."""

    def revise(said: dict[str, Any]) -> None:
        for system in said["systems"]:
            system.update(revision=f"{number}.{system['id']}")

    run = kit.again(f"run-{number}")
    edit_json(run / "run.json", revise)
    return run


def rows_of(run: Path, kit: Kit) -> int:
    """How many rows of a run stand."""
    return sum(row.run.id == run.name for row in read_registry(kit.project).standing())


def test_eight_recorders_killed_at_random_lose_no_row(kit: Kit, forks: Forks) -> None:
    """Whoever said that it is done has its rows there; whoever was killed can begin again."""
    runs = [revised(kit, number) for number in range(6)]
    jobs = [
        Job("command", str(kit.root), ("record", str(run), "--submission"))
        for run in (*runs, *runs[:2])
    ]
    begun = time.monotonic()
    assert sorted(forks(*jobs)) == [0] * 6 + [1] * 2, "the same run is refused the second time"
    lasted = time.monotonic() - begun
    whole = state(kit)
    ended: set[int] = set()
    for seed in range(8):
        shutil.rmtree(kit.project.registry)
        shutil.rmtree(kit.project.evidence)
        chosen = Random(seed)  # noqa: S311  nothing is secret
        statuses = forks(*(killed_at_random(job, chosen, lasted) for job in jobs))
        ended.update(statuses)
        assert without_temp_files(state(kit)).items() <= whole.items()
        for job, status in zip(jobs, statuses, strict=True):
            assert status in (0, 1, ENDED, -signal.SIGKILL)
            if status in (0, 1):
                assert rows_of(Path(job.words[1]), kit) == 2
        assert {one.id for one in check(kit.project, submission=True).findings} <= {
            "orphan-evidence"
        }
        for run in runs:
            record(kit.project, run)
        assert state(kit) == whole
    assert check(kit.project, submission=True).findings == ()
    assert ended >= {0, ENDED, -signal.SIGKILL}


def killed_at_random(job: Job, chosen: Random, lasted: float) -> Job:
    """A job that is killed at some moment, or at some operation, or not at all."""
    match chosen.choice(["moment", "operation", "never"]):
        case "moment":
            return replace(job, killed_after=chosen.uniform(0, lasted / 2))
        case "operation":
            return replace(job, ends_at=chosen.randint(1, 80))
        case _:
            return job


def test_a_slow_renderer_does_not_undo_a_faster_recorder(kit: Kit, forks: Forks) -> None:
    """Whoever began to draw before a row was there does not write its older pages afterwards."""
    record(kit.project, kit.run)
    root, run = str(kit.root), str(kit.again())
    slow = Job("drawing_slowly", root)
    fast = Job("command", root, ("record", run, "--replace"), begins_after=1)
    assert forks(slow, fast) == [0, 0]
    assert check(kit.project).findings == ()


# Said before any scoring


def nothing_may_be_scored(*_: object) -> NoReturn:
    """What stands in the place of scoring."""
    pytest.fail("an attempt was scored before the disk was looked at")


PLACES = ("results", "results/evidence", "results/registry", "results/registry/greetings")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("kinds", "code"),
    [
        (("open", "mkdir", "replace", "unlink"), errno.EROFS),
        (("open", "mkdir", "replace", "unlink"), errno.EACCES),
        (("write",), errno.ENOSPC),
        (("fsync",), errno.ENOSPC),
        (("close",), errno.EDQUOT),
        (("open",), errno.ENOSPC),
    ],
    ids=["read-only", "no-permission", "full", "full-when-synced", "over-quota", "no-inode"],
)
def test_a_disk_that_refuses_says_so_before_any_scoring(  # noqa: PLR0913  three fixtures, two sets
    kit: Kit,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *,
    place: str,
    kinds: tuple[str, ...],
    code: int,
) -> None:
    """Full, read-only or not ours: exit code 7 and a sentence, before an attempt is scored."""
    record(kit.project, kit.run)
    before = kit.committed()
    monkeypatch.setattr(DeclarativeScorer, "add", nothing_may_be_scored)
    with Disk((kit.root / place,), refuses_kinds(kinds, code)).at_work():
        status = command(["--project", str(kit.root), "record", str(kit.again()), "--replace"])
    out, err = capsys.readouterr()
    assert (status, out) == (StorageError.code, "")
    assert err.startswith(f"error: {kit.root / place}")
    assert f" can't be written: {os.strerror(code)}.\n    Make room or give yourself " in err
    assert kit.committed() == before


@pytest.mark.parametrize("place", ["results/registry", "results/evidence", "results/.assay-lock"])
def test_what_is_in_the_way_is_told_before_any_scoring(
    kit: Kit, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """A place that can't be written ends in a sentence, and nothing is half-written."""
    path = kit.root / place
    if path.name == ".assay-lock":
        path.mkdir()
    else:
        path.write_text("in the way")
    before = kit.committed()
    monkeypatch.setattr(DeclarativeScorer, "add", nothing_may_be_scored)
    with pytest.raises(StorageError, match="can't be written"):
        record(kit.project, kit.run)
    assert kit.committed() == before
    assert kit.row_files() == []
