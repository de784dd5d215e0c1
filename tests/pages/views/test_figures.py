"""Names by which the rows of one table are told apart."""

from generator.pages.views.figures import labels
from tests.pages.sample import recorded


def test_a_name_that_is_the_only_one_of_its_kind_stays_short() -> None:
    """Model and revision are enough where no other row has both."""
    first, second = recorded("a").row, recorded("b").row
    assert labels([first, second]) == {first.id: "a 1.0", second.id: "b 1.0"}


def test_rows_of_one_name_are_told_apart_by_how_they_were_called() -> None:
    """Of two rows of one model the surface stands beside the name; the third keeps its own."""
    one = recorded("a", configuration={"surface": "chat", "options": {}}).row
    two = recorded("a", configuration={"surface": "batch", "options": {}}).row
    other = recorded("b").row
    assert labels([one, two, other]) == {
        one.id: "a 1.0 (chat)",
        two.id: "a 1.0 (batch)",
        other.id: "b 1.0",
    }


def test_rows_that_differ_in_options_alone_are_told_apart_all_the_same() -> None:
    """What no short word tells apart is told apart by the digest of its key."""
    one = recorded("a", configuration={"surface": "chat", "options": {"n": 1}}).row
    two = recorded("a", configuration={"surface": "chat", "options": {"n": 2}}).row
    names = labels([one, two])
    assert names[one.id].endswith(f"({one.key.digest[:10]})")
    assert len(set(names.values())) == 2


def test_a_long_revision_stands_in_no_name() -> None:
    """A path with a commit in it would push every figure off the page; a version stays."""
    long = "Somebody/some-model@" + "0123456789abcdef" * 2
    row = recorded("a", revision=long).row
    assert labels([row]) == {row.id: "a"}
