"""The family `declarative`: what it measures, and what it shows of cases and attempts."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import cast

from generator.families.blocks import Cell, Code, Lines, Mark, Number, Quote, Table, Tone
from generator.families.declarative.audit import audit
from generator.families.declarative.corpus import Case, DeclarativeCorpus, read_corpus
from generator.families.declarative.effort import Sweep, sweeps
from generator.families.declarative.scorer import (
    DeclarativeScorer,
    ending,
    gained,
    verdicts_of,
)
from generator.families.declarative.tiers import tier_of
from generator.families.family import Corpus, CorpusFault, Metric, Put, Question
from generator.messages import N_, Message
from generator.records.benchmark import Benchmark
from generator.records.bundle import EXCLUDED, Attempt, Turn
from generator.records.comparison import Comparison
from generator.records.key import EFFORT, EFFORT_BY
from generator.records.measure import Mean
from generator.records.row import Row, Standing

_SCORED = N_("attempts that were scored")

METRICS: tuple[Metric, ...] = (
    Metric(
        "passed",
        "ratio",
        title=N_("Passed"),
        says=N_("How often every check of a case was met."),
        numerator=N_("attempts in which every check passed"),
        denominator=_SCORED,
        formula="passed / scored",
        better="higher",
    ),
    Metric(
        "wrong",
        "ratio",
        title=N_("Wrong"),
        says=N_("How often something was answered that failed a check: the costly kind of error."),
        numerator=N_("attempts that gave an answer and failed at least one check"),
        denominator=_SCORED,
        formula="wrong / scored",
        better="lower",
    ),
    Metric(
        "unanswered",
        "ratio",
        title=N_("No answer"),
        says=N_("How often the system declined, or said nothing, where an answer was expected."),
        numerator=N_("attempts that gave no answer and failed at least one check"),
        denominator=_SCORED,
        formula="unanswered / scored",
        better="lower",
    ),
    Metric(
        "timed_out",
        "ratio",
        title=N_("Timed out"),
        says=N_("How often no answer came within the benchmark's time limit."),
        numerator=N_("attempts that were ended at the time limit"),
        denominator=_SCORED,
        formula="timed_out / scored",
        better="lower",
    ),
    Metric(
        "crashed",
        "ratio",
        title=N_("Crashed"),
        says=N_("How often the system failed in a way that it does not document, or was ended."),
        numerator=N_("attempts that ended in an undocumented error, or were cancelled"),
        denominator=_SCORED,
        formula="crashed / scored",
        better="lower",
    ),
    Metric(
        "checks",
        "weighted_ratio",
        title=N_("Checks"),
        says=N_("How much of the weight of all checks was gained, over all cases together."),
        numerator=N_("weight of the checks that passed"),
        denominator=N_("weight of all checks of the scored attempts"),
        formula="Σ weight(passed checks) / Σ weight(checks)",
        better="higher",
    ),
    Metric(
        "category_score",
        "mean",
        title=N_("Category score"),
        says=N_("The weighted mean of the scores of a category's cases, rounded half up."),
        numerator=N_(
            "sum over the cases of weight × score, the share of its weight that a case gained"
        ),
        denominator=N_("sum of the weights of the cases with at least one scored attempt"),
        formula="Σ weight(case) · score(case) / Σ weight(case)",
        better="higher",
    ),
    Metric(
        "tier",
        "label",
        title=N_("Tier"),
        says=N_("The highest tier whose thresholds the rounded category scores reach."),
        numerator=N_("the category scores"),
        denominator=N_("the thresholds that the benchmark declares"),
        formula="first(tier: ∀ category: category_score ≥ at_least)",
        better="neither",
    ),
    Metric(
        "completion_tokens",
        "mean",
        title=N_("Completion tokens"),
        says=N_("How many tokens an attempt took to answer: over-thinking that speed alone hides."),
        numerator=N_("tokens of all replies, reasoning included where the provider counts it"),
        denominator=N_("scored attempts that report their tokens"),
        formula="Σ tokens(attempt) / attempts",
        better="lower",
        high="∞",
    ),
    Metric(
        "tokens_per_second",
        "mean",
        title=N_("Tokens per second"),
        says=N_("How fast replies came; it holds for one class of machine only."),
        numerator=N_("tokens of all replies that report their time"),
        denominator=N_("seconds from the requests to the replies"),
        formula="Σ tokens(attempt) / Σ seconds(attempt)",
        better="higher",
        high="∞",
    ),
)

_VERDICTS: Mapping[str, Mark] = {
    "passed": Mark(Message(N_("passed")), "good"),
    "wrong": Mark(Message(N_("wrong")), "bad"),
    "unanswered": Mark(Message(N_("no answer")), "bad"),
    "timed_out": Mark(Message(N_("timed out")), "bad"),
    "crashed": Mark(Message(N_("crashed")), "bad"),
}
_MET = {True: N_("met: {check}"), False: N_("not met: {check}")}
_TONES: Mapping[bool, Tone] = {True: "good", False: "bad"}
_NOT_SCORED = Mark(Message(N_("not scored")), "neutral")
_NOTHING_SAID = Message(N_("nothing"))
_NOT_AT_HAND = Message(N_("not at hand"))


class Declarative:
    """Checks on what a system said."""

    id = "declarative"
    version = 1
    standing: Standing = "recomputed"
    timed = False
    metrics = METRICS

    def corpus(self, files: Mapping[str, bytes], benchmark: Benchmark) -> DeclarativeCorpus:
        """Read the case files; raises CorpusFault."""
        return read_corpus(files, benchmark)

    def audit(self, files: Mapping[str, bytes], benchmark: Benchmark) -> tuple[CorpusFault, ...]:
        """Faults, contradictions, weights out of reach, and examples that fail."""
        return audit(files, benchmark)

    def questions(self, corpus: Corpus) -> tuple[Question, ...]:
        """A put for each step."""
        return tuple(
            Question(
                case.name,
                tuple(Put(step.prompt, step.tool_result) for step in case.steps),
                case.tools,
            )
            for case in cast("DeclarativeCorpus", corpus).by_name.values()
        )

    def perfect(self, corpus: Corpus, case: str) -> tuple[Turn, ...] | None:
        """The case's own example."""
        return cast("DeclarativeCorpus", corpus).by_name[case].example

    def scorer(self, corpus: Corpus) -> DeclarativeScorer:
        """A scorer for one row."""
        return DeclarativeScorer(cast("DeclarativeCorpus", corpus))

    def inventory(self, corpus: Corpus) -> tuple[Table, ...]:
        """One table a category: every case with its question, its key and the reason for it."""
        own = cast("DeclarativeCorpus", corpus)
        return tuple(
            Table(
                caption=Message(title),
                columns=tuple(map(Message, (N_("Case"), N_("Asked"), N_("Expected"), N_("Why")))),
                rows=tuple(
                    (
                        Code(case.name),
                        _asked(case),
                        _expected(case),
                        Quote(case.description or ""),
                    )
                    for case in own.by_name.values()
                    if case.category == category
                ),
            )
            for category, title in own.categories
        )

    def compared(
        self,
        corpus: Corpus,
        benchmark: Benchmark,
        rows: Sequence[Row],
        comparisons: Sequence[Comparison] = (),
    ) -> tuple[Table, ...]:
        """How each model does at each level of effort, and which level is recommended."""
        del comparisons
        swept = _swept(corpus, benchmark, rows)
        return (_effort_table(benchmark, swept),) if swept else ()

    def tiers(self, corpus: Corpus) -> tuple[str, ...]:
        """As `[[scoring.tiers]]` lists them."""
        return tuple(tier.id for tier in cast("DeclarativeCorpus", corpus).tiers)

    def tier(self, corpus: Corpus, scores: Mapping[str, Decimal]) -> str | None:
        """The highest whose thresholds they reach."""
        return tier_of(scores, cast("DeclarativeCorpus", corpus).tiers)

    def recommended(self, corpus: Corpus, benchmark: Benchmark, rows: Sequence[Row]) -> list[Row]:
        """The cheapest level that reaches the highest tier seen."""
        swept = _swept(corpus, benchmark, rows)
        return [sweep.recommended for sweep in swept if sweep.recommended is not None]

    def observed(self, corpus: Corpus | None, attempts: Iterable[Attempt]) -> tuple[Table, ...]:
        """One table: each attempt with what was asked, said and expected."""
        own = cast("DeclarativeCorpus | None", corpus)
        columns = (N_("Case"), N_("Result"), N_("Asked"), N_("Said"), N_("Expected"))
        return (
            Table(
                caption=Message(N_("Every attempt, with what was said and what was expected")),
                columns=tuple(map(Message, columns)),
                rows=tuple(
                    _attempt(own.by_name.get(attempt.case) if own else None, attempt)
                    for attempt in attempts
                ),
            ),
        )


def _swept(corpus: Corpus, benchmark: Benchmark, rows: Sequence[Row]) -> tuple[Sweep, ...]:
    levels = [level.id for level in benchmark.effort]
    return sweeps(rows, levels, cast("DeclarativeCorpus", corpus).tiers)


def _effort_table(benchmark: Benchmark, swept: Sequence[Sweep]) -> Table:
    scores = [Message(category.title) for category in benchmark.categories]
    columns = (N_("Model"), N_("Effort"), N_("Tier"))
    spending = (N_("Completion tokens"), N_("Tokens per second"), N_("Recommended"))
    return Table(
        caption=Message(
            N_("The same model at each level of effort, from cheap to dear, with category scores")
        ),
        columns=(*map(Message, columns), *scores, *map(Message, spending)),
        rows=tuple(
            _effort_row(benchmark, row, tier, recommended=row is sweep.recommended)
            for sweep in swept
            for row, tier in zip(sweep.rows, sweep.tiers, strict=True)
        ),
    )


def _effort_row(
    benchmark: Benchmark, row: Row, tier: str | None, *, recommended: bool
) -> tuple[Cell, ...]:
    axes = row.key.configuration.axes
    level = Code(axes[EFFORT])
    prompted = EFFORT_BY in axes
    parts = [f"category_score.{category.id}" for category in benchmark.categories]
    means = (*parts, "completion_tokens", "tokens_per_second")
    return (
        Code(f"{row.key.model} {row.key.revision or ''}".strip()),
        Message(N_("{level}, asked by prompt"), {"level": level}) if prompted else level,
        Code(tier) if tier else Number(None),
        *(_mean(row, measure) for measure in means),
        Mark(Message(N_("recommended")), "good") if recommended else Message(N_("no")),
    )


def _mean(row: Row, measure: str) -> Number:
    figure = row.measure(measure)
    return Number(figure.mean if isinstance(figure, Mean) else None)


def _asked(case: Case) -> Cell:
    """What is put to the system: a prompt, or one step below the other."""
    if len(case.steps) == 1 and case.steps[0].tool_result is None:
        return Quote(case.steps[0].prompt or "")
    lines: list[Cell] = []
    for number, step in enumerate(case.steps, 1):
        lines.append(_step(number))
        if step.tool_result is not None:
            lines.append(
                Message(N_("the tool gives back: {text}"), {"text": Quote(step.tool_result)})
            )
        if step.prompt:
            lines.append(Quote(step.prompt))
    return Lines(tuple(lines))


def _step(number: int) -> Message:
    return Message(N_("step {number}"), {"number": number})


def _expected(case: Case) -> Cell:
    if len(case.steps) == 1:
        return Lines(tuple(check.expectation for check in case.steps[0].checks))
    lines: list[Cell] = []
    for number, step in enumerate(case.steps, 1):
        lines += [_step(number), *(check.expectation for check in step.checks)]
    return Lines(tuple(lines))


def _met(case: Case, attempt: Attempt) -> Cell:
    """What was expected, each check marked by whether it passed; a single one needs no mark."""
    if sum(len(step.checks) for step in case.steps) == 1:
        return _expected(case)
    lines: list[Cell] = []
    for number, (step, verdicts) in enumerate(verdicts_of(case, attempt), 1):
        if len(case.steps) > 1:
            lines.append(_step(number))
        if verdicts is None:
            lines.append(Mark(Message(N_("not reached: nothing of this step counts")), "bad"))
            continue
        lines += (
            Mark(Message(_MET[passed], {"check": check.expectation}), _TONES[passed])
            for check, passed in zip(step.checks, verdicts, strict=True)
        )
    return Lines(tuple(lines))


def _attempt(case: Case | None, attempt: Attempt) -> tuple[Cell, ...]:
    name = attempt.case if attempt.repetition == 1 else f"{attempt.case} #{attempt.repetition}"
    asked: Cell = Quote(attempt.stimulus or "")
    if case is None:
        return (Code(name), _NOT_SCORED, asked, _said(attempt), _NOT_AT_HAND)
    if len(case.steps) > 1 or not attempt.stimulus:
        asked = _asked(case)
    if attempt.outcome == "skipped" or attempt.outcome in EXCLUDED:
        return (Code(name), _NOT_SCORED, asked, _said(attempt), _expected(case))
    verdict = _VERDICTS[ending(case, attempt, gained(case, attempt))]
    return (Code(name), verdict, asked, _said(attempt), _met(case, attempt))


def _said(attempt: Attempt) -> Cell:
    said: list[Cell] = []
    for turn in attempt.turns:
        said += [Quote(text) for text in (turn.content, turn.refusal) if text]
        said += [
            Message(
                N_("calls {call}"), {"call": Code(f"{call.name} {bytes(call.arguments).decode()}")}
            )
            for call in turn.tool_calls
        ]
    if attempt.reason:
        said.append(Quote(attempt.reason))
    return Lines(tuple(said)) if said else _NOTHING_SAID
