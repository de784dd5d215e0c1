"""Writing so that a file is the old one or the new one at any moment, never half of either.

Temp file in the same folder, fsync, `os.replace`, fsync of the folder. Success is only said after
the last fsync. Temp files that a killed process left behind are swept under the lock.
"""

import contextlib
import fcntl
import os
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from generator.errors import StorageError

TEMP_MARK = ".assay-tmp-"
LOCK = ".assay-lock"
ROOM = 1 << 20
"""Bytes that a folder must have room for before the work begins: a row takes less."""

_held: set[int] = set()
"""Handles of the locks that this process holds."""


def _let_go() -> None:
    """Close in a forked process what only its parent holds: else the lock would outlive that."""
    for handle in _held:
        os.close(handle)
    _held.clear()


os.register_at_fork(after_in_child=_let_go)


@contextlib.contextmanager
def locked(folder: Path, *others: Path, patience: float = 60.0) -> Iterator[None]:
    """Hold the one lock of a registry; a second writer waits, then reads again.

    What a killed process left behind in the folder, and in others that are only written under this
    lock, is swept. Raises StorageError if the folder can't be written, or after `patience` seconds.
    """
    path = folder / LOCK
    with told(path):
        _make(folder)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    _held.add(handle)
    try:
        with told(path):
            _take(handle, path, time.monotonic() + patience)
        for swept in (folder, *others):
            _sweep(swept)
        yield
    finally:
        if handle in _held:  # it is not in a process that was forked meanwhile
            _held.remove(handle)
            os.close(handle)


def _take(handle: int, path: Path, until: float) -> None:
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise StorageError(
                    f"Another process has held the lock {path} for too long.",
                    "Wait for it to end, or end it; the lock goes with its process.",
                ) from None
            time.sleep(0.02)
        else:
            return


def _sweep(folder: Path) -> None:
    for stale in folder.rglob(f"{TEMP_MARK}*"):
        with told(stale):
            stale.unlink(missing_ok=True)


def ready(folder: Path) -> None:
    """Find out by trying that a folder can be written and has room; raises StorageError."""
    with draft(folder) as probe:
        probe.write(bytes(ROOM))
        probe.finish()


def write(path: Path, content: bytes) -> None:
    """Put a whole file in place, durably; raises StorageError and leaves no temp file behind."""
    with draft(path.parent, path) as new:
        new.write(content)
        new.settle(path)


def remove(path: Path) -> None:
    """Take a file away, durably; raises StorageError."""
    with told(path):
        path.unlink()
        _sync(path.parent)


def stands(path: Path) -> bool:
    """Whether a file is there, and durably so: who put it there may have been killed before."""
    with told(path):
        there = path.exists()
        if there:
            _sync(path.parent)
        return there


@dataclass(frozen=True, slots=True)
class Draft:
    """A temp file that may become a file."""

    _temp: Path
    _file: BinaryIO
    _meant: Path
    """What a fault is told of."""

    def write(self, content: bytes) -> None:
        """Add bytes at the end."""
        with told(self._meant):
            self._file.write(content)

    def finish(self) -> None:
        """Make what was written durable; nothing can be added afterwards."""
        if not self._file.closed:
            with told(self._meant):
                self._file.flush()
                os.fsync(self._file.fileno())
                self._file.close()

    def settle(self, path: Path) -> None:
        """Make it the file, durably."""
        self.finish()
        with told(path):
            os.replace(self._temp, path)  # noqa: PTH105  the call that the promise above is about
            _sync(path.parent)


@contextlib.contextmanager
def draft(folder: Path, meant: Path | None = None) -> Iterator[Draft]:
    """A temp file in a folder, gone at the end unless it was settled; raises StorageError.

    A fault is told of the path that is meant, or of the folder.
    """
    meant = meant or folder
    temp = folder / f"{TEMP_MARK}{secrets.token_hex(8)}"
    with told(meant):
        _make(folder)
        handle = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        file = os.fdopen(handle, "wb")
    try:
        yield Draft(temp, file, meant)
    finally:
        # The first fault is the one to tell; what can't be removed now is swept under the lock.
        with contextlib.suppress(OSError):
            file.close()
        with contextlib.suppress(OSError):
            temp.unlink()


def _make(folder: Path) -> None:
    """Make a folder, and those above it, as durable as what will lie in it."""
    if folder.is_dir():
        return
    _make(folder.parent)
    folder.mkdir(exist_ok=True)
    _sync(folder.parent)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def told(path: Path) -> Iterator[None]:
    """Say what the disk refused; raises StorageError instead of OSError."""
    try:
        yield
    except OSError as fault:
        raise StorageError(
            f"{path} can't be written: {fault.strerror or fault}.",
            "Make room or give yourself permission to write there, then run the command again; "
            "nothing was half-written.",
        ) from fault
