"""The contract of a scene, as a system that plays in it sees it: tools, and calls of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

from msgspec.structs import replace

from generator.families.family import Question
from generator.records import bundle
from generator.records.bundle import ToolCall
from generator.runners.system import Level, Observed, Terms

TOOLS = "tools"
"""The axis that says how a system in a scene is offered its tools."""


class SceneFault(Exception):
    """The subject, or what keeps it, did not do its part: never the fault of a system."""


@dataclass(frozen=True, slots=True)
class Served:
    """What every scene of a run offers on one surface."""

    surface: str
    tools: str
    """Digest of all tools, as the server lists them."""


@dataclass(frozen=True, slots=True)
class Came:
    """What a call came back with."""

    outcome: Literal["accepted", "refused"]
    answer: str
    """As the server has it."""

    failed: bool = False
    """Whether the server calls it an error."""


def answered(call: ToolCall, came: Came) -> ToolCall:
    """A call with what became of it."""
    return replace(call, outcome=came.outcome, answer=came.answer)


class Stage(Protocol):
    """One scene that stands."""

    @property
    def surface(self) -> str:
        """The surface on which the subject is offered."""
        ...

    @property
    def prompt(self) -> str:
        """What the system is asked, names of fixtures filled in."""
        ...

    @property
    def tools(self) -> Sequence[Mapping[str, Any]]:
        """What it is shown, as functions."""
        ...

    @property
    def fixtures(self) -> Mapping[str, Any]:
        """What was made for it, and the mark of the attempt."""
        ...

    @property
    def turns(self) -> int:
        """How many replies it may give."""
        ...

    async def call(self, call: ToolCall) -> Came:
        """Carry out a call as it is; raises SceneFault."""
        ...


@runtime_checkable
class Player(Protocol):
    """A system that can be put into a scene."""

    def staged(self, level: Level | None, served: Served) -> bundle.System:
        """Its entry in the manifest, there; raises UsageError as `described` does."""
        ...

    async def play(self, question: Question, stage: Stage, terms: Terms) -> Observed:
        """Ask it, carry out its calls, and go on until it makes none.

        A SceneFault ends it as `harness_error`, with what was observed before.
        """
        ...
