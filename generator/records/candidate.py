"""A claim about a row: what it says, what it stands on, what bore it out, and what a page shows.

Elsewhere a candidate is a row that is being judged; here it is a claim that may be promoted. It
lies by its own id, and says something of the figures of one published row that can be tested. It
is validated by a second run of the same measurement, and promoted by a file of its own beside it,
which holds all that the benchmark's page shows and nothing that a clock would say. So the same
candidate and the same row give the same bytes, and a hand edit of a promotion can be told.
"""

import re
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    NonNegativeInt,
    PlainSerializer,
    StringConstraints,
    field_validator,
    model_validator,
)

from generator.records.base import (
    Commit,
    Digest,
    Moment,
    Name,
    Record,
    Slug,
    as_seen,
    decimal_text,
)
from generator.records.measure import Measure
from generator.records.row import Evidence, Row

TEXT_LIMIT = 2000
"""The most characters of a text: a page shows all of it."""

BOUND_DIGITS = 18
"""The most digits of a bound; no figure has more that mean something."""

BOUNDS = 20
"""The most bounds of a claim: a page shows a line for each."""

MeasureId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_.:-]{1,201}$")]
"""The public id of a measure: `metric` or `metric.part`."""

State = Literal["proposed", "validated", "promoted", "retired"]
"""How far a claim has come; from `retired` there is no way back."""


def _shows_something(text: str) -> str:
    if not as_seen(text):
        message = "there is nothing to be seen in it"
        raise ValueError(message)
    return text


Text = Annotated[
    str,
    StringConstraints(min_length=1, max_length=TEXT_LIMIT),
    AfterValidator(_shows_something),
]
"""Some sentences as their author wrote them; hostile until escaped."""


def _as_written(value: object) -> Decimal:
    """A decimal as it was written; a float is refused, since a reader may have rounded it."""
    if isinstance(value, Decimal):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Decimal(value)
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,40}(?:\.[0-9]{1,40})?", value):
        return Decimal(value)
    message = 'expected was a decimal as a text, such as "0.95", so that it is exact, or an integer'
    raise ValueError(message)


Exactly = Annotated[
    Decimal,
    BeforeValidator(_as_written),
    Field(allow_inf_nan=False, max_digits=BOUND_DIGITS),
    PlainSerializer(decimal_text, return_type=str),
]
"""An end of a bound, exact; it may be negative."""


class Bound(Record):
    """What a claim asserts about one figure, so that it can be tested."""

    measure: MeasureId
    min: Exactly | None = None
    """The figure is no less than this; of a ratio, the share from 0 to 1."""

    max: Exactly | None = None
    """The figure is no more than this."""

    @model_validator(mode="after")
    def _bounds_something(self) -> "Bound":
        if self.min is None and self.max is None:
            message = "a bound has a min, a max, or both"
            raise ValueError(message)
        if self.min is not None and self.max is not None and self.min > self.max:
            message = f"no figure is at least {self.min} and at most {self.max}"
            raise ValueError(message)
        return self

    def holds(self, measure: Measure) -> bool:
        """Whether a figure lies within it, both ends included; one that is not there does not."""
        figure = exact(measure)
        return (
            figure is not None
            and (self.min is None or figure >= Fraction(self.min))
            and (self.max is None or figure <= Fraction(self.max))
        )


def exact(measure: Measure) -> Fraction | None:
    """The number that a bound is held against; none for a word, or where nothing was measured."""
    match measure.kind:
        case "ratio" | "weighted_ratio":
            out_of = Fraction(measure.denominator)
            return Fraction(measure.numerator) / out_of if out_of else None
        case "mean":
            return None if measure.mean is None else Fraction(measure.mean)
        case "quantile":
            return None if measure.value is None else Fraction(measure.value)
        case "count":
            return Fraction(measure.value)
        case "label":
            return None


def _each_measure_once(holds: tuple[Bound, ...]) -> tuple[Bound, ...]:
    names = [bound.measure for bound in holds]
    if not 1 <= len(names) <= BOUNDS or len(set(names)) != len(names):
        message = f"a claim has 1 to {BOUNDS} bounds, each of another measure"
        raise ValueError(message)
    return holds


class Told(Record):
    """What a claim says, in words and in bounds."""

    description: Text
    applicability: Text
    """Where it may be relied on, and where not."""

    claim: Text
    holds: tuple[Bound, ...]

    _bounded = field_validator("holds")(_each_measure_once)


class Claim(Told):
    """A claim with its name and place."""

    id: Slug
    benchmark: Slug
    """Of its row."""


class Pointed(Record):
    """The row that a proposal stands on, with as many of its facts as the author gives."""

    row: Slug
    run: Slug | None = None
    revision: Commit | None = None
    digest: Digest | None = None
    """Of the row's evidence."""


class Proposal(Told):
    """What the author of a claim writes down; it lies wherever they like."""

    name: Slug
    """The id of the candidate that it becomes."""

    evidence: Pointed


class Cited(Record):
    """The row that a candidate stands on, by all of its facts."""

    row: Slug
    run: Slug
    revision: Commit
    """The commit whose corpus was asked."""

    digest: Digest
    """Of the row's evidence."""


class Validation(Record):
    """An independent run of the same measurement, for which the claim held too."""

    run: Slug
    revision: Commit
    digest: Digest
    """Of its evidence."""

    lines: NonNegativeInt
    """Of its evidence."""

    system: Slug
    """The system's name within the bundle."""

    harness_version: Name
    started: Moment
    finished: Moment
    measures: tuple[Measure, ...]

    @property
    def evidence(self) -> Evidence:
        """Its observations, as they are found."""
        return Evidence(digest=self.digest, lines=self.lines)


class Candidate(Claim):
    """A claim about the figures of a published row."""

    format: Literal["assay.candidate/1"]
    evidence: Cited
    validation: Validation | None = None
    """Absent until it was validated."""

    state: State

    @model_validator(mode="after")
    def _as_far_as_validated(self) -> "Candidate":
        wanted = {"proposed": (False,), "retired": (False, True)}.get(self.state, (True,))
        if (self.validation is not None) not in wanted:
            message = f"a claim that is {self.state} has " + (
                "a validation" if True in wanted else "no validation"
            )
            raise ValueError(message)
        return self


class PromotedRun(Record):
    """One of the two runs that bear a claim out."""

    run: Slug
    finished: Moment
    digest: Digest
    """Of its evidence."""

    measures: tuple[Measure, ...]
    """Those that the claim bounds, in the order of its bounds."""


class Promotion(Claim):
    """What a benchmark's page shows of a claim."""

    format: Literal["assay.promotion/1"]
    row: Slug
    revision: Commit
    runs: tuple[PromotedRun, PromotedRun]
    """That of the row, and the one that validated it."""


def candidate_of(proposal: Proposal, row: Row) -> Candidate:
    """The candidate of a proposal about a row, whatever may be said against it."""
    return Candidate(
        format="assay.candidate/1",
        id=proposal.name,
        benchmark=row.key.benchmark,
        description=proposal.description,
        applicability=proposal.applicability,
        claim=proposal.claim,
        holds=proposal.holds,
        evidence=cited(row),
        state="proposed",
    )


def cited(row: Row) -> Cited:
    """A row by the facts that a candidate names."""
    return Cited(row=row.id, run=row.run.id, revision=row.run.commit, digest=row.evidence.digest)


def promotion_of(candidate: Candidate, row: Row) -> Promotion | None:
    """What a page would show of a candidate; none as long as nothing bore it out."""
    second = candidate.validation
    if second is None:
        return None
    first = row.run
    return Promotion(
        format="assay.promotion/1",
        id=candidate.id,
        benchmark=candidate.benchmark,
        description=candidate.description,
        applicability=candidate.applicability,
        claim=candidate.claim,
        holds=candidate.holds,
        row=row.id,
        revision=first.commit,
        runs=(
            PromotedRun(
                run=first.id,
                finished=first.finished,
                digest=row.evidence.digest,
                measures=bounded(candidate.holds, row.measures),
            ),
            PromotedRun(
                run=second.run,
                finished=second.finished,
                digest=second.digest,
                measures=bounded(candidate.holds, second.measures),
            ),
        ),
    )


def bounded(holds: Iterable[Bound], measures: Iterable[Measure]) -> tuple[Measure, ...]:
    """The measures that are bounded, in the order of the bounds."""
    by_id = {measure.id: measure for measure in measures}
    return tuple(by_id[bound.measure] for bound in holds if bound.measure in by_id)
