"""All rows of a registry as one value; what becomes of them is decided without a disk."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from generator.records.base import as_seen
from generator.records.candidate import Candidate, Promotion
from generator.records.comparison import Comparison
from generator.records.key import Key
from generator.records.row import Row, Withdrawal


@dataclass(frozen=True, slots=True)
class Registry:
    """All rows, and what was taken back."""

    rows: Mapping[str, Row]
    withdrawals: Mapping[str, Withdrawal]
    comparisons: Mapping[str, Comparison] = field(default_factory=dict)
    """Of two rows each."""

    candidates: Mapping[str, Candidate] = field(default_factory=dict)
    """Claims about rows, however far they have come."""

    promotions: Mapping[str, Promotion] = field(default_factory=dict)
    """By candidate: what pages show of it."""

    @property
    def superseded(self) -> dict[str, str]:
        """By row: the row that took its place."""
        return {row.supersedes: row.id for row in self.rows.values() if row.supersedes}

    def standing(self) -> tuple[Row, ...]:
        """Rows that are neither withdrawn nor superseded, by id."""
        gone = {*self.withdrawals, *self.superseded}
        return tuple(row for row_id, row in sorted(self.rows.items()) if row_id not in gone)

    def compared(self) -> tuple[Comparison, ...]:
        """Comparisons of which both rows stand, by id."""
        standing = {row.id for row in self.standing()}
        return tuple(
            comparison
            for _, comparison in sorted(self.comparisons.items())
            if {comparison.baseline, comparison.candidate} <= standing
        )

    def promoted(self, benchmark: str) -> tuple[Promotion, ...]:
        """What the page of a benchmark shows of claims, by id."""
        return tuple(
            found for _, found in sorted(self.promotions.items()) if found.benchmark == benchmark
        )

    def same_measurement(self, key: Key) -> Row | None:
        """The standing row of that key."""
        return next((row for row in self.standing() if row.key == key), None)

    def look_alike(self, key: Key) -> Row | None:
        """A standing row of another key that differs from it only in what can't be seen."""
        model = as_seen(key.model)
        return next(
            (
                row
                for row in self.standing()
                if as_seen(row.key.model) == model and row.key != key and row.key.seen == key.seen
            ),
            None,
        )

    def merged(self, rows: Iterable[Row]) -> "Registry":
        """The registry with further rows; what stood, stands."""
        return replace(self, rows={**{row.id: row for row in rows}, **self.rows})

    def comparing(self, comparison: Comparison) -> "Registry":
        """The registry with a further comparison."""
        return replace(self, comparisons={**self.comparisons, comparison.id: comparison})
