import contextlib
import errno
import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from generator.errors import StorageError
from generator.store.atomic import LOCK, TEMP_MARK, draft, locked, ready, remove, stands, write

HOLDER = """\
import sys
from pathlib import Path
from generator.store.atomic import TEMP_MARK, locked

folder = Path(sys.argv[1])
with locked(folder):
    (folder / f"{TEMP_MARK}of-the-holder").write_text("half")
    print("held", flush=True)
    sys.stdin.readline()
    (folder / "done-by-the-holder").write_text("whole")
"""

FORKING = """\
import os, sys, time
from pathlib import Path
from generator.store.atomic import locked

with locked(Path(sys.argv[1])):
    if os.fork() == 0:
        print("forked", flush=True)
        sys.stdin.readline()
        os._exit(0)
    time.sleep(60)
"""

DYING = """\
import os, sys
from pathlib import Path
from generator.store import atomic

call = sys.argv[2]
survives = int(sys.argv[3])
own = getattr(os, call)

def dies(*arguments):
    global survives
    survives -= 1
    if survives < 0:
        os._exit(9)
    return own(*arguments)

setattr(os, call, dies)
atomic.write(Path(sys.argv[1]), b"new")
"""

FULL = """\
import resource, sys
from pathlib import Path
from generator.errors import StorageError
from generator.store.atomic import ready, write

resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))
path = Path(sys.argv[1])
try:
    ready(path) if path.is_dir() else write(path, b"x" * 100_000)
except StorageError as fault:
    print(fault.what)
"""


def refusing(*_: object) -> NoReturn:
    """What a full disk answers."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def started(script: str, *words: str | Path) -> subprocess.Popen[str]:
    """Another process that runs a script."""
    command = [sys.executable, "-c", script, *map(str, words)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


@contextlib.contextmanager
def holding(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock of a folder until it is told to go on."""
    with started(HOLDER, folder) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def temp_files(folder: Path) -> list[Path]:
    """Temp files anywhere below a folder."""
    return list(folder.rglob(f"{TEMP_MARK}*"))


def test_a_file_is_written_with_the_folders_it_needs(tmp_path: Path) -> None:
    """Writing puts exactly the bytes in place and leaves nothing else behind."""
    write(tmp_path / "a" / "b.json", b"{}\n")
    assert (tmp_path / "a" / "b.json").read_bytes() == b"{}\n"
    assert list((tmp_path / "a").iterdir()) == [tmp_path / "a" / "b.json"]


@pytest.mark.parametrize("call", ["replace", "fsync"])
@pytest.mark.parametrize("old", [b"old", None])
def test_a_disk_that_refuses_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, old: bytes | None
) -> None:
    """If rename or fsync fails, the file is the old one, and no temp file is left."""
    path = tmp_path / "row.json"
    if old is not None:
        path.write_bytes(old)
    monkeypatch.setattr(os, call, refusing)
    with pytest.raises(StorageError, match="No space left"):
        write(path, b"new")
    assert (path.read_bytes() if path.exists() else None) == old
    assert temp_files(tmp_path) == []


def test_success_is_not_said_before_the_folder_is_safe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If only the last fsync fails, that is told, and the file is whole all the same."""
    path = tmp_path / "row.json"
    path.write_bytes(b"old")
    fsync, calls = os.fsync, iter([False, True])

    def second_fails(handle: int) -> None:
        if next(calls):
            refusing()
        fsync(handle)

    monkeypatch.setattr(os, "fsync", second_fails)
    with pytest.raises(StorageError, match="No space left"):
        write(path, b"new")
    assert path.read_bytes() == b"new"
    assert temp_files(tmp_path) == []


def test_a_disk_that_is_full_while_writing_leaves_the_old_file(tmp_path: Path) -> None:
    """If the bytes don't fit, the file is the old one, and no temp file is left."""
    path = tmp_path / "row.json"
    path.write_bytes(b"old")
    with started(FULL, path) as process:
        said, _ = process.communicate()
    assert said.startswith(f"{path} can't be written: ")
    assert path.read_bytes() == b"old"
    assert temp_files(tmp_path) == []


def test_a_place_that_can_not_be_written_is_named(tmp_path: Path) -> None:
    """A file where a folder must be is told with the path that was meant."""
    (tmp_path / "registry").write_text("not a folder")
    path = tmp_path / "registry" / "row.json"
    with pytest.raises(StorageError) as caught:
        write(path, b"new")
    assert str(path) in caught.value.what
    assert caught.value.code == 7


@pytest.mark.parametrize(
    ("call", "survives", "found"),
    [("fsync", 0, b"old"), ("replace", 0, b"old"), ("fsync", 1, b"new")],
)
def test_a_killed_writer_leaves_the_old_file_or_the_new_one(
    tmp_path: Path, call: str, survives: int, found: bytes
) -> None:
    """Before the rename the file is the old one, after it the new one, at every moment whole."""
    path = tmp_path / "row.json"
    path.write_bytes(b"old")
    with started(DYING, path, call, str(survives)) as process:
        process.communicate()
    assert process.returncode == 9
    assert path.read_bytes() == found


def test_stale_temp_files_are_swept_under_the_lock(tmp_path: Path) -> None:
    """What a killed process left behind goes, at any depth; what else lies there stays."""
    stale = tmp_path / "registry" / "greetings" / f"{TEMP_MARK}0123"
    stale.parent.mkdir(parents=True)
    stale.write_text("half a row")
    row = stale.with_name("row.json")
    row.write_text("{}")
    with locked(tmp_path):
        assert not stale.exists()
    assert row.read_text() == "{}"


def test_a_second_process_waits_for_the_lock(tmp_path: Path) -> None:
    """Whoever comes second waits until the first is done, and sees what it did."""
    with holding(tmp_path) as holder:
        assert holder.stdin is not None
        holder.stdin.write("go on\n")
        holder.stdin.flush()
        with locked(tmp_path):
            assert (tmp_path / "done-by-the-holder").read_text() == "whole"


def test_patience_ends(tmp_path: Path) -> None:
    """Whoever waits too long is told which lock is held, and sweeps nothing of the holder's."""
    with (
        holding(tmp_path),
        pytest.raises(StorageError, match=str(tmp_path / LOCK)),
        locked(tmp_path, patience=0.1),
    ):
        pass
    assert temp_files(tmp_path) != []


def test_the_lock_goes_with_its_process(tmp_path: Path) -> None:
    """A lock file of a killed process holds nobody up, and its temp files are swept."""
    with holding(tmp_path) as holder:
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    assert (tmp_path / LOCK).exists()
    with locked(tmp_path, patience=5):
        assert temp_files(tmp_path) == []


def test_the_lock_does_not_outlive_its_process_in_others_that_it_made(tmp_path: Path) -> None:
    """A process that was forked under the lock goes on after its parent, and holds nobody up."""
    with started(FORKING, tmp_path) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "forked\n"
        with pytest.raises(StorageError, match="held the lock"), locked(tmp_path, patience=0):
            pass
        parent.kill()
        parent.wait()
        with locked(tmp_path, patience=5):
            pass


def test_locks_that_can_not_be_had_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file system without locks is no place for a registry, and that is said."""

    def refusing(*_: object) -> NoReturn:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refusing)
    with pytest.raises(StorageError, match="No locks available"), locked(tmp_path):
        pass


def test_a_temp_file_that_can_not_be_swept_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where old temp files can't be removed, nothing new should be begun."""
    stale = tmp_path / f"{TEMP_MARK}0123"
    stale.write_text("half a row")
    monkeypatch.setattr(os, "unlink", refusing)
    with pytest.raises(StorageError, match="No space left") as caught, locked(tmp_path):
        pass
    assert str(stale) in caught.value.what


def test_the_first_fault_is_the_one_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where not even the temp file can be removed, the reason why it was left is what is said."""

    def read_only(*_: object) -> NoReturn:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(os, "replace", refusing)
    monkeypatch.setattr(os, "unlink", read_only)
    with pytest.raises(StorageError, match="No space left"):
        write(tmp_path / "row.json", b"new")
    assert len(temp_files(tmp_path)) == 1
    monkeypatch.undo()
    with locked(tmp_path):
        assert temp_files(tmp_path) == []


def test_a_draft_that_fails_on_its_own_keeps_its_fault(tmp_path: Path) -> None:
    """What goes wrong around a draft is told as what it is, and the draft goes."""
    with pytest.raises(KeyError), draft(tmp_path):
        raise KeyError
    assert temp_files(tmp_path) == []


def test_a_folder_is_tried_before_it_is_needed(tmp_path: Path) -> None:
    """A folder is made ready by writing to it, and nothing of that is left."""
    ready(tmp_path / "registry" / "greetings")
    assert list((tmp_path / "registry" / "greetings").iterdir()) == []


def test_a_folder_without_room_is_not_ready(tmp_path: Path) -> None:
    """A disk that takes an empty file and no more is found out."""
    with started(FULL, tmp_path) as process:
        said, _ = process.communicate()
    assert said == f"{tmp_path} can't be written: File too large.\n"
    assert list(tmp_path.iterdir()) == []


def test_new_folders_are_as_durable_as_what_lies_in_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each folder that is made is made known to the one above it, for good."""
    fsync, synced = os.fsync, []

    def noted(handle: int) -> None:
        synced.append(os.fstat(handle).st_ino)
        fsync(handle)

    monkeypatch.setattr(os, "fsync", noted)
    write(tmp_path / "a" / "b" / "row.json", b"{}")
    above = [tmp_path, tmp_path / "a", tmp_path / "a" / "b"]
    assert {folder.stat().st_ino for folder in above} <= set(synced)


def test_a_file_that_was_found_is_as_durable_as_one_that_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever put it there may have been killed before its name was safe, so that is seen to."""
    path = tmp_path / "evidence"
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", refusing)
        assert not stands(path)
        path.write_text("whole")
        with pytest.raises(StorageError, match="No space left"):
            stands(path)
    assert stands(path)


def test_a_file_that_can_not_be_removed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Removing is told in the same way as writing."""
    path = tmp_path / "page.md"
    path.write_text("drawn no more")
    with monkeypatch.context() as patch:
        patch.setattr(os, "unlink", refusing)
        with pytest.raises(StorageError, match="No space left"):
            remove(path)
    remove(path)
    assert not path.exists()


@pytest.mark.parametrize("obstacle", ["results", f"results/{LOCK}/in-the-way"])
def test_a_lock_that_can_not_be_made_is_told(tmp_path: Path, obstacle: str) -> None:
    """A file where the folder must be, or a folder where the lock must be, ends in a sentence."""
    place = tmp_path / obstacle
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("in the way")
    with pytest.raises(StorageError, match="can't be written"), locked(tmp_path / "results"):
        pass
