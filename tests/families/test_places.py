"""Places in texts: what fills them, and what is none."""

import pytest

from generator.families.places import Place, Unfilled, field_of, filled, places

MADE = {"mark": {"name": "k3x9"}, "bolt": {"name": "Bolt k3x9", "stock": 4, "on": True}, "odd": 1}


def test_places_are_filled() -> None:
    """By the mark and by fields; what is no text is written as JSON has it."""
    assert (
        filled("{mark}: {bolt.name}, {bolt.stock}, {bolt.on}", MADE) == "k3x9: Bolt k3x9, 4, true"
    )


def test_other_braces_are_braces() -> None:
    """Nothing is asked of what does not look like a place."""
    text = "{} { mark } {a b} {bolt.} {.name} {{"
    assert filled(text, MADE) == text
    assert list(places(text)) == []


@pytest.mark.parametrize("text", ["{nut.name}", "{bolt.id}", "{bolt}", "{odd.name}", "{marks}"])
def test_what_nothing_fills_is_told(text: str) -> None:
    """By the place itself."""
    with pytest.raises(Unfilled) as caught:
        filled(f"The {text}.", MADE)
    assert text in str(caught.value)


def test_places_are_found_as_they_are_written() -> None:
    """Fixture and field, or the fixture alone."""
    found = list(places("{mark} {bolt.name}"))
    assert found == [Place("mark", None), Place("bolt", "name")]
    assert [*map(str, found)] == ["{mark}", "{bolt.name}"]
    assert field_of(MADE, "bolt", "stock") == 4
