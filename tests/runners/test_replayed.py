import asyncio
from typing import Any

import pytest

from generator.errors import UsageError
from generator.families.declarative.family import Declarative
from generator.families.family import Question
from generator.families.steps.scorer import RATIOS
from generator.records.bundle import Attempt
from generator.records.measure import Ratio
from generator.runners.fake import VARIANTS, Fake
from generator.runners.replayed import PLAYS
from generator.runners.stage import Served
from generator.runners.system import Observed
from tests.families.declarative.sample import case
from tests.families.declarative.sample import corpus as declared
from tests.runners import library, shelf
from tests.runners.playing import scenes
from tests.runners.sample import TERMS

SERVED = Served("meta", "0" * 64)
CORPUS = library.corpus()

LOSES: dict[str, set[str]] = {
    "perfect": set(),
    "wrong-action": {"passed", "reached", "confirmation"},
    "wrong-argument": {"passed", "arguments"},
    "missing-confirmation": {"passed", "reached", "confirmation"},
    "side-effect": {"passed", "no_side_effects"},
    "does-not-stop": {"passed", "refusals", "finished"},
    "acts-on-refusals": {"passed", "no_side_effects", "refusals"},
    "second-try": {"first_try"},
    "silent": {"passed", "refusals"},
}
"""By variant: the measures that are not full any more. The guide has the same table."""


def played(variant: str, surface: str) -> list[tuple[Question, Observed]]:
    """What a variant makes of each case, on a live server."""
    system, where = Fake(variant, library.FAMILY, CORPUS), scenes(surface=surface)
    asked = library.questions()

    async def all_of_them() -> list[Observed]:
        return await asyncio.gather(*(where.attempt(system, one, TERMS) for one in asked))

    return list(zip(asked, asyncio.run(all_of_them()), strict=True))


def figures(variant: str, surface: str) -> dict[str, Any]:
    """The measures of a variant, by id."""
    scorer = library.FAMILY.scorer(CORPUS)
    for question, observed in played(variant, surface):
        assert observed.outcome in {"completed", "cancelled"}, observed.reason
        scorer.add(_attempt(question, observed))
    return {measure.id: measure for measure in scorer.finish().measures}


def _attempt(question: Question, observed: Observed) -> Attempt:
    fixtures = library.raw(observed.fixtures)
    return Attempt(
        question.case,
        question.case,
        "fake",
        1,
        observed.outcome,
        turns=observed.turns,
        fixtures=fixtures,
        changes=observed.changes,
    )


@pytest.mark.parametrize("surface", shelf.SURFACES)
@pytest.mark.parametrize("variant", PLAYS)
def test_a_variant_loses_points_in_just_the_measures_that_it_should(
    variant: str, surface: str
) -> None:
    """On every surface, all other measures are full, and none is without a term."""
    found = figures(variant, surface)
    whole = {name: found[name] for name in RATIOS}
    assert all(isinstance(one, Ratio) and one.denominator for one in whole.values())
    assert {name for name, one in whole.items() if one.numerator < one.denominator} == (
        LOSES[variant]
    )


def test_every_variant_is_in_the_table() -> None:
    """A new one says what it loses."""
    assert set(PLAYS) == set(LOSES)


def test_a_variant_that_does_not_stop_is_stopped() -> None:
    """At the limit of turns of the surface, which the attempt says."""
    for question, observed in played("does-not-stop", "meta"):
        assert question.scene is not None
        limit = question.scene.turns["meta"]
        assert (observed.outcome, len(observed.turns)) == ("cancelled", limit)
        assert observed.reason == f"the limit of {limit} turns was reached"


def test_a_simulated_system_says_so_on_each_surface() -> None:
    """Its row has the surface, how tools are offered, and their digest."""
    entry = Fake("perfect", library.FAMILY, CORPUS).staged(None, SERVED)
    assert (entry.id, entry.provider, entry.surface) == ("fake-perfect-meta", "fake", "meta")
    assert (entry.axes, entry.tools) == ({"tools": "native"}, "0" * 64)


def test_a_variant_belongs_to_questions_or_to_scenes() -> None:
    """In the place of the other it would say nothing; the words name those that fit."""
    for variant in set(VARIANTS) - set(PLAYS):
        with pytest.raises(UsageError, match=variant):
            Fake(variant, library.FAMILY, CORPUS).staged(None, SERVED)
    for variant in set(PLAYS) - set(VARIANTS):
        with pytest.raises(UsageError, match=variant):
            Fake(variant, Declarative(), declared(case())).described(None)


def test_a_family_without_scenes_is_not_played() -> None:
    """Its key says nothing of calls on a server."""
    with pytest.raises(UsageError, match="declarative"):
        Fake("perfect", Declarative(), declared(case())).staged(None, SERVED)
