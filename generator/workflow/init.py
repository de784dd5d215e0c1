"""`init`: lay out a site in somebody's repository; what exists there stays as it is.

Everything is drawn up in a folder of its own first. So it is known what would be written before
anything is, and what stands in the way stops it as a whole.
"""

import json
import re
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from generator.errors import UsageError
from generator.pages.render import is_generated
from generator.store.atomic import ready, write
from generator.store.corpus import BENCHMARK, benchmark_ids
from generator.store.project import Project, find_project
from generator.store.repo import Repo
from generator.store.site import SETTINGS, locales
from generator.workflow.render import drawn
from generator.workflow.requirement import requirement

SCAFFOLD = Path(__file__).with_name("scaffold")
EXAMPLE = "first-benchmark"

_SUFFIX = ".template"
_DOT = "dot-"
_OF_REPOSITORY = (".github", ".pre-commit-config.yaml")
"""What lies at the root of the repository, wherever in it the site lies."""

_OWN_PLACE = "Move it, or give the site a folder of its own: results init FOLDER"


@dataclass(frozen=True, slots=True)
class Addition:
    """What a file lacks that was there already, for a person to add."""

    path: Path
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a folder."""

    project: Project
    top: Path
    """Root of the repository."""

    written: tuple[Path, ...]
    kept: tuple[Path, ...]
    """What would have been written, and was there already."""

    additions: tuple[Addition, ...]
    new: tuple[Path, ...]
    """What was not there before, each folder once: what is to be committed."""

    requirement: str | None
    """What CI tells pip to get Assay; none where that could not be found out."""

    example: bool
    """Whether the example lies there; a project with benchmarks of its own needs none."""


def init(folder: Path) -> Outcome:
    """Write every file of a new site that is not there; what is there is not touched.

    Raises RepositoryError outside of a repository, UsageError where something stands in the way,
    and StorageError where the disk refuses.
    """
    project = Project(folder.resolve())
    nearest = next(place for place in (project.root, *project.root.parents) if place.is_dir())
    repo = Repo(nearest)
    top = repo.top()
    _not_inside_another(project, nearest)
    found = requirement()
    asked = _asked(project.root.relative_to(top), _site_name(project.root, top, repo), found)
    planned = _planned(project, top, asked)
    _nothing_in_the_way(planned)
    missing = {path: text for path, text in planned.items() if not _is_there(path)}
    new = tuple(dict.fromkeys(_first_new(path) for path in missing))
    if missing:
        ready(nearest)
    for path, text in missing.items():
        write(path, text.encode())
    kept = {path: text for path, text in planned.items() if path not in missing}
    return Outcome(
        project=project,
        top=top,
        written=tuple(missing),
        kept=tuple(kept),
        additions=tuple(_additions(kept)),
        new=new,
        requirement=found,
        example=benchmark_ids(project) == (EXAMPLE,),
    )


def _not_inside_another(project: Project, nearest: Path) -> None:
    try:
        other = find_project(nearest)
    except UsageError:
        return
    if other != project:
        raise UsageError(
            f"{project.root} lies inside the site {other.root}.",
            "Run it there, or name a folder outside of it.",
        )


def _site_name(root: Path, top: Path, repo: Repo) -> str:
    """The name of the repository, as its remote has it; of a folder within, that folder's."""
    remote = repo.remote() if root == top else None
    name = re.split(r"[/\\:]", remote.rstrip("/\\"))[-1] if remote else root.name
    return " ".join(re.findall(r"[\w.-]+", name.removesuffix(".git"))) or "Results"


def _asked(inside: Path, site_name: str, found: str | None) -> dict[str, str]:
    """The values for the places of the templates."""
    nested = inside != Path()
    where = f"{inside.as_posix()}/" if nested else ""
    option = f" --project {shlex.quote(inside.as_posix())}" if nested else ""
    return {
        "site_name": site_name,
        "requirement": json.dumps(found or ""),
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
        "folder": json.dumps(inside.as_posix()),
        "check": json.dumps(f"results{option} check"),
        "files": json.dumps(rf"^{re.escape(where)}((docs|locales|results)/|mkdocs\.yml$)"),
    }


def _planned(project: Project, top: Path, asked: Mapping[str, str]) -> dict[Path, str]:
    """Every file of the site, in the order of writing: a benchmark.toml tells that all is there."""
    files = {name: _filled(text, asked) for name, text in _templates()}
    if set(benchmark_ids(project)) - {EXAMPLE}:
        files = {name: text for name, text in files.items() if not name.startswith("results/")}
    elif not benchmark_ids(project):
        files |= _pages(project, files)
    ordered = sorted(files, key=lambda name: (name.endswith(f"/{BENCHMARK}"), name))
    return {
        (top if name.startswith(_OF_REPOSITORY) else project.root) / name: files[name]
        for name in ordered
    }


def _templates() -> Iterator[tuple[str, str]]:
    """The files of a new site; by their names no tool takes them for files of this project."""
    for path in SCAFFOLD.rglob(f"*{_SUFFIX}"):
        name = path.relative_to(SCAFFOLD).as_posix().removesuffix(_SUFFIX)
        yield (
            (f".{name.removeprefix(_DOT)}" if name.startswith(_DOT) else name),
            path.read_text("utf-8"),
        )


def _filled(text: str, values: Mapping[str, str]) -> str:
    return re.sub(r"@(\w+)@", lambda place: values[place[1]], text)


def _pages(project: Project, files: Mapping[str, str]) -> dict[str, str]:
    """The generated pages of the site as it will be, in the languages that it has or will have."""
    with tempfile.TemporaryDirectory() as folder:
        draft = Project(Path(folder))
        for name, text in files.items():
            write(draft.root / name, text.encode())
        settings = project.root / SETTINGS
        if _speaks(project):
            write(draft.root / SETTINGS, settings.read_bytes())
        return {f"docs/{name}": text for name, text in drawn(draft).pages.items()}


def _nothing_in_the_way(planned: Mapping[Path, str]) -> None:
    """Raises UsageError where something else stands in the place of what is planned."""
    for path, text in planned.items():
        if path.is_dir():
            raise UsageError(f"{path} is a folder, and a file is to lie there.", _OWN_PLACE)
        for above in path.parents:
            if _is_there(above) and not above.is_dir():
                raise UsageError(f"{above} is a file, and a folder is to lie there.", _OWN_PLACE)
        if _is_there(path) and is_generated(text) and not is_generated(_read(path)):
            raise UsageError(
                f"{path} is not one of ours, and results render would draw over it.", _OWN_PLACE
            )


def _additions(kept: Mapping[Path, str]) -> Iterator[Addition]:
    """What files that were there already lack."""
    for path, text in kept.items():
        have = _read(path)
        lines = tuple(_LACKING[path.name](have, text)) if path.name in _LACKING else ()
        if lines:
            yield Addition(path, lines)


def _lines_lacking(have: str, text: str) -> Iterator[str]:
    """Lines of a list, such as .gitignore, that it does not hold."""
    known = {line.strip().strip("/") for line in have.splitlines()}
    for line in text.splitlines():
        if line and not line.startswith("#") and line.strip("/") not in known:
            yield line


def _block_lacking(sign: str, first: str, have: str, text: str) -> Iterator[str]:
    """The end of a template from a line on, where a file does not hold a sign of it."""
    if not re.search(sign, have):
        lines = text.splitlines()
        yield from lines[lines.index(first) :]


_LACKING: Mapping[str, Callable[[str, str], Iterable[str]]] = {
    ".gitignore": _lines_lacking,
    ".gitattributes": _lines_lacking,
    ".pre-commit-config.yaml": partial(_block_lacking, "results-check", "  - repo: local"),
    SETTINGS: partial(_block_lacking, r"\bassay\b", "theme: {name: material}"),
}


def _speaks(project: Project) -> bool:
    """Whether the site has settings that say its languages."""
    try:
        return bool(locales(project))
    except UsageError:
        return False


def _first_new(path: Path) -> Path:
    """The highest of a path and the folders above it that is not there."""
    return next(
        place for place, above in ((p, p.parent) for p in (path, *path.parents)) if _is_there(above)
    )


def _is_there(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def _read(path: Path) -> str:
    """The text of a file; nothing where it can't be read, as of a link that leads nowhere."""
    try:
        return path.read_text("utf-8", errors="replace")
    except OSError:
        return ""
