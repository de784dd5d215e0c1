"""The repository's own translations: extracted as they should be, and whole in every locale."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.pages.catalogues import (
    SOURCE,
    catalogue_path,
    faults,
    read_catalogue,
    template_path,
)
from generator.pages.prose import disparities, is_current
from generator.pages.render import is_generated
from generator.pages.words import words_of
from generator.store.project import Project
from generator.store.site import hand_written, locales

PROJECT = Project(Path(__file__).resolve().parents[1])
CATALOGUES = PROJECT.root / "locales"
SPOKEN = tuple(locale.code for locale in locales(PROJECT))
TRANSLATED = tuple(code for code in SPOKEN if code != SOURCE)


def command(name: str) -> list[str]:
    """The words of a command of pybabel, as CONTRIBUTING.md tells people to run it."""
    text = (PROJECT.root / "CONTRIBUTING.md").read_text("utf-8")
    (line,) = re.findall(rf"^pybabel ({name} .*)$", text, re.MULTILINE)
    return shlex.split(line)


def pybabel(words: list[str]) -> None:
    """Run Babel from the root of the repository."""
    done = subprocess.run(
        [sys.executable, "-m", "babel.messages.frontend", "--quiet", *words],
        cwd=PROJECT.root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def prose() -> Iterator[tuple[str, Path, Path]]:
    """Each translation of the repository: its locale, where its source lies, where it lies."""
    pairs = [
        (PROJECT.docs / SOURCE / path, str(PROJECT.docs / "{}" / path))
        for path in hand_written(PROJECT, SOURCE, is_generated)
    ]
    pairs += [
        (path.with_name(f"about.{SOURCE}.md"), str(path.with_name("about.{}.md")))
        for path in sorted(PROJECT.benchmarks.glob("*/benchmark.toml"))
    ]
    for code in TRANSLATED:
        for source, place in pairs:
            yield code, source, Path(place.format(code))


def test_the_template_holds_what_extraction_finds_now(tmp_path: Path) -> None:
    """The extracted messages are those of the source as it is, byte for byte."""
    words = command("extract")
    found = tmp_path / "messages.pot"
    words[words.index("-o") + 1] = str(found)
    pybabel(words)
    assert found.read_text("utf-8") == template_path(CATALOGUES).read_text("utf-8")


def test_an_update_changes_no_catalogue_that_is_up_to_date(tmp_path: Path) -> None:
    """The command that brings catalogues up to date leaves those that are so as they were."""
    words = command("update")
    words[words.index("-d") + 1] = str(tmp_path)
    before = {}
    for code in TRANSLATED:
        copy = catalogue_path(tmp_path, code)
        copy.parent.mkdir(parents=True)
        copy.write_bytes(catalogue_path(CATALOGUES, code).read_bytes())
        before[code] = copy.read_text("utf-8")
    pybabel(words)
    assert {code: catalogue_path(tmp_path, code).read_text("utf-8") for code in before} == before


def test_the_source_is_the_locale_at_the_root() -> None:
    """English is the source and the default locale, and each locale stands once."""
    assert SPOKEN[0] == SOURCE
    assert len(set(SPOKEN)) == len(SPOKEN)


@pytest.mark.parametrize("locale", SPOKEN)
def test_every_locale_has_its_folder_of_pages(locale: str) -> None:
    """Each language of the site has pages written by hand, at the same paths as the source."""
    own = list(hand_written(PROJECT, locale, is_generated))
    assert own
    assert own == list(hand_written(PROJECT, SOURCE, is_generated))


@pytest.mark.parametrize("locale", TRANSLATED)
def test_every_locale_has_a_catalogue_without_a_fault(locale: str) -> None:
    """Every message is said in every language: in all its forms, not guessed, with its places."""
    path = catalogue_path(CATALOGUES, locale)
    assert path.is_file()
    template = read_catalogue(template_path(CATALOGUES), SOURCE)
    assert list(faults(template, read_catalogue(path, locale))) == []


@pytest.mark.parametrize("locale", TRANSLATED)
def test_a_count_has_a_form_for_every_number(locale: str) -> None:
    """The plural rule of a catalogue never asks for a form that the catalogue lacks."""
    words = words_of(locale, [CATALOGUES])
    for count in (*range(201), 1000, 10**6, 10**6 + 1, 2 * 10**6):
        assert words.integer(count) in words.many(
            "{count} result stands.", "{count} results stand.", count
        )


@pytest.mark.parametrize(
    ("source", "translation"),
    [
        pytest.param(source, path, id=path.relative_to(PROJECT.root).as_posix())
        for _, source, path in prose()
    ],
)
def test_every_text_is_translated_and_keeps_pace(source: Path, translation: Path) -> None:
    """Each text of the repository stands in every language, as its source says it now."""
    assert translation.is_file()
    english, translated = source.read_text("utf-8"), translation.read_text("utf-8")
    assert is_current(english, translated)
    assert list(disparities(english, translated)) == []


def test_no_catalogue_and_no_page_is_of_a_locale_that_is_not_spoken() -> None:
    """What is translated is shown: a folder of a language has an entry in mkdocs.yml."""
    catalogues = {path.parents[1].name.replace("_", "-") for path in CATALOGUES.glob("*/*/*.po")}
    assert catalogues == set(TRANSLATED)
    folders = {path.name for path in PROJECT.docs.iterdir() if path.is_dir()}
    assert folders - {"decisions"} == set(SPOKEN)
