"""From observations to measures: counts in whole numbers, rounded once and half up."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from operator import add
from typing import NamedTuple

from generator.families.counting import Counting
from generator.families.declarative.corpus import FINEST_WEIGHT, Case, DeclarativeCorpus, Step
from generator.families.declarative.reply import Reply, trimmed
from generator.families.declarative.tiers import tier_of
from generator.families.family import Scores
from generator.records.bundle import Attempt
from generator.records.measure import Label, Mean, Measure, Ratio, WeightedRatio
from generator.records.row import Contribution
from generator.statistics.intervals import half_up, mean_interval, sample_deviation, square_root

SCORE_PLACES = 2
"""Case and category scores are rounded to two decimals, half up."""

INTERVAL_PLACES = 4
SPENDING_PLACES = 1

ENDINGS = ("passed", "wrong", "unanswered", "timed_out", "crashed")
"""How a scored attempt can end: each is one metric, and together they are all of them."""

_CRASHED = frozenset({"failed", "cancelled"})


def said_nothing(attempt: Attempt) -> bool:
    """Whether the system declined or stayed silent: no text, no call."""
    return not any(trimmed(turn.content) or turn.tool_calls for turn in attempt.turns)


def replies(case: Case, attempt: Attempt) -> list[tuple[Step, Reply | None]]:
    """Each step of a case with the reply that counts for it; none where none does.

    Only a completed attempt passes a check. A result of a tool that comes after a reply without a
    call answers nothing: the chain is broken there, and that step and all later ones count
    nothing, as do steps that no reply reached.
    """
    turns = attempt.turns if attempt.outcome == "completed" else ()
    found: list[tuple[Step, Reply | None]] = []
    broken, called = False, True
    for number, step in enumerate(case.steps):
        broken = broken or number >= len(turns) or (step.tool_result is not None and not called)
        if broken:
            found.append((step, None))
            continue
        reply = Reply.of(turns[number])
        called = reply.tool is not None
        found.append((step, reply))
    return found


def verdicts_of(case: Case, attempt: Attempt) -> Iterator[tuple[Step, tuple[bool, ...] | None]]:
    """Each step with the verdict of each check; none for a step that counts nothing."""
    for step, reply in replies(case, attempt):
        yield step, None if reply is None else tuple(check.passes(reply) for check in step.checks)


def gained(case: Case, attempt: Attempt) -> int:
    """Weight of the checks that pass."""
    weight = 0
    for step, reply in replies(case, attempt):
        if reply is not None:
            for check in step.checks:
                if check.passes(reply):
                    weight += check.weight
    return weight


def ending(case: Case, attempt: Attempt, weight: int) -> str:
    """Which of `ENDINGS` an attempt is, given the weight that it gained."""
    if attempt.outcome == "timeout":
        return "timed_out"
    if attempt.outcome in _CRASHED:
        return "crashed"
    if attempt.outcome == "completed" and weight == case.full:
        return "passed"
    return "unanswered" if said_nothing(attempt) else "wrong"


class Tally(NamedTuple):
    """What one case has gathered over its repetitions."""

    gained: int = 0
    possible: int = 0
    passed: int = 0
    wrong: int = 0
    unanswered: int = 0
    timed_out: int = 0
    crashed: int = 0

    @property
    def scored(self) -> int:
        """Attempts that count."""
        return sum(self[-len(ENDINGS) :])


_PLACES = {name: place for place, name in enumerate(Tally._fields)}


@dataclass(slots=True)
class Spending:
    """What replies took, over the scored attempts that report it; in whole numbers."""

    attempts: int = 0
    """Attempts that report completion tokens."""

    tokens: int = 0
    squares: int = 0
    """Sum of the squares of their tokens."""

    timed: int = 0
    """Attempts that report the time too."""

    timed_tokens: int = 0
    elapsed_us: int = 0

    def add(self, attempt: Attempt) -> None:
        """Count what an attempt reports; one that leaves out a turn's tokens reports none."""
        tokens = [turn.tokens.output if turn.tokens else None for turn in attempt.turns]
        reported = [number for number in tokens if number is not None]
        if not tokens or len(reported) < len(tokens):
            return
        total = sum(reported)
        self.attempts += 1
        self.tokens += total
        self.squares += total * total
        elapsed = [turn.elapsed_us for turn in attempt.turns]
        known = [time for time in elapsed if time is not None]
        time = sum(known) if len(known) == len(elapsed) else attempt.elapsed_us
        if time:
            self.timed += 1
            self.timed_tokens += total
            self.elapsed_us += time

    def merge(self, other: "Spending") -> None:
        """Add what was counted elsewhere."""
        self.attempts += other.attempts
        self.tokens += other.tokens
        self.squares += other.squares
        self.timed += other.timed
        self.timed_tokens += other.timed_tokens
        self.elapsed_us += other.elapsed_us

    def figures(self) -> Iterator[Measure]:
        """Completion tokens of an attempt, and tokens per second over all of them together."""
        count = self.attempts
        mean = Fraction(self.tokens, count) if count else None
        deviation = None
        if count > 1:
            # Σ(x - m)² = Σx² - (Σx)²/n, exactly
            squares = self.squares - Fraction(self.tokens**2, count)
            deviation = square_root(squares / (count - 1))
        yield Mean(
            metric="completion_tokens",
            n=count,
            mean=None if mean is None else half_up(mean, SPENDING_PLACES),
            spread=None if deviation is None else half_up(deviation, SPENDING_PLACES),
        )
        rate = Fraction(self.timed_tokens * 1_000_000, self.elapsed_us) if self.elapsed_us else None
        yield Mean(
            metric="tokens_per_second",
            n=self.timed,
            mean=None if rate is None else half_up(rate, SPENDING_PLACES),
        )


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a scorer counted: cases that were scored, by name, and totals."""

    tallies: dict[str, list[int]]
    """The numbers of a `Tally`, which are added to more cheaply than it is made anew."""

    counting: Counting
    spending: Spending


class DeclarativeScorer:
    """Counts the attempts of one row."""

    def __init__(self, corpus: DeclarativeCorpus) -> None:
        self._corpus = corpus
        self._tallies: dict[str, list[int]] = {}
        self._counting = Counting()
        self._spending = Spending()

    def add(self, attempt: Attempt) -> None:
        """Count one attempt; its case must be one of the corpus."""
        if not self._counting.scores(attempt):
            return
        case = self._corpus.by_name[attempt.case]
        tally = self._tallies.get(attempt.case)
        if tally is None:
            tally = self._tallies[attempt.case] = [*Tally()]
        weight = gained(case, attempt)
        tally[_PLACES["gained"]] += weight
        tally[_PLACES["possible"]] += case.full
        tally[_PLACES[ending(case, attempt, weight)]] += 1
        if self._corpus.sweeps:
            self._spending.add(attempt)

    def gathered(self) -> Gathered:
        """Everything that was counted so far, as plain values."""
        return Gathered(self._tallies, self._counting, self._spending)

    def merge(self, gathered: Gathered) -> None:
        """Add what another scorer of the same corpus counted."""
        known = self._tallies
        for name, tally in gathered.tallies.items():
            known[name] = [*map(add, known[name], tally)] if name in known else [*tally]
        self._counting.merge(gathered.counting)
        self._spending.merge(gathered.spending)

    def finish(self) -> Scores:
        """Measures of the whole, then of each category, in the benchmark's order."""
        cases = [
            (case, Tally(*self._tallies.get(name, ())))
            for name, case in self._corpus.by_name.items()
        ]
        measures: list[Measure] = [*self._figures(None, cases)]
        for category, _title in self._corpus.categories:
            measures += self._figures(category, [c for c in cases if c[0].category == category])
        measures += self._tier(measures)
        if self._corpus.sweeps:
            measures += self._spending.figures()
        contributions = tuple(
            Contribution(
                case=case.name,
                part=case.category,
                measures=tuple(
                    figure
                    for figure in self._terms(None, [(case, tally)])
                    if not (isinstance(figure, Ratio) and figure.numerator == 0)
                ),
            )
            for case, tally in cases
        )
        return Scores(self._counting.counts(), tuple(measures), contributions)

    def _figures(self, part: str | None, cases: list[tuple[Case, Tally]]) -> Iterable[Measure]:
        yield from self._terms(part, cases)
        if part is not None:
            yield _category_score(part, cases)

    def _terms(self, part: str | None, cases: list[tuple[Case, Tally]]) -> Iterable[Measure]:
        scored = sum(tally.scored for _, tally in cases)
        for metric in ENDINGS:
            count = sum(tally[_PLACES[metric]] for _, tally in cases)
            yield Ratio(metric=metric, part=part, numerator=count, denominator=scored)
        yield WeightedRatio(
            metric="checks",
            part=part,
            numerator=self._weight(sum(tally.gained for _, tally in cases)),
            denominator=self._weight(sum(tally.possible for _, tally in cases)),
        )

    def _tier(self, measures: list[Measure]) -> Iterator[Measure]:
        scores = {
            figure.part: figure.mean
            for figure in measures
            if isinstance(figure, Mean) and figure.part is not None
        }
        tier = tier_of(scores, self._corpus.tiers)
        if tier is not None:
            yield Label(metric="tier", value=tier)

    def _weight(self, units: int) -> Decimal:
        return units * FINEST_WEIGHT


def _category_score(part: str, cases: list[tuple[Case, Tally]]) -> Mean:
    """The weighted mean of the scores of a category's cases.

    Σ weight · score / Σ weight over the cases with a scored attempt, where a case's score is the
    weight that it gained over the weight that it could have gained in all its repetitions, rounded
    half up to two decimals as the mean is.
    """
    scores = [
        (case.weight, Fraction(half_up(Fraction(tally.gained, tally.possible), SCORE_PLACES)))
        for case, tally in cases
        if tally.possible
    ]
    if not scores:
        return Mean(metric="category_score", part=part, n=0)
    total = sum(weight for weight, _ in scores)
    mean = sum((weight * score for weight, score in scores), Fraction(0)) / total
    figure = Mean(
        metric="category_score", part=part, n=len(scores), mean=half_up(mean, SCORE_PLACES)
    )
    deviation = sample_deviation([score for _, score in scores])
    if deviation is None:
        return figure
    low, high = mean_interval(mean, deviation, len(scores))
    return figure.model_copy(
        update={
            "spread": half_up(deviation, INTERVAL_PLACES),
            "low": half_up(low, INTERVAL_PLACES),
            "high": half_up(high, INTERVAL_PLACES),
        }
    )
