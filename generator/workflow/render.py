"""`render`: draw the pages of every locale from the repository alone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from generator.errors import AssayError, CorpusError, UsageError
from generator.families.family import Corpus
from generator.pages.catalogues import SOURCE, catalogue_folders
from generator.pages.prose import front_matter, is_current
from generator.pages.render import draw, is_generated
from generator.pages.views.shapes import Prose, Published, Site
from generator.pages.words import Words, words_of
from generator.records.bundle import Attempt
from generator.records.registry import Registry
from generator.records.row import Row
from generator.store.atomic import locked
from generator.store.corpus import benchmark_at, benchmark_here, benchmark_ids, prose
from generator.store.evidence import evidence_path, read_evidence
from generator.store.project import Project
from generator.store.registry import read_registry
from generator.store.site import Difference, locales, write_pages
from generator.workflow.record import Recording
from generator.workflow.scoring import AnswerKey, answer_key


@dataclass(frozen=True, slots=True)
class Drawn:
    """All pages, and what could not be said in some locale."""

    pages: Mapping[str, str]
    """Text by path below `docs/`."""

    missing: Mapping[str, frozenset[str]]
    """By locale: messages without a translation."""


@dataclass(slots=True)
class Keys:
    """Answer keys of a project, each read once: of the work tree, and of the commits of rows."""

    project: Project
    here: Mapping[str, AnswerKey]
    _at_commits: dict[tuple[str, str], AnswerKey] = field(default_factory=dict)

    def of(self, row: Row) -> AnswerKey:
        """The key that a row's corpus digest speaks of; raises Corpus- or RepositoryError."""
        benchmark = row.key.benchmark
        here = self.here.get(benchmark)
        if here is not None and here.files.digest == row.key.corpus:
            return here
        return self.at(benchmark, row.run.commit)

    def at(self, benchmark: str, commit: str) -> AnswerKey:
        """The key at a commit, from git objects; raises Corpus- or RepositoryError."""
        if (benchmark, commit) not in self._at_commits:
            files = benchmark_at(self.project, benchmark, commit)
            self._at_commits[benchmark, commit] = answer_key(files)
        return self._at_commits[benchmark, commit]


def keys_of(project: Project) -> Keys:
    """Every benchmark of the work tree, read; raises CorpusError."""
    return Keys(
        project,
        {name: answer_key(benchmark_here(project, name)) for name in benchmark_ids(project)},
    )


def render(project: Project) -> tuple[Difference, ...]:
    """Draw all pages and write those that differ; what changed, by path.

    It holds the lock of the registry, so that the last to write has drawn what lies there.
    """
    with locked(project.results, project.docs):
        return write_pages(project, drawn(project).pages, is_generated)


def render_recorded(project: Project, recording: Recording) -> int:
    """Draw the pages that a recording changes, a rehearsal's in its own folder; how many."""
    if not recording.published:
        return 0
    if not recording.rehearsal:
        return len(render(project))
    there = project.rehearsal
    with locked(there.results, there.docs):
        pages = drawn(project, registry=recording.registry, rehearsal=True).pages
        write_pages(there, pages, is_generated)
    return len(pages)


def drawn(
    project: Project,
    *,
    registry: Registry | None = None,
    rehearsal: bool = False,
    keys: Keys | None = None,
) -> Drawn:
    """All pages in memory; with another registry than the one on disk in a rehearsal."""
    keys = keys or keys_of(project)
    spoken = spoken_words(project)
    site = Site(
        benchmarks=tuple(
            _published(project, key, [words.locale for words in spoken])
            for key in keys.here.values()
        ),
        registry=registry or read_registry(project),
        attempts=lambda row: _attempts(project, row),
        corpus=lambda row: _corpus(keys, row),
        rehearsal=rehearsal,
    )
    pages = dict(draw(site, spoken))
    missing = {words.locale: frozenset(words.missing) for words in spoken}
    return Drawn(pages, missing)


def spoken_words(project: Project) -> tuple[Words, ...]:
    """The words of every locale of the site; raises UsageError."""
    folders = catalogue_folders(project.root)
    try:
        return tuple(words_of(locale.code, folders) for locale in locales(project))
    except ValueError as fault:
        raise UsageError(
            f"A catalogue below {folders[-1]} can't be read: {fault}.",
            "Restore it from git, or write it again, in UTF-8.",
        ) from fault


def _published(project: Project, key: AnswerKey, spoken: Iterable[str]) -> Published:
    benchmark = key.files.benchmark
    source = prose(project, benchmark.id, SOURCE)
    texts = {}
    for locale in spoken:
        text = prose(project, benchmark.id, locale)
        if text is not None:
            behind = locale != SOURCE and source is not None and not is_current(source, text)
            texts[locale] = Prose(front_matter(text)[1], locale, behind)
        elif source is not None:
            texts[locale] = Prose(front_matter(source)[1], SOURCE, behind=False)
    return Published(benchmark, key.family, key.corpus, key.files.digest, key.contracts, texts)


def _attempts(project: Project, row: Row) -> Iterable[Attempt]:
    """The observations of a row; those of a rehearsal lie in its own folder."""
    places = (project, project.rehearsal)
    held = next((p for p in places if evidence_path(p, row.evidence.digest).is_file()), project)
    return (observed.attempt for observed in read_evidence(held, row.evidence))


def _corpus(keys: Keys, row: Row) -> Corpus | None:
    try:
        return keys.of(row).corpus
    except CorpusError:
        raise
    except AssayError:
        return None
