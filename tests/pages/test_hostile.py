"""A whole site whose every name, answer and reason was written by somebody who means harm.

It is really built, and what a browser would make of each page is held against what it makes of a
page in the same site that nobody meant harm with.
"""

import json
import re
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest

from generator.records.row import REVISION, Row
from generator.store import evidence
from generator.store.registry import read_registry
from generator.workflow.build import build
from generator.workflow.record import record
from generator.workflow.withdraw import withdraw
from generator.writer import BundleWriter, Harness, Runtime, System, Turn
from tests.conftest import ANSWERS, BENCHMARK, TOML, Kit
from tests.pages.building import BuiltPage, built_pages, copy, lay_out, once
from tests.pages.hostile import HOSTILE, visible
from tests.pages.reading import Node, read_html, words_in

LOCALES = ("en", "es")
KEYED = "keyed"
"""A benchmark with hostile cases, all of whose rows were withdrawn for hostile reasons."""

PLAIN = "plain"
NAMES = {PLAIN: "plain words", **HOSTILE}
"""By kind: what everything of a system is called; one of them means no harm."""

TEXTS = tuple(NAMES.values())
FOURS = [(TEXTS * 2)[start : start + 4] for start in range(0, len(TEXTS), 4)]
PAIRS = [(TEXTS * 2)[start : start + 2] for start in range(0, len(TEXTS), 2)]
HARNESS = Harness(name="greeter", version="1.0.0", contract=1)
NOW = datetime(2026, 9, 14, 12, tzinfo=UTC)

_BARE = ("bdi", "br", "caption", "code", "dd", "dt", "em", "figcaption", "g", "li", "strong")
ALLOWED: dict[str, set[str]] = {
    **{tag: set() for tag in (*_BARE, "tbody", "thead", "tr", "ul")},
    **{tag: {"id"} for tag in ("desc", "h1", "h2", "h3", "pre", "title")},
    **{tag: {"class"} for tag in ("dl", "p", "q")},
    "a": {"class", "href", "hreflang", "title"},
    "div": {"aria-label", "class", "data-filter", "data-search-exclude", "role", "tabindex"},
    "figure": {"class", "data-search-exclude", "tabindex"},
    "line": {"class", "x1", "x2", "y1", "y2"},
    "path": {"class", "d"},
    "rect": {"class", "height", "width", "x", "y"},
    "span": {"class", "id"},
    "svg": {"aria-labelledby", "direction", "height", "role", "viewbox", "width"},
    "table": {"class", "data-sortable"},
    "td": {"class", "data-sort"},
    "text": {"class", "text-anchor", "x", "y"},
    "th": {"class", "scope"},
    "time": {"datetime"},
}
"""All that may stand in the content of a page, by element."""

NAMING = {"content", "href", "id", "title"}
"""Attributes that differ from row to row; each is looked at by itself."""


def system(number: int, text: str) -> System:
    """A system of which everything that can be said is one text."""
    return System(
        id=f"s{number}",
        provider=text,
        model=text,
        revision=text,
        runtime=Runtime(name=text, version=text, settings={text: text}),
        surface=text,
        options={text: text, "deep": {text: [text]}},
    )


def answers(bundle: BundleWriter, number: int, text: str) -> None:
    """Attempts in which a text is the stimulus, and then an answer, a refusal, or a reason."""
    said, declined, failed, silent = ANSWERS
    who = f"s{number}"
    bundle.attempt(case=said, system=who, stimulus=text, turns=[Turn(content=text)])
    bundle.attempt(case=declined, system=who, stimulus=text, turns=[Turn(refusal=text)])
    bundle.attempt(case=failed, system=who, stimulus=text, outcome="failed", reason=text)
    bundle.attempt(case=silent, system=who, stimulus=text)


def make(template: Kit, root: Path) -> None:
    """Two runs are recorded, the rows of one of them withdrawn, and the site is built."""
    kit = lay_out(copy(template, root), LOCALES)
    folder = f"results/benchmarks/{KEYED}"
    kit.write(f"{folder}/benchmark.toml", TOML.replace(BENCHMARK, KEYED))
    kit.write(f"{folder}/harness/run.py", '"""Nothing."""\n')
    for number, (name, asked, why, value) in enumerate(FOURS):
        checks = [{"type": "contains", "value": value}]
        case = {"name": name, "prompt": asked, "description": why, "checks": checks}
        kit.write(f"{folder}/cases/{number}.json", json.dumps({**case, "category": "curt"}))
    kit.commit("A benchmark of hostile cases")

    systems = [system(number, text) for number, text in enumerate(TEXTS)]
    run = kit.root / "dist/runs/hostile"
    with BundleWriter(kit.root, run, benchmark=BENCHMARK, systems=systems, harness=HARNESS) as one:
        for number, text in enumerate(TEXTS):
            answers(one, number, text)
    assert record(kit.project, run).refused == 0

    few = [system(number, f"system {number}") for number in range(len(PAIRS))]
    run = kit.root / "dist/runs/keyed"
    with BundleWriter(kit.root, run, benchmark=KEYED, systems=few, harness=HARNESS) as other:
        for who in few:
            for name, *_ in FOURS:
                other.attempt(case=name, system=who.id, turns=[Turn(content="nothing")])
    recording = record(kit.project, run)
    assert recording.refused == 0
    for verdict, (by, why) in zip(recording.verdicts, PAIRS, strict=True):
        assert verdict.row is not None
        withdraw(kit.project, verdict.row.id, by=by, why=why, now=NOW)
    build(kit.project)


@pytest.fixture(scope="session")
def site(template: Kit, tmp_path_factory: pytest.TempPathFactory) -> Kit:
    """The built project, one for all processes of a test run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evidence, "LEVEL", 1)  # how small the evidence gets is not looked at here
        return Kit(once(tmp_path_factory, "hostile", lambda root: make(template, root)))


@cache
def pages(root: Path) -> dict[str, BuiltPage]:
    """All pages of the built site."""
    return built_pages(root / "site")


@cache
def rows(root: Path) -> dict[str, Row]:
    """The rows that stand, by the kind of their name."""
    kinds = {text: kind for kind, text in NAMES.items()}
    standing = read_registry(Kit(root).project).standing()
    return {kinds[row.key.model]: row for row in standing}


def page_of(site: Kit, kind: str, locale: str = "en") -> BuiltPage:
    """The page of the row of a name."""
    row = rows(site.root)[kind]
    below = "" if locale == "en" else f"{locale}/"
    return pages(site.root)[f"{below}results/{BENCHMARK}/{row.id}/"]


def shown(kind: str) -> str:
    """What there is to see of a name."""
    return words_in(visible(NAMES[kind]))


def named(kind: str) -> str:
    """What there is to see of a system of this name and revision; a long one is left out."""
    text = shown(kind)
    return words_in(f"{text} {text}" if len(NAMES[kind]) <= REVISION else text)


def packed(text: str) -> str:
    """A text without its white space, for where lines are broken."""
    return "".join(text.split())


def outline(page: BuiltPage) -> list[tuple[str, list[tuple[str, str]]]]:
    """Every element with its attributes; but for line breaks, colours of code, and addresses."""
    coloured = {id(node) for code in page.root.all("pre") for node in code}
    return [
        (
            node.tag,
            [(name, "" if name in NAMING else value) for name, value in node.attributes.items()],
        )
        for node in page.root
        if node.tag != "br" and id(node) not in coloured
    ]


def test_the_site_is_whole(site: Kit) -> None:
    """Every row has a page in every locale; without an address there is no sitemap of them."""
    assert not list(site.project.site.rglob("sitemap*"))
    assert set(rows(site.root)) == set(NAMES)
    assert len(read_registry(site.project).withdrawals) == len(PAIRS)
    for locale in LOCALES:
        for kind in NAMES:
            assert page_of(site, kind, locale).article.all("h1")


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_page_has_the_elements_of_a_plain_one(site: Kit, kind: str, locale: str) -> None:
    """Element for element and attribute for attribute, harm changes nothing but words."""
    assert outline(page_of(site, kind, locale)) == outline(page_of(site, PLAIN, locale))


def test_content_keeps_to_the_list_of_what_is_allowed(site: Kit) -> None:
    """In the content of any page stand only elements and attributes that we draw."""
    for path, page in pages(site.root).items():
        for article in page.root.all("article"):
            for node in article:
                assert node.tag in ALLOWED, (path, node.tag)
                extra = set(node.attributes) - ALLOWED[node.tag] - {"lang"}
                assert not extra, (path, node.tag, extra)


def test_scripts_are_those_of_the_theme(site: Kit) -> None:
    """Each page has the scripts of a page that names nobody, and no others."""
    plain = {locale: _scripts(pages(site.root)[_guide(locale)]) for locale in LOCALES}
    for path, page in pages(site.root).items():
        if not path.endswith("404.html"):  # it names nobody, and is at home anywhere
            assert _scripts(page) == plain["es" if path.startswith("es/") else "en"], path


def test_nothing_runs_and_nothing_leaves(site: Kit) -> None:
    """No handler, no address but the site's own: neither in the content nor around it."""
    for path, page in pages(site.root).items():
        for node in page.root:
            assert node.tag not in {"iframe", "object", "embed", "base", "style"}, path
            for name, value in node.attributes.items():
                assert not name.startswith("on"), (path, name)
                assert name != "style" or "evil" not in value, (path, value)
                if name in {"href", "src", "action", "srcset", "xlink:href", "formaction"}:
                    assert _stays(value), (path, value)


def test_no_attribute_is_made_of_a_hostile_text(site: Kit) -> None:
    """What identifies or leads somewhere is made of letters, digits, hyphens and ways."""
    for path, page in pages(site.root).items():
        for node in page.root:
            for name in ("id", "href", "class", "for"):
                value = node.attributes.get(name, "")
                assert re.fullmatch(r"[\w ./#:,;=+-]*", value, re.ASCII), (path, name, value)


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("kind", HOSTILE)
def test_a_name_is_the_title_of_its_page(site: Kit, kind: str, locale: str) -> None:
    """Title, heading and description hold the name as it can be seen."""
    page = page_of(site, kind, locale)
    name = named(kind)
    head = page.root.one("head")
    heading = page.article.one("h1")
    assert words_in(head.one("title").text).startswith(name)
    assert words_in(heading.text).startswith(name)
    (described,) = (
        meta.attributes["content"]
        for meta in head.all("meta")
        if meta.attributes.get("name") == "description"
    )
    assert name in words_in(described)
    bar = page.root.one("header").all("span", class_="md-ellipsis")[-1]
    assert words_in(bar.text).startswith(name)


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_was_said_can_be_read(site: Kit, kind: str) -> None:
    """Answer, refusal, reason and stimulus stand on the row's page, and so does its provenance."""
    article, text = page_of(site, kind).article, visible(NAMES[kind])
    said = [packed(node.text) for node in article.all("q", class_="said")]
    assert said.count(packed(text)) == 4 + 3
    stated = [packed(node.text) for node in article.one("dl").all("code")]
    assert packed(f"{text}:{text}") in stated
    assert packed(f"{text} {text}") in stated
    assert packed(text) in stated


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_name_stands_in_tables_and_in_the_chart(site: Kit, kind: str) -> None:
    """The benchmark's page has the row in each of its tables, and a bar of its name."""
    page = pages(site.root)[f"benchmarks/{BENCHMARK}/"]
    name = named(kind)
    tables = page.article.all("table")[:3]
    for table in tables:
        names = [words_in(row.all("th")[0].text) for row in table.one("tbody").all("tr")]
        assert name in names
        assert len(names) == len(NAMES)
    labels = [words_in(label.text) for label in page.article.all("text", class_="label")]
    ends = [label.partition("…") for label in labels]
    assert any(name.startswith(start) and name.endswith(end) for start, _, end in ends)


def test_rows_of_a_table_have_the_same_cells(site: Kit) -> None:
    """No name opens, closes or shifts a cell: every row of a table is built like the first."""
    for path, page in pages(site.root).items():
        for table in page.root.all("table"):
            built = [
                [cell.tag for cell in row.inside if isinstance(cell, Node)]
                for row in table.one("tbody").all("tr")
            ]
            assert all(row == built[0] for row in built), path


def test_reasons_of_withdrawals_can_be_read(site: Kit) -> None:
    """The history and the row's own page say who took it back, and why, in those words."""
    history = words_in(pages(site.root)["history/"].article.text)
    registry = read_registry(site.project)
    for row, withdrawal in registry.withdrawals.items():
        by, why = words_in(visible(withdrawal.by)), words_in(visible(withdrawal.why))
        assert by in history
        assert why in history
        page = pages(site.root)[f"results/{KEYED}/{row}/"]
        banner = words_in(page.article.all("div", class_="assay-banner")[0].text)
        assert by in banner
        assert banner.endswith(why)


def test_cases_can_be_read(site: Kit) -> None:
    """Name, question, reason and key of a case stand in its row of the inventory."""
    page = pages(site.root)[f"benchmarks/{KEYED}/"]
    table = page.article.all("table")[-1]
    cells = {
        tuple(words_in(cell.text) for cell in row.inside if isinstance(cell, Node))
        for row in table.one("tbody").all("tr")
    }
    for four in FOURS:
        name, asked, why, value = (words_in(visible(text)) for text in four)
        (found,) = (row for row in cells if row[0] == name)
        assert packed(found[1]) == packed(asked)
        assert found[2] == f"contains {value}".strip()
        assert packed(found[3]) == packed(why)


@pytest.mark.parametrize("locale", LOCALES)
def test_the_search_index_is_inert(site: Kit, locale: str) -> None:
    """What is put into the page as a result of a search holds no element of a hostile text."""
    below = "" if locale == "en" else f"{locale}/"
    index = json.loads((site.root / f"site/{below}search/search_index.json").read_text("utf-8"))
    assert index["docs"]
    for entry in index["docs"]:
        assert not entry["location"].startswith("results/")
        for part in (entry["title"], entry["text"]):
            for node in read_html(part):
                assert node.tag in ALLOWED, entry
                assert set(node.attributes) <= {"lang", "class", "href"}, entry
            assert "evil" not in part, entry


def test_the_pages_on_disk_end_their_front_matter(site: Kit) -> None:
    """In the Markdown too a name stands on its line: each page has one heading and one end."""
    for kind in HOSTILE:
        row = rows(site.root)[kind]
        text = site.read(f"docs/en/results/{BENCHMARK}/{row.id}.md")
        assert text.splitlines().count("---") == 2, kind
        assert len(re.findall("^# ", text, re.MULTILINE)) == 2, kind


def _guide(locale: str) -> str:
    return "guide/" if locale == "en" else f"{locale}/guide/"


def _scripts(page: BuiltPage) -> list[tuple[str, str]]:
    """Every script by its source and its text, without the way from the page to the root."""
    way = re.compile(r"(\.\./)*\.\.?(?=[\"'/])/?")
    return [
        (way.sub("", script.attributes.get("src", "")), way.sub("", script.text))
        for script in page.root.all("script")
    ]


def _stays(address: str) -> bool:
    return re.match(r"[a-z][a-z0-9+.-]*:|//", address, re.IGNORECASE) is None or (
        address in {"https://squidfunk.github.io/mkdocs-material/", "https://www.mkdocs.org/"}
    )
