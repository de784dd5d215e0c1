"""`check`: prove offline that corpus, evidence, registry and pages agree.

Every finding names a file and what mends it; all of them are reported. A note is no finding: it
says what could not be told here, such as ancestry in a shallow clone.
"""

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from generator.errors import AssayError
from generator.pages.render import is_generated
from generator.pages.words import SOURCE
from generator.provenance.facts import Facts, Standing, provided
from generator.provenance.rules import judge
from generator.records.registry import Registry
from generator.records.row import Row
from generator.store.corpus import prose
from generator.store.evidence import evidence_path, read_evidence
from generator.store.project import Project
from generator.store.registry import row_path, scan_registry
from generator.store.site import Difference, differences
from generator.workflow.candidates import Tell
from generator.workflow.record import differences as figures_that_differ
from generator.workflow.render import (
    Keys,
    drawn,
    front_matter,
    keys_of,
    prose_digest,
    spoken_words,
)
from generator.workflow.scoring import AnswerKey, Tally, tally


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that does not agree."""

    id: str
    file: str
    """Relative to the root of the project."""

    what: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found."""

    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    benchmarks: int
    rows: int
    pages: int


def check(project: Project, *, submission: bool = False, tell: Tell = lambda *_: None) -> Report:
    """Check everything; with `submission` all but the pages, which a pull request leaves out."""
    checking = _Checking(project)
    try:
        keys = keys_of(project)
    except AssayError as fault:
        return Report((_of(project, fault, "unreadable-benchmark"),), (), 0, 0, 0)
    registry, faults = scan_registry(project)
    findings = [_of(project, fault, "unreadable-row") for fault in faults]
    for number, row in enumerate(registry.rows.values(), 1):
        findings += checking.row(row, registry, keys)
        tell("checking rows", number, len(registry.rows))
    findings += checking.orphans(registry)
    count = 0
    if not submission and not findings:
        tell("drawing pages", 0, 1)
        pages = drawn(project, registry=registry, keys=keys)
        count = len(pages.pages)
        for difference in differences(project, pages.pages, is_generated):
            findings.append(checking.page(difference))
        for locale, messages in pages.missing.items():
            findings += (
                Finding(
                    "missing-message",
                    f"locales/{locale.replace('-', '_')}/LC_MESSAGES/messages.po",
                    f"The locale {locale} does not say: {message!r}.",
                    "Translate it in that catalogue, then run results render.",
                )
                for message in sorted(messages)
            )
        tell("drawing pages", 1, 1)
    if not submission:
        findings += checking.translations(keys)
        if findings and not count:
            checking.notes.append(
                "The pages were not looked at, since they are drawn from what was found wrong."
            )
    return Report(tuple(findings), tuple(checking.notes), len(keys.here), len(registry.rows), count)


class _Checking:
    """What is asked of git once, and the notes gathered on the way."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.notes: list[str] = []
        self.ancestors = project.repo.ancestors()
        self.shallow = project.repo.is_shallow()

    def row(self, row: Row, registry: Registry, keys: Keys) -> Iterator[Finding]:
        """All that does not agree about one row."""
        path = self._relative(row_path(self.project, row))
        if row.id != row.expected_id:
            yield Finding(
                "edited-row",
                path,
                f"Its key and evidence make it the row {row.expected_id}.",
                f"Restore it: git checkout -- {path}",
            )
            return
        yield from self._supersession(row, registry, path)
        yield from self._commit(row, path)
        try:
            key = keys.at(row.key.benchmark, row.run.commit)
        except AssayError as fault:
            if self.shallow:
                self.notes.append(f"{path}: {fault.what} It was not scored again.")
                return
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
        yield from self._evidence(row, registry, key, path)

    def orphans(self, registry: Registry) -> Iterator[Finding]:
        """Evidence that no row names."""
        named = {evidence_path(self.project, row.evidence.digest) for row in registry.rows.values()}
        for path in sorted(self.project.evidence.glob("*.jsonl.zst")):
            if path not in named:
                yield Finding(
                    "orphan-evidence",
                    self._relative(path),
                    "No row of the registry names this evidence.",
                    "Remove it, or restore the row that it belongs to.",
                )

    def page(self, difference: Difference) -> Finding:
        """A page that is not what would be drawn."""
        file = self._relative(difference.path)
        if difference.drawn is None:
            return Finding("orphan-page", file, "Nothing draws this page.", "results render")
        if difference.found is None:
            return Finding("missing-page", file, "The page is not there.", "results render")
        return Finding(
            "edited-page",
            file,
            f"The page is not what the repository draws: {_first_change(difference)}",
            "Edit the source that its second line names, then run results render.",
        )

    def translations(self, keys: Keys) -> Iterator[Finding]:
        """Prose that is missing, or behind the source text."""
        for benchmark in keys.here:
            source = prose(self.project, benchmark, SOURCE)
            if source is None:
                continue
            digest = prose_digest(source)
            for words in spoken_words(self.project):
                file = f"results/benchmarks/{benchmark}/about.{words.locale}.md"
                text = prose(self.project, benchmark, words.locale)
                if text is None:
                    yield Finding(
                        "missing-translation",
                        file,
                        "There is no text about the benchmark in this locale.",
                        f"Translate about.{SOURCE}.md, and name source_digest: {digest}",
                    )
                elif words.locale != SOURCE:
                    named = front_matter(text)[0].get("source_digest")
                    if named != digest:
                        yield Finding(
                            "stale-translation",
                            file,
                            f"It translates the text {named}; the English text is {digest} now.",
                            f"Bring it up to date, and name source_digest: {digest}",
                        )

    def _supersession(self, row: Row, registry: Registry, path: str) -> Iterator[Finding]:
        if row.rehearsal:
            yield Finding(
                "rehearsal-row",
                path,
                "A row of a rehearsal stands in the registry.",
                "Remove it, and record the run without --dry-run.",
            )
        if row.supersedes is None:
            return
        earlier = registry.rows.get(row.supersedes)
        if earlier is None or earlier.key != row.key:
            yield Finding(
                "broken-supersession",
                path,
                f"It takes the place of {row.supersedes}, which is not a row of the same key.",
                "Restore the registry from git; a superseded row stays in it.",
            )

    def _commit(self, row: Row, path: str) -> Iterator[Finding]:
        if row.run.commit in self.ancestors:
            return
        if self.shallow:
            self.notes.append(
                f"{path}: whether commit {row.run.commit[:16]} is part of this history can't be "
                "told in a shallow clone."
            )
            return
        yield Finding(
            "unreachable-commit",
            path,
            f"Commit {row.run.commit[:16]} is not part of the history of HEAD.",
            "Merge the branch that holds it; a squash or a rebase takes it away.",
        )

    def _evidence(
        self, row: Row, registry: Registry, key: AnswerKey, path: str
    ) -> Iterator[Finding]:
        file = self._relative(evidence_path(self.project, row.evidence.digest))
        try:
            scored = tally(key, read_evidence(self.project, row.evidence))
        except AssayError as fault:
            yield Finding("edited-evidence", file, fault.what, fault.remedy)
            return
        except KeyError as fault:
            yield Finding(
                "edited-evidence",
                file,
                f"It has a case {fault} that the corpus has not.",
                f"Restore it: git checkout -- {file}",
            )
            return
        for refusal in judge(_facts(row, registry, key, scored)):
            yield Finding(refusal.rule.id, path, refusal.says.in_english(), refusal.rule.remedy)
        scores = scored.scorer.finish()
        again = row.model_copy(
            update={"measures": scores.measures, "contributions": scores.contributions}
        )
        wrong = list(figures_that_differ(row, again))
        if wrong or scores.counts != row.counts:
            first = wrong[0] if wrong else None
            said = (
                f"{first.what} is published as {first.published}, and scores as {first.measured}"
                if first
                else "its counts are not those of its evidence"
            )
            yield Finding(
                "edited-row",
                path,
                f"Scored again from its evidence, {said} ({len(wrong)} differences).",
                f"Restore it: git checkout -- {path}",
            )

    def _relative(self, path: Path) -> str:
        return path.relative_to(self.project.root).as_posix()


def _facts(row: Row, registry: Registry, key: AnswerKey, scored: Tally) -> Facts:
    """What the rules may see of a row that stands: its own words, and its evidence."""
    return Facts(
        provider=row.key.provider,
        model=row.key.model,
        filter=None,
        asked=scored.asked(key.corpus, row.key.repetitions),
        provided=provided(
            row.key,
            commit=row.run.commit,
            corpus=row.key.corpus,
            contracts=row.key.contracts,
            not_applicable=row.not_applicable,
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
        stands=_twin(row, registry),
    )


def _twin(row: Row, registry: Registry) -> Standing | None:
    """Another standing row of the same key, as two branches can bring in."""
    twins = [
        other.id for other in registry.standing() if other.key == row.key and other.id != row.id
    ]
    gone = row.id in registry.withdrawals or row.id in registry.superseded
    return Standing(twins[0], same_evidence=False) if twins and not gone else None


def _first_change(difference: Difference) -> str:
    drawn_lines = (difference.drawn or "").splitlines()
    found_lines = (difference.found or "").replace("\r\n", "\n").splitlines()
    changes: Iterable[str] = difflib.unified_diff(found_lines, drawn_lines, lineterm="", n=0)
    lines = [line[:120] for line in changes if line[:1] in "+-" and line[:3] not in {"---", "+++"}]
    return " ".join(lines[:2])


def _of(project: Project, fault: AssayError, finding: str) -> Finding:
    prefix = f"{project.root}/"
    what, remedy = fault.what.replace(prefix, ""), fault.remedy.replace(prefix, "")
    return Finding(finding, what.split(": ", 1)[0].split(" ", 1)[0], what, remedy)
