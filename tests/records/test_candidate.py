"""What a claim asserts is exact, and how far it has come is one of four states."""

import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.records.base import canonical_json
from generator.records.candidate import (
    Bound,
    Candidate,
    Promotion,
    Proposal,
    candidate_of,
    exact,
    promotion_of,
)
from generator.records.measure import Count, Label, Mean, Measure, Quantile, Ratio, WeightedRatio
from generator.records.row import Row
from tests.pages.sample import recorded

PROPOSAL: dict[str, Any] = {
    "name": "greets",
    "description": "It greets back.",
    "applicability": "Short greetings.",
    "claim": "It greets back whoever greets.",
    "holds": [{"measure": "passed", "min": "0.9"}],
    "evidence": {"row": "a-row"},
}

VALIDATION: dict[str, Any] = {
    "run": "again",
    "revision": "1" * 40,
    "digest": "b" * 64,
    "lines": 3,
    "system": "first",
    "harness_version": "1.0",
    "started": "2026-03-18T10:00:00Z",
    "finished": "2026-03-18T10:05:00Z",
    "measures": [{"kind": "ratio", "metric": "passed", "numerator": 3, "denominator": 3}],
}


def proposal(**changed: object) -> Proposal:
    """The proposal, with some of its fields changed."""
    return Proposal.parse(json.dumps(PROPOSAL | changed))


def bound(**ends: object) -> Bound:
    """A bound of the figure `passed`."""
    return Bound.parse(json.dumps({"measure": "passed", **ends}))


def candidate(state: str = "proposed", *, validated: bool = False) -> Candidate:
    """A claim about a row, as far as it is said to have come."""
    said = candidate_of(proposal(), row()).plain() | {"state": state}
    return Candidate.parse(canonical_json(said | ({"validation": VALIDATION} if validated else {})))


def row() -> Row:
    """A row of which every case passed."""
    return recorded().row


@pytest.mark.parametrize(
    ("measure", "figure"),
    [
        (Ratio(metric="passed", numerator=1, denominator=3), Fraction(1, 3)),
        (Ratio(metric="passed", numerator=0, denominator=0), None),
        (
            WeightedRatio(metric="passed", numerator=Decimal("0.1"), denominator=Decimal("0.3")),
            Fraction(1, 3),
        ),
        (WeightedRatio(metric="passed", numerator=Decimal(0), denominator=Decimal(0)), None),
        (Mean(metric="passed", n=2, mean=Decimal("-0.50")), Fraction(-1, 2)),
        (Mean(metric="passed", n=0), None),
        (Quantile(metric="passed", n=3, q=Decimal("0.5"), value=Decimal(7), unit="ms"), 7),
        (Quantile(metric="passed", n=0, q=Decimal("0.5"), unit="ms"), None),
        (Count(metric="passed", value=4), 4),
        (Label(metric="passed", value="gold"), None),
    ],
    ids=lambda value: getattr(value, "kind", None),
)
def test_a_figure_is_compared_as_the_number_that_it_is(
    measure: Measure, figure: Fraction | None
) -> None:
    """Nothing is rounded; a word and what was not measured are no number, and keep no bound."""
    assert exact(measure) == figure
    assert bound(min="-1000").holds(measure) == (figure is not None)


@given(
    st.integers(0, 10**9),
    st.integers(1, 10**9),
    st.decimals(0, 1, places=9),
    st.decimals(0, 1, places=9),
)
def test_a_bound_holds_between_its_ends(
    numerator: int, more: int, one: Decimal, other: Decimal
) -> None:
    """Both ends belong to it, to the last digit."""
    measure = Ratio(metric="passed", numerator=numerator, denominator=numerator + more)
    share = Fraction(numerator, numerator + more)
    low, high = sorted((one, other))
    within = Bound(measure="passed", min=low, max=high)
    assert within.holds(measure) == (Fraction(low) <= share <= Fraction(high))
    assert Bound(measure="passed", min=low).holds(measure) == (share >= Fraction(low))
    assert Bound(measure="passed", max=high).holds(measure) == (share <= Fraction(high))


def test_a_third_is_not_its_decimals() -> None:
    """A claim that is false in the tenth digit is false."""
    third = Ratio(metric="passed", numerator=1, denominator=3)
    assert bound(min="0.3333333333").holds(third)
    assert not bound(min="0.3333333334").holds(third)


@given(st.decimals(-(10**6), 10**6, places=6))
def test_a_bound_is_written_as_it_is_read(end: Decimal) -> None:
    """What lies on the disk is the same bound, to the letter."""
    written = Bound(measure="passed", min=end)
    assert Bound.parse(written.to_json()) == written
    assert Bound.parse(written.to_json()).to_json() == written.to_json()


@pytest.mark.parametrize(
    "ends",
    [
        {},
        {"min": 0.9},
        {"min": True},
        {"min": "1e3"},
        {"min": "NaN"},
        {"min": " 1"},
        {"min": "٣"},
        {"min": "0." + "1" * 19},
        {"min": "0.9", "max": "0.8"},
        {"min": "0.9", "about": "0.9"},
        {"min": "0.9", "measure": "No Measure"},
    ],
)
def test_a_bound_that_is_not_exact_is_refused(ends: dict[str, object]) -> None:
    """No end, a float, an exponent, too many digits, or ends that nothing lies between."""
    with pytest.raises(ValueError, match=r"min|max|about|measure"):
        bound(**ends)


@pytest.mark.parametrize(
    "changed",
    [
        {"holds": []},
        {"holds": [{"measure": "passed", "min": "0"}, {"measure": "passed", "max": "1"}]},
        {"holds": [{"measure": f"m{number}", "min": "0"} for number in range(21)]},
        {"claim": ""},
        {"claim": " \u200b\n"},
        {"claim": "x" * 2001},
        {"name": "No Slug"},
        {"name": "../escape"},
        {"stars": 5},
        {"evidence": {}},
        {"evidence": {"row": "a-row", "model": "x"}},
    ],
)
def test_a_proposal_that_claims_nothing_testable_is_refused(changed: dict[str, object]) -> None:
    """It has words that show, 1 to 20 bounds of different measures, a row, and nothing else."""
    with pytest.raises(ValueError, match="validation error"):
        proposal(**changed)


@pytest.mark.parametrize("missing", PROPOSAL)
def test_a_proposal_leaves_nothing_out(missing: str) -> None:
    """Each of its keys is needed."""
    with pytest.raises(ValueError, match=f"{missing}\n  Field required"):
        Proposal.parse(json.dumps({key: PROPOSAL[key] for key in PROPOSAL if key != missing}))


@pytest.mark.parametrize(
    ("state", "validated", "possible"),
    [
        ("proposed", False, True),
        ("proposed", True, False),
        ("validated", False, False),
        ("validated", True, True),
        ("promoted", False, False),
        ("promoted", True, True),
        ("retired", False, True),
        ("retired", True, True),
        ("forgotten", True, False),
    ],
)
def test_a_state_says_whether_there_is_a_validation(
    state: str, *, validated: bool, possible: bool
) -> None:
    """No claim has come further than what bears it out."""
    if possible:
        assert candidate(state, validated=validated).state == state
    else:
        with pytest.raises(ValueError, match=r"validation|state"):
            candidate(state, validated=validated)


def test_what_was_not_borne_out_is_not_shown() -> None:
    """Without a second run there is no promotion."""
    assert promotion_of(candidate(), row()) is None


def test_a_promotion_is_made_of_the_claim_and_its_row_alone() -> None:
    """The same two give the same bytes, whatever the state; only the bounded figures are in it."""
    promotion = promotion_of(candidate("validated", validated=True), row())
    again = promotion_of(candidate("promoted", validated=True), row())
    assert promotion is not None
    assert again is not None
    assert promotion.to_json() == again.to_json()
    assert Promotion.parse(promotion.to_json()) == promotion
    assert [run.run for run in promotion.runs] == [row().run.id, "again"]
    assert [[one.id for one in run.measures] for run in promotion.runs] == [["passed"]] * 2
