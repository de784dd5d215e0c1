import getpass
import json
import os
import platform
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.errors import BundleError, CorpusError, UsageError
from generator.records.bundle import Manifest
from generator.store.bundles import open_bundle
from generator.workflow.record import record
from generator.writer import BundleWriter, Turn, find_root, read_cases, read_scoring
from tests.conftest import ANSWERS, BENCHMARK, CASES, HARNESS, SYSTEMS, Kit, write_run

KILLED = """\
import os, sys
from pathlib import Path
from generator.writer import BundleWriter, Harness, System, Turn

root, out = map(Path, sys.argv[1:])
with BundleWriter(
    root,
    out,
    benchmark="greetings",
    systems=[System(id="first", provider="pypi", model="not-a-real-parser")],
    harness=Harness(name="greeter", version="1.0.0", contract=1),
) as bundle:
    bundle.attempt(case="curt-hey", system="first", turns=[Turn(content="Hey")])
    os._exit(9)
"""


def writer(kit: Kit, out: Path | None = None) -> BundleWriter:
    """A writer of a run of the sound systems."""
    place = out or kit.root / "dist" / "runs" / "new"
    return BundleWriter(kit.root, place, benchmark=BENCHMARK, systems=SYSTEMS, harness=HARNESS)


def one(bundle: BundleWriter, case: str = "curt-hey", system: str = "first") -> None:
    """Write one attempt."""
    bundle.attempt(case=case, system=system, turns=[Turn(content="Hey")])


def manifest_of(run: Path) -> Manifest:
    """What a run says of itself."""
    return open_bundle(run).manifest


def test_a_finished_run_is_whole(kit: Kit) -> None:
    """Every attempt is there, and the manifest says what ran, on which corpus, and when."""
    bundle = open_bundle(write_run(kit.root, kit.root / "dist" / "runs" / "new"))
    said = bundle.manifest
    attempts = [observed.attempt for observed in bundle.attempts()]
    assert [(attempt.system, attempt.case) for attempt in attempts] == [
        (system.id, case) for system in SYSTEMS for case in ANSWERS
    ]
    assert (said.status, said.stopped) == ("complete", None)
    assert (said.benchmark.id, said.benchmark.version) == (BENCHMARK, "1")
    assert (said.systems, said.harness) == (SYSTEMS, HARNESS)
    assert said.corpus.commit == kit.head()
    assert said.corpus.digest is not None
    assert said.corpus.contracts is not None
    assert (said.tree_at_start.clean, said.tree_at_end.clean) == ("yes", "yes")
    assert said.finished is not None
    assert said.started <= said.finished


def test_a_finished_run_can_be_published(kit: Kit) -> None:
    """What the writer hands over is all that the rules ask for."""
    assert record(kit.project, write_run(kit.root, kit.root / "dist" / "new")).refused == 0


def test_two_runs_have_two_ids(kit: Kit) -> None:
    """Runs that begin in the same second are told apart."""
    first = manifest_of(write_run(kit.root, kit.root / "dist" / "one"))
    second = manifest_of(write_run(kit.root, kit.root / "dist" / "two"))
    assert first.run != second.run


def test_a_run_says_stopped_until_it_has_ended(kit: Kit) -> None:
    """From the first moment on, what lies on disk is a run that stopped by a crash."""
    out = kit.root / "dist" / "new"
    with writer(kit, out) as bundle:
        said = manifest_of(out)
        assert (said.status, said.stopped, said.finished) == ("stopped", "crash", None)
        one(bundle)
        assert len(list(open_bundle(out).attempts())) == 1
        assert manifest_of(out).status == "stopped"
    assert manifest_of(out).status == "complete"


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (RuntimeError, "crash"),
        (KeyboardInterrupt, "interrupt"),
        (SystemExit, "crash"),
        (MemoryError, "crash"),
    ],
)
def test_a_run_that_ends_by_an_exception_says_so(
    kit: Kit, fault: type[BaseException], why: str
) -> None:
    """The exception goes on, the attempts stay, and the manifest says what ended the run."""
    out = kit.root / "dist" / "new"

    def run() -> None:
        with writer(kit, out) as bundle:
            one(bundle)
            raise fault

    with pytest.raises(fault):
        run()
    said = manifest_of(out)
    assert (said.status, said.stopped) == ("stopped", why)
    assert said.finished is not None
    assert len(list(open_bundle(out).attempts())) == 1


def test_a_killed_run_says_so(kit: Kit) -> None:
    """A process that is gone from one moment to the next leaves a run that stopped."""
    out = kit.root / "dist" / "new"
    done = subprocess.run([sys.executable, "-c", KILLED, str(kit.root), str(out)], check=False)
    assert done.returncode == 9
    said = manifest_of(out)
    assert (said.status, said.stopped, said.finished) == ("stopped", "crash", None)
    assert said.tree_at_end.clean == "unknown"
    assert [observed.attempt.case for observed in open_bundle(out).attempts()] == ["curt-hey"]


@pytest.mark.parametrize("why", ["budget", "interrupt"])
def test_a_run_can_be_stopped(kit: Kit, why: str) -> None:
    """A harness that stops says why, and nothing is added afterwards."""
    out = kit.root / "dist" / "new"
    with writer(kit, out) as bundle:
        one(bundle)
        bundle.stop("budget" if why == "budget" else "interrupt")
        with pytest.raises(RuntimeError, match="inside the `with` block"):
            one(bundle, case="curt-yo")
    said = manifest_of(out)
    assert (said.status, said.stopped) == ("stopped", why)
    assert len(list(open_bundle(out).attempts())) == 1


def test_attempts_are_written_inside_the_block_only(kit: Kit) -> None:
    """Before a run has begun there is no place to write to."""
    with pytest.raises(RuntimeError, match="inside the `with` block"):
        one(writer(kit))
    assert not (kit.root / "dist" / "runs" / "new").exists()


@pytest.mark.parametrize(
    "field",
    [
        {"repetition": 0},
        {"elapsed_us": -1},
        {"outcome": "passed"},
        {"turns": [{"score": 1}]},
        {"case": ""},
        {"case": "x" * 301},
    ],
    ids=str,
)
def test_what_could_not_be_read_is_not_written(kit: Kit, field: dict[str, object]) -> None:
    """A fault of the harness is said at once, and costs the run no attempt before it."""
    out = kit.root / "dist" / "new"
    words = {"case": "curt-yo", "system": "first", **field}
    with writer(kit, out) as bundle:
        one(bundle)
        with pytest.raises(ValueError, match=r"."):
            bundle.attempt(**words)  # type: ignore[arg-type]
    assert [observed.attempt.case for observed in open_bundle(out).attempts()] == ["curt-hey"]


def test_what_is_said_comes_back_to_the_letter(kit: Kit) -> None:
    """Line ends, separators, quotes, zero bytes and any script survive the file."""
    said = 'one\ntwo\r\n\u2028"\\\0 挨拶 \U0001f44b'
    out = kit.root / "dist" / "new"
    with writer(kit, out) as bundle:
        bundle.attempt(case="curt-hey", system="first", turns=[Turn(content=said)], stimulus=said)
    (observed,) = open_bundle(out).attempts()
    assert (observed.attempt.turns[0].content, observed.attempt.stimulus) == (said, said)


@pytest.mark.parametrize("made", [False, True])
def test_a_new_or_empty_folder_is_taken(kit: Kit, *, made: bool) -> None:
    """A run needs a folder of its own, which may be there or not."""
    out = kit.root / "dist" / "a" / "b" / "c"
    if made:
        out.mkdir(parents=True)
    assert manifest_of(write_run(kit.root, out)).status == "complete"


def test_an_earlier_run_is_replaced(kit: Kit) -> None:
    """Nothing of an earlier run is left among the attempts of a new one."""
    (kit.run / "attempts-2.jsonl").write_text("of the earlier run\n")
    with writer(kit, kit.run) as bundle:
        one(bundle)
    assert sorted(path.name for path in kit.run.iterdir()) == ["attempts.jsonl", "run.json"]
    assert len(list(open_bundle(kit.run).attempts())) == 1


def test_an_earlier_run_stays_until_the_new_one_begins(kit: Kit) -> None:
    """A harness that can't even begin takes nothing away."""
    before = (kit.run / "attempts.jsonl").read_bytes()
    writer(kit, kit.run)
    assert (kit.run / "attempts.jsonl").read_bytes() == before


def occupied(place: Path) -> None:
    """A folder with somebody's work in it."""
    place.mkdir()
    (place / "thesis.txt").write_text("All of it.")


def a_file(place: Path) -> None:
    """A file in the place of the folder."""
    place.write_text("All of it.")


def a_link(place: Path) -> None:
    """A link to a folder somewhere else."""
    other = place.with_name("elsewhere")
    other.mkdir()
    (other / "run.json").write_text("{}")
    place.symlink_to(other)


@pytest.mark.parametrize("occupy", [occupied, a_file, a_link])
def test_what_is_no_earlier_run_is_left_alone(kit: Kit, occupy: Callable[[Path], None]) -> None:
    """The writer takes away an earlier run and nothing else."""
    out = kit.root / "dist" / "taken"
    occupy(out)
    before = sorted((kit.root / "dist").rglob("*"))
    with pytest.raises(BundleError, match=str(out)) as caught, writer(kit, out):
        pass
    assert "Name a folder" in caught.value.remedy
    assert sorted((kit.root / "dist").rglob("*")) == before


def test_a_tree_that_is_not_clean_at_the_start_is_seen(kit: Kit) -> None:
    """A change that was there before the run and went away during it is in the manifest."""
    text = kit.read("README.md")
    kit.write("README.md", "# Another\n")
    out = kit.root / "dist" / "new"
    with writer(kit, out) as bundle:
        kit.write("README.md", text)
        one(bundle)
    said = manifest_of(out)
    assert (said.tree_at_start.clean, said.tree_at_end.clean) == ("no", "yes")
    assert said.tree_at_start.paths == ("README.md",)


def test_a_tree_that_is_not_clean_at_the_end_is_seen(kit: Kit) -> None:
    """A case that was changed while the run was on is in the manifest."""
    out = kit.root / "dist" / "new"
    with writer(kit, out) as bundle:
        one(bundle)
        kit.write(f"{CASES}/curt/curt-hey.json", "{}")
    said = manifest_of(out)
    assert (said.tree_at_start.clean, said.tree_at_end.clean) == ("yes", "no")
    assert said.tree_at_end.paths == (f"{CASES}/curt/curt-hey.json",)


def test_the_run_names_the_corpus_that_it_began_with(kit: Kit) -> None:
    """A commit while the run is on does not change what was asked."""
    before = kit.head()
    out = kit.root / "dist" / "new"
    with writer(kit, out) as bundle:
        one(bundle)
        kit.write("README.md", "# Another\n")
        kit.commit()
    assert manifest_of(out).corpus.commit == before


def test_nobody_is_named(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the host nor the user nor a path of either stands in the manifest."""
    for module, name in ((socket, "gethostname"), (platform, "node"), (getpass, "getuser")):
        monkeypatch.setattr(module, name, lambda: "somebodys")
    for name in ("USER", "LOGNAME", "HOSTNAME", "COMPUTERNAME"):
        monkeypatch.setenv(name, "somebodys")
    text = (write_run(kit.root, kit.root / "dist" / "new") / "run.json").read_text()
    assert set(json.loads(text)["environment"]) == {"cpu", "os", "python"}
    assert "somebodys" not in text
    assert str(kit.root) not in text
    assert os.environ["HOME"] not in text


def test_an_unknown_benchmark_is_said_before_anything_is_asked(kit: Kit) -> None:
    """A harness that names another benchmark learns the known ones, and leaves no folder."""
    with pytest.raises(CorpusError) as caught:
        BundleWriter(
            kit.root, kit.root / "new", benchmark="farewells", systems=SYSTEMS, harness=HARNESS
        )
    assert caught.value.remedy == f"Known benchmarks: {BENCHMARK}."
    assert not (kit.root / "new").exists()


def test_an_unknown_family_is_said_before_anything_is_asked(kit: Kit) -> None:
    """A benchmark of a family that nobody can score is not run."""
    path = f"results/benchmarks/{BENCHMARK}/benchmark.toml"
    kit.write(path, kit.read(path).replace('"declarative"', '"guesswork"'))
    with pytest.raises(UsageError, match="the family 'guesswork', which is unknown"):
        writer(kit)


def test_without_git_a_run_is_written_all_the_same(
    kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What can't be told is unknown; the observations are worth keeping."""
    monkeypatch.setenv("PATH", "/nowhere")
    said = manifest_of(write_run(kit.root, kit.root / "dist" / "new"))
    assert (said.status, said.corpus.commit) == ("complete", None)
    assert (said.tree_at_start.clean, said.tree_at_end.clean) == ("unknown", "unknown")


def test_a_harness_finds_its_project(kit: Kit) -> None:
    """From its own file or folder a harness finds the root, the cases in name order, the limits."""
    harness = kit.root / "results" / "benchmarks" / BENCHMARK / "harness"
    assert find_root(harness / "run.py") == find_root(harness) == kit.root.resolve()
    cases = read_cases(kit.root, BENCHMARK)
    assert [case["name"] for case in cases] == sorted(ANSWERS)
    assert [case["prompt"] for case in cases] == [ANSWERS[name][1] for name in sorted(ANSWERS)]
    assert read_scoring(kit.root, BENCHMARK) == {"limits": {"seconds_per_attempt": 10}}


def test_outside_of_a_project_there_is_no_root(tmp_path: Path) -> None:
    """A harness that lies nowhere is told where to go."""
    with pytest.raises(UsageError, match="is not inside a project"):
        find_root(tmp_path)
