import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from generator.errors import BundleError
from generator.records.bundle import MANIFEST
from generator.store import bundles
from generator.store.bundles import open_bundle
from generator.store.fingerprints import Fingerprints, fingerprint
from generator.store.lines import Observed
from tests.conftest import Kit, edit_attempts, edit_json

ATTEMPTS = "attempts.jsonl"


def read(run: Path) -> list[Observed]:
    """All attempts of a run."""
    return list(open_bundle(run).attempts())


def fault(run: Path) -> str:
    """What is said of a run that can't be read, which ends with the code of bundles."""
    with pytest.raises(BundleError) as caught:
        read(run)
    assert caught.value.code == 3
    assert caught.value.remedy.endswith(".")
    return caught.value.what


def rewrite(run: Path, edit: Callable[[bytes], bytes], name: str = ATTEMPTS) -> None:
    """Put the bytes of the attempts, changed, into a file of any name."""
    content = (run / ATTEMPTS).read_bytes()
    (run / ATTEMPTS).unlink()
    (run / name).write_bytes(edit(content))


def split(run: Path) -> tuple[list[bytes], list[bytes]]:
    """The lines of a run in two halves, whose file is taken away."""
    lines = (run / ATTEMPTS).read_bytes().splitlines(keepends=True)
    (run / ATTEMPTS).unlink()
    return lines[:4], lines[4:]


def test_a_sound_run_is_read_in_its_order(kit: Kit) -> None:
    """Every attempt comes with its bytes and its place."""
    found = read(kit.run)
    lines = (kit.run / ATTEMPTS).read_bytes().splitlines()
    assert [observed.line for observed in found] == lines
    assert [observed.place for observed in found] == [f"{ATTEMPTS}:{n}" for n in range(1, 9)]
    assert {observed.attempt.system for observed in found} == {"first", "second"}


def test_several_files_are_one_run(kit: Kit) -> None:
    """One process writes one file; they are read in the order of their names."""
    whole = read(kit.run)
    first, second = split(kit.run)
    (kit.run / "attempts-1.jsonl").write_bytes(b"".join(first))
    (kit.run / "attempts-2.jsonl").write_bytes(b"".join(second))
    found = read(kit.run)
    assert [observed.attempt for observed in found] == [observed.attempt for observed in whole]
    assert found[4].place == "attempts-2.jsonl:1"


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("attempts.jsonl.gz", gzip.compress),
        ("attempts.jsonl.zst", zstandard.compress),
        ("attempts.jsonl", lambda content: content.replace(b"\n", b"\r\n")),
        ("attempts.jsonl", lambda content: b"\n \n\t\n" + content.replace(b"\n", b"\n\n")),
        ("attempts.jsonl", lambda content: content.removesuffix(b"\n")),
    ],
    ids=["gz", "zst", "crlf", "blank-lines", "no-final-newline"],
)
def test_the_same_lines_are_read(kit: Kit, name: str, pack: Callable[[bytes], bytes]) -> None:
    """Compression, line ends, blank lines and a missing last line end change no observation."""
    before = [observed.line for observed in read(kit.run)]
    rewrite(kit.run, pack, name)
    assert [observed.line for observed in read(kit.run)] == before


@pytest.mark.parametrize(
    ("name", "pack"),
    [("attempts.jsonl.gz", gzip.compress), ("attempts.jsonl.zst", zstandard.compress)],
)
def test_all_parts_of_a_compressed_file_are_read(
    kit: Kit, name: str, pack: Callable[[bytes], bytes]
) -> None:
    """A file that was written in several goes loses none of them."""
    before = [observed.line for observed in read(kit.run)]
    first, second = split(kit.run)
    (kit.run / name).write_bytes(pack(b"".join(first)) + pack(b"") + pack(b"".join(second)))
    assert [observed.line for observed in read(kit.run)] == before


def test_line_separators_inside_texts_are_no_line_ends(kit: Kit) -> None:
    """U+2028, U+0085 and a form feed in a reply cut nothing."""
    said = "one\u2028two\u2029three\u0085four\fvertical\v"
    edit_attempts(kit.run, lambda attempts: attempts[0]["turns"][0].update(content=said))
    found = read(kit.run)
    assert len(found) == 8
    assert found[0].attempt.turns[0].content == said


def test_a_run_without_a_manifest_is_refused(kit: Kit) -> None:
    """Without its manifest nobody can say what ran; what was found is listed."""
    (kit.run / MANIFEST).unlink()
    assert fault(kit.run) == f"{kit.run}: there is no run.json; found were attempts.jsonl."


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    """A folder with nothing in it is no run."""
    assert fault(tmp_path) == f"{tmp_path}: there is no run.json; found were no files."


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """A name that leads nowhere is told, with what was asked for."""
    assert fault(tmp_path / "gone").startswith(f"{tmp_path / 'gone'} can't be read as a run: ")


def test_a_file_is_no_run(kit: Kit) -> None:
    """The manifest itself is not the folder that holds it."""
    assert "can't be read as a run" in fault(kit.run / MANIFEST)


def test_a_run_without_files_of_attempts_is_refused(kit: Kit) -> None:
    """A folder without observations is an error, not an empty table."""
    (kit.run / ATTEMPTS).rename(kit.run / "answers.jsonl")
    assert fault(kit.run) == f"{kit.run}: there is no attempts*.jsonl beside run.json."


@pytest.mark.parametrize("content", [b"", b"\n\n \n"])
def test_a_run_without_attempts_is_refused(kit: Kit, content: bytes) -> None:
    """Files without a single observation are no run either."""
    (kit.run / ATTEMPTS).write_bytes(content)
    assert fault(kit.run) == f"{kit.run}: there is no observation in it."


def test_a_cut_last_line_names_its_byte(kit: Kit) -> None:
    """A harness that was killed is reported by line and byte offset, never silently cut."""
    content = (kit.run / ATTEMPTS).read_bytes()
    start = content.rindex(b"\n", 0, -1) + 1
    (kit.run / ATTEMPTS).write_bytes(content[:-30])
    path = kit.run / ATTEMPTS
    assert fault(kit.run) == f"{path}: line 8 is cut off; it starts at byte {start} and never ends."


def test_a_cut_line_of_brackets_is_no_crash(kit: Kit) -> None:
    """A last line that no stack is deep enough for is cut off like any other."""
    with (kit.run / ATTEMPTS).open("ab") as file:
        file.write(b"[" * 200_000)
    assert "line 9 is cut off" in fault(kit.run)


def test_an_unreadable_line_is_named(kit: Kit) -> None:
    """A line in the middle that is no attempt fails the read with file and number."""
    rewrite(kit.run, lambda content: content.replace(b'"repetition":1', b'"repetition":"1"', 1))
    assert fault(kit.run).startswith(f"{kit.run / ATTEMPTS}:1: the line is no attempt: ")


def test_invalid_text_is_named(kit: Kit) -> None:
    """Bytes that are no UTF-8 are refused wherever they stand."""
    rewrite(kit.run, lambda content: content.replace(b"Hey", b"H\xff", 1))
    assert f"{kit.run / ATTEMPTS}:1: " in fault(kit.run)


def test_a_score_has_no_place_among_observations(kit: Kit) -> None:
    """An attempt that brings its own score is refused, and the key is named."""
    edit_attempts(kit.run, lambda attempts: attempts[2].update(score=1))
    assert "`score`" in fault(kit.run)


def test_a_line_that_is_too_long_is_said_to_be_so(
    kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line over the limit is not read to its end, and is not taken for one that was cut off."""
    monkeypatch.setattr(bundles, "LINE_LIMIT", 1_000)
    monkeypatch.setattr(bundles, "BLOCK", 500)
    edit_attempts(kit.run, lambda attempts: attempts[1].update(reason="x" * 1_000))
    assert fault(kit.run) == (
        f"{kit.run / ATTEMPTS}:2: the line is no attempt: it has more than 1000 bytes."
    )


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("attempts.jsonl.gz", b"not compressed at all"),
        ("attempts.jsonl.gz", gzip.compress(b"x" * 100, mtime=0)[:-9]),
        ("attempts.jsonl.gz", gzip.compress(b"", mtime=0)[:-8] + b"\0" * 8 + b"garbage"),
        ("attempts.jsonl.zst", b"not compressed at all"),
        ("attempts.jsonl.zst", zstandard.compress(b"x" * 100) + b"garbage"),
    ],
)
def test_a_broken_compressed_file_is_told(kit: Kit, name: str, content: bytes) -> None:
    """What can't be inflated is said to be so, with the file."""
    rewrite(kit.run, lambda _: content, name)
    assert fault(kit.run).startswith(f"{kit.run / name} can't be inflated: ")


@pytest.mark.parametrize("share", [0, 0.3, 0.9])
def test_a_cut_compressed_file_is_no_run(kit: Kit, share: float) -> None:
    """A zstd file that was cut off is never taken for a whole one."""
    rewrite(
        kit.run,
        lambda content: (packed := zstandard.compress(content))[: int(len(packed) * share)],
        "attempts.jsonl.zst",
    )
    fault(kit.run)


def test_a_file_that_grows_without_end_is_stopped(
    kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compressed files are inflated up to a limit only."""
    monkeypatch.setattr(bundles, "INFLATED_LIMIT", 1_000)
    rewrite(kit.run, zstandard.compress, "attempts.jsonl.zst")
    assert fault(kit.run) == f"{kit.run / 'attempts.jsonl.zst'} grows beyond 1000 bytes."


@pytest.mark.parametrize("name", [ATTEMPTS, MANIFEST])
def test_a_link_is_not_followed(kit: Kit, name: str) -> None:
    """A symbolic link in a run could lead anywhere, so it is refused."""
    outside = kit.root / name
    (kit.run / name).rename(outside)
    (kit.run / name).symlink_to(outside)
    said = fault(kit.run)
    assert said.startswith(f"{kit.run / name} can't be opened: ")
    assert "links are not followed" in said


@pytest.mark.parametrize("name", [ATTEMPTS, MANIFEST])
def test_a_pipe_is_refused_and_not_waited_for(kit: Kit, name: str) -> None:
    """A named pipe would hold the reader up for ever."""
    (kit.run / name).unlink()
    os.mkfifo(kit.run / name)
    assert fault(kit.run) == f"{kit.run / name} is not a regular file."


@pytest.mark.parametrize("name", ["attempts-2.jsonl", "attempts-2.jsonl.gz"])
def test_a_folder_is_no_file_of_attempts(kit: Kit, name: str) -> None:
    """A folder by the name of a file is refused, and not skipped."""
    (kit.run / name).mkdir()
    assert str(kit.run / name) in fault(kit.run)


@pytest.mark.parametrize("name", [ATTEMPTS, "attempts-2.jsonl"])
def test_an_id_that_stands_twice_names_both_places(kit: Kit, name: str) -> None:
    """Whether in one file or in two, the same id is told with both lines."""
    line = (kit.run / ATTEMPTS).read_bytes().splitlines(keepends=True)[2]
    with (kit.run / name).open("ab") as file:
        file.write(line)
    number = 9 if name == ATTEMPTS else 1
    first, second = sorted([f"{ATTEMPTS}:3", f"{name}:{number}"], key=lambda place: place[8:9])
    bundle, ids = open_bundle(kit.run), Fingerprints()
    ids.add(fingerprint(observed.attempt.id) for observed in bundle.attempts())
    with pytest.raises(BundleError) as caught:
        bundle.refuse_repeated_ids(ids)
    assert f"{kit.run / second}: the id " in caught.value.what
    assert f" stands at {first} too." in caught.value.what


def test_fingerprints_that_agree_by_chance_are_no_fault(kit: Kit) -> None:
    """The ids themselves decide."""
    bundle, ids = open_bundle(kit.run), Fingerprints()
    ids.add(2 * [fingerprint(next(bundle.attempts()).attempt.id)])
    bundle.refuse_repeated_ids(ids)


@pytest.mark.parametrize("size", [1, 100, 1_000])
def test_blocks_of_any_size_hold_the_same_lines(
    kit: Kit, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """How much is read at once decides nothing but memory."""
    whole = read(kit.run)
    monkeypatch.setattr(bundles, "BLOCK", size)
    assert read(kit.run) == whole
    assert len(list(open_bundle(kit.run).blocks())) == (8 if size < 1_000 else 2)


MANIFESTS: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "no-object": lambda _: b"[]",
    "cut-off": lambda content: content[:-40],
    "key-twice": lambda content: content.replace(b'"run":', b'"run": "twice", "run":', 1),
    "unknown-key": lambda content: content.replace(b'"run":', b'"score": 1, "run":', 1),
    "not-a-number": lambda content: content.replace(b'"polite": true', b'"polite": NaN'),
    "beyond-every-float": lambda content: content.replace(b'"polite": true', b'"polite": 1e999'),
    "5000-digits": lambda content: content.replace(b"true", b"9" * 5_000, 1),
    "integer-as-text": lambda content: content.replace(b'"repetitions": 1', b'"repetitions": "1"'),
    "integer-as-float": lambda content: content.replace(b'"repetitions": 1', b'"repetitions": 1.0'),
    "integer-as-truth": lambda content: content.replace(
        b'"repetitions": 1', b'"repetitions": true'
    ),
    "byte-order-mark": lambda content: b"\xef\xbb\xbf" + content,
    "utf-16": lambda content: content.decode().encode("utf-16"),
    "invalid-utf8": lambda content: content.replace(b"not-a-real", b"not-a-r\xff", 1),
    "lone-surrogate": lambda content: content.replace(b"not-a-real", b"\\ud800", 1),
    "trailing-garbage": lambda content: content + b"{}",
    "too-deep": lambda content: content.replace(b"true", b"[" * 100_000, 1),
    "too-large": lambda content: content + b" " * bundles.MANIFEST_LIMIT,
}


@pytest.mark.parametrize("spoil", MANIFESTS.values(), ids=MANIFESTS)
def test_a_manifest_that_is_not_sound_is_refused(kit: Kit, spoil: Callable[[bytes], bytes]) -> None:
    """The manifest is read strictly, and a fault names its file."""
    content = (kit.run / MANIFEST).read_bytes()
    (kit.run / MANIFEST).write_bytes(spoil(content))
    assert (kit.run / MANIFEST).read_bytes() != content
    assert fault(kit.run).startswith(str(kit.run / MANIFEST))


def test_another_format_is_refused_in_one_sentence(kit: Kit) -> None:
    """A manifest of another version says which one is read."""
    edit_json(kit.run / MANIFEST, lambda manifest: manifest.update(format="assay.bundle/2"))
    assert fault(kit.run) == (
        f"{kit.run / MANIFEST}: its format is 'assay.bundle/2', and this version of assay reads "
        "'assay.bundle/1'."
    )


def test_conflict_markers_are_found_by_their_line(kit: Kit) -> None:
    """A manifest in the middle of a merge is said to be so."""
    content = (kit.run / MANIFEST).read_bytes()
    (kit.run / MANIFEST).write_bytes(content.replace(b"\n", b"\n<<<<<<< HEAD\n", 1))
    assert fault(kit.run) == f"{kit.run / MANIFEST}: line 2 is a conflict marker of git."


def test_no_attempt_is_read_before_it_is_asked_for(kit: Kit) -> None:
    """Attempts stream: a fault further down does not keep the first from being read."""
    with (kit.run / ATTEMPTS).open("ab") as file:
        file.write(b"not an attempt\n")
    attempts = open_bundle(kit.run).attempts()
    assert next(attempts).attempt.case == "curt-hey"
    with pytest.raises(BundleError):
        list(attempts)
