"""The process that holds one system: a text comes in on a line, what became of it goes out on one.

    python worker.py SYSTEMS_FILE SYSTEM REFERENCE

Lines are JSON: a string comes in, an object with `kind`, `text` and `elapsed_us` goes out. The
kinds are `ready` (once, when the library is loaded), `answered`, `refused` and `failed`. A time-out
and the death of this process are for the parent to see: a system that hangs cannot say so.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from importlib.util import module_from_spec, spec_from_file_location
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from systems import Loaded

LONGEST = 500
"""Characters that are kept of a library's words."""

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+\b")
_PATH = re.compile(r"(?<![\w/.\\:])(?:[A-Za-z]:)?(?:[\\/][\w.+~-]+){2,}")


def answer_text(value: object) -> str:
    """The calendar dates in what a system returned, in its order, each once, between spaces."""
    return " ".join(dict.fromkeys(day.isoformat() for day in _dates(value)))


def _dates(value: object) -> Iterator[date]:
    if isinstance(value, datetime):
        yield value.date()
    elif isinstance(value, date):
        yield value
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _dates(part)


def normalised(words: str) -> str:
    """Words of a library, the same on every machine: no address, no path, one line, not long."""
    line = " ".join(_PATH.sub("<path>", _ADDRESS.sub("<address>", words)).split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def outcome(system: Loaded, text: str) -> tuple[str, str]:
    """Whether the system answered, refused or failed, and its words."""
    try:
        value = system.read(text)
    except system.refusals as refusal:
        return "refused", _named(refusal)
    except Exception as failure:  # noqa: BLE001  whatever else it raises is what is observed here
        return "failed", _named(failure)
    if answer := answer_text(value):
        return "answered", answer
    if value is None or value == []:
        return "refused", "nothing was returned"
    return "refused", f"what was returned holds no date: {type(value).__name__}"


def _named(exception: Exception) -> str:
    return normalised(f"{type(exception).__name__}: {exception}".rstrip(": "))


def load(systems_file: str, system_id: str, reference: str) -> Loaded:
    """The system of that id from a file that defines `SYSTEMS`, ready to read."""
    spec = spec_from_file_location("systems_under_test", systems_file)
    if spec is None or spec.loader is None:
        raise ImportError(systems_file)
    module: Any = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    chosen = {system.id: system for system in module.SYSTEMS}[system_id]
    loaded: Loaded = chosen.load(datetime.fromisoformat(reference))
    return loaded


def replies(system: Loaded, lines: Iterable[bytes]) -> Iterator[dict[str, str | int]]:
    """One reply for each line."""
    for line in lines:
        text = json.loads(line)
        began = perf_counter_ns()
        kind, words = outcome(system, text)
        yield {"kind": kind, "text": words, "elapsed_us": (perf_counter_ns() - began) // 1000}


def main(arguments: list[str]) -> None:
    """Load the system, say so, and read until the parent closes the pipe."""
    # What a library prints must not mix with the replies: they get a descriptor of their own.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0) as out:
        with open(os.devnull, "wb") as nowhere:  # noqa: PTH123  a device, not a file of ours
            os.dup2(nowhere.fileno(), sys.stdout.fileno())

        def say(reply: dict[str, str | int]) -> None:
            out.write(json.dumps(reply).encode() + b"\n")

        try:
            system = load(*arguments)
        except Exception as failure:  # noqa: BLE001  the parent tells it to the person who runs this
            say({"kind": "failed", "text": _named(failure), "elapsed_us": 0})
            return
        say({"kind": "ready", "text": "", "elapsed_us": 0})
        for reply in replies(system, sys.stdin.buffer):
            say(reply)


if __name__ == "__main__":
    main(sys.argv[1:])
