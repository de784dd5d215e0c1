"""Values compared by what they mean, not by how they are spelled.

Every value has one form, and two are alike if their forms are the same: so whatever is like one of
two values that are alike is like the other too.

- A number, or a text that is one as JSON writes it, is that number: 3, 3.0 and "3" are alike. A
  text such as "007" is none, and stays the text that it is.
- true and "true" are alike, as are false and "false".
- Any other text is compared to the letter, without the white space around it.
- Arrays and objects are alike if their members are.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, TypeAlias

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_TRUTHS = {"true": True, "false": False}

Form: TypeAlias = tuple[str, Any]
"""A kind of value, and what of it is compared."""


def alike(one: Any, other: Any) -> bool:  # noqa: ANN401  any JSON value, as below
    """Whether two values of JSON mean the same."""
    return form_of(one) == form_of(other)


def form_of(value: Any) -> Form:  # noqa: ANN401
    """What a value of JSON comes to."""
    match value:
        case bool():
            return ("truth", value)
        case str():
            return _form_of_text(value.strip())
        case int() | float() | Decimal():
            return ("number", Decimal(repr(value)) if isinstance(value, float) else Decimal(value))
        case list() | tuple():
            return ("array", tuple(map(form_of, value)))
        case Mapping():
            return ("object", {name: form_of(inner) for name, inner in value.items()})
        case _:
            return ("nothing", value)


def _form_of_text(text: str) -> Form:
    if text in _TRUTHS:
        return ("truth", _TRUTHS[text])
    if _NUMBER.fullmatch(text):
        try:
            return ("number", Decimal(text))
        except ArithmeticError:  # an exponent beyond all reason
            return ("text", text)
    return ("text", text)
