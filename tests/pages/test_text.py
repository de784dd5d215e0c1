"""The one escaper: whatever strangers wrote is text in every context of a page."""

import html
import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jinja2 import Environment
from markdown import Markdown
from markupsafe import Markup
from mkdocs.utils.meta import get_data

from generator.mkdocs_plugin import EXTENSIONS
from generator.pages.text import Text, escape, harmless, markup
from tests.pages.hostile import HOSTILE, visible
from tests.pages.reading import read_html, skeleton

SPECIAL = st.sampled_from("<>&\"'`*_[](){}|#!\\/:;=+-~^$%@.,? \t\n\r\x00\x7f\u202e\u200b\u0301")
ANY = st.text(st.one_of(st.characters(exclude_categories=()), SPECIAL))
ALLOWED = re.compile(r"(?:[A-Za-z0-9 ]|[^\x00-\x7f]|&#[0-9]+;)*")
UNSEEN = (
    *"\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202d\u202e\u2060\u2066\u2069",
    *"\u206a\u206f\ufeff\ufff9\U000e0001\U000e0041\U000e007f",
)
MANY = settings(max_examples=500, deadline=None)

CONTEXTS: Mapping[str, Callable[[str], str]] = {
    "paragraph": lambda said: f"{said}\nand a second line, {said} between\n\nalone: {said}",
    "table cell": lambda said: f"<table>\n<tr><th>{said}</th><td>{said}</td></tr>\n</table>",
    "Markdown table": lambda said: f"| a | b |\n| --- | --- |\n| x {said} | {said} x |",
    "attribute": lambda said: f'<div role="region" aria-label="{said}">inside</div>',
    "heading": lambda said: f"# {said}",
    "list item": lambda said: f"- {said}\n- other {said}",
    "link text": lambda said: f"[{said}](https://example.org/) and more",
}
"""By context: the Markdown in which an escaped text stands."""


@cache
def markdown() -> Markdown:
    """Python-Markdown with the extensions of the site, and those that mkdocs adds by itself."""
    extensions = ("toc", "tables", "fenced_code", *EXTENSIONS)
    return Markdown(extensions=list(dict.fromkeys(extensions)), extension_configs=EXTENSIONS)


def drawn(source: str) -> str:
    """A page's Markdown as HTML."""
    return markdown().reset().convert(source)


@MANY
@given(ANY)
@example("\ufffe\uffff\ufdd0\ud800")
def test_only_letters_digits_spaces_and_entities_are_left(text: str) -> None:
    """Of ASCII punctuation nothing is left but the `&#;` of numeric entities."""
    assert ALLOWED.fullmatch(escape(text))


@MANY
@given(ANY)
@example("e\u200b\u0301")
@example("=\u0338\u037e\u1fef")
def test_what_can_be_seen_is_what_was_written(text: str) -> None:
    """With its entities decoded, an escaped text is the visible normal form of the text."""
    assert html.unescape(escape(text)) == visible(text)


@MANY
@given(ANY)
@example("e\u2066\u0301")
def test_the_text_is_composed(text: str) -> None:
    """Two ways of writing one character look alike and are alike: the text is NFC."""
    shown = html.unescape(escape(text))
    assert unicodedata.is_normalized("NFC", shown)
    assert escape(unicodedata.normalize("NFD", shown)) == escape(shown)


@pytest.mark.parametrize("unseen", UNSEEN)
def test_what_hides_or_reorders_is_dropped(unseen: str) -> None:
    """Bidirectional controls, tags and characters of no width leave no trace."""
    assert escape(f"a{unseen}b{unseen}") == "ab"


@pytest.mark.parametrize("control", [*"\x00\x01\t\n\v\f\r\x1b\x7f\x80\x85\x9f\u2028\u2029"])
def test_a_control_character_is_a_space(control: str) -> None:
    """Line ends and other controls are spaces: a text stays on its line."""
    assert escape(f"a{control}b") == "a b"


@pytest.mark.parametrize("nothing", [*"\ud800\udfff\ufdd0\ufdef\ufffe\uffff"])
def test_what_is_no_character_is_shown_as_one_that_is_missing(nothing: str) -> None:
    """What no YAML and no UTF-8 can hold becomes the replacement character."""
    assert escape(f"a{nothing}b") == "a\ufffdb"


def test_spaces_at_the_ends_are_entities() -> None:
    """A space at an end makes neither a block of code nor a break of the line."""
    assert escape("    indented  ") == "&#32;   indented &#32;"
    assert escape(" ") == "&#32;"
    assert escape("") == ""


@MANY
@given(ANY)
def test_nothing_is_escaped_twice(text: str) -> None:
    """Whatever an escaped text goes through on its way to a page, it stays as it is."""
    once = escape(text)
    assert markup(text) == markup(Text(text)) == markup(once) == once
    assert Markup("{}").format(Text(text)) == Markup("{}").format(once) == once
    assert harmless(once) is once
    wrapped = harmless(text)
    assert isinstance(wrapped, Text)
    assert harmless(wrapped) is wrapped
    assert harmless(7) == 7


@MANY
@given(ANY)
def test_a_template_escapes_what_is_not_markup(text: str) -> None:
    """In a template of the pages a plain string is escaped, once, and markup never."""
    environment = Environment(autoescape=True, finalize=harmless)
    said = environment.from_string("{{ plain }}{{ own }}{{ wrapped }}")
    own = Markup("<b>&#33;</b>")
    assert said.render(plain=text, own=own, wrapped=Text(text)) == (
        escape(text) + own + escape(text)
    )


@pytest.mark.parametrize("context", CONTEXTS)
@settings(max_examples=200, deadline=None)
@given(text=ANY)
@example(text="    <b>code</b>")
@example(text="two spaces at the end  ")
@example(text=" \u3000")
@example(text="1")
def test_no_element_and_no_attribute_comes_of_a_text(context: str, text: str) -> None:
    """Markdown makes of an escaped text, wherever it stands, what it makes of one plain word."""
    place = CONTEXTS[context]
    assert skeleton(drawn(place(escape(text)))) == skeleton(drawn(place("word")))


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_can_be_read(context: str, text: str) -> None:
    """What was meant to do harm stands on the page to be read, in text or in its attribute."""
    root = read_html(drawn(CONTEXTS[context](escape(text))))
    shown = [root.text, *(value for node in root for value in node.attributes.values())]
    assert any(visible(text).strip() in said for said in shown)
    assert skeleton(drawn(CONTEXTS[context](escape(text)))) == skeleton(
        drawn(CONTEXTS[context]("word"))
    )


@MANY
@given(ANY)
@example("\uffff")
@example("--- # yaml: [")
def test_front_matter_gives_the_escaped_text_back(text: str) -> None:
    """A title in front matter is read by mkdocs as it was written, and ends where it ends."""
    title = escape(text)
    page = f"---\ntitle: {json.dumps(str(title), ensure_ascii=False)}\n---\n\nThe body.\n"
    assert get_data(page) == ("The body.\n", {"title": str(title)})
