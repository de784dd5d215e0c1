"""Customers: whose machines and orders they are."""

from __future__ import annotations

from workshop.declaration import Action, Given, Json, one_of, reference, text
from workshop.domains.contact import corrected, email, phone
from workshop.listing import listed, says
from workshop.store import Store

CUSTOMER = reference("customer")


def _search(store: Store, given: Given) -> Json:
    words = given.maybe("words")
    return listed(
        one for one in store.all("customer") if says(one, words, "name", "email", "phone", "city")
    )


def _read(store: Store, given: Given) -> Json:
    return store.view("customer", store.find("customer", given.text("customer_id")))


def _create(store: Store, given: Given) -> Json:
    fields = given.some("name", "email", "phone", "city")
    return store.view("customer", store.add("customer", fields))


def _update(store: Store, given: Given) -> Json:
    customer = store.find("customer", given.text("customer_id"))
    correction = corrected(given.text("detail"), given.text("value"))
    return store.change("customer", customer, **correction)


def _delete(store: Store, given: Given) -> Json:
    customer = store.find("customer", given.text("customer_id"))
    store.remove("customer", customer)
    return {"deleted": customer["name"]}


ACTIONS = (
    Action(
        "customer",
        "search",
        "Lists customers (ids and names). For how to reach one, read it.",
        _search,
        (text("words", "Words that name, email, phone or city contain.", required=False),),
        also="find list client who phone caller lives",
    ),
    Action(
        "customer",
        "read",
        "Everything about one customer: email, phone and city."
        " What they ordered is found with order.search.",
        _read,
        (CUSTOMER,),
        also="show look up client contact reach address city",
    ),
    Action(
        "customer",
        "create",
        "Enters somebody who was no customer so far.",
        _create,
        (
            text("name", "First and last name, or the firm's."),
            email(required=False),
            phone(required=False),
            text("city", "Where they live.", required=False),
        ),
        changes=True,
        also="add new client register enter",
    ),
    Action(
        "customer",
        "update",
        "Corrects one detail of a customer; call it once for each detail.",
        _update,
        (
            CUSTOMER,
            one_of("detail", "Which detail.", ("name", "email", "phone", "city")),
            text("value", "What it is from now on."),
        ),
        changes=True,
        also="change edit client contact moved address city phone mail",
    ),
    Action(
        "customer",
        "delete",
        "Takes a customer and all their details out of the books. Not possible while there are"
        " orders of theirs.",
        _delete,
        (CUSTOMER,),
        changes=True,
        destructive=True,
        also="remove client forget erase privacy",
    ),
)
