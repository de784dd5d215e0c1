"""Published figures, each carrying its own terms.

No kind has a float: a ratio is two integers, a weighted ratio two exact decimals, a mean stands
with how many values it was made of. A percentage is made when a page is drawn.
"""

from typing import Annotated, Literal

from pydantic import Field, NonNegativeInt, model_validator

from generator.records.base import Axis, ExactDecimal, Name, Record, Rounded, Slug

MILLISECONDS = "ms"


class Figure(Record):
    """What all kinds of measures share: which metric, and of which part of the benchmark."""

    metric: Axis
    """The id of the metric, as its family declares it."""

    part: Slug | None = None
    """The part of the benchmark that it speaks of (a category, say); none means all of it."""

    @property
    def id(self) -> str:
        """The measure's public id: `metric` or `metric.part`."""
        return self.metric if self.part is None else f"{self.metric}.{self.part}"


class Ratio(Figure):
    """A figure together with what it is out of."""

    kind: Literal["ratio"] = "ratio"

    numerator: NonNegativeInt
    """How often it happened."""

    denominator: NonNegativeInt
    """How often it could have happened; zero means that nothing was measured."""

    @model_validator(mode="after")
    def _no_more_than_all(self) -> "Ratio":
        if self.numerator > self.denominator:
            message = f"{self.numerator} of {self.denominator} is more than all"
            raise ValueError(message)
        return self


class WeightedRatio(Figure):
    """Weight gained together with the weight that could have been gained."""

    kind: Literal["weighted_ratio"] = "weighted_ratio"

    numerator: ExactDecimal
    """Weight of what passed."""

    denominator: ExactDecimal
    """Weight of everything that was asked; zero means that nothing was measured."""

    @model_validator(mode="after")
    def _no_more_than_all(self) -> "WeightedRatio":
        if self.numerator > self.denominator:
            message = f"{self.numerator} of {self.denominator} is more than all"
            raise ValueError(message)
        return self


class Mean(Figure):
    """The mean of scores, with how many there were and how far they lie apart."""

    kind: Literal["mean"] = "mean"

    n: NonNegativeInt
    """How many values; zero means that nothing was measured."""

    mean: Rounded | None = None
    """The mean, rounded half up by its definition; none without values."""

    spread: Rounded | None = None
    """Sample standard deviation of the values; none for fewer than two."""

    low: Rounded | None = None
    """Lower end of the 95 % interval of the mean; none for fewer than two values."""

    high: Rounded | None = None
    """Upper end of the 95 % interval of the mean; none for fewer than two values."""


class Quantile(Figure):
    """The value that a stated share of the observations does not exceed."""

    kind: Literal["quantile"] = "quantile"

    n: NonNegativeInt
    """How many observations."""

    q: Rounded
    """Which share, from 0 to 1."""

    value: Rounded | None = None
    """The value; none where there were too few observations."""

    unit: Name
    """The unit of the value, by its symbol (ms, tokens)."""

    @property
    def is_time(self) -> bool:
        """Whether it tells how long something took: no second run takes just as long."""
        return self.unit == MILLISECONDS


class Count(Figure):
    """A number of things that is out of nothing."""

    kind: Literal["count"] = "count"
    value: NonNegativeInt


class Label(Figure):
    """A word that the family derives from other figures, such as a tier."""

    kind: Literal["label"] = "label"
    value: Slug


Measure = Annotated[
    Ratio | WeightedRatio | Mean | Quantile | Count | Label, Field(discriminator="kind")
]
"""Any published figure."""
