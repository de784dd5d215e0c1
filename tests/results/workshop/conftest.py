"""What the tests of the workshop stand on: a furnished store in a folder of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from workshop.store import Store
from workshop.world import furnish


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """The workshop as it is before anything is asked."""
    opened = Store(tmp_path)
    with opened.transaction():
        furnish(opened)
    yield opened
    opened.close()
