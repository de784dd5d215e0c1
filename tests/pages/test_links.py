"""Links: from page to page by relative ways that hold wherever the site is put."""

from urllib.parse import urljoin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.pages import links
from tests.pages.sample import recorded

SLUG = st.from_regex(r"[a-z0-9]{1,3}(-[a-z0-9]{1,3})?", fullmatch=True)
PAGE = st.builds(
    lambda folders, name: "/".join([*folders, f"{name}.md"]),
    st.lists(SLUG, max_size=3),
    st.one_of(st.just("index"), SLUG),
)


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("index.md", ""),
        ("rules.md", "rules/"),
        ("metrics/index.md", "metrics/"),
        ("benchmarks/dates.md", "benchmarks/dates/"),
        ("results/dates/a-1.md", "results/dates/a-1/"),
    ],
)
def test_an_address_is_a_folder(path: str, address: str) -> None:
    """A page is found at a folder of its name, an index at its own folder."""
    assert links.url(path) == address


@pytest.mark.parametrize(
    ("here", "there", "way"),
    [
        ("index.md", "index.md", "./"),
        ("index.md", "rules.md", "rules/"),
        ("rules.md", "index.md", "../"),
        ("rules.md", "history.md", "../history/"),
        ("results/dates/a.md", "results/dates/b.md", "../b/"),
        ("results/dates/a.md", "benchmarks/dates.md", "../../../benchmarks/dates/"),
        ("metrics/index.md", "metrics/declarative/passed.md", "declarative/passed/"),
    ],
)
def test_a_link_is_the_way_from_page_to_page(here: str, there: str, way: str) -> None:
    """The way climbs as far as it must and ends at the folder of the page."""
    assert links.href(here, there) == way


@settings(deadline=None)
@given(here=PAGE, there=PAGE, root=st.sampled_from(["https://x.example/", "file:///a/b/es/"]))
def test_a_link_leads_there_from_anywhere(here: str, there: str, root: str) -> None:
    """A browser on one page, wherever the site is put, follows the link to the other page."""
    assert urljoin(root + links.url(here), links.href(here, there)) == root + links.url(there)


def test_an_anchor_stands_behind_the_way() -> None:
    """A link to a section names it; without one it ends with the folder."""
    assert links.href("index.md", "rules.md", "dirty-tree") == "rules/#dirty-tree"
    assert links.href("rules.md", "rules.md", "a") == "./#a"


def test_where_pages_stand() -> None:
    """Benchmarks, metrics and rows have pages at ways that name them, in ASCII and with hyphens."""
    row = recorded("<b>É vil/../</b>").row
    assert links.benchmark_page("dates") == "benchmarks/dates.md"
    assert links.metric_page("declarative", "timed_out") == "metrics/declarative/timed-out.md"
    assert links.row_page(row) == f"results/greetings/{row.id}.md"
    assert row.id.startswith("b-e-vil-b-1-0-")
