"""From a bundle to candidate rows: scored, with the facts that the rules will see."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from generator.families.family import Scores
from generator.provenance.facts import Facts, Standing, Stated, provided
from generator.provenance.secrets import found
from generator.records.base import Certainty
from generator.records.bundle import MANIFEST, Manifest, System
from generator.records.key import Configuration, Key, row_id
from generator.records.registry import Registry
from generator.records.row import Evidence, Row, RunFacts
from generator.store.bundles import Bundle
from generator.store.evidence import EvidenceWriter, evidence_writer
from generator.store.project import Project
from generator.workflow.reading import Tell, read
from generator.workflow.scoring import AnswerKey, Tally


@dataclass
class Candidate:
    """One system of a run, scored; a row as soon as no rule refuses it."""

    system: System
    tally: Tally
    writer: EvidenceWriter
    evidence: Evidence
    secrets: tuple[str, ...]
    """Kinds and places of what looks like a secret in its observations."""

    @cached_property
    def scores(self) -> Scores:
        """Its counts, measures and contributions."""
        return self.tally.scorer.finish()


@dataclass(frozen=True, slots=True)
class Reading:
    """What a bundle holds: a candidate for each system, and what belongs to none."""

    candidates: tuple[Candidate, ...]
    strays: tuple[str, ...]
    """Places of attempts that are not of this run, its systems, cases or repetitions."""


@contextlib.contextmanager
def reading(
    bundle: Bundle, key: AnswerKey, target: Project, *, jobs: int | None, tell: Tell
) -> Iterator[Reading]:
    """Read a bundle once: every system's attempts are scored and laid aside as evidence.

    What is laid aside lies in temp files of `target` and goes at the end unless it is kept.
    """
    with contextlib.ExitStack() as open_files:
        writers = {
            system.id: open_files.enter_context(evidence_writer(target))
            for system in bundle.manifest.systems
        }

        def keep(system: str, lines: bytes) -> None:
            writers[system].add(lines)

        done = read(bundle, key, keep=keep, wary=True, jobs=jobs, tell=tell)
        candidates = tuple(
            Candidate(
                system=system,
                tally=done.tallies[system.id],
                writer=writers[system.id],
                evidence=writers[system.id].close(),
                secrets=tuple(done.secrets[system.id]),
            )
            for system in bundle.manifest.systems
        )
        yield Reading(candidates, done.strays)


@dataclass(frozen=True, slots=True)
class Asking:
    """What the recording of a bundle was asked to do, and what it stands on."""

    bundle: Bundle
    key: AnswerKey
    reachable: Certainty
    """Whether the commit that the run names is part of the history of HEAD."""

    replace: bool
    older: bool
    rehearsal: bool


def facts(
    candidate: Candidate, strays: tuple[str, ...], asking: Asking, registry: Registry
) -> Facts:
    """All that the rules may see of a candidate."""
    manifest, key = asking.bundle.manifest, asking.key
    benchmark = key.files.benchmark
    row_key = key_of(manifest, candidate.system, key)
    stated = Stated(
        commit=manifest.corpus.commit,
        corpus=manifest.corpus.digest,
        contracts=manifest.corpus.contracts,
        finished=manifest.finished,
    )
    return Facts(
        provider=candidate.system.provider,
        model=candidate.system.model,
        filter=manifest.filter,
        asked=candidate.tally.asked(key.corpus, manifest.repetitions),
        provided=provided(row_key, stated, benchmark.not_applicable),
        corpus_ran=manifest.corpus.digest,
        corpus_here=key.files.digest,
        contracts_ran=manifest.corpus.contracts,
        contracts_here=key.contracts,
        version_ran=manifest.benchmark.version,
        version_here=benchmark.version,
        status=manifest.status,
        stopped=manifest.stopped,
        trees={"start": manifest.tree_at_start, "end": manifest.tree_at_end},
        stands=_standing(row_key, candidate.evidence, manifest.run, registry),
        replace=asking.replace,
        older=asking.older,
        finished=manifest.finished,
        commit=manifest.corpus.commit,
        reachable=asking.reachable,
        strays=strays,
        excluded_at_most=benchmark.excluded_at_most,
        secrets=(
            *(f"{kind}, {MANIFEST}" for kind in found(manifest.to_json())),
            *candidate.secrets,
        ),
    )


def key_of(manifest: Manifest, system: System, key: AnswerKey) -> Key:
    """What makes a system's row this measurement and no other."""
    return Key(
        benchmark=manifest.benchmark.id,
        benchmark_version=manifest.benchmark.version,
        provider=system.provider,
        model=system.model,
        revision=system.revision,
        runtime=system.runtime,
        configuration=Configuration(
            surface=system.surface,
            options=system.options,
            axes=system.axes,
            arm=system.arm,
            prompt=system.prompt,
        ),
        subject=manifest.subject,
        corpus=key.files.digest,
        contracts=key.contracts,
        tools=system.tools,
        harness=manifest.harness.name,
        harness_contract=manifest.harness.contract,
        repetitions=manifest.repetitions,
        environment_class=(
            _machine(manifest) if key.files.benchmark.effort or key.family.timed else None
        ),
    )


def _machine(manifest: Manifest) -> str | None:
    """The class of machine that timed figures hold for: its system and its processor."""
    environment = manifest.environment
    if environment is None:
        return None
    return " ".join((*environment.os.split()[:1], environment.cpu))[:300]  # as a `Name` may be


def row_of(candidate: Candidate, asking: Asking, registry: Registry) -> Row:
    """The row of a candidate that no rule refused."""
    manifest, key = asking.bundle.manifest, asking.key
    row_key = key_of(manifest, candidate.system, key)
    stands = registry.same_measurement(row_key)
    if manifest.corpus.commit is None or manifest.finished is None:
        message = "a row without a commit or an end must have been refused"
        raise AssertionError(message)
    return Row(
        format="assay.row/1",
        id=row_id(row_key, candidate.evidence.digest),
        key=row_key,
        family=key.family.id,
        standing=key.family.standing,
        run=RunFacts(
            id=manifest.run,
            started=manifest.started,
            finished=manifest.finished,
            system=candidate.system.id,
            harness_version=manifest.harness.version,
            commit=manifest.corpus.commit,
            tree_at_start=manifest.tree_at_start,
            tree_at_end=manifest.tree_at_end,
            environment=manifest.environment,
        ),
        not_applicable=key.files.benchmark.not_applicable,
        counts=candidate.scores.counts,
        measures=candidate.scores.measures,
        contributions=candidate.scores.contributions,
        evidence=candidate.evidence,
        supersedes=stands.id if stands else None,
        rehearsal=True if asking.rehearsal else None,
    )


def _standing(key: Key, evidence: Evidence, run: str, registry: Registry) -> Standing | None:
    stands = registry.rows.get(row_id(key, evidence.digest)) or registry.same_measurement(key)
    if stands is None:
        other = registry.look_alike(key)
        return Standing(other.id, stays=True, finished=other.run.finished) if other else None
    # Two systems of one run that are the same measurement: neither may take the other's place.
    same = stands.evidence.digest == evidence.digest or stands.run.id == run
    return Standing(stands.id, stays=same, finished=stands.run.finished)
