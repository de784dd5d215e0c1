"""Shifts: who works when."""

from __future__ import annotations

from workshop.declaration import Action, Given, Json, Refused, clock, day, reference, text
from workshop.listing import says, whole
from workshop.store import Store

SHIFT = reference("shift")


def _search(store: Store, given: Given) -> Json:
    first, last = given.maybe("from_date"), given.maybe("to_date")
    return whole(
        store,
        "shift",
        (
            shift
            for shift in store.all("shift")
            if says(shift, given.maybe("worker"), "worker")
            and (first is None or shift["on_date"] >= first)
            and (last is None or shift["on_date"] <= last)
        ),
    )


def _create(store: Store, given: Given) -> Json:
    fields = given.some("name", "worker", "on_date", "starts_at", "ends_at")
    if fields["starts_at"] >= fields["ends_at"]:
        raise Refused("Invalid times: ends_at must be later than starts_at on the same day.")
    return store.view("shift", store.add("shift", fields))


def _reassign(store: Store, given: Given) -> Json:
    shift = store.find("shift", given.text("shift_id"))
    return store.change("shift", shift, worker=given.text("worker"))


def _delete(store: Store, given: Given) -> Json:
    shift = store.find("shift", given.text("shift_id"))
    store.remove("shift", shift)
    return {"deleted": shift["name"]}


ACTIONS = (
    Action(
        "shift",
        "search",
        "Shows shifts with worker, day and times. All filters that are given apply.",
        _search,
        (
            text("worker", "Only those of whoever is called so.", required=False),
            day("from_date", "Only from this day on", required=False),
            day("to_date", "Only up to this day", required=False),
        ),
        also="who works when rota roster schedule list find day",
    ),
    Action(
        "shift",
        "create",
        "Plans a shift for somebody.",
        _create,
        (
            text("name", "What is to be done, such as Front desk."),
            text("worker", "Who is to do it."),
            day("on_date", "The day"),
            clock("starts_at", "When it begins", "08:00"),
            clock("ends_at", "When it is over", "16:00"),
        ),
        changes=True,
        also="add new schedule plan rota roster work put",
    ),
    Action(
        "shift",
        "reassign",
        "Gives a planned shift to somebody else. Day and times stay.",
        _reassign,
        (SHIFT, text("worker", "Who is to do it instead.")),
        changes=True,
        also="swap take over replace give someone else cover change worker",
    ),
    Action(
        "shift",
        "delete",
        "Takes a shift out of the plan, so that nobody does it.",
        _delete,
        (SHIFT,),
        changes=True,
        destructive=True,
        also="remove cancel drop rota roster",
    ),
)
