"""How somebody is reached, for suppliers and customers alike."""

from __future__ import annotations

import re

from workshop.declaration import Argument, Refused, like

EMAIL = r"^[^@\s]+@[^@\s]+$"
PHONE = r"^\+?[0-9][0-9 ]{4,20}$"

_FORMS = {"email": (EMAIL, "anna@example.org"), "phone": (PHONE, "+39 02 5550 147")}


def email(*, required: bool = True) -> Argument:
    """The argument for an address of electronic mail."""
    return like("email", "Address for mail, such as anna@example.org.", EMAIL, required=required)


def phone(*, required: bool = True) -> Argument:
    """The argument for a number to call."""
    return like("phone", "Number to call: digits and spaces, + first.", PHONE, required=required)


def corrected(detail: str, value: str) -> dict[str, str]:
    """A detail with its new value, if that is of the detail's form; raises Refused."""
    if detail in _FORMS:
        pattern, example = _FORMS[detail]
        if not re.search(pattern, value):
            raise Refused(f"Invalid value for {detail}: {value} is not of the form {example}.")
    return {detail: value}
