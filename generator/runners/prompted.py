"""Tools for endpoints that have none: offered in the prompt, and read from the reply.

The form is fixed, part of the row by its digest, and read without guessing: a reply that holds one
block of it makes a call, any other makes none.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from generator.records.base import digest_of_json
from generator.runners.dialects.dialect import Call

_OPEN, _CLOSE = "<tool_call>", "</tool_call>"

TEMPLATE = """\
You can call one of these tools. To call one, answer with nothing but

<tool_call>
{"name": "NAME", "arguments": {…}}
</tool_call>

Its result comes back in the next message. If no tool is needed, answer in plain text.

"""
"""Put before the first prompt of a case that offers tools; their schemas follow, one a line."""

SCENE = """\
You can call these tools. To call one, answer with

<tool_call>
{"name": "NAME", "arguments": {…}}
</tool_call>

Several calls may follow one another. Their results come back in the next message, each as

<tool_result>
…
</tool_result>

When no call is needed any more, answer in plain text.

"""
"""The same for a case that is played in a scene, where calls are really made."""

RESULT = "<tool_result>\n{result}\n</tool_result>"
"""What a call came back with, as it came; those of one reply stand in its order, one a line."""

DIGEST = digest_of_json({"template": TEMPLATE})
"""What a row names the form by."""

SCENE_DIGEST = digest_of_json({"template": SCENE, "result": RESULT})


def offer(tools: Sequence[Mapping[str, Any]], template: str = TEMPLATE) -> str:
    """The text by which tools are offered."""
    schemas = (json.dumps(tool["function"], ensure_ascii=False) for tool in tools)
    return template + "".join(f"{schema}\n" for schema in schemas) + "\n"


def results(answers: Iterable[str]) -> str:
    """The message by which the calls of a reply are answered."""
    return "\n".join(RESULT.replace("{result}", answer) for answer in answers)


def calls_in(content: str) -> tuple[Call, ...]:
    """The calls that a reply makes in this form, in its order."""
    found = []
    for number, block in enumerate(_blocks(content)):
        try:
            call = json.loads(block)
            name, arguments = call["name"], call.get("arguments") or {}
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            continue
        if isinstance(name, str):
            sent = arguments if isinstance(arguments, str) else json.dumps(arguments)
            found.append(Call(f"prompted-{number}", name, sent))
    return tuple(found)


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
