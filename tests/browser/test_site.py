"""The site as a reader meets it: wide and narrow, light and dark, both directions, no script."""

import json
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.conftest import SITE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

PHONE, DESK = 390, 1440


ROOT = SITE.parent


def _current(benchmark: str) -> list[str]:
    """Ids of the rows that were asked what the benchmark asks now."""
    text = (ROOT / f"results/benchmarks/{benchmark}/benchmark.toml").read_text(encoding="utf-8")
    version = tomllib.loads(text)["version"]
    files = sorted(ROOT.glob(f"results/registry/{benchmark}/*.json"))
    rows = [json.loads(path.read_bytes()) for path in files]
    return [row["id"] for row in rows if row.get("key", {}).get("benchmark_version") == version]


def _row_page(benchmark: str) -> str:
    return f"results/{benchmark}/{_current(benchmark)[0]}/"


GUIDE = ("guide/", "guide/benchmark/", "guide/running/", "guide/writer/")
PAGES = (
    *("", "metrics/", "metrics/declarative/passed/", "metrics/steps/refusals/"),
    *("benchmarks/dates/", "benchmarks/capability/", "benchmarks/workshop-small/"),
    *("benchmarks/unused-code/", "benchmarks/shown-tests/"),
    *(_row_page("dates"), _row_page("workshop-small"), _row_page("shown-tests")),
    *("rules/", "history/"),
)


@contextmanager
def opened(
    browser: "Browser", url: str, width: int = DESK, scheme: str = "light", *, script: bool = True
) -> "Iterator[Page]":
    """A page of the site; what it asks of other hosts and what it complains of fails the test."""
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
        java_script_enabled=script,
    )
    page = context.new_page()
    requested: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(url)
    yield page
    assert [
        there for there in requested if not there.startswith(("http://127.0.0.1", "data:"))
    ] == []
    assert complaints == []
    context.close()


def violations(page: "Page") -> list[str]:
    """What axe-core finds on the page as it stands."""
    import axe_playwright_python

    script = Path(axe_playwright_python.__file__).with_name("axe.min.js")
    page.evaluate(script.read_text("utf-8"))
    found: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{fault['id']}: {node['target']} {node['failureSummary']}"
        for fault in found["violations"]
        for node in fault["nodes"]
    ]


@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible(browser: "Browser", address: str, width: int, scheme: str) -> None:
    """axe-core finds nothing on any kind of page, wide and narrow, light and dark."""
    for path in (*PAGES, *GUIDE, "es/benchmarks/dates/", "it/rules/"):
        with opened(browser, address + path, width, scheme) as page:
            assert violations(page) == [], path


def test_pages_are_accessible_from_right_to_left(browser: "Browser", address: str) -> None:
    """The styles hold when the page is turned round, as for a language written from the right."""
    for path in ("", "benchmarks/dates/", "benchmarks/unused-code/", _row_page("dates")):
        with opened(browser, address + path, PHONE) as page:
            page.evaluate("document.documentElement.dir = document.body.dir = 'rtl'")
            assert violations(page) == [], path
            assert _overflow(page) == 0, path


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_no_page_is_wider_than_its_window(browser: "Browser", address: str, width: int) -> None:
    """Tables and charts scroll by themselves; the page does not."""
    for script in (True, False):
        for path in (*PAGES, *GUIDE):
            with opened(browser, address + path, width, script=script) as page:
                assert _overflow(page) == 0, (path, script)


def test_everything_is_there_without_script(browser: "Browser", address: str) -> None:
    """Without JavaScript a table holds every row, and no control that would do nothing."""
    with opened(browser, address + "benchmarks/dates/", script=False) as page:
        table = page.locator("table.assay").first
        assert table.locator("tbody tr").count() == len(_current("dates"))
        assert page.locator(".assay-sort, .assay-filter").count() == 0
        bars = page.locator("figure").first.locator("svg rect.bar")
        assert bars.count() == len(_current("dates"))


def test_two_arms_stand_beside_each_other(browser: "Browser", address: str) -> None:
    """Every task of the chart stands in the table above it, with as many marks as it has times."""
    with opened(browser, address + "benchmarks/unused-code/", script=False) as page:
        chart = page.locator("figure", has=page.locator("svg .first")).first
        times = page.locator("table.assay", has_text="both arms task by task").first
        rows = times.locator("tbody tr")
        told = [
            [row.locator("td").nth(place).inner_text() != "—" for row in rows.all()]
            for place in (2, 3)
        ]
        assert rows.count() > 40
        assert chart.locator("svg .first").count() == sum(told[0])
        assert chart.locator("svg .second").count() == sum(told[1])


def test_a_table_is_sorted_by_its_numbers(browser: "Browser", address: str) -> None:
    """A click on a head sorts by number, says so, and a second click turns it round."""
    with opened(browser, address + "benchmarks/dates/") as page:
        table = page.locator("table.assay").first
        wrong = table.locator("thead th").nth(6)
        for order, reverse in (("descending", True), ("ascending", False)):
            wrong.locator("button").click()
            assert wrong.get_attribute("aria-sort") == order
            cells = table.locator("tbody tr td:nth-of-type(6)").all()
            keys = [float(cell.get_attribute("data-sort") or "nan") for cell in cells]
            assert keys == sorted(keys, reverse=reverse)


def test_a_filter_hides_rows(browser: "Browser", address: str) -> None:
    """What is typed above a long table leaves only the rows that hold it."""
    with opened(browser, address + _row_page("dates")) as page:
        box = page.locator(".assay-filter input").last
        rows = page.locator("table.assay").last.locator("tbody tr")
        every = rows.count()
        box.fill("must-refuse")
        shown = [row for row in rows.all() if row.is_visible()]
        assert 0 < len(shown) < every
        assert all("must-refuse" in (row.text_content() or "") for row in shown)


@pytest.mark.parametrize("path", ["", "benchmarks/dates/", "guide/recording/", "rules/"])
def test_the_switcher_leads_to_the_same_page(browser: "Browser", address: str, path: str) -> None:
    """From a page in one language to the same page in another, and back."""
    way = (("es", f"es/{path}"), ("it", f"it/{path}"), ("en", path))
    with opened(browser, address + path) as page:
        for code, there in way:
            page.locator(".md-select").hover()
            page.locator(f".md-select a[hreflang={code}]").click()
            page.wait_for_url(address + there)
            assert page.url == address + there
            assert page.locator("html").get_attribute("lang") == code


def test_search_finds_a_rule_and_no_leaf_page(browser: "Browser", address: str) -> None:
    """The index holds what explains, and leaves out the pages of single rows."""
    with opened(browser, address) as page:
        page.wait_for_load_state("networkidle")
        page.locator(".md-search__input").click()
        page.locator(".md-search__input").press_sequentially("dirty-tree")
        page.locator(".md-search-result__link[href*=rules]").first.wait_for()
        # Read at once: the list is made anew while hits come in.
        links: list[str] = page.eval_on_selector_all(
            ".md-search-result__link", "found => found.map(link => link.href)"
        )
        assert not any("results/dates" in link for link in links)


def _overflow(page: "Page") -> int:
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    return max(0, int(page.evaluate(wide)))
