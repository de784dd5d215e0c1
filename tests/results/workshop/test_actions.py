from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from workshop.actions import ACTIONS, BY_ID, DOMAINS, known, perform
from workshop.declaration import Action, Refused
from workshop.store import KINDS, Store, StoreError
from workshop.surfaces import found
from workshop.validation import checked

from tests.results.workshop.samples import SAMPLES


def named(value: object) -> str:
    """What a parameter is called in the name of a test."""
    return value.id if isinstance(value, Action) else str(value)


DESTRUCTIVE = [action for action in ACTIONS if action.destructive]
TAKES = [(action, argument.name) for action in ACTIONS for argument in action.takes]


def test_there_is_something_to_choose_from() -> None:
    """About forty actions in eight domains, and a sample of each below."""
    assert len(ACTIONS) == len(BY_ID) == len(SAMPLES) == 46
    assert set(DOMAINS) == set(KINDS)
    assert all(action.changes for action in DESTRUCTIVE)


@pytest.mark.parametrize("action", ACTIONS, ids=named)
def test_an_action_that_reads_changes_nothing_and_another_does(
    store: Store, action: Action
) -> None:
    """What is declared of an action is what it does."""
    before = store.state()
    assert perform(store, action, SAMPLES[action.id])
    assert (store.state() != before) is action.changes


@pytest.mark.parametrize("action", DESTRUCTIVE, ids=named)
@pytest.mark.parametrize("confirmation", [{}, {"confirm": False}])
def test_nothing_is_destroyed_without_confirmation(
    store: Store, action: Action, confirmation: Mapping[str, bool]
) -> None:
    """What can't be undone is refused, and the words say how it would be done."""
    before = store.state()
    sample = {name: value for name, value in SAMPLES[action.id].items() if name != "confirm"}
    with pytest.raises(Refused, match=r"^Not confirmed: .*confirm: true") as refused:
        perform(store, action, {**sample, **confirmation})
    assert action.id in str(refused.value)
    assert store.state() == before


@pytest.mark.parametrize(("action", "name"), TAKES, ids=named)
def test_an_argument_of_another_type_is_invalid(store: Store, action: Action, name: str) -> None:
    """No value is bent into shape: neither a list nor nothing is ever what was meant."""
    wrongs: tuple[object, ...] = ([], None, 1.5, {"id": 1})
    for wrong in wrongs:
        with pytest.raises(Refused, match=rf"^Invalid arguments for {action.id}: {name} must be"):
            perform(store, action, {**SAMPLES[action.id], name: wrong})


@pytest.mark.parametrize(
    ("action", "name"),
    [
        (action, argument.name)
        for action in ACTIONS
        for argument in action.takes
        if argument.required
    ],
    ids=named,
)
def test_what_is_required_is_missed_by_name(store: Store, action: Action, name: str) -> None:
    """The refusal says what is missing, and what it would be."""
    sample = {key: value for key, value in SAMPLES[action.id].items() if key != name}
    with pytest.raises(Refused, match=rf"^Invalid arguments for {action.id}: {name} is missing \("):
        perform(store, action, sample)


@pytest.mark.parametrize("action", ACTIONS, ids=named)
def test_an_argument_that_nobody_knows_is_refused(store: Store, action: Action) -> None:
    """The refusal lists what there is."""
    with pytest.raises(Refused, match=r"^Unknown argument of .*: colour\. It takes: ") as refused:
        perform(store, action, {**SAMPLES[action.id], "colour": "red"})
    assert all(argument.name in str(refused.value) for argument in action.takes)


@pytest.mark.parametrize(
    ("action", "spoilt", "says"),
    [
        ("part.create", {"name": "  "}, "name must be a text that is not blank"),
        ("part.create", {"name": "x" * 121}, "name must be at most 120 characters"),
        ("part.create", {"opening_stock": -1}, "opening_stock must be from 0 to"),
        ("part.create", {"opening_stock": "4"}, 'must be a whole number, not "4"'),
        ("part.create", {"opening_stock": True}, "must be a whole number, not true"),
        ("part.relocate", {"shelf_code": "shelf 3"}, "shelf_code must be of a form such as C12"),
        ("order.use_part", {"quantity": 0}, "quantity must be from 1 to"),
        ("order.set_priority", {"priority": "high"}, "must be one of low, normal, urgent"),
        ("order.reschedule", {"due_date": "2026-02-30"}, "must be a calendar date as YYYY-MM-DD"),
        ("order.reschedule", {"due_date": "20260501"}, "must be a calendar date as YYYY-MM-DD"),
        ("shift.create", {"starts_at": "9:00"}, "starts_at must be of a form such as 08:00"),
        ("shift.create", {"ends_at": "08:00"}, "ends_at must be later than starts_at"),
        ("part.delete", {"confirm": "true"}, "confirm must be true or false"),
        ("customer.create", {"email": "ada"}, "email must be of a form such as anna@example.org"),
        (
            "customer.update",
            {"detail": "email", "value": "ada"},
            "ada is not like anna@",
        ),
        ("supplier.update", {"value": "soon"}, "a whole number of days, not soon"),
    ],
)
def test_a_value_that_cannot_be_meant_is_refused_in_plain_words(
    store: Store, action: str, spoilt: Mapping[str, Any], says: str
) -> None:
    """Each spoilt value is refused before anything is done."""
    before = store.state()
    with pytest.raises(Refused, match=r"^Invalid") as refused:
        perform(store, known(action), {**SAMPLES[action], **spoilt})
    assert says in str(refused.value)
    assert store.state() == before


@pytest.mark.parametrize(
    ("action", "spoilt", "says"),
    [
        ("part.read", {"part_id": "Fuse 11 A"}, "No such part: Fuse 11 A."),
        ("part.adjust_stock", {"difference": -121}, "Out of stock: only 120"),
        ("part.delete", {"part_id": "V-belt A 42"}, "Still needed"),
        ("customer.delete", {"customer_id": "Kiran Desai"}, "Still needed"),
        ("machine.record_hours", {"meter_hours": 1}, "A meter never runs back"),
        ("order.use_part", {"quantity": 121}, "Out of stock: 121"),
        ("order.complete", {"order_id": "Winch drum"}, "The order Winch drum is done"),
        ("order.cancel", {"order_id": "Winch drum"}, "The order Winch drum is done"),
        ("invoice.send", {"invoice_id": "2026-034"}, "The invoice 2026-034 is sent"),
        ("invoice.void", {"invoice_id": "2026-031"}, "The invoice 2026-031 is paid"),
        ("note.create", {"about_id": "nobody"}, "No such order or machine or"),
    ],
)
def test_what_the_store_cannot_do_is_no_fault_of_the_call(
    store: Store, action: str, spoilt: Mapping[str, Any], says: str
) -> None:
    """Such a call was taken: its error begins otherwise than a refusal, and nothing is done."""
    before = store.state()
    with pytest.raises(StoreError) as failed:
        perform(store, known(action), {**SAMPLES[action], **spoilt})
    assert str(failed.value).startswith(says)
    assert not str(failed.value).startswith(("Unknown", "Invalid", "Not confirmed"))
    assert store.state() == before


def test_a_thing_goes_by_its_id_its_short_id_and_its_name(store: Store) -> None:
    """All three are the same thing, and what two share is answered by the ids of both."""
    fuse = store.find("part", " fuse 10 A ")
    assert fuse == store.find("part", fuse["id"]) == store.find("part", fuse["short"])
    assert fuse["id"].startswith(fuse["short"])
    assert len(fuse["id"]) == 16
    twin = store.add("part", {"name": "Fuse 10 A"})
    with pytest.raises(StoreError, match=r"^Several go by Fuse 10 A: ") as several:
        store.find("part", "Fuse 10 A")
    assert twin["short"] in str(several.value)
    assert fuse["short"] in str(several.value)


def test_no_id_can_be_taken_for_a_number(store: Store) -> None:
    """Values are compared as numbers where both are some: an id is none, not even 12e456."""
    everything = [identity for things in store.state().values() for identity in things]
    assert all(identity[0] in "abcdef" for identity in everything)


def test_parts_of_an_order_that_is_given_up_go_back(store: Store) -> None:
    """Giving up an order undoes what was booked on it."""
    before = store.find("part", "Hose coupling 3/8")["stock"]
    perform(store, known("order.cancel"), {"order_id": "Pump seal", "confirm": True})
    assert store.find("part", "Hose coupling 3/8")["stock"] == before + 2
    assert store.find("order", "Pump seal")["parts"] == []


def test_things_let_go_of_what_is_gone(store: Store) -> None:
    """Parts stay without their supplier, orders without their machine, notes without either."""
    perform(store, known("supplier.delete"), {"supplier_id": "Alpine Bearings", "confirm": True})
    perform(store, known("machine.scrap"), {"machine_id": "Harrison lathe", "confirm": True})
    assert store.find("part", "Ball bearing 6004")["supplier"] is None
    assert store.find("order", "Spindle noise")["machine"] is None
    assert store.find("note", "New catalogue")["about"] is None


def test_a_search_that_finds_too_much_says_so(store: Store) -> None:
    """What is not shown is counted."""
    answer = perform(store, known("part.search"), {})
    assert (answer["total"], len(answer["found"])) == (32, 20)
    assert "more narrowly" in answer["more"]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("change where a part is kept", "part.relocate"),
        ("a customer paid their bill", "invoice.record_payment"),
        ("who works on Tuesday", "shift.search"),
        ("throw away a remark", "note.delete"),
        ("call off a job", "order.cancel"),
        ("a delivery of parts arrived", "part.adjust_stock"),
        ("mark a machine as broken", "machine.set_status"),
        ("swap a shift", "shift.reassign"),
    ],
)
def test_an_action_is_found_by_the_words_that_people_use(query: str, first: str) -> None:
    """The right one is among the first two."""
    assert first in [action.id for action in found(query)[:2]]


@pytest.mark.parametrize("action", ACTIONS, ids=named)
def test_every_action_is_found_by_what_it_says_of_itself(action: Action) -> None:
    """None is beyond reach."""
    assert found(action.says)[0] == action


def test_an_argument_means_the_same_in_all_actions_of_a_domain() -> None:
    """The one tool of a domain describes each argument once: types agree."""
    for domain in DOMAINS:
        types: dict[str, set[str]] = {}
        for action in ACTIONS:
            if action.domain == domain:
                for argument in action.takes:
                    types.setdefault(argument.name, set()).add(argument.schema["type"])
        assert all(len(kinds) == 1 for kinds in types.values())


def test_an_example_of_a_form_has_that_form() -> None:
    """What a refusal shows as an example is never refused itself."""
    shown = 0
    for action in ACTIONS:
        for argument in action.takes:
            for example in argument.schema.get("examples", ()):
                checked(action, {**SAMPLES[action.id], argument.name: example})
                shown += 1
    assert shown > 10
