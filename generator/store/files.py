"""Files that hold one record each: listed, read strictly, and written so that they read back."""

from pathlib import Path
from typing import TypeVar

from generator.errors import RegistryError
from generator.records.base import Record, fault_in
from generator.store.atomic import told, write

_Shape = TypeVar("_Shape", bound=Record)


def entries(folder: Path, faults: list[RegistryError]) -> list[Path]:
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


def read_record(path: Path, shape: type[_Shape]) -> _Shape:
    """The record that a file holds; raises RegistryError."""
    remedy = f"Restore it from git: git checkout -- {path}"
    if path.is_fifo():  # reading it would wait for somebody who writes
        raise RegistryError(f"{path} is no regular file.", "Remove it, or restore it from git.")
    try:
        content = path.read_bytes()
    except OSError as fault:
        raise RegistryError(f"{path} can't be read: {fault.strerror}.", remedy) from fault
    try:
        return shape.parse(content)
    except (ValueError, RecursionError) as fault:
        raise RegistryError(f"{path}: {fault_in(content, fault)}.", remedy) from fault


def write_once(path: Path, record: Record) -> Path:
    """Write a record where none stands; raises StorageError, or RegistryError for another one."""
    with told(path):
        before = path.read_bytes() if path.exists() else None
    if before not in (None, record.to_json()):
        raise RegistryError(
            f"{path} stands already and says something else.",
            "What was published is never changed; see results check.",
        )
    return write_record(path, record)


def write_record(path: Path, record: Record) -> Path:
    """Write a record in the place of whatever stands there; raises StorageError."""
    content = record.to_json()
    if type(record).parse(content) != record:
        message = f"{path}: what was written would be read as something else"
        raise AssertionError(message)
    write(path, content)
    return path
