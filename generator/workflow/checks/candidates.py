"""The claims about rows: both of their runs once more, and what pages show of them.

The same questions are asked when a claim is proposed, validated and promoted, so that no claim
comes further than `results check` would let it stand.
"""

from collections.abc import Iterable, Iterator

from generator.families.family import Scores
from generator.provenance.rules import listed
from generator.provenance.secrets import found
from generator.records.base import HEX_ON_PAGES, decimal_text
from generator.records.candidate import (
    Bound,
    Candidate,
    Cited,
    Pointed,
    Validation,
    cited,
    promotion_of,
)
from generator.records.measure import Measure
from generator.records.registry import Registry
from generator.records.row import Row, RunFacts
from generator.store.candidates import PROMOTED, candidate_path, promotion_bytes, promotion_path
from generator.store.evidence import evidence_path
from generator.store.project import Project
from generator.store.registry import row_path
from generator.workflow.checks.finding import Finding, relative
from generator.workflow.checks.rows import RowChecks
from generator.workflow.record import in_short
from generator.workflow.scoring import AnswerKey

_KEPT = ("benchmark", "description", "applicability", "claim", "holds", "evidence")
"""Fields of a claim that never change."""


class CandidateChecks:
    """Looks at one claim after the other."""

    def __init__(self, project: Project, registry: Registry, rows: RowChecks) -> None:
        self._project = project
        self._registry = registry
        self._rows = rows

    def found(self, faulty: frozenset[str]) -> dict[str, tuple[Finding, ...]]:
        """By the id of each claim that does not agree: all that does not.

        Of a claim about a row that is faulty itself nothing more is said.
        """
        names = sorted({*self._registry.candidates, *self._registry.promotions})
        every = {name: tuple(self._findings(name, faulty)) for name in names}
        return {name: findings for name, findings in every.items() if findings}

    def _findings(self, name: str, faulty: frozenset[str]) -> Iterator[Finding]:
        candidate = self._registry.candidates.get(name)
        if candidate is None:
            yield Finding(
                "orphan-promotion",
                relative(self._project, promotion_path(self._project, name)),
                "There is no claim of that id.",
                "Remove it, or restore the claim that it belongs to.",
            )
            return
        row = self._registry.rows.get(candidate.evidence.row)
        if row is None:
            yield Finding(
                "orphan-candidate",
                self.place(name),
                f"The registry has no row {candidate.evidence.row}, which it is about.",
                "Restore the row from git, or remove the claim if it was never committed.",
            )
        elif row.id not in faulty:
            yield from list(self.of(candidate, row)) or self._promotion(candidate, row)

    def of(self, candidate: Candidate, row: Row) -> Iterator[Finding]:
        """What a claim says of its two runs that they do not bear out; the row is not scored."""
        file = self.place(candidate.id)
        restore = f"Restore it: git checkout -- {file}"
        if candidate.benchmark != row.key.benchmark:
            yield Finding(
                "edited-candidate",
                file,
                f"It names the benchmark {candidate.benchmark}; its row is one of "
                f"{row.key.benchmark}.",
                restore,
            )
        yield from differing("edited-candidate", candidate.evidence, row, file, restore)
        yield from self._since_committed(candidate, file)
        yield from leaking(candidate, file)
        yield from failing(candidate.holds, row.measures, row.run.id, file)
        if candidate.validation is not None:
            yield from self._second(candidate, candidate.validation, row, file)

    def removed(self) -> Iterator[Finding]:
        """Claims that git has, and the work tree has not: one that is taken back stays."""
        folder = relative(self._project, self._project.candidates)
        for path in sorted(self._project.repo.rewritten(folder)):
            claim = path.endswith(".json") and not path.endswith(PROMOTED)
            if claim and not (self._project.root / path).exists():
                yield Finding(
                    "removed-candidate",
                    path,
                    "The claim was committed, and its file is gone.",
                    "Restore it from git; to take a claim back: results candidate retire.",
                )

    def _since_committed(self, candidate: Candidate, file: str) -> Iterator[Finding]:
        """What a claim said when it was committed, and does not say any more."""
        for content in self._project.repo.versions(file):
            if content is None:
                continue
            try:
                before = Candidate.parse(content)
            except ValueError:
                continue  # of an unreadable version nothing can be said
            changed = [name for name in _KEPT if getattr(before, name) != getattr(candidate, name)]
            if before.validation not in (None, candidate.validation):
                changed.append("validation")
            if before.state == "retired" != candidate.state:
                changed.append("state")
            if changed:
                yield Finding(
                    "edited-candidate",
                    file,
                    f"A committed version of it has another {', '.join(changed)}.",
                    f"Restore it: git checkout -- {file}",
                )
                return

    def standing(self, row: Row) -> Iterator[Finding]:
        """What keeps a row from bearing out a claim: it must stand, and be sound once more."""
        file = relative(self._project, row_path(self._project, row))
        if row.id in self._registry.withdrawals or row.id in self._registry.superseded:
            yield Finding(
                "fallen-row",
                file,
                "The row does not stand: it was withdrawn, or another took its place.",
                "Claim something about a row that stands.",
            )
        if self._project.repo.reaches(row.run.commit) != "yes":
            yield Finding(
                "unreachable-commit",
                file,
                f"Commit {row.run.commit[:HEX_ON_PAGES]} can't be seen to be part of the history "
                "of HEAD.",
                "Check out a branch with the commit and its whole history.",
            )
            return
        yield from self._rows.findings(row)
        own = {
            file,
            relative(self._project, evidence_path(self._project, row.evidence.digest)),
        }
        yield from (finding for finding in self._rows.rewritten() if finding.file in own)

    def place(self, name: str) -> str:
        """The file of a claim, as findings name it."""
        return relative(self._project, candidate_path(self._project, name))

    def _second(
        self, candidate: Candidate, second: Validation, row: Row, file: str
    ) -> Iterator[Finding]:
        """What the validating run does not bear out; its evidence is scored again."""
        if (
            second.run == row.run.id
            or second.digest == row.evidence.digest
            or second.revision != row.run.commit
        ):
            yield Finding(
                "edited-candidate",
                file,
                "The run that validates it is not another one at the commit of its row.",
                f"Restore it: git checkout -- {file}",
            )
            return

        def rescored(_key: AnswerKey, scores: Scores) -> Iterator[Finding]:
            if scores.measures != second.measures:
                yield Finding(
                    "edited-candidate",
                    file,
                    "The validating run, scored again from its evidence, has other measures.",
                    f"Restore it: git checkout -- {file}",
                )

        for finding in self._rows.observed(as_row(row, second), file, rescored):
            if finding.id != "duplicate-row":  # the row of the claim is the same measurement
                yield finding
        yield from failing(candidate.holds, second.measures, second.run, file)

    def _promotion(self, candidate: Candidate, row: Row) -> Iterator[Finding]:
        """A promotion that is missing, edited, or there although it should not be."""
        file = relative(self._project, promotion_path(self._project, candidate.id))
        found = promotion_bytes(self._project, candidate.id)
        if candidate.state != "promoted":
            if found is not None:
                verb = "retire" if candidate.state == "retired" else "promote"
                yield Finding(
                    "orphan-promotion",
                    file,
                    f"The claim that it belongs to is {candidate.state}.",
                    f"Run results candidate {verb} {candidate.id} again, which ends what was "
                    "begun.",
                )
            return
        promotion = promotion_of(candidate, row)
        if found is None:
            yield Finding(
                "missing-promotion",
                file,
                "The claim that it belongs to is promoted, and it is not there.",
                f"Restore it from git, or run results candidate promote {candidate.id} again.",
            )
        elif promotion is None or found != promotion.to_json():
            yield edited_promotion(file)


def edited_promotion(file: str) -> Finding:
    """That a promotion is not what its claim and row make of it."""
    return Finding(
        "edited-promotion",
        file,
        "It is not what the claim and its row make of it: somebody edited it.",
        f"Restore it: git checkout -- {file}",
    )


def differing(
    finding: str, given: Cited | Pointed, row: Row, file: str, remedy: str
) -> Iterator[Finding]:
    """Facts of a row that are given otherwise than the row has them; what is not given is not."""
    true = cited(row).plain()
    for name, said in given.plain().items():
        if said != true[name]:
            yield Finding(
                finding,
                file,
                f"At evidence.{name} it says {said}; the row {row.id} has {true[name]}.",
                remedy,
            )


def leaking(candidate: Candidate, file: str) -> Iterator[Finding]:
    """What looks like a secret in the words of a claim."""
    secrets = list(found(candidate.to_json()))
    if secrets:
        yield Finding(
            "leaked-secret",
            file,
            f"What looks like a secret would be published: {listed(secrets)}.",
            "Take it out; what has been published can't be taken back.",
        )


def failing(
    holds: Iterable[Bound], measures: Iterable[Measure], run: str, file: str
) -> Iterator[Finding]:
    """Bounds of a claim that the figures of a run do not keep."""
    by_id = {measure.id: measure for measure in measures}
    for bound in holds:
        measure = by_id.get(bound.measure)
        if measure is None:
            yield Finding(
                "unknown-measure",
                file,
                f"The run {run} has no measure {bound.measure}; it has {listed(sorted(by_id))}.",
                "Claim something about a measure that the row has; see results score ROW.",
            )
        elif not bound.holds(measure):
            yield Finding(
                "claim-fails",
                file,
                f"In the run {run} the figure of {bound.measure} is {in_short(measure)}; claimed "
                f"is {bound_in_short(bound)}.",
                "Claim what the figures bear out, or nothing.",
            )


def bound_in_short(bound: Bound) -> str:
    """A bound in a few plain words, for the terminal."""
    ends = [
        f"{word} {decimal_text(end)}"
        for word, end in (("at least", bound.min), ("at most", bound.max))
        if end is not None
    ]
    return " and ".join(ends)


def as_row(row: Row, second: Validation) -> Row:
    """The row that a validating run would be, to be judged like one; its figures are not its own.

    That its tree was clean is what let it validate anything.
    """
    clean = row.run.tree_at_start
    run = RunFacts(
        id=second.run,
        started=second.started,
        finished=second.finished,
        system=second.system,
        harness_version=second.harness_version,
        commit=second.revision,
        tree_at_start=clean,
        tree_at_end=clean,
    )
    return row.model_copy(update={"run": run, "evidence": second.evidence, "supersedes": None})
