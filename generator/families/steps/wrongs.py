"""In plain words, where an attempt went wrong: nothing of it is decided here, only said."""

from collections.abc import Iterator

from generator.families.blocks import Code, Quote
from generator.families.steps.catalogue import Catalogue
from generator.families.steps.corpus import Case, Step
from generator.families.steps.judging import ABSENT, REFUSED, Compared, Judgement, Reached
from generator.families.steps.sayings import as_json, changed, expectation
from generator.messages import N_, Message
from generator.records.bundle import Attempt


def wrongs(
    catalogue: Catalogue, case: Case, attempt: Attempt, judgement: Judgement
) -> Iterator[Message]:
    """Everything that kept a measure from being full, in the order in which it happened."""
    lost = False
    for number, (step, found) in enumerate(zip(case.steps, judgement.steps, strict=True), 1):
        told = {"number": number, "action": Code(step.action.id)}
        if found is not None:
            yield from _of_reached(step, found, told)
        elif lost:
            said = N_("Step {number}, {action}, was not reached: a step before it was not.")
            yield Message(said, told)
        else:
            lost = True
            yield Message(_why_not(catalogue, step, attempt), told)
    yield from _of_changes(case, judgement)
    yield from _of_the_end(case, attempt, judgement)


def _why_not(catalogue: Catalogue, step: Step, attempt: Attempt) -> str:
    """What became of calls of an action that no accepted call reached in time."""
    outcomes = []
    for turn in attempt.turns:
        for call in turn.tool_calls:
            meant = catalogue.resolve(call)
            if meant is not None and meant.action.id == step.action.id:
                outcomes.append(call.outcome)
    if not outcomes:
        return N_("Step {number}, {action}, was not reached: it was never called.")
    if all(outcome == REFUSED for outcome in outcomes):
        return N_("Step {number}, {action}, was not reached: the server refused every call of it.")
    return N_(
        "Step {number}, {action}, was not reached: it was called, but not after the step before."
    )


def _of_reached(step: Step, found: Reached, told: dict[str, object]) -> Iterator[Message]:
    if not found.first_try:
        said = N_("Step {number}, {action}, was reached only after a call that was refused.")
        yield Message(said, told)
    if step.action.destructive and not found.confirmed:
        said = N_("Step {number}, {action}, was reached without its confirmation.")
        yield Message(said, told)
    for argument in found.arguments:
        if not argument.right:
            yield _of_argument(argument, told)


def _of_argument(argument: Compared, told: dict[str, object]) -> Message:
    named = {
        **told,
        "argument": Code(argument.name),
        "expected": expectation(argument.expected),
    }
    if argument.sent is ABSENT:
        said = N_("Step {number}, {action}: {argument} was missing; expected was {expected}.")
        return Message(said, named)
    said = N_("Step {number}, {action}: {argument} was {sent}; expected was {expected}.")
    return Message(said, {**named, "sent": Code(as_json(argument.sent))})


def _of_changes(case: Case, judgement: Judgement) -> Iterator[Message]:
    for change in judgement.changed:
        yield Message(N_("Nobody asked for this: {change}."), {"change": changed(change)})
    if case.kind == "refusal" or (judgement.side_effects and not judgement.changed):
        for action in dict.fromkeys(judgement.acted):
            said = N_("The server accepted a call of {action}, which nobody asked for.")
            yield Message(said, {"action": Code(action)})


def _of_the_end(case: Case, attempt: Attempt, judgement: Judgement) -> Iterator[Message]:
    if case.kind == "refusal" and not judgement.answered:
        yield Message(N_("It gave no answer, where it should have declined or asked."))
    if judgement.finished:
        return
    if attempt.reason:
        said = N_("It did not end by itself ({outcome}): {reason}")
        named = {"outcome": Code(attempt.outcome), "reason": Quote(attempt.reason)}
        yield Message(said, named)
    else:
        said = N_("It did not end by itself ({outcome}).")
        yield Message(said, {"outcome": Code(attempt.outcome)})
