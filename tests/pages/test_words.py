"""The words of a locale: numbers, plurals, what is missing, and cells."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from hypothesis import given, settings
from hypothesis import strategies as st
from markupsafe import Markup

from generator.families.blocks import Code, Interval, Lines, Mark, Percentage, Quote
from generator.messages import Message
from generator.pages.catalogues import catalogue_path
from generator.pages.text import Text
from generator.pages.words import Words, words_of

NUMBERS = ("0", "1234.5", "1234567.8", "-3.4", "0.9312")
MOMENT = "2026-09-14T23:59:59Z"
GOLDEN: Mapping[str, tuple[str, str, str, str, str, str, str]] = {
    "en": ("0", "1,234.5", "1,234,567.8", "-3.4", "0.9312", "93.1%", "September 14, 2026"),
    "es": (
        *("0", "1234,5", "1.234.567,8", "-3,4", "0,9312"),
        *("93,1\u00a0%", "14 de septiembre de 2026"),
    ),
    "it": ("0", "1234,5", "1.234.567,8", "-3,4", "0,9312", "93,1%", "14 settembre 2026"),
    "de": ("0", "1.234,5", "1.234.567,8", "-3,4", "0,9312", "93,1\u00a0%", "14. September 2026"),
    "fr": (
        *("0", "1\u202f234,5", "1\u202f234\u202f567,8", "-3,4", "0,9312"),
        *("93,1\u00a0%", "14 septembre 2026"),
    ),
    "ar": ("0", "1,234.5", "1,234,567.8", "-3.4", "0.9312", "93.1%", "14 سبتمبر 2026"),
}
"""By locale: the numbers above, the last of them as a percentage, and the day of the moment."""

ONE, MORE = "{count} row of {who}", "{count} rows of {who}"
SPANISH = Words(
    "es",
    {
        "Results": ("Resultados",),
        "{who} passed": ("{who} superó la prueba",),
        ONE: ("{count} fila de {who}", "{count} de filas de {who}", "{count} filas de {who}"),
    },
    lambda n: 0 if n == 1 else 1 if n and n % 1_000_000 == 0 else 2,
)


def spanish() -> Words:
    """A small catalogue of which nothing was found missing yet."""
    return replace(SPANISH, missing=set())


@pytest.mark.parametrize("locale", GOLDEN)
def test_numbers_and_dates_stand_as_the_locale_writes_them(locale: str) -> None:
    """Grouping, decimal sign, percent sign and long dates are CLDR's; a change of it shows here."""
    words = Words(locale)
    assert GOLDEN[locale] == (
        *(words.number(Decimal(number)) for number in NUMBERS),
        words.percent(9312, 10_000),
        words.day(MOMENT),
    )


@pytest.mark.parametrize(
    ("locale", "four", "five"),
    [("en", "1,234", "12,345"), ("es", "1234", "12.345"), ("it", "1234", "12.345")],
)
def test_four_digits_are_grouped_where_the_locale_groups_them(
    locale: str, four: str, five: str
) -> None:
    """Spanish and Italian group from five digits on, in percentages as well."""
    words = Words(locale)
    assert (words.integer(1234), words.integer(12345)) == (four, five)
    assert words.percentage(Decimal(1234)).startswith(four)


def test_decimals_stand_as_they_were_published() -> None:
    """A number has the decimals that it has: none is added and none is rounded away."""
    assert [Words("it").number(Decimal(text)) for text in ("1", "1.0", "1.50", "0.0000")] == (
        ["1", "1,0", "1,50", "0,0000"]
    )


def test_a_percentage_is_rounded_half_up() -> None:
    """One decimal, halves away from zero."""
    assert Words("en").percent(1, 2000) == "0.1%"
    assert Words("en").percent(1245, 10_000) == "12.5%"
    assert Words("en").percent(Decimal("0.5"), Decimal("1.5")) == "33.3%"


@settings(deadline=None)
@given(st.integers(1, 10**9), st.data())
def test_all_and_nothing_are_said_of_nothing_else(out_of: int, data: st.DataObject) -> None:
    """100 % stands for all of it only, 0 % for none of it only."""
    number = data.draw(st.integers(0, out_of))
    said = Words("en").percent(number, out_of)
    assert (said == "100.0%") == (number == out_of)
    assert (said == "0.0%") == (number == 0)


def test_the_source_is_said_as_it_stands() -> None:
    """In English a message is its own text, and nothing is ever missing."""
    words = Words("en")
    assert words.say("Results") == "Results"
    assert words.many(ONE, MORE, 1, who="x") == "1 row of x"
    assert words.many(ONE, MORE, 0, who="x") == "0 rows of x"
    assert words.missing == set()


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (0, "0 filas de x"),
        (1, "1 fila de x"),
        (2, "2 filas de x"),
        (2000, "2000 filas de x"),
        (2_000_000, "2.000.000 de filas de x"),
    ],
)
def test_a_count_takes_the_form_of_its_number(count: int, said: str) -> None:
    """A sentence with a count is made by the plural rules of the locale, the number grouped."""
    assert spanish().many(ONE, MORE, count, who="x") == said


def test_a_missing_message_is_said_in_english_and_marked() -> None:
    """English words on another page say that they are English, and are remembered."""
    words = spanish()
    assert words.say("History") == '<span lang="en">History</span>'
    assert words.many("{count} case", "{count} cases", 1) == '<span lang="en">1 case</span>'
    assert words.many("{count} case", "{count} cases", 2) == '<span lang="en">2 cases</span>'
    assert words.say("Results") == "Resultados"
    assert words.missing == {"History", "{count} case"}


def test_an_empty_message_is_nothing() -> None:
    """Nothing said is nothing missing: the empty id is the head of a catalogue."""
    words = spanish()
    assert words.say("") == ""
    assert words.missing == set()


@pytest.mark.parametrize("words", [Words("en"), spanish()], ids=["en", "es"])
def test_values_of_a_message_are_escaped(words: Words) -> None:
    """Text in the place of a message is text, in every locale; markup of ours stays markup."""
    said = words.say("{who} passed", who="<b>{who}</b>")
    assert "&#60;b&#62;&#123;who&#125;&#60;&#47;b&#62; " in said
    assert "<b>x</b> " in words.say("{who} passed", who=Markup("<b>x</b>"))
    assert "<code><bdi>x</bdi></code> " in words.say("{who} passed", who=Code("x"))
    assert "&#60; " in words.say(Message("{who} passed", {"who": Text("<")}))
    assert "&#60;1&#62;" in words.many(ONE, MORE, 2, who="<1>")


def test_a_number_in_a_message_is_the_locales() -> None:
    """A whole number in the place of a message is grouped like any other."""
    assert spanish().say("{who} passed", who=1234567) == "1.234.567 superó la prueba"


@pytest.mark.parametrize(
    ("cell", "html"),
    [
        (Quote("<b>"), '<q class="said"><bdi>&#60;b&#62;</bdi></q>'),
        (Quote("a\n b"), '<q class="said"><bdi>a<br>&#32;b</bdi></q>'),
        (Quote(""), ""),
        (Code("a|b"), "<code><bdi>a&#124;b</bdi></code>"),
        (Code(""), "<code><bdi></bdi></code>"),
        (Mark(Message("Results"), "good"), '<span class="mark good">Resultados</span>'),
        (Percentage(Decimal("97.5")), "97&#44;5\u00a0&#37;"),
        (Interval(5, 7), "35&#44;9\u00a0&#37;–91&#44;8\u00a0&#37;"),
        (Interval(0, 0), "—"),
        (
            Message("{who} passed", {"who": Percentage(Decimal(5))}),
            "5\u00a0&#37; superó la prueba",
        ),
        (Message("{who} passed", {"who": "<i>"}), "&#60;i&#62; superó la prueba"),
        (
            Lines((Code("a"), Lines((Message("Results"), Quote("*"))))),
            '<code><bdi>a</bdi></code><br>Resultados<br><q class="said"><bdi>&#42;</bdi></q>',
        ),
        (Lines(()), ""),
        ("<plain>", "&#60;plain&#62;"),
        (Markup("<i>own</i>"), "<i>own</i>"),
        (7, "7"),
    ],
)
def test_each_kind_of_cell_has_its_form(cell: object, html: str) -> None:
    """What was said, ids, verdicts, sentences and lines of them: all escaped, each marked up."""
    said = spanish().cell(cell)
    assert isinstance(said, Markup)
    assert said == html


def test_a_tone_cannot_break_out_of_its_class() -> None:
    """Even what only a family writes is escaped where it stands in an attribute."""
    tone: object = '" onclick="alert(1)'
    said = spanish().cell(Mark(Message("Results"), tone))  # type: ignore[arg-type]
    assert '" onclick' not in said


def test_later_catalogues_add_to_earlier_ones(tmp_path: Path) -> None:
    """A project's own catalogue adds to the program's and may say a message otherwise."""
    program, project = tmp_path / "program", tmp_path / "project"
    _catalogue(program, {"Results": "Resultados", "History": "Historia"})
    _catalogue(project, {"History": "Historial", "Greetings": "Saludos"})
    words = words_of("es", [program, tmp_path / "nowhere", project])
    said = [words.say(message) for message in ("Results", "History", "Greetings")]
    assert said == ["Resultados", "Historial", "Saludos"]


def test_a_guess_and_an_empty_translation_are_missing(tmp_path: Path) -> None:
    """What is fuzzy or empty in a catalogue is said in English."""
    catalogue = Catalog(locale="es")
    catalogue.add("Results", "Resultados", flags=["fuzzy"])
    catalogue.add("History", "")
    catalogue.add((ONE, MORE), ("{count} fila de {who}", ""))
    _write(tmp_path, catalogue)
    words = words_of("es", [tmp_path])
    assert "Results" in words.say("Results")
    assert "History" in words.say("History")
    assert words.many(ONE, MORE, 1, who="x") == '<span lang="en">1 row of x</span>'
    assert words.missing == {"Results", "History", ONE}


def test_plural_rules_come_with_the_catalogue(tmp_path: Path) -> None:
    """A language has as many forms as its catalogue says, and the rule that it says."""
    catalogue = Catalog(locale="pl")
    catalogue.add((ONE, MORE), ("{count} a {who}", "{count} b {who}", "{count} c {who}"))
    _write(tmp_path, catalogue)
    words = words_of("pl", [tmp_path])
    said = [words.many(ONE, MORE, count, who="")[2] for count in (1, 2, 5)]
    assert said == ["a", "b", "c"]


def test_a_locale_without_a_catalogue_says_everything_in_english(tmp_path: Path) -> None:
    """No catalogue at all is nothing but missing messages; the source needs none."""
    words = words_of("es", [tmp_path])
    assert words.say("Results") == '<span lang="en">Results</span>'
    assert words.many(ONE, MORE, 2, who="x") == '<span lang="en">2 rows of x</span>'
    assert words_of("en", [tmp_path]).say("Results") == "Results"


def _catalogue(folder: Path, said: Mapping[str, str]) -> None:
    catalogue = Catalog(locale="es")
    for message, translation in said.items():
        catalogue.add(message, translation)
    _write(folder, catalogue)


def _write(folder: Path, catalogue: Catalog) -> None:
    path = catalogue_path(folder, str(catalogue.locale))
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_po(file, catalogue)
