"""`candidate`: claims about rows, proposed by somebody, borne out by a second run, then promoted.

Each step asks again what the one before has asked, and all reasons against it are told at once;
nothing is written where there is one. A step writes its files in such an order that after a kill
the same command ends what was begun: evidence before the claim that names it, a promotion before
the claim says that it is promoted, and that it is retired before the promotion goes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from generator.errors import RegistryError, UsageError
from generator.provenance.rules import judge
from generator.records.candidate import (
    Bound,
    Candidate,
    Proposal,
    Validation,
    candidate_of,
    promotion_of,
)
from generator.records.key import Key
from generator.records.measure import Measure
from generator.records.registry import Registry
from generator.records.row import Row
from generator.store.atomic import locked, ready
from generator.store.bundles import Bundle, open_bundle
from generator.store.candidates import (
    candidate_path,
    promotion_bytes,
    promotion_path,
    read_proposal,
    remove_promotion,
    write_candidate,
    write_promotion,
)
from generator.store.project import Project
from generator.store.registry import read_registry
from generator.workflow.candidates import Asking, Reading, facts, key_of, reading
from generator.workflow.candidates import Candidate as Judged
from generator.workflow.checks.candidates import (
    CandidateChecks,
    differing,
    edited_promotion,
    failing,
    leaking,
)
from generator.workflow.checks.finding import Finding, relative
from generator.workflow.checks.rows import RowChecks
from generator.workflow.reading import Tell
from generator.workflow.record import elsewhere
from generator.workflow.render import Keys, keys_of


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a claim."""

    candidate: Candidate
    """As it is afterwards; where it was refused, as it would have been or was."""

    path: Path
    """Where it lies."""

    refusals: tuple[Finding, ...] = ()
    """All reasons against it; none where it was done."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A claim as it stands, to be looked at."""

    candidate: Candidate
    row: Row
    stands: bool
    """Whether its row does."""

    figures: tuple[tuple[Bound, Measure | None, Measure | None], ...]
    """Each bound with its figure in the run of the row, and in the run that validated it."""


@dataclass(frozen=True, slots=True)
class _Desk:
    """What every step works with, read under the lock."""

    project: Project
    registry: Registry
    keys: Keys
    checks: CandidateChecks

    @classmethod
    def of(cls, project: Project) -> "_Desk":
        registry, keys = read_registry(project), keys_of(project)
        rows = RowChecks(project, registry, keys)
        return cls(project, registry, keys, CandidateChecks(project, registry, rows))

    def left(self, candidate: Candidate, *refusals: Finding) -> Outcome:
        """A claim that stays as it is: all was done before, or something speaks against it."""
        return Outcome(candidate, candidate_path(self.project, candidate.id), refusals)

    def written(self, candidate: Candidate) -> Outcome:
        return Outcome(candidate, write_candidate(self.project, candidate))


def propose(project: Project, file: Path) -> Outcome:
    """Take up a claim about a published row that bears it out.

    Raises UsageError for a proposal that can't be read or names no row.
    """
    proposal = read_proposal(file)
    with locked(project.results):
        desk = _Desk.of(project)
        row = _row(desk.registry, proposal.evidence.row)
        candidate = candidate_of(proposal, row)
        refusals = tuple(_against_proposing(desk, proposal, candidate, row, str(file)))
        return desk.left(candidate, *refusals) if refusals else desk.written(candidate)


def _against_proposing(
    desk: _Desk, proposal: Proposal, candidate: Candidate, row: Row, file: str
) -> Iterator[Finding]:
    earlier = desk.registry.candidates.get(candidate.id)
    if earlier is not None and earlier.state == "retired":
        yield _retired(desk, earlier)
    elif earlier not in (None, candidate):
        yield Finding(
            "known-claim",
            desk.checks.place(candidate.id),
            f"There is a claim {candidate.id!r} already, and it is another one or has come "
            "further.",
            "Give the claim a name of its own.",
        )
    remedy = "Correct it, or leave it out: the facts are taken from the row."
    yield from differing("other-facts", proposal.evidence, row, file, remedy)
    yield from leaking(candidate, file)
    yield from desk.checks.standing(row)
    yield from failing(candidate.holds, row.measures, row.run.id, file)


def show(project: Project, name: str) -> Shown:
    """A claim with its row and its figures; raises UsageError where there is none of that name."""
    registry = read_registry(project)
    candidate = _candidate(registry, name)
    row = _row_of(registry, candidate)
    second = candidate.validation
    again = {} if second is None else {figure.id: figure for figure in second.measures}
    return Shown(
        candidate,
        row,
        row.id not in {*registry.withdrawals, *registry.superseded},
        tuple(
            (bound, row.measure(bound.measure), again.get(bound.measure))
            for bound in candidate.holds
        ),
    )


def validate(
    project: Project,
    name: str,
    run: Path,
    *,
    jobs: int | None = None,
    tell: Tell = lambda *_: None,
) -> Outcome:
    """Let another run bear a claim out: the same measurement, at the same commit and corpus.

    It is judged by every rule but the one against measuring twice, whether it was published or not,
    and its observations are kept as evidence.
    """
    with locked(project.results):
        desk = _Desk.of(project)
        candidate = _candidate(desk.registry, name)
        row = _row_of(desk.registry, candidate)
        if candidate.state == "retired":
            return desk.left(candidate, _retired(desk, candidate))
        bundle = open_bundle(run)
        before = (
            *_against_the_run(bundle, row),
            *desk.checks.standing(row),
            *desk.checks.of(candidate, row),
        )
        if before:  # of a run that was asked something else there is nothing to be scored
            return desk.left(candidate, *before)
        for folder in (project.evidence, project.candidates):
            ready(folder)
        key = desk.keys.at(row.key.benchmark, row.run.commit)
        asking = Asking(bundle, key, "yes", replace=False, older=False, rehearsal=False)
        with reading(bundle, key, project, jobs=jobs, tell=tell) as read:
            return _validated(desk, candidate, row, asking, read)


def _against_the_run(bundle: Bundle, row: Row) -> Iterator[Finding]:
    """What makes a run another measurement, or no other run, before it is read."""
    manifest, file = bundle.manifest, _name(bundle)
    if manifest.benchmark.id != row.key.benchmark:
        yield Finding(
            "another-benchmark",
            file,
            f"It is a run of {manifest.benchmark.id}, the row one of {row.key.benchmark}.",
            "Name a run of the same benchmark.",
        )
    if manifest.corpus.commit != row.run.commit:
        yield Finding(
            "another-revision",
            file,
            f"It was asked the corpus of commit {manifest.corpus.commit or 'unknown'}, the row "
            f"that of {row.run.commit}.",
            "Run the benchmark again at the commit of the row.",
        )
    if manifest.run == row.run.id or manifest.started == row.run.started:
        yield Finding(
            "same-run",
            file,
            f"The run {manifest.run} is the one that the row comes from, or began in its second.",
            "Name an independent run: what was measured once bears nothing out.",
        )


def _validated(
    desk: _Desk, candidate: Candidate, row: Row, asking: Asking, read: Reading
) -> Outcome:
    bundle, key = asking.bundle, asking.key
    keys = [key_of(bundle.manifest, one.system, key) for one in read.candidates]
    if keys.count(row.key) != 1:
        return desk.left(candidate, _not_one(bundle, row, keys))
    judged = read.candidates[keys.index(row.key)]
    refusals = [
        Finding(refusal.rule.id, _name(bundle), refusal.says.in_english(), refusal.rule.remedy)
        for refusal in judge(facts(judged, read.strays, asking, desk.registry))
        if refusal.rule.id != _TWICE
    ]
    refusals += _against_the_figures(candidate, row, judged, bundle)
    if refusals:
        return desk.left(candidate, *refusals)
    validation = _validation(judged, bundle)
    if candidate.validation == validation:
        return desk.left(candidate)
    if candidate.validation is not None:
        return desk.left(candidate, _validated_already(desk, candidate))
    judged.writer.keep(desk.project, judged.evidence)
    return desk.written(
        candidate.model_copy(update={"validation": validation, "state": "validated"})
    )


_TWICE = "duplicate-row"
"""The rule that does not apply: a claim is borne out by measuring the same once more."""


def _not_one(bundle: Bundle, row: Row, keys: list[Key]) -> Finding:
    number = keys.count(row.key)
    if number:
        return Finding(
            "ambiguous-system",
            _name(bundle),
            f"It has {number} systems that are the same measurement as the row.",
            "Name a run that measured it once, so that none can be chosen.",
        )
    fields = min((elsewhere(row.key, one) for one in keys), key=len)
    return Finding(
        "another-system",
        _name(bundle),
        f"None of its systems is the measurement of the row; the nearest differs in "
        f"{', '.join(fields)}.",
        "Run the same system in the same configuration, as the page of the row has it.",
    )


def _against_the_figures(
    candidate: Candidate, row: Row, judged: Judged, bundle: Bundle
) -> Iterator[Finding]:
    file = _name(bundle)
    if judged.evidence.digest == row.evidence.digest:
        yield Finding(
            "same-observations",
            file,
            "Its observations are those of the row, to the letter.",
            "Name an independent run: a copy bears nothing out.",
        )
    yield from failing(candidate.holds, judged.scores.measures, bundle.manifest.run, file)


def _validation(judged: Judged, bundle: Bundle) -> Validation:
    manifest = bundle.manifest
    if manifest.corpus.commit is None or manifest.finished is None:
        message = "a run without a commit or an end must have been refused"
        raise AssertionError(message)
    return Validation(
        run=manifest.run,
        revision=manifest.corpus.commit,
        digest=judged.evidence.digest,
        lines=judged.evidence.lines,
        system=judged.system.id,
        harness_version=manifest.harness.version,
        started=manifest.started,
        finished=manifest.finished,
        measures=judged.scores.measures,
    )


def promote(project: Project, name: str) -> Outcome:
    """Let the benchmark's page show a claim, after both of its runs were looked at once more."""
    with locked(project.results):
        desk = _Desk.of(project)
        candidate = _candidate(desk.registry, name)
        row = _row_of(desk.registry, candidate)
        if candidate.state == "retired":
            return desk.left(candidate, _retired(desk, candidate))
        promotion = promotion_of(candidate, row)
        if promotion is None:
            return desk.left(candidate, _not_validated(desk, candidate))
        refusals = [*desk.checks.standing(row), *desk.checks.of(candidate, row)]
        if promotion_bytes(project, name) not in (None, promotion.to_json()):
            refusals.append(_edited(desk, name))
        if refusals:
            return desk.left(candidate, *refusals)
        write_promotion(project, promotion)
        return desk.written(candidate.model_copy(update={"state": "promoted"}))


def retire(project: Project, name: str) -> Outcome:
    """Take a claim back for good; only a promotion that nobody has edited is removed."""
    with locked(project.results):
        desk = _Desk.of(project)
        candidate = _candidate(desk.registry, name)
        row = _row_of(desk.registry, candidate)
        promotion = promotion_of(candidate, row)
        lies = promotion_bytes(project, name)
        if lies is not None and (promotion is None or lies != promotion.to_json()):
            return desk.left(candidate, _edited(desk, name))
        done = desk.written(candidate.model_copy(update={"state": "retired"}))
        if lies is not None:
            remove_promotion(project, name)
        return done


def _row(registry: Registry, name: str) -> Row:
    if name not in registry.rows:
        near = [known for known in sorted(registry.rows) if known.startswith(name)]
        raise UsageError(
            f"There is no row {name!r} in the registry.",
            f"Name it in full: {', '.join(near or sorted(registry.rows)) or 'there is none'}.",
        )
    return registry.rows[name]


def _row_of(registry: Registry, candidate: Candidate) -> Row:
    row = registry.rows.get(candidate.evidence.row)
    if row is None:
        raise RegistryError(
            f"The registry has no row {candidate.evidence.row}, which the claim {candidate.id} is "
            "about.",
            "Restore the row from git; a row stays, so that what is said of it can be checked.",
        )
    return row


def _candidate(registry: Registry, name: str) -> Candidate:
    if name not in registry.candidates:
        known = ", ".join(sorted(registry.candidates)) or "none"
        raise UsageError(f"There is no claim {name!r}.", f"Known claims: {known}.")
    return registry.candidates[name]


def _retired(desk: _Desk, candidate: Candidate) -> Finding:
    return Finding(
        "retired-claim",
        desk.checks.place(candidate.id),
        f"The claim {candidate.id} was retired, and that is for good.",
        "Propose another one, under another name.",
    )


def _not_validated(desk: _Desk, candidate: Candidate) -> Finding:
    return Finding(
        "not-validated",
        desk.checks.place(candidate.id),
        "No independent run has borne the claim out yet.",
        f"Run the benchmark again at commit {candidate.evidence.revision}, then results candidate "
        f"validate {candidate.id} RUN.",
    )


def _validated_already(desk: _Desk, candidate: Candidate) -> Finding:
    return Finding(
        "validated-already",
        desk.checks.place(candidate.id),
        f"Other observations than these validated the claim {candidate.id} already.",
        "One run is enough, and it is not chosen from several.",
    )


def _name(bundle: Bundle) -> str:
    return str(bundle.folder)


def _edited(desk: _Desk, name: str) -> Finding:
    return edited_promotion(relative(desk.project, promotion_path(desk.project, name)))
