"""Tools for endpoints that have none: offered in the prompt, and read from the reply.

The form is fixed, part of the row by its digest, and read without guessing: a reply that holds one
block of it makes a call, any other makes none.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from generator.records.base import digest_of_json
from generator.runners.dialects import Call

TEMPLATE = """\
You can call one of these tools. To call one, answer with nothing but

<tool_call>
{"name": "NAME", "arguments": {…}}
</tool_call>

Its result comes back in the next message. If no tool is needed, answer in plain text.

"""
"""Put before the first prompt of a case that offers tools; their schemas follow, one a line."""

_CALL = re.compile(r"<tool_call>([^<]*(?:<(?!/tool_call>)[^<]*)*)</tool_call>")


def offer(tools: Sequence[Mapping[str, Any]]) -> str:
    """The text by which tools are offered."""
    return TEMPLATE + "".join(f"{json.dumps(tool['function'])}\n" for tool in tools) + "\n"


def calls_in(content: str) -> tuple[Call, ...]:
    """The calls that a reply makes in this form, in its order."""
    found = []
    for number, block in enumerate(_CALL.findall(content)):
        try:
            call = json.loads(block)
            name, arguments = call["name"], call.get("arguments") or {}
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            continue
        if isinstance(name, str):
            found.append(Call(f"prompted-{number}", name, json.dumps(arguments)))
    return tuple(found)


DIGEST = digest_of_json({"template": TEMPLATE})
"""What a row names the form by."""
