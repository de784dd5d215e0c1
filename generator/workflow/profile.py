"""`profile`: what a model can be trusted with, for programs that gate tools by tier.

A profile stands for one benchmark version and one corpus, and for one level of effort. Whoever
reads it later asks again whether both are those at hand, and derives the tier anew.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Literal

from generator.errors import CorpusError, UsageError
from generator.records.base import Digest, Moment, Name, Record, Rounded, Slug, fault_in
from generator.records.key import EFFORT, EFFORT_BY
from generator.records.measure import Mean
from generator.records.row import Row
from generator.store.atomic import write
from generator.store.corpus import BenchmarkFiles, benchmark_here
from generator.store.project import Project
from generator.store.registry import read_registry
from generator.workflow.scoring import AnswerKey, answer_key

PROFILES = "models_profile.json"


class Profile(Record):
    """What one model reached at one level of effort."""

    tier: Slug
    scores: dict[Slug, Rounded]
    """Rounded, by category."""

    tokens_per_second: Rounded | None = None
    completion_tokens: Rounded | None = None
    """Of an attempt, on average."""

    prompted: bool = False
    """Whether the level was asked for by prompt, since the system has no setting for it."""

    benchmark_version: Name
    corpus: Digest
    measured: Moment
    """When its run ended."""

    row: Slug
    """The published row that it is taken from."""


class Profiles(Record):
    """All profiles of a benchmark, by `model@effort`."""

    format: Literal["assay.profiles/1"]
    benchmark: Slug
    profiles: dict[str, Profile]
    recommendations: dict[str, str]
    """By model: the cheapest level of effort that reaches the highest tier seen."""


@dataclass(frozen=True, slots=True)
class Validity:
    """What a profile is worth against the benchmark at hand."""

    system: str
    tier: str | None
    """The tier that its scores earn now; none where the profile is not valid."""

    why_not: str = ""


def profiles(project: Project, benchmark_id: str) -> Profiles:
    """Profiles of all rows that stand on the corpus at hand; CorpusError, RegistryError."""
    key = _graded(benchmark_here(project, benchmark_id))
    rows = _by_name(
        row
        for row in read_registry(project).standing()
        if row.key.benchmark == benchmark_id and _is_current(row, key.files)
    )
    tiers = {name: key.family.tier(key.corpus, _scores(row)) for name, row in rows.items()}
    return Profiles(
        format="assay.profiles/1",
        benchmark=benchmark_id,
        profiles={name: _profile(rows[name], tier) for name, tier in tiers.items() if tier},
        recommendations=_recommended(list(rows.values()), key),
    )


@dataclass(frozen=True, slots=True)
class Written:
    """Profiles, and where they lie."""

    path: Path
    profiles: Profiles


def write_profiles(project: Project, benchmark_id: str, out: Path | None = None) -> Written:
    """Write the profiles of a benchmark, durably."""
    written = Written(out or project.root / PROFILES, profiles(project, benchmark_id))
    write(written.path, written.profiles.to_json())
    return written


def judge_profiles(project: Project, path: Path) -> tuple[Validity, ...]:
    """What each profile of a file is worth here and now; raises UsageError, CorpusError."""
    try:
        content = path.read_bytes()
    except OSError as fault:
        raise UsageError(f"{path} can't be read: {fault.strerror}.", _REMEDY) from fault
    try:
        held = Profiles.parse(content)
    except (ValueError, RecursionError) as fault:
        raise UsageError(f"{path}: {fault_in(content, fault)}.", _REMEDY) from fault
    key = _graded(benchmark_here(project, held.benchmark))
    return tuple(_judged(name, profile, key) for name, profile in sorted(held.profiles.items()))


_REMEDY = "Write it again with results profile."


def _judged(name: str, profile: Profile, key: AnswerKey) -> Validity:
    files, version = key.files, key.files.benchmark.version
    if profile.benchmark_version != version:
        return Validity(
            name, None, f"it was measured on version {profile.benchmark_version}, not {version}"
        )
    if profile.corpus != files.digest:
        return Validity(
            name,
            None,
            f"it was measured on the corpus {profile.corpus[:16]}, not {files.digest[:16]}",
        )
    tier = key.family.tier(key.corpus, profile.scores)
    why_not = "" if tier else "it has no score of a category that the tiers now ask"
    return Validity(name, tier, why_not)


def _graded(files: BenchmarkFiles) -> AnswerKey:
    """A benchmark that declares tiers, read; raises CorpusError for any other."""
    key = answer_key(files)
    if not key.family.tiers(key.corpus):
        raise CorpusError(
            f"The benchmark {files.benchmark.id!r} declares no tiers, so its rows give no profile.",
            "Declare [[scoring.tiers]] in its benchmark.toml, or name another benchmark.",
        )
    return key


def _is_current(row: Row, files: BenchmarkFiles) -> bool:
    return (row.key.benchmark_version, row.key.corpus) == (files.benchmark.version, files.digest)


def _by_name(rows: Iterable[Row]) -> dict[str, Row]:
    """By `model@effort`; of several rows of one name, the one whose run ended last."""
    in_time = sorted(rows, key=lambda row: (row.run.finished, row.id))
    return {row.system: row for row in in_time}


def _recommended(rows: Sequence[Row], key: AnswerKey) -> dict[str, str]:
    """By model: of the rows that have a profile, the level to take."""
    benchmark, tiers = key.files.benchmark, key.family.tiers(key.corpus)
    levels = [level.id for level in benchmark.effort]

    def rank(row: Row) -> tuple[int, int]:
        tier = key.family.tier(key.corpus, _scores(row)) or tiers[-1]
        return tiers.index(tier), levels.index(row.key.configuration.axes[EFFORT])

    found = key.family.recommended(key.corpus, benchmark, rows)
    # Of several sweeps of one model the best comes last, and stays.
    in_order = sorted(found, key=rank, reverse=True)
    return {row.key.model: row.key.configuration.axes[EFFORT] for row in in_order}


def _scores(row: Row) -> dict[str, Decimal]:
    """The rounded scores of a row's categories, as far as they were measured."""
    return {
        figure.part: figure.mean
        for figure in row.measures
        if isinstance(figure, Mean) and figure.metric == "category_score"
        if figure.part is not None and figure.mean is not None
    }


def _profile(row: Row, tier: str) -> Profile:
    means: Mapping[str, Decimal | None] = {
        figure.id: figure.mean for figure in row.measures if isinstance(figure, Mean)
    }
    return Profile(
        tier=tier,
        scores=_scores(row),
        tokens_per_second=means.get("tokens_per_second"),
        completion_tokens=means.get("completion_tokens"),
        prompted=EFFORT_BY in row.key.configuration.axes,
        benchmark_version=row.key.benchmark_version,
        corpus=row.key.corpus,
        measured=row.run.finished,
        row=row.id,
    )
