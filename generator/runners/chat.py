"""Chat models over the wire: a conversation, one reply a step."""

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from dataclasses import replace as but
from typing import Any, Literal

from msgspec.structs import replace

from generator.errors import UsageError
from generator.families.family import Put, Question
from generator.records import bundle
from generator.records.base import digest_of_json, slug
from generator.records.bundle import Outcome, Tokens, Try, Turn
from generator.records.key import EFFORT, EFFORT_BY
from generator.runners import prompted
from generator.runners.dialects.dialect import STRANGE, Call, Dialect, Json, Message, Said
from generator.runners.stage import TOOLS, Came, SceneFault, Served, Stage, answered
from generator.runners.system import Level, Observed, Terms, refuse_level
from generator.runners.wire import REPLY_LIMIT, Answer, Wire

Tools = Literal["native", "prompted"]

NOT_RUN = "This call was not carried out: only one at a time is, and only where a result is due."
"""What any other call of a reply comes back with: a provider wants a result for each."""

_UNKNOWN_KEY, _FORBIDDEN = 401, 403


class Unauthorised(UsageError):
    """The provider does not take the key: no attempt of the run can succeed."""


@dataclass(slots=True)
class ChatModel:
    """One model of one provider."""

    provider: str
    model: str
    """Its name there, as it is sent."""

    dialect: Dialect
    wire: Wire
    named: str = ""
    """Its name as it is written down; as it is sent, unless that names a person's folder."""

    tools: Tools = "native"
    options: Mapping[str, Any] = field(default_factory=dict)
    """Sent with every request, as they are."""

    revision: str | None = None
    runtime: bundle.Runtime | None = None
    """What runs it, where somebody said so."""

    offered: str | None = None
    """Digest of all tools of the benchmark; none where it offers none."""

    answered: bool = False
    """Whether the provider has taken the key before."""

    def described(self, level: Level | None) -> bundle.System:
        """Provider, model, surface, options as sent, effort."""
        surface = self.dialect.surface
        return self._entry(
            level,
            surface=f"{surface}, tools {self.tools}" if self.offered else surface,
            tools=self.offered,
        )

    def staged(self, level: Level | None, served: Served) -> bundle.System:
        """The same where a subject offers tools on a surface of its own."""
        return self._entry(
            level,
            surface=served.surface,
            tools=served.tools,
            axes={TOOLS: self.tools},
            name=served.surface,
        )

    def _entry(
        self,
        level: Level | None,
        *,
        surface: str,
        tools: str | None,
        axes: Mapping[str, str] | None = None,
        name: str = "",
    ) -> bundle.System:
        named = self.named or self.model
        axes = {**(axes or {}), **({} if level is None else {EFFORT: level.effort.id})}
        before = {}
        if level is not None and level.prompted:
            axes[EFFORT_BY] = "prompted"
            before["effort"] = level.effort.instruction
        if tools and self.tools == "prompted":
            before["tools"] = prompted.DIGEST
        suffix = "" if level is None else f" {level.effort.id}"
        return bundle.System(
            id=slug(f"{self.provider} {named}{suffix} {name}", limit=100) or "model",
            provider=self.provider,
            model=named,
            revision=self.revision,
            runtime=self.runtime,
            surface=surface,
            options=self._options(level),
            axes=axes,
            prompt=digest_of_json(before) if before else None,
            tools=tools,
        )

    async def ask(self, question: Question, terms: Terms) -> Observed:
        """Put one step after the other, until there is none left or a reply ends it."""
        started = time.monotonic()
        talk = _Talk(self, question, terms)
        outcome, reason = await talk.run()
        return talk.observed(outcome, reason, time.monotonic() - started)

    async def play(self, question: Question, stage: Stage, terms: Terms) -> Observed:
        """Put the prompt, and go on with what its calls come back with."""
        started = time.monotonic()
        shown = but(question, tools=tuple(stage.tools))
        talk = _Talk(self, shown, terms)
        outcome, reason = await talk.play(stage)
        return talk.observed(outcome, reason, time.monotonic() - started)

    async def close(self) -> None:
        """Let go of all connections."""
        await self.wire.close()

    def request(self, conversation: list[Message], question: Question, terms: Terms) -> bytes:
        """The body of one request."""
        native = question.tools if self.tools == "native" else ()
        options = self._options(terms.level)
        body = self.dialect.body(self.model, conversation, native, options)
        return json.dumps(body, ensure_ascii=False).encode()

    def read(self, body: Json, question: Question) -> Said:
        """A reply, with calls read from its text where tools were offered in the prompt."""
        said = self.dialect.read(body)
        if self.tools == "native" or not question.tools:
            return said
        calls = prompted.calls_in(said.content or "")
        return Said(said.content, said.refusal, calls, said.tokens, said.model, said.raw)

    def _options(self, level: Level | None) -> dict[str, Any]:
        """What is sent besides: what none goes without, then the level's, then what was asked."""
        asked = self._effort(level) if level is not None else {}
        return {**self.dialect.defaults, **asked, **self.options}

    def _effort(self, level: Level) -> dict[str, Any]:
        """Options by which a level is asked for; raises UsageError where it can't be."""
        asked = None if level.prompted else self.dialect.effort(self.model, level.effort.id)
        settings = set(asked or ()) - set(self.dialect.defaults)
        if asked is None:
            refuse_level(f"{self.provider}:{self.named or self.model}", level)
            allowed = level.effort.tokens
            asked = {} if allowed is None else {"max_tokens": allowed}
            settings = set(asked)
        twice = sorted(settings & set(self.options))
        if twice:
            raise UsageError(
                f"The option {twice[0]!r} is given, and the effort {level.effort.id!r} sets it.",
                "Leave the option out, or name no level that sets it.",
            )
        return asked


class _Talk:
    """One conversation, from its first prompt to its last reply."""

    def __init__(self, model: ChatModel, question: Question, terms: Terms) -> None:
        self._model = model
        self._question = question
        self._terms = terms
        self._left = terms.seconds
        self._conversation: list[Message] = []
        self._calls: tuple[Call, ...] = ()
        """Calls of the last reply."""

        self.turns: list[Turn] = []
        self.refused: tuple[Try, ...] = ()
        """Requests that were refused, and no reply came after them."""

        self.stimulus: str | None = None

    async def run(self) -> tuple[Outcome, str | None]:
        """The outcome, and why it is not `completed`, or less than the whole case."""
        for number, put in enumerate(self._question.puts, 1):
            if put.tool_result is not None and not self._calls:
                return "completed", f"no call came that the result of step {number} could answer"
            if len(self.turns) == self._terms.turns:
                return "completed", f"the limit of {len(self.turns)} turns was reached"
            self._conversation += self._messages(put)
            ended = await self._reply()
            if ended is not None:
                return ended
        return "completed", None

    async def play(self, stage: Stage) -> tuple[Outcome, str | None]:
        """The same in a scene, where every call is carried out."""
        allowed = min(stage.turns, self._terms.turns or stage.turns)
        self._conversation.append(Message("user", self._prompt(stage.prompt)))
        while (ended := await self._reply()) is None:
            if not self._calls:
                return "completed", None
            try:
                self._conversation += await self._carry_out(stage)
            except SceneFault as fault:
                return "harness_error", str(fault)
            if len(self.turns) == allowed:
                return "cancelled", f"the limit of {allowed} turns was reached"
        return ended

    def observed(self, outcome: Outcome, reason: str | None, seconds: float) -> Observed:
        """What there is to tell of it."""
        elapsed = round(seconds * 1e6)
        return Observed(outcome, tuple(self.turns), reason, elapsed, self.stimulus, self.refused)

    async def _carry_out(self, stage: Stage) -> list[Message]:
        """Make all calls of the last reply in their order; what is put next. Raises SceneFault."""
        came: list[Came] = []
        calls = self.turns[-1].tool_calls
        for call in calls:
            came.append(await stage.call(call))
            made = tuple(map(answered, calls, came))
            self.turns[-1] = replace(self.turns[-1], tool_calls=made + calls[len(made) :])
        if self._model.tools == "prompted":
            return [Message("user", prompted.responses(one.answer for one in came))]
        return [
            Message("tool", one.answer, call.id, ran=not one.failed)
            for call, one in zip(self._calls, came, strict=True)
        ]

    def _messages(self, put: Put) -> Iterator[Message]:
        """What a step puts: a result for each call, and the prompt."""
        for number, call in enumerate(self._calls):
            due = put.tool_result if number == 0 else None
            if self._model.tools == "native":
                yield Message("tool", NOT_RUN if due is None else due, call.id, due is not None)
            elif due is not None:
                yield Message("user", prompted.response(due))
        if put.prompt is not None:
            yield Message("user", self._prompt(put.prompt))

    def _prompt(self, prompt: str) -> str:
        """A prompt; the first one stands behind what is put before it."""
        if self.stimulus is not None:
            return prompt
        if self._model.tools == "prompted" and self._question.tools:
            prompt = prompted.offer(self._question.tools) + prompt
        level = self._terms.level
        self.stimulus = prompt if level is None else level.instructed(prompt)
        return self.stimulus

    async def _reply(self) -> tuple[Outcome, str | None] | None:
        """Ask and take the reply; the ending, where there is no reply to go on with."""
        try:
            body = self._model.request(self._conversation, self._question, self._terms)
        except RecursionError:
            return "malformed", "the reply is nested too deep to be handed back"
        answer = await self._model.wire.post(self._model.dialect.path, body, self._left)
        self._left -= answer.elapsed_us / 1e6
        if answer.fault is not None:
            self.refused = answer.tries
            return self._failed(answer)
        self._model.answered = True
        return self._taken(answer)

    def _taken(self, answer: Answer) -> tuple[Outcome, str | None] | None:
        """Write down the reply to a request that was taken, whatever it is."""
        reply: Json = None
        shown = answer.content.decode(errors="replace")
        try:
            reply = answer.json()
            said = self._model.read(reply, self._question)
            calls = tuple(call.as_observed() for call in said.calls)
        except STRANGE as fault:
            self._keep(answer, Turn(), self._model.dialect.tokens(reply))
            if isinstance(reply, dict) and reply.get("error"):
                return "provider_error", self._model.wire.shown(f"HTTP 200: {shown}")
            why = f"the reply is not of the provider's form ({fault!r}): {shown}"
            return "malformed", self._model.wire.shown(why)
        turn = Turn(content=said.content, refusal=said.refusal, tool_calls=calls, model=said.model)
        self._keep(answer, turn, said.tokens)
        self._conversation.append(Message("assistant", raw=said.raw))
        self._calls = said.calls
        return None

    def _keep(self, answer: Answer, turn: Turn, tokens: Tokens) -> None:
        self.turns.append(
            replace(
                turn,
                tokens=None if tokens == Tokens() else tokens,
                elapsed_us=answer.elapsed_us,
                tries=answer.tries,
            )
        )

    def _failed(self, answer: Answer) -> tuple[Outcome, str]:
        """The ending of an attempt for whose last request there is no reply."""
        model = self._model
        unknown = answer.status == _FORBIDDEN and not model.answered
        if answer.status == _UNKNOWN_KEY or unknown:
            raise Unauthorised(
                f"{model.provider} refused the key: {answer.said}",
                f"Set {model.dialect.key} to a key that may use {model.named or model.model}.",
            )
        match answer.fault:
            case "timeout":
                return "timeout", f"no reply within {self._terms.seconds:g} s"
            case "too-long":
                return "malformed", f"the reply has more than {REPLY_LIMIT} bytes"
            case _:
                tries = f", the last of {len(answer.tries)} tries" if answer.tries else ""
                return "provider_error", f"{answer.said}{tries}"
