"""What the tests of the workshop stand on: a furnished store in a folder of its own."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from workshop.store import Store
from workshop.world import furnish


@pytest.fixture(scope="session")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the workshop as it is before anything is asked, to be copied."""
    folder = tmp_path_factory.mktemp("furnished")
    opened = Store(folder)
    with opened.transaction():
        furnish(opened)
    opened.close()
    return folder


@pytest.fixture
def store(tmp_path: Path, furnished: Path) -> Iterator[Store]:
    """A workshop of a test's own."""
    shutil.copytree(furnished, tmp_path, dirs_exist_ok=True)
    opened = Store(tmp_path)
    yield opened
    opened.close()
