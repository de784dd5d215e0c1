"""The two arms of a run beside each other, and what may be concluded from that."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from generator.families.blocks import (
    Block,
    Cell,
    Code,
    Interval,
    Note,
    Number,
    Percentage,
    Span,
    Spans,
    Table,
    Terms,
)
from generator.families.paired.contrasting import (
    DIFFERENCE,
    LEAST,
    LIMITS,
    MEDIAN_OF_RATIOS,
    OVER_CASES,
    OVER_PAIRS,
    RATIO_OF_MEDIANS,
    conclusions,
)
from generator.families.paired.inventory import as_json
from generator.families.paired.metrics import METRICS
from generator.families.paired.scorer import COUNTERS, ENDINGS, LATENCY
from generator.messages import N_, Message
from generator.records.comparison import CasePairs, Comparison, Method
from generator.records.measure import Quantile, Ratio
from generator.records.row import Row
from generator.statistics.intervals import CONFIDENCE

_LEVEL = {"level": Percentage(Decimal(f"{100 * CONFIDENCE:.0f}"))}
_TITLES = {metric.id: metric.title for metric in METRICS}


@dataclass(frozen=True, slots=True)
class _Arm:
    """One of the two rows."""

    row: Row

    @property
    def code(self) -> Code:
        """Its name."""
        return Code(self.row.key.configuration.arm or self.row.run.system)

    @property
    def named(self) -> Message:
        """Its name, and what it is."""
        key = self.row.key
        system = f"{key.provider}:{key.model} {self.row.named_revision or ''}".strip()
        return Message(N_("{arm} ({system})"), {"arm": self.code, "system": Code(system)})

    def ratio(self, metric: str) -> tuple[int, int]:
        """Both terms of a measure; zeros where it was not measured."""
        found = self.row.measure(metric)
        return (found.numerator, found.denominator) if isinstance(found, Ratio) else (0, 0)

    def quantile(self, metric: str) -> tuple[Decimal | None, int]:
        """A measure, and of how many values it is."""
        found = self.row.measure(metric)
        return (found.value, found.n) if isinstance(found, Quantile) else (None, 0)


@dataclass(frozen=True, slots=True)
class _Run:
    """A comparison with its rows."""

    comparison: Comparison
    baseline: _Arm
    candidate: _Arm

    @property
    def arms(self) -> tuple[_Arm, _Arm]:
        """Both of them, the baseline first."""
        return self.baseline, self.candidate

    def says(self, sentence: str) -> Message:
        """A caption that names the run: no two tables of a page are called alike."""
        return Message(sentence, {"run": Code(self.baseline.row.run.id)})


def compared(rows: Sequence[Row], comparisons: Sequence[Comparison]) -> tuple[Block, ...]:
    """What each comparison says, of those whose rows are both here."""
    known = {row.id: _Arm(row) for row in rows}
    return tuple(
        block
        for one in comparisons
        if one.baseline in known and one.candidate in known
        for block in _blocks(_Run(one, known[one.baseline], known[one.candidate]))
    )


def _blocks(run: _Run) -> Iterator[Block]:
    yield _side_by_side(run)
    yield _counters(run)
    yield _paired(run)
    yield _by_case(run)
    yield _chart(run)
    yield _statistics(run)
    if run.comparison.differs:
        yield _differences(run)
    yield Note(
        run.says(N_("Run {run}: what may be concluded")),
        (_verdict(run.comparison), *conclusions(run.comparison.contrast)),
    )
    yield Note(run.says(N_("Run {run}: what this comparison can't tell")), LIMITS)


def _side_by_side(run: _Run) -> Table:
    """How often each arm succeeded, how it failed otherwise, and how long its successes took."""
    success, *others = (
        _line(_TITLES[metric], (Terms(*arm.ratio(metric)) for arm in run.arms))
        for metric in ENDINGS
    )
    interval = Message(N_("{level} interval of it, by Wilson"), _LEVEL)
    took, timed = zip(*(arm.quantile(LATENCY) for arm in run.arms), strict=True)
    return Table(
        run.says(N_("Run {run}: both arms side by side")),
        (Message(N_("Figure")), *(arm.named for arm in run.arms)),
        (
            _line(N_("Stands for"), (Message(N_("the baseline")), Message(N_("the candidate")))),
            success,
            _line(interval, (Interval(*arm.ratio(ENDINGS[0])) for arm in run.arms)),
            *others,
            _line(N_("Median time given success, in milliseconds"), map(Number, took)),
            _line(N_("Verified attempts that were timed"), map(_number, timed)),
        ),
    )


def _line(name: str | Message, cells: Iterable[Cell]) -> tuple[Cell, ...]:
    return (name if isinstance(name, Message) else Message(name), *cells)


def _counters(run: _Run) -> Table:
    heads = (N_("{arm}: median"), N_("{arm}: observed"), N_("{arm}: missing"))
    return Table(
        run.says(N_("Run {run}: what the events of each arm tell, failed attempts included")),
        (
            Message(N_("Counter")),
            *(Message(head, {"arm": arm.code}) for arm in run.arms for head in heads),
        ),
        tuple(
            (
                Message(_TITLES[metric]),
                *(cell for arm in run.arms for cell in _counter(arm, metric)),
            )
            for metric in COUNTERS
        ),
    )


def _counter(arm: _Arm, metric: str) -> tuple[Cell, ...]:
    value, observed = arm.quantile(metric)
    return Number(value), _number(observed), _number(arm.row.counts.scored - observed)


def _paired(run: _Run) -> Table:
    pairs = run.comparison.contrast.pairs
    yes, no = N_("{arm}: verified"), N_("{arm}: not verified")
    of_baseline, of_candidate = {"arm": run.baseline.code}, {"arm": run.candidate.code}
    return Table(
        run.says(N_("Run {run}: pairs of attempts at the same task in the same repetition")),
        (Message(N_("Pairs")), Message(yes, of_candidate), Message(no, of_candidate)),
        (
            (Message(yes, of_baseline), _number(pairs.both), _number(pairs.baseline_only)),
            (Message(no, of_baseline), _number(pairs.candidate_only), _number(pairs.neither)),
        ),
    )


def _by_case(run: _Run) -> Table:
    verified, took = N_("{arm}: verified"), N_("{arm}: median time given success, in milliseconds")
    return Table(
        run.says(N_("Run {run}: both arms task by task")),
        (
            Message(N_("Task")),
            *(Message(verified, {"arm": arm.code}) for arm in run.arms),
            *(Message(took, {"arm": arm.code}) for arm in run.arms),
            Message(N_("More often verified")),
        ),
        tuple(_case(run, case) for case in run.comparison.contrast.cases),
    )


def _case(run: _Run, case: CasePairs) -> tuple[Cell, ...]:
    pairs = case.pairs
    more: Cell = Message(N_("neither"))
    if pairs.baseline_only != pairs.candidate_only:
        ahead = pairs.baseline_only > pairs.candidate_only
        more = run.baseline.code if ahead else run.candidate.code
    return (
        Code(case.case),
        Terms(pairs.both + pairs.baseline_only, pairs.total),
        Terms(pairs.both + pairs.candidate_only, pairs.total),
        Number(case.baseline_ms),
        Number(case.candidate_ms),
        more,
    )


def _chart(run: _Run) -> Spans:
    return Spans(
        run.says(N_("Run {run}: median time given success, task by task, in milliseconds")),
        run.baseline.named,
        run.candidate.named,
        tuple(
            Span(case.case, case.baseline_ms, case.candidate_ms)
            for case in run.comparison.contrast.cases
        ),
    )


_ESTIMATES = {
    DIFFERENCE: N_("Difference in how often an attempt is verified, candidate less baseline"),
    RATIO_OF_MEDIANS: N_(
        "Ratio of the median times, candidate over baseline, over tasks at which both succeeded"
    ),
    MEDIAN_OF_RATIOS: N_("Median of the ratios of times, over pairs verified in both arms"),
}
_TESTS = {
    OVER_PAIRS: N_("p by McNemar's exact test, over the pairs that tell the arms apart"),
    OVER_CASES: N_("p by the exact sign test, over the tasks that tell the arms apart"),
}
_METHODS: Mapping[str | None, Cell] = {
    "clopper-pearson-bonferroni": Message(
        N_("both kinds of discordant pairs by Clopper and Pearson, at {level} each"),
        {"level": Percentage(Decimal("97.5"))},
    ),
    "bootstrap-over-cases": Message(N_("percentile bootstrap that draws whole tasks")),
    None: Message(N_("no interval")),
}


def _statistics(run: _Run) -> Table:
    contrast = run.comparison.contrast
    estimates = (
        (
            Message(_ESTIMATES[one.id]),
            Number(one.value),
            _between(one.low, one.high),
            _number(one.n),
            _METHODS[one.method],
        )
        for one in contrast.estimates
    )
    tests = (
        (
            Message(_TESTS[test.id]),
            _probability(test.p),
            _between(None, None),
            _number(test.baseline + test.candidate),
            Message(
                N_("two-sided; for the baseline {baseline}, for the candidate {candidate}"),
                {"baseline": test.baseline, "candidate": test.candidate},
            ),
        )
        for test in contrast.tests
    )
    heads = (
        Message(N_("Figure")),
        Message(N_("Value")),
        Message(N_("{level} interval"), _LEVEL),
        Message(N_("n")),
        Message(N_("Method")),
    )
    return Table(
        run.says(N_("Run {run}: what the pairs say, and how far it could be chance")),
        heads,
        (*estimates, *tests),
    )


def _between(low: Decimal | None, high: Decimal | None) -> Cell:
    if low is None or high is None:
        return Number(None)
    return Message(N_("{low} to {high}"), {"low": Number(low), "high": Number(high)})


def _probability(p: Decimal | None) -> Cell:
    if p is None or p > LEAST:
        return Number(p)
    return Message(N_("at most {max}"), {"max": Number(p)})


def _differences(run: _Run) -> Table:
    return Table(
        run.says(N_("Run {run}: in what the arms differ")),
        (Message(N_("Variable")), *(arm.named for arm in run.arms)),
        tuple(
            (Code(one.variable), _value(one.baseline), _value(one.candidate))
            for one in run.comparison.differs
        ),
    )


def _value(value: object) -> Cell:
    return Number(None) if value is None else Code(as_json(value))


_VERDICTS: Mapping[Method, str] = {
    "replication": N_(
        "The arms do not differ in anything that is known, so that this is a replication: what "
        "they differ by is chance, or something that nobody wrote down."
    ),
    "controlled": N_(
        "The arms differ in {variables} only, so that a difference can be attributed to it."
    ),
    "confounded": N_(
        "The arms differ in several variables ({variables}), so that no difference can be "
        "attributed to one of them."
    ),
}


def _verdict(comparison: Comparison) -> Message:
    named = Code(", ".join(one.variable for one in comparison.differs))
    return Message(_VERDICTS[comparison.method], {"variables": named})


def _number(value: int) -> Number:
    return Number(Decimal(value))
