"""Evidence: the observations behind a row, compressed, found by the digest of their lines."""

import contextlib
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import zstandard

from generator.errors import RegistryError
from generator.records.row import Evidence
from generator.store.atomic import settle, temp_beside, told
from generator.store.lines import LINE_LIMIT, Observed, read_attempt
from generator.store.project import Project

LEVEL = 9
"""Compression level: on the first published runs 4 % larger than the highest, much faster."""


def evidence_path(project: Project, digest: str) -> Path:
    """Where the lines of that digest lie."""
    return project.evidence / f"{digest}.jsonl.zst"


@dataclass(slots=True)
class EvidenceWriter:
    """Takes the lines of one row as they are read, and keeps none in memory."""

    _temp: Path
    _file: BinaryIO
    _hash: "hashlib._Hash"
    _stream: zstandard.ZstdCompressionWriter
    _lines: int = 0

    def add(self, line: bytes) -> None:
        """Add one line, given without its line end."""
        self._hash.update(line + b"\n")
        with told(self._temp):
            self._stream.write(line + b"\n")
        self._lines += 1

    def close(self) -> Evidence:
        """End the lines; they are evidence only once they are kept."""
        with told(self._temp):
            self._stream.flush(zstandard.FLUSH_FRAME)
            self._file.flush()
        return Evidence(digest=self._hash.hexdigest(), lines=self._lines)

    def keep(self, project: Project, evidence: Evidence) -> None:
        """Put the closed lines in their place, durably."""
        path = evidence_path(project, evidence.digest)
        if not path.exists():
            settle(self._temp, path)


@contextlib.contextmanager
def evidence_writer(project: Project) -> Iterator[EvidenceWriter]:
    """A writer into a temp file beside the evidence, removed unless it was kept."""
    with contextlib.ExitStack() as stack:
        with told(project.evidence):
            project.evidence.mkdir(parents=True, exist_ok=True)
            temp = stack.enter_context(temp_beside(project.evidence / "evidence"))
            file = temp.open("wb")
        stack.callback(_close, file, temp)
        stream = zstandard.ZstdCompressor(level=LEVEL).stream_writer(file)
        yield EvidenceWriter(temp, file, hashlib.sha256(), stream)


def _close(file: BinaryIO, temp: Path) -> None:
    with told(temp):
        file.close()


def read_evidence(project: Project, evidence: Evidence) -> Iterator[Observed]:
    """The attempts behind a row; raises RegistryError where they are gone or not those."""
    path = evidence_path(project, evidence.digest)
    digest, count = hashlib.sha256(), 0
    try:
        with path.open("rb") as file:
            lines = zstandard.ZstdDecompressor().stream_reader(file)
            for line in _split(lines):
                digest.update(line + b"\n")
                count += 1
                yield Observed(read_attempt(line), line, f"evidence line {count}")
    except (OSError, ValueError, zstandard.ZstdError) as fault:
        raise RegistryError(
            f"{path} can't be read: {getattr(fault, 'strerror', None) or fault}.",
            f"Restore it from git: git checkout -- {path}",
        ) from fault
    if (digest.hexdigest(), count) != (evidence.digest, evidence.lines):
        raise RegistryError(
            f"{path} holds other lines than its name says: {count} lines with digest "
            f"{digest.hexdigest()[:16]}, expected were {evidence.lines}.",
            f"Restore it from git: git checkout -- {path}",
        )


def _split(stream: zstandard.ZstdDecompressionReader) -> Iterator[bytes]:
    rest = b""
    while chunk := stream.read(1 << 20):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
        if len(rest) > LINE_LIMIT:
            message = f"a line has more than {LINE_LIMIT} bytes"
            raise ValueError(message)
    if rest:
        yield rest
