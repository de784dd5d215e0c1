"""Prose and catalogues: whether every locale says what the source says, as it says it now."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from generator.pages.catalogues import (
    SOURCE,
    catalogue_path,
    faults,
    read_catalogue,
    template_path,
)
from generator.pages.prose import digest, disparities, is_current
from generator.pages.render import is_generated
from generator.store.project import Project
from generator.store.site import hand_written, locales
from generator.workflow.checks.finding import Finding, relative


class TranslationChecks:
    """Compares every translation of a project with its source."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def findings(self, benchmarks: Iterable[str]) -> Iterator[Finding]:
        """Everything that is missing, behind, or shaped otherwise."""
        yield from self._prose(benchmarks)
        yield from self._catalogues()

    def _prose(self, benchmarks: Iterable[str]) -> Iterator[Finding]:
        """Prose of benchmarks and of the guide that is missing, behind, or shaped otherwise."""
        spoken = [locale.code for locale in locales(self._project)]
        others = [code for code in spoken if code != SOURCE]
        for benchmark in benchmarks:
            folder = self._project.benchmarks / benchmark
            places = {code: folder / f"about.{code}.md" for code in spoken}
            yield from self._translated(places[SOURCE], [places[code] for code in others])
        for path in hand_written(self._project, SOURCE, is_generated):
            yield from self._translated(
                self._project.docs / SOURCE / path,
                [self._project.docs / code / path for code in others],
            )
        for code in others:
            for path in hand_written(self._project, code, is_generated):
                if not (self._project.docs / SOURCE / path).is_file():
                    yield Finding(
                        "orphan-translation",
                        f"docs/{code}/{path}",
                        f"There is no page docs/{SOURCE}/{path} that it translates.",
                        "Remove it, or write the English page.",
                    )

    def _catalogues(self) -> Iterator[Finding]:
        """Messages that a catalogue of the project does not say as it should."""
        folder = self._project.root / "locales"
        if not template_path(folder).is_file():
            return
        template = read_catalogue(template_path(folder), SOURCE)
        for locale in locales(self._project):
            path = catalogue_path(folder, locale.code)
            if locale.code == SOURCE:
                continue
            if not path.is_file():
                yield Finding(
                    "missing-catalogue",
                    relative(self._project, path),
                    f"The locale {locale.code} has no catalogue.",
                    f"Begin one from {relative(self._project, template_path(folder))}.",
                )
                continue
            for message, what in faults(template, read_catalogue(path, locale.code)):
                yield Finding(
                    "unsound-message",
                    relative(self._project, path),
                    f"{message!r}: {what}.",
                    "Mend it in that catalogue, then run results render.",
                )

    def _translated(self, source: Path, translations: Iterable[Path]) -> Iterator[Finding]:
        if not source.is_file():
            return
        english = source.read_text("utf-8", errors="replace")
        named = f"name source_digest: {digest(english)}"
        for path in translations:
            file = relative(self._project, path)
            if not path.is_file():
                yield Finding(
                    "missing-translation",
                    file,
                    f"{source.name} has no translation there.",
                    f"Translate {relative(self._project, source)}, and {named}",
                )
                continue
            text = path.read_text("utf-8", errors="replace")
            if not is_current(english, text):
                yield Finding(
                    "stale-translation",
                    file,
                    "It is behind its source: the source_digest that it names is another.",
                    f"Bring it up to date, and {named}",
                )
            for said in disparities(english, text):
                yield Finding(
                    "unlike-translation",
                    file,
                    said,
                    f"Give it the shape of {relative(self._project, source)}.",
                )
