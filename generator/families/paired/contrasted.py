"""Attempts of two arms in pairs: the same case in the same repetition."""

from collections.abc import Iterable, Mapping

from generator.families.paired.comparing import TWICE, UNMATCHED
from generator.families.paired.contrasting import Pair, Tried, contrast
from generator.families.paired.corpus import PairedCorpus
from generator.records.bundle import Attempt
from generator.records.comparison import Contrast
from generator.records.run_record import ComparisonFault, is_verified, outcome_of

_Tries = dict[tuple[str, int], Tried | None]
"""By case and repetition: what became of it; none of an attempt that counts in no measure."""


def contrasted(
    corpus: PairedCorpus, baseline: Iterable[Attempt], candidate: Iterable[Attempt]
) -> Contrast:
    """What the attempts of two arms say of each other; raises ValueError for unequal pairs."""
    ours, theirs = _tries(corpus, baseline), _tries(corpus, candidate)
    if ours.keys() != theirs.keys():
        raise ComparisonFault(UNMATCHED)
    cases: Mapping[str, list[Pair]] = {case: [] for case in corpus.cases}
    left_out = 0
    for case, repetition in sorted(ours):
        one, other = ours[case, repetition], theirs[case, repetition]
        if one is None or other is None:
            left_out += 1
        else:
            cases[case].append((one, other))
    return contrast(cases, left_out)


def _tries(corpus: PairedCorpus, attempts: Iterable[Attempt]) -> _Tries:
    found: _Tries = {}
    for attempt in attempts:
        place = (attempt.case, attempt.repetition)
        if attempt.case not in corpus.cases:
            message = f"The experiment has no task {attempt.case!r}"
            raise ValueError(message)
        if place in found:
            raise ComparisonFault(TWICE)
        counts = outcome_of(attempt) is not None
        found[place] = Tried(is_verified(attempt), attempt.elapsed_us) if counts else None
    return found
