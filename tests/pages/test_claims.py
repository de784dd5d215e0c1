"""Claims on the page of their benchmark: what stands there, whose words it is, and what is said."""

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from generator.pages.render import draw
from generator.pages.views.benchmark import benchmark_page
from generator.pages.views.shapes import BenchmarkView, Claimed, Site
from generator.pages.words import Words
from generator.records.candidate import Bound
from generator.records.measure import Mean
from tests.pages.hostile import HOSTILE, visible
from tests.pages.reading import Node, read_html, skeleton, words_in
from tests.pages.sample import HERE, Recorded, promoted, ratio, recorded, site, withdrawn
from tests.pages.test_text import drawn as as_html

PASSED = Bound(measure="passed", min=Decimal("0.9"))
WHOLE = Path(__file__).with_name("claims.md")
"""The section, whole, as it is drawn for two claims."""


def page(of: Site, words: Words | None = None) -> str:
    """The page of the benchmark in one locale."""
    pages = dict(draw(of, [words or Words("en")]))
    return next(text for path, text in pages.items() if path.endswith("/benchmarks/greetings.md"))


def section(of: Site, words: Words | None = None) -> str:
    """The section about claims."""
    text = page(of, words)
    return text[text.index("## Claims") : text.index("## About this benchmark")]


def claims_of(of: Site) -> tuple[Claimed, ...]:
    """What the page shows of claims."""
    view = benchmark_page(of, of.benchmarks[0]).view
    assert isinstance(view, BenchmarkView)
    return view.claims


def claimed(*holds: Bound, of: Recorded | None = None) -> str:
    """The section about one claim with those bounds."""
    row = of or recorded()
    return section(site(row, promotions=[promoted(row, *holds)]))


def texts(nodes: Iterable[Node]) -> list[str]:
    """What a reader sees of some elements."""
    return [words_in(node.text) for node in nodes]


def test_the_section_is_the_golden_one() -> None:
    """Two claims, one about a row that was taken back: every byte, to be looked at in a review."""
    first, second = recorded("parrot"), recorded("magpie")
    many = (
        PASSED,
        Bound(measure="wrong", max=Decimal(0)),
        Bound(measure="passed.polite", min=Decimal("0.5"), max=Decimal(1)),
        Bound(measure="category_score.polite", min=Decimal("0.75")),
    )
    of = site(
        first,
        second,
        withdrawals=[withdrawn(second)],
        promotions=[promoted(second, name="taken-back"), promoted(first, *many)],
    )
    assert section(of) == WHOLE.read_text("utf-8")


def test_without_a_promoted_claim_there_is_no_section() -> None:
    """Nothing is said of claims where there is none, and none of another benchmark is shown."""
    row = recorded()
    assert "Claims" not in page(site(row))
    other = promoted(row).model_copy(update={"benchmark": "others"})
    assert "Claims" not in page(site(row, promotions=[other]))


def test_claims_stand_in_the_order_of_their_names() -> None:
    """Whatever the order in which they were read."""
    row = recorded()
    of = site(row, promotions=[promoted(row, name=name) for name in ("b", "c", "a")])
    assert [claim.promotion.id for claim in claims_of(of)] == ["a", "b", "c"]


def test_a_claim_is_quoted_in_its_own_language() -> None:
    """Its words are somebody's, in English, on a page of any language."""
    row = recorded()
    html = read_html(section(site(row, promotions=[promoted(row)]), Words("en")))
    marked = [node for node in html if node.attributes.get("lang") == "en"]
    assert texts(marked) == [
        "It greets back whoever greets.",
        "It greets back in every case.",
        "Short greetings in English.",
    ]
    assert all(node.one("q", class_="said") for node in marked)


def test_a_figure_stands_with_both_terms_for_both_runs() -> None:
    """The one of the row, and the one of the run that bore it out."""
    row = read_html(claimed(PASSED)).one("tbody").one("tr")
    assert texts(row.all("td")) == ["at least 0.9", "3 / 3 100.0%", "3 / 3 100.0%"]


@pytest.mark.parametrize(
    ("bound", "said"),
    [
        (Bound(measure="passed", min=Decimal("0.90")), "at least 0.9"),
        (Bound(measure="passed", max=Decimal(1)), "at most 1"),
        (Bound(measure="passed", min=Decimal("-0.5"), max=Decimal(1000)), "from -0.5 to 1,000"),
        (Bound(measure="passed", min=Decimal("0." + "1" * 18)), "at least 0." + "1" * 18),
        (Bound(measure="passed", min=Decimal(-(10**17))), "at least -100,000,000,000,000,000"),
    ],
)
def test_a_bound_is_said_to_the_last_digit(bound: Bound, said: str) -> None:
    """As many digits as a bound may have are shown, none is rounded away."""
    assert texts(read_html(claimed(bound)).one("tbody").all("td"))[0] == said


def test_a_measure_that_the_family_no_longer_has_stands_by_its_id() -> None:
    """A claim outlives the metrics of its family, and its figures stay."""
    bound = Bound(measure="charm.polite", min=Decimal("0.1"))
    of = recorded().with_figures(ratio(2, 3, "charm").model_copy(update={"part": "polite"}))
    row = read_html(claimed(bound, of=of)).one("tbody").one("tr")
    assert words_in(row.one("th").text) == "charm.polite"
    assert row.all("a") == []
    assert texts(row.all("td"))[1:] == ["2 / 3 66.7%"] * 2


def test_a_figure_that_is_not_there_is_a_dash() -> None:
    """A promotion without a figure of a bounded measure shows nothing, which is no zero."""
    row = recorded()
    first, second = promoted(row).runs
    bare = (first.model_copy(update={"measures": ()}), second)
    promotion = promoted(row).model_copy(update={"runs": bare})
    html = read_html(section(site(row, promotions=[promotion])))
    assert texts(html.one("tbody").all("td"))[1:] == ["—", "3 / 3 100.0%"]


def test_a_mean_stands_with_its_number() -> None:
    """Each kind of measure stands as it does in every table."""
    mean = Mean(metric="category_score", part="polite", n=2, mean=Decimal("0.75"))
    bound = Bound(measure="category_score.polite", min=Decimal("0.5"))
    html = read_html(claimed(bound, of=recorded().with_figures(mean)))
    assert texts(html.one("tbody").all("td"))[1:] == ["0.75 n = 2"] * 2


def test_a_claim_says_where_its_row_is_and_whether_it_stands() -> None:
    """It stays where its row was withdrawn or replaced, under a note that says so."""
    first = recorded("parrot")
    heir = recorded("parrot", finished="2026-03-20T10:05:00Z", supersedes=first.row)
    changed = replace(heir, row=heir.row.model_copy(update={"id": "an-heir"}))
    promotion = promoted(first)
    note = "no longer stands"
    assert note not in section(site(first, promotions=[promotion]))
    assert note in section(site(first, withdrawals=[withdrawn(first)], promotions=[promotion]))
    of = site(first, changed, promotions=[promotion])
    assert note in section(of)
    (link,) = read_html(section(of)).one("dl").all("a")
    assert link.attributes["href"] == f"../../results/greetings/{first.row.id}/"


def test_no_two_regions_of_a_page_have_one_name() -> None:
    """The table of each claim is named for it."""
    row = recorded()
    of = site(row, promotions=[promoted(row, name="a"), promoted(row, name="b")])
    names = [
        node.attributes["aria-label"] for node in read_html(page(of)).all("div", role="region")
    ]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_words_of_a_claim_are_words(kind: str) -> None:
    """Built by the site's own Markdown, the page has the elements of a harmless one, no more."""
    text = HOSTILE[kind]
    row = recorded()
    harmless = promoted(row, claim="plain", description="plain", applicability="plain")
    evil = promoted(row, claim=text, description=text, applicability=text)
    plain, built = (
        as_html(section(site(row, promotions=[one], benchmarks=[HERE]))) for one in (harmless, evil)
    )
    lines = text.count("\n")
    assert [one for one in skeleton(built) if one[0] != "br"] == skeleton(plain)
    said = read_html(built).one("blockquote")
    assert len(said.all("br")) == lines
    assert words_in(said.text.replace(" ", "")) == words_in(
        visible(text.replace("\n", "")).replace(" ", "")
    )
