"""The English guide as tests read it: its fenced blocks, and its tables."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
GUIDE = REPOSITORY / "docs" / "en" / "guide"
PAGES = tuple(sorted(path.name for path in GUIDE.glob("*.md")))

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`([^`\n]+)`")
_SAVED = re.compile(r"[Ss]ave (?:it|this|this one) as `([^`\n]+)`")
_ADDED = re.compile(r"at the end of `([^`\n]+)`")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a page."""

    page: str
    language: str
    text: str
    saved: str | None
    """Where the sentence above it says that it is to be saved."""

    added: str | None
    """To the end of which file the sentence above it says that it is to be added."""


def text(page: str) -> str:
    """A page as it lies on disk."""
    return (GUIDE / page).read_text("utf-8")


def blocks(page: str, *languages: str) -> Iterator[Block]:
    """The fenced blocks of a page in their order; of some languages, or of all."""
    whole = text(page)
    for found in _BLOCK.finditer(whole):
        above = whole[: found.start()].rstrip().rpartition("\n\n")[2]
        if not languages or found[1] in languages:
            saved, added = _SAVED.search(above), _ADDED.search(above)
            yield Block(page, found[1], found[2], saved and saved[1], added[1] if added else None)


def table(page: str, *heads: str) -> list[list[str]]:
    """The cells of the first table of a page whose heads begin with these."""
    lines = iter(text(page).splitlines())
    for line in lines:
        if line.startswith("".join(f"| {head} " for head in heads) + "|"):
            next(lines)
            return [
                [cell.strip() for cell in row.strip().strip("|").split(" | ")]
                for row in iter(lambda: next(lines, ""), "")
            ]
    message = f"{page} has no table that begins with {heads}"
    raise AssertionError(message)


def code(cell: str) -> list[str]:
    """What stands in backticks in a text."""
    return _CODE.findall(cell)


def named(page: str, head: str) -> list[str]:
    """The names in the first column of a table."""
    return [name for row in table(page, head) for name in code(row[0])]
