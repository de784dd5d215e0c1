"""Orders: what a customer wants repaired."""

from __future__ import annotations

from workshop.declaration import Action, Given, Json, day, one_of, reference, text, whole
from workshop.listing import listed, says
from workshop.store import Store, StoreError, Thing

PRIORITY = ("low", "normal", "urgent")
STATUS = ("open", "done", "cancelled")
ORDER = reference("order")


def _search(store: Store, given: Given) -> Json:
    named = given.maybe("customer_id")
    customer = store.find("customer", named)["id"] if named else None
    words, status, before = (given.maybe(name) for name in ("words", "status", "due_before"))
    return listed(
        order
        for order in store.all("order")
        if says(order, words, "name")
        and customer in (None, order["customer"])
        and status in (None, order["status"])
        and (before is None or (order["due_date"] is not None and order["due_date"] < before))
    )


def _read(store: Store, given: Given) -> Json:
    return store.view("order", store.find("order", given.text("order_id")))


def _create(store: Store, given: Given) -> Json:
    fields = given.some("name", "priority", "due_date")
    fields["customer"] = store.find("customer", given.text("customer_id"))["id"]
    machine = given.maybe("machine_id")
    if machine:
        fields["machine"] = store.find("machine", machine)["id"]
    return store.view("order", store.add("order", fields))


def _set_priority(store: Store, given: Given) -> Json:
    order = _open(store, given)
    changed = store.change("order", order, priority=given.text("priority"))
    return store.view("order", changed)


def _reschedule(store: Store, given: Given) -> Json:
    order = _open(store, given)
    changed = store.change("order", order, due_date=given.text("due_date"))
    return store.view("order", changed)


def _use_part(store: Store, given: Given) -> Json:
    order = _open(store, given)
    store.use(order, store.find("part", given.text("part_id")), given.whole("quantity"))
    return store.view("order", store.find("order", order["id"]))


def _complete(store: Store, given: Given) -> Json:
    return store.view("order", store.change("order", _open(store, given), status="done"))


def _cancel(store: Store, given: Given) -> Json:
    order = _open(store, given)
    store.put_back(order)
    return store.view("order", store.change("order", order, status="cancelled"))


def _open(store: Store, given: Given) -> Thing:
    order = store.find("order", given.text("order_id"))
    if order["status"] != "open":
        raise StoreError(f"The order {order['name']} is {order['status']} and stays as it is.")
    return order


ACTIONS = (
    Action(
        "order",
        "search",
        "Lists repair orders (ids and names). All filters that are given apply.",
        _search,
        (
            text("words", "Words that the order's name contains.", required=False),
            reference("customer", "Only what this customer ordered", required=False),
            one_of("status", "Only those that are so.", STATUS, required=False),
            day("due_before", "Only what is due before this day", required=False),
        ),
        also="find list jobs repairs work late overdue open whose",
    ),
    Action(
        "order",
        "read",
        "Everything about one repair order: customer, machine, priority, status, due date and"
        " the parts that went into it.",
        _read,
        (ORDER,),
        also="show look up job details what used",
    ),
    Action(
        "order",
        "create",
        "Takes in a repair for a customer. The order is open.",
        _create,
        (
            reference("customer", "Who wants it"),
            text("name", "What is to be done, in a few words."),
            reference("machine", "What is to be repaired", required=False),
            one_of("priority", "How soon; normal if left out.", PRIORITY, required=False),
            day("due_date", "When it is to be finished", required=False),
        ),
        changes=True,
        also="add new job open take repair request",
    ),
    Action(
        "order",
        "set_priority",
        "Says how soon an open order is to be worked on.",
        _set_priority,
        (ORDER, one_of("priority", "How soon.", PRIORITY)),
        changes=True,
        also="urgent hurry first important job change",
    ),
    Action(
        "order",
        "reschedule",
        "Sets the day on which an open order is to be finished.",
        _reschedule,
        (ORDER, day("due_date", "The new day")),
        changes=True,
        also="postpone later earlier date deadline move job change",
    ),
    Action(
        "order",
        "use_part",
        "Books spare parts on an open order; they leave the stock.",
        _use_part,
        (ORDER, reference("part", "What goes in"), whole("quantity", "How many.", low=1)),
        changes=True,
        also="consume install fit book material job add",
    ),
    Action(
        "order",
        "complete",
        "Says that the work on an open order is done. It can be invoiced before and after.",
        _complete,
        (ORDER,),
        changes=True,
        also="finish done close job ready mark",
    ),
    Action(
        "order",
        "cancel",
        "Gives up an open order: it will not be done, and parts booked on it go back into stock.",
        _cancel,
        (ORDER,),
        changes=True,
        destructive=True,
        also="call off abandon stop drop job delete remove",
    ),
)
