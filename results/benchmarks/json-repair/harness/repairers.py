"""The systems under test: one object each, and one tuple that lists them.

Each is called in the plain way that its documentation shows, with the text and nothing else. No
option is set, and nothing is tried a second time in another way.

A library is imported where its system is loaded, so that each process holds just one of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module


@dataclass(frozen=True, slots=True)
class Loaded:
    """A system that is ready to read texts."""

    read: Callable[[str], object]
    """Takes one text and returns the document in it, or None or an empty text where it has none."""

    refusals: tuple[type[Exception], ...] = ()
    """What it raises, by its own documentation, when it cannot read a text."""


@dataclass(frozen=True, slots=True)
class Repairer:
    """One program in the one configuration that is tested."""

    id: str
    """Its name in the results, and what it is installed from unless it is the standard library."""

    surface: str
    """The call that is used."""

    load: Callable[[], Loaded]
    """Imports the library."""

    own: bool = True
    """Whether it is a package; the standard library is none."""


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


SYSTEMS: tuple[Repairer, ...] = (
    Repairer("json-repair", "json_repair.loads", _json_repair),
    Repairer("fix-busted-json", "fix_busted_json.repair_json", _fix_busted_json),
    Repairer("dirtyjson", "dirtyjson.loads", _dirtyjson),
    Repairer("demjson3", "demjson3.decode", _demjson3),
    Repairer("json5", "json5.loads", _json5),
    Repairer("pyjson5", "pyjson5.decode", _pyjson5),
    Repairer("hjson", "hjson.loads", _hjson),
    Repairer("chompjs", "chompjs.parse_js_object", _chompjs),
    Repairer("json", "json.loads", _standard_library, own=False),
)
