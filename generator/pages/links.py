"""Where a page will be found once mkdocs has built it, and the way from one to another."""

import posixpath

from generator.records.row import Row


def url(path: str) -> str:
    """The address of a page below its locale's root: `a/b.md` is `a/b/`, an index its folder."""
    folder, name = posixpath.split(path)
    stem = name.removesuffix(".md")
    parts = [part for part in (folder, "" if stem == "index" else stem) if part]
    return "".join(f"{part}/" for part in parts)


def href(here: str, there: str, anchor: str = "") -> str:
    """The relative link from one page to another, by their paths below the docs folder."""
    way = posixpath.relpath("/" + url(there), "/" + url(here)) + "/"
    return way + (f"#{anchor}" if anchor else "")


def benchmark_page(benchmark: str) -> str:
    """Path of a benchmark's page."""
    return f"benchmarks/{benchmark}.md"


def metric_page(family: str, metric: str) -> str:
    """Path of a metric's page."""
    return f"metrics/{family}/{metric.replace('_', '-')}.md"


def row_page(row: Row) -> str:
    """Path of a row's page."""
    return f"results/{row.key.benchmark}/{row.id}.md"
