"""A tiny site, whole: every byte of its pages in each locale. See `golden` for how to refresh."""

import pytest

from tests.pages.golden import LOCALES, drawn, kept


@pytest.mark.parametrize("locale", LOCALES)
def test_pages_are_the_golden_ones(locale: str) -> None:
    """A page changes only together with its golden page: python -m tests.pages.golden."""
    pages, missing = drawn(locale)
    assert missing == set()
    golden = kept(locale)
    assert sorted(pages) == sorted(golden)
    for path, text in pages.items():
        assert text == golden[path], path


def test_locales_hold_the_same_pages() -> None:
    """What stands in one language stands in all of them, at the same path."""
    paths = [[path.partition("/")[2] for path in kept(locale)] for locale in LOCALES]
    assert paths[0]
    assert all(own == paths[0] for own in paths)
