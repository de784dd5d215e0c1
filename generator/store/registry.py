"""The registry: one file a row, never changed once written; withdrawals beside them."""

from collections.abc import Container
from pathlib import Path

from generator.errors import ClaimError, RegistryError
from generator.records.candidate import Promotion
from generator.records.comparison import Comparison
from generator.records.registry import Registry
from generator.records.row import Row, Withdrawal
from generator.store.candidates import promotion_path, scan_candidates
from generator.store.files import entries, read_record, write_once
from generator.store.project import Project

_WITHDRAWN = ".withdrawn.json"
_COMPARISON = ".comparison.json"


def row_path(project: Project, row: Row) -> Path:
    """Where a row lies."""
    return project.registry / row.key.benchmark / f"{row.id}.json"


def comparison_path(project: Project, comparison: Comparison) -> Path:
    """Where a comparison lies: beside its rows."""
    return project.registry / comparison.benchmark / f"{comparison.id}{_COMPARISON}"


def read_registry(project: Project) -> Registry:
    """All rows of a project; a missing registry is an empty one. Raises RegistryError."""
    registry, faults = scan_registry(project)
    if faults:
        raise faults[0]
    return registry


def scan_registry(project: Project) -> tuple[Registry, tuple[RegistryError, ...]]:
    """All that can be read of rows and of claims about them, and everything that can't."""
    rows: dict[str, Row] = {}
    withdrawals: dict[str, Withdrawal] = {}
    comparisons: dict[str, Comparison] = {}
    faults: list[RegistryError] = []
    folders = entries(project.registry, faults)
    for path in [path for folder in folders for path in entries(folder, faults)]:
        if not path.name.endswith(".json"):
            continue
        try:
            if path.name.endswith(_WITHDRAWN):
                withdrawal = read_record(path, Withdrawal)
                _takes_back(path, withdrawal)
                withdrawals[withdrawal.row] = withdrawal
            elif path.name.endswith(_COMPARISON):
                comparison = read_record(path, Comparison)
                _compares(project, path, comparison)
                comparisons[comparison.id] = comparison
            else:
                row = read_record(path, Row)
                _belongs(project, path, row)
                rows[row.id] = row
        except RegistryError as fault:
            faults.append(fault)
    for lost in sorted(set(withdrawals) - set(rows)):
        faults.append(
            RegistryError(
                f"The row {lost} is withdrawn, but its own file is gone or can't be read.",
                "Restore it from git; a withdrawn row stays, so that its page can say why.",
            )
        )
        del withdrawals[lost]
    candidates, promotions, unreadable = scan_candidates(project)
    unreadable += _without_rows(project, promotions, rows)
    return (
        Registry(rows, withdrawals, comparisons, candidates, promotions),
        (*faults, *(ClaimError(fault.what, fault.remedy) for fault in unreadable)),
    )


def _without_rows(
    project: Project, promotions: dict[str, Promotion], rows: Container[str]
) -> list[RegistryError]:
    """Take away what is said of rows that are not there; a fault for each."""
    lost = [name for name, found in sorted(promotions.items()) if found.row not in rows]
    return [
        RegistryError(
            f"{promotion_path(project, name)}: the row {promotions.pop(name).row} that it speaks "
            "of is gone or can't be read.",
            "Restore the row from git; a row stays, so that what is said of it can be checked.",
        )
        for name in lost
    ]


def _belongs(project: Project, path: Path, row: Row) -> None:
    if path != row_path(project, row):
        raise RegistryError(
            f"{path}: it holds the row {row.id!r} of {row.key.benchmark!r}, which belongs at "
            f"{row_path(project, row)}.",
            f"Restore it from git: git checkout -- {path}",
        )


def _takes_back(path: Path, withdrawal: Withdrawal) -> None:
    if path.name != withdrawal.row + _WITHDRAWN:
        raise RegistryError(
            f"{path}: it takes back the row {withdrawal.row!r}, which its name does not say.",
            f"Restore it from git: git checkout -- {path}",
        )


def _compares(project: Project, path: Path, comparison: Comparison) -> None:
    if path != comparison_path(project, comparison) or comparison.id != comparison.expected_id:
        raise RegistryError(
            f"{path}: it compares {comparison.baseline!r} and {comparison.candidate!r} of "
            f"{comparison.benchmark!r}, which its name does not say.",
            f"Restore it from git: git checkout -- {path}",
        )


def write_row(project: Project, row: Row) -> Path:
    """Write a new row; raises StorageError, or RegistryError if another stands in its place."""
    return write_once(row_path(project, row), row)


def write_comparison(project: Project, comparison: Comparison) -> Path:
    """Write what two rows say of each other; raises as `write_row` does."""
    return write_once(comparison_path(project, comparison), comparison)


def write_withdrawal(project: Project, row: Row, withdrawal: Withdrawal) -> Path:
    """Take a row back, beside its file."""
    return write_once(row_path(project, row).with_suffix(_WITHDRAWN), withdrawal)
