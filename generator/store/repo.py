"""The one module that asks git, so that nothing of a stranger's repository is ever executed.

git itself can't be trusted to say whether a tree is clean: its index can be told to look away.
So every answer comes from a call that is told everything (`_CONFIG`), with no `GIT_*` variable of
the caller's, against an index that was just read from HEAD. An exit status other than 0 is
"unknown" with its reason, never "clean".
"""

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from generator.errors import RepositoryError
from generator.records.base import Certainty
from generator.records.bundle import Tree

_CONFIG = (
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.ignoreStat=false",
    "core.trustctime=true",
    "core.checkStat=default",
    "core.sparseCheckout=false",
    "core.hooksPath=/dev/null",
    "core.ignoreCase=false",
    "core.quotePath=false",
    "diff.ignoreSubmodules=none",
    "status.showUntrackedFiles=all",
    "core.commitGraph=false",
    *(() if os.name == "nt" else ("core.fileMode=true", "core.symlinks=true")),
)
_UNFINISHED = (
    *("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG"),
    *("rebase-merge", "rebase-apply", "sequencer"),
)
_REWRITTEN = ("info/grafts",)
_THEIRS = frozenset({"local", "worktree"})
"""Scopes of configuration that come with a repository; the others are the user's own."""

_FIELDS_BEFORE_PATH = {"1": 8, "2": 9, "u": 10}
"""By kind of a line of `status --porcelain=v2`."""

_CONVERSIONS = ("ident", "working-tree-encoding")
"""Attributes by which git takes other bytes than the committed ones for the same."""

_UNSET = frozenset({"unspecified", "unset"})

_REGULAR = frozenset({"100644", "100755"})
"""Modes of files that are no link and no submodule."""

_TYPE_AND_SIZE = 2
"""What `cat-file --batch` says of an object that is there; of another it says `missing`."""

_UNCHECKED = 1
"""The flags of compiled Python that is run without a look at its source."""

LISTED = 20
"""How many paths of a dirty tree are kept; the rest is only counted."""


class _NoAnswer(Exception):
    """git ended with another status than 0."""


@dataclass(frozen=True, slots=True)
class Blob:
    """An entry of a tree: a regular file, a link, or a submodule."""

    mode: str
    object: str
    path: str


@dataclass(frozen=True, slots=True)
class Repo:
    """The git repository that holds a project."""

    root: Path
    """Root of the project; it may lie below the root of the repository."""

    def head(self) -> str | None:
        """The commit that is checked out, in full hex; none where there is none."""
        try:
            return self._git("rev-parse", "--verify", "--end-of-options", "HEAD^{commit}").strip()
        except _NoAnswer:
            return None

    def top(self) -> Path:
        """Root of the work tree; raises RepositoryError where git knows of none."""
        try:
            return self._top()
        except _NoAnswer as fault:
            raise RepositoryError(
                f"{self.root} is in no work tree of a git repository: {fault}.",
                "Make a repository with git init, or change to one.",
            ) from fault

    def remote(self) -> str | None:
        """Address of the remote `origin` as the repository has it; none where there is none."""
        try:
            return self._git("config", "--get", "remote.origin.url").strip() or None
        except _NoAnswer:
            return None

    def tree(self, declared: Iterable[str]) -> Tree:
        """Whether the work tree is what HEAD says.

        `declared` are folders and files, relative to the root, that a run's figures depend on: a
        file among them that git does not track, ignored or not, makes the tree unclean.
        """
        try:
            return self._tree(tuple(declared))
        except _NoAnswer as fault:
            return Tree(clean="unknown", reason=str(fault)[:300])

    def is_shallow(self) -> bool:
        """Whether the repository lacks history, so that ancestry can't be told."""
        try:
            return self._git("rev-parse", "--is-shallow-repository").strip() == "true"
        except _NoAnswer:
            return False

    def ancestors(self) -> frozenset[str]:
        """HEAD and everything before it; existing is not enough to be published."""
        try:
            return frozenset(self._git("rev-list", "HEAD").split())
        except _NoAnswer:
            return frozenset()

    def reaches(self, commit: str) -> Certainty:
        """Whether a commit is HEAD or before it; in a shallow clone "no" can't be told."""
        if commit in self.ancestors():
            return "yes"
        return "unknown" if self.is_shallow() or self.head() is None else "no"

    def rewritten(self, folder: str) -> dict[str, str]:
        """Files of a folder that are no longer what their first commit made them.

        By path: the commit that changed or removed one, or an empty text where the work tree did.
        What a shallow clone has no history of is not told.
        """
        try:
            return {**self._rewritten_in_history(folder), **self._rewritten_here(folder)}
        except _NoAnswer:
            return {}

    def versions(self, path: str) -> list[bytes | None]:
        """Content of a file at every commit of this history that changed it, the newest first.

        None where a commit removed it; nothing where git has never had it, or can't tell.
        """
        try:
            commits = self._git("log", "--format=%H", "HEAD", "--", path).split()
            return [self.file(commit, path) for commit in commits]
        except (_NoAnswer, RepositoryError):
            return []

    def _rewritten_in_history(self, folder: str) -> dict[str, str]:
        listing = self._git(
            "log",
            "--format=%x01%H",
            "--name-only",
            "--diff-filter=MDT",
            "--no-renames",
            "--relative",
            "-z",
            "HEAD",
            "--",
            folder,
        )
        found: dict[str, str] = {}
        for block in filter(None, listing.split("\x01")):
            commit, *paths = block.replace("\n", "\0").split("\0")
            found |= dict.fromkeys(filter(None, paths), commit)
        return found

    def _rewritten_here(self, folder: str) -> dict[str, str]:
        entries = self._entries("HEAD", folder)
        contents = self._contents([entry.object for entry in entries])
        return {
            entry.path: ""
            for entry, content in zip(entries, contents, strict=True)
            if not _holds(self.root / entry.path, content)
        }

    def files(self, commit: str, folder: str) -> dict[str, bytes]:
        """Content of all files of a folder at a commit, by path relative to it, from git objects.

        Raises RepositoryError where the commit is not here, or holds a link or a submodule there.
        """
        try:
            entries = self._entries(commit, folder)
            odd = [entry.path for entry in entries if entry.mode not in _REGULAR]
            if odd:
                raise RepositoryError(
                    f"{odd[0]} at commit {commit[:16]} is a link or a submodule, not a file.",
                    "Put a regular file in its place and commit it.",
                )
            contents = self._contents([entry.object for entry in entries])
        except _NoAnswer as fault:
            raise RepositoryError(
                f"git can't read {folder} at commit {commit[:16]}: {fault}.",
                "Fetch the whole history (git fetch --unshallow), or check out a repository that "
                "has that commit.",
            ) from fault
        return {
            entry.path.removeprefix(folder.rstrip("/") + "/"): content
            for entry, content in zip(entries, contents, strict=True)
        }

    def file(self, commit: str, path: str) -> bytes | None:
        """Content of one file at a commit, from git objects; none where it is not there."""
        return self.files(commit, path).get(path)

    def _entries(self, commit: str, folder: str) -> list[Blob]:
        return self._listed("--end-of-options", commit, "--", folder)

    def _listed(self, *where: str) -> list[Blob]:
        listing = self._git("ls-tree", "-r", "-z", *where)
        entries = []
        for line in filter(None, listing.split("\0")):
            about, path = line.split("\t", 1)
            mode, _kind, name = about.split(" ")
            entries.append(Blob(mode, name, path))
        return entries

    def _contents(self, objects: list[str]) -> list[bytes]:
        answer = self._run("cat-file", "--batch", given="\n".join([*objects, ""]).encode())
        contents, position = [], 0
        for _ in objects:
            end = answer.index(b"\n", position)
            name, *about = answer[position:end].decode().split(" ")
            if len(about) < _TYPE_AND_SIZE:
                message = f"the object {name[:16]} is {about[0]}"
                raise _NoAnswer(message)
            size = int(about[1])
            contents.append(answer[end + 1 : end + 1 + size])
            position = end + 1 + size + 1
        return contents

    def _tree(self, declared: tuple[str, ...]) -> Tree:
        if self._git("rev-parse", "--is-bare-repository").strip() == "true":
            message = "a bare repository has no work tree"
            raise _NoAnswer(message)
        top = self._top()
        if not self.root.resolve().is_relative_to(top):
            message = "the repository's configuration names another work tree"
            raise _NoAnswer(message)
        self._executes_nothing()
        changed, untracked = self._status()
        changed |= self._staged() | self._looked_away() | self._unfinished()
        changed |= self._declared(declared) | self._converted()
        for path in self._submodules():
            inside = Repo(path).tree(())
            if inside.clean == "unknown":
                message = f"in submodule {path.name}: {inside.reason}"
                raise _NoAnswer(message)
            changed |= {f"{path.name}/{name}" for name in inside.paths}
        return Tree(
            clean="no" if changed else "yes",
            paths=tuple(sorted(changed)[:LISTED]),
            untracked=len(untracked),
        )

    def _executes_nothing(self) -> None:
        """A filter of the repository's own configuration would run a program on `status`."""
        listing = self._git("config", "--includes", "--name-only", "--show-scope", "-z", "--list")
        words = listing.split("\0")
        programs = [
            name
            for scope, name in zip(words[::2], words[1::2], strict=False)
            if scope in _THEIRS and name.startswith("filter.")
        ]
        if programs:
            message = f"the repository's configuration would run a program ({programs[0]})"
            raise _NoAnswer(message)

    def _status(self) -> tuple[set[str], set[str]]:
        """Changed and untracked files, against an index that was just read from HEAD."""
        with self._fresh_index() as fresh:
            # What is inside a submodule is asked there, by the same recipe.
            listing = self._git(
                "status",
                "--porcelain=v2",
                "-z",
                "--no-renames",
                "--ignore-submodules=dirty",
                more=fresh,
            )
        changed, untracked = set(), set()
        for line in filter(None, listing.split("\0")):
            kind = line[0]
            if kind == "?":
                untracked.add(line[2:])
            else:
                changed.add(line.split(" ", _FIELDS_BEFORE_PATH[kind])[-1])
        return changed, untracked

    @contextlib.contextmanager
    def _fresh_index(self) -> Iterator[dict[str, str]]:
        """An index that was just read from HEAD, as a setting for git; alone in its folder."""
        with tempfile.TemporaryDirectory() as folder:
            fresh = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
            self._git("read-tree", "HEAD", more=fresh)
            yield fresh

    def _staged(self) -> set[str]:
        """Changes of the real index against HEAD."""
        listing = self._git("diff-index", "--cached", "--name-only", "-z", "HEAD")
        return set(filter(None, listing.split("\0")))

    def _looked_away(self) -> set[str]:
        """Files that the real index was told not to look at."""
        listing = self._git("ls-files", "-v", "-z", "--full-name", ":/")
        return {line[2:] for line in listing.split("\0") if line[:1] == "S" or line[:1].islower()}

    def _declared(self, declared: tuple[str, ...]) -> set[str]:
        """Declared inputs that differ by a byte from HEAD, and foreign files among them."""
        if not declared:
            return set()
        listing = self._git("ls-files", "--others", "-z", "--", *declared)
        differing = {
            path for path in listing.split("\0") if path and not _is_cache(self.root / path)
        }
        entries = [entry for path in declared for entry in self._entries("HEAD", path)]
        contents = self._contents([entry.object for entry in entries])
        for entry, content in zip(entries, contents, strict=True):
            if not _holds(self.root / entry.path, content):
                differing.add(entry.path)
        return differing

    def _converted(self) -> set[str]:
        """Files that git converts as it compares, and that are not what a checkout would write.

        An edit inside `$Id: …$` is none to git where a file has the attribute `ident`.
        """
        top = self._top()
        entries = {entry.path: entry for entry in self._listed("--full-tree", "HEAD")}
        listing = self._git(
            *("-C", str(top), "check-attr", "-z", "--stdin", *_CONVERSIONS),
            given=os.fsencode("\0".join([*entries, ""])),
        ).split("\0")
        by_three = zip(listing[::3], listing[2::3], strict=False)
        converting = {path for path, value in by_three if value not in _UNSET}
        converted = [path for path in converting if entries[path].mode in _REGULAR]
        if not converted:
            return set()
        raw = self._contents([entries[path].object for path in converted])
        with self._fresh_index() as fresh:
            written = Path(fresh["GIT_INDEX_FILE"]).parent / "written"
            self._git(
                *("-C", str(top), "checkout-index", "-z", "--stdin", f"--prefix={written}/"),
                given=os.fsencode("\0".join([*converted, ""])),
                more=fresh,
            )
            return {
                path
                for path, content in zip(converted, raw, strict=True)
                if not _holds(top / path, content)
                and not _holds(top / path, (written / path).read_bytes())
            }

    def _submodules(self) -> list[Path]:
        top = self._top()
        listing = self._git("ls-files", "--stage", "-z", "--full-name", ":/")
        links = [line for line in listing.split("\0") if line.startswith("160000")]
        paths = [top / line.split("\t", 1)[1] for line in links]
        absent = [path for path in paths if not (path / ".git").exists()]
        if absent:
            message = f"the submodule {absent[0].name} is not there"
            raise _NoAnswer(message)
        return paths

    def _unfinished(self) -> set[str]:
        """Operations begun and not ended, and history rewritten on the side."""
        own = Path(self._git("rev-parse", "--absolute-git-dir").strip())
        common = self.root / self._git("rev-parse", "--git-common-dir").strip()
        found = {f".git/{name}" for name in _UNFINISHED if (own / name).exists()}
        found |= {f".git/{name}" for name in _REWRITTEN if (common / name).exists()}
        if self._git("for-each-ref", "--count=1", "refs/replace/"):
            found.add(".git/refs/replace")
        return found

    def _top(self) -> Path:
        """Root of the work tree that git looks at."""
        return Path(self._git("rev-parse", "--show-toplevel").removesuffix("\n")).resolve()

    def _git(self, *words: str, given: bytes = b"", more: Mapping[str, str] | None = None) -> str:
        return self._run(*words, given=given, more=more).decode(errors="surrogateescape")

    def _run(self, *words: str, given: bytes = b"", more: Mapping[str, str] | None = None) -> bytes:
        """One call of git; raises _NoAnswer with git's own words."""
        settings = [word for setting in _CONFIG for word in ("-c", setting)]
        try:
            done = subprocess.run(
                ["git", *settings, *words],  # noqa: S607  the git on the PATH, as the user has it
                cwd=self.root,
                input=given,
                env=_environment(more or {}),
                capture_output=True,
                check=False,
            )
        except OSError as fault:
            message = f"git can't be run: {fault.strerror}"
            raise _NoAnswer(message) from fault
        if done.returncode != 0:
            said = done.stderr.decode(errors="replace").strip().splitlines()
            raise _NoAnswer(said[0] if said else f"git {words[0]} ended with {done.returncode}")
        return done.stdout


def _holds(path: Path, content: bytes) -> bool:
    """Whether a path is a regular file with just this content."""
    return path.is_file() and not path.is_symlink() and path.read_bytes() == content


def _is_cache(path: Path) -> bool:
    """Whether a file is Python's own cache of a module beside it.

    A harness of several modules leaves some behind just by running, and Python itself drops one
    whose module has changed; but one whose header says not to look at the module (PEP 552) would
    run in its place, and is no mere cache.
    """
    if path.suffix != ".pyc" or path.parent.name != "__pycache__" or path.is_symlink():
        return False
    with path.open("rb") as file:
        flags = int.from_bytes(file.read(8)[4:], "little")
    return flags != _UNCHECKED


def _environment(more: Mapping[str, str]) -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {
        **own,
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        # A missing object is not fetched: that would run a transport of the repository's choosing.
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
        **more,
    }
