"""What was said and done in each attempt, turn by turn, with the key beside it."""

from collections.abc import Iterable, Iterator

from generator.families.blocks import Block, Cell, Code, Mark, Quote, Table, Transcript
from generator.families.steps.catalogue import object_in
from generator.families.steps.corpus import Case, StepsCorpus
from generator.families.steps.inventory import key_of
from generator.families.steps.judging import Judgement, judge
from generator.families.steps.sayings import (
    KIND_TITLES,
    allowed,
    called,
    changed,
    fixtures,
    lines,
    step_of_key,
)
from generator.families.steps.wrongs import wrongs
from generator.messages import N_, Message
from generator.records.bundle import EXCLUDED, Attempt, Turn

_PASSED = Mark(Message(N_("passed")), "good")
_FAILED = Mark(Message(N_("not passed")), "bad")
_NOT_SCORED = Mark(Message(N_("not scored")), "neutral")
_NOT_AT_HAND = Message(N_("not at hand"))

_Entry = tuple[Message, Cell]


def observed(corpus: StepsCorpus | None, attempts: Iterable[Attempt]) -> tuple[Block, ...]:
    """A table of what became of each attempt, and then each of them whole."""
    rows, transcripts = [], []
    for attempt in attempts:
        case = corpus.by_name.get(attempt.case) if corpus else None
        judgement, wrong = None, _left_out(attempt)
        if corpus is not None and case is not None and _is_scored(attempt):
            judgement = judge(corpus.catalogue, case, attempt)
            wrong = [*wrongs(corpus.catalogue, case, attempt, judgement)]
        kind = _NOT_AT_HAND if case is None else Message(KIND_TITLES[case.kind])
        result = _result(judgement)
        rows.append((Code(_name(attempt)), kind, result, lines(wrong)))
        transcripts.append(
            Transcript(
                Message(N_("{case}: {result}"), {"case": Code(_name(attempt)), "result": result}),
                tuple(_happened(attempt)),
                tuple(_key(case, judgement, wrong)),
            )
        )
    heads = (N_("Case"), N_("Kind"), N_("Result"), N_("Where it went wrong"))
    caption = Message(N_("What became of every attempt, and where it went wrong"))
    return (Table(caption, tuple(map(Message, heads)), tuple(rows)), *transcripts)


def _name(attempt: Attempt) -> str:
    return attempt.case if attempt.repetition == 1 else f"{attempt.case} #{attempt.repetition}"


def _is_scored(attempt: Attempt) -> bool:
    return attempt.outcome != "skipped" and attempt.outcome not in EXCLUDED


def _left_out(attempt: Attempt) -> list[Cell]:
    """Why an attempt is in no measure; nothing of one that is."""
    if _is_scored(attempt):
        return []
    outcome = Code(attempt.outcome)
    return [outcome, Quote(attempt.reason)] if attempt.reason else [outcome]


def _result(judgement: Judgement | None) -> Mark:
    if judgement is None:
        return _NOT_SCORED
    return _PASSED if judgement.passed else _FAILED


def _happened(attempt: Attempt) -> Iterator[_Entry]:
    made = object_in(bytes(attempt.fixtures).decode())
    yield Message(N_("Made before")), fixtures(made)
    yield Message(N_("Asked")), Quote(attempt.stimulus or "")
    for number, turn in enumerate(attempt.turns, 1):
        yield Message(N_("Turn {number}"), {"number": number}), lines([*_said(turn)])
    ended: list[Cell] = [Code(attempt.outcome)]
    if attempt.reason:
        ended.append(Quote(attempt.reason))
    yield Message(N_("Ended")), lines(ended)
    if attempt.changes is not None:
        yield Message(N_("Changed")), lines([changed(change) for change in attempt.changes])


def _said(turn: Turn) -> Iterator[Cell]:
    for text in (turn.content, turn.refusal):
        if text:
            yield Quote(text)
    for call in turn.tool_calls:
        yield from called(call)


def _key(case: Case | None, judgement: Judgement | None, wrong: list[Cell]) -> Iterator[_Entry]:
    if case is None:
        yield Message(N_("Expected")), _NOT_AT_HAND
        return
    if not case.steps:
        yield Message(N_("Expected")), key_of(case)
    for number, step in enumerate(case.steps, 1):
        said = step_of_key(step)
        if judgement is not None:
            reached = judgement.steps[number - 1] is not None
            said.append(_REACHED if reached else _NOT_REACHED)
        yield Message(N_("Step {number}"), {"number": number}), lines(said)
    yield Message(N_("May be changed")), lines([allowed(change) for change in case.changes])
    if judgement is not None:
        yield Message(N_("Where it went wrong")), lines(wrong)


_REACHED = Mark(Message(N_("reached")), "good")
_NOT_REACHED = Mark(Message(N_("not reached")), "bad")
