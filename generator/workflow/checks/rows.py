"""The rows: judged by the rules and scored from their evidence, once more."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from generator.errors import AssayError, RepositoryError
from generator.families.family import Scores
from generator.provenance.facts import Facts, Standing, Stated, provided
from generator.provenance.rules import judge, listed
from generator.provenance.secrets import found
from generator.records.registry import Registry
from generator.records.row import Row
from generator.store.evidence import evidence_path, read_evidence
from generator.store.lines import Observed
from generator.store.project import Project
from generator.store.registry import row_path
from generator.workflow.checks.finding import Finding, finding_of, relative
from generator.workflow.record import differences
from generator.workflow.render import Keys
from generator.workflow.scoring import AnswerKey, Tally, leaks, tally

Rescored: TypeAlias = Callable[[AnswerKey, Scores], Iterator[Finding]]
"""Finds what is wrong with the figures that stand somewhere, given what they come to again."""


class RowChecks:
    """Looks at one row after the other; git is asked once, and notes are gathered on the way."""

    def __init__(self, project: Project, registry: Registry, keys: Keys) -> None:
        self._project = project
        self._registry = registry
        self._keys = keys
        self._ancestors = project.repo.ancestors()
        self._shallow = project.repo.is_shallow()
        self.notes: list[str] = []
        """What could not be told here; no finding."""

    def findings(self, row: Row) -> Iterator[Finding]:
        """All that does not agree about one row."""
        path = relative(self._project, row_path(self._project, row))
        if row.id != row.expected_id:
            yield Finding(
                "edited-row",
                path,
                f"Its key and evidence make it the row {row.expected_id}.",
                f"Restore it: git checkout -- {path}",
            )
            return
        yield from self._supersession(row, path)
        yield from self.observed(row, path, lambda key, scores: _rescored(row, key, scores, path))

    def observed(self, row: Row, path: str, rescored: Rescored) -> Iterator[Finding]:
        """All that does not agree about the run of a row, told of the file that names the run.

        It need not be a row that lies in the registry: a claim names a run of the same key. What
        its evidence comes to is given to `rescored`.
        """
        try:
            key = self._answer_key(row, path)
        except AssayError as fault:
            if self._shallow:
                self.notes.append(f"{path}: {fault.what} It was not scored again.")
            else:
                yield Finding("unreachable-commit", path, fault.what, fault.remedy)
            return
        if key.files.digest != row.key.corpus:
            yield Finding(
                "changed-corpus",
                path,
                f"At commit {row.run.commit[:16]} the corpus is {key.files.digest[:16]}, the row "
                f"says {row.key.corpus[:16]}.",
                f"Restore the row: git checkout -- {path}",
            )
            return
        yield from self._evidence(row, key, path, rescored)

    def _facts(self, row: Row, key: AnswerKey, scored: Tally, secrets: list[str]) -> Facts:
        """What the rules may see of a row that stands: its own words, and its evidence."""
        return Facts(
            provider=row.key.provider,
            model=row.key.model,
            filter=None,
            asked=scored.asked(key.corpus, row.key.repetitions),
            provided=provided(
                row.key,
                Stated(
                    commit=row.run.commit,
                    corpus=row.key.corpus,
                    contracts=row.key.contracts,
                    finished=row.run.finished,
                ),
                set(row.not_applicable) & self._declared(key),
            ),
            corpus_ran=row.key.corpus,
            corpus_here=key.files.digest,
            contracts_ran=row.key.contracts,
            contracts_here=key.contracts,
            version_ran=row.key.benchmark_version,
            version_here=key.files.benchmark.version,
            status="complete",
            stopped=None,
            trees={"start": row.run.tree_at_start, "end": row.run.tree_at_end},
            stands=_twin(row, self._registry),
            finished=row.run.finished,
            commit=row.run.commit,
            excluded_at_most=key.files.benchmark.excluded_at_most,
            secrets=(
                *(f"{kind}, the row itself" for kind in found(row.to_json())),
                *secrets,
            ),
        )

    def _declared(self, key: AnswerKey) -> set[str]:
        """What does not apply, by the benchmark at the row's commit or now: never by the row."""
        benchmark = key.files.benchmark
        here = self._keys.here.get(benchmark.id)
        now = here.files.benchmark.not_applicable if here else ()
        return {*benchmark.not_applicable, *now}

    def orphans(self) -> Iterator[Finding]:
        """Evidence that neither a row nor a claim names."""
        digests = {row.evidence.digest for row in self._registry.rows.values()}
        digests |= {
            claim.validation.digest
            for claim in self._registry.candidates.values()
            if claim.validation is not None
        }
        named = {evidence_path(self._project, digest) for digest in digests}
        for path in sorted(self._project.evidence.glob("*.jsonl.zst")):
            if path not in named:
                yield Finding(
                    "orphan-evidence",
                    relative(self._project, path),
                    "No row of the registry names this evidence, and no claim about one.",
                    "Remove it, or restore the row or the claim that it belongs to.",
                )

    def rewritten(self) -> Iterator[Finding]:
        """Files of the registry and of evidence that are not as they were first committed.

        What a row says of its run can't be computed again; that nobody changed it, git can tell.
        """
        repo = self._project.repo
        for folder in ("results/registry", "results/evidence"):
            for path, commit in sorted(repo.rewritten(folder).items()):
                what = f"Commit {commit[:16]} changed or removed it" if commit else "It was changed"
                before = f"{commit[:16]}^" if commit else "HEAD"
                yield Finding(
                    "rewritten",
                    path,
                    f"{what}; what was published is never changed.",
                    f"Restore it: git checkout {before} -- {path}",
                )

    def _supersession(self, row: Row, path: str) -> Iterator[Finding]:
        if row.rehearsal:
            yield Finding(
                "rehearsal-row",
                path,
                "A row of a rehearsal stands in the registry.",
                "Remove it, and record the run without --dry-run.",
            )
        if row.supersedes is None:
            return
        earlier = self._registry.rows.get(row.supersedes)
        if earlier is None or earlier is row or earlier.key != row.key:
            yield Finding(
                "broken-supersession",
                path,
                f"It takes the place of {row.supersedes}, which is not a row of the same key.",
                "Restore the registry from git; a superseded row stays in it.",
            )

    def _answer_key(self, row: Row, path: str) -> AnswerKey:
        """The key at the row's commit, which must be part of this history.

        After a squash or a rebase it is not; the same corpus at HEAD then stands in for it.
        """
        commit, benchmark = row.run.commit, row.key.benchmark
        if commit in self._ancestors:
            return self._keys.at(benchmark, commit)
        if self._shallow:
            self.notes.append(
                f"{path}: whether commit {commit[:16]} is part of this history can't be told in a "
                "shallow clone."
            )
            return self._keys.at(benchmark, commit)
        head = self._project.repo.head()
        if head is not None:
            key = self._keys.at(benchmark, head)
            if key.files.digest == row.key.corpus:
                self.notes.append(
                    f"{path}: commit {commit[:16]} is not part of this history, but HEAD holds the "
                    "same corpus."
                )
                return key
        raise RepositoryError(
            f"Commit {commit[:16]} is not part of the history of HEAD.",
            "Merge the branch that holds it; a squash or a rebase takes it away.",
        )

    def _evidence(
        self, row: Row, key: AnswerKey, path: str, rescored: Rescored
    ) -> Iterator[Finding]:
        file = relative(self._project, evidence_path(self._project, row.evidence.digest))
        try:
            secrets: list[str] = []
            scored = tally(
                key, _looked_through(read_evidence(self._project, row.evidence), secrets)
            )
        except AssayError as fault:
            yield finding_of(self._project, fault, "edited-evidence")
            return
        except KeyError as fault:
            yield Finding(
                "edited-evidence",
                file,
                f"It has a case {fault} that the corpus has not.",
                f"Restore it: git checkout -- {file}",
            )
            return
        extra = _extra(row, scored)
        if extra:
            yield Finding(
                "edited-evidence",
                file,
                f"It has more attempts than the cases and repetitions of its row: {extra}.",
                f"Restore it: git checkout -- {file}",
            )
            return
        for refusal in judge(self._facts(row, key, scored, secrets)):
            yield Finding(refusal.rule.id, path, refusal.says.in_english(), refusal.rule.remedy)
        yield from rescored(key, scored.scorer.finish())


def _rescored(row: Row, key: AnswerKey, scores: Scores, path: str) -> Iterator[Finding]:
    """Figures that do not come out again as they were published."""
    again = row.model_copy(
        update={
            "family": key.family.id,
            "standing": key.family.standing,
            "counts": scores.counts,
            "measures": scores.measures,
            "contributions": scores.contributions,
        }
    )
    if again != row:
        wrong = list(differences(row, again))
        said = (
            f"{wrong[0].what} is published as {wrong[0].published}, and scores as "
            f"{wrong[0].measured}"
            if wrong
            else "its family, its standing or its counts are others"
        )
        yield Finding(
            "edited-row",
            path,
            f"Scored again from its evidence, {said} (differences: {len(wrong)}).",
            f"Restore it: git checkout -- {path}",
        )


def _extra(row: Row, scored: Tally) -> str:
    """Attempts that no run of the row's repetitions makes; the empty text where there are none."""
    tries = scored.tries
    beyond = [
        f"{case} #{number}"
        for case in sorted(tries.repetitions)
        if tries.repetitions[case].bit_length() > row.key.repetitions + 1
        for number in tries.made(case)
        if number > row.key.repetitions
    ]
    again = row.evidence.lines - tries.attempts
    return listed(beyond) if beyond else f"{again} made twice" if again else ""


def _looked_through(evidence: Iterable[Observed], secrets: list[str]) -> Iterator[Observed]:
    """The same observations; what looks like a secret in them is noted on the way."""
    for observed in evidence:
        secrets += leaks(observed)
        yield observed


def _twin(row: Row, registry: Registry) -> Standing | None:
    """Another standing row of the same key, as two branches can bring in."""
    twins = [
        other.id for other in registry.standing() if other.key == row.key and other.id != row.id
    ]
    gone = row.id in registry.withdrawals or row.id in registry.superseded
    return Standing(twins[0], stays=False) if twins and not gone else None
