"""The process that holds one system: a text comes in on a line, what became of it goes out on one.

    python child.py SYSTEMS_FILE SYSTEM

Lines are JSON: a string comes in, an object with `kind`, `text` and `elapsed_us` goes out. The
kinds are `ready` (once, when the library is loaded), `answered`, `refused` and `failed`. A time-out
and the death of this process are for the parent to see: a system that hangs cannot say so.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from importlib.util import module_from_spec, spec_from_file_location
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from repairers import Loaded

LONGEST = 500
"""Characters that are kept of a library's words."""

_EXACT = 2**53
"""Up to here every whole number is a float of its own."""

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+\b")
_PATH = re.compile(r"(?<![\w/.\\:])(?:[A-Za-z]:)?(?:[\\/][\w.+~-]+){2,}")


def answer_text(value: object) -> str:
    """A document as JSON text with sorted keys and no spaces: the same for the same document.

    What is no value of JSON stays visible: not-a-number as Python writes it, anything else as the
    text of its own description.
    """
    text = json.dumps(_plain(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode(errors="backslashreplace").decode()  # half a surrogate pair is no text


def _plain(value: object) -> object:
    match value:
        case None | bool() | int() | str():
            return value
        case float() | Decimal():
            return _number(value)
        case Mapping():
            return {_key(key): _plain(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_plain(inner) for inner in value]
        case _:
            return normalised(repr(value))


def _number(value: float | Decimal) -> float:  # an int is one too
    """JSON has one kind of number: 3.0 is 3."""
    number = float(value)
    return int(number) if number.is_integer() and abs(number) <= _EXACT else number


def _key(key: object) -> str:
    """A key is a text in JSON; another one is written as that value is."""
    return key if isinstance(key, str) else json.dumps(_plain(key))


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
    if value is None or value == "":
        return "refused", "nothing was returned"
    return "answered", answer_text(value)


def _named(exception: Exception) -> str:
    return normalised(f"{type(exception).__name__}: {exception}".rstrip(": "))


def load(systems_file: str, system_id: str) -> Loaded:
    """The system of that id from a file that defines `SYSTEMS`, ready to read."""
    spec = spec_from_file_location("systems_under_test", systems_file)
    if spec is None or spec.loader is None:
        raise ImportError(systems_file)
    module: Any = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    chosen = {system.id: system for system in module.SYSTEMS}[system_id]
    loaded: Loaded = chosen.load()
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
