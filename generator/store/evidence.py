"""Evidence: the observations behind a row, compressed, found by the digest of their lines."""

import contextlib
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import zstandard

from generator.errors import RegistryError
from generator.records.row import Evidence
from generator.store.atomic import Draft, draft, stands
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

    _draft: Draft
    _hash: "hashlib._Hash"
    _compressor: "zstandard.ZstdCompressionObj"
    _lines: int = 0

    def add(self, lines: bytes) -> None:
        """Add some lines, each with its line end."""
        self._hash.update(lines)
        self._draft.write(self._compressor.compress(lines))
        self._lines += lines.count(b"\n")

    def close(self) -> Evidence:
        """End the lines, durably: a disk that has no room for them says so before any row lies."""
        self._draft.write(self._compressor.flush())
        self._draft.finish()
        return Evidence(digest=self._hash.hexdigest(), lines=self._lines)

    def keep(self, project: Project, evidence: Evidence) -> None:
        """Put the closed lines in their place, durably."""
        path = evidence_path(project, evidence.digest)
        if not stands(path):
            self._draft.settle(path)


@contextlib.contextmanager
def evidence_writer(project: Project) -> Iterator[EvidenceWriter]:
    """A writer into a temp file beside the evidence, removed unless it was kept."""
    with draft(project.evidence) as new:
        compressor = zstandard.ZstdCompressor(level=LEVEL).compressobj()
        yield EvidenceWriter(new, hashlib.sha256(), compressor)


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
                yield Observed(read_attempt(line), line, "evidence", count)
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
