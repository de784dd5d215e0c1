"""From views to pages: what stands on them in each state, whatever the words."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urljoin

import pytest
from mkdocs.utils.meta import get_data

from generator.pages import links
from generator.pages.render import MARK, draw, is_generated
from generator.pages.views.shapes import Prose, Site
from generator.pages.words import Words
from generator.records.base import canonical_json
from generator.records.measure import Measure
from generator.records.row import Row
from tests.pages.hostile import HOSTILE, visible
from tests.pages.reading import Node, read_html, words_in
from tests.pages.sample import (
    HERE,
    Recorded,
    published,
    ratio,
    recorded,
    site,
    tiny,
    withdrawn,
)

NOTHING_SAID = Words("es", {})
"""A locale whose catalogue is empty."""


def drawn(of: Site, words: Words | None = None) -> dict[str, str]:
    """The pages of a site in one locale, by path below its folder."""
    said = words or Words("en")
    return {path.partition("/")[2]: text for path, text in draw(of, [said])}


def page_of(of: Recorded, on: Site | None = None, words: Words | None = None) -> str:
    """The page of a row."""
    return drawn(on or site(of), words)[f"results/greetings/{of.row.id}.md"]


def cells(text: str, table: int, column: int) -> list[Node]:
    """The cells of a column of one of the tables of a page."""
    body = read_html(text).all("table")[table].one("tbody")
    return [
        [node for node in row.inside if isinstance(node, Node)][column] for row in body.all("tr")
    ]


def figure(**measure: object) -> str:
    """How a measure stands in the table of a row's page."""
    plain: dict[str, Any] = {"metric": "passed", **measure}
    row = recorded().row.plain() | {"measures": [plain]}
    of = replace(recorded(), row=Row.parse(canonical_json(row)))
    (cell,) = cells(page_of(of), 0, 2)
    return words_in(cell.text)


def test_a_page_says_that_it_is_generated() -> None:
    """The second line of every page names its source and the command that redraws it."""
    for path, text in drawn(tiny()).items():
        first, second, *_ = text.splitlines()
        assert first == "---", path
        assert second.startswith(MARK), path
        assert second.endswith(": edit the source, not this page."), path
        assert is_generated(text), path


def test_a_page_that_only_quotes_the_mark_is_not_generated() -> None:
    """A page written by hand is never taken for a generated one."""
    assert not is_generated("")
    assert not is_generated("# Prose\n")
    assert not is_generated(f"# Prose\n\nIt says:\n\n{MARK}results/\n")


def test_a_page_is_tidy() -> None:
    """One final newline, no line end of another system, never two empty lines on end."""
    for path, text in drawn(tiny()).items():
        assert text.endswith("\n"), path
        assert not text.endswith("\n\n"), path
        assert "\r" not in text, path
        assert "\n\n\n" not in text, path


def test_every_page_stands_in_every_locale() -> None:
    """The same paths below each locale, whatever its catalogue holds."""
    spoken = [Words("en"), NOTHING_SAID, Words("pt-BR", {})]
    paths = [path for path, _ in draw(tiny(), spoken)]
    below = {code: [p for p in paths if p.startswith(f"{code}/")] for code in ("en", "es", "pt-BR")}
    assert len({tuple(p.partition("/")[2] for p in own) for own in below.values()}) == 1
    assert len(paths) == 3 * len(drawn(tiny()))


@pytest.mark.parametrize("words", [Words("en"), NOTHING_SAID], ids=["en", "es"])
def test_every_page_has_a_title_and_a_description(words: Words) -> None:
    """Front matter holds both as text; without a title the theme would make one of the heading."""
    for path, text in drawn(tiny(), words).items():
        _, meta = get_data(text)
        assert meta["title"], path
        assert meta["description"], path
        assert "<" not in meta["title"] + meta["description"], path


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_name_is_the_title_of_its_page(text: str) -> None:
    """Title and description name the system as it can be seen, and the front matter ends."""
    page = page_of(recorded(text), words=NOTHING_SAID)
    body, meta = get_data(page)
    assert words_in(read_html(meta["title"]).text) == words_in(f"{visible(text)} 1.0 on Greetings")
    assert meta["search"] == {"exclude": True}
    assert body.startswith("# ")


def test_what_is_not_translated_is_marked() -> None:
    """Without a catalogue a page has its English words in elements that say so."""
    for path, text in drawn(tiny(), NOTHING_SAID).items():
        root = read_html(text)
        assert root.all("span", lang="en"), path
        inert = [node for node in root if node.tag in {"title", "desc"}]
        assert not [node for holder in inert for node in holder], path
        assert not [value for node in root for value in node.attributes.values() if "<" in value], (
            path
        )


def test_english_pages_are_in_english() -> None:
    """The source lacks nothing: no page of it marks a text as one of another language."""
    for path, text in drawn(tiny()).items():
        assert not [node for node in read_html(text) if "lang" in node.attributes], path


@pytest.mark.parametrize(
    "of",
    [tiny(), site(benchmarks=[]), site(recorded(), benchmarks=[])],
    ids=["tiny", "empty", "gone"],
)
def test_every_link_ends_at_a_page(of: Site) -> None:
    """No page links to a page that is not drawn: not even that of a benchmark that is gone."""
    pages = drawn(of)
    addresses = {f"/{links.url(path)}" for path in pages}
    for path, text in pages.items():
        for link in read_html(text).all("a"):
            assert urljoin(f"/{links.url(path)}", link.attributes["href"]) in addresses, path


def test_a_rehearsal_says_so_on_every_page() -> None:
    """No page of a rehearsal can be taken for a published one, and no published one for it."""
    rehearsed = drawn(replace(tiny(), rehearsal=True))
    for path, text in drawn(tiny()).items():
        assert "Rehearsal." not in text, path
        banner, *_ = read_html(rehearsed[path]).all("div", class_="assay-banner")
        assert "Nothing on this page is published" in banner.text, path


def test_an_empty_site_says_so_in_words() -> None:
    """An empty list is a sentence, never a blank."""
    pages = drawn(site(benchmarks=[]))
    for path in ("index.md", "benchmarks/index.md", "metrics/index.md"):
        assert "There is no benchmark yet." in pages[path], path
        assert not read_html(pages[path]).all("table"), path
    assert "No result has been published yet." in pages["history.md"]
    assert 'href="../benchmarks/"' in pages["history.md"]


def test_a_benchmark_without_results_says_how_to_publish_one() -> None:
    """Where nothing stands the page gives the commands; where something stands it does not."""
    empty = drawn(site())["benchmarks/greetings.md"]
    assert "No result has been published yet." in empty
    assert "results record dist/runs/greetings\n" in empty
    assert "No result has been published yet." in drawn(site())["index.md"]
    full = drawn(tiny())
    assert "No result has been published yet." not in full["benchmarks/greetings.md"]
    assert "2 results stand." in full["index.md"]


def test_a_metric_that_nobody_shows_says_so() -> None:
    """The page of a metric lists the benchmarks that show it, or says that none does."""
    pages = drawn(site())
    assert 'href="../../../benchmarks/greetings/"' in pages["metrics/declarative/wrong.md"]
    assert "No benchmark shows it" in pages["metrics/declarative/crashed.md"]


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        ({"kind": "ratio", "numerator": 1, "denominator": 3}, "1 / 3 33.3%"),
        ({"kind": "ratio", "numerator": 1999, "denominator": 2000}, "1,999 / 2,000 99.9%"),
        ({"kind": "ratio", "numerator": 0, "denominator": 0}, "—"),
        (
            {"kind": "weighted_ratio", "numerator": "0.30", "denominator": "10"},
            "0.3 / 10 3.0%",
        ),
        ({"kind": "weighted_ratio", "numerator": "0", "denominator": "0.0"}, "—"),
        ({"kind": "mean", "n": 3, "mean": "0.50"}, "0.50 n = 3"),
        ({"kind": "mean", "n": 0}, "—"),
        (
            {"kind": "quantile", "n": 9, "q": "0.95", "value": "12.5", "unit": "<ms>"},
            "12.5 <ms> n = 9",
        ),
        ({"kind": "quantile", "n": 1, "q": "0.95", "unit": "ms"}, "—"),
        ({"kind": "count", "value": 0}, "0"),
        ({"kind": "count", "value": 12345}, "12,345"),
        ({"kind": "label", "value": "small"}, "small"),
    ],
)
def test_a_figure_stands_with_its_terms(measure: Mapping[str, object], said: str) -> None:
    """A ratio is shown as N / D with a percentage beside it; nothing measured is a dash."""
    assert figure(**measure) == said


def test_no_percentage_stands_alone() -> None:
    """Wherever a share is shown its terms stand before it in the same cell."""
    for path, text in drawn(tiny()).items():
        for cell in read_html(text).all("td"):
            for share in cell.all("span", class_="share"):
                terms, *_ = cell.all("span", class_="terms")
                assert "/" in terms.text or share.text.startswith("n = "), path


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        (ratio(1, 2), "9.5%–90.5%"),
        (ratio(0, 1), "0.0%–79.3%"),
        (ratio(0, 0), "—"),
    ],
)
def test_a_proportion_stands_with_its_interval(measure: Measure, said: str) -> None:
    """A row's page gives the interval of a proportion, none where nothing was measured."""
    (cell,) = cells(page_of(recorded().with_figures(measure)), 0, 3)
    assert cell.text == said


def test_a_number_is_sorted_by_its_value() -> None:
    """What a script sorts by is the number, the same in every locale; a gap sorts as a gap."""
    on = site(
        recorded("a").with_figures(ratio(1, 4)),
        recorded("b").with_figures(ratio(0, 0)),
        recorded("c").with_figures(ratio(2, 3)),
    )
    for words in (Words("en"), NOTHING_SAID):
        text = drawn(on, words)["benchmarks/greetings.md"]
        keys = [cell.attributes["data-sort"] for cell in cells(text, 0, 1)]
        assert keys == ["0.666667", "0.250000", ""]


def test_what_became_of_a_row_stands_on_its_page() -> None:
    """Banners name the row that took its place, who withdrew it and why, and other questions."""
    first = recorded("a", {"curt-hey": "Hm?"}, corpus="f" * 64)
    second = recorded("a", corpus="f" * 64, supersedes=first.row)
    on = site(first, second, withdrawals=[withdrawn(second, "<b>Why</b> | not?")])
    old, new = read_html(page_of(first, on)), read_html(page_of(second, on))
    earlier = "The benchmark has changed since this row was measured: "
    newer, asked = (node.text for node in old.all("div", class_="assay-banner"))
    assert newer == f"A newer row took the place of this one: {second.row.id}"
    assert asked.startswith(earlier)
    back, asked = (node.text for node in new.all("div", class_="assay-banner"))
    assert back == (
        "Withdrawn. Nobody In Particular took this row back on April 1, 2026: <b>Why</b> | not?"
    )
    assert asked.startswith(earlier)
    assert f"It took the place of an earlier row: {first.row.id}" in new.text
    assert not read_html(page_of(recorded())).all("div", class_="assay-banner")


def test_rows_on_earlier_questions_stand_under_a_heading_that_says_so() -> None:
    """The table on the corpus at hand has no such heading, and comes first."""
    on = site(recorded("a"), recorded("b", corpus="f" * 64), recorded("c", contracts="e" * 64))
    text = drawn(on)["benchmarks/greetings.md"]
    headings = [line for line in text.splitlines() if line.startswith("### ")]
    assert sorted(read_html(heading).text for heading in headings) == [
        f"### Earlier: version 1, corpus {HERE.digest[:16]}, contracts {'e' * 16}",
        f"### Earlier: version 1, corpus {'f' * 16}, contracts {HERE.contracts[:16]}",
    ]
    assert text.index(">a 1&#46;0<") < text.index(headings[0])
    assert text.count("They are compared with each other only.") == 2


def test_observations_that_are_not_at_hand_are_missed_in_words() -> None:
    """A row of a family that is known no more has a page without its answers, and says so."""
    of = recorded()
    gone = replace(of, row=of.row.model_copy(update={"family": "unheard-of"}))
    text = page_of(gone)
    assert "The observations behind this row are not at hand." in text
    assert len(read_html(text).all("table")) == 1


def test_a_benchmark_without_prose_says_so() -> None:
    """Where nobody has written about a benchmark a sentence stands in place of it."""
    text = drawn(site())["benchmarks/greetings.md"]
    assert "Nothing has been written about this benchmark yet." in text


ABOUT = "Text.\n\n# One\n\n```sh\n# not a heading\n```\n\n## Two\n"


def test_prose_stands_a_level_deeper() -> None:
    """Headings of a benchmark's prose are sections of its section; a comment in code is none."""
    on = site(benchmarks=[published({"en": Prose(ABOUT, "en", behind=False)})])
    text = drawn(on)["benchmarks/greetings.md"]
    assert "\n## One\n" in text
    assert "\n# not a heading\n" in text
    assert "\n### Two\n" in text
    assert "This translation is behind" not in text


def test_prose_that_is_behind_says_so() -> None:
    """A translation whose source has moved on stands under a banner."""
    on = site(benchmarks=[published({"es": Prose("Texto.\n", "es", behind=True)})])
    text = drawn(on, Words("es"))["benchmarks/greetings.md"]
    assert "This translation is behind the English text." in text
    assert "Texto." in text


def test_prose_that_is_not_translated_stands_in_english() -> None:
    """The source's prose stands on a page of another language, marked as what it is."""
    on = site(benchmarks=[published({"es": Prose(ABOUT, "en", behind=False)})])
    text = drawn(on, NOTHING_SAID)["benchmarks/greetings.md"]
    root = read_html(text)
    (held,) = (node for node in root.all("div", lang="en") if not node.attributes.get("class"))
    assert held.one("h2").text == "One"
    assert held.one("pre").text == "# not a heading\n"
    assert "it stands here in English" in root.text


def test_the_same_site_gives_the_same_pages() -> None:
    """A page is a function of what it is drawn from: no clock, no order of a set, no address."""
    assert drawn(tiny()) == drawn(tiny())
