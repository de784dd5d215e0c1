"""Two arms in pairs: how much more often one succeeds, how long it takes, and whether by chance."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, count
from typing import TYPE_CHECKING, Any, TypeVar

from generator.statistics.intervals import CONFIDENCE

if TYPE_CHECKING:
    import numpy as np

ALPHA = 0.05
"""How improbable what was seen must be, were the arms alike, for a test to tell them apart."""

RESAMPLES = 9_999
"""How often cases are drawn anew."""

_SEED = 20_260_101
_AT_ONCE = 1_000_000
"""How many cases are drawn before they are counted: what is drawn has to fit into memory."""

Figure = TypeVar("Figure", int, Fraction)


def median(values: Sequence[Figure]) -> Fraction | None:
    """The middle one, or the mean of the middle two; none of none."""
    if not values:
        return None
    ordered = sorted(values)
    upper = len(ordered) // 2
    return (Fraction(ordered[(len(ordered) - 1) // 2]) + ordered[upper]) / 2


def difference_interval(
    baseline_only: int, candidate_only: int, pairs: int
) -> tuple[float, float] | None:
    """A 95 % interval of (candidate_only - baseline_only) / pairs; none without pairs.

    The share of either kind of discordant pair has an exact interval (Clopper and Pearson 1934) at
    97.5 %. Both hold at once in at least 95 % of runs, whatever they have to do with each other
    (Bonferroni's inequality), and then the difference lies between the differences of their ends.
    So it covers at least what it says at any size, has a width where no pair is discordant, and
    is wider than intervals that cover it on average only.
    """
    if pairs == 0:
        return None
    baseline_low, baseline_high = _exact_interval(baseline_only, pairs)
    candidate_low, candidate_high = _exact_interval(candidate_only, pairs)
    return candidate_low - baseline_high, candidate_high - baseline_low


def _exact_interval(successes: int, trials: int) -> tuple[float, float]:
    from scipy.stats import binomtest  # noqa: PLC0415  slow to import

    level = 1 - (1 - CONFIDENCE) / 2
    interval = binomtest(successes, trials).proportion_ci(level, method="exact")
    return float(interval.low), float(interval.high)


def mcnemar_exact(baseline_only: int, candidate_only: int) -> float | None:
    """How probable so uneven a split is, were either arm as likely to succeed alone; two-sided.

    McNemar's test (1947) in its exact form: a binomial test of the discordant pairs. Over cases
    instead of pairs it is the sign test. None where nothing is discordant.
    """
    discordant = baseline_only + candidate_only
    if discordant == 0:
        return None
    from scipy.stats import binomtest  # noqa: PLC0415  slow to import

    return float(binomtest(candidate_only, discordant).pvalue)


def fewest_discordant(alpha: float = ALPHA) -> int:
    """The fewest discordant pairs that, all speaking for one arm, tell the arms apart."""
    return next(n for n in count(1) if 2 * 0.5**n < alpha)


@dataclass(frozen=True, slots=True)
class Bootstrapped:
    """A figure with the interval that came of drawing its cases anew, again and again."""

    value: Fraction
    low: float | None
    high: float | None
    """None of one case, and where a value of 0 would leave a resample without a ratio."""

    cases: int
    """How many cases it was made of."""


def ratio_of_medians(
    baseline: Sequence[Sequence[int]], candidate: Sequence[Sequence[int]]
) -> Bootstrapped | None:
    """The candidate's median out of the baseline's, over all values of the cases that both have.

    For each case: the values of either arm. The 95 % interval is the percentile bootstrap (Efron
    1979) with cases drawn as wholes, since values of one case resemble each other. None where no
    case has values of both, or the baseline's median is 0.
    """
    cases = [(ours, theirs) for ours, theirs in zip(baseline, candidate, strict=True)]
    cases = [case for case in cases if all(case)]
    below = median(list(chain.from_iterable(case[0] for case in cases)))
    above = median(list(chain.from_iterable(case[1] for case in cases)))
    if not below or above is None:
        return None
    always = len(cases) > 1 and all(min(case[0]) > 0 for case in cases)
    low, high = _percentiles(cases) if always else (None, None)
    return Bootstrapped(above / below, low, high, len(cases))


def _percentiles(
    cases: Sequence[tuple[Sequence[int], Sequence[int]]],
) -> tuple[float, float]:
    import numpy as np  # noqa: PLC0415  slow to import
    from scipy.stats import bootstrap  # noqa: PLC0415  slow to import

    below, above = _Pool([case[0] for case in cases]), _Pool([case[1] for case in cases])

    def ratio(drawn: "np.ndarray[Any, Any]") -> float:
        times = np.bincount(drawn, minlength=len(cases))
        return above.twice_median(times) / below.twice_median(times)

    found = bootstrap(
        (np.arange(len(cases)),),
        ratio,
        n_resamples=RESAMPLES,
        batch=max(1, _AT_ONCE // len(cases)),
        vectorized=False,
        confidence_level=CONFIDENCE,
        method="percentile",
        # Of all streams of numpy, this one is promised to stay as it is, in every version (NEP 19).
        random_state=np.random.RandomState(_SEED),
    )
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


class _Pool:
    """The values of all cases in order, each with the case that it is of."""

    def __init__(self, cases: Sequence[Sequence[int]]) -> None:
        import numpy as np  # noqa: PLC0415  slow to import

        pairs = sorted((value, case) for case, values in enumerate(cases) for value in values)
        self._values = [value for value, _ in pairs]
        self._cases = np.array([case for _, case in pairs])

    def twice_median(self, times: "np.ndarray[Any, Any]") -> int:
        """Twice the median, an integer, with the values of each case taken so many times."""
        reached = times[self._cases].cumsum()
        total = int(reached[-1])
        middle = [(total - 1) // 2, total // 2]
        lower, upper = (int(place) for place in reached.searchsorted(middle, side="right"))
        return self._values[lower] + self._values[upper]
