"""The commands of the guide, run from top to bottom as a reader would.

A page is followed literally: what is to be saved is saved, what is to be added is added, and every
block of commands is run where the one before it has ended. All but the first page begin where that
one has run its first benchmark.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.guide.reader import LEFT_OUT, Reader, model
from tests.guide.reading import PAGES, blocks

FIRST = "index.md"

ALONE = {
    "results record dist/runs/first-benchmark --submission": "instead of the recording before it",
}
"""Blocks that are run in a copy of their own, with the reason for each."""


@pytest.fixture(scope="session")
def endpoint() -> Iterator[str]:
    """The address of a model, on this machine."""
    with model() as address:
        yield address


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory, endpoint: str) -> Reader:
    """Somebody who has laid out a site and run its benchmark, by the first page of the guide."""
    reader = Reader.starting(tmp_path_factory.mktemp("reader") / "begun", endpoint)
    for block in blocks(FIRST):
        reader.follow(block)
        if any(reader.here.glob("dist/runs/*/run.json")):
            return reader
    message = "the first page runs no benchmark"
    raise AssertionError(message)


def test_the_first_page_ends_in_a_site(tmp_path: Path, endpoint: str) -> None:
    """From nothing to a published row and a built site, by the commands of the page alone."""
    reader = Reader.starting(tmp_path / "reader", endpoint)
    for block in blocks(FIRST):
        reader.follow(block)
    assert list(reader.here.glob("results/registry/*/*.json"))
    assert (reader.here / "site" / "index.html").is_file()


@pytest.mark.parametrize("page", [page for page in PAGES if page != FIRST])
def test_a_page_can_be_followed(begun: Reader, tmp_path: Path, page: str) -> None:
    """Each command of the page does what it should, in the order of the page."""
    reader, alone = begun.copy(tmp_path / "reader"), begun.copy(tmp_path / "alone")
    for block in blocks(page):
        (alone if block.text.strip() in ALONE else reader).follow(block)


def test_no_exception_is_left_over() -> None:
    """What is left out, or run alone, is in the guide."""
    said = [block.text for page in PAGES for block in blocks(page, "sh")]
    lines = {line.strip() for text in said for line in text.splitlines()}
    assert set(LEFT_OUT) <= lines
    assert set(ALONE) <= {text.strip() for text in said}
