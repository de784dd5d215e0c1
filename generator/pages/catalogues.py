"""Catalogues: where they lie, what is in them, and whether they say everything.

`pybabel`'s own statistics count untranslated plurals and guesses as done, so completeness is asked
here: every form said, no guess, the same places for values, no markup that the source lacks.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import BinaryIO

from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as Entry
from babel.messages.pofile import read_po

SOURCE = "en"
"""The locale of the message ids."""

DOMAIN = "messages"
_MARKUP = ("<", "](", "|", "\n", "{{", "{%")


def catalogue_folders(project: Path) -> tuple[Path, ...]:
    """Where catalogues lie: with the program, and beside a project's own benchmarks."""
    package = Path(__file__).resolve().parent.parent
    shipped = package / "locales"
    own = shipped if shipped.is_dir() else package.parent / "locales"
    return tuple(dict.fromkeys((own, (project / "locales").resolve())))


def catalogue_path(folder: Path, locale: str) -> Path:
    """The catalogue of a locale in a folder of catalogues."""
    return folder / locale.replace("-", "_") / "LC_MESSAGES" / f"{DOMAIN}.po"


def read_catalogue(path: Path, locale: str) -> Catalog:
    """One `.po` file."""
    with path.open("rb") as file:
        return read_po(file, locale=locale.replace("-", "_"))


def is_said(entry: Entry) -> bool:
    """Whether an entry is translated in all its forms, and not only guessed."""
    return not entry.fuzzy and all(strings(entry))


def message_id(entry: Entry) -> str:
    """The English text that a message is asked for by; of a plural, its first form."""
    return entry.id if isinstance(entry.id, str) else entry.id[0]


def strings(entry: Entry) -> tuple[str, ...]:
    """What it is translated by: one form, or as many as the locale has plurals."""
    string = entry.string or ""
    return (string,) if isinstance(string, str) else tuple(string)


def template_path(folder: Path) -> Path:
    """All messages of the source, as extracted."""
    return folder / f"{DOMAIN}.pot"


def known_messages(template: Catalog) -> frozenset[str]:
    """The ids of all messages of a template."""
    return frozenset(message_id(entry) for entry in template if entry.id)


def faults(template: Catalog, catalogue: Catalog) -> Iterator[tuple[str, str]]:
    """Each message that a catalogue does not say as it should, and what is wrong with it."""
    for source in template:
        if not source.id:
            continue
        entry = catalogue.get(source.id)
        if entry is None or not is_said(entry):
            yield message_id(source), "it is not translated, or only guessed"
            continue
        for said in strings(entry):
            if _places(said) != _places(strings_of_source(source)[-1]):
                yield message_id(source), f"its places differ: {said!r}"
            elif any(mark in said and mark not in message_id(source) for mark in _MARKUP):
                yield message_id(source), f"it has markup that the source lacks: {said!r}"


def strings_of_source(entry: Entry) -> tuple[str, ...]:
    """The English forms of a message."""
    return (entry.id,) if isinstance(entry.id, str) else tuple(entry.id)


def _places(text: str) -> set[str] | None:
    """The names of the places; none where a brace opens or closes no place."""
    try:
        return {place for _, place, _, _ in Formatter().parse(text) if place is not None}
    except ValueError:
        return None


def extract_benchmark(
    fileobj: BinaryIO,
    keywords: object,
    comment_tags: object,
    options: Mapping[str, object],
) -> Iterable[tuple[int, str, str, list[str]]]:
    """Babel's extraction method for `benchmark.toml`: titles and the summary are messages."""
    del keywords, comment_tags, options
    table = tomllib.loads(fileobj.read().decode())
    texts = [table["title"], table["summary"]]
    texts += [category["title"] for category in table.get("categories", ())]
    for text in texts:
        yield 1, "", text, []
