"""All families. A new one is a folder beside this file and a line here."""

from generator.families.declarative.family import Declarative
from generator.families.family import Family, Pairs
from generator.families.paired.family import Paired
from generator.families.steps.family import Steps

FAMILIES: tuple[Family, ...] = (Declarative(), Steps(), Paired())


def family_of(family_id: str) -> Family | None:
    """The family of that name."""
    return next((family for family in FAMILIES if family.id == family_id), None)


def pairing() -> Pairs:
    """The family whose runs have two arms."""
    return next(family for family in FAMILIES if isinstance(family, Pairs))
