"""Run bundles: the manifest read whole, attempts streamed from `attempts*.jsonl[.gz|.zst]`."""

import contextlib
import gzip
import io
import json
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol

import zstandard

from generator.errors import BundleError
from generator.records.base import fault_in
from generator.records.bundle import MANIFEST, Manifest
from generator.store.fingerprints import Fingerprints, fingerprint
from generator.store.lines import LINE_LIMIT, Observed, read_attempt

MANIFEST_LIMIT = 16 * 1024 * 1024
BLOCK = 512 << 10
"""How many bytes of a file are read and handed on at once, up to the end of a line."""

_PIECE = 1024
"""How much of a zstd frame is inflated at once: few enough to grow to some 32 MB at most."""

_COMPRESSED = (".gz", ".zst")

INFLATED_LIMIT = 64 * 1024**3
"""How many bytes a compressed file may grow to."""


class Stamp(NamedTuple):
    """By what a file that was changed is told from what it was."""

    name: str
    device: int
    inode: int
    size: int
    changed_ns: int


@dataclass(frozen=True, slots=True)
class Block:
    """Some lines of a run's attempts, as they lie in one file."""

    path: Path
    first: int
    """Number of its first line."""

    offset: int
    """Where in the file, inflated, it begins, in bytes."""

    ends: int
    """How many line ends it has."""

    raw: bytes
    """With line ends; the last line of a file may lack it."""

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Numbered lines that are not blank, without line ends."""
        for number, raw in enumerate(self.raw.split(b"\n"), self.first):
            line = raw.removesuffix(b"\r")
            if line.strip(b" \t"):
                yield number, line

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process is told where it lies, which is faster than to send what it holds."""
        if self.path.suffix in _COMPRESSED:
            return Block, (self.path, self.first, self.offset, self.ends, self.raw)
        return _block_at, (self.path, self.first, self.offset, self.ends, len(self.raw))

    def observations(self) -> Iterator[Observed]:
        """The attempt of each line; raises BundleError that names the line."""
        for number, line in self.lines():
            try:
                attempt = read_attempt(line)
            except (ValueError, RecursionError) as fault:
                raise _unreadable(self.path, number, str(fault)) from fault
            yield Observed(attempt, line, self.path.name, number)


@dataclass(frozen=True, slots=True)
class Bundle:
    """A run on disk; its attempts are read as they are asked for, and none is kept."""

    folder: Path
    manifest: Manifest
    files: tuple[str, ...]
    stamps: tuple[Stamp, ...]
    """What its files were when it was opened."""

    @property
    def size(self) -> int:
        """Bytes of all attempts as they lie on the disk."""
        with contextlib.suppress(OSError):  # which is said where the files are opened
            return sum((self.folder / name).lstat().st_size for name in self.files)
        return 0

    def blocks(self) -> Iterator[Block]:
        """All lines in the order of the files, some at a time; raises BundleError."""
        empty = True
        for name in self.files:
            for block in _blocks(self.folder / name):
                empty = empty and not any(block.lines())
                yield block
        if empty:
            raise BundleError(
                f"{self.folder}: there is no observation in it.",
                "Run the harness again; a folder without observations is no run.",
            )

    def attempts(self) -> Iterator[Observed]:
        """All attempts in the order of the files and lines; raises BundleError."""
        for block in self.blocks():
            yield from block.observations()

    def refuse_change(self) -> None:
        """Raise BundleError where a file came, went or changed since the bundle was opened."""
        changed = sorted({stamp.name for stamp in {*self.stamps} ^ {*_stamps(self.folder)}})
        if changed:
            raise BundleError(
                f"{self.folder / changed[0]} changed while the run was read.",
                "Wait for the harness to end, then record the run.",
            )

    def refuse_repeated_ids(self, ids: Fingerprints) -> None:
        """Raise BundleError where two attempts have the same id; `ids` are those of all of them.

        Fingerprints may agree by chance, so the few that do are looked up once more.
        """
        suspected = ids.repeated()
        places: dict[str, str] = {}
        for observed in self.attempts() if suspected else ():
            attempt = observed.attempt
            if fingerprint(attempt.id) not in suspected:
                continue
            if attempt.id in places:
                raise BundleError(
                    f"{self.folder / observed.place}: the id {attempt.id!r} stands at "
                    f"{places[attempt.id]} too.",
                    "Each attempt has an id of its own; look for the harness that wrote both.",
                )
            places[attempt.id] = observed.place


def open_bundle(folder: Path) -> Bundle:
    """Read the manifest and find the files of attempts; raises BundleError."""
    stamps = _stamps(folder)
    names = [stamp.name for stamp in stamps]
    if MANIFEST not in names:
        found = sorted(path.name for path in folder.iterdir())[:8]
        raise BundleError(
            f"{folder}: there is no {MANIFEST}; found were {', '.join(found) or 'no files'}.",
            "Name the folder that the harness wrote; without its manifest nobody can say what ran.",
        )
    manifests = [name for name in names if not _holds_attempts(name)]
    if len(manifests) > 1:
        raise BundleError(
            f"{folder}: there are two manifests, {' and '.join(manifests[:2])}.",
            "Put each run into a folder of its own.",
        )
    files = tuple(name for name in names if _holds_attempts(name))
    if not files:
        raise BundleError(
            f"{folder}: there is no attempts*.jsonl beside {MANIFEST}.",
            "Run the harness again; a folder without observations is no run.",
        )
    return Bundle(folder, _manifest(folder / MANIFEST), files, stamps)


def _stamps(folder: Path) -> tuple[Stamp, ...]:
    """The manifests and files of attempts in a folder, by name; raises BundleError."""
    try:
        return tuple(
            Stamp(entry.name, stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns)
            for entry in sorted(os.scandir(folder), key=lambda entry: entry.name)
            if _holds_attempts(entry.name) or _is_manifest(entry.name)
            for stat in (entry.stat(follow_symlinks=False),)
        )
    except OSError as fault:
        raise BundleError(
            f"{folder} can't be read as a run: {fault.strerror}.",
            "Name the folder that the harness wrote, with run.json and attempts*.jsonl in it.",
        ) from fault


def _is_manifest(name: str) -> bool:
    return name.startswith(Path(MANIFEST).stem) and name.endswith(Path(MANIFEST).suffix)


def _holds_attempts(name: str) -> bool:
    return name.startswith("attempts") and name.endswith(
        (".jsonl", *(f".jsonl{ending}" for ending in _COMPRESSED))
    )


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


def _blocks(path: Path) -> Iterator[Block]:
    """The lines of a file, about `BLOCK` bytes at a time; a cut last line is a fault."""
    first, offset, longest = 1, 0, LINE_LIMIT + len(b"\r\n")
    with _open(path) as file:
        while raw := file.read(BLOCK):
            begun = raw.rfind(b"\n") + 1
            if begun < len(raw):  # a line that goes on, or is cut off
                raw += file.readline(longest - (len(raw) - begun))
            whole = raw if raw.endswith(b"\n") else raw[:begun]
            ends = whole.count(b"\n")
            if whole:
                yield Block(path, first, offset, ends, whole)
            first, offset = first + ends, offset + len(whole)
            if whole is not raw:
                line = raw[begun:]
                if len(line) == longest:
                    raise _unreadable(path, first, f"it has more than {LINE_LIMIT} bytes")
                _refuse_cut_line(path, first, offset, line)
                yield Block(path, first, offset, 0, line)


def _block_at(path: Path, first: int, offset: int, ends: int, size: int) -> Block:
    """A block read again where it lies."""
    with _open(path) as file:
        file.seek(offset)
        return Block(path, first, offset, ends, file.read(size))


def _refuse_cut_line(path: Path, number: int, offset: int, line: bytes) -> None:
    if not line.strip():
        return
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
    raw = os.fdopen(handle, "rb", buffering=1 << 16)
    if path.suffix == ".gz":
        return io.BufferedReader(_Limited(gzip.open(raw), raw, path))
    if path.suffix == ".zst":
        return io.BufferedReader(_Limited(_Frames(raw), raw, path))
    return raw


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...
    def close(self) -> object: ...


class _Frames:
    """What a file of zstd frames inflates to; a frame that never ends is an EOFError."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._begun = False
        self._given = b""
        self._inflated = memoryview(b"")

    def read(self, size: int, /) -> bytes:
        """At most so many bytes, and none at the end."""
        while not self._inflated:
            self._given = self._given or self._raw.read(_PIECE)
            if not self._given:
                if self._begun:
                    message = "it is cut off"
                    raise EOFError(message)
                return b""
            self._begun = True
            self._inflated = memoryview(self._frame.decompress(self._given))
            self._given = self._frame.unused_data
            if self._frame.eof:
                self._frame = zstandard.ZstdDecompressor().decompressobj()
                self._begun = False
        piece, self._inflated = self._inflated[:size], self._inflated[size:]
        return bytes(piece)

    def close(self) -> None:
        """Nothing: the file is closed by whoever opened it."""


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
