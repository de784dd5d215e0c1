import pytest

from generator.errors import UsageError
from generator.store.site import Difference, Locale, differences, locales, write_pages
from tests.conftest import Kit

DRAWN = {"en/index.md": "mine\nHome\n", "es/index.md": "mine\nInicio\n"}


def is_mine(text: str) -> bool:
    """What stands for the mark of a generated page."""
    return text.startswith("mine")


def found(kit: Kit) -> list[Difference]:
    """Where the pages on disk are not the drawn ones."""
    return list(differences(kit.project, DRAWN, is_mine))


@pytest.fixture
def drawn(kit: Kit) -> Kit:
    """A project whose pages are the drawn ones."""
    write_pages(kit.project, DRAWN, is_mine)
    return kit


def test_locales_are_read_beside_tags_of_mkdocs(kit: Kit) -> None:
    """The languages of the site are found in their order, whatever `!ENV` stands around them."""
    assert "!ENV" in kit.read("mkdocs.yml")
    assert "!!python/name" in kit.read("mkdocs.yml")
    assert locales(kit.project) == (
        Locale("en", "English"),
        Locale("es", "Español"),
        Locale("it", "Italiano"),
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "site_name: Greetings\n",
        "extra: {}\n",
        "extra: {locales: en}\n",
        "extra: {locales: [{code: en}]}\n",
        "extra: {locales: 3}\n",
        "extra: [not closed\n",
        "extra: !!python/object/apply:os.system ['true']\n",
        "\0",
    ],
)
def test_settings_without_locales_are_told(kit: Kit, text: str) -> None:
    """A site that names no language can't be drawn, and what it lacks is said."""
    kit.write("mkdocs.yml", text)
    with pytest.raises(UsageError, match=r"mkdocs\.yml says nothing of the site's languages"):
        locales(kit.project)


def test_missing_settings_are_told(kit: Kit) -> None:
    """Without the file there is no language either."""
    (kit.root / "mkdocs.yml").unlink()
    with pytest.raises(UsageError, match=r"mkdocs\.yml"):
        locales(kit.project)


def test_settings_execute_nothing(kit: Kit) -> None:
    """A tag that would run a program is left alone, like all others."""
    witness = kit.root / "witness"
    settings = kit.read("mkdocs.yml")
    kit.write("mkdocs.yml", f"{settings}bad: !!python/object/apply:os.mkdir ['{witness}']\n")
    assert len(locales(kit.project)) == 3
    assert not witness.exists()


def test_drawn_pages_differ_in_nothing(drawn: Kit) -> None:
    """What was written is what is found."""
    assert found(drawn) == []
    assert write_pages(drawn.project, DRAWN, is_mine) == ()


def test_the_style_of_line_ends_is_no_difference(drawn: Kit) -> None:
    """A checkout that turns line ends around shows no edited page."""
    drawn.write("docs/en/index.md", "mine\r\nHome\r\n")
    assert found(drawn) == []


def test_an_edited_page_is_a_difference(drawn: Kit) -> None:
    """Both texts are at hand, so that the change can be shown."""
    path = drawn.write("docs/en/index.md", "mine\nAway\n")
    assert found(drawn) == [Difference(path, "mine\nHome\n", "mine\nAway\n")]


def test_bytes_that_are_no_text_are_a_difference(drawn: Kit) -> None:
    """A page that is not even UTF-8 is one that was edited."""
    path = drawn.root / "docs/en/index.md"
    path.write_bytes(b"mine\nH\xffme\n")
    assert [difference.path for difference in found(drawn)] == [path]


def test_a_missing_page_is_a_difference(drawn: Kit) -> None:
    """Nothing is found where something is drawn."""
    path = drawn.root / "docs/es/index.md"
    path.unlink()
    assert found(drawn) == [Difference(path, "mine\nInicio\n", None)]


def test_only_generated_pages_are_removed(drawn: Kit) -> None:
    """A page that the generator made and draws no more goes; what somebody wrote stays."""
    orphan = drawn.write("docs/en/results/old.md", "mine\nOld\n")
    written = drawn.write("docs/en/guide/index.md", "A guide\n")
    picture = drawn.write("docs/en/assets/old.svg", "mine")
    above = drawn.write("docs/README.md", "mine, but of no locale\n")
    assert found(drawn) == [Difference(orphan, None, "mine\nOld\n")]
    assert write_pages(drawn.project, DRAWN, is_mine) == (Difference(orphan, None, "mine\nOld\n"),)
    assert not orphan.exists()
    assert written.exists()
    assert picture.exists()
    assert above.exists()


def test_only_what_differs_is_written(drawn: Kit) -> None:
    """A page that is as drawn keeps its file untouched."""
    before = (drawn.root / "docs/es/index.md").stat().st_mtime_ns
    drawn.write("docs/en/index.md", "mine\nAway\n")
    write_pages(drawn.project, DRAWN, is_mine)
    assert drawn.read("docs/en/index.md") == "mine\nHome\n"
    assert (drawn.root / "docs/es/index.md").stat().st_mtime_ns == before
