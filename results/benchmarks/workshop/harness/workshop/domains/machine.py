"""Machines: what stands in the bays, the workshop's own and those under repair."""

from __future__ import annotations

from workshop.declaration import Action, Form, Given, Json, like, one_of, reference, text, whole
from workshop.listing import listed, says
from workshop.store import Store, StoreError

STATUS = ("ready", "in_repair", "out_of_order")
BAY = Form(r"^[0-9]{1,2}[A-Z]$", "4B")
MACHINE = reference("machine")


def _search(store: Store, given: Given) -> Json:
    words, status, bay = (given.maybe(name) for name in ("words", "status", "bay_code"))
    return listed(
        machine
        for machine in store.all("machine")
        if says(machine, words, "name", "serial_number")
        and status in (None, machine["status"])
        and bay in (None, machine["bay_code"])
    )


def _read(store: Store, given: Given) -> Json:
    return store.view("machine", store.find("machine", given.text("machine_id")))


def _create(store: Store, given: Given) -> Json:
    fields = given.some("name", "serial_number", "bay_code")
    return store.view("machine", store.add("machine", fields))


def _set_status(store: Store, given: Given) -> Json:
    machine = store.find("machine", given.text("machine_id"))
    return store.change("machine", machine, status=given.text("status"))


def _record_hours(store: Store, given: Given) -> Json:
    machine = store.find("machine", given.text("machine_id"))
    hours = given.whole("meter_hours")
    if hours < machine["meter_hours"]:
        raise StoreError(f"A meter never runs back: it stood at {machine['meter_hours']}.")
    return store.change("machine", machine, meter_hours=hours)


def _scrap(store: Store, given: Given) -> Json:
    machine = store.find("machine", given.text("machine_id"))
    store.remove("machine", machine)
    return {"scrapped": machine["name"]}


ACTIONS = (
    Action(
        "machine",
        "search",
        "Lists machines (ids and names). All filters that are given apply.",
        _search,
        (
            text("words", "Words that name or serial number contain.", required=False),
            one_of("status", "Only those in this condition.", STATUS, required=False),
            like("bay_code", "Only what stands in this bay.", BAY, required=False),
        ),
        also="find list equipment tool which broken bay serial",
    ),
    Action(
        "machine",
        "read",
        "Everything about one machine: serial number, bay, condition and running hours.",
        _read,
        (MACHINE,),
        also="show look up equipment where stands hours",
    ),
    Action(
        "machine",
        "create",
        "Enters a machine that the workshop did not have in its books so far. It counts as ready.",
        _create,
        (
            text("name", "What it is to be called."),
            text("serial_number", "The number on its plate."),
            like("bay_code", "The bay that it stands in.", BAY, required=False),
        ),
        changes=True,
        also="add new equipment register enter",
    ),
    Action(
        "machine",
        "set_status",
        "Says in which condition a machine is: ready for work, in_repair while somebody works on"
        " it, out_of_order where it must not be used.",
        _set_status,
        (MACHINE, one_of("status", "The condition that it is in now.", STATUS)),
        changes=True,
        also="broken repaired ready works state condition mark change lock",
    ),
    Action(
        "machine",
        "record_hours",
        "Writes down how many hours a machine has run in all, as its meter shows.",
        _record_hours,
        (MACHINE, whole("meter_hours", "What the meter shows, not what was added.")),
        changes=True,
        also="meter reading counter running log",
    ),
    Action(
        "machine",
        "scrap",
        "Takes a machine out of the books for good. For one that may run again, set its status.",
        _scrap,
        (MACHINE,),
        changes=True,
        destructive=True,
        also="remove delete discard equipment throw erase",
    ),
)
