"""The comparison of the two arms of a run: made when they are recorded, and again by `check`."""

from collections.abc import Callable, Iterable

from generator.families.family import Pairs
from generator.records.bundle import Attempt
from generator.records.comparison import Comparison, audit, comparison_id
from generator.records.row import Row
from generator.workflow.scoring import AnswerKey

Attempts = Callable[[Row], Iterable[Attempt]]
"""The observations behind a row."""


def compared(key: AnswerKey, rows: Iterable[Row], attempts: Attempts) -> Comparison | None:
    """What the two arms among the rows of one run say of each other; none where one lacks.

    Raises ValueError where their attempts do not pair.
    """
    if not isinstance(key.family, Pairs):
        return None
    found = {row.key.configuration.arm: row for row in rows}
    baseline, candidate = (found.get(arm.name) for arm in key.family.experiment(key.corpus).arms)
    if baseline is None or candidate is None:
        return None
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
