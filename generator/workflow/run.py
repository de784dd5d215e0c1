"""`run`: a benchmark put to systems, and a bundle of what happened."""

import asyncio
import fnmatch
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from generator import __version__
from generator.errors import UsageError
from generator.families.family import Question
from generator.records.benchmark import Benchmark
from generator.records.bundle import SIMULATED, Harness, Manifest
from generator.runners.chat import ChatModel, Tools
from generator.runners.journal import Journal
from generator.runners.scrub import Scrub
from generator.runners.specs import Asking, systems
from generator.runners.sweep import Progress, Stopped, Sweep
from generator.runners.sweep import run as put
from generator.runners.system import Candidate, Level, Spent, System, Terms
from generator.store.corpus import benchmark_here
from generator.store.project import Project
from generator.workflow.scoring import answer_key
from generator.writer import begun

BUDGET = 2_000_000
"""Tokens that may be billed unless another number is named."""

SECONDS = 120.0
"""The time limit of a request where the benchmark declares none."""

CONTRACT = 1
"""Goes up when the same system could answer otherwise."""

Show = Callable[[Progress, Spent], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a run was asked to do."""

    benchmark: str
    systems: Sequence[str]
    repetitions: int = 1
    levels: Sequence[str] = ()
    """Levels of effort; all that the benchmark declares where none is named."""

    prompted: bool = False
    """Whether levels are asked for by prompt."""

    cases: str | None = None
    budget: int = BUDGET
    spend: bool = False
    resume: bool = False
    out: Path | None = None
    jobs: int = 8
    tools: Tools = "native"
    options: Mapping[str, Any] = field(default_factory=dict)
    revision: str | None = None


@dataclass(frozen=True, slots=True)
class Ran:
    """What became of a run."""

    out: Path
    manifest: Manifest
    progress: Progress
    spent: Spent
    stopped: Stopped | None


def run(
    project: Project,
    wanted: Wanted,
    *,
    warn: Callable[[str], None] = lambda _: None,
    show: Show = lambda *_: None,
) -> Ran:
    """Put a benchmark to systems and write the bundle.

    `warn` is told, before anything is asked, why the run could never be published. Raises
    AssayError where a system, a level or the benchmark is not there, or a key is refused.
    """
    return asyncio.run(_run(project, wanted, warn, show))


async def _run(project: Project, wanted: Wanted, warn: Callable[[str], None], show: Show) -> Ran:
    key = answer_key(benchmark_here(project, wanted.benchmark))
    benchmark = key.files.benchmark
    questions = _asked(key.family.questions(key.corpus), wanted.cases)
    asking = Asking(
        root=project.root,
        benchmark=benchmark,
        family=key.family,
        corpus=key.corpus,
        jobs=wanted.jobs,
        spend=wanted.spend,
        tools=wanted.tools,
        options=wanted.options,
        revision=wanted.revision,
    )
    under_test = systems(list(wanted.systems), asking)
    candidates = [
        candidate
        for system in under_test
        for candidate in _candidates(system, benchmark, wanted, _seconds(benchmark))
    ]
    manifest = begun(
        project,
        benchmark=benchmark.id,
        systems=[candidate.entry for candidate in candidates],
        harness=Harness(name="assay-run", version=__version__, contract=CONTRACT),
        repetitions=wanted.repetitions,
        filter=wanted.cases,
        budget={"tokens": wanted.budget},
    )
    for reason in unpublishable(manifest):
        warn(reason)
    spent = Spent(wanted.budget)
    out = wanted.out or project.root / "dist" / "runs" / benchmark.id
    journal = Journal(
        out,
        manifest,
        [question.case for question in questions],
        Scrub(os.environ),
        resume=wanted.resume,
        seen=lambda attempt: spent.add(attempt.turns),
    )
    with journal:
        progress, stopped = await _put(
            Sweep(candidates, questions, wanted.repetitions), journal, spent, wanted, show, project
        )
    for system in under_test:
        if isinstance(system, ChatModel):
            await system.wire.close()
    return Ran(out, journal.manifest, progress, spent, stopped)


async def _put(  # noqa: PLR0913, PLR0917  the parts of one run
    sweep: Sweep,
    journal: Journal,
    spent: Spent,
    wanted: Wanted,
    show: Show,
    project: Project,
) -> tuple[Progress, Stopped | None]:
    try:
        progress, stopped = await put(
            sweep, journal, spent, wanted.jobs, lambda progress: show(progress, spent)
        )
    except BaseException:
        journal.finish(project, "crash")
        raise
    journal.manifest = _with_revisions(journal.manifest, progress)
    journal.finish(project, stopped)
    return progress, stopped


def unpublishable(manifest: Manifest) -> list[str]:
    """Why a run that begins so could never be published, whatever the systems say."""
    tree = manifest.tree_at_start
    reasons = []
    if tree.clean != "yes":
        what = ", ".join(tree.paths[:3]) or tree.reason or "git can't tell"
        reasons.append(f"dirty-tree: the work tree is not clean ({what})")
    if manifest.corpus.commit is None:
        reasons.append("incomplete-provenance: there is no commit that the run could name")
    if manifest.filter is not None:
        reasons.append(f"filtered-run: only cases like {manifest.filter} are asked")
    reasons += [
        f"fake-provider: {system.id} is simulated"
        for system in manifest.systems
        if system.provider in SIMULATED
    ]
    return reasons


def _asked(questions: Sequence[Question], pattern: str | None) -> list[Question]:
    chosen = [one for one in questions if pattern is None or fnmatch.fnmatchcase(one.case, pattern)]
    if not chosen:
        raise UsageError(f"No case is like {pattern!r}.", "Name cases as the shell names files.")
    return chosen


def _candidates(
    system: System, benchmark: Benchmark, wanted: Wanted, seconds: float
) -> list[Candidate]:
    """A system at each level of effort; without levels, as it is."""
    known = {level.id: level for level in benchmark.effort}
    for name in wanted.levels:
        if name not in known:
            raise UsageError(
                f"The benchmark declares no effort {name!r}.",
                f"Declared, from cheap to dear: {', '.join(known) or 'none'}.",
            )
    levels = [Level(known[name], wanted.prompted) for name in wanted.levels or known]
    for level in levels:
        _refuse_sameness(system, level)
    asked: list[Level | None] = [*levels] or [None]
    return [Candidate(system, Terms(seconds, level), system.described(level)) for level in asked]


def _refuse_sameness(system: System, level: Level) -> None:
    """A system that would be asked the same at every level is not asked at all."""
    if level.prompted:
        if level.effort.instruction is not None:
            return
        raise UsageError(
            f"The effort {level.effort.id!r} has no instruction to be asked for by.",
            "Declare `instruction` for it in benchmark.toml, or leave out --prompted-effort.",
        )
    if isinstance(system, ChatModel) and system.dialect.effort(level.effort.id) is not None:
        return
    raise UsageError(
        f"{system.described(None).id} has no setting for the effort {level.effort.id!r}.",
        "Say --prompted-effort to ask for it by the benchmark's instruction, or name other levels.",
    )


def _seconds(benchmark: Benchmark) -> float:
    limits = benchmark.scoring.get("limits")
    found = limits.get("seconds_per_attempt") if isinstance(limits, dict) else None
    return float(found) if isinstance(found, int | float) else SECONDS


def _with_revisions(manifest: Manifest, progress: Progress) -> Manifest:
    """Each system by what its provider calls it, where all replies agree and nobody said it."""
    named = []
    for system in manifest.systems:
        said = progress.revisions.get(system.id, set()) - {None}
        only = said.pop() if len(said) == 1 else None
        named.append(system.model_copy(update={"revision": system.revision or only}))
    return manifest.model_copy(update={"systems": tuple(named)})


@dataclass(frozen=True, slots=True)
class Probed:
    """What came of one request."""

    answered: bool
    said: str


def probe(project: Project, wanted: Wanted) -> Probed:
    """Send one request and say what came of it; raises as `run` does."""
    return asyncio.run(_probe(project, wanted))


async def _probe(project: Project, wanted: Wanted) -> Probed:
    key = answer_key(benchmark_here(project, wanted.benchmark))
    asking = Asking(
        root=project.root,
        benchmark=key.files.benchmark,
        family=key.family,
        corpus=key.corpus,
        jobs=1,
        spend=wanted.spend,
        tools=wanted.tools,
        options=wanted.options,
    )
    (system,) = systems(list(wanted.systems), asking)
    question = key.family.questions(key.corpus)[0]
    only_first = replace(question, puts=question.puts[:1])
    observed = await system.ask(only_first, Terms(_seconds(key.files.benchmark)))
    if isinstance(system, ChatModel):
        await system.wire.close()
    why = Scrub(os.environ).text(observed.reason or "")
    said = f"{question.case}: {observed.outcome}{': ' + why if why else ''}"
    return Probed(observed.outcome == "completed", said)
