"""Chat completions, as OpenAI and many servers of open models speak them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from generator.records.bundle import Tokens
from generator.runners.dialects.dialect import Call, Json, Message, Said, count, name, table, text

_EFFORT = frozenset({"none", "minimal", "low", "medium", "high", "xhigh"})


class OpenAI:
    """The Chat Completions API."""

    path = "/chat/completions"
    surface = "chat-completions"
    key = "OPENAI_API_KEY"
    base = "https://api.openai.com/v1"
    base_variable = "OPENAI_BASE_URL"
    defaults: Mapping[str, Any] = {}

    def headers(self, key: str | None) -> dict[str, str]:
        """The key as a bearer token; a local server may need none."""
        return {"authorization": f"Bearer {key}"} if key else {}

    def effort(self, model: str, level: str) -> dict[str, Any] | None:
        """`reasoning_effort`."""
        del model
        return {"reasoning_effort": level} if level in _EFFORT else None

    def body(
        self,
        model: str,
        conversation: Sequence[Message],
        tools: Sequence[Mapping[str, Any]],
        options: Mapping[str, Any],
    ) -> dict[str, Any]:
        """Model, messages, tools where there are any, and the options as they are."""
        messages = [_message(message) for message in conversation]
        offered = {"tools": [{"type": "function", **tool} for tool in tools]} if tools else {}
        return {"model": model, "messages": messages, **offered, **options}

    def read(self, reply: Json) -> Said:
        """The first choice; the others are not asked for."""
        message = reply["choices"][0]["message"]
        return Said(
            content=_content(message.get("content")),
            refusal=text(message.get("refusal")),
            calls=tuple(
                Call(
                    id=str(call.get("id") or number),
                    name=name(call["function"]["name"]),
                    arguments=_arguments(call["function"].get("arguments")),
                )
                for number, call in enumerate(message.get("tool_calls") or ())
            ),
            tokens=self.tokens(reply),
            model=text(reply.get("model")),
            raw=message,
        )

    def tokens(self, reply: Json) -> Tokens:
        """The prompt's tokens count those of the cache; they are kept apart here."""
        usage = table(reply, "usage")
        asked = count(usage.get("prompt_tokens"))
        cached = count(table(usage, "prompt_tokens_details").get("cached_tokens"))
        apart = asked is not None and cached is not None and cached <= asked
        return Tokens(
            input=asked - cached if asked is not None and cached is not None and apart else asked,
            output=count(usage.get("completion_tokens")),
            reasoning=count(table(usage, "completion_tokens_details").get("reasoning_tokens")),
            cache_read=cached if apart else None,
        )


def _message(message: Message) -> Json:
    if message.role == "assistant":
        return message.raw
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.answers, "content": message.content}
    return {"role": message.role, "content": message.content}


def _content(said: Json) -> str | None:
    """A text, or the texts of a list of parts: some servers send what was thought beside them."""
    if isinstance(said, list):
        return "".join(name(part["text"]) for part in said if part["type"] == "text")
    return text(said)


def _arguments(sent: Json) -> str:
    return sent if isinstance(sent, str) else json.dumps(sent or {}, ensure_ascii=False)
