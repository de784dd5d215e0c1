"""`score`: the measures of a run, without judging it."""

from pathlib import Path

from generator.errors import UsageError
from generator.families.family import Scores
from generator.store.bundles import open_bundle
from generator.store.corpus import benchmark_at
from generator.store.evidence import read_evidence
from generator.store.project import Project
from generator.store.registry import read_registry
from generator.workflow.reading import Tell, read
from generator.workflow.record import key_at_head
from generator.workflow.scoring import answer_key, tally


def score(
    project: Project, run: Path, *, jobs: int | None = None, tell: Tell = lambda *_: None
) -> dict[str, Scores]:
    """By system: what its attempts come to against the answer key at HEAD. Writes nothing."""
    bundle = open_bundle(run)
    done = read(bundle, key_at_head(project, bundle), jobs=jobs, tell=tell)
    return {system: tally.scorer.finish() for system, tally in done.tallies.items()}


def score_row(project: Project, row_id: str) -> dict[str, Scores]:
    """What a row's stored observations come to, with the answer key at the row's own commit.

    Raises UsageError for an unknown row, Registry- or RepositoryError where something is gone.
    """
    row = read_registry(project).rows.get(row_id)
    if row is None:
        raise UsageError(
            f"{row_id} is neither the folder of a run nor the id of a row.",
            "Name a folder with run.json in it, or a row as its file in the registry is called.",
        )
    key = answer_key(benchmark_at(project, row.key.benchmark, row.run.commit))
    attempts = read_evidence(project, row.evidence)
    return {row.run.system: tally(key, attempts).scorer.finish()}
