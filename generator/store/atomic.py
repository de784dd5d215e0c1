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
from pathlib import Path

from generator.errors import StorageError

TEMP_MARK = ".assay-tmp-"
LOCK = ".assay-lock"


@contextlib.contextmanager
def locked(folder: Path, *, patience: float = 60.0) -> Iterator[None]:
    """Hold the one lock of a registry; a second writer waits, then reads again.

    Raises StorageError if the folder can't be written, or after `patience` seconds of waiting.
    """
    with told(folder):
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        _take(handle, folder, time.monotonic() + patience)
        _sweep(folder)
        yield
    finally:
        os.close(handle)


def _take(handle: int, folder: Path, until: float) -> None:
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise StorageError(
                    f"Another process has held the lock {folder / LOCK} for too long.",
                    "Wait for it to end, or end it; the lock goes with its process.",
                ) from None
            time.sleep(0.02)
        else:
            return


def _sweep(folder: Path) -> None:
    for stale in folder.rglob(f"{TEMP_MARK}*"):
        stale.unlink(missing_ok=True)


def write(path: Path, content: bytes) -> None:
    """Put a whole file in place, durably; raises StorageError and leaves no temp file behind."""
    with told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with temp_beside(path) as temp:
            with temp.open("wb") as file:
                file.write(content)
            settle(temp, path)


@contextlib.contextmanager
def temp_beside(path: Path) -> Iterator[Path]:
    """The name of a temp file in the same folder, removed at the end if it is still there."""
    temp = path.with_name(f"{TEMP_MARK}{secrets.token_hex(8)}")
    try:
        yield temp
    finally:
        temp.unlink(missing_ok=True)


def settle(temp: Path, path: Path) -> None:
    """Make a finished temp file the file, durably."""
    with told(path):
        _sync(temp)
        os.replace(temp, path)  # noqa: PTH105  the call that the promise above is about
        _sync(path.parent)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
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
