"""Levels of effort on the pages: what is compared, what is recommended, what systems are called."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

from generator.families.blocks import Cell, Code, Mark, Number, Table
from generator.messages import Message
from generator.pages.render import draw
from generator.pages.views.benchmark import benchmark_page
from generator.pages.views.figures import labels
from generator.pages.views.row import row_page
from generator.pages.views.shapes import BenchmarkView, Published, Site
from generator.pages.words import Words
from generator.records.benchmark import Effort
from generator.records.measure import Label, Mean
from tests.pages.reading import Node, read_html, words_in
from tests.pages.sample import HERE, Recorded, published, recorded, site

SWEEPING = published(
    effort=(Effort(id="none"), Effort(id="low"), Effort(id="xhigh")),
    scoring={
        "tiers": [
            {"id": "large", "at_least": {"polite": 0.9, "curt": 0.9}},
            {"id": "medium", "at_least": {"polite": 0.5}},
            {"id": "small"},
        ]
    },
)
"""The benchmark of the sample with three levels and three tiers."""

SCORES = {"large": ("1.00", "1.00"), "medium": ("0.84", "0.50"), "small": ("0.00", "0.00")}
RECOMMENDED = Mark(Message("recommended"), "good")
NOT_RECOMMENDED = Message("no")
BY_PROMPT = {"effort-by": "prompted"}


def at(
    level: str | None,
    tier: str | None,
    model: str = "parrot",
    *,
    axes: dict[str, str] | None = None,
    spent: tuple[str | None, str | None] = ("1234.5", "10.0"),
    **changed: Any,  # noqa: ANN401  any JSON value of a key
) -> Recorded:
    """A row at a level of effort that earned a tier, and took so many tokens at such a speed."""
    polite, curt = SCORES[tier] if tier else (None, "1.00")
    effort = {} if level is None else {"effort": level}
    key = {
        "contracts": SWEEPING.contracts,
        "configuration": {"surface": "chat", "options": {}, "axes": effort | (axes or {})},
        **changed,
    }
    return recorded(model, **key).with_figures(
        mean("category_score", polite, "polite"),
        mean("category_score", curt, "curt"),
        *([Label(metric="tier", value=tier)] if tier else []),
        mean("completion_tokens", spent[0]),
        mean("tokens_per_second", spent[1]),
    )


def mean(metric: str, value: str | None, part: str | None = None) -> Mean:
    """A mean of some values, or of none."""
    shown = None if value is None else Decimal(value)
    return Mean(metric=metric, part=part, n=0 if value is None else 3, mean=shown)


def on(*rows: Recorded, benchmark: Published = SWEEPING) -> Site:
    """A site of these rows."""
    return site(*rows, benchmarks=[benchmark])


def compared(*rows: Recorded, benchmark: Published = SWEEPING) -> list[Table]:
    """What the benchmark's page shows of these rows together."""
    of = on(*rows, benchmark=benchmark)
    view = benchmark_page(of, of.benchmarks[0]).view
    assert isinstance(view, BenchmarkView)
    tables = [block for block in view.compared if isinstance(block, Table)]
    assert len(tables) == len(view.compared)
    return tables


def lines(*rows: Recorded) -> list[tuple[Cell, ...]]:
    """The lines of the one table of effort."""
    (table,) = compared(*rows)
    assert {len(line) for line in table.rows} == {len(table.columns)}
    return list(table.rows)


def tables(of: Site) -> list[Node]:
    """Every table of the benchmark's page, as a browser reads it."""
    pages = dict(draw(of, [Words("en")]))
    return read_html(pages["en/benchmarks/greetings.md"]).all("table")


def captions(of: Site) -> list[str]:
    """What the tables of the benchmark's page are called, in short."""
    return [words_in(table.one("caption").text)[:13] for table in tables(of)]


def test_a_sweep_is_one_table_of_the_page() -> None:
    """A line for each level from cheap to dear, with its tier, its scores and what it took.

    The last column recommends the cheapest level of the highest tier seen.
    """
    rows = [at("xhigh", "large"), at("none", "small"), at("low", "large")]
    (table,) = compared(*rows)
    assert [column.id for column in table.columns] == [
        *("Model", "Effort", "Tier", "Polite greetings", "Curt greetings"),
        *("Completion tokens", "Tokens per second", "Recommended"),
    ]
    took = (Number(Decimal("1234.5")), Number(Decimal("10.0")))
    best, worst = Number(Decimal("1.00")), Number(Decimal("0.00"))
    model = Code("parrot 1.0")
    assert list(table.rows) == [
        (model, Code("none"), Code("small"), worst, worst, *took, NOT_RECOMMENDED),
        (model, Code("low"), Code("large"), best, best, *took, RECOMMENDED),
        (model, Code("xhigh"), Code("large"), best, best, *took, NOT_RECOMMENDED),
    ]


def test_each_model_has_a_recommendation_of_its_own() -> None:
    """What one model reaches says nothing of another."""
    rows = [
        *(at("none", "small"), at("low", "medium")),
        *(at("none", "large", "magpie"), at("low", "large", "magpie")),
    ]
    taken = {line[0]: line[1] for line in lines(*rows) if line[-1] == RECOMMENDED}
    assert taken == {Code("parrot 1.0"): Code("low"), Code("magpie 1.0"): Code("none")}


def test_without_a_tier_nothing_is_recommended() -> None:
    """A dash stands where no tier was earned and where nothing was measured."""
    ((_, _, tier, polite, _, *_, recommended),) = lines(at("low", None))
    assert (tier, polite, recommended) == (Number(None), Number(None), NOT_RECOMMENDED)


def test_what_a_system_does_not_report_is_a_dash() -> None:
    """Tokens and speed that nobody counted are none, and no zeros."""
    (line,) = lines(at("low", "large", spent=(None, None)))
    assert line[5:7] == (Number(None), Number(None))


def test_a_prompted_level_is_told_from_a_setting() -> None:
    """A level that was asked by prompt says so, and is recommended among its own kind only."""
    rows = [
        *(at("none", "small"), at("low", "medium")),
        *(at("none", "large", axes=BY_PROMPT), at("low", "large", axes=BY_PROMPT)),
    ]
    said = [Message("{level}, asked by prompt", {"level": Code(name)}) for name in ("none", "low")]
    shown = [(line[1], line[-1]) for line in lines(*rows)]
    assert sorted(shown, key=str) == sorted(
        [
            (Code("none"), NOT_RECOMMENDED),
            (Code("low"), RECOMMENDED),
            (said[0], RECOMMENDED),
            (said[1], NOT_RECOMMENDED),
        ],
        key=str,
    )


def test_rows_on_an_earlier_corpus_are_not_compared() -> None:
    """A row that answered other questions, or was scored by another key, recommends nothing."""
    earlier: tuple[dict[str, Any], ...] = (
        {"corpus": "f" * 64},
        {"contracts": "f" * 64},
        {"benchmark_version": "0"},
    )
    for changed in earlier:
        assert compared(at("low", "large", **changed)) == []
        assert len(lines(at("low", "large", **changed), at("none", "small"))) == 1


@pytest.mark.parametrize(
    ("rows", "benchmark"),
    [
        ([], SWEEPING),
        ([at(None, "large")], SWEEPING),
        ([at("ludicrous", "large")], SWEEPING),
        ([at("low", "large", contracts=HERE.contracts)], HERE),
    ],
    ids=["no row", "no level", "no such level", "no declared level"],
)
def test_without_a_sweep_there_is_no_table(rows: Sequence[Recorded], benchmark: Published) -> None:
    """A benchmark that asks for no effort has a page without a word of it."""
    assert compared(*rows, benchmark=benchmark) == []
    assert "The same mode" not in captions(on(*rows, benchmark=benchmark))


def test_the_comparison_stands_among_the_results_of_today() -> None:
    """Tables of earlier questions come after it, under a heading that is theirs alone."""
    now, earlier = at("low", "large"), at("low", "large", corpus="0" * 64)
    other = at("low", "large", harness="another")
    assert captions(on(now)) == [
        *("Rows that agr", "What the colu", "Provenance of", "The same mode"),
        *("Polite greeti", "Curt greeting"),
    ]
    assert captions(on(now, other, earlier)) == [
        *("Rows that agr", "What the colu", "Provenance of"),
        *("Rows that agr", "What the colu", "Provenance of", "The same mode"),
        *("Rows that agr", "What the colu", "Provenance of"),
        *("Polite greeti", "Curt greeting"),
    ]


def test_figures_of_the_comparison_are_numbers_to_a_reader_and_a_sorter() -> None:
    """Columns of figures are set as such and sort by value; a dash sorts as nothing."""
    rows = [at("none", "small", spent=("1234.5", None)), at("low", None, spent=("99.0", None))]
    (table,) = (found for found in tables(on(*rows)) if "same model" in found.one("caption").text)
    heads = [head.attributes.get("class", "") for head in table.one("thead").all("th")]
    assert heads == ["", "", "", "number", "number", "number", "number", ""]
    body = [row.all("td") for row in table.one("tbody").all("tr")]
    assert [[words_in(cell.text) for cell in row] for row in body] == [
        ["none", "small", "0.00", "0.00", "1,234.5", "—", "recommended"],
        ["low", "—", "—", "1.00", "99.0", "—", "no"],
    ]
    sorts = [[cell.attributes.get("data-sort") for cell in row] for row in body]
    assert sorts == [
        [None, None, "0.00", "0.00", "1234.5", "", None],
        [None, None, "", "1.00", "99.0", "", None],
    ]


def test_a_model_of_a_strangers_name_stands_in_the_comparison() -> None:
    """Whatever a model is called is text."""
    hostile = "<script>alert(1)</script>|`*"
    (table,) = (
        found
        for found in tables(on(at("low", "large", hostile)))
        if "same model" in found.one("caption").text
    )
    assert not table.all("script")
    assert words_in(table.one("tbody").all("th")[0].text) == f"{hostile} 1.0"


def test_a_word_has_no_bounds() -> None:
    """The page of a metric says from where to where it goes, and nothing of the kind of a tier."""
    pages = dict(draw(on(), [Words("en")]))
    named = {
        metric: [
            node.text for node in read_html(pages[f"en/metrics/declarative/{metric}.md"]).all("dt")
        ]
        for metric in ("tier", "completion-tokens")
    }
    assert "Bounds" in named["completion-tokens"]
    assert "Bounds" not in named["tier"]
    assert "denominator of zero" not in pages["en/metrics/declarative/tier.md"]


# What systems are called


def test_a_system_is_called_by_its_model_and_effort() -> None:
    """As `model@effort` in tables and titles, since a level never stands for another."""
    rows = [at("low", "large"), at("xhigh", "large"), at(None, "large")]
    assert list(labels(of.row for of in rows).values()) == [
        "parrot@low 1.0",
        "parrot@xhigh 1.0",
        "parrot 1.0",
    ]
    title = row_page(on(rows[0]), rows[0].row).title
    assert title.values["system"] == "parrot@low 1.0"


def test_a_prompted_level_is_another_name() -> None:
    """The way of asking stands behind the revision, as any other axis does."""
    asked = at("low", "large", axes=BY_PROMPT | {"depth": "two"})
    assert labels([asked.row]) == {asked.row.id: "parrot@low 1.0 two prompted"}


def test_names_of_the_tables_are_those_of_the_levels() -> None:
    """Every table of the page, and the chart, tells levels apart."""
    of = on(at("low", "large"), at("none", "small"))
    for table in tables(of)[:3]:
        names = [words_in(row.all("th")[0].text) for row in table.one("tbody").all("tr")]
        assert sorted(names) == ["parrot@low 1.0", "parrot@none 1.0"]
