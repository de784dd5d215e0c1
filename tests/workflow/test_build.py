"""The built site: every locale by one plain `mkdocs build`, whole, at home anywhere, repeatable."""

import re
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest

from generator.errors import SiteError
from generator.store.registry import read_registry
from generator.store.site import locales
from generator.workflow.build import Seam, build, build_others, epoch, write_sitemap
from generator.workflow.render import render
from tests.conftest import Kit
from tests.pages.building import (
    BuiltPage,
    alone,
    built_pages,
    copy,
    hand_written,
    lay_out,
    mkdocs,
    once,
)

LOCALES = ("en", "es", "it")
URL = "https://results.example/some/where/"
FETCHED = {"src", "srcset", "poster", "data", "xlink:href", "action", "formaction"}
NOT_FETCHED = {"alternate", "canonical", "next", "prev"}
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
XHTML = "{http://www.w3.org/1999/xhtml}"


@pytest.fixture(scope="session")
def plain(published_template: Kit, tmp_path_factory: pytest.TempPathFactory) -> Kit:
    """A project with an address, drawn, and built by nothing but mkdocs; nobody changes it."""

    def make(root: Path) -> None:
        kit = lay_out(copy(published_template, root), LOCALES)
        render(kit.project)
        done = mkdocs(kit, "--strict", ASSAY_SITE_URL=URL)
        assert done.returncode == 0, done.stderr

    return Kit(once(tmp_path_factory, "plain", make))


@pytest.fixture
def drawn(plain: Kit, tmp_path: Path) -> Iterator[Kit]:
    """A copy of that project elsewhere, as it was before it was built."""
    kit = copy(plain, tmp_path / "elsewhere")
    shutil.rmtree(kit.project.site)
    with alone():
        yield kit


@cache
def pages(root: Path) -> dict[str, BuiltPage]:
    """The pages of the built site by address."""
    return built_pages(root / "site")


def files(folder: Path) -> dict[str, bytes]:
    """Every file of a site."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def below(locale: str) -> str:
    """Where the pages of a locale stand."""
    return "" if locale == LOCALES[0] else f"{locale}/"


def locale_of(path: str) -> str:
    """The locale that a page of the site is in."""
    return next((code for code in LOCALES[1:] if path.startswith(f"{code}/")), LOCALES[0])


def test_a_plain_build_makes_every_locale(plain: Kit) -> None:
    """The default locale stands at the root, each other below it, with the same pages."""
    assert [locale.code for locale in locales(plain.project)] == list(LOCALES)
    own = {
        locale: {
            path.removeprefix(below(locale))
            for path in pages(plain.root)
            if locale_of(path) == locale
        }
        for locale in LOCALES
    }
    assert own["es"] == own["it"] == own["en"]
    assert {"", "rules/", "history/", "benchmarks/greetings/", "404.html"} <= own["en"]
    assert len([path for path in own["en"] if path.startswith("results/greetings/")]) == 2


def test_every_page_says_its_language(plain: Kit) -> None:
    """The document's language is its locale's, in every one of its pages."""
    for path, page in pages(plain.root).items():
        assert page.root.one("html").attributes["lang"] == locale_of(path), path


def test_the_switcher_leads_to_the_same_page(plain: Kit) -> None:
    """Each page links to itself in every locale; each link ends at a page that exists."""
    for path, page in pages(plain.root).items():
        links = page.root.all("a", class_="md-select__link")
        assert [link.attributes["hreflang"] for link in links] == list(LOCALES), path
        here = "" if path.endswith("404.html") else path.removeprefix(below(locale_of(path)))
        found = [urljoin(URL + path, link.attributes["href"]) for link in links]
        assert found == [URL + below(code) + here for code in LOCALES], path
        current = [
            link.attributes["hreflang"] for link in links if "aria-current" in link.attributes
        ]
        assert current == [locale_of(path)], path
        assert all(there.removeprefix(URL) in pages(plain.root) for there in found), path


def test_every_link_ends_at_something(plain: Kit) -> None:
    """No page links to a page, a section or a file of the site that is not there."""
    anchors = {
        path: {node.attributes["id"] for node in page.root if "id" in node.attributes}
        for path, page in pages(plain.root).items()
    }
    for path, page in pages(plain.root).items():
        for node in page.root:
            link = node.attributes.get("href", node.attributes.get("src", ""))
            there = urlsplit(urljoin(URL + path, link))
            address = there._replace(fragment="").geturl()
            if node.tag == "base" or not address.startswith(URL):
                continue
            below_root = address.removeprefix(URL)
            if below_root in anchors:
                known = {"", "__skip", "__consent", *anchors[below_root]}
                assert there.fragment in known, (path, link)
            else:
                assert (plain.project.site / below_root).is_file(), (path, link)


def test_a_page_names_its_own_address(plain: Kit) -> None:
    """The canonical address of a page is that of its own locale, not of the default one."""
    for path, page in pages(plain.root).items():
        named = [link.attributes["href"] for link in page.root.all("link", rel="canonical")]
        assert named == ([] if path.endswith("404.html") else [URL + path]), path


def test_no_request_leaves_the_site(plain: Kit) -> None:
    """Whatever a browser fetches by itself comes from the site; only a click leads elsewhere."""
    for path, page in pages(plain.root).items():
        for node in page.root:
            for name, value in node.attributes.items():
                rel = set(node.attributes.get("rel", "").split())
                fetched = name in FETCHED or (
                    name == "href" and node.tag not in {"a", "base"} and not rel & NOT_FETCHED
                )
                assert not (fetched and re.match(r"(https?:)?//", value)), (path, value)
    for name, content in files(plain.project.site).items():
        if name.endswith(".css"):
            assert not re.search(rb"(?:url\(|@import)\s*[\"']?(?:https?:)?//", content), name


def test_a_translation_links_its_source(plain: Kit) -> None:
    """A hand-written page of a locale links the English page; while current it has no banner."""
    for page in hand_written():
        address = page.removesuffix(".md").removesuffix("index")
        address = address if address.endswith("/") else f"{address}/"
        for locale in LOCALES[1:]:
            built = pages(plain.root)[below(locale) + address]
            (link,) = built.article.all("p", class_="assay-source")[0].all("a")
            assert urljoin(URL + built.path, link.attributes["href"]) == URL + address
            assert not built.article.all("div", class_="assay-banner")
        assert not pages(plain.root)[address].article.all("p", class_="assay-source")


def test_the_sitemap_knows_each_page_in_every_locale(plain: Kit) -> None:
    """With an address there is one sitemap: each page with its counterparts and a default."""
    (path,) = plain.project.site.rglob("sitemap*")
    entries = {}
    for entry in ET.fromstring(path.read_text("utf-8")).iter(f"{SITEMAP}url"):  # noqa: S314  ours
        entries[entry.findtext(f"{SITEMAP}loc")] = {
            link.attrib["hreflang"]: link.attrib["href"] for link in entry.iter(f"{XHTML}link")
        }
    own = [page for page in pages(plain.root) if not page.endswith("404.html")]
    assert set(entries) == {URL + page for page in own}
    for page in own:
        here = page.removeprefix(below(locale_of(page)))
        there = {code: URL + below(code) + here for code in LOCALES}
        assert entries[URL + page] == {**there, "x-default": URL + here}


def test_without_an_address_there_is_no_sitemap(tmp_path: Path) -> None:
    """Links between languages must be absolute: without an address what mkdocs wrote is removed."""
    for place in ("sitemap.xml", "sitemap.xml.gz", "es/sitemap.xml", "es/index.html", "index.html"):
        path = tmp_path / place
        path.parent.mkdir(exist_ok=True)
        path.write_text("something", encoding="utf-8")
    write_sitemap(tmp_path, "", ["en", "es"])
    assert set(files(tmp_path)) == {"index.html", "es/index.html"}


def test_an_address_is_escaped_in_the_sitemap(tmp_path: Path) -> None:
    """An address with special characters gives XML that can be read, with and without a slash."""
    (tmp_path / "index.html").write_text("something", encoding="utf-8")
    write_sitemap(tmp_path, "https://results.example/?a&b", ["en"])
    root = ET.fromstring((tmp_path / "sitemap.xml").read_text("utf-8"))  # noqa: S314  ours
    assert root.findtext(f"{SITEMAP}url/{SITEMAP}loc") == "https://results.example/?a&b/"


def test_results_build_makes_the_same_bytes(
    plain: Kit, drawn: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Elsewhere, at another hour of the world and by the command: the same site, byte for byte."""
    monkeypatch.setenv("ASSAY_SITE_URL", URL)
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    (drawn.root / "docs/es/rules.md").unlink()
    first = build(drawn.project)
    assert (first.redrawn, first.pages) == (1, len(pages(plain.root)) - len(LOCALES))
    assert first.folder == drawn.project.site
    assert [locale.code for locale in first.locales] == list(LOCALES)
    made, before = files(drawn.project.site), files(plain.project.site)
    assert sorted(made) == sorted(before)
    assert [name for name, content in made.items() if content != before[name]] == []
    assert build(drawn.project).redrawn == 0
    assert files(drawn.project.site) == made


def test_a_page_that_is_missing_in_a_locale_fails_in_words(drawn: Kit) -> None:
    """A hand-written page that stands in one language only stops the build, which names both."""
    page = hand_written()[0]
    (drawn.root / "docs/it" / page).unlink()
    with pytest.raises(SiteError) as failed:
        build(drawn.project)
    assert "could not build it" in failed.value.what
    assert page in failed.value.what
    assert "could not build es" not in failed.value.what
    assert "Traceback" not in failed.value.what
    assert failed.value.remedy.startswith("Mend what it names")


def test_what_another_locale_complains_of_is_passed_on(
    drawn: Kit, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without --strict a fault in one locale stops nothing, but it is told."""
    page = hand_written()[0]
    (drawn.root / "docs/it" / page).unlink()
    seam = Seam("mkdocs", drawn.project.site, strict=False)
    assert build_others(drawn.project, seam) == ()
    said = capsys.readouterr().err
    assert "mkdocs built it, and says:" in said
    assert page in said
    assert "mkdocs built es" not in said


def test_a_translation_that_is_behind_says_so(drawn: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the English page moves on, its translations carry a banner until they follow."""
    page = hand_written()[0]
    source = drawn.read(f"docs/en/{page}")
    drawn.write(f"docs/en/{page}", f"{source}\nOne more sentence.\n")
    monkeypatch.setenv("ASSAY_LOCALE", "es")
    done = mkdocs(drawn, "--strict")
    assert done.returncode == 0, done.stderr
    address = page.removesuffix(".md").removesuffix("index")
    built = built_pages(drawn.project.site)[address]
    (banner,) = built.article.all("div", class_="assay-banner")
    assert banner.text == "This translation is behind the English text."


def test_the_site_speaks_of_the_moment_of_its_newest_row(plain: Kit, kit: Kit) -> None:
    """What mkdocs stamps on a page is when the newest run ended, and a fixed day without rows."""
    ends = [row.run.finished for row in read_registry(plain.project).rows.values()]
    newest = datetime.fromisoformat(max(ends))
    assert datetime.fromtimestamp(int(epoch(plain.project)), UTC) == newest
    assert epoch(kit.project) == str(int(datetime(1980, 1, 1, tzinfo=UTC).timestamp()))
