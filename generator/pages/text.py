"""The one escaper: what strangers wrote, made harmless in Markdown, HTML, attributes and titles.

Usual escapers know one context each. A page of ours is Markdown with raw HTML in it, read by a
theme that un-escapes some of it, so every ASCII punctuation character becomes a numeric entity.
"""

import re
import unicodedata

from markupsafe import Markup

_INVISIBLE = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
"""Bidirectional controls, tags and characters of no width: they hide or reorder what is read."""

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_NO_CHARACTER = re.compile("[\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
"""Halves of pairs and what Unicode keeps free: YAML refuses front matter that holds one."""

_EDGE = re.compile(r"\A | \Z")
"""A space at an end: Markdown makes code of an indented line, and a break of one that trails."""

_PUNCTUATION = {code: f"&#{code};" for code in range(0x21, 0x7F) if not chr(code).isalnum()}


def escape(text: str) -> Markup:
    """The text as it may stand in any context of a page."""
    visible = _INVISIBLE.sub("", _CONTROL.sub(" ", _NO_CHARACTER.sub("\ufffd", text)))
    # Composed last: what an invisible character kept apart would otherwise stay apart.
    normal = unicodedata.normalize("NFC", visible)
    return Markup(_EDGE.sub("&#32;", normal.translate(_PUNCTUATION)))  # noqa: S704  made so here


class Text(str):
    """Text from outside: whatever asks for its HTML gets it escaped."""

    __slots__ = ()

    def __html__(self) -> Markup:
        """The escaped text; as markup, so that nobody escapes it once more."""
        return escape(self)


def harmless(value: object) -> object:
    """Wrap any string that is not markup of our own; Jinja's `finalize`."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return Text(value)
    return value


def markup(value: object) -> Markup:
    """A value as markup of our own, escaped unless it is that already."""
    return value if isinstance(value, Markup) else escape(str(value))
