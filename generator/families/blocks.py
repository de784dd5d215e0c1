"""View blocks: what a family wants shown on a page, without words and without markup.

A family hands over tables of cells; the pages decide how they look and say their messages in the
reader's language. A further kind of block is a class here and a macro in
`pages/templates/blocks.html`.
"""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from generator.messages import Message

Tone = Literal["good", "bad", "neutral"]


@dataclass(frozen=True, slots=True)
class Quote:
    """Something that was said or asked, shown as it was; hostile until escaped."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """An id or a pattern, never translated; hostile until escaped."""

    text: str


@dataclass(frozen=True, slots=True)
class Number:
    """A figure, written as the reader's language writes numbers; a dash where there is none."""

    value: Decimal | None

    def __str__(self) -> str:
        """As the command line has it."""
        return "—" if self.value is None else f"{self.value:f}"


@dataclass(frozen=True, slots=True)
class Terms:
    """A ratio with both of its terms; a dash where nothing was measured."""

    numerator: int
    denominator: int


@dataclass(frozen=True, slots=True)
class Percentage:
    """A number of hundredths, with the percent sign where the reader's language has it."""

    value: Decimal

    def __str__(self) -> str:
        """As the command line has it."""
        return f"{self.value.normalize():f} %"


@dataclass(frozen=True, slots=True)
class Interval:
    """The 95 % interval of a ratio, by Wilson; a dash where nothing was measured."""

    numerator: int
    denominator: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A verdict in words, with a tone that a colour may underline."""

    message: Message
    tone: Tone


@dataclass(frozen=True, slots=True)
class Lines:
    """Several cells below each other in one."""

    cells: "tuple[Cell, ...]"


Cell: TypeAlias = Quote | Code | Number | Terms | Percentage | Interval | Mark | Message | Lines


@dataclass(frozen=True, slots=True)
class Table:
    """A table with one row header a row (its first cell)."""

    caption: Message
    columns: tuple[Message, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Transcript:
    """What happened in an attempt, one thing after the other, and beside it what was expected."""

    caption: Message
    happened: tuple[tuple[Message, Cell], ...]
    """Each thing under its name."""

    expected: tuple[tuple[Message, Cell], ...]


@dataclass(frozen=True, slots=True)
class Note:
    """Whole sentences, one below the other."""

    caption: Message
    sentences: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Span:
    """Two values of one thing."""

    label: str
    """What it is called; hostile until escaped."""

    first: Decimal | None
    second: Decimal | None


@dataclass(frozen=True, slots=True)
class Spans:
    """A figure: for each thing two values on one axis. A table says the same beside it."""

    caption: Message
    first: Message
    """Whose the first values are."""

    second: Message
    spans: tuple[Span, ...]


Block: TypeAlias = Table | Transcript | Note | Spans
