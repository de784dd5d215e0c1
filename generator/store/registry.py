"""The registry: one file a row, never changed once written; withdrawals beside them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from generator.errors import RegistryError
from generator.records.base import Record, fault_in
from generator.records.key import Key
from generator.records.row import Row, Withdrawal
from generator.store.atomic import write
from generator.store.project import Project

_WITHDRAWN = ".withdrawn.json"
_Shape = TypeVar("_Shape", bound=Record)


@dataclass(frozen=True, slots=True)
class Registry:
    """All rows, and what was taken back."""

    rows: Mapping[str, Row]
    withdrawals: Mapping[str, Withdrawal]

    @property
    def superseded(self) -> dict[str, str]:
        """By row: the row that took its place."""
        return {row.supersedes: row.id for row in self.rows.values() if row.supersedes}

    def standing(self) -> tuple[Row, ...]:
        """Rows that are neither withdrawn nor superseded, by id."""
        gone = {*self.withdrawals, *self.superseded}
        return tuple(row for row_id, row in sorted(self.rows.items()) if row_id not in gone)

    def same_measurement(self, key: Key) -> Row | None:
        """The standing row of that key."""
        return next((row for row in self.standing() if row.key == key), None)

    def merged(self, rows: Iterable[Row]) -> "Registry":
        """The registry with further rows; what stood, stands."""
        return Registry({**self.rows, **{row.id: row for row in rows}}, self.withdrawals)


def row_path(project: Project, row: Row) -> Path:
    """Where a row lies."""
    return project.registry / row.key.benchmark / f"{row.id}.json"


def read_registry(project: Project) -> Registry:
    """All rows of a project; a missing registry is an empty one. Raises RegistryError."""
    rows: dict[str, Row] = {}
    withdrawals: dict[str, Withdrawal] = {}
    for path in sorted(project.registry.glob("*/*.json")):
        if path.name.endswith(_WITHDRAWN):
            withdrawal = _read(path, Withdrawal)
            withdrawals[withdrawal.row] = withdrawal
        else:
            row = _read(path, Row)
            if path != row_path(project, row):
                raise RegistryError(
                    f"{path}: it holds the row {row.id!r} of {row.key.benchmark!r}, which belongs "
                    f"at {row_path(project, row)}.",
                    f"Restore it from git: git checkout -- {path}",
                )
            rows[row.id] = row
    lost = sorted(set(withdrawals) - set(rows))
    if lost:
        raise RegistryError(
            f"The row {lost[0]} is withdrawn, but its own file is gone from the registry.",
            "Restore it from git; a withdrawn row stays, so that its page can say why.",
        )
    return Registry(rows, withdrawals)


def write_row(project: Project, row: Row) -> Path:
    """Write a new row; raises StorageError, or RegistryError if another stands in its place."""
    return _write(row_path(project, row), row)


def write_withdrawal(project: Project, row: Row, withdrawal: Withdrawal) -> Path:
    """Take a row back, beside its file."""
    return _write(row_path(project, row).with_suffix(_WITHDRAWN), withdrawal)


def _write(path: Path, record: Record) -> Path:
    content = record.to_json()
    if path.exists() and path.read_bytes() != content:
        raise RegistryError(
            f"{path} stands already and says something else.",
            "What was published is never changed; see results check.",
        )
    if type(record).parse(content) != record:
        message = f"{path}: what was written would be read as something else"
        raise AssertionError(message)
    write(path, content)
    return path


def _read(path: Path, shape: type[_Shape]) -> _Shape:
    remedy = f"Restore it from git: git checkout -- {path}"
    content = path.read_bytes()
    try:
        return shape.parse(content)
    except (ValueError, RecursionError) as fault:
        raise RegistryError(f"{path}: {fault_in(content, fault)}.", remedy) from fault
