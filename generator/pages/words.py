"""The words of one locale: its catalogue, plurals, numbers and dates.

Catalogues are read from `.po` files when a page is drawn; nothing compiled is kept. Numbers follow
CLDR through Babel, with latin digits. A missing message is said in English and marked so, and is
remembered: `results check` reports it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from gettext import c2py
from pathlib import Path

from babel import Locale
from babel.dates import format_date
from babel.numbers import format_decimal
from markupsafe import Markup

from generator.families.blocks import (
    Code,
    Interval,
    Lines,
    Mark,
    Number,
    Percentage,
    Quote,
    Terms,
)
from generator.messages import Message
from generator.pages.catalogues import (
    SOURCE,
    catalogue_path,
    is_said,
    message_id,
    read_catalogue,
    strings,
)
from generator.pages.text import Text, markup
from generator.statistics.intervals import wilson

_UNGROUPED_BELOW = {"es": 10_000, "it": 10_000, "pl": 10_000, "pt-PT": 10_000}
"""Locales whose four-digit numbers stand without a separator; Babel groups them all the same."""


_CELLS = (Quote, Code, Number, Terms, Percentage, Interval, Mark, Lines, Message)


@dataclass(frozen=True)
class Words:
    """Everything that is said in one locale."""

    locale: str
    """BCP 47, as it stands in links and `lang` attributes."""

    said: Mapping[str, tuple[str, ...]] | None = None
    """By message: its forms, one or as many as the locale has plurals; none for the source."""

    plural: Callable[[int], int] = bool
    """Which form a number takes."""

    missing: set[str] = field(default_factory=set)
    """Messages that were asked for and have no translation."""

    def say(self, message: str | Message, **values: object) -> Markup:
        """A message with its values, as markup; values are escaped."""
        named = message if isinstance(message, Message) else Message(message, values)
        translated = self._form(named.id, named.id, 0)
        return translated.format(**{name: self._value(v) for name, v in named.values.items()})

    def many(self, one: str, more: str, count: int, **values: object) -> Markup:
        """A message with a count, by the locale's plural rules; the count is `{count}`."""
        english = one if count == 1 else more
        text = self._form(one, english, self.plural(count))
        named = {name: self._value(value) for name, value in values.items()}
        return text.format(count=self.integer(count), **named)

    def integer(self, value: int) -> str:
        """A whole number with the locale's grouping."""
        return self.number(Decimal(value))

    def number(self, value: Decimal) -> str:
        """A number with the decimals that it has, and the locale's grouping."""
        places = max(0, -int(value.as_tuple().exponent))
        grouped = abs(value) >= _UNGROUPED_BELOW.get(self.locale, 0)
        pattern = ("#,##0" if grouped else "#0") + ("." + "0" * places if places else "")
        return format_decimal(value, format=pattern, locale=self._babel, numbering_system="latn")

    def percent(self, numerator: Decimal | int, denominator: Decimal | int) -> str:
        """A share with one decimal; 100 % only for all of it, 0 % only for none of it."""
        exact = Decimal(numerator) * 100 / Decimal(denominator)
        shown = exact.quantize(Decimal("0.1"), rounding=ROUND_HALF_UP)
        if numerator != denominator:
            shown = min(shown, Decimal("99.9"))
        if numerator:
            shown = max(shown, Decimal("0.1"))
        return self.percentage(shown)

    def percentage(self, shown: Decimal) -> str:
        """A number of hundredths with the locale's percent sign in its place."""
        pattern: str = self._babel.percent_formats[None].pattern
        return pattern.replace("#,##0", self.number(shown))

    def interval(self, numerator: int, denominator: int) -> str:
        """The 95 % interval of a ratio, by Wilson; a dash where nothing was measured."""
        ends = wilson(numerator, denominator)
        if ends is None:
            return "—"
        return "–".join(self.percentage(Decimal(f"{100 * end:.1f}")) for end in ends)

    def day(self, moment: str) -> str:
        """The day of a moment in long form, for prose."""
        return format_date(date.fromisoformat(moment[:10]), "long", locale=self._babel)

    def cell(self, cell: object) -> Markup:
        """A cell of a view block as HTML."""
        match cell:
            case Quote(text):
                lines = Markup("<br>").join(map(markup, text.split("\n")))
                return Markup('<q class="said"><bdi>{}</bdi></q>').format(lines) if text else lines
            case Code(text):
                return Markup("<code><bdi>{}</bdi></code>").format(Text(text))
            case Number() | Terms() | Percentage() | Interval():
                return self._figure(cell)
            case Mark(message, tone):
                return Markup('<span class="mark {}">{}</span>').format(tone, self.say(message))
            case Lines(cells):
                return Markup("<br>").join(self.cell(inner) for inner in cells)
            case _:
                return self.say(cell) if isinstance(cell, Message) else markup(cell)

    def _figure(self, cell: Number | Terms | Percentage | Interval) -> Markup:
        match cell:
            case Number(value):
                return markup("—" if value is None else self.number(value))
            case Percentage(value):
                return markup(self.percentage(value))
            case Interval(numerator, denominator):
                return markup(self.interval(numerator, denominator))
            case Terms(_, 0):
                return Markup('<span class="nothing">—</span>')
            case Terms(top, out_of):
                return Markup(
                    '<span class="terms">{} / {}</span> <span class="share">{}</span>'
                ).format(self.integer(top), self.integer(out_of), self.percent(top, out_of))

    def _value(self, value: object) -> object:
        if isinstance(value, _CELLS):
            return self.cell(value)
        if isinstance(value, int):
            return self.integer(value)
        return value if hasattr(value, "__html__") else Text(str(value))

    def _form(self, message: str, english: str, form: int) -> Markup:
        if self.said is None or not message:
            return Markup(english)  # noqa: S704  a message of the source
        forms = self.said.get(message)
        if forms is None:
            self.missing.add(message)
            return Markup(f'<span lang="{SOURCE}">{english}</span>')  # noqa: S704  the same
        return Markup(forms[form])  # noqa: S704  a message of the catalogue

    @property
    def _babel(self) -> Locale:
        return _locale(self.locale)


def words_of(locale: str, folders: Sequence[Path]) -> Words:
    """The words of a locale from the catalogues in these folders; later ones add to earlier."""
    if locale == SOURCE:
        return Words(locale)
    said: dict[str, tuple[str, ...]] = {}
    plural: Callable[[int], int] = bool
    for path in (catalogue_path(folder, locale) for folder in folders):
        if path.is_file():
            catalogue = read_catalogue(path, locale)
            plural = c2py(catalogue.plural_expr)
            said |= {
                message_id(entry): strings(entry)
                for entry in catalogue
                if entry.id and is_said(entry)
            }
    return Words(locale, said, plural)


@cache
def _locale(code: str) -> Locale:
    return Locale.parse(code, sep="-")
