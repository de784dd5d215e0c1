"""`probe`: one request to a system, and whether it was accepted."""

import asyncio
import os
from dataclasses import dataclass, replace
from pathlib import Path

from generator.errors import UsageError
from generator.families.family import Put, Question
from generator.records.bundle import Outcome, Turn
from generator.runners.scrub import Scrub
from generator.runners.specs import Asking, systems
from generator.runners.system import Candidate, Observed, Terms
from generator.store.corpus import benchmark_here
from generator.store.project import Project
from generator.workflow.run import SECONDS, Wanted, asking, levels, quiet, terms
from generator.workflow.scoring import answer_key
from generator.workflow.staging import Staging, stagings

QUESTION = Question("hello", (Put("Say hello in one word."),))
"""What is asked where no benchmark is named."""

_ACCEPTED: tuple[Outcome, ...] = ("completed", "cancelled")
"""How an attempt ends that got its one reply: in a scene, one with a call is more than it may."""


@dataclass(frozen=True, slots=True)
class Probed:
    """What came of one request."""

    case: str
    accepted: bool
    said: str
    """In a few words, without secrets."""


def probe(project: Project | None, wanted: Wanted) -> Probed:
    """Send one request, once, and say what came of it; raises AssayError as `run` does.

    With a benchmark it is the first step of a case, one that offers tools if there is any, in a
    scene where it has one; without one, a question of one line, and no project is needed.
    """
    with quiet():
        return asyncio.run(_probe(project, wanted))


async def _probe(project: Project | None, wanted: Wanted) -> Probed:
    question, limits, ask = _one_line(wanted) if project is None else _first(project, wanted)
    ((spec, system),) = systems(wanted.systems, replace(ask, tries=1)).items()
    first = replace(question, puts=question.puts[:1])
    try:
        staging = await _staging(project, wanted, question)
        entry = staging.described(spec, system, limits.level)
        put = staging.put(spec, system, replace(limits, turns=1))
        candidate = Candidate(system, limits, entry, put)
        observed = await candidate.ask(first)
    finally:
        await system.close()
    said = Scrub(os.environ).text(_said(observed))
    return Probed(question.case, observed.outcome in _ACCEPTED, said)


async def _staging(project: Project | None, wanted: Wanted, question: Question) -> Staging:
    """The scenes of the surface that is named first, or comes first; none where there are none."""
    if project is None or question.scene is None:
        return Staging()
    benchmark = benchmark_here(project, wanted.benchmark).benchmark
    declared = () if benchmark.subject is None else benchmark.subject.surfaces
    named = [*wanted.surfaces, *(surface.id for surface in declared)][:1]
    return (await stagings(project, benchmark, [question], named))[0]


def _one_line(wanted: Wanted) -> tuple[Question, Terms, Asking]:
    """What is sent where no benchmark is named."""
    if wanted.levels:
        raise UsageError(
            "Levels of effort are declared by a benchmark, and none is named.",
            "Name it with --benchmark.",
        )
    ask = Asking(Path(), os.environ, spend=wanted.spend, options=wanted.options)
    return QUESTION, Terms(SECONDS), ask


def _first(project: Project, wanted: Wanted) -> tuple[Question, Terms, Asking]:
    """What is sent of a benchmark."""
    key = answer_key(benchmark_here(project, wanted.benchmark))
    every, benchmark = key.family.questions(key.corpus), key.files.benchmark
    question = next((one for one in every if one.tools), every[0])
    named = levels(benchmark, wanted.levels, prompted=wanted.prompted) if wanted.levels else [None]
    return question, terms(benchmark, named[0]), asking(project, key, every, wanted)


def _said(observed: Observed) -> str:
    """What came back, in a few words."""
    seconds = (observed.elapsed_us or 0) / 1e6
    if observed.outcome not in _ACCEPTED:
        return (
            f"{observed.outcome} after {seconds:.1f} s: {observed.reason or 'no reason is known'}"
        )
    turn = observed.turns[0] if observed.turns else Turn()
    parts = [f"a reply after {seconds:.1f} s"]
    parts += [f"a call of {call.name}" for call in turn.tool_calls[:1]]
    if turn.tokens is not None:
        parts += [
            f"{getattr(turn.tokens, kind)} tokens {kind.replace('_', ' ')}"
            for kind in turn.tokens.__struct_fields__
            if getattr(turn.tokens, kind) is not None
        ]
    return ", ".join([*parts, *([f"by {turn.model}"] if turn.model else [])])
