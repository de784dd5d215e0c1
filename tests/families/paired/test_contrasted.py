"""Pairing attempts: both arms tried the same, or there is no comparison."""

import re

import pytest

from generator.records.bundle import EXCLUDED, Attempt, Outcome
from generator.records.comparison import Contrast, Pairs
from tests.families.paired.sample import CASES, CORPUS, FAMILY, attempt

EVERY = [(case, repetition) for case in CASES for repetition in (1, 2)]
LEFT_OUT: tuple[Outcome, ...] = (*EXCLUDED, "skipped")


def tries(**ended: Outcome) -> list[Attempt]:
    """A try at each task in each repetition, verified unless said otherwise of its first."""
    return [
        attempt(case, repetition, ended.get(case, "completed") if repetition == 1 else "completed")
        for case, repetition in EVERY
    ]


def contrast(baseline: list[Attempt], candidate: list[Attempt]) -> Contrast:
    """What the two say of each other."""
    return FAMILY.contrast(CORPUS, baseline, candidate)


def refused(baseline: list[Attempt], candidate: list[Attempt], why: str) -> None:
    """They do not pair, for that reason, whichever of them is the baseline."""
    for one, other in ((baseline, candidate), (candidate, baseline)):
        with pytest.raises(ValueError, match=re.escape(why)):
            contrast(one, other)


def test_attempts_pair_by_case_and_repetition() -> None:
    """In whatever order they come."""
    found = contrast(tries(hall="failed"), list(reversed(tries(stairs="timeout"))))
    assert found.pairs == Pairs(both=6, baseline_only=1, candidate_only=1, neither=0)
    assert found.left_out == 0
    assert tuple(case.case for case in found.cases) == CASES
    assert found.cases[1].pairs == Pairs(both=1, baseline_only=0, candidate_only=1, neither=0)


def test_an_attempt_is_verified_by_its_oracle_alone() -> None:
    """A completed attempt whose oracle said no, or was not asked, is none."""
    nothing = tries(hall="failed")
    for status in (1, 2, -9, None):
        refuted = [attempt(case, n, status=status) for case, n in EVERY]
        assert contrast(nothing, refuted).pairs.baseline_only == 7
        assert contrast(nothing, refuted).pairs.neither == 1


@pytest.mark.parametrize("outcome", LEFT_OUT)
def test_a_pair_of_which_one_counts_in_no_measure_is_left_out(outcome: Outcome) -> None:
    """And is counted; the other attempt of it speaks for nobody."""
    for one, other in ((tries(hall=outcome), tries()), (tries(), tries(hall=outcome))):
        found = contrast(one, other)
        assert (found.left_out, found.pairs.total) == (1, 7)
        assert found.cases[1].pairs.total == 1
    assert contrast(tries(hall=outcome), tries(hall=outcome)).left_out == 1


def test_a_missing_attempt_is_no_pair() -> None:
    """What one arm tried and the other did not can't be compared."""
    why = "Missing matched task/model/cohort/repetition pair"
    refused(tries(), tries()[1:], why)
    refused(tries(), [*tries()[:-1], attempt("stairs", 3)], why)
    refused(tries(), [], why)


def test_an_attempt_counts_once() -> None:
    """Two attempts at one place are no pair."""
    again = [*tries(), attempt("hall", 1)]
    refused(tries(), again, "Duplicate task/model/cohort/repetition/arm")


def test_a_task_is_one_of_the_experiment() -> None:
    """Attempts at something else belong to another cohort."""
    strange = [*tries(), attempt("cellar", 1)]
    refused(strange, strange, "The experiment has no task 'cellar'")
