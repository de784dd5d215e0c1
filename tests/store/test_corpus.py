import os
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.errors import CorpusError, RepositoryError
from generator.store.corpus import benchmark_at, benchmark_here, benchmark_ids, prose
from tests.conftest import BENCHMARK, CASES, Kit

FOLDER = f"results/benchmarks/{BENCHMARK}"
TOML = f"{FOLDER}/benchmark.toml"


def edit_toml(kit: Kit, old: str, new: str) -> None:
    """Change one place of the benchmark's own file."""
    text = kit.read(TOML)
    assert text.count(old) == 1
    kit.write(TOML, text.replace(old, new))


def test_benchmarks_are_listed_by_name(kit: Kit) -> None:
    """A folder is a benchmark as soon as it holds the file that describes one."""
    kit.write("results/benchmarks/dates/benchmark.toml", "")
    kit.write("results/benchmarks/an-idea/notes.md", "")
    assert benchmark_ids(kit.project) == ("dates", BENCHMARK)


def test_a_project_without_benchmarks_has_none(tmp_path: Path) -> None:
    """Where there is no folder of benchmarks, the list is empty."""
    assert benchmark_ids(Kit(tmp_path).project) == ()


def test_work_tree_and_commit_agree(kit: Kit) -> None:
    """What is committed and not changed is the same corpus, to the digest, from either side."""
    here = benchmark_here(kit.project, BENCHMARK)
    there = benchmark_at(kit.project, BENCHMARK, kit.head())
    assert dict(here.cases) == dict(there.cases)
    assert set(here.cases) == {
        "curt/curt-hey.json",
        "curt/curt-yo.json",
        "polite/polite-evening.json",
        "polite/polite-morning.json",
    }
    assert (here.digest, here.benchmark) == (there.digest, there.benchmark)


@pytest.mark.parametrize(
    "change",
    [
        lambda kit: kit.write(f"{CASES}/curt/curt-hey.json", "{}"),
        lambda kit: kit.write(f"{CASES}/curt/another.json", "{}"),
        lambda kit: (kit.root / CASES / "curt/curt-hey.json").unlink(),
        lambda kit: (kit.root / CASES / "curt").rename(kit.root / CASES / "short"),
    ],
    ids=["edited", "added", "removed", "renamed"],
)
def test_any_change_of_a_case_is_another_corpus(kit: Kit, change: Callable[[Kit], object]) -> None:
    """The digest covers names and contents of all cases; the commit keeps its own."""
    before = benchmark_here(kit.project, BENCHMARK).digest
    change(kit)
    assert benchmark_here(kit.project, BENCHMARK).digest != before
    assert benchmark_at(kit.project, BENCHMARK, kit.head()).digest == before


def test_names_of_any_script_are_read_alike(kit: Kit) -> None:
    """File names with spaces, quotes, line ends and letters beyond ASCII come back as they are."""
    names = ['with "quotes".json', "saluto è.json", "挨拶.json", "new\nline.json", "tab\t.json"]
    for name in names:
        kit.write(f"{CASES}/{name}", "{}")
    kit.commit()
    there = benchmark_at(kit.project, BENCHMARK, kit.head())
    assert set(names) < set(there.cases)
    assert there.digest == benchmark_here(kit.project, BENCHMARK).digest


@pytest.mark.parametrize("target", ["curt/curt-yo.json", "curt", "../harness", "nowhere"])
def test_a_link_among_cases_is_refused(kit: Kit, target: str) -> None:
    """A link is no case, neither in the work tree nor at a commit, and it is named."""
    (kit.root / CASES / "link").symlink_to(target)
    with pytest.raises(CorpusError, match=f"{CASES}/link is a link"):
        benchmark_here(kit.project, BENCHMARK)
    commit = kit.commit()
    with pytest.raises(RepositoryError, match=f"{CASES}/link at commit {commit[:16]} is a link"):
        benchmark_at(kit.project, BENCHMARK, commit)


def test_a_pipe_among_cases_is_refused(kit: Kit) -> None:
    """What a commit could not hold is no case either."""
    os.mkfifo(kit.root / CASES / "pipe")
    with pytest.raises(CorpusError, match="pipe is a link, or no regular file"):
        benchmark_here(kit.project, BENCHMARK)


def test_the_id_is_the_name_of_the_folder(kit: Kit) -> None:
    """A benchmark that calls itself otherwise than its folder is refused, from either side."""
    edit_toml(kit, 'id = "greetings"', 'id = "farewells"')
    with pytest.raises(CorpusError, match="the id is 'farewells', the folder is called"):
        benchmark_here(kit.project, BENCHMARK)
    with pytest.raises(CorpusError, match="the id is 'farewells', the folder is called"):
        benchmark_at(kit.project, BENCHMARK, kit.commit())


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('version = "1"', "version = 1", "at version: "),
        ('version = "1"', 'version = "1"\nscore = 1', "at score: "),
        ('version = "1"', 'version = "1', "benchmark.toml: "),
        ('version = "1"', 'version = "1"\nversion = "2"', "benchmark.toml: "),
        ("assay.benchmark/1", "assay.benchmark/2", "this version of assay reads"),
        ("[scoring.limits]", "<<<<<<< HEAD\n[scoring.limits]", "line 20 is a conflict marker"),
    ],
)
def test_a_benchmark_that_is_not_sound_is_refused(kit: Kit, old: str, new: str, said: str) -> None:
    """The benchmark's own file is read strictly, and the fault is named with its place."""
    edit_toml(kit, old, new)
    with pytest.raises(CorpusError) as caught:
        benchmark_here(kit.project, BENCHMARK)
    assert caught.value.what.startswith(str(kit.root / TOML))
    assert said in caught.value.what
    assert caught.value.code == 4


def test_an_unknown_benchmark_lists_the_known_ones(kit: Kit) -> None:
    """A name that leads nowhere is answered with the names that do."""
    with pytest.raises(CorpusError) as caught:
        benchmark_here(kit.project, "farewells")
    assert caught.value.remedy == f"Known benchmarks: {BENCHMARK}."


def test_a_benchmark_that_was_never_committed_is_told(kit: Kit) -> None:
    """At a commit there is only what was committed."""
    kit.write("results/benchmarks/farewells/benchmark.toml", kit.read(TOML))
    with pytest.raises(CorpusError, match=r"holds no results/benchmarks/farewells/benchmark\.toml"):
        benchmark_at(kit.project, "farewells", kit.head())


@pytest.mark.parametrize("commit", ["0" * 40, "f" * 40, "f" * 64])
def test_a_commit_that_is_not_here_is_told(kit: Kit, commit: str) -> None:
    """A commit of somewhere else ends in a sentence, with what to do."""
    with pytest.raises(RepositoryError, match=f"at commit {commit[:16]}") as caught:
        benchmark_at(kit.project, BENCHMARK, commit)
    assert "git fetch --unshallow" in caught.value.remedy
    assert caught.value.code == 6


def test_prose_is_found_by_its_locale(kit: Kit) -> None:
    """A text is there, or it is not; nothing stands in for it."""
    assert "A text in es." in str(prose(kit.project, BENCHMARK, "es"))
    assert prose(kit.project, BENCHMARK, "pl") is None
