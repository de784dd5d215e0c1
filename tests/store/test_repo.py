"""git is asked so that nothing hides a change, and so that nothing of a stranger's is executed.

Each way of hiding is one function that spoils a clean project; the answer is `no`, or `unknown`
where git can't tell, and never `yes`.
"""

import hashlib
import os
import shutil
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.errors import RepositoryError
from generator.records.bundle import Tree
from generator.store import repo
from generator.store.corpus import declared_inputs
from generator.store.project import Project
from generator.store.repo import LISTED, Repo
from tests.conftest import BENCHMARK, CASES, Kit, git

CASE = f"{CASES}/curt/curt-hey.json"
HARNESS = f"results/benchmarks/{BENCHMARK}/harness/run.py"
DECLARED = declared_inputs(BENCHMARK)


def tree(kit: Kit) -> Tree:
    """What git is taken to say of a project."""
    return kit.project.repo.tree(DECLARED)


def change(kit: Kit, path: str = CASE) -> None:
    """Change a file without changing its size or its time."""
    place = kit.root / path
    before = place.stat()
    place.write_bytes(place.read_bytes().swapcase())
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))


def attributes(kit: Kit, text: str) -> None:
    """Say something of the files that no commit says."""
    kit.write(".git/info/attributes", text)


def nested(kit: Kit, name: str) -> Kit:
    """A submodule, committed with its project."""
    inner = Kit(kit.root.parent / "inner")
    inner.root.mkdir()
    inner.git("init", "--quiet", "--initial-branch=main")
    _identify(inner)
    inner.write("tool.py", "1\n")
    inner.commit("A tool")
    allow = ("-c", "protocol.file.allow=always")
    kit.git(*allow, "submodule", "--quiet", "add", str(inner.root), name)
    kit.commit("With a tool")
    return Kit(kit.root / name)


def _identify(kit: Kit) -> None:
    kit.git("config", "user.name", "Nobody In Particular")
    kit.git("config", "user.email", "nobody@example.org")


def witness(kit: Kit) -> tuple[Path, Path]:
    """A program that leaves a file when it is run, and that file."""
    seen = kit.root.parent / "it-was-run"
    program = kit.root.parent / "program"
    program.write_text(f"#!/bin/sh\ntouch '{seen}'\nexit 1\n")
    program.chmod(0o755)
    return program, seen


# What is clean


def nothing(_: Kit) -> None:
    """The project as it was committed."""


def touched(kit: Kit) -> None:
    """New times of files, the same bytes."""
    for path in (CASE, "README.md"):
        os.utime(kit.root / path, (1, 1))


def detached(kit: Kit) -> None:
    """A commit that is checked out by its name."""
    kit.git("checkout", "--quiet", "--detach")


def empty_folder(kit: Kit) -> None:
    """A folder among the cases, which git does not see."""
    (kit.root / CASES / "empty").mkdir()


def ignored_elsewhere(kit: Kit) -> None:
    """An ignored file that no figure depends on."""
    kit.write("dist/notes.md", "")


def packed(kit: Kit) -> None:
    """A repository whose objects and refs are packed."""
    kit.git("gc", "--quiet")


def stashed(kit: Kit) -> None:
    """A change that was put away."""
    kit.write(CASE, "{}")
    kit.git("stash", "--quiet")


def rewritten_the_same(kit: Kit) -> None:
    """A file that was changed and changed back."""
    change(kit)
    change(kit)


def keyword_expanded(kit: Kit) -> None:
    """A keyword as a checkout writes it."""
    kit.write(".gitattributes", "README.md ident\n")
    kit.write("README.md", "$Id$\n")
    kit.commit()
    (kit.root / "README.md").unlink()
    kit.git("checkout", "--quiet", "--", "README.md")
    assert "$Id: " in kit.read("README.md")


def encoded_elsewhere(kit: Kit) -> None:
    """A file in the encoding that a checkout writes it in."""
    kit.write(".gitattributes", "grüße.txt working-tree-encoding=UTF-16\n")
    (kit.root / "grüße.txt").write_bytes("Grüße\n".encode("utf-16"))
    kit.commit()


def line_ends_elsewhere(kit: Kit) -> None:
    """A checkout with the line ends of another system."""
    kit.git("config", "core.autocrlf", "true")
    place = kit.root / "README.md"
    place.write_bytes(place.read_bytes().replace(b"\n", b"\r\n"))


@pytest.mark.parametrize(
    "state",
    [
        keyword_expanded,
        encoded_elsewhere,
        line_ends_elsewhere,
        nothing,
        touched,
        detached,
        empty_folder,
        ignored_elsewhere,
        packed,
        stashed,
        rewritten_the_same,
    ],
)
def test_what_head_says_is_clean(kit: Kit, state: Callable[[Kit], None]) -> None:
    """No state that leaves every byte as it was committed is a false alarm."""
    state(kit)
    assert tree(kit) == Tree(clean="yes")


def test_untracked_files_elsewhere_are_counted_and_do_not_refuse(kit: Kit) -> None:
    """What nobody committed and no figure depends on is counted only."""
    kit.write("notes/one.md", "")
    kit.write("notes/two.md", "")
    assert tree(kit) == Tree(clean="yes", untracked=2)


def test_the_cache_of_a_harness_does_not_refuse(kit: Kit) -> None:
    """What Python leaves beside a module that it has run is untracked, and no foreign input."""
    kit.write(f"results/benchmarks/{BENCHMARK}/harness/__pycache__/run.cpython-311.pyc", "")
    assert tree(kit) == Tree(clean="yes", untracked=1)


def test_compiled_code_that_is_run_unseen_is_a_foreign_input(kit: Kit) -> None:
    """A cache whose header says not to look at its source would run in its place (PEP 552)."""
    path = f"results/benchmarks/{BENCHMARK}/harness/__pycache__/run.cpython-311.pyc"
    kit.write(path, "").write_bytes(b"\xa7\r\r\n\x01\0\0\0" + b"\0" * 8)
    assert tree(kit).paths == (path,)


@pytest.mark.parametrize("way", [["worktree", "add", "--quiet"], ["clone", "--quiet", "."]])
def test_other_work_trees_are_clean_and_dirty_like_the_first(kit: Kit, way: list[str]) -> None:
    """A linked work tree and a clone are repositories like any other."""
    other = Kit(kit.root.parent / "other")
    kit.git(*way, str(other.root))
    assert tree(other) == Tree(clean="yes")
    change(other)
    assert tree(other) == Tree(clean="no", paths=(CASE,))
    assert tree(kit) == Tree(clean="yes")


def test_a_shallow_clone_is_clean_and_says_so(kit: Kit) -> None:
    """A clone without history knows its own tree, and that it lacks ancestors."""
    kit.write("README.md", "# Another\n")
    kit.commit()
    other = Kit(kit.root.parent / "other")
    kit.git("clone", "--quiet", "--depth=1", kit.root.as_uri(), str(other.root))
    assert tree(other) == Tree(clean="yes")
    assert (other.project.repo.is_shallow(), kit.project.repo.is_shallow()) == (True, False)


@pytest.mark.parametrize("spoil", [nothing, change])
def test_a_project_below_the_root_of_its_repository(
    kit: Kit, tmp_path: Path, spoil: Callable[[Kit], None]
) -> None:
    """A project may be one folder of many: its inputs are found and compared from there."""
    outer = Kit(tmp_path / "outer")
    shutil.copytree(kit.root, outer.root / "below", ignore=shutil.ignore_patterns(".git", "dist"))
    outer.git("init", "--quiet")
    _identify(outer)
    outer.commit("A project below")
    inner = Kit(outer.root / "below")
    assert "curt/curt-hey.json" in inner.project.repo.files("HEAD", CASES)
    spoil(inner)
    assert tree(inner).clean == ("yes" if spoil is nothing else "no")


# What is not clean, however it is hidden


def changed(kit: Kit) -> None:
    """An edit of the same size and time."""
    change(kit)


def changed_elsewhere(kit: Kit) -> None:
    """An edit of a file that no figure depends on."""
    kit.write("README.md", "# Another\n")


def staged_and_put_back(kit: Kit) -> None:
    """A change that only the index has."""
    before = kit.read(CASE)
    kit.write(CASE, "{}")
    kit.git("add", CASE)
    kit.write(CASE, before)


def staged_and_removed(kit: Kit) -> None:
    """A new file that only the index has."""
    kit.write("new.md", "")
    kit.git("add", "new.md")
    (kit.root / "new.md").unlink()


def intended(kit: Kit) -> None:
    """A new file of which git was only told."""
    kit.write("new.md", "new")
    kit.git("add", "--intent-to-add", "new.md")


def deleted(kit: Kit) -> None:
    """A file that is gone."""
    (kit.root / CASE).unlink()


def removed_from_the_index(kit: Kit) -> None:
    """A file that lies there, and that git was told to forget."""
    kit.git("rm", "--quiet", "--cached", CASE)


def executable(kit: Kit) -> None:
    """A mode that git was told not to look at."""
    kit.git("config", "core.fileMode", "false")
    (kit.root / HARNESS).chmod(0o755)


def linked(kit: Kit) -> None:
    """A link in the place of a file, with the same content behind it."""
    (kit.root / CASE).rename(kit.root.parent / "moved.json")
    (kit.root / CASE).symlink_to(kit.root.parent / "moved.json")


def linked_folder(kit: Kit) -> None:
    """A link in the place of a folder, which git was told to ignore."""
    (kit.root / CASES).rename(kit.root.parent / "moved")
    (kit.root / CASES).symlink_to(kit.root.parent / "moved")
    kit.write(".git/info/exclude", "cases\n")


def assumed_unchanged(kit: Kit) -> None:
    """A flag of the index: don't look."""
    kit.git("update-index", "--assume-unchanged", CASE)
    change(kit)


def assumed_unchanged_elsewhere(kit: Kit) -> None:
    """The flag alone, at a file that no figure depends on."""
    kit.git("update-index", "--assume-unchanged", "README.md")


def skipped(kit: Kit) -> None:
    """Another flag of the index: it need not be there."""
    kit.git("update-index", "--skip-worktree", CASE)
    change(kit)


def sparse(kit: Kit) -> None:
    """A checkout of some files only."""
    kit.git("sparse-checkout", "set", "--no-cone", "/*", f"!/{CASE}")
    assert not (kit.root / CASE).exists()


def careless_index(kit: Kit) -> None:
    """Settings by which git trusts times, sizes and its own memory."""
    for name, value in (
        ("core.ignoreStat", "true"),
        ("core.trustctime", "false"),
        ("core.checkStat", "minimal"),
        ("core.untrackedCache", "true"),
    ):
        kit.git("config", name, value)
    kit.git("update-index", "--refresh")
    change(kit)


def forged_index(kit: Kit) -> None:
    """An index that was given the times, the size and the inode of a changed file."""
    change(kit, "README.md")
    os.utime(kit.root / "README.md", (1, 1))  # older than the index, which git then believes
    index = kit.root / ".git" / "index"
    content = bytearray(index.read_bytes()[:-20])
    start = content.index(b"README.md\0") - 62
    now = (kit.root / "README.md").stat()
    seconds = [divmod(moment, 10**9) for moment in (now.st_ctime_ns, now.st_mtime_ns)]
    about = (now.st_dev, now.st_ino, now.st_mode, now.st_uid, now.st_gid, now.st_size)
    fields = [*seconds[0], *seconds[1], *about]
    content[start : start + 40] = struct.pack(">10I", *(field % 2**32 for field in fields))
    index.write_bytes(content + hashlib.sha1(content, usedforsecurity=False).digest())
    assert kit.git("-c", "core.untrackedCache=false", "status", "--porcelain") == ""


def excluded_input(kit: Kit) -> None:
    """A new case that the repository was told to overlook."""
    kit.write(".git/info/exclude", "*.json\n")
    kit.write(f"{CASES}/curt/curt-psst.json", "{}")


def ignored_input(kit: Kit) -> None:
    """A new case that is ignored by a committed file."""
    kit.write(".gitignore", kit.read(".gitignore") + "*.bak.json\n")
    kit.commit()
    kit.write(f"{CASES}/curt/curt-hey.bak.json", "{}")


def untracked_input(kit: Kit) -> None:
    """A module beside the harness that nobody committed."""
    kit.write(f"results/benchmarks/{BENCHMARK}/harness/systems.py", "")


def untracked_not_shown(kit: Kit) -> None:
    """A new case, and a setting by which git shows none."""
    kit.git("config", "status.showUntrackedFiles", "no")
    kit.write(f"{CASES}/curt/curt-psst.json", "{}")


def other_case(kit: Kit) -> None:
    """A new case whose name differs from another's by a capital letter only."""
    kit.git("config", "core.ignoreCase", "true")
    kit.write(f"{CASES}/curt/CURT-hey.json", "{}")


def repository_among_inputs(kit: Kit) -> None:
    """A repository inside the cases, which git does not enter."""
    folder = kit.root / CASES / "more"
    folder.mkdir()
    git(folder, "init", "--quiet")
    kit.write(f"{CASES}/more/curt-psst.json", "{}")


def line_ends(kit: Kit) -> None:
    """Line ends that git was told to take for the same."""
    kit.git("config", "core.autocrlf", "true")
    place = kit.root / CASE
    place.write_bytes(place.read_bytes().replace(b"\n", b"\r\n"))
    kit.git("add", "--renormalize", ".")


def line_ends_by_attribute(kit: Kit) -> None:
    """The same by an attribute that no commit has."""
    attributes(kit, "* text=auto eol=crlf\n")
    place = kit.root / CASE
    place.write_bytes(place.read_bytes().replace(b"\n", b"\r\n"))


def keyword(kit: Kit) -> None:
    """Text in a keyword that git takes out before it compares."""
    kit.write(HARNESS, '"""$Id$"""\n')
    kit.commit()
    attributes(kit, "* ident\n")
    kit.write(HARNESS, '"""$Id: something else entirely $"""\n')


def keyword_elsewhere(kit: Kit) -> None:
    """The same in a file that no figure depends on, by an attribute that is committed."""
    kit.write(".gitattributes", "*.md ident\n")
    kit.write("README.md", "$Id$\n")
    kit.commit()
    kit.write("README.md", "$Id: something else entirely $\n")


def link_as_text(kit: Kit) -> None:
    """A file where HEAD has a link, which git was told not to tell apart."""
    (kit.root / "link.md").symlink_to("README.md")
    kit.commit()
    kit.git("config", "core.symlinks", "false")
    (kit.root / "link.md").unlink()
    kit.write("link.md", "README.md")


def encoded(kit: Kit) -> None:
    """Other bytes that an attribute makes the same text of."""
    attributes(kit, f"{HARNESS} working-tree-encoding=UTF-16LE\n")
    (kit.root / HARNESS).write_bytes(kit.read(HARNESS).encode("utf-16-le"))


def merging(kit: Kit) -> None:
    """A merge that was begun and not ended."""
    kit.git("checkout", "--quiet", "-b", "aside")
    kit.write("aside.md", "")
    kit.commit()
    kit.git("checkout", "--quiet", "main")
    kit.git("merge", "--quiet", "--no-ff", "--no-commit", "aside")
    kit.git("reset", "--quiet", "--mixed")
    (kit.root / "aside.md").unlink()
    kit.write(".git/MERGE_HEAD", kit.git("rev-parse", "aside"))


def bisecting(kit: Kit) -> None:
    """A search through history that was begun and not ended."""
    kit.git("bisect", "start")


def applying(kit: Kit) -> None:
    """A series of patches that was begun and not ended."""
    (kit.root / ".git/rebase-apply").mkdir()


def grafted(kit: Kit) -> None:
    """History rewritten on the side, in the old way."""
    kit.write(".git/info/grafts", kit.head())


def replaced(kit: Kit) -> None:
    """An object rewritten on the side: HEAD is what it is, and reads otherwise."""
    kit.write(CASE, "{}")
    blob = kit.git("hash-object", "-w", CASE).strip()
    kit.git("replace", kit.git("rev-parse", f"HEAD:{CASE}").strip(), blob)


def submodule_changed(kit: Kit) -> None:
    """A change inside a submodule, which it was told to ignore."""
    inner = nested(kit, "tool")
    kit.git("config", "submodule.tool.ignore", "all")
    inner.write("tool.py", "2\n")


def submodule_hidden(kit: Kit) -> None:
    """A change inside a submodule whose own index was told not to look."""
    inner = nested(kit, "tool")
    inner.git("update-index", "--assume-unchanged", "tool.py")
    inner.write("tool.py", "2\n")


def submodule_moved(kit: Kit) -> None:
    """Another commit of a submodule than the one that was committed."""
    inner = nested(kit, "tool")
    _identify(inner)
    inner.write("tool.py", "2\n")
    inner.commit("Another tool")


HIDDEN: dict[Callable[[Kit], None], str] = {
    changed: CASE,
    changed_elsewhere: "README.md",
    staged_and_put_back: CASE,
    staged_and_removed: "new.md",
    intended: "new.md",
    deleted: CASE,
    removed_from_the_index: CASE,
    executable: HARNESS,
    linked: CASE,
    linked_folder: CASE,
    assumed_unchanged: CASE,
    assumed_unchanged_elsewhere: "README.md",
    skipped: CASE,
    sparse: CASE,
    careless_index: CASE,
    forged_index: "README.md",
    excluded_input: f"{CASES}/curt/curt-psst.json",
    ignored_input: f"{CASES}/curt/curt-hey.bak.json",
    untracked_input: f"results/benchmarks/{BENCHMARK}/harness/systems.py",
    untracked_not_shown: f"{CASES}/curt/curt-psst.json",
    other_case: f"{CASES}/curt/CURT-hey.json",
    repository_among_inputs: f"{CASES}/more/",
    line_ends: CASE,
    line_ends_by_attribute: CASE,
    keyword: HARNESS,
    keyword_elsewhere: "README.md",
    link_as_text: "link.md",
    encoded: HARNESS,
    merging: ".git/MERGE_HEAD",
    bisecting: ".git/BISECT_LOG",
    applying: ".git/rebase-apply",
    grafted: ".git/info/grafts",
    replaced: ".git/refs/replace",
    submodule_changed: "tool/tool.py",
    submodule_hidden: "tool/tool.py",
    submodule_moved: "tool",
}
"""By way of hiding: the path that is named all the same."""


@pytest.mark.parametrize(("hide", "path"), HIDDEN.items(), ids=[hide.__name__ for hide in HIDDEN])
def test_no_change_hides(kit: Kit, hide: Callable[[Kit], None], path: str) -> None:
    """Whatever git was told not to see, the tree is not clean, and the path is named."""
    hide(kit)
    found = tree(kit)
    assert found.clean == "no"
    assert path in found.paths


def test_a_long_list_of_changes_is_cut(kit: Kit) -> None:
    """A tree of a thousand changes does not fill a manifest."""
    for number in range(LISTED + 5):
        kit.write(f"{CASES}/{number:02}.json", "{}")
    found = tree(kit)
    assert found.clean == "no"
    assert len(found.paths) == LISTED


@pytest.mark.parametrize("names", [("GIT_DIR",), ("GIT_INDEX_FILE",), ("GIT_DIR", "GIT_WORK_TREE")])
@pytest.mark.parametrize("spoil", [nothing, change])
def test_a_decoy_in_the_environment_is_not_looked_at(
    kit: Kit,
    monkeypatch: pytest.MonkeyPatch,
    names: tuple[str, ...],
    spoil: Callable[[Kit], None],
) -> None:
    """Variables that point git somewhere else make no dirty tree clean, and no clean one dirty."""
    decoy = kit.root.parent / "decoy"
    kit.git("clone", "--quiet", ".", str(decoy))
    spoil(kit)
    if spoil is nothing:
        (decoy / "README.md").unlink()
        git(decoy, "rm", "--quiet", "--cached", "README.md")
    places = {"GIT_DIR": ".git", "GIT_INDEX_FILE": ".git/index", "GIT_WORK_TREE": "."}
    for name in names:
        monkeypatch.setenv(name, str(decoy / places[name]))
    assert tree(kit).clean == ("yes" if spoil is nothing else "no")
    assert kit.project.repo.head() is not None


# Where git gives no answer


def no_git(_: Kit, patch: pytest.MonkeyPatch) -> None:
    """A machine without git."""
    patch.setenv("PATH", "/nowhere")


def no_commit(kit: Kit, _: pytest.MonkeyPatch) -> None:
    """A repository in which nothing was committed."""
    shutil.rmtree(kit.root / ".git")
    kit.git("init", "--quiet")


def bare(kit: Kit, _: pytest.MonkeyPatch) -> None:
    """A repository without a work tree."""
    kit.git("config", "core.bare", "true")


def no_repository(kit: Kit, _: pytest.MonkeyPatch) -> None:
    """A folder like any other."""
    shutil.rmtree(kit.root / ".git")


def broken(kit: Kit, _: pytest.MonkeyPatch) -> None:
    """A repository whose HEAD points at nothing that is there."""
    kit.write(".git/HEAD", "0123456789" * 4 + "\n")


def corrupt(kit: Kit, _: pytest.MonkeyPatch) -> None:
    """A repository that lost the object of a case."""
    name = kit.git("rev-parse", f"HEAD:{CASE}").strip()
    (kit.root / ".git" / "objects" / name[:2] / name[2:]).unlink()


def elsewhere(kit: Kit, _: pytest.MonkeyPatch) -> None:
    """A setting that makes git look at another folder."""
    decoy = kit.root.parent / "decoy"
    shutil.copytree(kit.root, decoy)
    kit.git("config", "core.worktree", str(decoy))
    kit.write("README.md", "# Another\n")


def submodule_absent(kit: Kit, _: pytest.MonkeyPatch) -> None:
    """A submodule that was never fetched."""
    nested(kit, "tool")
    kit.git("submodule", "--quiet", "deinit", "--force", "tool")


def submodule_unknown(kit: Kit, _: pytest.MonkeyPatch) -> None:
    """A submodule whose own settings name a program."""
    inner = nested(kit, "tool")
    inner.git("config", "filter.wash.clean", "cat")


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (no_git, "git can't be run: No such file or directory"),
        (no_commit, ""),
        (bare, "a bare repository has no work tree"),
        (no_repository, "not a git repository"),
        (broken, ""),
        (corrupt, "is missing"),
        (elsewhere, "the repository's configuration names another work tree"),
        (submodule_absent, "the submodule tool is not there"),
        (submodule_unknown, "in submodule tool: the repository's configuration would run a"),
    ],
)
def test_no_answer_is_unknown_and_never_clean(
    kit: Kit,
    monkeypatch: pytest.MonkeyPatch,
    state: Callable[[Kit, pytest.MonkeyPatch], None],
    reason: str,
) -> None:
    """Where git can't tell, nobody can check out what was measured; the reason is kept."""
    state(kit, monkeypatch)
    found = tree(kit)
    assert found.clean == "unknown"
    assert reason in (found.reason or "")
    assert found.reason


def test_the_repository_of_somebody_else_is_unknown(
    kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git refuses to look at a repository that another user owns, and that is no clean tree."""
    own = repo._environment  # noqa: SLF001  only root could give a folder away; git's tests do so
    stranger = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    monkeypatch.setattr(repo, "_environment", lambda more: {**own(more), **stranger})
    found = tree(kit)
    assert found.clean == "unknown"
    assert "dubious ownership" in (found.reason or "")


# What would be executed


def filtering(kit: Kit, program: Path) -> None:
    """A filter in the repository's own configuration."""
    kit.git("config", "filter.wash.clean", str(program))
    attributes(kit, "* filter=wash\n")


def filtering_by_process(kit: Kit, program: Path) -> None:
    """A filter that stays open, in a file that the configuration includes."""
    kit.write(".git/more", f'[filter "wash"]\n\tprocess = {program}\n\trequired\n')
    kit.git("config", "include.path", "more")
    attributes(kit, "* filter=wash\n")


def filtering_in_the_work_tree(kit: Kit, program: Path) -> None:
    """A filter in the configuration of one work tree."""
    kit.git("config", "extensions.worktreeConfig", "true")
    kit.git("config", "--worktree", "filter.wash.clean", str(program))
    attributes(kit, "* filter=wash\n")


def monitoring(kit: Kit, program: Path) -> None:
    """A program that would tell git what has changed."""
    kit.git("config", "core.fsmonitor", str(program))


def hooked(kit: Kit, program: Path) -> None:
    """A hook that git calls when an index was written."""
    (kit.root / ".git" / "hooks").mkdir(exist_ok=True)
    shutil.copy(program, kit.root / ".git" / "hooks" / "post-index-change")


def fetching(kit: Kit, program: Path) -> None:
    """A missing object that would be fetched by a program of the repository's choosing."""
    for name, value in (
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "far"),
        ("remote.far.promisor", "true"),
        ("remote.far.url", "ssh://far.invalid/away"),
        ("core.sshCommand", str(program)),
    ):
        kit.git("config", name, value)
    for path in (CASE, "README.md"):
        name = kit.git("rev-parse", f"HEAD:{path}").strip()
        (kit.root / ".git" / "objects" / name[:2] / name[2:]).unlink()


@pytest.mark.parametrize(
    ("arm", "clean"),
    [
        (filtering, "unknown"),
        (filtering_by_process, "unknown"),
        (filtering_in_the_work_tree, "unknown"),
        (monitoring, "no"),
        (hooked, "no"),
        (fetching, "unknown"),
    ],
)
def test_nothing_of_a_stranger_is_executed(
    kit: Kit, arm: Callable[[Kit, Path], None], clean: str
) -> None:
    """A repository may name programs; asking whether its tree is clean runs none of them."""
    program, seen = witness(kit)
    arm(kit, program)
    kit.write("README.md", "# Another\n")
    assert tree(kit).clean == clean
    kit.project.repo.head()
    kit.project.repo.ancestors()
    try:
        kit.project.repo.files("HEAD", CASES)
    except RepositoryError:
        assert arm is fetching
    assert not seen.exists()


def test_a_program_of_a_submodule_is_not_executed(kit: Kit) -> None:
    """A submodule is a repository of somebody too."""
    inner = nested(kit, "tool")
    program, seen = witness(kit)
    monitoring(inner, program)
    filtering(Kit(kit.root / ".git" / "modules" / "tool"), program)
    inner.write("tool.py", "2\n")
    assert tree(kit).clean == "unknown"
    assert not seen.exists()


def test_a_filter_of_the_users_own_is_no_stranger(kit: Kit) -> None:
    """What the user configured for all repositories, such as large files, leaves a tree clean."""
    git(kit.root, "config", "--file", f"{os.environ['HOME']}/.gitconfig", "filter.lfs.clean", "cat")
    try:
        assert tree(kit).clean == "yes"
    finally:
        (Path(os.environ["HOME"]) / ".gitconfig").unlink()


# Commits and files


def test_head_is_the_commit_in_full(kit: Kit) -> None:
    """The commit that is checked out, whatever branch it is on."""
    assert kit.project.repo.head() == kit.head()
    detached(kit)
    assert kit.project.repo.head() == kit.head()


def test_where_there_is_no_commit_there_is_no_head(tmp_path: Path) -> None:
    """A folder outside of any repository has neither head nor ancestors, and reaches nothing."""
    repo = Repo(tmp_path)
    assert repo.head() is None
    assert repo.ancestors() == frozenset()
    assert not repo.is_shallow()
    assert repo.reaches("0" * 40) == "unknown"


@pytest.mark.parametrize("place", [".", CASES])
def test_the_root_of_the_work_tree_is_found_from_within(kit: Kit, place: str) -> None:
    """From any folder, git tells where the repository begins; outside of one that is told."""
    assert Repo(kit.root / place).top() == kit.root
    with pytest.raises(RepositoryError, match="is in no work tree of a git repository: ") as caught:
        Repo(kit.root.parent).top()
    assert "git init" in caught.value.remedy


def test_the_remote_is_what_the_repository_says(kit: Kit) -> None:
    """The address of `origin` as it was given; a repository of its own has none."""
    assert kit.project.repo.remote() is None
    kit.git("remote", "add", "origin", "git@example.org:some/thing.git")
    assert kit.project.repo.remote() == "git@example.org:some/thing.git"


def test_existing_is_not_being_part_of_history(kit: Kit) -> None:
    """A commit that was amended away is still here, and no ancestor."""
    before = kit.head()
    kit.write("README.md", "# Another\n")
    kit.git("commit", "--quiet", "--all", "--amend", "--no-edit")
    repo = kit.project.repo
    assert repo.file(before, CASE) is not None
    assert repo.ancestors() == {kit.head()}
    assert (repo.reaches(before), repo.reaches(kit.head())) == ("no", "yes")


def test_files_come_from_the_commit_and_not_from_the_disk(kit: Kit) -> None:
    """Neither edits nor line ends of the work tree change what was committed."""
    commit, text = kit.head(), kit.read(CASE)
    line_ends(kit)
    deleted(kit)
    assert kit.project.repo.file(commit, CASE) == text.encode()
    assert kit.project.repo.file(commit, "gone.json") is None
    assert kit.project.repo.files(commit, "gone") == {}


def test_files_are_read_as_they_were_committed(kit: Kit) -> None:
    """An object that was replaced on the side does not stand in for the one that was committed."""
    text = kit.read(CASE)
    replaced(kit)
    assert kit.project.repo.file(kit.head(), CASE) == text.encode()


def test_a_name_is_never_an_option(kit: Kit) -> None:
    """A commit that looks like an option of git is no commit."""
    repo = kit.project.repo
    with pytest.raises(RepositoryError):
        repo.files("--output=witness", CASES)
    assert not (kit.root / "witness").exists()


@pytest.mark.parametrize("content", [b"", b"\n", b"no newline", b"\0\xff\n\n", b"x" * 300_000])
def test_any_bytes_come_back(kit: Kit, content: bytes) -> None:
    """Contents are read by their length, whatever is in them."""
    (kit.root / CASES / "a.bin").write_bytes(content)
    (kit.root / CASES / "b.bin").write_bytes(content[::-1])
    files = kit.project.repo.files(kit.commit(), CASES)
    assert (files["a.bin"], files["b.bin"]) == (content, content[::-1])


def test_a_repository_of_sha256_is_told_apart(kit: Kit, tmp_path: Path) -> None:
    """A repository with longer names is read like any other."""
    other = Kit(tmp_path / "other")
    shutil.copytree(kit.root, other.root, ignore=shutil.ignore_patterns(".git", "dist"))
    other.git("init", "--quiet", "--object-format=sha256")
    _identify(other)
    commit = other.commit("Long names")
    assert len(commit) == 64
    assert Project(other.root).repo.head() == commit
    assert tree(other) == Tree(clean="yes")
    change(other)
    assert tree(other) == Tree(clean="no", paths=(CASE,))
