"""`run`: a benchmark put to systems, and a bundle of what happened."""

import asyncio
import contextlib
import fnmatch
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from generator import __version__
from generator.errors import AssayError, CorpusError, UsageError
from generator.families.family import Pairs, Question
from generator.provenance.facts import Asked, Facts, Stated, provided
from generator.provenance.rules import Refusal, judge
from generator.provenance.secrets import found
from generator.records import bundle
from generator.records.base import fault_in
from generator.records.benchmark import Benchmark, Price
from generator.records.bundle import MANIFEST, SIMULATED, Harness, Manifest, Tree
from generator.records.experiment import Experiment
from generator.records.key import EFFORT
from generator.runners.account import Account
from generator.runners.journal import Journal
from generator.runners.scrub import Scrub
from generator.runners.specs import Asking, offered, systems
from generator.runners.sweep import Progress, Stopped, Sweep
from generator.runners.sweep import run as sweep_all
from generator.runners.system import Candidate, Level, System, Terms
from generator.store.corpus import benchmark_here
from generator.store.project import Project
from generator.workflow.candidates import key_of
from generator.workflow.paired import JOBS as ONE_AT_A_TIME
from generator.workflow.paired import UNBOUNDED, paired_sweep
from generator.workflow.scoring import AnswerKey, answer_key
from generator.workflow.staging import Staging, stagings, subject_of
from generator.writer import begun

BUDGET = 2_000_000
"""Tokens that may be billed unless another number is named."""

SECONDS = 600.0
"""The time limit of an attempt where the benchmark declares none."""

JOBS = 8
"""How many attempts are made at the same time, unless they are timed or it is said."""

CONTRACT = 1
"""Goes up when the same system could answer otherwise."""

Show = Callable[[Progress, Account], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a run was asked to do."""

    benchmark: str
    systems: Sequence[str] = ()
    """None where the benchmark itself declares two arms."""

    repetitions: int | None = None
    """How often each case is put; once, or as often as the benchmark's arms ask for."""

    levels: Sequence[str] = ()
    """Levels of effort; all that the benchmark declares where none is named."""

    prompted: bool = False
    """Whether levels are asked for by prompt."""

    cases: str | None = None
    budget: int | None = None
    """Tokens that may be billed; `BUDGET` where it is not said."""

    spend: bool = False
    resume: bool = False
    out: Path | None = None
    jobs: int | None = None
    tools: Literal["native", "prompted"] = "native"
    options: Mapping[str, Any] = field(default_factory=dict)
    revision: str | None = None
    surfaces: Sequence[str] = ()
    """Surfaces of the benchmark's subject; all that it has where none is named."""

    runtime: Path | None = None
    """A file that says what runs the model, as the manifest has it."""

    shown: Sequence[str] = ()
    """Variables of this environment that the commands of arms may see."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What became of a run."""

    out: Path
    manifest: Manifest
    progress: Progress
    account: Account
    stopped: Stopped | None
    whole: bool
    """Whether it can only be run whole, and not be gone on with."""


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
    with quiet():
        return asyncio.run(_run(project, wanted, warn, show))


async def _run(project: Project, wanted: Wanted, warn: Callable[[str], None], show: Show) -> Ran:
    key = answer_key(benchmark_here(project, wanted.benchmark))
    benchmark = key.files.benchmark
    questions = _asked(key.family.questions(key.corpus), wanted.cases)
    async with contextlib.AsyncExitStack() as held:
        plan = (
            await _arms(project, key, key.family.experiment(key.corpus), questions, wanted)
            if isinstance(key.family, Pairs)
            else await _systems(project, key, questions, wanted, held)
        )
        candidates = plan.sweep.candidates
        manifest = begun(
            project,
            benchmark=benchmark.id,
            systems=[candidate.entry for candidate in candidates],
            harness=Harness(name="assay-run", version=__version__, contract=CONTRACT),
            repetitions=plan.sweep.repetitions,
            filter=wanted.cases,
            subject=subject_of(benchmark),
            budget={} if plan.budget is None else {"tokens": plan.budget},
        )
        asked = {question.case for question in questions}
        never = tuple(case for case in key.corpus.cases if case not in asked)
        for refusal in _never_published(manifest, key, candidates, never):
            warn(f"{refusal.rule.id}: {refusal.says.in_english()}")
        account = Account(UNBOUNDED if plan.budget is None else plan.budget, plan.prices)
        out = wanted.out or project.dist / "runs" / benchmark.id
        with Journal(
            project,
            out,
            manifest,
            [question.case for question in questions],
            Scrub(os.environ),
            resume=wanted.resume,
            seen=account.add,
        ) as journal:
            progress, stopped = await sweep_all(
                plan.sweep, journal, account, plan.jobs, lambda progress: show(progress, account)
            )
            named = None if stopped else _named(journal.manifest.systems, account)
            journal.finish(stopped, named)
    return Ran(out, journal.manifest, progress, account, stopped, plan.whole)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What a run comes to before anything is asked."""

    sweep: Sweep
    jobs: int
    budget: int | None
    """Tokens; none where nobody could hold the run to it."""

    prices: Mapping[str, Price] = field(default_factory=dict)
    """By system of the run."""

    whole: bool = False
    """Whether it can only be run whole."""


async def _systems(
    project: Project,
    key: AnswerKey,
    questions: Sequence[Question],
    wanted: Wanted,
    held: contextlib.AsyncExitStack,
) -> _Plan:
    """The systems that are named, each at its levels of effort and on its surfaces."""
    benchmark = key.files.benchmark
    if wanted.shown:
        raise UsageError(
            f"The benchmark {benchmark.id!r} has no arms, and --env is for their commands.",
            "Leave out --env.",
        )
    every = key.family.questions(key.corpus)
    under_test = systems(wanted.systems, asking(project, key, every, wanted))
    for system in under_test.values():
        held.push_async_callback(system.close)
    staged = await stagings(project, benchmark, questions, wanted.surfaces)
    found = list(_candidates(under_test, benchmark, wanted, staged))
    prices = {price.system: price for price in benchmark.prices}
    return _Plan(
        Sweep([one for _, one in found], questions, wanted.repetitions or 1),
        wanted.jobs or JOBS,
        BUDGET if wanted.budget is None else wanted.budget,
        {one.entry.id: prices[spec] for spec, one in found if spec in prices},
    )


async def _arms(
    project: Project,
    key: AnswerKey,
    experiment: Experiment,
    questions: Sequence[Question],
    wanted: Wanted,
) -> _Plan:
    """The two arms that the benchmark declares; what else could be said has no meaning there."""
    benchmark = key.files.benchmark
    said = {
        "system": wanted.systems,
        "repeat": wanted.repetitions,
        "effort": wanted.levels,
        "prompted-effort": wanted.prompted,
        "surface": wanted.surfaces,
        "option": wanted.options,
        "revision": wanted.revision,
        "runtime": wanted.runtime,
        "budget": wanted.budget,
        "spend": wanted.spend,
        "tools": wanted.tools != "native",
    }
    if wanted.resume:
        raise UsageError(
            f"The benchmark {benchmark.id!r} declares two arms, which are timed beside each other: "
            "what is run later is another cohort.",
            "Begin anew, without --resume.",
        )
    for option, value in said.items():
        if value:
            raise UsageError(
                f"The benchmark {benchmark.id!r} declares two arms, and all that they are run "
                f"with; --{option} says otherwise.",
                f"Leave out --{option}, or change the experiment.",
            )
    jobs = wanted.jobs or ONE_AT_A_TIME
    sweep = await paired_sweep(
        experiment, questions, project.root, wanted.shown, benchmark.systems, jobs
    )
    return _Plan(sweep, jobs, None, whole=True)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Say no secret and no name of a person's folder in a fault."""
    try:
        yield
    except AssayError as fault:
        scrub = Scrub(os.environ)
        fault.what, fault.remedy = scrub.text(fault.what), scrub.text(fault.remedy)
        fault.args = (fault.what,)
        raise


def asking(
    project: Project, key: AnswerKey, questions: Sequence[Question], wanted: Wanted
) -> Asking:
    """What the systems of a run are asked with."""
    return Asking(
        root=project.root,
        environment=os.environ,
        declared=key.files.benchmark.systems,
        key=(key.family, key.corpus),
        offered=offered(questions),
        jobs=wanted.jobs or JOBS,
        spend=wanted.spend,
        tools=wanted.tools,
        options=wanted.options,
        revision=wanted.revision,
        runtime=None if wanted.runtime is None else _runtime(wanted.runtime),
    )


_RUNTIME_LIMIT = 1024 * 1024
"""How many bytes the file may have that says what runs a model."""


def _runtime(path: Path) -> bundle.Runtime:
    """What runs a model, as a file says; raises UsageError."""
    remedy = 'It holds {"name": …, "version": …, "settings": {…}}, as a manifest has it.'
    try:
        with path.open("rb") as file:
            content = file.read(_RUNTIME_LIMIT + 1)
    except OSError as fault:
        raise UsageError(f"{path} can't be read: {fault.strerror}.", remedy) from fault
    if len(content) > _RUNTIME_LIMIT:
        raise UsageError(f"{path} has more than {_RUNTIME_LIMIT} bytes.", remedy)
    try:
        return bundle.Runtime.parse(content)
    except (ValueError, RecursionError) as fault:
        raise UsageError(f"{path}: {fault_in(content, fault)}.", remedy) from fault


def terms(benchmark: Benchmark, level: Level | None = None) -> Terms:
    """The limits that a benchmark declares for an attempt; raises CorpusError."""
    declared = benchmark.scoring.get("limits")
    limits = declared if isinstance(declared, dict) else {}
    seconds = limits.get("seconds_per_attempt", SECONDS)
    turns = limits.get("turns_per_attempt")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or seconds <= 0:
        raise _no_limit(benchmark, "seconds_per_attempt", seconds)
    if (
        isinstance(turns, bool)
        or not isinstance(turns, int | None)
        or (turns is not None and turns < 1)
    ):
        raise _no_limit(benchmark, "turns_per_attempt", turns)
    return Terms(float(seconds), turns, level)


def _no_limit(benchmark: Benchmark, name: str, value: object) -> CorpusError:
    return CorpusError(
        f"The benchmark {benchmark.id!r} declares {name} = {value!r}, which is no limit.",
        "Write a number above zero below [scoring.limits] in its benchmark.toml.",
    )


def _asked(questions: Sequence[Question], pattern: str | None) -> list[Question]:
    chosen = [one for one in questions if pattern is None or fnmatch.fnmatchcase(one.case, pattern)]
    if not chosen:
        raise UsageError(f"No case is like {pattern!r}.", "Name cases as the shell names files.")
    return chosen


def _candidates(
    under_test: Mapping[str, System],
    benchmark: Benchmark,
    wanted: Wanted,
    staged: Sequence[Staging],
) -> Iterator[tuple[str, Candidate]]:
    """Each system at each level of effort, or as it is where there is none; with its SPEC.

    Where there are scenes, on each surface.
    """
    ids: set[str] = set()
    asked: list[Level | None] = [*levels(benchmark, wanted.levels, prompted=wanted.prompted)]
    for spec, system in under_test.items():
        for staging in staged:
            seen: dict[str, str] = {}
            for level in asked or [None]:
                entry = staging.described(spec, system, level)
                _refuse_sameness(spec, entry, seen)
                entry = entry.model_copy(update={"id": _unused(entry.id, ids)})
                limits = terms(benchmark, level)
                put = staging.put(spec, system, limits)
                yield spec, Candidate(system, limits, entry, put)


def levels(benchmark: Benchmark, named: Iterable[str], *, prompted: bool) -> list[Level]:
    """The levels that are named, or all that are declared, from cheap to dear; UsageError."""
    known = {level.id: level for level in benchmark.effort}
    for name in named:
        if name not in known:
            raise UsageError(
                f"The benchmark declares no effort {name!r}.",
                f"Declared, from cheap to dear: {', '.join(known) or 'none'}.",
            )
    wanted = set(named) or set(known)
    return [Level(level, prompted) for name, level in known.items() if name in wanted]


def _refuse_sameness(spec: str, entry: bundle.System, seen: dict[str, str]) -> None:
    """Two levels that a system would be asked in the same way are one run under two names."""
    axes = {name: value for name, value in entry.axes.items() if name != EFFORT}
    same = entry.model_copy(update={"id": "same", "axes": axes}).model_dump_json()
    level = entry.axes.get(EFFORT, "")
    first = seen.setdefault(same, level)
    if first != level:
        raise UsageError(
            f"{spec} would be asked the same at the efforts {first!r} and {level!r}.",
            "Give each its own instruction or tokens in benchmark.toml, or name one of them.",
        )


def _unused(name: str, ids: set[str]) -> str:
    """An id that no other candidate has."""
    number, unused = 1, name
    while unused in ids:
        number += 1
        unused = f"{name[:90]}-{number}"
    ids.add(unused)
    return unused


def _never_published(
    manifest: Manifest, key: AnswerKey, candidates: Sequence[Candidate], never: tuple[str, ...]
) -> list[Refusal]:
    """What the gate would refuse even if all went well from now on, each refusal once."""
    refusals = [
        refusal
        for candidate in candidates
        for refusal in judge(_at_best(manifest, candidate.entry, key, never))
    ]
    return list({refusal.says.in_english(): refusal for refusal in refusals}.values())


def _at_best(
    manifest: Manifest, system: bundle.System, key: AnswerKey, never: tuple[str, ...]
) -> Facts:
    """What the gate would see of a system if the run ended well and the tree stayed as it is."""
    benchmark, corpus = key.files.benchmark, manifest.corpus
    if system.provider not in SIMULATED:
        # Its replies may still tell.
        system = system.model_copy(update={"revision": system.revision or "as the replies say"})
    stated = Stated(corpus.commit, corpus.digest, corpus.contracts, manifest.started)
    return Facts(
        provider=system.provider,
        model=system.model,
        filter=manifest.filter,
        asked=Asked(cases=len(key.corpus.cases), never=never),
        provided=provided(key_of(manifest, system, key), stated, benchmark.not_applicable),
        corpus_ran=corpus.digest,
        corpus_here=key.files.digest,
        contracts_ran=corpus.contracts,
        contracts_here=key.contracts,
        version_ran=manifest.benchmark.version,
        version_here=benchmark.version,
        status="complete",
        stopped=None,
        trees={"start": manifest.tree_at_start, "end": Tree(clean="yes")},
        secrets=tuple(f"{kind}, {MANIFEST}" for kind in found(manifest.to_json())),
    )


def _named(entries: Iterable[bundle.System], account: Account) -> list[bundle.System]:
    """Each system by what its provider calls it, where all replies agree and nobody said it."""
    return [
        entry.model_copy(update={"revision": entry.revision or account.model(entry.id)})
        for entry in entries
    ]
