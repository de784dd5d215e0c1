"""A new site: whole from the first moment, in any repository, and no file of anybody touched."""

import errno
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from generator.errors import RepositoryError, StorageError, UsageError
from generator.records.base import slug
from generator.store import atomic
from generator.store.site import locales
from generator.workflow import init as begin
from generator.workflow.build import build
from generator.workflow.check import check
from generator.workflow.init import EXAMPLE, Outcome, init
from generator.workflow.record import record
from generator.workflow.render import render_recorded
from tests.conftest import Kit
from tests.pages.reading import REPOSITORY

BENCHMARK = f"results/benchmarks/{EXAMPLE}"
SETTINGS = """\
site_name: Somebody's
theme: {name: material}
plugins: [search, assay]
extra:
  locales:
    - {code: "en", name: "English"}
    - {code: "it", name: "Italiano"}
"""

Trees = dict[str, bytes]


@pytest.fixture
def repository(tmp_path: Path, alone: None) -> Kit:  # noqa: ARG001  it prepares the process
    """A repository of somebody, with a commit and nothing of a site."""
    kit = Kit(tmp_path / "my-library")
    kit.write("LICENSE", "All mine.\n")
    kit.git("init", "--quiet", "--initial-branch=main")
    kit.git("config", "user.name", "Nobody In Particular")
    kit.git("config", "user.email", "nobody@example.org")
    kit.commit("A library")
    return kit


def files(root: Path) -> Trees:
    """Every file of a work tree by path."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(root).parts
    }


def names(done: Outcome, paths: tuple[Path, ...]) -> list[str]:
    """Paths below the root of the repository."""
    return [path.relative_to(done.top).as_posix() for path in paths]


@pytest.mark.parametrize("place", ["", "bench marks/own"], ids=["at-the-root", "in-a-folder"])
def test_a_site_from_nothing_to_published_rows(repository: Kit, place: str) -> None:
    """Each step works as it is told: check, commit, run the harness, record, check, build."""
    done = init(repository.root / place)
    site = Kit(done.project.root)
    assert (site.root, done.top) == (repository.root / place, repository.root)
    assert check(site.project).findings == ()
    repository.commit("A site")
    harness = site.project.benchmarks / EXAMPLE / "harness" / "run.py"
    ran = subprocess.run([sys.executable, str(harness)], capture_output=True, text=True, check=True)
    assert (ran.stdout, ran.stderr) == ("", "")
    recorded = record(site.project, site.project.dist / "runs" / EXAMPLE)
    assert (recorded.published, recorded.refused) == (2, 0)
    render_recorded(site.project, recorded)
    repository.commit("Two rows")
    report = check(site.project)
    assert (report.findings, report.notes, report.rows) == ((), (), 2)
    assert build(site.project).redrawn == 0
    assert repository.git("status", "--porcelain") == ""
    assert init(site.root).written == ()


def test_what_is_new_is_what_is_to_be_committed(repository: Kit) -> None:
    """Each new folder is named once, and each file that was written lies in what is named."""
    repository.write("docs/notes.txt", "Mine.\n")
    done = init(repository.root)
    assert names(done, done.new) == [
        ".gitattributes",
        ".github",
        ".gitignore",
        ".pre-commit-config.yaml",
        "README.md",
        "docs/en",
        "mkdocs.yml",
        "results",
    ]
    assert all(any(path.is_relative_to(new) for new in done.new) for path in done.written)


def test_a_site_in_a_folder_is_proved_from_the_root(repository: Kit) -> None:
    """CI and the hook lie where they are looked for, and know in which folder the site is."""
    init(repository.root / "its own")
    assert 'working-directory: "its own"' in repository.read(".github/workflows/results.yml")
    hook = repository.read(".pre-commit-config.yaml")
    assert "entry: \"results --project 'its own' check\"" in hook
    assert not (repository.root / "mkdocs.yml").exists()
    assert not (repository.root / "its own/.github").exists()


@pytest.mark.parametrize(
    ("remote", "name"),
    [
        (None, "my-library"),
        ("git@github.com:somebody/other-name.git", "other-name"),
        ("https://example.org/some/where/third.name/", "third.name"),
        ('/srv/git/<i>"fourth" one.git', "i fourth one"),
    ],
)
def test_the_site_is_called_as_the_repository(
    repository: Kit, remote: str | None, name: str
) -> None:
    """The remote knows the name; where there is none it is the folder's."""
    if remote:
        repository.git("remote", "add", "origin", remote)
    init(repository.root)
    assert repository.read("mkdocs.yml").startswith(f'site_name: "{name}"\n')
    assert [locale.code for locale in locales(repository.project)] == ["en"]


def test_the_example_is_seen_to_be_one(repository: Kit) -> None:
    """Whoever reads the page of the first benchmark sees that it is there to be replaced."""
    init(repository.root)
    page = repository.read(f"docs/en/benchmarks/{EXAMPLE}.md")
    assert "# First benchmark (an example)\n" in page
    assert "an example to begin from" in page
    assert slug(EXAMPLE) == EXAMPLE


def test_ci_proves_what_a_person_would(repository: Kit) -> None:
    """The whole history, this Python, the very Assay: then the check and the strict build."""
    init(repository.root)
    (job,) = yaml.safe_load(repository.read(".github/workflows/results.yml"))["jobs"].values()
    checkout, python, *steps = job["steps"]
    assert checkout["with"] == {"fetch-depth": 0}
    assert python["with"] == {"python-version": f"{sys.version_info[0]}.{sys.version_info[1]}"}
    assert [step["run"].partition(" ")[0] for step in steps] == ["python", "results", "mkdocs"]


def test_the_hook_is_the_one_that_others_can_name(repository: Kit) -> None:
    """As a local hook or by the address of this repository, the very same is run."""
    init(repository.root)
    (local,) = yaml.safe_load(repository.read(".pre-commit-config.yaml"))["repos"]
    (own,) = local["hooks"]
    (offered,) = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text("utf-8"))
    same = ("id", "name", "entry", "pass_filenames")
    assert [own[name] for name in same] == [offered[name] for name in same]
    for path in ("mkdocs.yml", "docs/en/index.md", "results/registry/a/b.json"):
        assert re.search(own["files"], path)
        assert re.search(offered["files"], f"some/where/{path}")
    assert not re.search(own["files"], "src/results.py")


@pytest.mark.parametrize("name", [".gitattributes", ".gitignore"])
def test_git_treats_a_site_as_it_treats_this_one(repository: Kit, name: str) -> None:
    """What is ignored, converted or marked as drawn elsewhere is so here."""
    init(repository.root)
    own = (REPOSITORY / name).read_text("utf-8").splitlines()
    assert [line for line in repository.read(name).splitlines() if line not in own] == []


# What exists


def test_nothing_that_is_there_is_touched(repository: Kit) -> None:
    """Files of the same names stay as they are, byte for byte, and what they lack is told."""
    own = {
        ".gitignore": "dist/\n*.log\n",
        ".gitattributes": "",
        ".github/workflows/results.yml": "name: mine\n",
        ".pre-commit-config.yaml": "repos: []\n",
        "README.md": "# Mine\n",
        "docs/en/guide/index.md": "Mine\r\n",
        "mkdocs.yml": "site_name: Mine\n",
        f"{BENCHMARK}/about.en.md": "Mine\n",
    }
    for path, text in own.items():
        repository.write(path, text)
    before = files(repository.root)
    done = init(repository.root)
    after = files(repository.root)
    assert {path: after[path] for path in before} == before
    assert set(names(done, done.kept)) == set(own)
    assert set(names(done, done.written)) == set(after) - set(before)
    lacking = {names(done, (one.path,))[0]: one.lines for one in done.additions}
    assert set(lacking) == {".gitattributes", ".gitignore", ".pre-commit-config.yaml", "mkdocs.yml"}
    assert "/site/" in lacking[".gitignore"]
    assert "/dist/" not in lacking[".gitignore"]
    assert "/results/registry/** -text" in lacking[".gitattributes"]
    assert "      - id: results-check" in lacking[".pre-commit-config.yaml"]


def test_what_is_to_be_added_is_all_that_lacks(repository: Kit) -> None:
    """With the lines added that were named, nothing more is, and the site agrees."""
    repository.write(".gitignore", "*.log\n")
    repository.write(".pre-commit-config.yaml", "repos:\n")
    repository.write("mkdocs.yml", "site_name: Mine\n")
    for addition in init(repository.root).additions:
        had = addition.path.read_text("utf-8")
        addition.path.write_text("\n".join([had, *addition.lines, ""]), encoding="utf-8")
    assert init(repository.root).additions == ()
    assert check(repository.project).findings == ()


def test_a_second_time_nothing_changes(repository: Kit) -> None:
    """What was laid out is complete, and is left as it has become meanwhile."""
    init(repository.root)
    repository.write("mkdocs.yml", SETTINGS)
    before = files(repository.root)
    done = init(repository.root)
    assert (done.written, done.new, done.additions) == ((), (), ())
    assert files(repository.root) == before


def test_a_site_that_was_cut_short_is_finished(
    repository: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whenever the disk refuses, the same command afterwards leaves what one call would have."""
    whole = files(init(repository.root / "whole").project.root)
    for left in range(0, len(whole), 8):
        site = repository.root / f"cut-{left}"
        with monkeypatch.context() as patch:
            patch.setattr(begin, "write", refusing(site, left))
            with pytest.raises(StorageError):
                init(site)
        assert len(files(site)) == left
        init(site)
        assert files(site).keys() == whole.keys()
        assert check(Kit(site).project).findings == ()


def refusing(place: Path, left: int) -> Callable[[Path, bytes], None]:
    """A disk that takes some files below a place, and then no more."""
    taken: list[Path] = []

    def write(path: Path, content: bytes) -> None:
        if path.is_relative_to(place):
            if len(taken) == left:
                raise StorageError(f"{path} can't be written: it is full.", "Make room.")
            taken.append(path)
        atomic.write(path, content)

    return write


def test_a_project_with_benchmarks_gets_no_example(kit: Kit) -> None:
    """Where somebody has benchmarks, only what lies around them is added."""
    before = files(kit.root)
    done = init(kit.root)
    assert not done.example
    assert not kit.project.docs.joinpath("en", "index.md").exists()
    assert names(done, done.written) == [
        ".gitattributes",
        ".github/workflows/results.yml",
        ".pre-commit-config.yaml",
        "docs/en/guide/index.md",
    ]
    assert {path: files(kit.root)[path] for path in before} == before


def test_pages_are_drawn_in_the_languages_of_the_settings(repository: Kit) -> None:
    """Settings that are there already say which languages the site has."""
    repository.write("mkdocs.yml", SETTINGS)
    done = init(repository.root)
    assert done.additions == ()
    assert 'title: "Che cosa si può pubblicare"' in repository.read("docs/it/rules.md")
    assert not {one.id for one in check(repository.project).findings} & {
        "missing-page",
        "edited-page",
    }


# What can't be


@pytest.mark.parametrize(
    ("path", "text", "told"),
    [
        ("results", "One file.\n", "results is a file, and a folder is to lie there"),
        (
            "docs/en/rules.md/one.txt",
            "",
            "docs/en/rules.md is a folder, and a file is to lie there",
        ),
        ("docs/en/index.md", "# Mine\n", "docs/en/index.md is not one of ours"),
    ],
)
def test_what_stands_in_the_way_stops_it_all(
    repository: Kit, path: str, text: str, told: str
) -> None:
    """It is told what and where, with the way out, before a single file is written."""
    repository.write(path, text)
    before = files(repository.root)
    with pytest.raises(UsageError) as caught:
        init(repository.root)
    assert told in caught.value.what
    assert "results init FOLDER" in caught.value.remedy
    assert files(repository.root) == before


def test_a_file_is_no_folder_for_a_site(repository: Kit) -> None:
    """Whoever names a file is told so."""
    with pytest.raises(UsageError, match="LICENSE is a file, and a folder is to lie there"):
        init(repository.root / "LICENSE")


def test_a_link_that_leads_nowhere_is_kept(repository: Kit) -> None:
    """A link is somebody's file, wherever it leads."""
    (repository.root / "README.md").symlink_to("gone.md")
    done = init(repository.root)
    assert names(done, done.kept) == ["README.md"]
    assert (repository.root / "README.md").readlink() == Path("gone.md")


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("folder", ["", "new/one"], ids=["that-is-there", "that-is-not"])
def test_without_a_repository_there_is_no_site(tmp_path: Path, folder: str) -> None:
    """A published figure points at a commit; so git comes first, and it is said how."""
    with pytest.raises(RepositoryError) as caught:
        init(tmp_path / folder)
    assert caught.value.what.startswith(f"{tmp_path} is in no work tree of a git repository: ")
    assert "git init" in caught.value.remedy
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("folder", ["docs", "new"])
def test_a_site_lies_in_no_other(kit: Kit, folder: str) -> None:
    """Inside of a site the command does not begin another."""
    (kit.root / "docs").mkdir()
    with pytest.raises(UsageError, match=f"{folder} lies inside the site {kit.root}"):
        init(kit.root / folder)


def test_a_disk_that_is_read_only_is_told(repository: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can be written, a sentence says so, and nothing is."""
    opened = os.open

    def read_only(path: Path, flags: int, *rest: int, **words: int) -> int:
        if flags & os.O_CREAT and Path(path).is_relative_to(repository.root):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return opened(path, flags, *rest, **words)

    before = files(repository.root)
    monkeypatch.setattr(os, "open", read_only)
    with pytest.raises(StorageError, match="can't be written: Read-only file system"):
        init(repository.root)
    assert files(repository.root) == before
