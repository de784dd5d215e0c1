"""Reads the text of a case by one program: `python repairers.py NAME`, see benchmark.toml.

Each is called in the plain way that its documentation shows, with the text and nothing else. No
option is set, and nothing is tried a second time in another way.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from importlib import import_module

from generator.program import Declined, Loaded, answer, normalised

_EXACT = 2**53
"""Up to here every whole number is a float of its own."""


def _json_repair() -> Loaded:
    # The README: an empty string where nothing could be made of the text. It documents no exception
    # for a text in this mode.
    return Loaded(import_module("json_repair").loads)


def _fix_busted_json() -> Loaded:
    # It returns a text, which its caller loads, and an error of json.loads is one that the caller
    # sees. The README names no exception; JsonFixError is the one that the package defines.
    package = import_module("fix_busted_json")
    return Loaded(
        lambda text: json.loads(package.repair_json(text)),
        refusals=(package.JsonFixError, json.JSONDecodeError),
    )


def _dirtyjson() -> Loaded:
    # Error is the exception that the package exports, a ValueError.
    dirtyjson = import_module("dirtyjson")
    return Loaded(dirtyjson.loads, refusals=(dirtyjson.Error,))


def _demjson3() -> Loaded:
    # "the first decoding error is raised": the docstring of decode, which names JSONDecodeError.
    demjson3 = import_module("demjson3")
    return Loaded(demjson3.decode, refusals=(demjson3.JSONDecodeError,))


def _json5() -> Loaded:
    # ValueError "if given an invalid document": the docstring of loads.
    return Loaded(import_module("json5").loads, refusals=(ValueError,))


def _pyjson5() -> Loaded:
    # Json5DecoderException: the docstring of decode.
    pyjson5 = import_module("pyjson5")
    return Loaded(pyjson5.decode, refusals=(pyjson5.Json5DecoderException,))


def _hjson() -> Loaded:
    # HjsonDecodeError is the exception that the package exports, a ValueError.
    hjson = import_module("hjson")
    return Loaded(hjson.loads, refusals=(hjson.HjsonDecodeError,))


def _chompjs() -> Loaded:
    # "Raises ValueError on failure": the README.
    return Loaded(import_module("chompjs").parse_js_object, refusals=(ValueError,))


def _standard_library() -> Loaded:
    return Loaded(json.loads, refusals=(json.JSONDecodeError,))


REPAIRERS: dict[str, Callable[[], Loaded]] = {
    "json-repair": _json_repair,
    "fix-busted-json": _fix_busted_json,
    "dirtyjson": _dirtyjson,
    "demjson3": _demjson3,
    "json5": _json5,
    "pyjson5": _pyjson5,
    "hjson": _hjson,
    "chompjs": _chompjs,
    "json": _standard_library,
}


def answer_text(value: object) -> str:
    """A document as JSON text with sorted keys and no spaces: the same for the same document.

    What is no value of JSON stays visible: not-a-number as Python writes it, anything else as the
    text of its own description. Nothing and an empty text are no document.
    """
    if value is None or value == "":
        raise Declined("nothing was returned")
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


if __name__ == "__main__":
    answer(REPAIRERS, answer_text)
