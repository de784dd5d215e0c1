"""Suppliers: who delivers spare parts."""

from __future__ import annotations

from workshop.declaration import Action, Given, Json, Refused, one_of, reference, text, whole
from workshop.domains.contact import corrected, email, phone
from workshop.listing import listed, says
from workshop.store import Store

SUPPLIER = reference("supplier")


def _search(store: Store, given: Given) -> Json:
    words = given.maybe("words")
    suppliers = store.all("supplier")
    return listed(one for one in suppliers if says(one, words, "name", "email", "phone"))


def _read(store: Store, given: Given) -> Json:
    return store.view("supplier", store.find("supplier", given.text("supplier_id")))


def _create(store: Store, given: Given) -> Json:
    fields = given.some("name", "email", "phone", "lead_time_days")
    return store.view("supplier", store.add("supplier", fields))


def _update(store: Store, given: Given) -> Json:
    supplier = store.find("supplier", given.text("supplier_id"))
    detail, value = given.text("detail"), given.text("value")
    if detail != "lead_time_days":
        return store.change("supplier", supplier, **corrected(detail, value))
    if not value.isdecimal():
        raise Refused(f"Invalid value for lead_time_days: a whole number of days, not {value}.")
    return store.change("supplier", supplier, lead_time_days=int(value))


def _delete(store: Store, given: Given) -> Json:
    supplier = store.find("supplier", given.text("supplier_id"))
    store.remove("supplier", supplier)
    return {"deleted": supplier["name"]}


ACTIONS = (
    Action(
        "supplier",
        "search",
        "Lists suppliers (ids and names). For how to reach one and how long it takes, read it.",
        _search,
        (text("words", "Words that its name, email or phone contains.", required=False),),
        also="find list vendor who delivers phone",
    ),
    Action(
        "supplier",
        "read",
        "Everything about one supplier: email, phone and the days that a delivery takes."
        " What it delivers is found with part.search.",
        _read,
        (SUPPLIER,),
        also="show look up vendor contact reach delivery time how long",
    ),
    Action(
        "supplier",
        "create",
        "Enters a supplier that the workshop did not know so far.",
        _create,
        (
            text("name", "What the supplier is called."),
            email(required=False),
            phone(required=False),
            whole("lead_time_days", "Days from ordering to delivery.", required=False),
        ),
        changes=True,
        also="add new vendor register enter",
    ),
    Action(
        "supplier",
        "update",
        "Corrects one detail of a supplier; call it once for each detail.",
        _update,
        (
            SUPPLIER,
            one_of("detail", "Which detail.", ("name", "email", "phone", "lead_time_days")),
            text("value", "What it is from now on, as text: 14 days are 14."),
        ),
        changes=True,
        also="change edit vendor contact moved phone mail delivery time",
    ),
    Action(
        "supplier",
        "delete",
        "Takes a supplier out of the books. Parts that it delivered stay, without a supplier.",
        _delete,
        (SUPPLIER,),
        changes=True,
        destructive=True,
        also="remove vendor drop erase",
    ),
)
