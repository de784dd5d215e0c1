"""The one escaper: what strangers wrote, made harmless in Markdown, HTML, attributes and titles.

Usual escapers know one context each. A page of ours is Markdown with raw HTML in it, read by a
theme that un-escapes some of it, so every ASCII punctuation character becomes a numeric entity.
"""

import re
import unicodedata

from markupsafe import Markup

_INVISIBLE = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]"
)
"""Bidirectional controls and characters of no width: they hide or reorder what is read."""

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_PUNCTUATION = {code: f"&#{code};" for code in range(0x21, 0x7F) if not chr(code).isalnum()}


def escape(text: str) -> str:
    """The text as it may stand in any context of a page."""
    normal = unicodedata.normalize("NFC", text)
    visible = _INVISIBLE.sub("", _CONTROL.sub(" ", _SURROGATE.sub("\ufffd", normal)))
    return visible.translate(_PUNCTUATION)


class Text(str):
    """Text from outside: whatever asks for its HTML gets it escaped."""

    __slots__ = ()

    def __html__(self) -> str:
        """The escaped text."""
        return escape(self)


def harmless(value: object) -> object:
    """Wrap any string that is not markup of our own; Jinja's `finalize`."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return Text(value)
    return value


def plain(text: str) -> str:
    """The text for a terminal: no escape sequence, nothing invisible."""
    return _INVISIBLE.sub("", _CONTROL.sub(" ", text))


def markup(value: object) -> Markup:
    """A value as markup of our own, escaped unless it is that already."""
    safe = harmless(value)
    return Markup(safe.__html__() if hasattr(safe, "__html__") else escape(str(safe)))  # noqa: S704  escaped here
