import contextlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.store import fingerprints
from generator.store.fingerprints import Fingerprints, fingerprint

NUMBERS = st.integers(0, 2**64 - 1) | st.integers(0, 20)


@given(st.lists(st.lists(NUMBERS, max_size=30), max_size=20), st.integers(1, 40))
def test_what_came_twice_is_found_wherever_it_is_held(batches: list[list[int]], held: int) -> None:
    """In memory, in one sorted part of the temp file or in two: no pair is missed or made up."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fingerprints, "HELD", held)
        patch.setattr(fingerprints, "_READ", 3)
        with contextlib.closing(Fingerprints()) as seen:
            for batch in batches:
                seen.add(batch)
            found = seen.repeated()
    counted = Counter(number for batch in batches for number in batch)
    assert found == {number for number, times in counted.items() if times > 1}


@given(st.text(max_size=30), st.text(max_size=30))
def test_equal_names_have_equal_fingerprints(one: str, other: str) -> None:
    """Equality is kept in eight bytes, and among a few names nothing else is equal."""
    assert (fingerprint(one) == fingerprint(other)) == (one == other)
    assert 0 <= fingerprint(one) < 2**64
