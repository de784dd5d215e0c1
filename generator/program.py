"""Puts functions of Python behind `command:`: a case comes in, what became of it goes out.

A harness says how each function is called, and what of its result is the answer:

    if __name__ == "__main__":
        answer({"mine": lambda: Loaded(mine.parse, refusals=(ValueError,))}, str)

The first argument of the program names the function. One process answers one case; a time-out, the
death of the process and how long it took are for `results run` to see.

It imports nothing but the standard library, so that the process holds what is measured and no more.
"""

import json
import os
import re
import sys
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

LONGEST = 500
"""Characters that are kept of a library's words."""

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+\b")
_PATH = re.compile(r"(?<![\w/.\\:])(?:[A-Za-z]:)?(?:[\\/][\w.+~-]+){2,}")


class Loaded(NamedTuple):
    """A function that is ready to be asked."""

    read: Callable[[str], object]
    """Takes the prompt of a case; what it returns is the library's own."""

    refusals: tuple[type[Exception], ...] = ()
    """What it raises, by its own documentation, when it declines."""


class Declined(Exception):
    """What was returned holds no answer, in the harness's words."""


def answer(functions: Mapping[str, Callable[[], Loaded]], written: Callable[[object], str]) -> None:
    """Answer the case on standard input by the function that the first argument names.

    Each of `functions` imports its library when it is called, so that a process holds one of them.
    `written` makes the answer of what was returned, or raises Declined.
    """
    out = _taken_aside()
    given = json.load(sys.stdin.buffer)
    try:
        loaded = functions[sys.argv[1]]()
    except Exception as fault:  # noqa: BLE001  a library that is not there has not failed at a case
        said = {"outcome": "harness_error", "reason": named(fault)}
    else:
        said = observed(loaded, given["prompt"], written)
    with os.fdopen(out, "wb") as file:
        file.write(json.dumps(said).encode())


def observed(loaded: Loaded, prompt: str, written: Callable[[object], str]) -> dict[str, Any]:
    """Whether a function answered, declined or failed, and its words."""
    try:
        return {"content": written(loaded.read(prompt))}
    except Declined as declined:
        return {"refusal": str(declined)}
    except loaded.refusals as refusal:
        return {"refusal": named(refusal)}
    except (Exception, SystemExit) as fault:  # noqa: BLE001  whatever it raises is what is observed
        return {"outcome": "failed", "reason": named(fault)}


def named(fault: BaseException) -> str:
    """An exception in one line, by its name."""
    return normalised(f"{type(fault).__name__}: {fault}".rstrip(": "))


def normalised(words: str) -> str:
    """Words of a library, the same on every machine: no address, no path, one line, not long."""
    line = " ".join(_PATH.sub("<path>", _ADDRESS.sub("<address>", words)).split())
    line = line.encode(errors="backslashreplace").decode()  # half a surrogate pair is no text
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def _taken_aside() -> int:
    """Standard output for us alone: what a library prints leads nowhere, and mixes with nothing."""
    out = os.dup(1)
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123  a device, not a file of ours
        for stream in (1, 2):
            os.dup2(nowhere.fileno(), stream)
    return out
