from datetime import UTC, datetime

import pytest

from generator.errors import UsageError
from generator.store.registry import read_registry
from generator.workflow.check import check
from generator.workflow.render import render
from generator.workflow.withdraw import withdraw
from tests.conftest import Kit

NOW = datetime(2026, 3, 18, 10, tzinfo=UTC)
WHY = "The reference time was wrong."


def take_back(kit: Kit, row: str, *, why: str = WHY, by: str = "Nobody In Particular") -> None:
    """Withdraw a row and draw the pages, as the command does."""
    withdraw(kit.project, row, why=why, by=by, now=NOW)
    render(kit.project)


def test_a_withdrawn_row_stays_and_says_why(published: Kit) -> None:
    """Its file is the same to the byte; its page says who took it back, when and why."""
    path = published.row_files()[0]
    before = path.read_bytes()
    take_back(published, path.stem)
    assert path.read_bytes() == before
    withdrawal = read_registry(published.project).withdrawals[path.stem]
    assert (withdrawal.withdrawn, withdrawal.why) == ("2026-03-18T10:00:00Z", WHY)
    page = published.read(f"docs/en/results/greetings/{path.stem}.md")
    assert "The reference time was wrong" in page
    assert "Nobody In Particular" in page


def test_a_withdrawn_row_leaves_the_tables(published: Kit) -> None:
    """The benchmark's page shows the rows that stand, and no other."""
    gone, stays = (path.stem for path in published.row_files())
    take_back(published, gone)
    page = published.read("docs/en/benchmarks/greetings.md")
    assert stays in page
    assert gone not in page


def test_a_project_with_a_withdrawal_is_sound(published: Kit) -> None:
    """A row that was taken back is judged and scored like any other."""
    take_back(published, published.row_files()[0].stem)
    assert check(published.project).findings == ()


def test_a_row_is_taken_back_once(published: Kit) -> None:
    """The first reason stays; who comes second is told of it."""
    row = published.row_files()[0].stem
    take_back(published, row)
    with pytest.raises(UsageError) as caught:
        take_back(published, row, why="Another reason.")
    assert caught.value.what == (
        f"The row {row} was withdrawn by Nobody In Particular on 2026-03-18T10:00:00Z."
    )
    assert read_registry(published.project).withdrawals[row].why == WHY


def test_an_unknown_row_lists_the_known_ones(published: Kit) -> None:
    """A name that is no row is answered with the rows there are."""
    first, second = (path.stem for path in published.row_files())
    with pytest.raises(UsageError) as caught:
        take_back(published, "gone")
    assert caught.value.remedy == f"Name it in full: {first}, {second}."


def test_the_beginning_of_a_row_is_answered_with_its_whole_name(published: Kit) -> None:
    """Part of a name withdraws nothing, and helps to find the whole."""
    first, second = (path.stem for path in published.row_files())
    with pytest.raises(UsageError) as caught:
        take_back(published, second[:15])
    assert caught.value.remedy == f"Name it in full: {second}."
    assert first not in caught.value.remedy


def test_where_nothing_is_published_nothing_is_taken_back(kit: Kit) -> None:
    """An empty registry has no row to name."""
    with pytest.raises(UsageError) as caught:
        take_back(kit, "gone")
    assert caught.value.remedy == "Name it in full: there is none."


@pytest.mark.parametrize(("why", "by"), [("", "Nobody"), (WHY, ""), ("x" * 301, "Nobody")])
def test_a_withdrawal_has_a_reason_and_a_name(published: Kit, why: str, by: str) -> None:
    """Nothing is taken back without a word, nor with more than a page can show."""
    before = published.committed()
    with pytest.raises(UsageError, match=r"^This is no withdrawal: at (why|by): ") as caught:
        take_back(published, published.row_files()[0].stem, why=why, by=by)
    assert caught.value.remedy == "Say who takes the row back and why, in 1 to 300 characters each."
    assert published.committed() == before
