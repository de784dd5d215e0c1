"""HTML as a tree, read by the standard library: what a browser would make of a page."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import yaml

from generator.store.site import SETTINGS

REPOSITORY = Path(__file__).resolve().parents[2]
"""Root of the repository that the tests are part of."""

_VOID = frozenset({"br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})


@dataclass(slots=True)
class Node:
    """An element with its attributes, and what stands in it."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    inside: "list[Node | str]" = field(default_factory=list)

    def __iter__(self) -> "Iterator[Node]":
        """Every element below this one, in the order of the page."""
        for inner in self.inside:
            if isinstance(inner, Node):
                yield inner
                yield from inner

    @property
    def text(self) -> str:
        """The text of the element and of all below it."""
        return "".join(part if isinstance(part, str) else part.text for part in self.inside)

    def all(self, tag: str, **attributes: str) -> "list[Node]":
        """Every element below of that tag and with those attributes; a class is one of several."""
        return [
            node
            for node in self
            if node.tag == tag
            and all(
                value in node.attributes.get(name.rstrip("_"), "").split()
                for name, value in attributes.items()
            )
        ]

    def one(self, tag: str, **attributes: str) -> "Node":
        """The only such element below."""
        (found,) = self.all(tag, **attributes)
        return found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("")
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs})
        self._open[-1].inside.append(node)
        if tag not in _VOID:
            self._open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].inside.append(Node(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        tags = [node.tag for node in self._open]
        if tag in tags[1:]:
            del self._open[len(tags) - 1 - tags[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        self._open[-1].inside.append(data)

    def handle_comment(self, data: str) -> None:
        self._open[-1].inside.append(Node("!--", {}, [data]))


def read_html(text: str) -> Node:
    """A document, or part of one."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return reader.root


def skeleton(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Every element of a text in order, with the names of its attributes: all but the words."""
    return [(node.tag, tuple(node.attributes)) for node in read_html(text)]


def words_in(text: str) -> str:
    """A text with every run of white space as one space: how a browser shows it."""
    return " ".join(text.split())


def settings() -> dict[str, Any]:
    """The repository's `mkdocs.yml`; what it reads from the environment is left out."""

    class Loader(yaml.SafeLoader):
        """Reads what is plain."""

    Loader.add_multi_constructor("!", lambda *_: None)
    text = (REPOSITORY / SETTINGS).read_text("utf-8")
    found: dict[str, Any] = yaml.load(text, Loader)  # noqa: S506  a SafeLoader
    return found
