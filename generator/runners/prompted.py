"""Tools for endpoints that have none: offered in the prompt, and read from the reply.

The form is the one that most open models were trained on. It is fixed, part of the row by its
digest, and read without guessing: a reply makes the calls that stand in blocks of it, or those that
it consists of; any other makes none.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from generator.records.base import digest_of_json
from generator.runners.dialects.dialect import Call

_OPEN, _CLOSE = "<tool_call>", "</tool_call>"

TEMPLATE = """\
You can call these tools:

<tools>
{}
</tools>

To call one, answer with a JSON object of its name and its arguments within \
<tool_call></tool_call>, and with nothing else:

<tool_call>
{"name": <name of the tool>, "arguments": <object of its arguments>}
</tool_call>

What it returns comes back within <tool_response></tool_response>. Where no tool is needed, \
answer in plain text.

"""
"""Put before the first prompt of a case that offers tools; `{}` stands for schemas, one a line."""

RESPONSE = "<tool_response>\n{}\n</tool_response>"
"""What a call came back with."""

DIGEST = digest_of_json({"template": TEMPLATE, "response": RESPONSE, "read": 2})
"""What a row names the form by; `read` goes up when a reply is read otherwise."""

_FENCE = re.compile(r"```(?:\w*)\n(.*?)\n?```", re.DOTALL)
_CALL = {"name", "arguments"}


def offer(tools: Sequence[Mapping[str, Any]]) -> str:
    """The text by which tools are offered."""
    schemas = (json.dumps(tool["function"], ensure_ascii=False) for tool in tools)
    return TEMPLATE.replace("{}", "\n".join(schemas), 1)


def response(answer: str) -> str:
    """The text by which a result is handed back."""
    return RESPONSE.replace("{}", answer, 1)


def responses(answers: Iterable[str]) -> str:
    """The message by which all calls of a reply are answered, in their order."""
    return "\n".join(map(response, answers))


def calls_in(content: str) -> tuple[Call, ...]:
    """The calls that a reply makes, in its order.

    Those in blocks, wherever these stand. Where there is no block: a reply that is nothing but
    objects with a name and arguments, in one code fence or in none, makes these calls.
    """
    if _OPEN in content:
        return tuple(_numbered(_parsed(_blocks(content))))
    return tuple(_numbered(_whole(content)))


def _numbered(calls: Iterator[Any] | Sequence[Any]) -> Iterator[Call]:
    for number, call in enumerate(calls):
        arguments = call.get("arguments") or {}
        sent = arguments if isinstance(arguments, str) else json.dumps(arguments)
        yield Call(f"prompted-{number}", call["name"], sent)


def _parsed(blocks: Iterator[str]) -> Iterator[Any]:
    """What is a call; what is none is left out, and all others stand."""
    for block in blocks:
        try:
            call = json.loads(block)
        except (ValueError, RecursionError):
            continue
        if isinstance(call, dict) and isinstance(call.get("name"), str):
            yield call


def _whole(content: str) -> Sequence[Any]:
    """The calls that a text consists of; none where anything else is in it."""
    text = content.strip()
    fenced = _FENCE.fullmatch(text)
    text = (fenced[1] if fenced else text).strip()
    found: list[Any] = []
    decoder, at = json.JSONDecoder(), 0
    while at < len(text):
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return ()
        calls = value if isinstance(value, list) else [value]
        if not all(map(_is_call, calls)):
            return ()
        found += calls
        while at < len(text) and text[at].isspace():
            at += 1
    return found


def _is_call(value: object) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == _CALL
        and isinstance(value["name"], str)
        and isinstance(value["arguments"], dict)
    )


def _blocks(content: str) -> Iterator[str]:
    """What stands between the marks, in a time that grows with the length of the text only."""
    start = content.find(_OPEN)
    while start >= 0:
        start += len(_OPEN)
        end = content.find(_CLOSE, start)
        if end < 0:
            return
        yield content[start:end]
        start = content.find(_OPEN, end)
