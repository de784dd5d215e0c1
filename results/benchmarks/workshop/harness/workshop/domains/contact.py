"""How somebody is reached, for suppliers and customers alike."""

from __future__ import annotations

import re

from workshop.declaration import Argument, Form, Refused, like

EMAIL = Form(r"^[^@\s]+@[^@\s]+$", "anna@example.org")
PHONE = Form(r"^\+?[0-9][0-9 ]{4,20}$", "+39 02 5550 147")

_FORMS = {"email": EMAIL, "phone": PHONE}


def email(*, required: bool = True) -> Argument:
    """The argument for an address of electronic mail."""
    return like("email", "Address for mail.", EMAIL, required=required)


def phone(*, required: bool = True) -> Argument:
    """The argument for a number to call."""
    return like("phone", "Number to call: digits and spaces, + first.", PHONE, required=required)


def corrected(detail: str, value: str) -> dict[str, str]:
    """A detail with its new value, if that is of the detail's form; raises Refused."""
    if detail in _FORMS:
        form = _FORMS[detail]
        if not re.search(form.pattern, value):
            raise Refused(f"Invalid value for {detail}: {value} is not like {form.example}.")
    return {detail: value}
