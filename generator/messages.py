"""A sentence to be said in the reader's language, apart from the values that it names.

Code that decides or counts never holds words of its own: it names a message of the catalogues and
hands over the values. `pages.words` says it in a locale; the command line says it in English.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


def N_(message: str) -> str:  # noqa: N802  the name that gettext tools look for
    """Mark a message for extraction, and hand it back unchanged."""
    return message


@dataclass(frozen=True, slots=True)
class Message:
    """One whole sentence or label of the catalogues, with its named values."""

    id: str
    """The English text, which is the message's id; values stand in it as `{name}`."""

    values: Mapping[str, object] = field(default_factory=dict)
    """What stands in the places; text in it is hostile until escaped."""

    def in_english(self) -> str:
        """The sentence as the source has it, for the command line."""
        return self.id.format(**{name: _in_english(value) for name, value in self.values.items()})


def _in_english(value: object) -> str:
    return value.in_english() if isinstance(value, Message) else str(value)
