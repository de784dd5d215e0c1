"""Spare parts: what lies on the shelves."""

from __future__ import annotations

from workshop.declaration import (
    Action,
    Argument,
    Form,
    Given,
    Json,
    like,
    reference,
    text,
    whole,
    yes_no,
)
from workshop.listing import listed, says
from workshop.store import Store, StoreError

SHELF = Form(r"^[A-Z][0-9]{1,2}$", "C12")
PART = reference("part")


def _search(store: Store, given: Given) -> Json:
    supplier = given.maybe("supplier_id")
    source = store.find("supplier", supplier)["id"] if supplier else None
    return listed(
        part
        for part in store.all("part")
        if says(part, given.maybe("words"), "name")
        and given.maybe("shelf_code") in (None, part["shelf_code"])
        and source in (None, part["supplier"])
        and (not given.flag("below_minimum") or part["stock"] < part["minimum_stock"])
    )


def _read(store: Store, given: Given) -> Json:
    return store.view("part", store.find("part", given.text("part_id")))


def _create(store: Store, given: Given) -> Json:
    fields = given.some("minimum_stock", "shelf_code")
    fields |= {"name": given.text("name"), "unit_price_cents": given.whole("unit_price_cents")}
    fields |= {"stock": given.whole("opening_stock")}
    supplier = given.maybe("supplier_id")
    if supplier:
        fields["supplier"] = store.find("supplier", supplier)["id"]
    return store.view("part", store.add("part", fields))


def _rename(store: Store, given: Given) -> Json:
    part = store.find("part", given.text("part_id"))
    return store.view("part", store.change("part", part, name=given.text("new_name")))


def _set_price(store: Store, given: Given) -> Json:
    part = store.find("part", given.text("part_id"))
    price = given.whole("unit_price_cents")
    return store.view("part", store.change("part", part, unit_price_cents=price))


def _relocate(store: Store, given: Given) -> Json:
    part = store.find("part", given.text("part_id"))
    shelf = given.text("shelf_code")
    return store.view("part", store.change("part", part, shelf_code=shelf))


def _adjust_stock(store: Store, given: Given) -> Json:
    part = store.find("part", given.text("part_id"))
    stock = part["stock"] + given.whole("difference")
    if stock < 0:
        raise StoreError(f"Out of stock: only {part['stock']} of {part['name']} are there.")
    return store.view("part", store.change("part", part, stock=stock))


def _delete(store: Store, given: Given) -> Json:
    part = store.find("part", given.text("part_id"))
    store.remove("part", part)
    return {"deleted": part["name"]}


ACTIONS = (
    Action(
        "part",
        "search",
        "Lists spare parts (ids and names, sorted by name). All filters that are given apply."
        " For stock, price, shelf and supplier of a part, read it.",
        _search,
        (
            text("words", "Words that the part's name contains.", required=False),
            like("shelf_code", "Only what lies on this shelf.", SHELF, required=False),
            reference("supplier", "Only what this supplier delivers", required=False),
            yes_no("below_minimum", "Only what has less stock than it should.", required=False),
        ),
        also="find list which spare stock low running out shelf deliver missing reorder",
    ),
    Action(
        "part",
        "read",
        "Everything about one spare part: stock, least stock, price, shelf and supplier.",
        _read,
        (PART,),
        also="show look up details how many left count cost kept where",
    ),
    Action(
        "part",
        "create",
        "Enters a spare part that the workshop did not keep so far.",
        _create,
        (
            text("name", "What it is to be called."),
            whole("unit_price_cents", "What one costs, in cents."),
            whole("opening_stock", "How many lie on the shelf now."),
            whole("minimum_stock", "How many there should at least be.", required=False),
            like("shelf_code", "The shelf that it lies on.", SHELF, required=False),
            reference("supplier", "Who delivers it", required=False),
        ),
        changes=True,
        also="add new item register enter",
    ),
    Action(
        "part",
        "rename",
        "Gives a spare part another name. Its id stays.",
        _rename,
        (PART, text("new_name", "What it is to be called from now on.")),
        changes=True,
        also="call title change label",
    ),
    Action(
        "part",
        "set_price",
        "Sets what one piece of a spare part costs. Invoices that exist keep their amounts.",
        _set_price,
        (PART, whole("unit_price_cents", "The price of one piece, in cents: 4.50 is 450.")),
        changes=True,
        also="cost change charge raise lower expensive cheap",
    ),
    Action(
        "part",
        "relocate",
        "Says that a spare part now lies on another shelf.",
        _relocate,
        (
            PART,
            like("shelf_code", "A capital letter and one or two digits.", SHELF),
        ),
        changes=True,
        also="move put place kept where bin rack change location",
    ),
    Action(
        "part",
        "adjust_stock",
        "Books a delivery or a loss: adds to the stock of a spare part, or takes from it."
        " For parts that go into a repair use order.use_part, which books them on the order too.",
        _adjust_stock,
        (
            PART,
            Argument(
                "difference",
                "How many more there are than before; negative where there are fewer.",
                {"type": "integer", "minimum": -10_000, "maximum": 10_000},
            ),
        ),
        changes=True,
        also="arrived received delivered count broken lost correct quantity restock more fewer",
    ),
    Action(
        "part",
        "delete",
        "Takes a spare part out of the books, with its stock. Not possible while an order uses it.",
        _delete,
        (PART,),
        changes=True,
        destructive=True,
        also="remove drop discontinue throw erase",
    ),
)
