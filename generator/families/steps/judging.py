"""What an attempt did, held against the key: one judgement, which scorer and pages share.

The calls of all turns are read in order. A step is reached by the first call after the previous
step's that means its action and that the server accepted; what came of it behind the server does
not matter. A refused call on the way voids the first try, and nothing else.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from generator.families.steps.catalogue import Catalogue, Resolved, object_in, required
from generator.families.steps.corpus import NEW, Case, OfFixtureFile, Step
from generator.families.steps.expected import Expected, OfFixture, Told, meets
from generator.families.steps.values import alike
from generator.records.bundle import Attempt, Change, ToolCall

ACCEPTED = "accepted"
REFUSED = "refused"


class _Absent:
    """The only value of its kind."""


ABSENT: Final = _Absent()
"""An argument that a call did not have."""


@dataclass(frozen=True, slots=True)
class Compared:
    """An argument that was held against the key."""

    name: str
    expected: Expected
    sent: Any
    """`ABSENT` where a required one was missing."""

    right: bool


@dataclass(frozen=True, slots=True)
class Reached:
    """A step that was reached."""

    call: int
    """The place of its call among all calls of the attempt, from 0."""

    first_try: bool
    confirmed: bool
    """Whether its confirmation was true; of a step that needs none, it is not asked."""

    arguments: tuple[Compared, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """An attempt held against the key."""

    steps: tuple[Reached | None, ...]
    """For each step of the key; none for one that was not reached."""

    changed: tuple[Change, ...]
    """Observed changes that the key does not ask for."""

    acted: tuple[str, ...]
    """Actions of accepted calls that change things and that the key has not."""

    side_effects: bool
    answered: bool
    """Whether its last turn says something, and calls nothing: words beside a call end nothing."""

    finished: bool
    """Whether it was the system that ended it."""

    refused: bool
    """Of a refusal: whether nothing was changed and something was said."""

    passed: bool


def judge(catalogue: Catalogue, case: Case, attempt: Attempt) -> Judgement:
    """Hold an attempt that is to be scored against the key of its case."""
    calls = [call for turn in attempt.turns for call in turn.tool_calls]
    meant = [catalogue.resolve(call) if call.outcome == ACCEPTED else None for call in calls]
    fixtures = object_in(bytes(attempt.fixtures).decode())
    steps, told = _reached(case.steps, calls, meant, Told(fixtures))
    own = {step.action.id for step in case.steps}
    acted = tuple(
        found.action.id
        for found in meant
        if found is not None and found.action.changes and found.action.id not in own
    )
    changed = () if attempt.changes is None else tuple(_unasked(case, attempt.changes, told))
    side_effects = bool(acted if attempt.changes is None else changed)
    last = attempt.turns[-1] if attempt.turns else None
    ended = last is not None and not last.tool_calls
    answered = ended and last is not None and any(map(_is_said, (last.content, last.refusal)))
    finished = ended and attempt.outcome == "completed"
    refused = case.kind == "refusal" and answered and not acted and not side_effects
    right = all(step is not None and all(one.right for one in step.arguments) for step in steps)
    did = refused if case.kind == "refusal" else right and not side_effects
    return Judgement(
        steps, changed, acted, side_effects, answered, finished, refused, did and finished
    )


def _is_said(text: str | None) -> bool:
    return bool(text and text.strip())


def _reached(
    steps: Sequence[Step], calls: Sequence[ToolCall], meant: Sequence[Resolved | None], told: Told
) -> tuple[tuple[Reached | None, ...], Told]:
    """Each step with the call that reached it; what the answers told on the way."""
    found: list[Reached | None] = []
    answers: dict[int, str | None] = {}
    told = Told(told.fixtures, answers)
    place, lost = 0, False
    for number, step in enumerate(steps, 1):
        here = None if lost else _next(step, meant, place)
        if here is None:
            lost = True
            found.append(None)
            continue
        call, resolved = here
        first_try = all(other.outcome != REFUSED for other in calls[place:call])
        found.append(
            Reached(
                call,
                first_try,
                step.action.confirmation is not None
                and alike(resolved.arguments.get(step.action.confirmation), other=True),
                tuple(_compared(step, resolved, told)),
            )
        )
        answers[number] = calls[call].answer
        place = call + 1
    return tuple(found), told


def _next(step: Step, meant: Sequence[Resolved | None], place: int) -> tuple[int, Resolved] | None:
    for call in range(place, len(meant)):
        resolved = meant[call]
        if resolved is not None and resolved.action.id == step.action.id:
            return call, resolved
    return None


def _compared(step: Step, resolved: Resolved, told: Told) -> Iterator[Compared]:
    """Arguments of the key; one that is absent is wrong if it is required, else not compared."""
    needed = required(step.action)
    for name, expected in step.arguments.items():
        if name in resolved.arguments:
            sent = resolved.arguments[name]
            yield Compared(name, expected, sent, meets(expected, sent, told))
        elif name in needed:
            yield Compared(name, expected, ABSENT, right=False)


def _unasked(case: Case, changes: Sequence[Change], told: Told) -> Iterator[Change]:
    """Changes that the key does not ask for; each `new` of the key is one thing, and no more."""
    new = [allowed.kind for allowed in case.changes if allowed.thing == NEW]
    for change in changes:
        if any(
            (allowed.kind, allowed.what) == (change.kind, change.what)
            and _is_thing(allowed.thing, change, told)
            and (allowed.fields is None or set(change.fields) <= set(allowed.fields))
            for allowed in case.changes
        ):
            continue
        if change.what == "added" and change.kind in new:
            new.remove(change.kind)
            continue
        yield change


def _is_thing(thing: str | OfFixtureFile | None, change: Change, told: Told) -> bool:
    """Whether a change is of a thing that was there before, or of any one that is meant."""
    if not isinstance(thing, OfFixtureFile):
        return thing is None
    return meets(OfFixture(thing.fixture), change.thing, told)
