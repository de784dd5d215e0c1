"""All types of assertions."""

from generator.families.declarative.checks.calls import CALLS
from generator.families.declarative.checks.check import CheckFault, CheckType
from generator.families.declarative.checks.documents import DOCUMENTS
from generator.families.declarative.checks.texts import TEXTS

CHECKS: tuple[CheckType, ...] = (*TEXTS, *DOCUMENTS, *CALLS)


def check_type(type_id: str) -> CheckType:
    """The type of that name; raises CheckFault with the known ones."""
    found = next((known for known in CHECKS if known.id == type_id), None)
    if found is None:
        known_ids = ", ".join(known.id for known in CHECKS)
        message = f"the check type {type_id!r} is unknown; known are {known_ids}"
        raise CheckFault(message)
    return found
