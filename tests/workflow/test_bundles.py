"""Every bundle below tests/bundles has one right answer; what git can't hold is made here."""

import json
import os
import re
import shutil
import stat
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from generator.cli.say import plain
from generator.errors import AssayError
from generator.records.row import Row
from generator.store.corpus import benchmark_here
from generator.store.evidence import evidence_path
from generator.workflow.record import Recording, record
from generator.workflow.render import render_recorded
from tests.conftest import BENCHMARK, CASES, Kit

BUNDLES = Path(__file__).parent.parent / "bundles"
EXPECTED = "expected.json"
OWN_CASES = "cases"
NAMES = sorted(path.parent.name for path in BUNDLES.glob(f"*/{EXPECTED}"))

MANIFEST = "run.json"
ATTEMPTS = "attempts.jsonl"
LONGEST_LINE = 16 * 1024 * 1024

Expected = Mapping[str, Any]
"""What `expected.json` says; its form is told in tests/bundles/README.md."""

Tell = Callable[[str, int, int], None]
"""How recording tells how far it is."""

Spoil = Callable[[Path], object]
"""Spoils one thing of the sound bundle, whose folder it is given."""

FORMS = (
    {"error"},
    {"accepted"},
    {"refused", "says"},
    {"accepted", "refused", "says"},
)
SAFE_PATH = re.compile(r"([a-z0-9]+(-[a-z0-9]+)*/)+[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)+")
"""Of small letters, digits and single hyphens: the same file on every system, and no way out."""


def expected(name: str) -> Expected:
    """The right answer to a bundle."""
    found: Expected = json.loads((BUNDLES / name / EXPECTED).read_bytes())
    return found


def lay_out(kit: Kit, name: str) -> Path:
    """Put a bundle into the project, with what differs from machine to machine filled in."""
    source, run = BUNDLES / name, kit.root / "dist" / "runs" / "bundle"
    if (source / OWN_CASES).is_dir():
        shutil.copytree(source / OWN_CASES, kit.root / CASES, dirs_exist_ok=True)
        kit.commit("More cases")
    shutil.copytree(source, run, ignore=shutil.ignore_patterns(EXPECTED, OWN_CASES))
    contracts = json.loads((kit.run / MANIFEST).read_bytes())["corpus"]["contracts"]
    here = {
        b"@COMMIT@": kit.head(),
        b"@CORPUS@": benchmark_here(kit.project, BENCHMARK).digest,
        b"@CONTRACTS@": contracts,
    }
    for path in run.glob("run*.json"):
        content = path.read_bytes()
        for placeholder, value in here.items():
            content = content.replace(placeholder, value.encode())
        path.write_bytes(content)
    return run


def held(kit: Kit) -> list[str]:
    """Every file of registry and evidence, whether git would look at it or not."""
    folders = (kit.project.registry, kit.project.evidence)
    return sorted(str(path) for folder in folders for path in folder.rglob("*") if path.is_file())


def answer(kit: Kit, run: Path, right: Expected, tell: Tell = lambda *_: None) -> None:
    """Record a bundle and draw the pages; the whole answer must be the right one."""
    before, stored = kit.committed(), held(kit)
    if "error" in right:
        told = ends(kit, run, right["error"]["type"], tell)
        says = right["error"]["says"]
    else:
        done = record(kit.project, run, tell=tell)
        render_recorded(kit.project, done)
        told, says = judged(done, right), right.get("says", [])
        published(kit, done, right.get("accepted", {}), before)
    told = told.replace(str(run), "").replace(str(kit.root), "")
    assert [said for said in says if said not in told] == []
    assert list(hidden(plain(told))) == []
    if "accepted" not in right:
        assert kit.committed() == before
        assert held(kit) == stored


def ends(kit: Kit, run: Path, kind: str, tell: Tell) -> str:
    """What is said where recording ends with a fault of that kind."""
    with pytest.raises(AssayError) as caught:
        record(kit.project, run, tell=tell)
    fault = caught.value
    assert type(fault).__name__ == kind, fault.what
    assert fault.code > 1
    return f"{fault.what}\n{fault.remedy}"


def judged(done: Recording, right: Expected) -> str:
    """What is said by the rules, which must refuse the right systems and no other."""
    refused = {
        verdict.system: [refusal.rule.id for refusal in verdict.refusals]
        for verdict in done.verdicts
        if verdict.refusals
    }
    assert refused == right.get("refused", {})
    said = [refusal.says.in_english() for verdict in done.verdicts for refusal in verdict.refusals]
    return "\n".join(said)


def published(
    kit: Kit, done: Recording, accepted: Mapping[str, str], before: Mapping[str, bytes]
) -> None:
    """Rows, evidence and pages of the accepted systems, under safe names, and nothing else."""
    rows = {verdict.system: verdict.row for verdict in done.verdicts if verdict.row}
    assert {system: row.evidence.digest for system, row in rows.items()} == accepted
    for row in rows.values():
        assert evidence_path(kit.project, row.evidence.digest).is_file()
        answered_right(row)
    folder = kit.project.registry / BENCHMARK
    assert kit.row_files() == sorted(folder / f"{row.id}.json" for row in rows.values())
    assert len(kit.evidence_files()) == len(set(accepted.values()))

    after = kit.committed()
    written = {path for path in after if after[path] != before.get(path)}
    assert {path.split("/")[0] for path in written} <= {"results", "docs"}
    assert [path for path in written if not SAFE_PATH.fullmatch(path)] == []
    assert list(kit.root.parent.iterdir()) == [kit.root]
    english = [path for path in written if path.startswith("docs/en/")]
    assert [path for path in english if list(hidden(after[path].decode()))] == []


def answered_right(row: Row) -> None:
    """Whoever is accepted answered every case: what was read is what was said."""
    passed = row.measure("passed")
    assert passed is not None
    assert passed.kind == "ratio"
    assert passed.numerator == passed.denominator == row.counts.attempts == row.evidence.lines


def hidden(text: str) -> Iterator[str]:
    """Characters that can't be seen, or that reorder what is."""
    return (char for char in text if char != "\n" and unicodedata.category(char) in {"Cc", "Cf"})


@pytest.mark.parametrize("name", NAMES)
def test_a_bundle_gets_its_one_answer(kit: Kit, name: str) -> None:
    """It is refused for the right reason with nothing written, or published under safe names."""
    answer(kit, lay_out(kit, name), expected(name))


@pytest.mark.parametrize("name", NAMES)
def test_a_right_answer_is_of_one_form(name: str) -> None:
    """Whoever reads the suite finds why, and an error, refusals, or what is accepted."""
    said = expected(name)
    assert said["why"].endswith(".")
    assert said.keys() - {"why"} in FORMS


def test_every_folder_is_a_bundle() -> None:
    """No bundle is left out for want of a right answer."""
    assert sorted(path.name for path in BUNDLES.iterdir() if path.is_dir()) == NAMES


def refused(*says: str) -> Expected:
    """The answer to a bundle that can't be read."""
    return {"error": {"type": "BundleError", "says": says}}


def linked(name: str, *, dangling: bool = False) -> Spoil:
    """A file of the bundle lies elsewhere, or nowhere, and a link to it in the bundle."""

    def spoil(run: Path) -> None:
        outside = run.with_name("outside")
        (run / name).rename(outside)
        (run / name).symlink_to(outside)
        if dangling:
            outside.unlink()

    return spoil


def linked_within(run: Path) -> None:
    """A second file of attempts is a link to the first."""
    (run / "attempts-2.jsonl").symlink_to(ATTEMPTS)


def instead(name: str, make: Spoil) -> Spoil:
    """Something else than a file in the place of one."""

    def spoil(run: Path) -> None:
        (run / name).unlink()
        make(run / name)

    return spoil


def special(mode: int) -> Spoil:
    """A socket that nobody listens to, or the device that reads as nothing."""

    def make(path: Path) -> None:
        try:
            os.mknod(path, mode | 0o600, os.makedev(1, 3))
        except PermissionError:
            pytest.skip("not everybody may make one")

    return make


def emptied(run: Path) -> None:
    """A folder with nothing in it."""
    for path in run.iterdir():
        path.unlink()


def gone(run: Path) -> None:
    """No folder at all."""
    shutil.rmtree(run)


def a_file(run: Path) -> None:
    """A file in the place of the folder."""
    gone(run)
    run.write_bytes(b"{}\n")


def long_line(length: int) -> Spoil:
    """The second line has that many bytes, by what the other side of a call answered."""

    def spoil(run: Path) -> None:
        first, second, *rest = (run / ATTEMPTS).read_bytes().splitlines(keepends=True)
        start, end = second.split(b'"content"')
        start += b'"tool_calls":[{"name":"greet","outcome":"'
        end = b'"}],"content"' + end
        padding = b"x" * (length + len(b"\n") - len(start) - len(end))
        (run / ATTEMPTS).write_bytes(b"".join([first, start, padding, end, *rest]))

    return spoil


def long_manifest(run: Path) -> None:
    """A manifest that is longer than any line."""
    with (run / MANIFEST).open("ab") as file:
        file.write(b" " * LONGEST_LINE)


MADE: Mapping[str, tuple[Spoil, Expected]] = {
    "linked-attempts": (linked(ATTEMPTS), refused(ATTEMPTS)),
    "linked-manifest": (linked(MANIFEST), refused(MANIFEST)),
    "attempts-linked-to-nowhere": (linked(ATTEMPTS, dangling=True), refused(ATTEMPTS)),
    "linked-within": (linked_within, refused("attempts-2.jsonl")),
    "pipe-of-attempts": (instead(ATTEMPTS, os.mkfifo), refused(ATTEMPTS)),
    "pipe-of-manifest": (instead(MANIFEST, os.mkfifo), refused(MANIFEST)),
    "socket": (instead(ATTEMPTS, special(stat.S_IFSOCK)), refused(ATTEMPTS)),
    "device": (instead(ATTEMPTS, special(stat.S_IFCHR)), refused(ATTEMPTS)),
    "folder-of-attempts": (instead(ATTEMPTS, os.mkdir), refused(ATTEMPTS)),
    "folder-of-manifest": (instead(MANIFEST, os.mkdir), refused(MANIFEST)),
    "empty-folder": (emptied, refused(MANIFEST)),
    "no-folder": (gone, refused()),
    "file-in-place-of-the-folder": (a_file, refused()),
    "line-over-16-mb": (long_line(LONGEST_LINE + 1), refused(f"{ATTEMPTS}:2")),
    "manifest-over-16-mb": (long_manifest, refused(MANIFEST)),
}
"""By name: what is made of the sound bundle, and the right answer."""


@pytest.mark.parametrize(("spoil", "right"), MADE.values(), ids=MADE)
def test_what_git_cannot_hold_gets_its_one_answer(kit: Kit, spoil: Spoil, right: Expected) -> None:
    """Links, pipes, devices, folders and what is too long are refused and not waited for."""
    run = lay_out(kit, "sound")
    spoil(run)
    answer(kit, run, right)


def test_a_line_of_16_mb_is_read(kit: Kit) -> None:
    """The longest line that is allowed is published like any other."""
    run = lay_out(kit, "sound")
    long_line(LONGEST_LINE)(run)
    assert len((run / ATTEMPTS).read_bytes().splitlines()[1]) == LONGEST_LINE
    done = kit.record(run)
    assert done.published == 1
    assert done.verdicts[0].row is not None
    answered_right(done.verdicts[0].row)


def replaced(name: str) -> Spoil:
    """Another file of the same content in the place of one."""

    def change(run: Path) -> None:
        copy = run.with_name("copy")
        shutil.copyfile(run / name, copy)
        copy.replace(run / name)

    return change


def appended(run: Path) -> None:
    """A harness that still writes."""
    with (run / ATTEMPTS).open("ab") as file:
        file.write(b"\n")


def shortened(run: Path) -> None:
    """The last line goes while the file is read."""
    content = (run / ATTEMPTS).read_bytes()
    os.truncate(run / ATTEMPTS, content.rindex(b"\n", 0, -1) + 1)


def rewritten(name: str, old: bytes, new: bytes) -> Spoil:
    """Other bytes of the same number in the same file."""

    def change(run: Path) -> None:
        content = (run / name).read_bytes()
        assert content.count(old) == 1
        assert len(old) == len(new)
        with (run / name).open("r+b") as file:
            file.write(content.replace(old, new))

    return change


def joined(run: Path) -> None:
    """A second process of the harness begins its file."""
    (run / "attempts-2.jsonl").write_bytes(b"\n")


CHANGES: Mapping[str, tuple[Spoil, str]] = {
    "attempts-grow": (appended, ATTEMPTS),
    "attempts-shrink": (shortened, ATTEMPTS),
    "attempts-rewritten": (rewritten(ATTEMPTS, b'"morning!"', b'"evening!"'), ATTEMPTS),
    "attempts-replaced": (replaced(ATTEMPTS), ATTEMPTS),
    "attempts-removed": (lambda run: (run / ATTEMPTS).unlink(), ATTEMPTS),
    "another-file": (joined, "attempts-2.jsonl"),
    "manifest-rewritten": (rewritten(MANIFEST, b'"greet"', b'"shout"'), MANIFEST),
}
"""By name: what happens to a bundle once its first attempt was read, and the file to be named."""


@pytest.mark.parametrize(("change", "name"), CHANGES.values(), ids=CHANGES)
def test_a_bundle_that_changes_while_it_is_read_is_refused(
    kit: Kit, change: Spoil, name: str
) -> None:
    """What was read and what lies there afterwards must be the same run."""
    run = lay_out(kit, "sound")
    for path in run.iterdir():
        os.utime(path, (1, 1))  # clocks of file systems are coarse; long ago is not now
    waiting = [change]

    def tell(*_: object) -> None:
        if waiting:
            waiting.pop()(run)

    answer(kit, run, refused(name), tell)
