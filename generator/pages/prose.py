"""Hand-written prose: its front matter, and whether a translation keeps pace with its source."""

import hashlib
import re
from collections.abc import Iterator

from generator.records.base import HEX_ON_PAGES

_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^(#{1,6}) ", re.MULTILINE)
_IDENTIFIER = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def digest(text: str) -> str:
    """What a translation names as `source_digest`, to say which source text it translates."""
    return hashlib.sha256(text.encode()).hexdigest()[:HEX_ON_PAGES]


def front_matter(text: str) -> tuple[dict[str, str], str]:
    """The `key: value` lines between the first two `---`, and what follows them."""
    found = re.match(r"---\n(.*?\n)---\n", text, re.DOTALL)
    if not found:
        return {}, text
    pairs = (line.split(":", 1) for line in found.group(1).splitlines() if ":" in line)
    return {name.strip(): value.strip() for name, value in pairs}, text[found.end() :]


def is_current(source: str, translation: str) -> bool:
    """Whether a translation names the digest of the source text as it is now."""
    return front_matter(translation)[0].get("source_digest") == digest(source)


def disparities(source: str, translation: str) -> Iterator[str]:
    """In what a translation is not shaped like its source, as whole sentences."""
    ours, theirs = _shape(source), _shape(translation)
    for what in ours:
        if what in {"identifiers", "links"}:
            missing = sorted(set(ours[what]) - set(theirs[what]))
            extra = sorted(set(theirs[what]) - set(ours[what]))
            if missing or extra:
                yield f"The {what} differ: missing {missing or 'none'}, extra {extra or 'none'}."
        elif ours[what] != theirs[what]:
            yield f"The {what} differ: {len(ours[what])} there, {len(theirs[what])} here."


def _shape(text: str) -> dict[str, list[str]]:
    body = front_matter(text)[1]
    blocks = _FENCE.findall(body)
    running = _FENCE.sub("", body)
    return {
        "levels of headings": _HEADING.findall(running),
        "code blocks": blocks,
        "identifiers": _IDENTIFIER.findall(running),
        "links": _LINK.findall(running),
    }
