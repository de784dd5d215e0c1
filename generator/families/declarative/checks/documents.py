"""Checks on the JSON document in what was said, mended first where that is possible."""

from generator.families.declarative.checks.check import (
    Asked,
    CheckFault,
    CheckType,
    Passes,
    comparable,
)
from generator.families.declarative.javascript import at_path, loosely_equal, type_of
from generator.families.declarative.reply import Reply
from generator.messages import N_


def _json_valid(asked: Asked) -> Passes:
    if asked.value is not None:
        message = f"a json_valid takes no value, and has {asked.value!r}"
        raise CheckFault(message)
    return lambda reply: reply.document is not None


def _json_path_equals(asked: Asked) -> Passes:
    path, wanted = asked.path or "", comparable(asked)

    def passes(reply: Reply) -> bool:
        return reply.document is not None and loosely_equal(at_path(reply.document, path), wanted)

    return passes


def _json_path_type(asked: Asked) -> Passes:
    path, wanted = asked.path or "", asked.value
    if not isinstance(wanted, str) or not wanted:
        message = f"the value is the name of a type, not {wanted!r}"
        raise CheckFault(message)

    def passes(reply: Reply) -> bool:
        if reply.document is None:
            return False
        found = at_path(reply.document, path)
        return isinstance(found, list) if wanted == "array" else type_of(found) == wanted

    return passes


def _json_path_length(asked: Asked) -> Passes:
    path, wanted = asked.path or "", asked.value
    if isinstance(wanted, bool) or not isinstance(wanted, int) or wanted < 0:
        message = f"the value is a number of items, not {wanted!r}"
        raise CheckFault(message)

    def passes(reply: Reply) -> bool:
        found = at_path(reply.document, path)
        return isinstance(found, list) and len(found) == wanted

    return passes


DOCUMENTS: tuple[CheckType, ...] = (
    CheckType("json_valid", N_("is a JSON document"), _json_valid),
    CheckType(
        "json_path_equals", N_("at {path} of the JSON: {value}"), _json_path_equals, ("path",)
    ),
    CheckType(
        "json_path_type", N_("the type at {path} of the JSON: {value}"), _json_path_type, ("path",)
    ),
    CheckType(
        "json_path_length",
        N_("number of items at {path} of the JSON: {value}"),
        _json_path_length,
        ("path",),
    ),
)
