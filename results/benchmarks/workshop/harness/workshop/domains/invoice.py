"""Invoices: what customers owe for orders."""

from __future__ import annotations

from workshop.declaration import Action, Given, Json, day, one_of, reference, text, whole
from workshop.listing import listed, says
from workshop.store import Store, StoreError, Thing

STATUS = ("draft", "sent", "paid", "void")
INVOICE = reference("invoice")


def _search(store: Store, given: Given) -> Json:
    named = given.maybe("order_id")
    order = store.find("order", named)["id"] if named else None
    words, status, before = (given.maybe(name) for name in ("words", "status", "due_before"))
    return listed(
        invoice
        for invoice in store.all("invoice")
        if says(invoice, words, "name")
        and order in (None, invoice["order"])
        and status in (None, invoice["status"])
        and (before is None or (invoice["due_date"] is not None and invoice["due_date"] < before))
    )


def _read(store: Store, given: Given) -> Json:
    return store.view("invoice", store.find("invoice", given.text("invoice_id")))


def _create(store: Store, given: Given) -> Json:
    fields = given.some("name", "amount_cents", "due_date")
    fields["order"] = store.find("order", given.text("order_id"))["id"]
    return store.view("invoice", store.add("invoice", fields))


def _send(store: Store, given: Given) -> Json:
    return _moved(store, given, ("draft",), "sent")


def _record_payment(store: Store, given: Given) -> Json:
    return _moved(store, given, ("sent",), "paid")


def _void(store: Store, given: Given) -> Json:
    return _moved(store, given, ("draft", "sent"), "void")


def _moved(store: Store, given: Given, only: tuple[str, ...], to: str) -> Thing:
    invoice = store.find("invoice", given.text("invoice_id"))
    if invoice["status"] not in only:
        raise StoreError(
            f"The invoice {invoice['name']} is {invoice['status']}; only {' or '.join(only)} ones"
            f" become {to}."
        )
    return store.view("invoice", store.change("invoice", invoice, status=to))


ACTIONS = (
    Action(
        "invoice",
        "search",
        "Lists invoices (ids and names). All filters that are given apply.",
        _search,
        (
            text("words", "Words that the invoice's name contains.", required=False),
            reference("order", "Only those for this order", required=False),
            one_of("status", "Only those that are so.", STATUS, required=False),
            day("due_before", "Only what is due before this day", required=False),
        ),
        also="find list bills unpaid overdue owe outstanding",
    ),
    Action(
        "invoice",
        "read",
        "Everything about one invoice: its order, amount, status and due date.",
        _read,
        (INVOICE,),
        also="show look up bill amount owe how much",
    ),
    Action(
        "invoice",
        "create",
        "Drafts an invoice for an order. Nothing goes out before it is sent.",
        _create,
        (
            reference("order", "What it is for"),
            text("name", "Its number, or what it is to be called."),
            whole("amount_cents", "What is to be paid, in cents: 120.00 is 12000.", low=1),
            day("due_date", "When it is to be paid by", required=False),
        ),
        changes=True,
        also="bill charge draft new write",
    ),
    Action(
        "invoice",
        "send",
        "Sends a drafted invoice to the customer of its order.",
        _send,
        (INVOICE,),
        changes=True,
        also="mail issue out bill customer deliver",
    ),
    Action(
        "invoice",
        "record_payment",
        "Says that an invoice that was sent has been paid in full.",
        _record_payment,
        (INVOICE,),
        changes=True,
        also="paid money received settle mark bill",
    ),
    Action(
        "invoice",
        "void",
        "Declares an invoice void: nobody owes it any longer. One that is paid can't be voided.",
        _void,
        (INVOICE,),
        changes=True,
        destructive=True,
        also="cancel annul bill delete remove withdraw",
    ),
)
