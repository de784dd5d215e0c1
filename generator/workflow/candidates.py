"""From a bundle to candidate rows: scored, with the facts that the rules will see."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from generator.errors import BundleError
from generator.families.family import Scores
from generator.provenance.facts import Facts, Standing, Stated, provided
from generator.records.bundle import Manifest, System
from generator.records.key import Configuration, Key, row_id
from generator.records.registry import Registry
from generator.records.row import Evidence, Row, RunFacts
from generator.store.bundles import Bundle, Observed
from generator.store.evidence import EvidenceWriter, evidence_writer
from generator.store.project import Project
from generator.workflow.scoring import AnswerKey, Tally

Tell = Callable[[str, int, int], None]
"""Progress: what is being done, how much of it is done, how much there is."""


@dataclass(slots=True)
class Candidate:
    """One system of a run, scored; a row as soon as no rule refuses it."""

    system: System
    tally: Tally
    writer: EvidenceWriter
    evidence: Evidence
    scores: Scores


@contextlib.contextmanager
def candidates(
    bundle: Bundle, key: AnswerKey, target: Project, tell: Tell
) -> Iterator[list[Candidate]]:
    """Read a bundle once: every system's attempts are scored and laid aside as evidence.

    What is laid aside lies in temp files of `target` and goes at the end unless it is kept.
    Raises BundleError for an attempt that can't be of this run.
    """
    manifest = bundle.manifest
    with contextlib.ExitStack() as open_files:
        tallies = {
            system.id: (
                Tally(key.family.scorer(key.corpus)),
                open_files.enter_context(evidence_writer(target)),
            )
            for system in manifest.systems
        }
        known = frozenset(key.corpus.cases)
        same_corpus = manifest.corpus.digest == key.files.digest
        total = len(known) * manifest.repetitions * len(manifest.systems)
        for number, observed in enumerate(bundle.attempts(), 1):
            tally, evidence = tallies[observed.attempt.system]
            if observed.attempt.case in known:
                _count(bundle, observed, tally)
                evidence.add(observed.line)
            elif same_corpus:
                raise _foreign_case(bundle, observed)
            tell("scoring", number, total)
        yield [
            Candidate(system, tally, writer, writer.close(), tally.scorer.finish())
            for system in manifest.systems
            for tally, writer in (tallies[system.id],)
        ]


def facts(
    candidate: Candidate, bundle: Bundle, key: AnswerKey, registry: Registry, *, replace: bool
) -> Facts:
    """All that the rules may see of a candidate."""
    manifest, benchmark = bundle.manifest, key.files.benchmark
    row_key = key_of(manifest, candidate.system, key)
    return Facts(
        provider=candidate.system.provider,
        model=candidate.system.model,
        filter=manifest.filter,
        asked=candidate.tally.asked(key.corpus, manifest.repetitions),
        provided=provided(
            row_key,
            Stated(
                commit=manifest.corpus.commit,
                corpus=manifest.corpus.digest,
                contracts=manifest.corpus.contracts,
                finished=manifest.finished,
            ),
            benchmark.not_applicable,
        ),
        corpus_ran=manifest.corpus.digest,
        corpus_here=key.files.digest,
        contracts_ran=manifest.corpus.contracts,
        contracts_here=key.contracts,
        version_ran=manifest.benchmark.version,
        version_here=benchmark.version,
        status=manifest.status,
        stopped=manifest.stopped,
        trees={"start": manifest.tree_at_start, "end": manifest.tree_at_end},
        stands=_standing(row_key, candidate.evidence, registry),
        replace=replace,
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
    )


def row_of(
    candidate: Candidate, bundle: Bundle, key: AnswerKey, registry: Registry, *, rehearsal: bool
) -> Row:
    """The row of a candidate that no rule refused."""
    manifest = bundle.manifest
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
        rehearsal=True if rehearsal else None,
    )


def _standing(key: Key, evidence: Evidence, registry: Registry) -> Standing | None:
    recorded = registry.rows.get(row_id(key, evidence.digest))
    if recorded is not None:
        return Standing(recorded.id, same_evidence=True)
    stands = registry.same_measurement(key)
    return Standing(stands.id, same_evidence=False) if stands else None


def _count(bundle: Bundle, observed: Observed, tally: Tally) -> None:
    attempt, repetitions = observed.attempt, bundle.manifest.repetitions
    place = f"{bundle.folder / observed.place}"
    if attempt.repetition > repetitions:
        raise BundleError(
            f"{place}: repetition {attempt.repetition} of {attempt.case!r}, in a run of "
            f"{repetitions}.",
            "Put the attempts of one run into one folder, and say in run.json how often it asked.",
        )
    if not tally.add(attempt):
        raise BundleError(
            f"{place}: {attempt.system!r} tried {attempt.case!r} (repetition "
            f"{attempt.repetition}) before, under another id.",
            "Keep the attempt that was made; choosing among several is no measurement.",
        )


def _foreign_case(bundle: Bundle, observed: Observed) -> BundleError:
    return BundleError(
        f"{bundle.folder / observed.place}: the corpus has no case {observed.attempt.case!r}.",
        "Put the attempts of one run into one folder, and of another into another.",
    )
