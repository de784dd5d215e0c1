"""One reply of a system, as checks look at it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from generator.families.declarative.javascript import UNDEFINED, WHITE
from generator.families.declarative.repair import parsed
from generator.records.bundle import ToolCall, Turn

_ONE_SPACE = str.maketrans(dict.fromkeys(WHITE, " "))


def words(content: str) -> list[str]:
    """The words of a text: whatever white space separates."""
    return [word for word in content.translate(_ONE_SPACE).split(" ") if word]


def trimmed(content: str | None) -> str:
    """A reply without the white space around it; a missing one says nothing."""
    return (content or "").strip(WHITE)


@dataclass
class Reply:
    """What was said, trimmed, and the first call; what it takes time to find is found once."""

    content: str
    calls: Sequence[ToolCall] = ()

    @classmethod
    def of(cls, turn: Turn) -> "Reply":
        """The reply that a turn is."""
        return cls(trimmed(turn.content), turn.tool_calls)

    @property
    def tool(self) -> str | None:
        """The name of the tool that was called first."""
        return self.calls[0].name if self.calls else None

    @cached_property
    def document(self) -> Any:  # noqa: ANN401  any JSON value
        """The JSON document in the content; none where there is none."""
        return parsed(self.content)

    @cached_property
    def arguments(self) -> Any:  # noqa: ANN401  as above
        """The arguments of the first call; text that is none is told under `_error`."""
        if not self.calls:
            return {}
        sent = msgspec.json.decode(self.calls[0].arguments)
        if not isinstance(sent, str):
            return sent
        found = parsed(trimmed(sent) or "{}")
        return {"_error": "invalid JSON"} if found is None else found

    def argument(self, name: str) -> Any:  # noqa: ANN401  as above
        """An argument of the first call; `UNDEFINED` where it has none of that name."""
        return (
            self.arguments.get(name, UNDEFINED) if isinstance(self.arguments, dict) else UNDEFINED
        )
