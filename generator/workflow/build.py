"""`build`: draw the pages and let mkdocs make the site, one build a locale."""

import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from xml.sax.saxutils import escape

from generator.errors import SiteError
from generator.store.atomic import write
from generator.store.project import Project
from generator.store.registry import read_registry
from generator.store.site import SETTINGS, Locale, locales
from generator.workflow.render import render

MKDOCS = "mkdocs"
CHILD = "ASSAY_LOCALE"
"""Set in the builds that the default locale's build starts, so that they start none."""


@dataclass(frozen=True, slots=True)
class Built:
    """A finished site."""

    folder: Path
    pages: int
    locales: tuple[Locale, ...]
    redrawn: int
    """Pages that were not what the repository draws, and now are."""


def build(project: Project, *, strict: bool = True) -> Built:
    """Draw what differs, then build every locale; raises SiteError with mkdocs' own words."""
    redrawn = render(project)
    fault = _fault(project, Seam(MKDOCS, project.site, strict=strict))
    if fault:
        raise SiteError(
            fault, "Mend what it names; results check says whether the pages are as drawn."
        )
    folder = project.site
    pages = sum(1 for _ in folder.rglob("index.html"))
    return Built(folder, pages, locales(project), len(redrawn))


@dataclass(frozen=True, slots=True)
class Seam:
    """How the site is built; the build of the default locale hands it on to those of the others."""

    engine: str
    """The module that builds: mkdocs, or the fork of it that built the default locale."""

    folder: Path
    """Where the default locale is built; the others go below it."""

    strict: bool


def build_others(project: Project, seam: Seam) -> tuple[str, ...]:
    """Build every locale but the default one, at the same time; what went wrong in each."""
    others = [locale.code for locale in locales(project)[1:]]
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        jobs = [pool.submit(_fault, project, seam, code) for code in others]
        return tuple(filter(None, (job.result() for job in jobs)))


def epoch(project: Project) -> str:
    """The moment that the site speaks of, in seconds: the end of the newest row's run."""
    ends = [row.run.finished for row in read_registry(project).rows.values()]
    newest = max(ends, default="1980-01-01T00:00:00Z")
    return str(int(datetime.fromisoformat(newest).timestamp()))


def write_sitemap(folder: Path, site_url: str, spoken: Iterable[str]) -> None:
    """One sitemap for all locales, each page with its counterparts; none without a site's URL.

    Links between languages must be absolute to be of use, so without `site_url` there is none.
    """
    codes = list(spoken)
    for stray in folder.rglob("sitemap.xml*"):
        stray.unlink()
    if not site_url:
        return
    root, default = site_url.rstrip("/") + "/", codes[0]
    own = {folder / code for code in codes[1:]}
    paths = sorted(
        page.parent.relative_to(folder).as_posix()
        for page in folder.rglob("index.html")
        if not own.intersection(page.parents)
    )
    write(folder / "sitemap.xml", _sitemap(root, default, codes, paths).encode())


def _sitemap(root: str, default: str, codes: list[str], paths: list[str]) -> str:
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"',
        '        xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ]
    for path in paths:
        page = "" if path == "." else f"{path}/"
        places = {code: root + ("" if code == default else f"{code}/") + page for code in codes}
        for code in codes:
            lines.append(f"<url><loc>{escape(places[code])}</loc>")
            for other, place in {**places, "x-default": places[default]}.items():
                lines.append(
                    f'<xhtml:link rel="alternate" hreflang="{other}" href="{escape(place)}"/>'
                )
            lines.append("</url>")
    return "\n".join([*lines, "</urlset>", ""])


def _fault(project: Project, seam: Seam, locale: str | None = None) -> str:
    """Build one locale; what the engine complained of where it could not, else nothing."""
    folder = seam.folder / locale if locale else seam.folder
    # Without --quiet, which would keep its warnings from --strict.
    command = [sys.executable, "-m", seam.engine, "build", "-f", str(project.root / SETTINGS)]
    command += ["--site-dir", str(folder), *(["--strict"] if seam.strict else [])]
    done = subprocess.run(
        command,
        cwd=project.root,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", **({CHILD: locale} if locale else {})},
        capture_output=True,
        text=True,
        check=False,
    )
    said = "".join(
        f"\n{line}"
        for line in (done.stderr + done.stdout).splitlines()
        if line.strip() and not line.startswith("INFO")
    )
    which = locale or "the site"
    if done.returncode != 0:
        return f"{seam.engine} could not build {which}:{said}"
    if said:
        sys.stderr.write(f"{seam.engine} built {which}, and says:{said}\n")
    return ""
