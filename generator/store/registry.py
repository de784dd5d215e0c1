"""The registry: one file a row, never changed once written; withdrawals beside them."""

from pathlib import Path
from typing import TypeVar

from generator.errors import RegistryError
from generator.records.base import Record, fault_in
from generator.records.comparison import Comparison
from generator.records.registry import Registry
from generator.records.row import Row, Withdrawal
from generator.store.atomic import told, write
from generator.store.project import Project

_WITHDRAWN = ".withdrawn.json"
_COMPARISON = ".comparison.json"
_Shape = TypeVar("_Shape", bound=Record)


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
    """All that can be read of the registry, and everything that can't."""
    rows: dict[str, Row] = {}
    withdrawals: dict[str, Withdrawal] = {}
    comparisons: dict[str, Comparison] = {}
    faults: list[RegistryError] = []
    folders = _entries(project.registry, faults)
    for path in [path for folder in folders for path in _entries(folder, faults)]:
        if not path.name.endswith(".json"):
            continue
        try:
            if path.name.endswith(_WITHDRAWN):
                withdrawal = _read(path, Withdrawal)
                _takes_back(path, withdrawal)
                withdrawals[withdrawal.row] = withdrawal
            elif path.name.endswith(_COMPARISON):
                comparison = _read(path, Comparison)
                _compares(project, path, comparison)
                comparisons[comparison.id] = comparison
            else:
                row = _read(path, Row)
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
    return Registry(rows, withdrawals, comparisons), tuple(faults)


def _entries(folder: Path, faults: list[RegistryError]) -> list[Path]:
    """What lies in a folder, by name; nothing where there is none, and a fault is never nothing."""
    try:
        return sorted(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as fault:
        faults.append(
            RegistryError(
                f"{folder} can't be read: {fault.strerror}.",
                "Give yourself permission to read it, or restore it from git.",
            )
        )
        return []


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
    return _write(row_path(project, row), row)


def write_comparison(project: Project, comparison: Comparison) -> Path:
    """Write what two rows say of each other; raises as `write_row` does."""
    return _write(comparison_path(project, comparison), comparison)


def write_withdrawal(project: Project, row: Row, withdrawal: Withdrawal) -> Path:
    """Take a row back, beside its file."""
    return _write(row_path(project, row).with_suffix(_WITHDRAWN), withdrawal)


def _write(path: Path, record: Record) -> Path:
    content = record.to_json()
    with told(path):
        before = path.read_bytes() if path.exists() else content
    if before != content:
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
    try:
        content = path.read_bytes()
    except OSError as fault:
        raise RegistryError(f"{path} can't be read: {fault.strerror}.", remedy) from fault
    try:
        return shape.parse(content)
    except (ValueError, RecursionError) as fault:
        raise RegistryError(f"{path}: {fault_in(content, fault)}.", remedy) from fault
