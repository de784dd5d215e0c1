"""What the pairs of two arms say of each other: counts, estimates, tests, and what follows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from generator.families.blocks import Number, Percentage
from generator.messages import N_, Message
from generator.records.comparison import CasePairs, Contrast, Estimate, Pairs, Test
from generator.statistics.intervals import half_up
from generator.statistics.paired import (
    ALPHA,
    difference_interval,
    fewest_discordant,
    mcnemar_exact,
    median,
    ratio_of_medians,
)

PLACES = 6
"""Of differences, ratios and probabilities; times in milliseconds have three."""

LEAST = Decimal(1).scaleb(-PLACES)
"""What a probability is published as that is no larger: none is zero."""

DIFFERENCE = "verified.difference"
RATIO_OF_MEDIANS = "latency.ratio_of_medians"
MEDIAN_OF_RATIOS = "latency.median_of_ratios"
OVER_PAIRS = "mcnemar-exact"
OVER_CASES = "sign-exact"

_LEVEL = Percentage(Decimal(str(ALPHA)).scaleb(2))

LIMITS: tuple[Message, ...] = (
    Message(
        N_(
            "That two runs are of one cohort says nothing of the provider, the configuration and "
            "the caches at the time; whoever operated them has to check that these were the same."
        )
    ),
    Message(
        N_(
            "Counters describe the events that a program emitted, not what was billed, nor its "
            "child sessions or what its own tools did inside."
        )
    ),
    Message(N_("Lower usage alone shows no better quality, and higher usage no worse.")),
)
"""What no comparison of this kind can tell."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of one attempt."""

    verified: bool
    elapsed_us: int | None
    """Microseconds that it took; none where nobody measured."""


Pair = tuple[Tried, Tried]
"""The baseline's attempt and the candidate's, at one case in one repetition."""


def contrast(cases: Mapping[str, Sequence[Pair]], left_out: int) -> Contrast:
    """What the pairs of each case say, in the order of the cases.

    `left_out` is how many pairs are not among them, because an attempt of theirs counts in no
    measure.
    """
    parts = tuple(_of_case(case, pairs) for case, pairs in cases.items())
    total = _sum(part.pairs for part in parts)
    return Contrast(
        pairs=total,
        left_out=left_out,
        cases=parts,
        estimates=(
            _difference(total),
            _ratio_of_medians(tuple(cases.values())),
            _median_of_ratios(tuple(cases.values())),
        ),
        tests=(_over_pairs(total), _over_cases(parts)),
        fewest=fewest_discordant(),
    )


def _of_case(case: str, pairs: Sequence[Pair]) -> CasePairs:
    both = [(baseline.verified, candidate.verified) for baseline, candidate in pairs]
    return CasePairs(
        case=case,
        pairs=Pairs(
            both=both.count((True, True)),
            baseline_only=both.count((True, False)),
            candidate_only=both.count((False, True)),
            neither=both.count((False, False)),
        ),
        baseline_ms=_median_ms(_times(pairs, 0)),
        candidate_ms=_median_ms(_times(pairs, 1)),
    )


def _sum(parts: Iterable[Pairs]) -> Pairs:
    each = tuple(parts)
    return Pairs(
        both=sum(part.both for part in each),
        baseline_only=sum(part.baseline_only for part in each),
        candidate_only=sum(part.candidate_only for part in each),
        neither=sum(part.neither for part in each),
    )


def _times(pairs: Sequence[Pair], arm: int) -> list[int]:
    """How long the successes of an arm took, as far as that was measured."""
    return [
        pair[arm].elapsed_us or 0
        for pair in pairs
        if pair[arm].verified and pair[arm].elapsed_us is not None
    ]


def _median_ms(times: Sequence[int]) -> Decimal | None:
    found = median(times)
    return None if found is None else half_up(found / 1_000, 3)


def _difference(pairs: Pairs) -> Estimate:
    """How much more often the candidate succeeds, out of all pairs."""
    interval = difference_interval(pairs.baseline_only, pairs.candidate_only, pairs.total)
    if interval is None:
        return Estimate(id=DIFFERENCE, n=0)
    low, high = interval
    return Estimate(
        id=DIFFERENCE,
        n=pairs.total,
        value=half_up(Fraction(pairs.candidate_only - pairs.baseline_only, pairs.total), PLACES),
        low=_rounded(low),
        high=_rounded(high),
        method="clopper-pearson-bonferroni",
    )


def _ratio_of_medians(cases: Sequence[Sequence[Pair]]) -> Estimate:
    """The candidate's median time given success, out of the baseline's."""
    found = ratio_of_medians(
        [_times(pairs, 0) for pairs in cases], [_times(pairs, 1) for pairs in cases]
    )
    if found is None:
        return Estimate(id=RATIO_OF_MEDIANS, n=0)
    bare = Estimate(id=RATIO_OF_MEDIANS, n=found.cases, value=half_up(found.value, PLACES))
    if found.low is None or found.high is None:
        return bare
    return Estimate(
        id=bare.id,
        n=bare.n,
        value=bare.value,
        low=_rounded(found.low),
        high=_rounded(found.high),
        method="bootstrap-over-cases",
    )


def _median_of_ratios(cases: Sequence[Sequence[Pair]]) -> Estimate:
    """The middle one of the candidate's times out of the baseline's, pair by pair."""
    ratios = [
        Fraction(candidate.elapsed_us, baseline.elapsed_us)
        for pairs in cases
        for baseline, candidate in pairs
        if baseline.verified and candidate.verified
        if baseline.elapsed_us and candidate.elapsed_us is not None
    ]
    value = median(ratios)
    return Estimate(
        id=MEDIAN_OF_RATIOS,
        n=len(ratios),
        value=None if value is None else half_up(value, PLACES),
    )


def _over_pairs(pairs: Pairs) -> Test:
    return _test(OVER_PAIRS, pairs.baseline_only, pairs.candidate_only)


def _over_cases(parts: Sequence[CasePairs]) -> Test:
    """Each case has one say: for the arm that has more successes in it."""
    balances = [part.pairs.candidate_only - part.pairs.baseline_only for part in parts]
    baseline = sum(balance < 0 for balance in balances)
    candidate = sum(balance > 0 for balance in balances)
    return _test(OVER_CASES, baseline, candidate)


def _test(name: str, baseline: int, candidate: int) -> Test:
    p = mcnemar_exact(baseline, candidate)
    rounded = None if p is None else _probability(p)
    return Test(id=name, baseline=baseline, candidate=candidate, p=rounded)


def _probability(p: float) -> Decimal:
    """Rounded, and published as the least one only where it is no larger."""
    least = LEAST if p <= float(LEAST) else 2 * LEAST
    return max(_rounded(p), least)


def _rounded(value: float) -> Decimal:
    return half_up(Fraction(value), PLACES)


def conclusions(contrast: Contrast) -> tuple[Message, ...]:
    """What may be concluded from a contrast, and what may not: one sentence each."""
    return (
        _how_many(contrast),
        *_left_out(contrast),
        _told_apart(contrast),
        _told_apart_by_tasks(contrast),
        _could_be_seen(contrast),
        _could_be_seen_in_tasks(contrast),
        Message(
            N_(
                "Repetitions of one task are not independent of each other; of tasks that were not "
                "tried, the test over tasks says more than the test over pairs."
            )
        ),
        Message(
            N_(
                "A small run establishes no general superiority in speed, and justifies no change "
                "of defaults."
            )
        ),
    )


def _how_many(contrast: Contrast) -> Message:
    return Message(
        N_(
            "Pairs of attempts at the same task in the same repetition: {pairs}; in {discordant} "
            "of them just one arm succeeded (baseline: {baseline}, candidate: {candidate})."
        ),
        {
            "pairs": contrast.pairs.total,
            "discordant": contrast.pairs.discordant,
            "baseline": contrast.pairs.baseline_only,
            "candidate": contrast.pairs.candidate_only,
        },
    )


def _left_out(contrast: Contrast) -> tuple[Message, ...]:
    if not contrast.left_out:
        return ()
    said = N_(
        "Pairs left out, since an attempt of theirs counts in no measure, through no fault of its "
        "arm: {left_out}."
    )
    return (Message(said, {"left_out": contrast.left_out}),)


def _told_apart(contrast: Contrast) -> Message:
    test = _test_of(contrast, OVER_PAIRS)
    if test.p is None:
        return Message(
            N_("No pair tells the arms apart; that does not show that they succeed equally often.")
        )
    if test.p >= Decimal(str(ALPHA)):
        return Message(
            N_(
                "The exact test over pairs does not tell the arms apart at {level} ({p}); that "
                "does not show that they succeed equally often."
            ),
            {"p": _said(test.p), "level": _LEVEL},
        )
    candidate = N_(
        "The exact test over pairs tells the arms apart at {level} ({p}): the candidate succeeded "
        "more often."
    )
    baseline = N_(
        "The exact test over pairs tells the arms apart at {level} ({p}): the baseline succeeded "
        "more often."
    )
    return Message(
        candidate if test.candidate > test.baseline else baseline,
        {"p": _said(test.p), "level": _LEVEL},
    )


def _told_apart_by_tasks(contrast: Contrast) -> Message:
    test = _test_of(contrast, OVER_CASES)
    if test.p is None:
        return Message(N_("No task tells the arms apart."))
    values = {
        "baseline": test.baseline,
        "candidate": test.candidate,
        "p": _said(test.p),
        "level": _LEVEL,
    }
    if test.p >= Decimal(str(ALPHA)):
        alike = N_(
            "The exact test over tasks does not tell the arms apart at {level} ({p}): {baseline} "
            "speak for the baseline, {candidate} for the candidate."
        )
        return Message(alike, values)
    apart = N_(
        "The exact test over tasks tells the arms apart at {level} ({p}): {baseline} speak for the "
        "baseline, {candidate} for the candidate."
    )
    return Message(apart, values)


def _test_of(contrast: Contrast, name: str) -> Test:
    return next(test for test in contrast.tests if test.id == name)


def _said(p: Decimal) -> Message:
    return Message(N_("p ≤ {value}") if p <= LEAST else N_("p = {value}"), {"value": Number(p)})


def _could_be_seen(contrast: Contrast) -> Message:
    values = {"fewest": contrast.fewest, "pairs": contrast.pairs.total}
    if contrast.pairs.total < contrast.fewest:
        few = N_(
            "No difference could have been seen at this size: it takes {fewest} pairs that all "
            "speak for one arm, and there are {pairs}."
        )
        return Message(few, values)
    enough = N_(
        "The smallest difference that could have been seen at this size is {fewest} of {pairs} "
        "pairs, all of them speaking for one arm."
    )
    return Message(enough, values)


def _could_be_seen_in_tasks(contrast: Contrast) -> Message:
    values = {"fewest": contrast.fewest, "tasks": len(contrast.cases)}
    if len(contrast.cases) < contrast.fewest:
        few = N_(
            "No difference could have been seen by tasks: it takes {fewest} that all speak for one "
            "arm, and there are {tasks}."
        )
        return Message(few, values)
    enough = N_(
        "By tasks, it takes {fewest} of {tasks} that speak for one arm, and none for the other."
    )
    return Message(enough, values)
