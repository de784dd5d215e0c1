"""Which of very many names stand twice, in memory that does not grow with their number.

Each name is remembered by eight bytes of its hash. What is sure is that two equal names have equal
fingerprints; two others may, once in 2^64 pairs, so that whoever asks looks at the names again.
"""

import hashlib
import heapq
import tempfile
from array import array
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import IO

HELD = 1 << 18
"""How many fingerprints are held in memory; further ones go to a temp file, sorted."""

_WIDTH = 8
_READ = 1 << 12


def fingerprint(name: str) -> int:
    """Eight bytes of the name's BLAKE2b, as a number."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=_WIDTH).digest(), "big")


class Fingerprints:
    """Takes fingerprints in any order, and says which came twice; closed by whoever made it."""

    def __init__(self) -> None:
        self._held = array("Q")
        self._spilled: list[tuple[int, int]] = []
        """Start and end of each sorted part of the temp file, in fingerprints."""

        self._file: IO[bytes] | None = None

    def add(self, more: Iterable[int]) -> None:
        """Take some."""
        self._held.extend(more)
        if len(self._held) >= HELD:
            self._spill()

    def repeated(self) -> frozenset[int]:
        """Those that were added more than once."""
        if not self._spilled and len(set(self._held)) == len(self._held):
            return frozenset()
        parts = [self._part(start, end) for start, end in self._spilled]
        in_order = heapq.merge(sorted(self._held), *parts)
        return frozenset(one for one, other in pairwise(in_order) if one == other)

    def close(self) -> None:
        """Let go of the temp file."""
        if self._file is not None:
            self._file.close()

    def _spill(self) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115  see `close`
        start = self._spilled[-1][1] if self._spilled else 0
        self._spilled.append((start, start + len(self._held)))
        self._file.seek(start * _WIDTH)
        array("Q", sorted(self._held)).tofile(self._file)
        self._held = array("Q")

    def _part(self, start: int, end: int) -> Iterator[int]:
        while self._file is not None and start < end:
            some = array("Q")
            self._file.seek(start * _WIDTH)
            some.fromfile(self._file, min(_READ, end - start))
            start += len(some)
            yield from some
