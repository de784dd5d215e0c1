"""The registry as a value: what stands, what was superseded, what was taken back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.records.key import Key
from generator.records.registry import Registry
from generator.records.row import Row
from tests.records.sample import key, row, withdrawal

OLD = row(evidence="1" * 64)
NEW = row(evidence="2" * 64, supersedes=OLD.id)
OTHER = row(key(model="another"))


def registry(*rows: Row, withdrawn: tuple[Row, ...] = ()) -> Registry:
    """A registry of some rows, of which some are taken back."""
    return Registry(
        {each.id: each for each in rows}, {each.id: withdrawal(each) for each in withdrawn}
    )


def test_an_empty_registry_holds_nothing() -> None:
    """Nothing is published yet: no row stands and none was superseded."""
    empty = registry()
    assert empty.standing() == ()
    assert empty.superseded == {}
    assert empty.same_measurement(key()) is None


def test_rows_stand_in_the_order_of_their_ids() -> None:
    """The order of a registry is that of its ids, however it was read."""
    rows = sorted([OLD, OTHER], key=lambda each: each.id)
    assert registry(OLD, OTHER).standing() == tuple(rows)
    assert registry(OTHER, OLD).standing() == tuple(rows)


def test_a_superseded_row_stands_no_more() -> None:
    """The row that took its place is named, and stands alone."""
    both = registry(OLD, NEW)
    assert both.superseded == {OLD.id: NEW.id}
    assert both.standing() == (NEW,)
    assert both.rows[OLD.id] == OLD


def test_a_withdrawn_row_stands_no_more_and_stays() -> None:
    """A row that was taken back keeps its place in the registry and nowhere else."""
    taken_back = registry(OLD, OTHER, withdrawn=(OLD,))
    assert taken_back.standing() == (OTHER,)
    assert taken_back.rows[OLD.id] == OLD


@pytest.mark.parametrize(
    ("asked", "found"),
    [(OLD.key, NEW), (OTHER.key, OTHER), (key(revision="9"), None)],
)
def test_the_same_measurement_is_the_standing_row_of_its_key(asked: Key, found: Row | None) -> None:
    """Only a row that stands, and only one of the very same key, is the same measurement."""
    assert registry(OLD, NEW, OTHER).same_measurement(asked) == found


def test_a_withdrawn_row_is_no_same_measurement() -> None:
    """What was taken back bars nobody from measuring again."""
    assert registry(OTHER, withdrawn=(OTHER,)).same_measurement(OTHER.key) is None


@pytest.mark.parametrize("model", ["ano\u00adther", "another ", "\u202eanother\u202c"])
def test_a_key_that_reads_the_same_is_no_other_measurement(model: str) -> None:
    """What differs in hidden characters only would stand beside its twin, and show the same."""
    assert registry(OLD, OTHER).look_alike(key(model=model)) == OTHER
    assert registry(OLD, OTHER).look_alike(OTHER.key) is None
    assert registry(OLD, OTHER, withdrawn=(OTHER,)).look_alike(key(model=model)) is None


def test_merging_keeps_what_stood() -> None:
    """The registry only grows: every row and every withdrawal is still there."""
    before = registry(OLD, withdrawn=(OLD,))
    after = before.merged([OTHER])
    assert after.rows == {OLD.id: OLD, OTHER.id: OTHER}
    assert after.withdrawals == before.withdrawals
    assert before.rows == {OLD.id: OLD}


def test_merging_never_changes_a_row() -> None:
    """A row that calls itself like one that is there already does not take its place."""
    impostor = OLD.model_copy(update={"measures": ()})
    assert registry(OLD).merged([impostor]).rows[OLD.id] == OLD


@given(st.lists(st.sampled_from([OLD, NEW, OTHER])), st.lists(st.sampled_from([OLD, NEW, OTHER])))
def test_merging_twice_is_merging_once(one: list[Row], other: list[Row]) -> None:
    """Rows merged one after the other are the rows merged together."""
    assert registry().merged(one).merged(other).rows == registry().merged([*one, *other]).rows
    assert registry().merged(one).merged(one).rows == registry().merged(one).rows


def test_a_row_finds_its_measures_by_their_public_ids() -> None:
    """`metric` is the figure of the whole, `metric.part` that of a part."""
    assert [figure.id for figure in OLD.measures][:3] == [
        "passed",
        "checks.polite",
        "category_score.polite",
    ]
    assert OLD.measure("checks.polite") == OLD.measures[1]
    assert OLD.measure("checks") is None


def test_the_id_of_a_row_follows_from_what_it_holds() -> None:
    """A row under a name that is not its own can be told."""
    assert OLD.expected_id == OLD.id
    renamed = OLD.model_copy(update={"id": "something-else"})
    assert renamed.expected_id != renamed.id
