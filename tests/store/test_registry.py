import errno
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from generator.errors import RegistryError
from generator.records.row import Row, Withdrawal
from generator.store.registry import (
    read_registry,
    row_path,
    scan_registry,
    write_row,
    write_withdrawal,
)
from tests.conftest import Kit, edit_json


def rows_of(kit: Kit) -> list[Row]:
    """Both rows that stand."""
    return list(read_registry(kit.project).rows.values())


def withdrawal_of(row: Row, why: str = "It was a mistake.") -> Withdrawal:
    """A withdrawal of a row."""
    return Withdrawal(
        format="assay.withdrawal/1",
        row=row.id,
        withdrawn="2026-03-18T10:00:00Z",
        by="Nobody In Particular",
        why=why,
    )


def test_a_missing_registry_is_an_empty_one(tmp_path: Path) -> None:
    """Before anything is published there is nothing, and that is no fault."""
    registry, faults = scan_registry(Kit(tmp_path).project)
    assert (dict(registry.rows), dict(registry.withdrawals), faults) == ({}, {}, ())


def test_one_file_is_one_row(published: Kit) -> None:
    """Each row lies under its benchmark, by its own id, and is read as it was written."""
    rows = rows_of(published)
    assert [row.key.revision for row in rows] == ["1.0", "2.0"]
    assert published.row_files() == [row_path(published.project, row) for row in rows]
    for row in rows:
        path = row_path(published.project, row)
        assert path.parent.name == "greetings"
        assert path.stem == row.id
        assert path.read_bytes() == row.to_json()


def test_a_row_is_never_changed(published: Kit) -> None:
    """Writing the same row again is nothing; writing another in its place is refused."""
    row = rows_of(published)[0]
    before = row_path(published.project, row).read_bytes()
    write_row(published.project, row)
    with pytest.raises(RegistryError, match="stands already and says something else"):
        write_row(published.project, row.model_copy(update={"measures": ()}))
    assert row_path(published.project, row).read_bytes() == before


def test_a_withdrawal_lies_beside_its_row(published: Kit) -> None:
    """Taking back is a file of its own; the row's file stays as it is."""
    row, other = rows_of(published)
    before = row_path(published.project, row).read_bytes()
    path = write_withdrawal(published.project, row, withdrawal_of(row))
    assert path == row_path(published.project, row).with_name(f"{row.id}.withdrawn.json")
    assert row_path(published.project, row).read_bytes() == before
    registry = read_registry(published.project)
    assert registry.withdrawals == {row.id: withdrawal_of(row)}
    assert registry.standing() == (other,)


def test_a_withdrawal_is_never_changed(published: Kit) -> None:
    """Nobody takes a row back a second time for another reason."""
    row = rows_of(published)[0]
    write_withdrawal(published.project, row, withdrawal_of(row))
    with pytest.raises(RegistryError, match="says something else"):
        write_withdrawal(published.project, row, withdrawal_of(row, why="For another reason."))


def moves_to_another_folder(path: Path) -> None:
    """Put a row under a benchmark that is not its own."""
    folder = path.parent.with_name("farewells")
    folder.mkdir()
    path.rename(folder / path.name)


def becomes_a_folder(path: Path) -> None:
    """Put a folder in the place of a file."""
    path.unlink()
    path.mkdir()


def becomes_a_dead_link(path: Path) -> None:
    """Put a link that leads nowhere in the place of a file."""
    path.unlink()
    path.symlink_to("nowhere")


SPOILT: dict[str, tuple[Callable[[Path], object], str]] = {
    "empty": (lambda path: path.write_bytes(b""), ""),
    "no-json": (lambda path: path.write_bytes(b"row"), ""),
    "cut-off": (lambda path: path.write_bytes(path.read_bytes()[:-50]), ""),
    "not-utf8": (lambda path: path.write_bytes(path.read_bytes().replace(b"pypi", b"\xff")), ""),
    "too-deep": (lambda path: path.write_bytes(b"[" * 100_000), ""),
    "conflict": (
        lambda path: path.write_bytes(path.read_bytes().replace(b"\n", b"\n<<<<<<< HEAD\n", 1)),
        "line 2 is a conflict marker of git",
    ),
    "newer-format": (
        lambda path: edit_json(path, lambda row: row.update(format="assay.row/2")),
        "its format is 'assay.row/2', and this version of assay reads 'assay.row/1'",
    ),
    "unknown-key": (lambda path: edit_json(path, lambda row: row.update(stars=5)), "at stars: "),
    "more-than-all": (
        lambda path: edit_json(path, lambda row: row["measures"][0].update(numerator=9)),
        "9 of 4 is more than all",
    ),
    "key-twice": (
        lambda path: path.write_bytes(path.read_bytes().replace(b"{", b'{"id": "x",', 1)),
        "the key 'id' stands twice",
    ),
    "another-name": (
        lambda path: path.rename(path.with_name("another-name.json")),
        "which belongs at",
    ),
    "another-id": (
        lambda path: edit_json(path, lambda row: row.update(id="another-id")),
        "which belongs at",
    ),
    "another-folder": (
        moves_to_another_folder,
        "which belongs at",
    ),
    "a-folder": (becomes_a_folder, "can't be read: Is a directory"),
    "a-dead-link": (becomes_a_dead_link, "can't be read: No such file"),
}


@pytest.mark.parametrize(("spoil", "said"), SPOILT.values(), ids=SPOILT)
def test_a_row_that_is_not_sound_is_found(
    published: Kit, spoil: Callable[[Path], object], said: str
) -> None:
    """One spoilt row is one fault, which names the file and how to mend it; the other is read."""
    path, other = published.row_files()
    spoil(path)
    registry, faults = scan_registry(published.project)
    (fault,) = faults
    place = next(found for found in published.project.registry.rglob("*.json") if found != other)
    assert fault.what.startswith(str(place))
    assert said in fault.what
    assert fault.remedy.startswith("Restore it from git: git checkout -- ")
    assert fault.code == 5
    assert list(registry.rows) == [other.stem]
    with pytest.raises(RegistryError):
        read_registry(published.project)


def test_all_faults_are_told_at_once(published: Kit) -> None:
    """One fault hides no other."""
    for path in published.row_files():
        path.write_bytes(b"{}")
    folder = published.row_files()[0].parent
    (folder / "gone.withdrawn.json").write_bytes(b"{}")
    registry, faults = scan_registry(published.project)
    assert not registry.rows
    assert len(faults) == 3


def test_a_withdrawal_without_its_row_is_found(published: Kit) -> None:
    """A withdrawn row stays, so that its page can say why."""
    row = rows_of(published)[0]
    write_withdrawal(published.project, row, withdrawal_of(row))
    row_path(published.project, row).unlink()
    registry, faults = scan_registry(published.project)
    assert [fault.what for fault in faults] == [
        f"The row {row.id} is withdrawn, but its own file is gone or can't be read."
    ]
    assert not registry.withdrawals


def test_a_withdrawal_of_another_row_than_its_name_says_is_found(published: Kit) -> None:
    """A withdrawal takes back the row that it lies beside, and no other."""
    row, other = rows_of(published)
    path = write_withdrawal(published.project, row, withdrawal_of(row))
    edit_json(path, lambda withdrawal: withdrawal.update(row=other.id))
    registry, faults = scan_registry(published.project)
    (fault,) = faults
    assert fault.what == (
        f"{path}: it takes back the row {other.id!r}, which its name does not say."
    )
    assert len(registry.standing()) == 2


def test_other_files_are_no_rows(published: Kit) -> None:
    """A note or a temp file in the registry is not taken for a row."""
    folder = published.row_files()[0].parent
    (folder / "README.md").write_text("Rows.")
    (folder / ".assay-tmp-0123").write_text("half a row")
    assert len(rows_of(published)) == 2


@pytest.mark.parametrize("place", [".", "greetings"])
def test_a_folder_that_can_not_be_read_is_not_an_empty_one(
    published: Kit, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """Where nobody can tell what stands, that is said, and no row is taken for a new one."""
    folder = published.project.registry / place
    own = Path.iterdir

    def refusing(path: Path) -> Iterator[Path]:
        if path == folder:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return own(path)

    monkeypatch.setattr(Path, "iterdir", refusing)
    with pytest.raises(RegistryError) as caught:
        read_registry(published.project)
    assert caught.value.what == f"{folder} can't be read: Permission denied."


def test_the_order_of_the_disk_does_not_matter(published: Kit) -> None:
    """Rows come by name, in whatever order their files were made."""
    before = list(read_registry(published.project).rows)
    files = {path: path.read_bytes() for path in published.row_files()}
    shutil.rmtree(published.project.registry)
    for path in sorted(files, reverse=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(files[path])
    assert list(read_registry(published.project).rows) == before
