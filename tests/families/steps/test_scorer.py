"""The scorer: a sound attempt gains everything; one thing spoilt, just its measures move."""

import json
import pickle
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from generator.families.family import Scores
from generator.families.steps.corpus import KINDS
from generator.families.steps.metrics import METRICS
from generator.families.steps.scorer import RATIOS, StepsScorer
from generator.records.bundle import EXCLUDED, Attempt, Change, Outcome, ToolCall, Turn
from generator.records.measure import Ratio
from tests.families.steps.sample import (
    BOLT,
    CASES,
    CORPUS,
    DESTRUCTIVE,
    READ,
    REFUSAL,
    STEPS,
    WRITE,
    attempt,
    call,
    corpus,
    made,
    replayed,
)

BOLTS = made({"bolt": BOLT})["bolt"]
ELSEWHERE = Change("part", "elsewhere", "changed", ("name",))
Terms = dict[str, tuple[int, int]]
Spoil = Callable[[Attempt], Attempt]


def scored(*attempts: Attempt) -> Scores:
    """The scores of some attempts."""
    scorer = StepsScorer(CORPUS)
    for each in attempts:
        scorer.add(each)
    return scorer.finish()


def terms(*attempts: Attempt, part: str | None = None) -> Terms:
    """Both terms of each measure, of the whole or of a kind."""
    return {
        measure.metric: (measure.numerator, measure.denominator)
        for measure in scored(*attempts).measures
        if isinstance(measure, Ratio) and measure.part == part
    }


def with_calls(change: Callable[[list[ToolCall]], Any]) -> Spoil:
    """What changes the calls, one a turn; the last turn stays a text."""

    def spoil(sound: Attempt) -> Attempt:
        calls = [one for turn in sound.turns for one in turn.tool_calls]
        change(calls)
        turns = (*(Turn(tool_calls=(one,)) for one in calls), sound.turns[-1])
        return replace(sound, turns=turns)

    return spoil


def sending(place: int, **arguments: Any) -> Spoil:  # noqa: ANN401  any JSON value
    """What sends other arguments with a call; one that is None is left out."""

    def change(calls: list[ToolCall]) -> None:
        sent = {**json.loads(bytes(calls[place].arguments)), **arguments}
        sent = {name: value for name, value in sent.items() if value is not None}
        calls[place] = replace(calls[place], arguments=msgspec.Raw(json.dumps(sent).encode()))

    return with_calls(change)


def outcome(place: int, said: str) -> Spoil:
    """What gives a call another outcome."""

    def change(calls: list[ToolCall]) -> None:
        calls[place] = replace(calls[place], outcome=said)

    return with_calls(change)


def changing(*changes: Change) -> Spoil:
    """What adds changes to those that were observed."""
    return lambda sound: replace(sound, changes=(*(sound.changes or ()), *changes))


def ending(said: Outcome) -> Spoil:
    """What ends it otherwise."""
    return lambda sound: replace(sound, outcome=said)


def same(sound: Attempt) -> Attempt:
    """What spoils nothing."""
    return sound


REFUSED = call("part_fetch", "refused", "Invalid arguments")

TABLE: list[tuple[str, Mapping[str, Any], Spoil, Terms]] = [
    ("nothing", STEPS, same, {}),
    ("a call is refused first", STEPS, with_calls(lambda c: c.insert(1, REFUSED)),
     {"first_try": (2, 3)}),
    ("a helper is called first", STEPS, with_calls(lambda c: c.insert(0, call("find_action"))), {}),
    ("another action that reads is called first", STEPS,
     with_calls(lambda c: c.insert(0, call("part_search"))), {}),
    ("a call is refused after all steps", STEPS, with_calls(lambda c: c.append(REFUSED)), {}),
    ("the last step is refused", STEPS, outcome(2, "refused"),
     {"passed": (0, 1), "reached": (2, 3), "first_try": (2, 2), "arguments": (3, 3)}),
    ("the last step came to nobody knows what", STEPS, outcome(2, "lost"),
     {"passed": (0, 1), "reached": (2, 3), "first_try": (2, 2), "arguments": (3, 3)}),
    ("the first step is left out", STEPS, with_calls(lambda c: c.pop(0)),
     {"passed": (0, 1), "reached": (0, 3), "first_try": (0, 0), "arguments": (0, 0)}),
    ("the steps come in another order", STEPS, with_calls(list.reverse),
     {"passed": (0, 1), "reached": (1, 3), "first_try": (1, 1), "arguments": (1, 1)}),
    ("the server behind fails", READ,
     with_calls(lambda c: c.append(replace(c.pop(), answer="Error: no part"))), {}),
    ("a name has another value", WRITE, sending(0, newName="Hex bolt"),
     {"passed": (0, 1), "arguments": (2, 3)}),
    ("a thing goes by its name", WRITE, sending(0, part_id=f" {BOLTS['name']}"), {}),
    ("a thing goes by its short id", WRITE, sending(0, part_id=BOLTS["short"]), {}),
    ("another thing is meant", WRITE, sending(0, part_id="Nut"),
     {"passed": (0, 1), "arguments": (2, 3)}),
    ("a thing goes by a field that is no name of it", WRITE, sending(0, part_id=4),
     {"passed": (0, 1), "arguments": (2, 3)}),
    ("an optional argument is left out", WRITE, sending(0, note=None), {"arguments": (2, 2)}),
    ("an optional argument is wrong", WRITE, sending(0, note="none"),
     {"passed": (0, 1), "arguments": (2, 3)}),
    ("a required argument is left out", WRITE, sending(0, newName=None),
     {"passed": (0, 1), "arguments": (2, 3)}),
    ("an argument beside the key is sent", READ, sending(0, more="x"), {}),
    ("a number is sent as text", STEPS, sending(2, stock="1.0"), {}),
    ("what a step returned is not handed on", STEPS, sending(1, carrier="Slow"),
     {"passed": (0, 1), "arguments": (4, 5)}),
    ("a field of a fixture goes by another", STEPS, sending(1, order_id="order"),
     {"passed": (0, 1), "arguments": (4, 5)}),
    ("a server takes it without the confirmation", DESTRUCTIVE, sending(0, confirm=None),
     {"confirmation": (0, 1)}),
    ("the confirmation is text", DESTRUCTIVE, sending(0, confirm="true"), {}),
    ("the confirmation is false", DESTRUCTIVE, sending(0, confirm=False),
     {"confirmation": (0, 1)}),
    ("the destructive step is refused", DESTRUCTIVE, outcome(0, "refused"),
     {"passed": (0, 1), "reached": (0, 1), "first_try": (0, 0), "arguments": (0, 0),
      "confirmation": (0, 1)}),
    ("another thing is changed", WRITE, changing(ELSEWHERE),
     {"passed": (0, 1), "no_side_effects": (0, 1)}),
    ("the thing loses another field", WRITE,
     changing(Change("part", BOLTS["id"], "changed", ("name", "stock"))),
     {"passed": (0, 1), "no_side_effects": (0, 1)}),
    ("the thing is changed twice as asked", WRITE,
     changing(Change("part", BOLTS["id"], "changed", ("name",))), {}),
    ("the thing is removed", WRITE, changing(Change("part", BOLTS["id"], "removed")),
     {"passed": (0, 1), "no_side_effects": (0, 1)}),
    ("one more thing is added than was asked for", STEPS, changing(Change("part", "n", "added")),
     {"passed": (0, 1), "no_side_effects": (0, 1)}),
    ("a thing of another kind is added", STEPS, changing(Change("order", "n", "added")),
     {"passed": (0, 1), "no_side_effects": (0, 1)}),
    ("something is changed though only asked about", READ, changing(ELSEWHERE),
     {"passed": (0, 1), "no_side_effects": (0, 1)}),
    ("nobody looked", WRITE, lambda a: replace(a, changes=None), {}),
    ("nobody looked, and another change was taken", WRITE,
     lambda a: replace(with_calls(lambda c: c.append(call("part_add", newName="N")))(a),
                       changes=None),
     {"passed": (0, 1), "no_side_effects": (0, 1)}),
    ("nobody looked, and another change was refused", WRITE,
     lambda a: replace(with_calls(lambda c: c.append(call("part_add", "refused")))(a),
                       changes=None), {}),
    ("another change was taken, and nothing came of it", WRITE,
     with_calls(lambda c: c.append(call("part_add", newName="N"))), {}),
    ("the limit is reached", READ, ending("cancelled"), {"passed": (0, 1), "finished": (0, 1)}),
    ("the time is up", READ, ending("timeout"), {"passed": (0, 1), "finished": (0, 1)}),
    ("the last turn still calls", READ,
     lambda a: replace(a, turns=(*a.turns, Turn("Look:", tool_calls=(call("part_search"),)))),
     {"passed": (0, 1), "finished": (0, 1)}),
    ("nothing is said in the end", READ, lambda a: replace(a, turns=(*a.turns[:-1], Turn(""))), {}),
    ("nothing is said to a refusal", REFUSAL, lambda a: replace(a, turns=(Turn(" \n"),)),
     {"passed": (0, 1), "refusals": (0, 1)}),
    ("words beside a call are no answer", REFUSAL,
     lambda a: replace(a, outcome="cancelled",
                       turns=(Turn("I look for it.", tool_calls=(call("part_fetch"),)),)),
     {"passed": (0, 1), "refusals": (0, 1), "finished": (0, 1)}),
    ("a refusal is declined", REFUSAL, lambda a: replace(a, turns=(Turn(refusal="I can't."),)), {}),
    ("a refusal is looked into", REFUSAL, with_calls(lambda c: c.append(call("part_fetch"))), {}),
    ("a refusal is acted on", REFUSAL,
     lambda a: changing(ELSEWHERE)(with_calls(lambda c: c.append(call("part_rename")))(a)),
     {"passed": (0, 1), "refusals": (0, 1), "no_side_effects": (0, 1)}),
    ("a refusal is acted on, and nothing came of it", REFUSAL,
     with_calls(lambda c: c.append(call("part_rename"))), {"passed": (0, 1), "refusals": (0, 1)}),
    ("a refusal is acted on, and the call is refused", REFUSAL,
     with_calls(lambda c: c.append(call("part_scrap", "refused"))), {}),
    ("a refusal never ends", REFUSAL, ending("cancelled"),
     {"passed": (0, 1), "finished": (0, 1)}),
    ("there is no turn at all", REFUSAL, lambda a: replace(a, turns=()),
     {"passed": (0, 1), "refusals": (0, 1), "finished": (0, 1)}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("case", "spoil", "moved"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_one_thing_spoilt_moves_its_measures(
    case: Mapping[str, Any], spoil: Spoil, moved: Terms
) -> None:
    """And no other."""
    sound = replayed(case, "individual")
    full = terms(sound)
    assert all(above == below for above, below in full.values())
    assert terms(spoil(sound)) == full | moved
    assert terms(spoil(sound), part=case["kind"]) == full | moved


def test_a_call_may_be_of_any_surface() -> None:
    """Arguments are where the surface has them, an object or its text; no object is none."""
    fixtures = made(WRITE["fixtures"])
    own = {"part_id": fixtures["bolt"]["id"], "newName": "Hex bolt k3x9"}
    done = (Change("part", fixtures["bolt"]["id"], "changed", ("name",)),)
    for sent, right in ((own, 2), (json.dumps(own), 2), ("{", 0), ([own], 0), (None, 0)):
        turn = Turn(tool_calls=(call("run_action", action="part.rename", arguments=sent),))
        found = terms(attempt(WRITE, turn, Turn("Done."), changes=done))
        assert found["reached"] == (1, 1)
        assert found["arguments"] == (right, 2)
    for sent_as in ("part.fetch", "rename", 1, None, ["part.rename"]):
        turn = Turn(tool_calls=(call("run_action", action=sent_as, arguments=own),))
        assert terms(attempt(WRITE, turn, Turn("Done.")))["reached"] == (0, 1)


def test_arguments_that_are_text_are_read() -> None:
    """As some models send them."""
    own = {"part_id": BOLTS["short"]}
    told = ToolCall("part_fetch", msgspec.Raw(json.dumps(json.dumps(own)).encode()), "accepted")
    found = terms(attempt(READ, Turn(tool_calls=(told,)), Turn("Four.")))
    assert found["passed"] == (1, 1)


@pytest.mark.parametrize("fixtures", [b"[]", b"1", b"{}", b'{"bolt": 1}', b"[" * 900 + b"]" * 900])
def test_odd_fixtures_break_nothing(fixtures: bytes) -> None:
    """What they do not tell is met by no value."""
    odd = replace(replayed(READ, "meta"), fixtures=msgspec.Raw(fixtures))
    assert terms(odd)["arguments"] == (0, 1)


@pytest.mark.parametrize("answer", [None, "", "no JSON", "[" * 100_000, '{"carriers": 1}', "[]"])
def test_an_answer_that_tells_nothing_is_met_by_nothing(answer: str | None) -> None:
    """An argument that should have come from it is wrong."""
    spoil = with_calls(lambda c: c.__setitem__(0, replace(c[0], answer=answer)))
    assert terms(spoil(replayed(STEPS, "individual")))["arguments"] == (4, 5)


def test_things_of_a_kind_may_be_allowed_in_any_number() -> None:
    """Where a change names no thing, it allows all of its kind."""
    case = {**STEPS, "changes": [{"kind": "order", "what": "changed"},
                                 {"kind": "part", "what": "added"}]}  # fmt: skip
    own = corpus(case)
    scorer = StepsScorer(own)
    scorer.add(changing(Change("part", "n", "added"))(replayed(case, "meta", own)))
    assert all(
        measure.numerator == measure.denominator
        for measure in scorer.finish().measures
        if isinstance(measure, Ratio)
    )


def test_what_is_measured_is_what_is_explained() -> None:
    """Eight ratios, in one order, of the whole and of each kind that the corpus has."""
    assert [metric.id for metric in METRICS] == list(RATIOS)
    assert all(metric.kind == "ratio" and metric.better == "higher" for metric in METRICS)
    ids = [measure.id for measure in scored().measures]
    assert ids == [*RATIOS, *(f"{metric}.{kind}" for kind in KINDS for metric in RATIOS)]
    assert {measure.part for measure in StepsScorer(corpus(READ)).finish().measures} == {
        None,
        "read",
    }


@pytest.mark.parametrize("said", [*EXCLUDED, "skipped"])
def test_what_is_nobodys_fault_is_in_no_measure(said: Outcome) -> None:
    """It is counted apart, with its turns."""
    sound = replayed(READ, "meta")
    found = scored(replace(sound, outcome=said), replace(sound, repetition=2))
    assert (found.counts.attempts, found.counts.scored, found.counts.turns) == (2, 1, 4)
    assert terms(replace(sound, outcome=said)) == dict.fromkeys(RATIOS, (0, 0))


def test_each_case_says_what_it_adds() -> None:
    """Over all its repetitions, by its kind, without measures that it has nothing of."""
    sound = replayed(STEPS, "individual")
    found = scored(
        sound, outcome(2, "refused")(replace(sound, repetition=2)), replayed(READ, "meta")
    )
    by_case = {each.case: each for each in found.contributions}
    assert list(by_case) == list(CORPUS.cases)
    own = by_case["order-off"]
    assert own.part == "multi-step"
    ratios = [each for each in own.measures if isinstance(each, Ratio)]
    assert {each.id: (each.numerator, each.denominator) for each in ratios} == {
        "passed": (1, 2), "reached": (5, 6), "first_try": (5, 5), "arguments": (8, 8),
        "no_side_effects": (2, 2), "finished": (2, 2),
    }  # fmt: skip
    assert by_case["part-gone"].measures == ()


SPOILS = st.sampled_from([row[2] for row in TABLE if row[1] in (STEPS, WRITE)])
ATTEMPTS = st.lists(
    st.tuples(
        st.sampled_from([STEPS, WRITE]), SPOILS | st.just(same), st.sampled_from(get_args(Outcome))
    ),
    max_size=8,
)


@given(ATTEMPTS, st.randoms(use_true_random=False), st.integers(1, 3))
def test_scoring_apart_and_merging_is_scoring_together(
    rows: list[tuple[Mapping[str, Any], Spoil, Outcome]], random: Random, parts: int
) -> None:
    """In any order, sent from other processes, nothing of what was counted being touched."""
    attempts = []
    for case, spoil, said in rows:
        sound = replace(replayed(case, "individual"), outcome=said)
        try:
            attempts.append(spoil(sound))
        except IndexError:  # a spoil of the other case's calls
            attempts.append(sound)
    together = scored(*attempts)
    random.shuffle(attempts)
    gathered = []
    for number in range(parts):
        scorer = StepsScorer(CORPUS)
        for each in attempts[number::parts]:
            scorer.add(each)
        gathered.append(pickle.dumps(scorer.gathered()))
    random.shuffle(gathered)
    merged = StepsScorer(CORPUS)
    for sent in gathered:
        merged.merge(pickle.loads(sent))  # noqa: S301  what this test has made
    assert merged.finish() == together
    whole = {each.id: each for each in together.measures if isinstance(each, Ratio)}
    for metric in RATIOS:
        kinds = [whole[f"{metric}.{kind}"] for kind in KINDS]
        assert whole[metric].numerator == sum(each.numerator for each in kinds)
        assert whole[metric].denominator == sum(each.denominator for each in kinds)


def test_merging_leaves_what_was_gathered() -> None:
    """A part that is merged twice into others is the same part still."""
    one, other = StepsScorer(CORPUS), StepsScorer(CORPUS)
    one.add(replayed(READ, "meta"))
    for _ in range(2):
        other.merge(one.gathered())
        other.merge(one.gathered())
    assert one.finish().measures[0] == Ratio(metric="passed", numerator=1, denominator=1)
    assert other.finish().measures[0] == Ratio(metric="passed", numerator=4, denominator=4)
    assert len(CASES) == len(KINDS)
