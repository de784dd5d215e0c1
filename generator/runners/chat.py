"""Chat models over the wire: a conversation, one reply a step."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from generator.errors import UsageError
from generator.families.family import Question
from generator.records import bundle
from generator.records.base import digest_of_json, slug
from generator.records.bundle import Outcome, Turn
from generator.records.key import EFFORT, EFFORT_BY
from generator.runners import prompted
from generator.runners.dialects import STRANGE, Call, Dialect, Message, Said
from generator.runners.system import Level, Observed, Terms
from generator.runners.wire import TIMEOUT, Answer, Wire

Tools = Literal["native", "prompted"]

_UNAUTHORISED = frozenset({401, 403})


class Unauthorised(UsageError):
    """The provider does not know the key: no attempt of the run can succeed."""


@dataclass(slots=True)
class ChatModel:
    """One model of one provider."""

    provider: str
    model: str
    dialect: Dialect
    wire: Wire
    tools: Tools = "native"
    options: Mapping[str, Any] = field(default_factory=dict)
    """Sent with every request, as they are."""

    revision: str | None = None
    offered: str | None = None
    """Digest of all tools of the benchmark; none where it offers none."""

    def described(self, level: Level | None) -> bundle.System:
        """Provider, model, surface, options as sent, effort."""
        axes = {} if level is None else {EFFORT: level.effort.id}
        if level is not None and level.prompted:
            axes[EFFORT_BY] = "prompted"
        suffix = "" if level is None else f" {level.effort.id}"
        prompts = {
            "tools": prompted.DIGEST if self.offered and self.tools == "prompted" else None,
            "effort": level.effort.instruction if level is not None and level.prompted else None,
        }
        put_before = {name: text for name, text in prompts.items() if text is not None}
        return bundle.System(
            id=slug(f"{self.provider} {self.model}{suffix}", limit=100),
            provider=self.provider,
            model=self.model,
            revision=self.revision,
            surface=f"{self.dialect.surface}, tools {self.tools}"
            if self.offered
            else self.dialect.surface,
            options=self._options(level),
            axes=axes,
            prompt=digest_of_json(put_before) if put_before else None,
            tools=self.offered,
        )

    async def ask(self, question: Question, terms: Terms) -> Observed:
        """Put one step after the other, until there is none left or a reply ends it."""
        talk = _Talk(self, question, terms)
        started = time.monotonic()
        outcome, reason = await talk.run()
        return Observed(
            outcome=outcome,
            turns=tuple(talk.turns),
            reason=reason,
            elapsed_us=round((time.monotonic() - started) * 1e6),
            stimulus=talk.stimulus,
            revision=talk.revision,
        )

    def _options(self, level: Level | None) -> dict[str, Any]:
        options = dict(self.options)
        if level is None:
            return options
        if level.prompted:
            name = "max_tokens"
            return {**options, **({name: level.effort.tokens} if level.effort.tokens else {})}
        return {**options, **(self.dialect.effort(level.effort.id) or {})}

    def request(self, conversation: list[Message], question: Question, terms: Terms) -> Any:  # noqa: ANN401
        """The body of one request."""
        native = question.tools if self.tools == "native" else ()
        return self.dialect.body(self.model, conversation, native, self._options(terms.level))

    def read(self, body: Any) -> Said:  # noqa: ANN401  any JSON value
        """A reply, with calls read from its text where tools are prompted."""
        said = self.dialect.read(body)
        if self.tools == "native" or not said.content:
            return said
        return Said(
            said.content,
            said.refusal,
            prompted.calls_in(said.content),
            said.tokens,
            said.model,
            said.raw,
        )


class _Talk:
    """One conversation, from its first prompt to its last reply."""

    def __init__(self, model: ChatModel, question: Question, terms: Terms) -> None:
        self._model = model
        self._question = question
        self._terms = terms
        self._conversation: list[Message] = []
        self.turns: list[Turn] = []
        self.revision: str | None = None
        self.stimulus: str | None = None

    async def run(self) -> tuple[Outcome, str | None]:
        """The outcome, and why it is not `completed`."""
        call: Call | None = None
        for put in self._question.puts:
            if put.tool_result is not None:
                if call is None:
                    return "completed", None  # no call that this could be the result of
                self._add_result(call, put.tool_result)
            if put.prompt is not None:
                self._add_prompt(put.prompt)
            request = self._model.request(self._conversation, self._question, self._terms)
            answer = await self._model.wire.post(
                self._model.dialect.path, request, self._terms.seconds
            )
            failed = self._failure(answer)
            if failed is not None:
                return failed
            try:
                said = self._model.read(answer.body)
                self._keep(answer, said)
            except STRANGE as fault:
                return "malformed", f"the reply is not of the provider's form: {fault!r}"[:300]
            call = said.calls[0] if said.calls else None
        return "completed", None

    def _add_prompt(self, prompt: str) -> None:
        if self.stimulus is None:
            level = self._terms.level
            before = ""
            if level is not None and level.prompted:
                before = f"{level.effort.instruction}\n\n"
            if self._model.tools == "prompted" and self._question.tools:
                before += prompted.offer(self._question.tools)
            prompt = self.stimulus = before + prompt
        self._conversation.append(Message("user", prompt))

    def _add_result(self, call: Call, result: str) -> None:
        native = self._model.tools == "native"
        role, answers = ("tool", call.id) if native else ("user", "")
        self._conversation.append(Message(role, result, answers))

    def _failure(self, answer: Answer) -> tuple[Outcome, str] | None:
        if answer.status in _UNAUTHORISED:
            raise Unauthorised(
                f"{self._model.provider} refused the key: {answer.fault}.",
                f"Set {self._model.dialect.key} to a key that may use {self._model.model}.",
            )
        if answer.fault is None:
            return None if answer.body is not None else ("malformed", "the reply is no JSON")
        if answer.fault == TIMEOUT:
            return "timeout", f"no reply within {self._terms.seconds:g} s"
        before = "".join(f"; {one.status or 'no answer'}" for one in answer.tries)
        return "provider_error", f"{answer.fault}{' (before that' + before + ')' if before else ''}"

    def _keep(self, answer: Answer, said: Said) -> None:
        self.revision = said.model or self.revision
        self._conversation.append(Message("assistant", said.content or "", raw=said.raw))
        self.turns.append(
            Turn(
                content=said.content,
                refusal=said.refusal,
                tool_calls=tuple(call.as_observed() for call in said.calls),
                tokens=said.tokens,
                elapsed_us=answer.elapsed_us,
                tries=answer.tries,
            )
        )
