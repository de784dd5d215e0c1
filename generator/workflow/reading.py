"""Reading a run once: every attempt is scored, and every line handed on with whose it is.

Lines are read in blocks, and blocks can be scored in several processes. What they come to is added
up in the order of the run; a block that can't be added (a line that is no attempt, a try that was
made before) is read again in its turn, by the one process that knows all before it. So one process
and several end in the same figures, the same bytes and the same refusals.
"""

import contextlib
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice

from generator.families.family import Gathered
from generator.records.bundle import Attempt, Manifest
from generator.store.bundles import Block, Bundle
from generator.store.fingerprints import Fingerprints, fingerprint
from generator.workflow.processes import in_processes, worth
from generator.workflow.scoring import AnswerKey, Tally, Tries, leaks

Tell = Callable[[str, int, int], None]
"""Progress: what is being done, how much of it is done, how much there is."""

Keep = Callable[[str, bytes], None]
"""Takes a system and some of its lines, each with its line end, in the order of the run."""


@dataclass(frozen=True, slots=True)
class Read:
    """What a bundle comes to."""

    tallies: dict[str, Tally]
    """By system."""

    secrets: dict[str, list[str]]
    """By system: kinds and places of what looks like a secret in its observations."""

    strays: tuple[str, ...]
    """Places of attempts that are not of this run, its systems, cases or repetitions."""


@dataclass(slots=True)
class Sifted:
    """Whose the lines of a block are, and what is to be said of them."""

    owners: list[str | None] = field(default_factory=list)
    """The system of each line that is not blank; none for a stray."""

    strays: list[str] = field(default_factory=list)
    secrets: list[tuple[str, str]] = field(default_factory=list)
    ids: "array[int]" = field(default_factory=lambda: array("Q"))
    """Fingerprints of the attempts' ids."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a block comes to by itself; it can be sent between processes."""

    sifted: Sifted
    scored: dict[str, tuple[Tries, Gathered]]


class Sieve:
    """Scores the attempts of a run, block by block."""

    def __init__(self, manifest: Manifest, key: AnswerKey, *, wary: bool) -> None:
        """`wary` is to look for secrets too, which only matters for what would be published."""
        self._wary = wary
        self._cases = key.corpus.cases
        self._runs = {None, manifest.run}
        self._repetitions = manifest.repetitions
        self.tallies = {
            system.id: Tally(key.family.scorer(key.corpus)) for system in manifest.systems
        }

    def sift(self, block: Block) -> Sifted:
        """Score every attempt of a block; raises BundleError."""
        sifted, tallies = Sifted(), self.tallies
        for observed in block.observations():
            attempt = observed.attempt
            sifted.ids.append(fingerprint(attempt.id))
            if self._is_stray(attempt):
                sifted.owners.append(None)
                sifted.strays.append(f"{attempt.id}, {observed.place}")
                continue
            tallies[attempt.system].add(observed)
            sifted.owners.append(attempt.system)
            if self._wary:
                sifted.secrets += ((attempt.system, leak) for leak in leaks(observed))
        return sifted

    def _is_stray(self, attempt: Attempt) -> bool:
        return (
            attempt.system not in self.tallies
            or attempt.case not in self._cases
            or attempt.run not in self._runs
            or attempt.repetition > self._repetitions
        )

    def add(self, part: Part | None) -> Sifted | None:
        """Add what a block came to elsewhere; nothing is added where that can't be."""
        if part is None or any(
            self.tallies[system].tries.overlap(tries) for system, (tries, _) in part.scored.items()
        ):
            return None
        for system, (tries, gathered) in part.scored.items():
            self.tallies[system].tries.merge(tries)
            self.tallies[system].scorer.merge(gathered)
        return part.sifted


@dataclass(frozen=True, slots=True)
class Parts:
    """Makes the part of a block, in whatever process this is."""

    manifest: Manifest
    key: AnswerKey
    wary: bool

    def part(self, block: Block) -> Part | None:
        """What a block comes to; none where only the whole run tells what to say."""
        sieve = Sieve(self.manifest, self.key, wary=self.wary)
        try:
            sifted = sieve.sift(block)
        except Exception:  # noqa: BLE001  the block is read again, and then it is raised
            return None
        tallies = sieve.tallies.items()
        if any(tally.again for _, tally in tallies):
            return None
        scored = {
            system: (tally.tries, tally.scorer.gathered())
            for system, tally in tallies
            if tally.tries.attempts
        }
        return Part(sifted, scored)


def read(  # noqa: PLR0913  what is read, with what, and what becomes of it
    bundle: Bundle,
    key: AnswerKey,
    *,
    keep: Keep | None = None,
    wary: bool = False,
    jobs: int | None = None,
    tell: Tell = lambda *_: None,
) -> Read:
    """Read a bundle once; `jobs` processes, or as many as its size is worth. BundleError."""
    manifest = bundle.manifest
    sieve = Sieve(manifest, key, wary=wary)
    secrets: dict[str, list[str]] = {system: [] for system in sieve.tallies}
    strays: list[str] = []
    done, total = 0, len(key.corpus.cases) * manifest.repetitions * len(sieve.tallies)
    parts = Parts(manifest, key, wary)
    parted = in_processes(bundle.blocks(), parts.part, jobs or worth(bundle.size))
    with contextlib.closing(Fingerprints()) as ids, contextlib.closing(parted):
        for block, part in parted:
            sifted = sieve.add(part) or sieve.sift(block)
            ids.add(sifted.ids)
            strays += sifted.strays
            for system, leak in sifted.secrets:
                secrets[system].append(leak)
            if keep is not None:
                _hand_on(block, sifted.owners, keep)
            done += len(sifted.owners)
            tell("scoring", done, total)
        bundle.refuse_repeated_ids(ids)
    bundle.refuse_change()
    # Asked another corpus, its cases are no strays: that the corpus is stale says it all.
    stale = manifest.corpus.digest != key.files.digest
    return Read(sieve.tallies, secrets, () if stale else tuple(strays))


def _hand_on(block: Block, owners: Sequence[str | None], keep: Keep) -> None:
    if len(set(owners)) == 1 and len(owners) == block.ends and b"\r" not in block.raw:
        if owners[0] is not None:
            keep(owners[0], block.raw)
        return
    lines = (line + b"\n" for _, line in block.lines())
    for owner, some in groupby(owners):
        own = b"".join(islice(lines, sum(1 for _ in some)))
        if owner is not None:
            keep(owner, own)
