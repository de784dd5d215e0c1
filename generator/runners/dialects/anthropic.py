"""The Messages API."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from generator.records.bundle import Tokens
from generator.runners.dialects.dialect import (
    MAX_TOKENS,
    Call,
    Json,
    Message,
    Said,
    count,
    name,
    table,
    text,
)

_BUDGETS: Mapping[str, int] = {"low": 2048, "medium": 8192, "high": 16384, "xhigh": 24576}
"""Tokens of thinking by level. With those of the reply they stay below what every model may say."""

_BUDGETED = re.compile(r"claude-(3-7-sonnet|(opus|sonnet|haiku)-4(-[0-5])?)(-\d{8}|-latest)?")
"""Models that are told how much they may think; all later ones decide by an effort."""

_EFFORTS = frozenset({"low", "medium", "high", "xhigh", "max"})
_ROOM = 32_000
"""How many tokens thinking and reply may take together where the model decides."""


class Anthropic:
    """Messages in turn, each a list of blocks."""

    path = "/v1/messages"
    surface = "messages"
    key = "ANTHROPIC_API_KEY"
    base = "https://api.anthropic.com"
    base_variable = "ANTHROPIC_BASE_URL"
    defaults: Mapping[str, Any] = {"max_tokens": MAX_TOKENS}

    def headers(self, key: str | None) -> dict[str, str]:
        """The key, and the version of the form that is spoken here."""
        return {"anthropic-version": "2023-06-01", **({"x-api-key": key} if key else {})}

    def effort(self, model: str, level: str) -> dict[str, Any] | None:
        """A budget of thinking above which the reply has room, or an effort, as the model takes."""
        if level == "none":
            return {"thinking": {"type": "disabled"}}
        if _BUDGETED.fullmatch(model):
            budget = _BUDGETS.get(level)
            thinking = {"type": "enabled", "budget_tokens": budget}
            return {"thinking": thinking, "max_tokens": budget + MAX_TOKENS} if budget else None
        if level not in _EFFORTS:
            return None
        adaptive = {"thinking": {"type": "adaptive"}, "output_config": {"effort": level}}
        return {**adaptive, "max_tokens": _ROOM}

    def body(
        self,
        model: str,
        conversation: Sequence[Message],
        tools: Sequence[Mapping[str, Any]],
        options: Mapping[str, Any],
    ) -> dict[str, Any]:
        """Model, messages in turn, tools by their schema, and the options as they are."""
        offered = {"tools": [_tool(tool["function"]) for tool in tools]} if tools else {}
        messages: list[dict[str, Any]] = []
        for message in conversation:
            if message.role == "assistant":
                messages.append({"role": "assistant", "content": message.raw})
            elif messages and messages[-1]["role"] == "user":
                messages[-1]["content"].append(_block(message))
            else:
                messages.append({"role": "user", "content": [_block(message)]})
        return {"model": model, "messages": messages, **offered, **options}

    def read(self, reply: Json) -> Said:
        """Texts and calls; what was thought is no part of the answer."""
        blocks = reply["content"]
        texts = [name(block["text"]) for block in blocks if block["type"] == "text"]
        content = "".join(texts) if texts else None
        declined = reply.get("stop_reason") == "refusal"
        return Said(
            content=None if declined else content,
            refusal=(content or "refusal") if declined else None,
            calls=tuple(
                Call(
                    id=name(block["id"]),
                    name=name(block["name"]),
                    arguments=json.dumps(block["input"], ensure_ascii=False),
                )
                for block in blocks
                if block["type"] == "tool_use"
            ),
            tokens=self.tokens(reply),
            model=text(reply.get("model")),
            raw=blocks,
        )

    def tokens(self, reply: Json) -> Tokens:
        """The input's tokens are apart from those of the cache."""
        usage = table(reply, "usage")
        return Tokens(
            input=count(usage.get("input_tokens")),
            output=count(usage.get("output_tokens")),
            cache_read=count(usage.get("cache_read_input_tokens")),
            cache_created=count(usage.get("cache_creation_input_tokens")),
        )


def _tool(function: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": function["name"],
        "description": function.get("description", ""),
        "input_schema": function.get("parameters") or {"type": "object", "properties": {}},
    }


def _block(message: Message) -> dict[str, Any]:
    if message.role != "tool":
        return {"type": "text", "text": message.content}
    failed = {} if message.ran else {"is_error": True}
    return {
        "type": "tool_result",
        "tool_use_id": message.answers,
        "content": message.content,
        **failed,
    }
