"""Notes: what people in the workshop tell each other about things."""

from __future__ import annotations

from workshop.declaration import Action, Given, Json, reference, text, yes_no
from workshop.listing import says, whole
from workshop.store import Store

ABOUT = ("order", "machine", "customer", "supplier", "part")
"""The kinds of things that a note can be about."""

NOTE = reference("note")


def _search(store: Store, given: Given) -> Json:
    named = given.maybe("about_id")
    about = store.find_any(ABOUT, named)["id"] if named else None
    return whole(
        store,
        "note",
        (
            note
            for note in store.all("note")
            if says(note, given.maybe("words"), "name", "body")
            and about in (None, note["about"])
            and (note["pinned"] or not given.flag("pinned_only"))
        ),
    )


def _create(store: Store, given: Given) -> Json:
    about = store.find_any(ABOUT, given.text("about_id"))
    fields = {"name": given.text("name"), "body": given.text("body"), "about": about["id"]}
    return store.view("note", store.add("note", fields))


def _pin(store: Store, given: Given) -> Json:
    note = store.find("note", given.text("note_id"))
    return store.change("note", note, pinned=int(given.flag("pinned")))


def _delete(store: Store, given: Given) -> Json:
    note = store.find("note", given.text("note_id"))
    store.remove("note", note)
    return {"deleted": note["name"]}


ACTIONS = (
    Action(
        "note",
        "search",
        "Shows notes with all that they say. All filters that are given apply.",
        _search,
        (
            text("words", "Words that the note contains.", required=False),
            reference(
                "thing",
                "Only those about this order, machine, customer, supplier or part",
                name="about_id",
                required=False,
            ),
            yes_no("pinned_only", "Only those that are pinned.", required=False),
        ),
        also="find list read remark memo message written board",
    ),
    Action(
        "note",
        "create",
        "Writes a note about an order, a machine, a customer, a supplier or a part.",
        _create,
        (
            reference("thing", "What it is about", name="about_id"),
            text("name", "A heading of a few words."),
            text("body", "What it says.", longest=2000),
        ),
        changes=True,
        also="add new write remark memo remember leave message",
    ),
    Action(
        "note",
        "pin",
        "Pins a note to the top of the board, or takes the pin out.",
        _pin,
        (NOTE, yes_no("pinned", "true to pin it, false to take the pin out.")),
        changes=True,
        also="top board keep unpin sticky important remark",
    ),
    Action(
        "note",
        "delete",
        "Throws a note away.",
        _delete,
        (NOTE,),
        changes=True,
        destructive=True,
        also="remove throw away erase remark memo",
    ),
)
