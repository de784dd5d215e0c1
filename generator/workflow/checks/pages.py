"""The pages, drawn from what is sound and compared with those on disk."""

from collections.abc import Container, Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path

from generator.pages import links
from generator.pages.catalogues import SOURCE, known_messages, read_catalogue, template_path
from generator.pages.render import is_generated
from generator.records.registry import Registry
from generator.records.row import Row
from generator.store.project import Project
from generator.store.site import Difference, differences
from generator.workflow.checks.finding import Finding, relative
from generator.workflow.render import Keys, drawn

_BEFORE = 20
_SHOWN = 80
"""How many characters of a changed line are shown, and how many of them before the change."""

_LISTS = ("index.md", "benchmarks/index.md", "history.md")
"""Pages that every row has a part in."""


@dataclass(frozen=True, slots=True)
class Faults:
    """What is known to be at fault, and shows on pages."""

    rows: tuple[Row, ...]
    claims: Container[str]
    """By id."""

    unreadable: bool
    """Whether something can't be read, so that nobody knows which pages it would stand on."""


class PageChecks:
    """Compares pages, after the rows were looked at.

    Pages that depend on a row or a claim with a finding of its own are not compared: they would
    only say the same once more.
    """

    def __init__(self, project: Project, keys: Keys, registry: Registry, faults: Faults) -> None:
        self._project = project
        self._keys = keys
        gone = {row.id for row in faults.rows}
        self._sound = replace(
            registry,
            rows={row.id: row for row in registry.rows.values() if row.id not in gone},
            withdrawals={
                name: found for name, found in registry.withdrawals.items() if name not in gone
            },
            promotions={
                name: found
                for name, found in registry.promotions.items()
                if name not in faults.claims and found.row not in gone
            },
        )
        known = (*registry.candidates.values(), *registry.promotions.values())
        self._claimed = {
            links.benchmark_page(claim.benchmark) for claim in known if claim.id in faults.claims
        }
        self._faults = faults
        self.pages = 0

    def findings(self) -> Iterator[Finding]:
        """Pages that are edited, missing, or that nothing draws; messages without words."""
        pages = drawn(self._project, registry=self._sound, keys=self._keys)
        self.pages = len(pages.pages)
        for difference in differences(self._project, pages.pages, is_generated):
            if not self._depends_on_a_fault(difference.path):
                yield self._finding(difference)
        template = template_path(self._project.root / "locales")
        known = known_messages(read_catalogue(template, SOURCE)) if template.is_file() else ()
        for locale, messages in pages.missing.items():
            for message in sorted(messages.difference(known)):
                yield Finding(
                    "missing-message",
                    relative(self._project, template),
                    f"The message {message!r}, not said in {locale}, is not among the extracted.",
                    "Extract the messages again, translate it, then run results render.",
                )

    def _depends_on_a_fault(self, path: Path) -> bool:
        page = path.relative_to(self._project.docs).as_posix().partition("/")[2]
        if self._faults.unreadable:
            return page in _LISTS or page.startswith(("benchmarks/", "results/"))
        touched = {links.row_page(row) for row in self._faults.rows}
        touched |= {links.benchmark_page(row.key.benchmark) for row in self._faults.rows}
        return page in touched | self._claimed or (bool(self._faults.rows) and page in _LISTS)

    def _finding(self, difference: Difference) -> Finding:
        file = relative(self._project, difference.path)
        if difference.drawn is None:
            return Finding("orphan-page", file, "Nothing draws this page.", "Run results render.")
        if difference.found is None:
            return Finding("missing-page", file, "It is not there.", "Run results render.")
        return Finding(
            "edited-page",
            file,
            f"It is not what the repository draws: {_first_change(difference)}",
            "Edit the source that its second line names, then run results render.",
        )


def _first_change(difference: Difference) -> str:
    """The first line that differs, from shortly before the place where it does."""
    found = (difference.found or "").replace("\r\n", "\n").split("\n")
    drawn_lines = (difference.drawn or "").split("\n")
    number, here, there = next(
        (number, here, there)
        for number, (here, there) in enumerate(zip_longest(found, drawn_lines, fillvalue=""), 1)
        if here != there
    )
    same = next(
        (
            place
            for place, (one, other) in enumerate(zip(here, there, strict=False))
            if one != other
        ),
        min(len(here), len(there)),
    )
    start = max(0, same - _BEFORE)
    shown = slice(start, start + _SHOWN)
    return f"line {number} has {here[shown]!r}, and would be drawn with {there[shown]!r}."
