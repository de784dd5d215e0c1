"""All that the workshop can do, and the doing of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workshop.declaration import Action, Given, Json, Refused
from workshop.domains import customer, invoice, machine, note, order, part, shift, supplier
from workshop.validation import checked, nearest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workshop.store import Store

ACTIONS: tuple[Action, ...] = (
    *part.ACTIONS,
    *supplier.ACTIONS,
    *customer.ACTIONS,
    *machine.ACTIONS,
    *order.ACTIONS,
    *invoice.ACTIONS,
    *shift.ACTIONS,
    *note.ACTIONS,
)

BY_ID: Mapping[str, Action] = {action.id: action for action in ACTIONS}

DOMAINS: tuple[str, ...] = tuple(dict.fromkeys(action.domain for action in ACTIONS))


def known(identity: Json) -> Action:
    """The action of this id; raises Refused."""
    if identity not in tuple(BY_ID):
        raise Refused(f"Unknown action: {identity}.{nearest(str(identity), tuple(BY_ID))}")
    return BY_ID[str(identity)]


def perform(store: Store, action: Action, arguments: Json) -> Json:
    """Carry an action out, wholly or not at all; raises Refused before, StoreError behind."""
    taken = checked(action, arguments)
    with store.transaction():
        return action.does(store, Given(taken))
