"""What a program says it used: events on its standard output, one JSON object a line.

`step_finish` tells the tokens of a step, `tool_use` how a call of a tool ended; other events are
passed over. Totals are told only where the events came whole: anything else would be a number
that looks like a measurement.
"""

from typing import Annotated

import msgspec

from generator.records.bundle import INTEGER_LIMIT, Tokens, Usage

LINE_LIMIT = 1024 * 1024
"""How many bytes of a line are looked at; a longer one is no event."""

LIMIT = 64 * 1024 * 1024
"""How many bytes of all that a program writes are looked at."""

_Number = Annotated[int, msgspec.Meta(ge=0, le=INTEGER_LIMIT)]
_ENDED = frozenset({"completed", "error"})
"""States in which a call of a tool is over."""


class _Event(msgspec.Struct):
    type: str
    part: msgspec.Raw = msgspec.Raw(b"{}")


class _Cache(msgspec.Struct):
    read: _Number | None = None
    write: _Number | None = None


class _Tokens(msgspec.Struct):
    input: _Number | None = None
    output: _Number | None = None
    reasoning: _Number | None = None
    cache: _Cache | None = None


class _Step(msgspec.Struct):
    id: str | None = None
    tokens: _Tokens | None = None


class _State(msgspec.Struct):
    status: str | None = None


class _Call(msgspec.Struct):
    id: str | None = None
    state: _State | None = None


_EVENT = msgspec.json.Decoder(_Event)
_STEP = msgspec.json.Decoder(_Step)
_CALL = msgspec.json.Decoder(_Call)


class Events:
    """Is told what a program writes, and counts; nothing of it is kept but numbers and ids."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._long = False
        """Whether the line that is being written is too long to be an event."""

        self._bytes = 0
        self._broken = False
        """Whether something was no event, or was not looked at."""

        self._seen: set[tuple[str, str]] = set()
        self._open = 0
        """Steps that were started and not finished."""

        self._steps: list[Tokens] = []
        self._calls = 0
        self._errors = 0

    def hear(self, data: bytes) -> None:
        """Take what was written next."""
        self._bytes += len(data)
        if self._bytes > LIMIT:
            self._broken = True
            self._rest.clear()
            return
        *lines, rest = data.split(b"\n")
        for line in lines:
            self._go_on(line)
            self._line()
        self._go_on(rest)

    def usage(self, *, ended: bool) -> Usage:
        """What was used in all; `ended` is whether the program came to its own end."""
        if self._rest:
            self._line()  # the last event may come without a line end, if it is whole
        if not (self._steps or self._seen or self._open):
            return Usage("unavailable")
        if self._broken or not ended or self._open > 0:
            return Usage("partial")
        tokens = {
            kind: sum(numbers)
            for kind in ("input", "output", "reasoning", "cache_read", "cache_created")
            if None not in (numbers := [getattr(step, kind) for step in self._steps]) and numbers
        }
        if max((*tokens.values(), self._calls)) > INTEGER_LIMIT:
            return Usage("partial")  # no reader of JSON would take the sum for what it is
        return Usage("observed", Tokens(**tokens) if tokens else None, self._calls, self._errors)

    def _go_on(self, piece: bytes) -> None:
        """Take a piece of a line, unless the line is too long by now."""
        self._long = self._long or len(self._rest) + len(piece) > LINE_LIMIT
        self._broken = self._broken or self._long
        if not self._long:
            self._rest += piece

    def _line(self) -> None:
        line, long = bytes(self._rest), self._long
        self._rest, self._long = bytearray(), False
        if long or not line.strip():
            return
        try:
            self._event(_EVENT.decode(line))
        except (ValueError, RecursionError):
            self._broken = True

    def _event(self, event: _Event) -> None:
        if event.type == "step_start":
            self._open += 1
        elif event.type == "step_finish":
            step = _STEP.decode(event.part)
            if self._is_new("step", step.id):
                self._open = max(0, self._open - 1)  # not every program tells of the start
                self._steps.append(_spent(step.tokens or _Tokens()))
        elif event.type == "tool_use":
            call = _CALL.decode(event.part)
            status = call.state.status if call.state else None
            if status in _ENDED and self._is_new("call", call.id):
                self._calls += 1
                self._errors += status == "error"

    def _is_new(self, kind: str, name: str | None) -> bool:
        """Whether an event was not there before; without an id that can't be told."""
        if name is None:
            self._broken = True
            return True
        known = (kind, name) in self._seen
        self._seen.add((kind, name))
        return not known


def _spent(tokens: _Tokens) -> Tokens:
    cache = tokens.cache or _Cache()
    return Tokens(tokens.input, tokens.output, tokens.reasoning, cache.read, cache.write)
