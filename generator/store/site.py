"""Pages on disk and the settings of the site; only what the generator made is ever removed."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.errors import UsageError
from generator.store.atomic import remove, write
from generator.store.project import Project

SETTINGS = "mkdocs.yml"


@dataclass(frozen=True, slots=True)
class Locale:
    """A language of the site."""

    code: str
    """BCP 47."""

    name: str
    """Its own name for itself."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A generated page that is not what would be drawn."""

    path: Path
    drawn: str | None
    """What would stand there; none where nothing would."""

    found: str | None
    """What stands there; none where nothing does."""


def locales(project: Project) -> tuple[Locale, ...]:
    """The languages of the site, from `mkdocs.yml`; the first is the one at the site's root."""
    import yaml  # noqa: PLC0415  only pages need it

    class Loader(yaml.SafeLoader):
        """Reads what is plain and leaves `!ENV` and its kin alone."""

    Loader.add_multi_constructor("!", lambda *_: None)
    Loader.add_multi_constructor("tag:yaml.org,2002:python", lambda *_: None)
    path = project.root / SETTINGS
    remedy = "It needs `extra: locales:` with a `code` and a `name` for each language."
    try:
        settings: Any = yaml.load(path.read_text("utf-8"), Loader)  # noqa: S506  a SafeLoader
        found = settings["extra"]["locales"]
        return tuple(Locale(str(entry["code"]), str(entry["name"])) for entry in found)
    except (OSError, ValueError, yaml.YAMLError, KeyError, TypeError) as fault:
        raise UsageError(
            f"{path} says nothing of the site's languages: {fault!r}.", remedy
        ) from None


def hand_written(
    project: Project, locale: str, is_generated: Callable[[str], bool]
) -> Iterator[str]:
    """Pages of a locale that nobody draws, by path below its folder."""
    folder = project.docs / locale
    for path in sorted(filter(Path.is_file, folder.rglob("*.md"))):
        if not is_generated(path.read_text("utf-8", errors="replace")):
            yield path.relative_to(folder).as_posix()


def differences(
    project: Project, drawn: Mapping[str, str], is_generated: Callable[[str], bool]
) -> Iterator[Difference]:
    """Where the pages on disk are not the drawn ones, newline style aside; by path."""
    for name, text in sorted(drawn.items()):
        path = project.docs / name
        found = path.read_text("utf-8", errors="replace") if path.is_file() else None
        if found is None or found.replace("\r\n", "\n") != text:
            yield Difference(path, text, found)
    for path in sorted(filter(Path.is_file, project.docs.glob("*/**/*.md"))):
        if path.relative_to(project.docs).as_posix() not in drawn:
            found = path.read_text("utf-8", errors="replace")
            if is_generated(found):
                yield Difference(path, None, found)


def write_pages(
    project: Project, drawn: Mapping[str, str], is_generated: Callable[[str], bool]
) -> tuple[Difference, ...]:
    """Make the pages on disk the drawn ones; writes and removes only what differs."""
    changed = tuple(differences(project, drawn, is_generated))
    for difference in changed:
        if difference.drawn is None:
            remove(difference.path)
        else:
            write(difference.path, difference.drawn.encode())
    return changed
