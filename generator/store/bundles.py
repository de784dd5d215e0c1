"""Run bundles: the manifest read whole, attempts streamed from `attempts*.jsonl[.gz|.zst]`."""

import gzip
import io
import json
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

import zstandard

from generator.errors import BundleError
from generator.records.base import fault_in
from generator.records.bundle import MANIFEST, Manifest
from generator.store.lines import LINE_LIMIT, Observed, read_attempt

MANIFEST_LIMIT = 16 * 1024 * 1024
BUFFER = 1 << 20
"""How many bytes are read from a file at once."""

INFLATED_LIMIT = 64 * 1024**3
"""How many bytes a compressed file may grow to."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """A run on disk; its attempts are read as they are asked for, and none is kept."""

    folder: Path
    manifest: Manifest
    files: tuple[str, ...]

    def attempts(self) -> Iterator[Observed]:
        """All attempts in the order of the files and lines, each id once; raises BundleError."""
        places: dict[str, str] = {}
        for name in self.files:
            for number, line in _lines(self.folder / name):
                place = f"{name}:{number}"
                try:
                    attempt = read_attempt(line)
                except (ValueError, RecursionError) as fault:
                    raise _unreadable(self.folder / name, number, str(fault)) from fault
                if attempt.id in places:
                    raise BundleError(
                        f"{self.folder / place}: the id {attempt.id!r} stands at "
                        f"{places[attempt.id]} too.",
                        "Each attempt has an id of its own; look for the harness that wrote both.",
                    )
                places[attempt.id] = place
                yield Observed(attempt, line, place)
        if not places:
            raise BundleError(
                f"{self.folder}: there is no observation in it.",
                "Run the harness again; a folder without observations is no run.",
            )


def open_bundle(folder: Path) -> Bundle:
    """Read the manifest and find the files of attempts; raises BundleError."""
    try:
        names = sorted(entry.name for entry in os.scandir(folder))
    except OSError as fault:
        raise BundleError(
            f"{folder} can't be read as a run: {fault.strerror}.",
            "Name the folder that the harness wrote, with run.json and attempts*.jsonl in it.",
        ) from fault
    if MANIFEST not in names:
        raise BundleError(
            f"{folder}: there is no {MANIFEST}; found were {', '.join(names[:8]) or 'no files'}.",
            "Name the folder that the harness wrote; without its manifest nobody can say what ran.",
        )
    files = tuple(name for name in names if _holds_attempts(name))
    if not files:
        raise BundleError(
            f"{folder}: there is no attempts*.jsonl beside {MANIFEST}.",
            "Run the harness again; a folder without observations is no run.",
        )
    return Bundle(folder, _manifest(folder / MANIFEST), files)


def _holds_attempts(name: str) -> bool:
    return name.startswith("attempts") and name.endswith((".jsonl", ".jsonl.gz", ".jsonl.zst"))


def _manifest(path: Path) -> Manifest:
    with _open(path) as file:
        content = file.read(MANIFEST_LIMIT + 1)
    remedy = "The guide describes the manifest; a harness gets it right by using generator.writer."
    if len(content) > MANIFEST_LIMIT:
        raise BundleError(f"{path} has more than {MANIFEST_LIMIT} bytes.", remedy)
    try:
        return Manifest.parse(content)
    except (ValueError, RecursionError) as fault:
        raise BundleError(f"{path}: {fault_in(content, fault)}.", remedy) from fault


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Numbered lines that are not blank, without line ends; a cut last line is a fault."""
    offset, number = 0, 0
    with _open(path) as file:
        for raw in iter(lambda: file.readline(LINE_LIMIT + 2), b""):
            number += 1
            line = raw.removesuffix(b"\n").removesuffix(b"\r")
            if len(line) > LINE_LIMIT:
                raise _unreadable(path, number, f"it has more than {LINE_LIMIT} bytes")
            if not raw.endswith(b"\n") and line.strip():
                _refuse_cut_line(path, number, offset, line)
            offset += len(raw)
            if line.strip(b" \t"):
                yield number, line


def _refuse_cut_line(path: Path, number: int, offset: int, line: bytes) -> None:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        raise BundleError(
            f"{path}: line {number} is cut off; it starts at byte {offset} and never ends.",
            "The harness was ended while it wrote. Run it again; half an attempt is not an "
            "observation.",
        ) from None


def _unreadable(path: Path, number: int, said: str) -> BundleError:
    return BundleError(
        f"{path}:{number}: the line is no attempt: {said}.",
        "The guide describes an attempt; what is no observation (a score, say) has no place in it.",
    )


def _open(path: Path) -> IO[bytes]:
    """Open once, follow no link, take only a regular file; inflate by the name's ending."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as fault:
        raise BundleError(
            f"{path} can't be opened: {fault.strerror} (links are not followed).",
            "Put the file itself in its place.",
        ) from fault
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise BundleError(f"{path} is not a regular file.", "Put the file itself in its place.")
    raw = os.fdopen(handle, "rb", buffering=BUFFER)
    if path.suffix == ".gz":
        return io.BufferedReader(_Limited(gzip.open(raw), raw, path))
    if path.suffix == ".zst":
        inflated = zstandard.ZstdDecompressor().stream_reader(raw)
        return io.BufferedReader(_Limited(inflated, raw, path))
    return raw


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...
    def close(self) -> object: ...


class _Limited(io.RawIOBase):
    """What a compressed file inflates to, up to a limit; a broken one is said to be so."""

    def __init__(self, inner: "_Readable", raw: IO[bytes], path: Path) -> None:
        super().__init__()
        self._inner = inner
        self._raw = raw
        self._path = path
        self._left = INFLATED_LIMIT

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        if not self.closed:
            self._inner.close()
            self._raw.close()
        super().close()

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            content = self._inner.read(len(buffer))
        except (OSError, EOFError, zstandard.ZstdError) as fault:
            raise BundleError(
                f"{self._path} can't be inflated: {fault}.", "Write the file again."
            ) from fault
        self._left -= len(content)
        if self._left < 0:
            raise BundleError(
                f"{self._path} grows beyond {INFLATED_LIMIT} bytes.", "Split the run."
            )
        buffer[: len(content)] = content
        return len(content)
