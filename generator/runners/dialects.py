"""What providers of chat models are sent and what they send back, as values and nothing else."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec

from generator.records.bundle import Tokens, ToolCall

MAX_TOKENS = 4096
"""How many tokens a reply may take where neither option nor level says it and one must."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a reply, by the name that the provider gave it."""

    id: str
    name: str
    arguments: str
    """As sent: the text of an object, or of what is none."""

    def as_observed(self) -> ToolCall:
        """The call as a bundle holds it."""
        try:
            parsed = json.loads(self.arguments or "{}")
        except (ValueError, RecursionError):
            parsed = self.arguments
        sent = parsed if isinstance(parsed, dict) else self.arguments
        return ToolCall(self.name, msgspec.Raw(json.dumps(sent, ensure_ascii=False).encode()))


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: str
    """`user`, `assistant` or `tool`."""

    content: str = ""
    answers: str = ""
    """The id of the call that a tool's result answers."""

    raw: Any = None
    """A reply as the provider has it, which is handed back to it unchanged."""


@dataclass(frozen=True, slots=True)
class Said:
    """A reply, as the provider's form has it."""

    content: str | None
    refusal: str | None = None
    calls: tuple[Call, ...] = ()
    tokens: Tokens = field(default_factory=Tokens)
    model: str | None = None
    """What the provider calls the model that answered."""

    raw: Any = None
    """The reply as the provider has it."""


STRANGE = (LookupError, TypeError, AttributeError, ValueError)
"""What reading a reply raises that is not of the provider's form."""


class Dialect(Protocol):
    """How one kind of provider is spoken to."""

    path: str
    surface: str
    key: str
    """The variable of the environment that holds the key."""

    base: str
    """Its address, unless `base_variable` says another."""

    base_variable: str

    def headers(self, key: str | None) -> dict[str, str]:
        """Headers of every request."""
        ...

    def effort(self, level: str) -> dict[str, Any] | None:
        """Options by which a level is asked for; none where the provider has no such level."""
        ...

    def body(
        self,
        model: str,
        conversation: Sequence[Message],
        tools: Sequence[Mapping[str, Any]],
        options: Mapping[str, Any],
    ) -> dict[str, Any]:
        """The request."""
        ...

    def read(self, reply: Any) -> Said:  # noqa: ANN401  any JSON value
        """The reply; raises one of `STRANGE` where it is not of the provider's form."""
        ...


class OpenAI:
    """Chat completions, as OpenAI and many servers of open models speak them."""

    path = "/chat/completions"
    surface = "chat-completions"
    key = "OPENAI_API_KEY"
    base = "https://api.openai.com/v1"
    base_variable = "OPENAI_BASE_URL"
    _EFFORT = frozenset({"none", "minimal", "low", "medium", "high", "xhigh"})

    def headers(self, key: str | None) -> dict[str, str]:
        """The key as a bearer token; a local server may need none."""
        return {"authorization": f"Bearer {key}"} if key else {}

    def effort(self, level: str) -> dict[str, Any] | None:
        """`reasoning_effort`."""
        return {"reasoning_effort": level} if level in self._EFFORT else None

    def body(
        self,
        model: str,
        conversation: Sequence[Message],
        tools: Sequence[Mapping[str, Any]],
        options: Mapping[str, Any],
    ) -> dict[str, Any]:
        """Model, messages, tools where there are any, and the options as they are."""
        messages = [self._message(message) for message in conversation]
        offered = {"tools": list(tools)} if tools else {}
        return {"model": model, "messages": messages, **offered, **options}

    def _message(self, message: Message) -> Any:  # noqa: ANN401  any JSON value
        if message.role == "assistant":
            return message.raw
        if message.role == "tool":
            return {"role": "tool", "tool_call_id": message.answers, "content": message.content}
        return {"role": message.role, "content": message.content}

    def read(self, reply: Any) -> Said:  # noqa: ANN401
        """The first choice; the others are not asked for."""
        message = reply["choices"][0]["message"]
        usage = reply.get("usage") or {}
        calls = tuple(
            Call(str(call.get("id") or number), call["function"]["name"], _text(call["function"]))
            for number, call in enumerate(message.get("tool_calls") or ())
        )
        return Said(
            _optional(message.get("content")),
            _optional(message.get("refusal")),
            calls,
            Tokens(
                input=usage.get("prompt_tokens"),
                output=usage.get("completion_tokens"),
                reasoning=(usage.get("completion_tokens_details") or {}).get("reasoning_tokens"),
            ),
            _optional(reply.get("model")),
            message,
        )


class Anthropic:
    """The Messages API."""

    path = "/v1/messages"
    surface = "messages"
    key = "ANTHROPIC_API_KEY"
    base = "https://api.anthropic.com"
    base_variable = "ANTHROPIC_BASE_URL"
    _THINKING: Mapping[str, int] = {"low": 2048, "medium": 8192, "high": 16384, "xhigh": 32768}
    """Tokens of thinking by level."""

    def headers(self, key: str | None) -> dict[str, str]:
        """The key, and the version of the form that is spoken here."""
        return {"anthropic-version": "2023-06-01", **({"x-api-key": key} if key else {})}

    def effort(self, level: str) -> dict[str, Any] | None:
        """A budget of thinking, above which the reply itself has room."""
        if level == "none":
            return {"thinking": {"type": "disabled"}}
        budget = self._THINKING.get(level)
        if budget is None:
            return None
        thinking = {"type": "enabled", "budget_tokens": budget}
        return {"thinking": thinking, "max_tokens": budget + MAX_TOKENS}

    def body(
        self,
        model: str,
        conversation: Sequence[Message],
        tools: Sequence[Mapping[str, Any]],
        options: Mapping[str, Any],
    ) -> dict[str, Any]:
        """Model, messages in turn, tools by their schema, and the options as they are."""
        offered = {"tools": [self._tool(tool["function"]) for tool in tools]} if tools else {}
        messages: list[dict[str, Any]] = []
        for message in conversation:
            if message.role == "assistant":
                messages.append({"role": "assistant", "content": message.raw})
            elif messages and messages[-1]["role"] == "user":
                messages[-1]["content"].append(self._block(message))
            else:
                messages.append({"role": "user", "content": [self._block(message)]})
        return {"model": model, "messages": messages, **offered, **options}

    def _tool(self, function: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "name": function["name"],
            "description": function.get("description", ""),
            "input_schema": function.get("parameters") or {"type": "object", "properties": {}},
        }

    def _block(self, message: Message) -> dict[str, Any]:
        if message.role == "tool":
            answers, content = message.answers, message.content
            return {"type": "tool_result", "tool_use_id": answers, "content": content}
        return {"type": "text", "text": message.content}

    def read(self, reply: Any) -> Said:  # noqa: ANN401
        """Texts and calls; what was thought is no part of the answer."""
        blocks = reply["content"]
        usage = reply.get("usage") or {}
        texts = [block["text"] for block in blocks if block["type"] == "text"]
        calls = tuple(
            Call(block["id"], block["name"], json.dumps(block["input"], ensure_ascii=False))
            for block in blocks
            if block["type"] == "tool_use"
        )
        content = "".join(texts) if texts else None
        declined = reply.get("stop_reason") == "refusal"
        return Said(
            None if declined else content,
            (content or "refusal") if declined else None,
            calls,
            Tokens(
                input=usage.get("input_tokens"),
                output=usage.get("output_tokens"),
                cache_read=usage.get("cache_read_input_tokens"),
                cache_created=usage.get("cache_creation_input_tokens"),
            ),
            _optional(reply.get("model")),
            blocks,
        )


def _optional(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        message = f"a text was expected, not {value!r}"
        raise TypeError(message)
    return value


def _text(function: Mapping[str, Any]) -> str:
    arguments = function.get("arguments")
    return arguments if isinstance(arguments, str) else json.dumps(arguments or {})


DIALECTS: Mapping[str, Dialect] = {"openai": OpenAI(), "anthropic": Anthropic()}
