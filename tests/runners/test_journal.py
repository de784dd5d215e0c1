import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator.errors import BundleError, StorageError, UsageError
from generator.records.bundle import Attempt, Manifest, System, Turn
from generator.runners.journal import Journal
from generator.runners.scrub import Scrub
from generator.store.bundles import open_bundle
from generator.writer import begun
from tests.conftest import ANSWERS, BENCHMARK, CASES, HARNESS, SYSTEMS, Kit, edit_json
from tests.runners.sample import KEY

CASE_IDS = sorted(ANSWERS)
WHOLE = [
    f"{system.id}/{case}/{repetition}"
    for system in SYSTEMS
    for case in CASE_IDS
    for repetition in (1, 2)
]
"""Ids of all attempts, in the order of the bundle."""


def manifest(kit: Kit, **said: Any) -> Manifest:  # noqa: ANN401  what tests like to vary
    """What a run says of itself when it begins."""
    sound: dict[str, Any] = {
        "benchmark": BENCHMARK,
        "systems": SYSTEMS,
        "harness": HARNESS,
        "repetitions": 2,
    }
    return begun(kit.project, **{**sound, **said})


def journal(
    kit: Kit,
    *,
    resume: bool = False,
    seen: Callable[[Attempt], None] = lambda _: None,
    cases: list[str] | None = None,
    **said: Any,  # noqa: ANN401  what tests like to vary
) -> Journal:
    """The journal of a run below `dist/`."""
    scrub = Scrub({"OPENAI_API_KEY": KEY})
    asked = cases or CASE_IDS
    return Journal(
        kit.project, out(kit), manifest(kit, **said), asked, scrub, resume=resume, seen=seen
    )


def out(kit: Kit) -> Path:
    """Where the run lies."""
    return kit.root / "dist" / "runs" / "new"


def attempt(name: str, run: str, said: str = "Hey") -> Attempt:
    """An attempt by its id."""
    system, case, repetition = name.split("/")
    turns = (Turn(content=said),)
    return Attempt(name, case, system, int(repetition), "completed", run=run, turns=turns)


def fill(kit: Kit, names: list[str], *, finish: str | None = "interrupt") -> None:
    """Write some attempts, and end the run."""
    with journal(kit) as writing:
        for name in names:
            writing.add(attempt(name, writing.manifest.run))
        writing.finish(finish)


def read(kit: Kit) -> list[str]:
    """The ids of all attempts, in the order of the bundle."""
    return [observed.attempt.id for observed in open_bundle(out(kit)).attempts()]


def said(kit: Kit) -> Manifest:
    """What the run says of itself."""
    return open_bundle(out(kit)).manifest


def spoil(kit: Kit, edit: Callable[[bytes], bytes]) -> None:
    """Change the file of attempts."""
    path = out(kit) / "attempts.jsonl"
    path.write_bytes(edit(path.read_bytes()))


# Writing


@pytest.mark.parametrize("come", [WHOLE, WHOLE[::-1], WHOLE[1::2] + WHOLE[::2]])
def test_attempts_are_put_into_one_order(kit: Kit, come: list[str]) -> None:
    """However they came: by system, then by case, then by repetition."""
    fill(kit, come, finish=None)
    assert read(kit) == WHOLE
    assert (said(kit).status, said(kit).stopped) == ("complete", None)
    assert sorted(path.name for path in out(kit).iterdir()) == ["attempts.jsonl", "run.json"]


def test_attempts_are_written_as_they_come(kit: Kit) -> None:
    """Whoever looks meanwhile sees those that have ended, in a run that stopped."""
    with journal(kit) as writing:
        assert (said(kit).status, said(kit).stopped) == ("stopped", "crash")
        for number, name in enumerate(reversed(WHOLE[:3]), 1):
            writing.add(attempt(name, writing.manifest.run))
            assert len(read(kit)) == number
            assert writing.left == len(WHOLE) - number
        writing.finish(None)


@pytest.mark.parametrize("fault", [RuntimeError, KeyboardInterrupt, MemoryError])
def test_a_run_that_is_left_has_crashed(kit: Kit, fault: type[BaseException]) -> None:
    """What was made until then stays, in order."""

    def leave() -> None:
        with journal(kit) as writing:
            for name in reversed(WHOLE[:4]):
                writing.add(attempt(name, writing.manifest.run))
            raise fault

    with pytest.raises(fault):
        leave()
    assert (said(kit).status, said(kit).stopped) == ("stopped", "crash")
    assert read(kit) == WHOLE[:4]
    assert said(kit).finished is not None


def test_what_could_not_be_read_is_not_written(kit: Kit) -> None:
    """It is said at once, and costs the run no other attempt."""
    with journal(kit) as writing:
        writing.add(attempt(WHOLE[0], writing.manifest.run))
        with pytest.raises(ValueError, match="surrogate"):
            writing.add(attempt(WHOLE[1], writing.manifest.run, said="\ud800"))
        assert not writing.is_done("first", CASE_IDS[0], 2)
        writing.add(attempt(WHOLE[2], writing.manifest.run))
        writing.finish(None)
    assert read(kit) == [WHOLE[0], WHOLE[2]]


def test_no_secret_is_written(kit: Kit) -> None:
    """Neither in an attempt nor in the manifest, at any moment."""
    system = System(id="first", provider="local", model="m", options={"user": KEY})
    with journal(kit, systems=[system]) as writing:
        writing.add(attempt(WHOLE[0], writing.manifest.run, said=f"The key is {KEY}."))
        assert not [path for path in out(kit).iterdir() if KEY.encode() in path.read_bytes()]
        writing.finish(None, [system.model_copy(update={"revision": KEY})])
    assert not [path for path in out(kit).iterdir() if KEY.encode() in path.read_bytes()]


def test_systems_may_be_known_better_at_the_end(kit: Kit) -> None:
    """A provider's name for a model comes with its replies."""
    known = [system.model_copy(update={"revision": "r-7"}) for system in SYSTEMS]
    with journal(kit) as writing:
        writing.finish(None, known)
    assert {system.revision for system in writing.manifest.systems} == {"r-7"}


def test_an_earlier_run_is_replaced(kit: Kit) -> None:
    """Without --resume a run begins anew, and takes away nothing but a run."""
    fill(kit, WHOLE[:3])
    fill(kit, WHOLE[3:5])
    assert read(kit) == WHOLE[3:5]
    thesis = kit.write("dist/thesis/all-of-it.txt", "All of it.")
    with (
        pytest.raises(BundleError, match="it is no earlier run"),
        Journal(kit.project, thesis.parent, manifest(kit), CASE_IDS, Scrub({})),
    ):
        pass
    assert thesis.exists()


@pytest.mark.parametrize("resume", [False, True])
def test_two_processes_do_not_write_one_run(kit: Kit, *, resume: bool) -> None:
    """The second is told so, whether it would begin anew or go on."""
    with journal(kit) as writing:
        writing.add(attempt(WHOLE[0], writing.manifest.run))
        with (
            pytest.raises(UsageError, match="Another process is writing"),
            journal(kit, resume=resume),
        ):
            pass
        writing.finish(None)
    assert read(kit) == WHOLE[:1]


# Going on


def go_on(kit: Kit, **said: Any) -> list[str]:  # noqa: ANN401  what tests like to vary
    """Go on with the run, and make what is left; the ids that were made now."""
    made = []
    with journal(kit, resume=True, **said) as writing:
        for name in WHOLE:
            system, case, repetition = name.split("/")
            if not writing.is_done(system, case, int(repetition)):
                writing.add(attempt(name, writing.manifest.run))
                made.append(name)
        writing.finish(None)
    return made


@pytest.mark.parametrize("before", [[], WHOLE[:1], WHOLE[5:9], WHOLE[::2], WHOLE])
def test_a_run_goes_on_where_it_ended(kit: Kit, before: list[str]) -> None:
    """Nothing is made twice and nothing is lost; it stays the run that it was."""
    fill(kit, before)
    first = Manifest.parse((out(kit) / "run.json").read_bytes())
    assert set(go_on(kit)) == set(WHOLE) - set(before)
    assert read(kit) == WHOLE
    second = said(kit)
    assert (second.run, second.started) == (first.run, first.started)
    assert (second.status, second.stopped) == ("complete", None)


def test_what_was_made_before_is_told(kit: Kit) -> None:
    """So that tokens that were billed then still count."""
    fill(kit, WHOLE[:3])
    seen: list[str] = []
    with journal(kit, resume=True, seen=lambda made: seen.append(made.id)) as writing:
        writing.finish("budget")
    assert seen == WHOLE[:3]
    assert said(kit).stopped == "budget"


@pytest.mark.parametrize("cut", [1, 2, 30, 100])
def test_half_a_line_is_made_again(kit: Kit, cut: int) -> None:
    """A process that was killed while it wrote has lost that attempt only."""
    fill(kit, WHOLE[:3])
    spoil(kit, lambda content: content[:-cut])
    assert go_on(kit)[0] == WHOLE[2]
    assert read(kit) == WHOLE


def test_zeros_at_the_end_are_half_a_line(kit: Kit) -> None:
    """So a disk leaves a file when the power goes."""
    fill(kit, WHOLE[:3])
    spoil(kit, lambda content: content + b"\0" * 4096)
    assert go_on(kit) == WHOLE[3:]
    assert read(kit) == WHOLE


def test_a_run_that_was_killed_before_its_first_attempt_goes_on(kit: Kit) -> None:
    """There need not be a file yet."""
    fill(kit, [])
    (out(kit) / "attempts.jsonl").unlink()
    assert go_on(kit) == WHOLE


def test_a_run_may_be_stopped_again_and_again(kit: Kit) -> None:
    """Each time it is one attempt further."""
    fill(kit, [])
    for number, name in enumerate(WHOLE):
        with contextlib.suppress(RuntimeError), journal(kit, resume=True) as writing:
            assert writing.left == len(WHOLE) - number
            writing.add(attempt(name, writing.manifest.run))
            raise RuntimeError
    assert go_on(kit) == []
    assert read(kit) == WHOLE


def test_a_complete_run_is_not_gone_on_with(kit: Kit) -> None:
    """There is nothing left of it."""
    fill(kit, WHOLE, finish=None)
    with pytest.raises(UsageError, match="is complete"), journal(kit, resume=True):
        pass


def test_where_there_is_no_run_nothing_goes_on(kit: Kit) -> None:
    """And nothing is begun in its place."""
    with pytest.raises(BundleError, match="There is no run in"), journal(kit, resume=True):
        pass
    assert not out(kit).exists()


def another_corpus(kit: Kit) -> dict[str, Any]:
    """A case says something else."""
    kit.write(f"{CASES}/curt/curt-hey.json", kit.read(f"{CASES}/curt/curt-hey.json") + "\n")
    return {}


def another_commit(kit: Kit) -> dict[str, Any]:
    """Something else was committed."""
    kit.write("README.md", "# Another\n")
    kit.commit()
    return {}


def another_contract(kit: Kit) -> dict[str, Any]:
    """The scoring is another."""
    path = f"results/benchmarks/{BENCHMARK}/benchmark.toml"
    kit.write(path, kit.read(path).replace("= 10", "= 11"))
    return {}


def systems(**change: Any) -> Callable[[Kit], dict[str, Any]]:  # noqa: ANN401
    """The first system is asked otherwise."""
    first = SYSTEMS[0].model_copy(update=change)
    return lambda _: {"systems": (first, SYSTEMS[1])}


@pytest.mark.parametrize(
    ("change", "differing"),
    [
        (another_corpus, "corpus"),
        (another_commit, "corpus"),
        (another_contract, "corpus"),
        (systems(options={"polite": False}), "systems"),
        (systems(options=None), "systems"),
        (systems(revision="2.0"), "systems"),
        (systems(surface="another"), "systems"),
        (systems(axes={"effort": "low"}), "systems"),
        (systems(provider="elsewhere"), "systems"),
        (lambda _: {"systems": SYSTEMS[:1]}, "systems"),
        (lambda _: {"systems": SYSTEMS[::-1]}, "systems"),
        (lambda _: {"repetitions": 3}, "repetitions"),
        (lambda _: {"filter": "curt-*"}, "filter"),
        (lambda _: {"harness": HARNESS.model_copy(update={"version": "9"})}, "harness"),
    ],
)
def test_a_run_does_not_go_on_as_another(
    kit: Kit, change: Callable[[Kit], dict[str, Any]], differing: str
) -> None:
    """A changed corpus, commit or option is named, and the run stays as it is."""
    fill(kit, WHOLE[:3])
    before = [path.read_bytes() for path in sorted(out(kit).iterdir())]
    with pytest.raises(UsageError, match=f"it differs in {differing}") as caught:
        go_on(kit, **change(kit))
    assert "begin anew" in caught.value.remedy
    assert [path.read_bytes() for path in sorted(out(kit).iterdir())] == before


def test_a_run_may_go_on_with_another_budget(kit: Kit) -> None:
    """That is what a larger one is for, and the manifest says the last one."""
    fill(kit, WHOLE[:3])
    with journal(kit, resume=True, budget={"tokens": 9}) as writing:
        writing.finish(None)
    assert said(kit).budget == {"tokens": 9}


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_tree_that_was_not_clean_stays_so(kit: Kit, when: str) -> None:
    """A run that was begun, or gone on with, in an unclean tree says so to its end."""
    text = kit.read("README.md")
    if when == "before":
        kit.write("README.md", "# Another\n")
    with journal(kit) as writing:
        writing.finish("interrupt")
    kit.write("README.md", text if when == "before" else "# Another\n")
    with journal(kit, resume=True) as writing:
        kit.write("README.md", text)
        writing.finish(None)
    assert (writing.manifest.tree_at_start.clean, writing.manifest.tree_at_end.clean) == (
        "no",
        "yes",
    )


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda content: b"{}\n" + content, "1: it is no attempt of this run"),
        (lambda content: content + b"no JSON\n", "4: it is no attempt of this run"),
        (lambda content: content + b"\n", "4: it is no attempt of this run"),
        (lambda content: content + content, "4: .* was made twice"),
        (lambda content: content.replace(b"curt-hey", b"curt-bye"), "1: .* it is called"),
        (lambda content: content.replace(b'"first"', b'"third"'), "1: .* it is called"),
        (lambda content: content.replace(b'"repetition":1', b'"repetition":3'), "it is called"),
        (lambda content: content.replace(b'"run":"', b'"run":"x'), "1: .* of the run 'x"),
    ],
)
def test_what_is_no_attempt_of_the_run_is_said(
    kit: Kit, edit: Callable[[bytes], bytes], words: str
) -> None:
    """With file and line; nothing is overwritten that could still be looked at."""
    fill(kit, WHOLE[:3])
    spoil(kit, edit)
    before = (out(kit) / "attempts.jsonl").read_bytes()
    with pytest.raises(BundleError, match=words), journal(kit, resume=True):
        pass
    assert (out(kit) / "attempts.jsonl").read_bytes() == before


def test_a_manifest_that_can_not_be_read_is_said(kit: Kit) -> None:
    """What the run was can't be known then."""
    fill(kit, WHOLE[:3])
    edit_json(out(kit) / "run.json", lambda manifest: manifest.update(format="assay.bundle/9"))
    with pytest.raises(BundleError, match=r"run\.json: its format is"), journal(kit, resume=True):
        pass


def test_a_full_disk_is_said(kit: Kit) -> None:
    """A folder that can't be made is a fault of the disk, in words."""
    kit.write("dist/runs/new", "a file")
    with pytest.raises((StorageError, BundleError)), journal(kit):
        pass


def test_what_is_kept_of_an_attempt_is_where_it_lies(kit: Kit) -> None:
    """A line of a megabyte takes no more memory than one of a byte."""
    with journal(kit) as writing:
        for name in WHOLE:
            writing.add(attempt(name, writing.manifest.run, said="x" * 1_000_000))
        kept = [value for value in vars(writing).values() if not isinstance(value, Manifest)]
        assert len(repr(kept)) < 10_000
        writing.finish(None)
    lines = (out(kit) / "attempts.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["id"] for line in lines] == WHOLE
