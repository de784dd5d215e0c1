"""The comparison of the two arms of a run: made when they are recorded, and again by `check`."""

from collections.abc import Callable, Iterable

from generator.families.family import Pairs
from generator.records.bundle import Attempt
from generator.records.comparison import Comparison, audit, comparison_id
from generator.records.row import Row
from generator.workflow.scoring import AnswerKey

Attempts = Callable[[Row], Iterable[Attempt]]
"""The observations behind a row."""


def arms_in(key: AnswerKey, rows: Iterable[Row]) -> tuple[Row, Row] | None:
    """Of the rows of one run, those of baseline and candidate; none where one of them lacks."""
    if not isinstance(key.family, Pairs):
        return None
    found = {row.key.configuration.arm: row for row in rows}
    baseline, candidate = (found.get(arm.name) for arm in key.family.experiment(key.corpus).arms)
    return None if baseline is None or candidate is None else (baseline, candidate)


def compared(key: AnswerKey, arms: tuple[Row, Row], attempts: Attempts) -> Comparison:
    """What two arms say of each other; raises ValueError where they do not pair."""
    baseline, candidate = arms
    if not isinstance(key.family, Pairs):
        message = f"the family {key.family.id} has no arms"
        raise TypeError(message)
    differs, method = audit(baseline.key, candidate.key)
    return Comparison(
        format="assay.comparison/1",
        id=comparison_id(baseline.id, candidate.id),
        benchmark=baseline.key.benchmark,
        baseline=baseline.id,
        candidate=candidate.id,
        differs=differs,
        method=method,
        contrast=key.family.contrast(key.corpus, attempts(baseline), attempts(candidate)),
    )
