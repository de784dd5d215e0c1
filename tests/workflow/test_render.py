import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from generator.errors import StorageError
from generator.store.atomic import locked
from generator.store.project import Project
from generator.store.registry import read_registry
from generator.workflow import render as module
from generator.workflow.record import record
from generator.workflow.render import drawn, render, render_recorded
from tests.conftest import LOCALES, Kit, edit_json

DIGEST = """\
import hashlib, sys
from pathlib import Path
from generator.store.project import Project
from generator.workflow.render import drawn

digest = hashlib.sha256()
for path, text in sorted(drawn(Project(Path(sys.argv[1]))).pages.items()):
    digest.update(f"{path}\\0{text}\\0".encode())
print(digest.hexdigest())
"""


def digest(kit: Kit, settings: Mapping[str, str]) -> str:
    """The digest of all pages, as another process draws them."""
    done = subprocess.run(
        [sys.executable, "-c", DIGEST, str(kit.root)],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def pages_on_disk(kit: Kit) -> dict[str, str]:
    """The text of every page, by its path below `docs/`."""
    docs = kit.project.docs
    return {
        path.relative_to(docs).as_posix(): path.read_bytes().decode() for path in docs.rglob("*.md")
    }


def test_pages_are_drawn_in_every_locale(kit: Kit) -> None:
    """A project with nothing published has its pages all the same, the same ones everywhere."""
    changed = render(kit.project)
    found = pages_on_disk(kit)
    assert len(changed) == len(found)
    pages = [
        {path.partition("/")[2] for path in found if path.startswith(f"{locale}/")}
        for locale in LOCALES
    ]
    assert pages[0] == pages[1] == pages[2]
    assert {"index.md", "rules.md", "history.md", "benchmarks/greetings.md"} < pages[0]


def test_what_is_drawn_is_what_is_written(published: Kit) -> None:
    """Drawing in memory and drawing to disk give the same bytes, twice."""
    assert drawn(published.project).pages == pages_on_disk(published)
    assert drawn(published.project).pages == drawn(published.project).pages


def test_nothing_is_written_where_nothing_differs(published: Kit) -> None:
    """A second time, no file is touched."""
    before = {path: path.stat().st_mtime_ns for path in published.project.docs.rglob("*")}
    assert render(published.project) == ()
    assert {path: path.stat().st_mtime_ns for path in published.project.docs.rglob("*")} == before


def test_drawing_mends_what_differs_and_nothing_else(published: Kit) -> None:
    """An edited page, a missing page and a page too many are mended; a guide stays."""
    before = pages_on_disk(published)
    published.write("docs/en/index.md", "Mine now.\n")
    (published.root / "docs/es/rules.md").unlink()
    orphan = published.write("docs/it/results/greetings/old.md", before["it/rules.md"])
    guide = published.write("docs/en/guide/index.md", "# Guide\n")
    changed = render(published.project)
    assert len(changed) == 3
    assert guide.exists()
    assert not orphan.exists()
    guide.unlink()
    assert pages_on_disk(published) == before


@pytest.mark.parametrize(
    "settings",
    [
        {"TZ": "Asia/Kathmandu", "PYTHONHASHSEED": "1"},
        {"TZ": "America/St_Johns", "PYTHONHASHSEED": "2", "LANG": "it_IT.UTF-8"},
        {"LC_ALL": "C", "PYTHONHASHSEED": "3", "PYTHONUTF8": "0"},
        {"LC_ALL": "tr_TR.UTF-8", "LANGUAGE": "tr", "PYTHONHASHSEED": "4"},
    ],
    ids=lambda settings: "-".join(settings.values()).replace("/", "-"),
)
def test_every_machine_draws_the_same_bytes(published: Kit, settings: dict[str, str]) -> None:
    """Neither time zone nor locale nor hash seed nor the settings of Python show on a page."""
    here = hashlib.sha256()
    for path, text in sorted(pages_on_disk(published).items()):
        here.update(f"{path}\0{text}\0".encode())
    assert digest(published, settings) == f"{here.hexdigest()}\n"


def test_the_order_of_recording_does_not_show(published: Kit, kit: Kit) -> None:
    """Two rows that were recorded one after the other are drawn like two recorded at once."""
    for system in (1, 0):
        run = kit.variant(f"only-{system}")
        edit_json(run / "run.json", _only(system))
        name = ("first", "second")[system]
        lines = (run / "attempts.jsonl").read_bytes().splitlines(keepends=True)
        kept = [line for line in lines if f'"system":"{name}"'.encode() in line]
        (run / "attempts.jsonl").write_bytes(b"".join(kept))
        kit.record(run)
    assert [path.name for path in kit.row_files()] == [path.name for path in published.row_files()]
    commits = (kit.git("rev-parse", "HEAD"), published.git("rev-parse", "HEAD~1"))
    assert commits[0] == commits[1]
    assert pages_on_disk(kit) == pages_on_disk(published)


def _only(system: int) -> Callable[[dict[str, Any]], object]:
    return lambda said: said.update(systems=[said["systems"][system]])


def test_an_earlier_corpus_stands_in_a_table_of_its_own(published: Kit) -> None:
    """Rows that answered other questions are drawn under a heading that says so."""
    corpus = next(iter(read_registry(published.project).rows.values())).key.corpus[:16]
    before = published.read("docs/en/benchmarks/greetings.md")
    path = published.root / "results/benchmarks/greetings/cases/curt/curt-yo.json"
    edit_json(path, lambda case: case.update(prompt="Ahoy!"))
    published.commit()
    render(published.project)
    page = published.read("docs/en/benchmarks/greetings.md")
    assert [line for line in before.splitlines() if line[:4] == "### " and corpus in line] == []
    assert [line for line in page.splitlines() if line[:4] == "### " and corpus in line] != []
    assert all(row.stem in page for row in published.row_files())


def test_pages_are_drawn_and_written_under_the_lock(
    published: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No row can come between what is drawn and what is written, in earnest and in a rehearsal."""
    asked: list[str] = []
    done = record(published.project, published.again(), replace=True, rehearsal=True)
    for name in ("drawn", "write_pages"):
        own: Callable[..., Any] = getattr(module, name)

        def call(project: Project, *rest: Any, own: Any = own, **words: Any) -> Any:  # noqa: ANN401
            asked.append(own.__name__)
            where = published.project.rehearsal if done.rehearsal else project
            with (
                pytest.raises(StorageError, match="held the lock"),
                locked(where.results, patience=0),
            ):
                pass
            return own(project, *rest, **words)

        monkeypatch.setattr(module, name, call)
    render_recorded(published.project, done)
    done = replace(done, rehearsal=False)
    render_recorded(published.project, done)
    assert asked == ["drawn", "write_pages"] * 2
