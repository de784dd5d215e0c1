"""`check`: prove offline that corpus, evidence, registry and pages agree.

Every finding names a file and what mends it; all of them are reported. A note is no finding: it
says what could not be told here, such as ancestry in a shallow clone.
"""

from dataclasses import dataclass
from itertools import chain

from generator.errors import AssayError, ClaimError
from generator.records.row import Row
from generator.store.project import Project
from generator.store.registry import scan_registry
from generator.workflow.checks.candidates import CandidateChecks
from generator.workflow.checks.comparisons import ComparisonChecks
from generator.workflow.checks.finding import Finding, finding_of
from generator.workflow.checks.pages import Faults, PageChecks
from generator.workflow.checks.rows import RowChecks
from generator.workflow.checks.translations import TranslationChecks
from generator.workflow.reading import Tell
from generator.workflow.render import keys_of


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
    try:
        keys = keys_of(project)
    except AssayError as fault:
        return Report((finding_of(project, fault, "unreadable-benchmark"),), (), 0, 0, 0)
    registry, unreadable = scan_registry(project)
    findings = [_unreadable(project, fault) for fault in unreadable]
    rows = RowChecks(project, registry, keys)
    faulty: list[Row] = []
    for number, row in enumerate(registry.rows.values(), 1):
        found = list(rows.findings(row))
        findings += found
        faulty += [row] if found else []
        tell("checking rows", number, len(registry.rows))
    claims: dict[str, tuple[Finding, ...]] = {}
    if not unreadable:  # what a row that can't be read would have named is not known
        findings += rows.orphans()
        gone = frozenset(row.id for row in faulty)
        findings += ComparisonChecks(project, registry, keys).findings(gone)
        about_claims = CandidateChecks(project, registry, rows)
        claims = about_claims.found(gone)
        findings += (*chain.from_iterable(claims.values()), *about_claims.removed())
    named = {finding.file for finding in findings}
    findings += (finding for finding in rows.rewritten() if finding.file not in named)
    pages = 0
    if not submission:
        tell("drawing pages", 0, 1)
        drawing = PageChecks(
            project, keys, registry, Faults(tuple(faulty), claims, bool(unreadable))
        )
        findings += drawing.findings()
        findings += TranslationChecks(project).findings(keys.here)
        pages = drawing.pages
        tell("drawing pages", 1, 1)
    return Report(tuple(findings), tuple(rows.notes), len(keys.here), len(registry.rows), pages)


def _unreadable(project: Project, fault: AssayError) -> Finding:
    kind = "unreadable-candidate" if isinstance(fault, ClaimError) else "unreadable-row"
    return finding_of(project, fault, kind)
