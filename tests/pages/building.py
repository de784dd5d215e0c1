"""Real sites: a project of a test with the settings of this repository, built."""

import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from generator.pages.prose import digest
from generator.store.site import SETTINGS
from tests.conftest import Kit
from tests.pages.reading import REPOSITORY, Node, read_html, settings

GUIDE = "---\ntitle: {title}\n---\n\n# {title}\n\nWords of [the guide]({way}index.md).\n"


def lay_out(kit: Kit, locales: Iterable[str]) -> Kit:
    """Give a project the repository's settings, and pages in each locale.

    The settings are the repository's own but for the list of locales; the hand-written pages that
    they name are stubs, so that no text of the repository is part of what is tested.
    """
    spoken = tuple(locales)
    entry = re.compile(r'^ +- \{code: "(?P<code>[^"]+)".*\n', re.MULTILINE)
    text = (REPOSITORY / SETTINGS).read_text("utf-8")
    kit.write(SETTINGS, entry.sub(lambda m: m[0] if m["code"] in spoken else "", text))
    for page in hand_written():
        way = "../" * (page.count("/") - 1)
        source = GUIDE.format(title=f"Guide {page.removesuffix('.md')}", way=way)
        for code in spoken:
            named = source.replace("---\n", f"---\nsource_digest: {digest(source)}\n", 1)
            kit.write(f"docs/{code}/{page}", source if code == "en" else named)
    kit.commit("A site")
    return kit


def hand_written() -> list[str]:
    """The pages of the navigation that nobody draws."""
    return [page for page in _leaves(settings()["nav"]) if page.startswith("guide/")]


def _leaves(nav: object) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    elif isinstance(nav, Mapping):
        for inner in nav.values():
            yield from _leaves(inner)
    elif isinstance(nav, list):
        for inner in nav:
            yield from _leaves(inner)


def mkdocs(kit: Kit, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A plain `mkdocs build` in the root of a project, by the Python that runs the tests."""
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", *words],
        cwd=kit.root,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@contextmanager
def alone() -> Iterator[None]:
    """Nobody's git configuration, and nothing said about the site, for the time being."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith(("GIT_", "ASSAY_", "SOURCE_DATE_EPOCH")):
                patch.delenv(name)
        patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        patch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
        yield


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder that the first process of a test run fills and all others find filled."""
    base = factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, filled = shared / name, shared / f"{name}.filled"
    with (shared / f"{name}.lock").open("w") as lock, alone():
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not filled.exists():
            shutil.rmtree(folder, ignore_errors=True)
            make(folder)
            filled.touch()
    return folder


def copy(kit: Kit, root: Path) -> Kit:
    """A copy of a project, its repository included."""
    shutil.copytree(kit.root, root, symlinks=True)
    return Kit(root)


@dataclass(frozen=True)
class BuiltPage:
    """A page of a built site."""

    path: str
    """Its address below the root of the site."""

    text: str

    @cached_property
    def root(self) -> Node:
        """The document."""
        return read_html(self.text)

    @property
    def article(self) -> Node:
        """What the page is about: all that is drawn from its Markdown."""
        return self.root.one("article")


def built_pages(site: Path) -> dict[str, BuiltPage]:
    """Every page of a built site by its address, the pages for what is not found included."""
    found = {}
    for path in sorted(site.rglob("*.html")):
        address = path.relative_to(site).as_posix().removesuffix("index.html")
        found[address] = BuiltPage(address, path.read_text("utf-8"))
    return found
