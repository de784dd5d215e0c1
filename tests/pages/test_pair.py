"""The page of a paired experiment: what is drawn of two arms, and for whom it can be read."""

from dataclasses import replace
from functools import cache

import pytest

from generator.pages.render import draw
from generator.pages.views.benchmark import benchmark_page
from generator.pages.views.shapes import BenchmarkView, Site
from generator.pages.words import Words
from tests.families.paired.sample import BENCHMARK, CASES, attempt, corpus
from tests.pages.hostile import HOSTILE, visible
from tests.pages.pair import (
    BASELINE,
    CANDIDATE,
    HERE,
    RUN,
    arms,
    attempts,
    comparison,
    key,
    pair,
    recorded,
)
from tests.pages.reading import Node, read_html, skeleton, words_in
from tests.pages.sample import withdrawn


@cache
def page() -> Node:
    """The benchmark's page of the sound site."""
    return read_html(benchmark(pair()))


def benchmark(of: Site, words: Words | None = None) -> str:
    """The benchmark's page of a site."""
    pages = draw(of, [words or Words("en")])
    return next(text for path, text in pages if path.endswith("/benchmarks/tidying.md"))


def compared(of: Site) -> int:
    """How many blocks stand on the benchmark's page because rows are compared."""
    view = benchmark_page(of, of.benchmarks[0]).view
    assert isinstance(view, BenchmarkView)
    return len(view.compared)


def test_a_benchmark_shows_what_its_rows_say_of_each_other() -> None:
    """The comparison of two rows that stand and answer what the benchmark asks now."""
    assert compared(pair()) == 9


def test_a_row_taken_back_takes_the_comparison_with_it() -> None:
    """It is no longer said, though its file stays."""
    of, taken = pair(), withdrawn(arms()[1])
    registry = replace(of.registry, withdrawals={taken.row: taken})
    assert compared(replace(of, registry=registry)) == 0


def test_rows_of_earlier_questions_are_compared_no_more() -> None:
    """What was asked then is not what the page tells of."""
    earlier = {"corpus": "f" * 64}
    baseline = recorded(key("broom", **earlier), attempts("broom", BASELINE))
    candidate = recorded(key("mop", **earlier), attempts("mop", CANDIDATE))
    assert compared(pair(baseline, candidate)) == 0


def test_rows_of_another_benchmark_are_compared_there() -> None:
    """Each benchmark tells of its own."""
    of = pair()
    other = replace(HERE, benchmark=BENCHMARK.model_copy(update={"id": "mopping"}))
    here, there = (
        benchmark_page(replace(of, benchmarks=(HERE, other)), one).view for one in (HERE, other)
    )
    assert isinstance(here, BenchmarkView)
    assert isinstance(there, BenchmarkView)
    assert (len(here.compared), len(there.compared)) == (9, 0)


def test_a_chart_is_told_in_words() -> None:
    """Its name and its description are there for who can't see it, and name both arms."""
    (chart,) = (one for one in page().all("svg") if one.all("path", class_="first"))
    named = [chart.one("title"), chart.one("desc")]
    ids = " ".join(node.attributes["id"] for node in named)
    assert chart.attributes["aria-labelledby"] == ids
    assert chart.attributes["role"] == "img"
    assert chart.attributes["direction"] == "ltr"
    legend = "Circles: broom (pypi:broom 1.0). Diamonds: mop (pypi:mop 1.0)."
    assert words_in(named[1].text).startswith(legend)
    figure = next(one for one in page().all("figure") if one.all("path", class_="first"))
    caption = words_in(figure.one("figcaption").text)
    assert legend in caption
    assert caption.endswith("The axis is logarithmic: equal ways are equal ratios.")


def test_a_chart_draws_what_there_is() -> None:
    """A shape for each value, and a stroke where there are two; shapes differ, not only colours."""
    lines = [group for group in page().all("g") if not group.all("rect")]
    shapes = [[path.attributes["class"] for path in line.all("path")] for line in lines]
    both = ["joined", "first", "second"]
    assert shapes == [both, both, ["second"], ["first"]]
    drawn = {kind: [line.all("path", class_=kind) for line in lines] for kind in both}
    for kind, stroke in (("joined", "H"), ("first", "a4 4 "), ("second", "l8 8l-8 8")):
        assert all(stroke in path.attributes["d"] for paths in drawn[kind] for path in paths)


def test_no_two_elements_have_one_id() -> None:
    """Of two comparisons on a page, either chart has its own."""
    again = [
        recorded(key(arm, revision="2.0"), attempts(arm, tried), run="2026-04-01-tidying")
        for arm, tried in (("broom", BASELINE), ("mop", CANDIDATE))
    ]
    of = pair(*arms(), *again)
    both = replace(of, registry=of.registry.comparing(comparison(*again)))
    assert compared(both) == 18
    ids = [node.attributes["id"] for node in read_html(benchmark(both)) if "id" in node.attributes]
    assert len(ids) == len(set(ids)) == 6
    regions = [node.attributes.get("aria-label") for node in read_html(benchmark(both)).all("div")]
    named = [name for name in regions if name]
    assert len(named) == len(set(named))


def test_sentences_stand_below_each_other() -> None:
    """Under the name of what they are about, each of them whole."""
    concluded, limits = page().all("div", class_="assay-note")
    assert words_in(concluded.one("p").text) == f"Run {RUN}: what may be concluded"
    assert all(words_in(line.text).endswith(".") for line in concluded.all("li"))
    assert len(limits.all("li")) == 3


def test_without_a_time_there_is_no_chart() -> None:
    """Two arms of which neither succeeded have nothing to draw."""
    tried = [attempt(case, status=1) for case in CASES]
    failing = [recorded(key(arm), tried) for arm in ("broom", "mop")]
    text = benchmark(pair(*failing))
    assert "Run" in text
    assert "Circles" not in text
    assert not read_html(text).all("path", class_="joined")


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_harm_changes_nothing_but_words(text: str) -> None:
    """In names of systems, and in prompts, files and oracles: element for element."""

    def site_of(word: str) -> Site:
        one, other = arms(provider=word, model=word, revision=word[:20])
        files: dict[str, bytes | None] = {
            "kitchen/files/table.txt": word.replace("\n", " ").encode(),
            "kitchen/oracle.py": f"{word.replace(chr(10), ' ')}\n#".replace("\0", "").encode(),
        }
        own = replace(HERE, corpus=corpus(files))
        found = pair(one, other)
        return replace(found, benchmarks=(own,))

    harmed = benchmark(site_of(text))
    assert skeleton(harmed) == skeleton(benchmark(site_of("word")))
    said = [words_in(node.text) for node in read_html(harmed).all("q", class_="said")]
    assert words_in(visible(text.replace("\n", " "))) in said


def test_in_a_language_without_the_words_they_are_marked() -> None:
    """Nothing of a comparison is left out where nobody has translated it."""
    found = read_html(benchmark(pair(), Words("ar", {})))
    assert len(found.all("table")) == len(page().all("table"))
    assert len(found.all("svg")) == len(page().all("svg"))
    assert all(note.all("span", lang="en") for note in found.all("div", class_="assay-note"))
