"""`profile`: what a model can be trusted with, for programs that gate tools by tier.

A profile stands for one benchmark version and one corpus, and for one level of effort. Whoever
reads it later asks again whether both are those at hand, and derives the tier anew.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Literal

from generator.errors import CorpusError, UsageError
from generator.families.declarative.corpus import DeclarativeCorpus
from generator.families.declarative.effort import sweeps, tier_in
from generator.families.declarative.tiers import Tier, tier_of
from generator.records.base import Digest, Moment, Name, Record, Rounded, Slug, fault_in
from generator.records.key import EFFORT_BY
from generator.records.measure import Mean
from generator.records.row import Row
from generator.store.atomic import write
from generator.store.corpus import BenchmarkFiles, benchmark_here
from generator.store.project import Project
from generator.store.registry import read_registry
from generator.workflow.scoring import answer_key

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
    files = benchmark_here(project, benchmark_id)
    tiers = _tiers(files)
    rows = [
        row
        for row in read_registry(project).standing()
        if row.key.benchmark == benchmark_id and _is_current(row, files)
    ]
    levels = [level.id for level in files.benchmark.effort]
    best = {
        sweep.recommended.key.model: sweep.recommended.system.rpartition("@")[2]
        for sweep in sweeps(rows, levels, [tier.id for tier in tiers])
        if sweep.recommended is not None
    }
    return Profiles(
        format="assay.profiles/1",
        benchmark=benchmark_id,
        profiles=dict(_by_name(rows)),
        recommendations=best,
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
    except ValueError as fault:
        raise UsageError(f"{path}: {fault_in(content, fault)}.", _REMEDY) from fault
    files = benchmark_here(project, held.benchmark)
    tiers = _tiers(files)
    return tuple(
        _judged(name, profile, files, tiers) for name, profile in sorted(held.profiles.items())
    )


_REMEDY = "Write it again with results profile."


def _judged(
    name: str, profile: Profile, files: BenchmarkFiles, tiers: tuple[Tier, ...]
) -> Validity:
    version = files.benchmark.version
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
    return Validity(name, tier_of(profile.scores, tiers))


def _tiers(files: BenchmarkFiles) -> tuple[Tier, ...]:
    corpus = answer_key(files).corpus
    tiers = corpus.tiers if isinstance(corpus, DeclarativeCorpus) else ()
    if not tiers:
        raise CorpusError(
            f"The benchmark {files.benchmark.id!r} declares no tiers, so its rows give no profile.",
            "Declare [[scoring.tiers]] in its benchmark.toml, or name another benchmark.",
        )
    return tiers


def _is_current(row: Row, files: BenchmarkFiles) -> bool:
    return (row.key.benchmark_version, row.key.corpus) == (files.benchmark.version, files.digest)


def _by_name(rows: Iterable[Row]) -> Iterable[tuple[str, Profile]]:
    """By `model@effort`; of several rows of one name, the one whose run ended last."""
    for row in sorted(rows, key=lambda row: (row.run.finished, row.id)):
        tier = tier_in(row)
        if tier is not None:
            yield row.system, _profile(row, tier)


def _profile(row: Row, tier: str) -> Profile:
    means: Mapping[str, Decimal | None] = {
        figure.id: figure.mean for figure in row.measures if isinstance(figure, Mean)
    }
    return Profile(
        tier=tier,
        scores={
            name.removeprefix("category_score."): mean
            for name, mean in means.items()
            if name.startswith("category_score.") and mean is not None
        },
        tokens_per_second=means.get("tokens_per_second"),
        completion_tokens=means.get("completion_tokens"),
        prompted=EFFORT_BY in row.key.configuration.axes,
        benchmark_version=row.key.benchmark_version,
        corpus=row.key.corpus,
        measured=row.run.finished,
        row=row.id,
    )
