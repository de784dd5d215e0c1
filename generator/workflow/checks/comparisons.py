"""The comparisons: made once more from the evidence of their two rows."""

from collections.abc import Iterator

from generator.errors import AssayError
from generator.records.bundle import Attempt
from generator.records.comparison import Comparison
from generator.records.registry import Registry
from generator.records.row import Row
from generator.store.evidence import read_evidence
from generator.store.project import Project
from generator.store.registry import comparison_path
from generator.workflow.checks.finding import Finding, relative
from generator.workflow.comparing import compared
from generator.workflow.render import Keys


class ComparisonChecks:
    """Looks at every comparison, and for those that are missing."""

    def __init__(self, project: Project, registry: Registry, keys: Keys) -> None:
        self._project = project
        self._registry = registry
        self._keys = keys

    def findings(self, faulty: frozenset[str]) -> Iterator[Finding]:
        """All that does not agree; of rows that are faulty themselves nothing more is said."""
        wanted = dict(self._wanted(faulty))
        for comparison in self._registry.comparisons.values():
            if not faulty & {comparison.baseline, comparison.candidate}:
                yield from self._of(comparison, wanted.pop(comparison.id, None))
        for lacking in wanted.values():
            yield Finding(
                "missing-comparison",
                self._place(lacking),
                "Both arms of a run stand, and what they say of each other does not.",
                "Restore it from git, or record the run again where its rows are not committed.",
            )

    def _of(self, found: Comparison, again: Comparison | None) -> Iterator[Finding]:
        path = self._place(found)
        if again is None:
            yield Finding(
                "orphan-comparison",
                path,
                "Its rows are not there, or are not the two arms of one run.",
                f"Remove it, or restore the rows {found.baseline} and {found.candidate}.",
            )
        elif again != found:
            yield Finding(
                "edited-comparison",
                path,
                "Made again from the evidence of its rows, it says something else.",
                f"Restore it: git checkout -- {path}",
            )

    def _wanted(self, faulty: frozenset[str]) -> Iterator[tuple[str, Comparison]]:
        """What the rows of each run say of each other, whether they stand or not."""
        runs: dict[tuple[str, str], list[Row]] = {}
        for row in self._registry.rows.values():
            if row.key.configuration.arm is not None and row.id not in faulty:
                runs.setdefault((row.key.benchmark, row.run.id), []).append(row)
        for _, rows in sorted(runs.items()):
            try:
                key = self._keys.of(rows[0])
                made = compared(key, rows, self._attempts)
            except (AssayError, ValueError):
                continue  # what its rows lack is a finding of theirs
            if made is not None:
                yield made.id, made

    def _attempts(self, row: Row) -> Iterator[Attempt]:
        return (observed.attempt for observed in read_evidence(self._project, row.evidence))

    def _place(self, comparison: Comparison) -> str:
        return relative(self._project, comparison_path(self._project, comparison))
