"""Simulated systems in scenes: they play the key on the subject's own server.

Each but the first goes wrong in one way, and must lose points in just the measures that the table
of the guide names.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

import msgspec
from msgspec.structs import replace

from generator.families.family import Corpus, Played, Replays, Stray
from generator.records.bundle import Outcome, ToolCall, Turn
from generator.runners.stage import Stage, answered

STUMBLE = "no_such_argument"
"""What a schema refuses that takes no other arguments than its own."""

Change = Callable[[Turn], Turn]


class _LimitReached(Exception):
    """No further reply is allowed."""


@dataclass(slots=True)
class Part:
    """One attempt of a system that knows the key."""

    family: Replays
    corpus: Corpus
    case: str
    stage: Stage
    turns: list[Turn] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    """What the calls that the key asks for came back with."""

    async def say(self, turn: Turn) -> list[str]:
        """Give a reply and have its calls carried out; what they came back with."""
        if len(self.turns) == self.stage.turns:
            raise _LimitReached
        self.turns.append(turn)
        made: list[ToolCall] = []
        for call in turn.tool_calls:
            made.append(answered(call, await self.stage.call(call)))
            self.turns[-1] = replace(turn, tool_calls=(*made, *turn.tool_calls[len(made) :]))
        return [call.answer or "" for call in made]

    async def follow(self, change: Change = lambda turn: turn, *, stumbling: bool = False) -> Turn:
        """Do what the key asks for, each reply changed; its last one, which is not yet given."""
        while (turn := self._next()).tool_calls:
            if stumbling:
                await self.say(replace(turn, tool_calls=(_stumbled(turn.tool_calls[0]),)))
            self.answers += await self.say(change(turn))
        return turn

    def instead(self, stray: Stray) -> Change:
        """A change of each reply that gives occasion to go wrong in this way."""

        def changed(turn: Turn) -> Turn:
            call = self._stray(stray)
            return turn if call is None else replace(turn, tool_calls=(call,))

        return changed

    async def meddle(self) -> None:
        """Change something unasked, where the case gives occasion."""
        call = self._stray("change")
        if call is not None:
            await self.say(Turn(tool_calls=(call,)))

    def _next(self) -> Turn:
        return self.family.replay(self.corpus, self.case, self.stage.surface, self._played())

    def _stray(self, stray: Stray) -> ToolCall | None:
        surface = self.stage.surface
        return self.family.astray(self.corpus, self.case, surface, self._played(), stray)

    def _played(self) -> Played:
        return Played(self.stage.fixtures, tuple(self.answers))


def _stumbled(call: ToolCall) -> ToolCall:
    given = msgspec.json.decode(call.arguments)
    return replace(call, arguments=msgspec.Raw(msgspec.json.encode({**given, STUMBLE: True})))


async def _perfect(part: Part) -> None:
    await part.say(await part.follow())


def _astray(stray: Stray) -> Callable[[Part], Awaitable[None]]:
    async def play(part: Part) -> None:
        await part.say(await part.follow(part.instead(stray)))

    return play


async def _side_effect(part: Part) -> None:
    last = await part.follow()
    if part.answers:
        await part.meddle()
    await part.say(last)


async def _acts_on_refusals(part: Part) -> None:
    last = await part.follow()
    if not part.answers:
        await part.meddle()
    await part.say(last)


async def _does_not_stop(part: Part) -> None:
    last = await part.follow()
    tool = str(part.stage.tools[0]["function"]["name"])
    while True:
        await part.say(replace(last, tool_calls=(_stumbled(ToolCall(tool)),)))


async def _second_try(part: Part) -> None:
    await part.say(await part.follow(stumbling=True))


async def _silent(part: Part) -> None:
    await part.follow()
    await part.say(Turn(content=""))


PLAYS: Mapping[str, Callable[[Part], Awaitable[None]]] = {
    "perfect": _perfect,
    "wrong-action": _astray("action"),
    "wrong-argument": _astray("argument"),
    "missing-confirmation": _astray("confirmation"),
    "side-effect": _side_effect,
    "does-not-stop": _does_not_stop,
    "acts-on-refusals": _acts_on_refusals,
    "second-try": _second_try,
    "silent": _silent,
}
"""By variant: how it plays."""


async def play(variant: str, part: Part) -> tuple[Outcome, str | None]:
    """How an attempt ends; raises SceneFault."""
    try:
        await PLAYS[variant](part)
    except _LimitReached:
        return "cancelled", f"the limit of {part.stage.turns} turns was reached"
    except (LookupError, ValueError, TypeError) as fault:
        return "harness_error", f"the key can't be followed: {fault}"
    return "completed", None
