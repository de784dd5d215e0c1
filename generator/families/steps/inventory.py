"""What the benchmark asks: cases by kind and by domain, and every case with its prompt and key."""

from collections.abc import Iterator
from decimal import Decimal

from generator.families.blocks import Block, Cell, Code, Number, Quote, Table
from generator.families.steps.corpus import KINDS, Case, StepsCorpus
from generator.families.steps.sayings import (
    KIND_TITLES,
    allowed,
    fixtures,
    lines,
    step_of_key,
)
from generator.messages import N_, Message


def inventory(corpus: StepsCorpus) -> tuple[Block, ...]:
    """Two tables of numbers, and a table of cases for each kind that there is."""
    return (_by_kind(corpus), _by_domain(corpus), *_cases(corpus))


def _by_kind(corpus: StepsCorpus) -> Table:
    cases = [*corpus.by_name.values()]
    rows = [
        _counted(Message(KIND_TITLES[kind]), [case for case in cases if case.kind == kind])
        for kind in KINDS
    ]
    return Table(
        Message(N_("Cases by kind, with the steps that their keys declare")),
        tuple(map(Message, (N_("Kind"), N_("Cases"), N_("Declared steps")))),
        (*rows, _counted(Message(N_("All")), cases)),
    )


def _counted(name: Cell, cases: list[Case]) -> tuple[Cell, ...]:
    return (name, _number(len(cases)), _number(sum(len(case.steps) for case in cases)))


def _by_domain(corpus: StepsCorpus) -> Table:
    """A case counts in each domain that it is about."""
    cases, actions = [*corpus.by_name.values()], corpus.catalogue.file.actions
    named = {step.action.id for case in cases for step in case.steps}
    rows: list[tuple[Cell, ...]] = []
    for domain in corpus.catalogue.domains:
        own = [action.id for action in actions if action.domain == domain]
        about = sum(domain in case.domains for case in cases)
        rows.append((Code(domain), *map(_number, (about, len(named & {*own}), len(own)))))
    said = N_("Domains, with the actions that the keys name of those in the catalogue")
    heads = (N_("Domain"), N_("Cases"), N_("Actions named"), N_("Actions in the catalogue"))
    total: tuple[Cell, ...] = (
        Message(N_("All")),
        *map(_number, (len(cases), len(named), len(actions))),
    )
    return Table(Message(said), tuple(map(Message, heads)), (*rows, total))


def _cases(corpus: StepsCorpus) -> Iterator[Table]:
    heads = (
        *(N_("Case"), N_("Asked"), N_("Made before"), N_("Expected"), N_("May be changed")),
        N_("Why"),
    )
    for kind in KINDS:
        own = [case for case in corpus.by_name.values() if case.kind == kind]
        if own:
            yield Table(
                Message(KIND_TITLES[kind]),
                tuple(map(Message, heads)),
                tuple(
                    (
                        Code(case.name),
                        Quote(case.prompt),
                        made_before(case),
                        key_of(case),
                        lines([allowed(change) for change in case.changes]),
                        _why(case),
                    )
                    for case in own
                ),
            )


def made_before(case: Case) -> Cell:
    """What a case needs, as its file has it."""
    return fixtures({name: {one.make: one.fields} for name, one in case.fixtures.items()})


def key_of(case: Case) -> Cell:
    """The steps that a right system takes; of a refusal, that it takes none."""
    if case.kind == "refusal":
        return Message(N_("It declines or asks, and changes nothing."))
    if len(case.steps) == 1:
        return lines(step_of_key(case.steps[0]))
    said: list[Cell] = []
    for number, step in enumerate(case.steps, 1):
        said += (Message(N_("step {number}"), {"number": number}), *step_of_key(step))
    return lines(said)


def _why(case: Case) -> Cell:
    said: list[Cell] = [Quote(case.description)] if case.description else []
    said += (
        Message(
            N_("It may say {words}: {reason}"),
            {"words": Code(each.words), "reason": Quote(each.reason)},
        )
        for each in case.exceptions
    )
    return lines(said) if said else Quote("")


def _number(value: int) -> Number:
    return Number(Decimal(value))
