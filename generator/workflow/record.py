"""`record`: judge a run and merge its rows; and its rehearsal, which touches nothing committed."""

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from generator.errors import RepositoryError
from generator.families.family import Pairs
from generator.provenance.rules import Refusal, judge
from generator.records.base import decimal_text
from generator.records.comparison import Comparison
from generator.records.key import Key
from generator.records.measure import Measure, Quantile
from generator.records.registry import Registry
from generator.records.row import Row
from generator.store.atomic import locked, ready
from generator.store.bundles import Bundle, open_bundle
from generator.store.corpus import benchmark_at
from generator.store.evidence import read_evidence
from generator.store.project import Project
from generator.store.registry import read_registry, write_comparison, write_row
from generator.workflow.candidates import Asking, Candidate, Reading, facts, reading, row_of
from generator.workflow.comparing import compared
from generator.workflow.reading import Tell
from generator.workflow.scoring import AnswerKey, answer_key


@dataclass(frozen=True, slots=True)
class Difference:
    """A measure, or the terms of a case, that came out otherwise than published."""

    what: str
    published: str
    measured: str


@dataclass(frozen=True, slots=True)
class Reproduction:
    """How a run compares with a row that stands."""

    row: str
    elsewhere: tuple[str, ...]
    """In what the keys differ, where no row has the very same key."""

    differences: tuple[Difference, ...]
    """Times aside."""

    timed: bool = False
    """Whether there are times, which were not compared."""

    @property
    def reproduced(self) -> bool:
        """Whether every figure came out as published, times aside."""
        return not self.differences


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one candidate."""

    system: str
    row: Row | None
    """The row, unless it was refused."""

    refusals: tuple[Refusal, ...]
    path: Path | None = None
    """Where the row was written."""

    reproduction: Reproduction | None = None


@dataclass(frozen=True, slots=True)
class Recording:
    """What became of a run."""

    run: Path
    rehearsal: bool
    verdicts: tuple[Verdict, ...]
    registry: Registry
    """The registry as it is afterwards; in a rehearsal, as it would be."""

    comparison: Comparison | None = None
    """What two arms say of each other, where both were published."""

    @property
    def refused(self) -> int:
        """How many candidates were refused."""
        return sum(1 for verdict in self.verdicts if verdict.refusals)

    @property
    def published(self) -> int:
        """How many candidates became rows."""
        return len(self.verdicts) - self.refused


def record(  # noqa: PLR0913  each is an option of the command
    project: Project,
    run: Path,
    *,
    replace: bool = False,
    older: bool = False,
    rehearsal: bool = False,
    jobs: int | None = None,
    tell: Tell = lambda *_: None,
) -> Recording:
    """Judge every system of a run by every rule; write the rows that none refuses.

    A rehearsal waives the rules that say so of themselves and writes below `dist/rehearsal`.
    Raises AssayError where the run, the benchmark, the registry or git can't be read, or the disk
    can't be written; that is found out before anything is scored.
    """
    target = project.rehearsal if rehearsal else project
    bundle = open_bundle(run)
    with locked(target.results):
        registry = read_registry(project)
        if rehearsal:
            _begin_anew(target, registry)
        key = key_at_head(project, bundle)
        commit = bundle.manifest.corpus.commit
        reachable = project.repo.reaches(commit) if commit else "unknown"
        asking = Asking(bundle, key, reachable, replace, older, rehearsal)
        for folder in (target.evidence, target.registry / key.files.benchmark.id):
            ready(folder)
        with reading(bundle, key, target, jobs=jobs, tell=tell) as read:
            verdicts, merged = _verdicts(read, asking, registry)
            refusals = tuple(refusal for verdict in verdicts for refusal in verdict.refusals)
            if refusals and isinstance(key.family, Pairs):
                # The arms of a pair stand or fall together: half of one says nothing.
                verdicts = [Verdict(verdict.system, None, refusals) for verdict in verdicts]
            else:
                registry = merged
            comparison = _kept(target, key, read.candidates, verdicts)
            written = [_written(target, verdict) for verdict in verdicts]
    if comparison is not None:
        registry = registry.comparing(comparison)
    return Recording(run, rehearsal, tuple(written), registry, comparison)


def _begin_anew(target: Project, registry: Registry) -> None:
    """A rehearsal starts from the registry as it stands, not from an earlier rehearsal."""
    for folder in (target.registry, target.evidence, target.docs):
        shutil.rmtree(folder, ignore_errors=True)
    for row in registry.rows.values():
        write_row(target, row)
    for comparison in registry.comparisons.values():
        write_comparison(target, comparison)


def key_at_head(project: Project, bundle: Bundle) -> AnswerKey:
    """The answer key as HEAD holds it; raises RepositoryError where there is no HEAD."""
    head = project.repo.head()
    if head is None:
        raise RepositoryError(
            f"{project.root} has no commit that git can read.",
            "Install git, make this a repository, and commit the benchmark.",
        )
    return answer_key(benchmark_at(project, bundle.manifest.benchmark.id, head))


def _verdicts(read: Reading, asking: Asking, registry: Registry) -> tuple[list[Verdict], Registry]:
    """What becomes of each candidate, and the registry with the rows that nothing refuses."""
    verdicts = []
    for candidate in read.candidates:
        verdict = _verdict(candidate, read.strays, asking, registry)
        if verdict.row is not None:
            registry = registry.merged([verdict.row])
        verdicts.append(verdict)
    return verdicts, registry


def _verdict(
    candidate: Candidate, strays: tuple[str, ...], asking: Asking, registry: Registry
) -> Verdict:
    refusals = judge(facts(candidate, strays, asking, registry), rehearsal=asking.rehearsal)
    if refusals:
        return Verdict(candidate.system.id, None, refusals)
    row = row_of(candidate, asking, registry)
    return Verdict(candidate.system.id, row, (), None, reproduction(row, registry))


def _kept(
    target: Project, key: AnswerKey, candidates: Iterable[Candidate], verdicts: Iterable[Verdict]
) -> Comparison | None:
    """Put in place what rows stand on, before them: `check` finds it where they do not follow."""
    rows = []
    for candidate, verdict in zip(candidates, verdicts, strict=True):
        if verdict.row is not None:
            candidate.writer.keep(target, candidate.evidence)
            rows.append(verdict.row)
    comparison = compared(
        key, rows, lambda row: (seen.attempt for seen in read_evidence(target, row.evidence))
    )
    if comparison is not None:
        write_comparison(target, comparison)
    return comparison


def _written(target: Project, verdict: Verdict) -> Verdict:
    row = verdict.row
    if row is None:
        return verdict
    path = write_row(target, row)
    return Verdict(verdict.system, row, (), path, verdict.reproduction)


def reproduction(row: Row, registry: Registry) -> Reproduction | None:
    """How a row compares with the standing one of its key, or with its nearest kin."""
    stands = registry.same_measurement(row.key)
    if stands is not None:
        return _reproduction(stands, (), row)
    kin = [
        (elsewhere(other.key, row.key), other)
        for other in registry.standing()
        if _is_kin(other.key, row.key)
    ]
    if not kin:
        return None
    where, nearest = min(kin, key=lambda found: (len(found[0]), found[1].id))
    return _reproduction(nearest, where, row)


def _reproduction(stands: Row, where: tuple[str, ...], row: Row) -> Reproduction:
    timed = any(_is_time(figure) for figure in row.measures)
    found = differences(_untimed(stands), _untimed(row))
    return Reproduction(stands.id, where, tuple(found), timed)


def _untimed(row: Row) -> Row:
    cases = tuple(
        case.model_copy(update={"measures": _without_times(case.measures)})
        for case in row.contributions
    )
    return row.model_copy(update={"measures": _without_times(row.measures), "contributions": cases})


def _without_times(measures: Iterable[Measure]) -> tuple[Measure, ...]:
    return tuple(figure for figure in measures if not _is_time(figure))


def _is_time(figure: Measure) -> bool:
    return isinstance(figure, Quantile) and figure.is_time


def differences(published: Row, measured: Row) -> Iterable[Difference]:
    """Every measure, then every case, that came out otherwise."""
    yield from _differing(
        {figure.id: figure for figure in published.measures},
        {figure.id: figure for figure in measured.measures},
    )
    yield from _differing(
        {case.case: case.measures for case in published.contributions},
        {case.case: case.measures for case in measured.contributions},
    )


def elsewhere(one: Key, other: Key) -> tuple[str, ...]:
    """In which fields two keys differ."""
    left, right = one.plain(), other.plain()
    return tuple(name for name in sorted({*left, *right}) if left.get(name) != right.get(name))


def _is_kin(one: Key, other: Key) -> bool:
    """Whether both measured one system in one way, as each surface, level of effort and arm is."""
    return all(
        getattr(one, name) == getattr(other, name)
        for name in ("benchmark", "corpus", "contracts", "provider", "model", "repetitions")
    ) and all(
        getattr(one.configuration, name) == getattr(other.configuration, name)
        for name in ("surface", "axes", "arm")
    )


def _differing(
    published: dict[str, Measure] | dict[str, tuple[Measure, ...]],
    measured: dict[str, Measure] | dict[str, tuple[Measure, ...]],
) -> Iterable[Difference]:
    for name in dict.fromkeys([*published, *measured]):
        before, after = published.get(name), measured.get(name)
        if before != after:
            yield Difference(name, in_short(before), in_short(after))


def in_short(figure: Measure | tuple[Measure, ...] | None) -> str:
    """A measure in a few plain characters, for the terminal: its terms, never a percentage."""
    if figure is None:
        return "-"
    if isinstance(figure, tuple):
        return ", ".join(f"{part.metric} {in_short(part)}" for part in figure) or "-"
    match figure.kind:
        case "ratio" | "weighted_ratio":
            terms = (Decimal(figure.numerator), Decimal(figure.denominator))
            return "/".join(map(decimal_text, terms))
        case "mean":
            return "-" if figure.mean is None else f"{figure.mean} (n = {figure.n})"
        case "quantile":
            return "-" if figure.value is None else f"{figure.value} {figure.unit}"
        case "count" | "label":
            return str(figure.value)
