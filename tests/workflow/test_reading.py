"""A run is read to the same end however it is read: fast or plainly, by one process or several."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.errors import BundleError
from generator.records.bundle import EXCLUDED
from generator.records.measure import Ratio
from generator.store import bundles
from generator.store.bundles import open_bundle
from generator.workflow.reading import Read, read
from generator.workflow.record import key_at_head, record
from generator.workflow.score import score
from tests.conftest import ANSWERS, SYSTEMS, Kit, edit_attempts, write_run
from tests.workflow import reference

WORDS = {case: wanted for case, (_, _, wanted) in ANSWERS.items()}
OURS = {"filtered-run", "incomplete-run", "duplicate-attempt", "excluded-attempts", "mixed-runs"}
"""The rules that speak of attempts, which the reference knows."""

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["first", "second", *ANSWERS, *EXCLUDED, "completed", "skipped", 1, 2, 3]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
FIELDS = st.sampled_from(
    ["id", "case", "system", "run", "repetition", "outcome", "turns", "reason", "score"]
)
Edit = Callable[[list[dict[str, Any]]], object]


def put(at: int, field: str, value: object) -> Edit:
    """Another value in a field of an attempt."""
    return lambda attempts: attempts[at % len(attempts)].update({field: value})


def put_into_turn(at: int, field: str, value: object) -> Edit:
    """Another value in the only turn of an attempt."""
    turn = {"content": "Hey Yo evening morning", field: value}
    return lambda attempts: attempts[at % len(attempts)].update(turns=[turn])


def call_with(at: int, depth: int) -> Edit:
    """A call whose arguments nest."""
    call = {"name": "look", "arguments": json.loads("[" * depth + "]" * depth)}
    return put_into_turn(at, "tool_calls", [call])


def repeat(at: int, id_: str) -> Edit:
    """An attempt once more, at another end of the run."""
    return lambda attempts: attempts.insert(
        (at * 7) % len(attempts), {**attempts[at % len(attempts)], "id": id_}
    )


def lose(at: int) -> Edit:
    """An attempt that is not there."""
    return lambda attempts: attempts.pop(at % len(attempts)) if len(attempts) > 1 else None


PLACES = st.integers(0, 15)
EDITS = st.one_of(
    st.builds(put, PLACES, FIELDS, JSON),
    st.builds(put, PLACES, st.just("outcome"), st.sampled_from([*EXCLUDED, "timeout", "failed"])),
    st.builds(put, PLACES, st.just("case"), st.sampled_from([*ANSWERS])),
    st.builds(put_into_turn, PLACES, st.sampled_from(["content", "tokens", "tool_calls"]), JSON),
    st.builds(call_with, PLACES, st.integers(55, 62)),
    st.builds(repeat, PLACES, st.text(min_size=1, max_size=3)),
    st.builds(lose, PLACES),
)
NOISE = st.sampled_from(
    [
        (b'"case":', b'"c\\u0061se":"curt-yo","case":'),
        (b'"case":', b' "c\\u0061se" : '),
        (b'"completed"', b'"complet\\u0065d"'),
        (b"\n", b"\r\n"),
        (b"\n", b"\n \t\n"),
        (b"\n", b" x\n"),
        (b'"repetition":1', b'"repetition":1.0'),
        (b'"repetition":1', b'"repetition":1e0'),
        (b'"repetition":1', b'"repetition":true'),
        (b'"turns"', b'"elapsed_us":9007199254740993,"turns"'),
        (b'"turns"', b'"elapsed_us":NaN,"turns"'),
        (b'"turns"', b'"elapsed_us":1e999,"turns"'),
        (b'"turns"', b'"elapsed_us":-0,"turns"'),
        (b"Hey", b"He\xffy"),
        (b"Hey", b"H\\ud83dey"),
        (b"Hey", b"Hey\\u0000\\/\xe2\x80\xa8\\ud83d\\ude00"),
        (b'{"case"', b'\xef\xbb\xbf{"case"'),
    ]
)


@pytest.fixture
def twice(kit: Kit) -> Path:
    """A sound run of two repetitions."""
    return write_run(kit.root, kit.root / "dist" / "runs" / "twice", repetitions=2)


def dumped(attempts: list[dict[str, Any]]) -> bytes:
    """Lines of attempts; what JSON can't say is written as Python says it."""
    lines = (json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in attempts)
    return "".join(f"{line}\n" for line in lines).encode()


def said_plainly(run: Path) -> Any:  # noqa: ANN401  what two readings are compared by
    """What the reference says of a run."""
    manifest = json.loads((run / "run.json").read_bytes())
    try:
        attempts = reference.attempts_of(run)
    except (AssertionError, ValueError, RecursionError):
        return None
    systems = [system["id"] for system in manifest["systems"]]
    own: dict[str, list[dict[str, Any]]] = {system: [] for system in systems}
    strays = set()
    for one in attempts:
        known = one["system"] in own and one["case"] in WORDS
        if known and one.get("run") in (None, manifest["run"]) and one["repetition"] <= 2:
            own[one["system"]].append(one)
        else:
            strays = {"mixed-runs"}
    verdicts = {system: reference.verdict(own[system], 2, WORDS) for system in systems}
    return {system: (rules | strays, ends) for system, (rules, ends) in verdicts.items()}


def said_by_the_gate(kit: Kit, run: Path) -> Any:  # noqa: ANN401  as above
    """What the program says of it, in the same form."""
    try:
        verdicts = record(kit.project, run, rehearsal=True).verdicts
        scores = score(kit.project, run)
    except BundleError:
        return None
    return {
        verdict.system: (
            {refusal.rule.id for refusal in verdict.refusals} & OURS,
            {
                figure.metric: figure.numerator
                for figure in scores[verdict.system].measures
                if isinstance(figure, Ratio) and figure.part is None and figure.numerator
            },
        )
        for verdict in verdicts
    }


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(edits=st.lists(EDITS, max_size=3), noise=st.none() | NOISE, at=st.integers(0, 20))
def test_the_gate_and_a_plain_reading_agree(
    kit: Kit, twice: Path, edits: list[Edit], noise: tuple[bytes, bytes] | None, at: int
) -> None:
    """The same measures and the same refusals, or a run that neither can read."""
    path = twice / "attempts.jsonl"
    sound = path.read_bytes()
    attempts = [json.loads(line) for line in sound.splitlines()]
    for edit in edits:
        edit(attempts)
    try:
        written = dumped(attempts)
    except UnicodeEncodeError:
        written = json.dumps(attempts[0]).encode() + b"\n"
    if noise:
        before, after = noise
        head, *tail = written.split(before)
        cut = at % max(1, len(tail))
        written = before.join([head, *tail[:cut]]) + (after if tail else b"")
        written += before.join(tail[cut:])
    try:
        path.write_bytes(written)
        assert said_by_the_gate(kit, twice) == said_plainly(twice)
    finally:
        path.write_bytes(sound)


def test_the_plain_reading_knows_a_sound_run(kit: Kit, twice: Path) -> None:
    """What the two are compared by is not empty."""
    said = said_plainly(twice)
    assert said == said_by_the_gate(kit, twice)
    assert said["first"] == (set(), {"passed": 8})
    assert said["second"] == (set(), {"passed": 6, "wrong": 2})


# Several processes


def sound(_: Path) -> None:
    """The run as it was written."""


def again(run: Path) -> None:
    """A try that was made before, far from the first."""
    edit_attempts(run, lambda attempts: [*attempts, {**attempts[0], "id": "again"}])


def the_same_id(run: Path) -> None:
    """An id that stands twice."""
    edit_attempts(run, lambda attempts: [*attempts, attempts[0]])


def unreadable(run: Path) -> None:
    """Two lines that are no attempts; the first is told."""
    edit_attempts(run, lambda attempts: attempts[3].update(score=1))
    edit_attempts(run, lambda attempts: attempts[9].update(grade=1))


def cut_off(run: Path) -> None:
    """A last line that never ends, behind another fault, which comes first."""
    edit_attempts(run, lambda attempts: attempts[3].update(score=1))
    path = run / "attempts.jsonl"
    path.write_bytes(path.read_bytes()[:-9])


def strays(run: Path) -> None:
    """Attempts that belong to none, with what looks like a secret in others."""
    key = "sk-ant-api03-" + "x" * 40
    edit_attempts(
        run,
        lambda attempts: [
            {**one, "case": "else"} if number % 3 == 0 else {**one, "reason": key}
            for number, one in enumerate(attempts)
        ],
    )


def gathered(kit: Kit, run: Path, jobs: int) -> tuple[object, ...]:
    """All that a reading comes to."""
    bundle = open_bundle(run)
    lines = {system.id: bytearray() for system in SYSTEMS}
    try:
        done = read(
            bundle,
            key_at_head(kit.project, bundle),
            keep=lambda system, some: lines[system].extend(some),
            wary=True,
            jobs=jobs,
        )
    except BundleError as fault:
        return (str(fault),)
    return (_plain(done), lines)


def _plain(done: Read) -> object:
    tallies = {
        system: (tally.scorer.finish(), tally.tries, tally.again)
        for system, tally in done.tallies.items()
    }
    return tallies, done.secrets, done.strays


@pytest.mark.parametrize("spoil", [sound, again, the_same_id, unreadable, cut_off, strays])
@pytest.mark.parametrize("size", [1, 900, 4 << 20])
def test_several_processes_read_what_one_reads(
    kit: Kit, twice: Path, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[Path], None], size: int
) -> None:
    """The same figures, lines, places and faults, whoever read a block and how long it was."""
    spoil(twice)
    alone = gathered(kit, twice, 1)
    monkeypatch.setattr(bundles, "BLOCK", size)
    for jobs in (1, 2, 3):
        assert gathered(kit, twice, jobs) == alone


def test_a_process_that_is_lost_is_made_up_for(
    kit: Kit, twice: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed by the system, say for want of memory: the first process reads its blocks."""
    alone = gathered(kit, twice, 1)
    monkeypatch.setattr(bundles, "BLOCK", 1)
    own = os.getpid()
    there = bundles.Block.observations

    def dying(block: bundles.Block) -> Any:  # noqa: ANN401  what the method gives
        if os.getpid() != own:
            os._exit(9)
        return there(block)

    monkeypatch.setattr(bundles.Block, "observations", dying)
    assert gathered(kit, twice, 2) == alone
