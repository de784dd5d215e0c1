"""From what oracles and events said to measures: an arm's successes, times and counters."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from generator.families.counting import Counting
from generator.families.family import Scores
from generator.families.paired.comparing import P95_FROM
from generator.families.paired.corpus import PairedCorpus
from generator.records.bundle import Attempt, Tokens
from generator.records.measure import MILLISECONDS, Quantile, Ratio
from generator.records.row import Contribution
from generator.records.run_record import is_verified, outcome_of
from generator.statistics.intervals import half_up
from generator.statistics.paired import median

ENDINGS = ("verified", "unverified", "failed", "timed_out", "cancelled")
"""How a scored attempt can end: each is one metric, and together they are all of them."""

COUNTERS: Mapping[str, str] = {
    "input_tokens": "tokens",
    "output_tokens": "tokens",
    "reasoning_tokens": "tokens",
    "cache_read_tokens": "tokens",
    "tool_calls": "calls",
    "tool_errors": "calls",
}
"""What an attempt's events tell, and its unit."""

LATENCY = "latency"
LATENCY_P95 = "latency_p95"
VERIFICATION = "verification"

MS_PLACES = 3
COUNTER_PLACES = 1
"""A median of whole numbers has a half at most."""

_HALF, _P95 = Decimal("0.5"), Decimal("0.95")


def ending(attempt: Attempt) -> str | None:
    """Which of `ENDINGS` an attempt is; none where it counts in no measure."""
    outcome = outcome_of(attempt)
    if outcome == "completed":
        return "verified" if is_verified(attempt) else "unverified"
    return "timed_out" if outcome == "timeout" else outcome


def milliseconds(microseconds: Fraction | int) -> Decimal:
    """A time as it is published."""
    return half_up(Fraction(microseconds) / 1_000, MS_PLACES)


def counters(attempt: Attempt) -> dict[str, int | None]:
    """What an attempt's events tell, by counter; what did not come whole is missing."""
    usage = attempt.usage
    if usage is None or usage.status != "observed":
        return dict.fromkeys(COUNTERS)
    tokens = usage.tokens or Tokens()
    told = (tokens.input, tokens.output, tokens.reasoning, tokens.cache_read)
    return dict(zip(COUNTERS, (*told, usage.tool_calls, usage.tool_errors), strict=True))


@dataclass(slots=True)
class Tally:
    """What the attempts at one case, or at several, have gathered."""

    endings: Counter[str] = field(default_factory=Counter)
    values: dict[str, list[int]] = field(default_factory=dict)
    """By metric: each value that was observed, times in microseconds."""

    def add(self, attempt: Attempt, how: str) -> None:
        """Count an attempt that is scored."""
        self.endings[how] += 1
        said = attempt.verification
        observed = {
            LATENCY: attempt.elapsed_us if how == "verified" else None,
            VERIFICATION: None if said is None else said.elapsed_us,
            **counters(attempt),
        }
        for metric, value in observed.items():
            if value is not None:
                self.values.setdefault(metric, []).append(value)

    def merge(self, other: "Tally") -> None:
        """Add what was counted elsewhere."""
        self.endings.update(other.endings)
        for metric, values in other.values.items():
            self.values.setdefault(metric, []).extend(values)

    def measures(self, *, one_case: bool) -> Iterator[Ratio | Quantile]:
        """Every measure, in its order; a 95th percentile is of one case only."""
        scored = self.endings.total()
        for metric in ENDINGS:
            yield Ratio(metric=metric, numerator=self.endings[metric], denominator=scored)
        yield self._time(LATENCY)
        yield _p95(self.values.get(LATENCY, ()) if one_case else ())
        yield self._time(VERIFICATION)
        for metric, unit in COUNTERS.items():
            values = self.values.get(metric, [])
            middle = median(values)
            value = None if middle is None else half_up(middle, COUNTER_PLACES)
            yield Quantile(metric=metric, n=len(values), q=_HALF, value=value, unit=unit)

    def _time(self, metric: str) -> Quantile:
        values = self.values.get(metric, [])
        middle = median(values)
        value = None if middle is None else milliseconds(middle)
        return Quantile(metric=metric, n=len(values), q=_HALF, value=value, unit=MILLISECONDS)


def _p95(times: Iterable[int]) -> Quantile:
    ordered = sorted(times)
    if len(ordered) < P95_FROM:
        return Quantile(metric=LATENCY_P95, n=0, q=_P95, unit=MILLISECONDS)
    place = -(-95 * len(ordered) // 100)  # the smallest integer that is not below
    value = milliseconds(ordered[place - 1])
    return Quantile(metric=LATENCY_P95, n=len(ordered), q=_P95, value=value, unit=MILLISECONDS)


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a scorer counted: cases that were scored, by id, and totals."""

    tallies: dict[str, Tally]
    counting: Counting


class PairedScorer:
    """Counts the attempts of one row."""

    def __init__(self, corpus: PairedCorpus) -> None:
        self._corpus = corpus
        self._tallies: dict[str, Tally] = {case: Tally() for case in corpus.cases}
        self._counting = Counting()

    def add(self, attempt: Attempt) -> None:
        """Count one attempt; its case must be one of the corpus."""
        tally = self._tallies[attempt.case]
        how = ending(attempt)
        if self._counting.scores(attempt) and how is not None:
            tally.add(attempt, how)

    def gathered(self) -> Gathered:
        """Everything that was counted so far, as plain values."""
        return Gathered(self._tallies, self._counting)

    def merge(self, gathered: Gathered) -> None:
        """Add what another scorer of the same corpus counted."""
        for case, tally in gathered.tallies.items():
            self._tallies[case].merge(tally)
        self._counting.merge(gathered.counting)

    def finish(self) -> Scores:
        """Measures of the whole, and what each case adds to them."""
        whole = Tally()
        for tally in self._tallies.values():
            whole.merge(tally)
        measures = tuple(whole.measures(one_case=len(self._tallies) == 1))
        contributions = tuple(
            Contribution(
                case=case,
                measures=tuple(
                    measure for measure in tally.measures(one_case=True) if _is_measured(measure)
                ),
            )
            for case, tally in self._tallies.items()
        )
        return Scores(self._counting.counts(), measures, contributions)


def _is_measured(measure: Ratio | Quantile) -> bool:
    return bool(measure.denominator if isinstance(measure, Ratio) else measure.n)
