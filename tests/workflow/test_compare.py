"""Comparing two arms: from bundles and files of records, and why some are refused."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from generator.errors import AssayError, BundleError, UsageError
from generator.records.run_record import LINE_LIMIT
from generator.workflow.compare import compare_file, compare_records
from tests.families.paired.runs import run

DIGEST = "c" * 64

MANIFEST: dict[str, Any] = {
    "format": "assay.bundle/1",
    "run": "two-arms",
    "benchmark": {"id": "errands", "version": "1"},
    "started": "2026-01-01T00:00:00Z",
    "finished": "2026-01-01T01:00:00Z",
    "status": "complete",
    "repetitions": 2,
    "corpus": {"digest": DIGEST},
    "systems": [
        {"id": "bare", "provider": "none", "model": "a script", "arm": "plain"},
        {"id": "aided", "provider": "none", "model": "another", "arm": "with-tools"},
    ],
    "harness": {"name": "assay", "version": "1.0.0", "contract": 1},
}


def attempts() -> list[dict[str, Any]]:
    """Two tasks, twice each by either system; the second fails the last one."""
    return [
        {
            "id": f"{system}/{case}/{repetition}",
            "case": case,
            "system": system,
            "repetition": repetition,
            "outcome": "completed",
            "elapsed_us": 1_000 * (number + 1),
            "verification": {"status": int((system, case, repetition) == ("aided", "two", 2))},
        }
        for case in ("one", "two")
        for repetition in (1, 2)
        for number, system in enumerate(("bare", "aided"))
    ]


def bundle(folder: Path, tries: list[dict[str, Any]] | None = None, **spoilt: object) -> Path:
    """The sound run in a folder of its own, or a spoilt one."""
    run_folder = folder / "run"
    run_folder.mkdir()
    (run_folder / "run.json").write_text(json.dumps({**MANIFEST, **spoilt}), "utf-8")
    lines = [json.dumps(attempt) + "\n" for attempt in (attempts() if tries is None else tries)]
    (run_folder / "attempts.jsonl").write_text("".join(lines), "utf-8")
    return run_folder


def spoil(number: int, **spoilt: object) -> list[dict[str, Any]]:
    """The attempts with some values of one changed."""
    found = attempts()
    found[number] |= spoilt
    return found


def refused(folder: Path, *arms: str) -> str:
    """What is said of a bundle that is at fault."""
    with pytest.raises(BundleError) as fault:
        compare_file(folder, *(arms or ("plain", "with-tools")))
    assert fault.value.remedy.endswith(".")
    return fault.value.what


def lines(*runs: dict[str, Any], end: str = "\n") -> bytes:
    """Records as the lines of a file."""
    return "".join(json.dumps(one) + end for one in runs).encode()


PAIR = lines(run("a"), run("b"))


def compared(content: bytes) -> dict[str, Any]:
    """What comes of some lines."""
    return compare_records(io.BytesIO(content), "runs.ndjson", "a", "b")


def fault_in(content: bytes) -> AssayError:
    """What is said of lines that are at fault."""
    with pytest.raises(BundleError) as fault:
        compared(content)
    assert fault.value.remedy.endswith(".")
    return fault.value


# Bundles.


def test_a_bundle_is_compared_by_its_arms(tmp_path: Path) -> None:
    """Arms by their names, all their models, the corpus for a cohort."""
    found = compare_file(bundle(tmp_path), "plain", "with-tools")
    assert [(cell["taskID"], cell["model"], cell["cohort"]) for cell in found["cells"]] == [
        ("one", "none/a script, none/another", DIGEST),
        ("two", "none/a script, none/another", DIGEST),
    ]
    assert (found["baseline"]["arm"], found["candidate"]["arm"]) == ("plain", "with-tools")
    assert (found["baseline"]["verifiedCount"], found["candidate"]["verifiedCount"]) == (4, 3)
    assert found["candidate"]["failures"]["completed_unverified"] == 1
    assert found["medianCandidateOverBaselineElapsedRatio"] == 2
    assert found["statistics"]["pairs"] == {
        "both": 3,
        "baselineOnly": 1,
        "candidateOnly": 0,
        "neither": 0,
    }


def test_a_bundle_is_compared_by_ids_where_there_are_no_arms(tmp_path: Path) -> None:
    """A system without an arm goes by its own name, and others of the run don't matter."""
    systems = [
        {"id": name, "provider": "none", "model": name} for name in ("bare", "aided", "third")
    ]
    extra = {**attempts()[0], "id": "third/one/1", "system": "third", "outcome": "failed"}
    found = compare_file(bundle(tmp_path, [*attempts(), extra], systems=systems), "aided", "bare")
    assert (found["baseline"]["verifiedCount"], found["candidate"]["verifiedCount"]) == (3, 4)


def test_an_axis_can_name_the_cohort(tmp_path: Path) -> None:
    """Where the systems say what they share, that is the cohort."""
    systems = [{**system, "axes": {"cohort": "manifest-1"}} for system in MANIFEST["systems"]]
    found = compare_file(bundle(tmp_path, systems=systems), "plain", "with-tools")
    assert {cell["cohort"] for cell in found["cells"]} == {"manifest-1"}


def test_systems_of_two_cohorts_have_no_pair(tmp_path: Path) -> None:
    """What does not share its conditions is not compared."""
    systems = [
        {**system, "axes": {"cohort": f"manifest-{number}"}}
        for number, system in enumerate(MANIFEST["systems"])
    ]
    said = refused(bundle(tmp_path, systems=systems))
    assert "attempts.jsonl:1: Missing matched task/model/cohort/repetition pair." in said


@pytest.mark.parametrize("why", ["interrupt", "budget", "crash"])
def test_an_interrupted_run_gives_no_comparison(tmp_path: Path, why: str) -> None:
    """It is called incomplete by its name, though every pair of it may be whole."""
    said = refused(bundle(tmp_path, status="stopped", stopped=why))
    assert f"the run two-arms is incomplete: it has the status stopped ({why})" in said


@pytest.mark.parametrize("outcome", ["provider_error", "harness_error", "over_budget", "skipped"])
def test_what_is_no_fault_of_an_arm_takes_its_pair_away(tmp_path: Path, outcome: str) -> None:
    """The other attempt of the pair is left out too, and that is said."""
    tries = spoil(0, outcome=outcome)
    found = compare_file(bundle(tmp_path, tries), "plain", "with-tools")
    assert (found["baseline"]["count"], found["candidate"]["count"]) == (3, 3)
    assert found["statistics"]["leftOut"] == 1
    assert sum(found["statistics"]["pairs"].values()) == 3


def test_half_a_pair_is_not_left_out(tmp_path: Path) -> None:
    """That an attempt counts nowhere does not excuse that the other was never made."""
    tries = spoil(0, outcome="harness_error")
    del tries[1]
    assert "one #1 was not tried once by each arm but 1 times" in refused(bundle(tmp_path, tries))


def test_a_missing_attempt_is_told_by_its_place(tmp_path: Path) -> None:
    """The file and line of the attempt that has no other."""
    said = refused(bundle(tmp_path, attempts()[:-1]))
    assert "attempts.jsonl:7: Missing matched" in said


def test_an_attempt_that_was_made_twice_is_told_by_its_place(tmp_path: Path) -> None:
    """The file and line of the second."""
    tries = [*attempts(), {**attempts()[0], "id": "again"}]
    assert "attempts.jsonl:9: Duplicate task" in refused(bundle(tmp_path, tries))


@pytest.mark.parametrize(
    ("spoilt", "told"),
    [
        ({"elapsed_us": None}, "can't be compared: an attempt without elapsed_us"),
        ({"case": "a case"}, "can't be compared: Expected `str` matching regex"),
        ({"run": "another"}, "is not of the run two-arms"),
        ({"repetition": 3}, "with its repetitions 1 to 2"),
    ],
)
def test_an_attempt_that_is_no_part_of_it_is_told_by_its_place(
    tmp_path: Path, spoilt: dict[str, object], told: str
) -> None:
    """The file, the line and what is wrong."""
    said = refused(bundle(tmp_path, spoil(2, **spoilt)))
    assert "attempts.jsonl:3: the attempt" in said
    assert told in said


def test_attempts_that_no_oracle_looked_at_are_not_compared(tmp_path: Path) -> None:
    """Otherwise every attempt of a run of another family would look like a failure."""
    tries = [{**attempt, "verification": None} for attempt in attempts()]
    assert "no oracle looked at any of the 8 attempts" in refused(bundle(tmp_path, tries))


def test_attempts_of_which_none_completed_are_compared(tmp_path: Path) -> None:
    """No oracle looked at them, since there was nothing to look at."""
    tries = [{**attempt, "verification": None, "outcome": "timeout"} for attempt in attempts()]
    found = compare_file(bundle(tmp_path, tries), "plain", "with-tools")
    assert found["candidate"]["failures"]["timeout"] == 4


@pytest.mark.parametrize(
    ("arms", "told"),
    [
        (("plain", "plain"), "Comparison arms must differ."),
        (("plain", "bare"), "Comparison arms must differ."),
        (("plain", "third"), "The run two-arms has no arm third."),
        (("", "plain"), "The run two-arms has no arm ."),
    ],
)
def test_two_arms_of_the_run_have_to_be_named(
    tmp_path: Path, arms: tuple[str, str], told: str
) -> None:
    """By two names or one: the same system is not compared with itself."""
    folder = bundle(tmp_path)
    with pytest.raises(UsageError) as fault:
        compare_file(folder, *arms)
    assert fault.value.what == told


def test_an_arm_of_several_systems_is_named_by_its_ids(tmp_path: Path) -> None:
    """Two models in one arm are two systems, and nobody guesses which is meant."""
    third = {**MANIFEST["systems"][0], "id": "third", "model": "one more"}
    folder = bundle(tmp_path, systems=[*MANIFEST["systems"], third])
    with pytest.raises(UsageError, match="The arm plain has several systems"):
        compare_file(folder, "plain", "with-tools")
    assert compare_file(folder, "bare", "with-tools")["baseline"]["count"] == 4


def test_a_run_of_too_many_attempts_is_read_no_further(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One attempt more than a comparison takes is refused, and the line after it is not read."""
    for module in ("workflow.compare", "families.paired.comparing"):
        monkeypatch.setattr(f"generator.{module}.MOST", 6)
    folder = bundle(tmp_path, spoil(7, elapsed_us=None))
    assert "runs must be an array of 2..6 (there are more than 6)." in refused(folder)


def test_a_folder_that_is_no_run_is_told(tmp_path: Path) -> None:
    """In the words of whoever reads bundles."""
    assert "there is no run.json" in refused(tmp_path)


# Files of records.


def test_a_file_and_a_stream_come_to_the_same(tmp_path: Path) -> None:
    """Only the name in messages differs."""
    path = tmp_path / "runs.ndjson"
    path.write_bytes(PAIR)
    assert compare_file(path, "a", "b") == compared(PAIR)


@pytest.mark.parametrize(
    "content",
    [
        lines(run("a"), run("b"), end="\r\n"),
        b"\n \t\r\n" + PAIR + b"\n\n",
        PAIR.removesuffix(b"\n"),
        PAIR.replace(b", ", b" , ").replace(b"task", b"t\\u0061sk"),
    ],
)
def test_how_lines_end_and_are_spaced_does_not_matter(content: bytes) -> None:
    """Windows line ends, blank lines, a last line without an end, spaces and escapes."""
    assert compared(content) == compared(PAIR)


@pytest.mark.parametrize(
    ("content", "place", "told"),
    [
        (PAIR + PAIR[:30], "runs.ndjson:3: ", "the last line is cut off."),
        (PAIR + b"{", "runs.ndjson:3: ", "the last line is cut off."),
        (PAIR[:30] + b"\n" + PAIR, "runs.ndjson:1: ", "is no record of a run: Expecting"),
        (PAIR + b'{"arm": "a"}', "runs.ndjson:3: ", "missing required field"),
        (b"\xef\xbb\xbf" + PAIR, "runs.ndjson:1: ", "begins with a byte order mark."),
        (PAIR.decode().encode("utf-16"), "runs.ndjson:1: ", "codec can't decode"),
        (b"\n\n" + PAIR + lines(run("a", prompt="x")), "runs.ndjson:5: ", "key prompt."),
        (PAIR + lines(run("c")), "runs.ndjson:3: ", "Unknown comparison arm: c."),
        (PAIR + lines(run("b")), "runs.ndjson:3: ", "Duplicate task/model/cohort/repetition/arm."),
        (PAIR + lines(run("b", repetition=1)), "runs.ndjson:3: ", "Missing matched"),
        (b"", "runs.ndjson: ", "runs must be an array of 2..100000 (there are 0)."),
        (b"\n\n\n", "runs.ndjson: ", "(there are 0)."),
        (lines(run("a")), "runs.ndjson: ", "(there are 1)."),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_fault_names_the_line(content: bytes, place: str, told: str) -> None:
    """The file, the line as an editor counts it, and what is wrong there."""
    what = fault_in(content).what
    assert what.startswith(place)
    assert told in what


def test_100001_records_are_too_many() -> None:
    """One more than a comparison takes is one too many, and nothing after it is read."""
    many = b"".join(
        lines(run("a", repetition=number), run("b", repetition=number)) for number in range(50_000)
    )
    assert len(many) > 8_000_000
    assert compared(many)["baseline"]["count"] == 50_000
    one = lines(run("a", repetition=50_000))
    assert "2..100000 (there are more than 100000)." in fault_in(many + one + b"no record\n").what


def test_a_line_of_8_megabytes_is_read_no_further_than_a_record_reaches() -> None:
    """The line is refused when it is longer than any record, and the rest is not even read."""
    content = io.BytesIO(PAIR + lines(run("a", model="m" * 8_000_000)))
    with pytest.raises(BundleError) as fault:
        compare_records(content, "runs.ndjson", "a", "b")
    assert fault.value.what.startswith("runs.ndjson:3: the line is no record of a run: it has ")
    assert content.tell() <= len(PAIR) + LINE_LIMIT + 2


def test_a_line_without_an_end_is_not_read_whole() -> None:
    """Eight megabytes without a line end are too long, and not cut off."""
    assert "it has more than 1048576 bytes" in fault_in(b"{" * 8_000_000).what


def test_an_arm_is_not_compared_with_itself() -> None:
    """That is a fault of the words, whatever the records say."""
    with pytest.raises(UsageError, match="Comparison arms must differ"):
        compare_records(io.BytesIO(PAIR), "runs.ndjson", "a", "a")


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    """With what could have been named instead."""
    with pytest.raises(UsageError, match="can't be read: No such file") as fault:
        compare_file(tmp_path / "runs.ndjson", "a", "b")
    assert "- is standard input" in fault.value.remedy


EVENTS: list[dict[str, Any]] = [{"type": "run", "run": one} for one in (run(arm="a"), run(arm="b"))]


def events(*more: object) -> io.BytesIO:
    """Records as some harness writes them, and what it writes after them."""
    return io.BytesIO("".join(json.dumps(one) + "\n" for one in (*EVENTS, *more)).encode())


def test_records_may_stand_in_events() -> None:
    """The comparison at their end is not taken over: it is made here."""
    bare = io.BytesIO("".join(json.dumps(one["run"]) + "\n" for one in EVENTS).encode())
    wanted = compare_records(bare, "runs", "a", "b")
    theirs = {"type": "comparison", "comparison": {"cells": []}, "incomplete": False}
    assert compare_records(events(theirs), "runs", "a", "b") == wanted


def test_records_may_be_one_list() -> None:
    """With the place of each, should it be at fault."""
    records = [one["run"] for one in EVENTS]
    listed = io.BytesIO(json.dumps(records, indent=1).encode())
    assert compare_records(listed, "runs", "a", "b")["baseline"]["count"] == 1
    spoilt = io.BytesIO(json.dumps([records[0], {**records[1], "more": 1}]).encode())
    with pytest.raises(BundleError, match="runs, record 2: unrecognized key more"):
        compare_records(spoilt, "runs", "a", "b")


def test_events_of_an_interrupted_experiment_give_no_comparison() -> None:
    """Whatever records there are."""
    theirs = {"type": "comparison", "comparison": None, "incomplete": True}
    with pytest.raises(BundleError, match="the experiment is incomplete"):
        compare_records(events(theirs), "runs", "a", "b")


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"type": "run", "run": {}}, "missing required field"),
        ({"type": "run", "run": run(), "more": 1}, "unrecognized key type"),
        ({"type": "else"}, "unrecognized key type"),
    ],
)
def test_an_event_that_is_none_is_named(event: object, said: str) -> None:
    """With its line."""
    with pytest.raises(BundleError, match=r"runs:3: ") as fault:
        compare_records(events(event), "runs", "a", "b")
    assert said in fault.value.what


def test_a_list_that_is_cut_off_is_named() -> None:
    """It is read whole or not at all."""
    with pytest.raises(BundleError, match="begins as a list, and is none"):
        compare_records(
            io.BytesIO(json.dumps([one["run"] for one in EVENTS])[:-1].encode()), "runs", "a", "b"
        )
