"""What tests stand on: a small project in a repository of its own, and a sound run of it.

A test takes `kit` (a project with one committed benchmark, nothing published) or `published` (the
same with two rows recorded, drawn and committed), spoils one thing and expects one answer. Both
are copies of a template that is made once, so a test may do to them what it likes.

Nothing here depends on the catalogues of the repository: the projects bring their own, in which
every message is said in English.
"""

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

import generator
from generator.store.project import Project
from generator.workflow.record import Recording, record
from generator.workflow.render import render_recorded
from generator.writer import BundleWriter, Harness, Runtime, System, Turn

BENCHMARK = "greetings"
CASES = "results/benchmarks/greetings/cases"
LOCALES = {"en": "English", "es": "Español", "it": "Italiano"}

TOML = """\
format = "assay.benchmark/1"
id = "greetings"
family = "declarative"
version = "1"
title = "Greetings"
summary = "Whether a system greets back, and says nothing where nobody greets."
licence = "CC0-1.0"
not_applicable = ["subject", "tools"]
shown = ["passed", "passed.polite", "passed.curt"]
run = "python results/benchmarks/greetings/harness/run.py"

[[categories]]
id = "polite"
title = "Polite greetings"

[[categories]]
id = "curt"
title = "Curt greetings"

[scoring.limits]
seconds_per_attempt = 10
"""

ANSWERS: Mapping[str, tuple[str, str, str]] = {
    "curt-hey": ("curt", "Hey!", "Hey"),
    "curt-yo": ("curt", "Yo!", "Yo"),
    "polite-evening": ("polite", "Good evening to you.", "evening"),
    "polite-morning": ("polite", "Good morning to you.", "morning"),
}
"""By case: its category, what is asked, and the word that a right answer contains."""

MKDOCS = """\
site_name: Greetings
site_url: !ENV [ASSAY_SITE_URL, ""]
docs_dir: !ENV [ASSAY_DOCS_DIR, docs/en]
markdown_extensions:
  - pymdownx.emoji: {emoji_index: !!python/name:material.extensions.emoji.twemoji ""}
extra:
  locales:
"""

IGNORED = "dist/\nsite/\n.assay-*\n"
HARNESS = Harness(name="greeter", version="1.0.0", contract=1)

SYSTEMS = tuple(
    System(
        id=name,
        provider="pypi",
        model=model,
        revision=revision,
        runtime=Runtime(name="cpython", version="3.11"),
        surface="greet",
        options={"polite": True},
    )
    for name, model, revision in (
        ("first", "not-a-real-parser", "1.0"),
        ("second", "one-more-that-is-none", "2.0"),
    )
)
"""Visibly examples, and still nothing that a rule refuses."""

Attempts = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Kit:
    """A project of a test, with what tests do to one."""

    root: Path

    @property
    def project(self) -> Project:
        """The project, as the code under test takes it."""
        return Project(self.root)

    @property
    def run(self) -> Path:
        """The sound run: two systems, four cases, one repetition; `second` has one case wrong."""
        return self.root / "dist" / "runs" / "sound"

    def git(self, *words: str) -> str:
        """What git answers in the root of the project."""
        return git(self.root, *words)

    def commit(self, message: str = "Change") -> str:
        """Commit everything; the new commit."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)
        return self.head()

    def head(self) -> str:
        """The commit that is checked out."""
        return self.git("rev-parse", "HEAD").strip()

    def write(self, path: str, text: str) -> Path:
        """Write a file below the root."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="")
        return place

    def read(self, path: str | Path) -> str:
        """The text of a file below the root."""
        return (self.root / path).read_bytes().decode()

    def variant(self, name: str) -> Path:
        """A copy of the sound run, to be spoilt."""
        copy = self.run.with_name(name)
        shutil.copytree(self.run, copy)
        return copy

    def again(self, name: str = "again") -> Path:
        """The sound run once more: another run, with the same answers, each with a time."""
        run = self.variant(name)
        edit_json(
            run / "run.json",
            lambda said: said.update(run=name, started=said["started"].replace("Z", ".5Z")),
        )
        edit_attempts(
            run, lambda attempts: [{**one, "run": name, "elapsed_us": 7} for one in attempts]
        )
        return run

    def record(self, run: Path | None = None, *, replace: bool = False) -> Recording:
        """Record a run in earnest and draw the pages, as the command does."""
        done = record(self.project, run or self.run, replace=replace)
        render_recorded(self.project, done)
        return done

    def row_files(self) -> list[Path]:
        """All files of the registry, by name."""
        return sorted(path for path in self.project.registry.rglob("*") if path.is_file())

    def evidence_files(self) -> list[Path]:
        """All evidence, by name."""
        return sorted(path for path in self.project.evidence.glob("*") if path.is_file())

    def committed(self) -> dict[str, bytes]:
        """Every file that is not ignored, by path: what a rehearsal must not touch."""
        listing = self.git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
        names = sorted(filter(None, listing.split("\0")))
        return {name: (self.root / name).read_bytes() for name in names}


def git(folder: Path, *words: str) -> str:
    """What git answers in a folder; a fault is the test's own and fails it."""
    done = subprocess.run(
        ["git", *words], cwd=folder, check=False, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def translation(source: str, text: str) -> str:
    """A text that names the source text that it translates."""
    named = hashlib.sha256(source.encode()).hexdigest()[:16]
    return f"---\nsource_digest: {named}\n---\n\n{text}\n"


def edit_json(path: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    """Change a JSON file, a run's manifest or a row, by a function that changes its object."""
    content = json.loads(path.read_bytes())
    edit(content)
    text = json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False)
    path.write_bytes(text.encode() + b"\n")


def edit_attempts(run: Path, edit: Callable[[Attempts], Attempts | None]) -> None:
    """Change a run's attempts by a function that changes their list, or gives another one."""
    path = run / "attempts.jsonl"
    attempts = [json.loads(line) for line in path.read_bytes().splitlines()]
    lines = [json.dumps(attempt, ensure_ascii=False) for attempt in edit(attempts) or attempts]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="")


def write_run(  # noqa: PLR0913  what tests like to vary
    root: Path,
    out: Path,
    *,
    systems: tuple[System, ...] = SYSTEMS,
    repetitions: int = 1,
    wrong: tuple[tuple[str, str], ...] = (("second", "curt-yo"),),
    filter: str | None = None,  # noqa: A002  the manifest's word
) -> Path:
    """Write a run by the public writer: every answer is right, but for the pairs in `wrong`."""
    with BundleWriter(
        root,
        out,
        benchmark=BENCHMARK,
        systems=systems,
        harness=HARNESS,
        repetitions=repetitions,
        filter=filter,
    ) as bundle:
        for system in systems:
            for case, (_, asked, wanted) in ANSWERS.items():
                said = "No." if (system.id, case) in wrong else f"{wanted}!"
                for repetition in range(1, repetitions + 1):
                    bundle.attempt(
                        case=case,
                        system=system.id,
                        repetition=repetition,
                        stimulus=asked,
                        turns=[Turn(content=said)],
                    )
    return out


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Kit:
    """The project that `kit` copies; no test changes it."""
    kit = Kit(tmp_path_factory.mktemp("template") / "project")
    with pytest.MonkeyPatch.context() as patch:
        _isolate(patch, tmp_path_factory)
        lay_out(kit)
        kit.git("init", "--quiet", "--initial-branch=main")
        kit.git("config", "user.name", "Nobody In Particular")
        kit.git("config", "user.email", "nobody@example.org")
        kit.commit("A benchmark")
        write_run(kit.root, kit.run)
    return kit


@pytest.fixture(scope="session")
def published_template(template: Kit, tmp_path_factory: pytest.TempPathFactory) -> Kit:
    """The project that `published` copies; no test changes it."""
    kit = _copy(template, tmp_path_factory.mktemp("published") / "project")
    with pytest.MonkeyPatch.context() as patch:
        _isolate(patch, tmp_path_factory)
        kit.record()
        kit.commit("Two rows")
    return kit


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test sees the git configuration, the identity or the repository of whoever runs it."""
    _isolate(monkeypatch, tmp_path_factory)


@pytest.fixture
def kit(template: Kit, tmp_path: Path, alone: None) -> Kit:  # noqa: ARG001  it prepares the process
    """A project with one committed benchmark, a sound run below `dist/`, and no row."""
    return _copy(template, tmp_path / "project")


@pytest.fixture
def published(published_template: Kit, tmp_path: Path, alone: None) -> Kit:  # noqa: ARG001  as above
    """The same with both rows of the sound run recorded, drawn and committed."""
    return _copy(published_template, tmp_path / "published")


def _isolate(patch: pytest.MonkeyPatch, places: pytest.TempPathFactory) -> None:
    home = places.getbasetemp() / "home"
    home.mkdir(exist_ok=True)
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        patch.delenv(name)
    patch.setenv("HOME", str(home))
    patch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    patch.setenv("GIT_CONFIG_SYSTEM", os.devnull)


def _copy(kit: Kit, root: Path) -> Kit:
    copy = Kit(root)
    shutil.copytree(kit.root, root, symlinks=True)
    copy.git("update-index", "--refresh")  # its files are new ones
    return copy


def lay_out(kit: Kit) -> None:
    """Write everything that the project of a test has before it has rows."""
    folder = f"results/benchmarks/{BENCHMARK}"
    kit.write(".gitignore", IGNORED)
    entries = (f'    - {{code: "{code}", name: "{name}"}}\n' for code, name in LOCALES.items())
    kit.write("mkdocs.yml", MKDOCS + "".join(entries))
    kit.write("README.md", "# A project of a test\n")
    kit.write(f"{folder}/benchmark.toml", TOML)
    kit.write(f"{folder}/harness/run.py", '"""Puts the benchmark to its systems."""\n')
    for name, (category, asked, wanted) in ANSWERS.items():
        check = {"type": "contains", "value": wanted}
        case = {"name": name, "category": category, "prompt": asked, "checks": [check]}
        kit.write(f"{CASES}/{category}/{name}.json", json.dumps(case, indent=2) + "\n")
    about = "---\nscope: What is asked\n---\n\nA benchmark of tests.\n"
    kit.write(f"{folder}/about.en.md", about)
    for locale in ("es", "it"):
        kit.write(f"{folder}/about.{locale}.md", translation(about, f"A text in {locale}."))
        path = kit.root / "locales" / locale / "LC_MESSAGES" / "messages.po"
        path.parent.mkdir(parents=True)
        with path.open("wb") as file:
            write_po(file, _said_in_english(locale), omit_header=False, no_location=True)


def _said_in_english(locale: str) -> Catalog:
    """A catalogue in which each message of the program stands for itself."""
    catalogue = Catalog(locale=locale, project="tests", version="1")
    package = Path(generator.__file__).parent
    methods = [("**.py", "python"), ("pages/templates/**", "jinja2.ext.babel_extract")]
    keywords = {"N_": None, "_": None, "many": (1, 2)}
    found = [entry[2] for entry in extract_from_dir(package, methods, {"**": {}}, keywords)]
    titles = ("Greetings", "Polite greetings", "Curt greetings")
    summary = "Whether a system greets back, and says nothing where nobody greets."
    for message in (*found, *titles, summary):
        forms = message if isinstance(message, str) else (*message, *message[1:])
        catalogue.add(message, forms[: catalogue.num_plurals] if message != forms else forms)
    return catalogue
