import contextlib
import errno
import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest
import zstandard

from generator.errors import RegistryError, StorageError
from generator.records.bundle import Attempt
from generator.records.row import Evidence
from generator.store import evidence as module
from generator.store.evidence import evidence_path, evidence_writer, read_evidence
from generator.store.lines import write_attempt
from generator.store.project import Project

LINES = [
    write_attempt(
        Attempt(id=f"first/hey/{n}", case="hey", system="first", repetition=n, outcome="completed")
    )
    for n in range(1, 4)
]
WHOLE = b"".join(line + b"\n" for line in LINES)

FULL = """\
import os, resource, sys
from pathlib import Path
from generator.errors import StorageError
from generator.store.evidence import evidence_writer
from generator.store.project import Project

resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))
try:
    with evidence_writer(Project(Path(sys.argv[1]))) as writer:
        for _ in range(1_000):
            writer.add(os.urandom(1_000) + b"\\n")
        writer.close()
except StorageError as fault:
    print(fault.what)
"""


def becomes_a_folder(path: Path) -> None:
    """Put a folder in the place of a file."""
    path.unlink()
    path.mkdir()


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project of which only its evidence matters."""
    return Project(tmp_path)


def refusing(*_: object) -> NoReturn:
    """What a full disk answers."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def kept(project: Project, lines: list[bytes] = LINES) -> Evidence:
    """Evidence of some lines, in its place."""
    with evidence_writer(project) as writer:
        writer.add(b"".join(line + b"\n" for line in lines))
        evidence = writer.close()
        writer.keep(project, evidence)
    return evidence


def refused(project: Project, evidence: Evidence) -> str:
    """What is said of evidence that can't be read; how to mend it is said too."""
    path = evidence_path(project, evidence.digest)
    with pytest.raises(RegistryError) as caught:
        list(read_evidence(project, evidence))
    assert caught.value.remedy == f"Restore it from git: git checkout -- {path}"
    assert str(path) in caught.value.what
    return caught.value.what


def test_the_address_is_the_digest_of_the_lines(project: Project) -> None:
    """Evidence is found by the sha256 of its uncompressed lines, each with its line end."""
    evidence = kept(project)
    assert evidence == Evidence(digest=hashlib.sha256(WHOLE).hexdigest(), lines=3)
    (path,) = project.evidence.iterdir()
    assert path.name == f"{evidence.digest}.jsonl.zst"
    assert zstandard.ZstdDecompressor().stream_reader(path.read_bytes()).read() == WHOLE


def test_attempts_come_back_as_they_were(project: Project) -> None:
    """What was kept is read again, in its order."""
    found = list(read_evidence(project, kept(project)))
    assert [observed.line for observed in found] == LINES
    assert [write_attempt(observed.attempt) for observed in found] == LINES


def test_the_same_lines_give_the_same_file(project: Project) -> None:
    """Evidence that is there already stays as it is."""
    path = evidence_path(project, kept(project).digest)
    before = path.stat()
    kept(project)
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert list(project.evidence.iterdir()) == [path]


def test_what_is_not_kept_leaves_nothing(project: Project) -> None:
    """Observations of a refused row are laid aside and go, also when something fails."""
    with evidence_writer(project) as writer:
        writer.add(LINES[0] + b"\n")
        writer.close()
    with contextlib.suppress(KeyError), evidence_writer(project) as writer:
        writer.add(LINES[0] + b"\n")
        raise KeyError
    assert list(project.evidence.iterdir()) == []


@pytest.mark.parametrize(
    "edit",
    [
        lambda whole: whole.replace(b"completed", b"failed", 1),
        lambda whole: whole + LINES[0] + b"\n",
        lambda whole: whole[: -len(LINES[2]) - 1],
        lambda whole: whole.removesuffix(b"\n") + b" \n",
        lambda _: b"",
    ],
    ids=["edited", "one-more", "one-less", "a-space-more", "empty"],
)
def test_edited_evidence_is_found(project: Project, edit: Callable[[bytes], bytes]) -> None:
    """Other lines than the name says are refused, whatever was changed."""
    evidence = kept(project)
    path = evidence_path(project, evidence.digest)
    path.write_bytes(zstandard.compress(edit(WHOLE)))
    assert "holds other lines than its name says" in refused(project, evidence)


def test_a_missing_line_end_is_the_same_line(project: Project) -> None:
    """The digest is that of the lines: the last line end is not what makes it."""
    evidence = kept(project)
    path = evidence_path(project, evidence.digest)
    path.write_bytes(zstandard.compress(WHOLE.removesuffix(b"\n")))
    assert len(list(read_evidence(project, evidence))) == 3


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.unlink(),
        lambda path: path.write_bytes(b"not compressed"),
        lambda path: path.write_bytes(path.read_bytes() + b"garbage"),
        lambda path: path.write_bytes(zstandard.compress(b"not an attempt\n")),
        lambda path: path.write_bytes(zstandard.compress(WHOLE.replace(b"1", b"NaN", 1))),
        lambda path: path.write_bytes(path.read_bytes()[:-6]),
        becomes_a_folder,
    ],
    ids=["gone", "not-zstd", "garbage-behind", "no-attempt", "nan", "cut", "folder"],
)
def test_evidence_that_can_not_be_read_is_told(
    project: Project, spoil: Callable[[Path], object]
) -> None:
    """What is gone or broken is named, with the command that restores it."""
    evidence = kept(project)
    spoil(evidence_path(project, evidence.digest))
    refused(project, evidence)


def test_an_endless_line_is_stopped(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Evidence that inflates to one line without an end is not held in memory."""
    evidence = kept(project)
    path = evidence_path(project, evidence.digest)
    path.write_bytes(zstandard.compress(b"x" * 5_000))
    monkeypatch.setattr(module, "LINE_LIMIT", 1_000)
    assert "more than 1000 bytes" in refused(project, evidence)


def test_a_folder_that_can_not_be_made_is_told(project: Project) -> None:
    """A file where the evidence should lie ends in a sentence."""
    project.results.mkdir()
    project.evidence.write_text("in the way")
    with pytest.raises(StorageError, match="can't be written"), evidence_writer(project):
        pass


def test_a_full_disk_is_told_and_leaves_nothing(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where evidence can't be made durable, none is left and no row can name it."""
    project.evidence.mkdir(parents=True)
    monkeypatch.setattr(os, "fsync", refusing)
    with pytest.raises(StorageError, match="No space left"):
        kept(project)
    assert list(project.evidence.iterdir()) == []


def test_a_disk_without_room_says_so_when_the_lines_end(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the first row of a run is written, the evidence of all its rows is safe."""
    with evidence_writer(project) as writer:
        writer.add(b"".join(line + b"\n" for line in LINES))
        monkeypatch.setattr(os, "fsync", refusing)
        with pytest.raises(StorageError, match="No space left"):
            writer.close()


def test_a_full_disk_is_told_while_lines_are_written(project: Project) -> None:
    """Where the disk is full before the last line, that is told in the same way."""
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(project.root)], capture_output=True, text=True, check=True
    )
    assert "can't be written: " in done.stdout
    assert list(project.evidence.iterdir()) == []
