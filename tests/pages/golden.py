"""The golden pages: a tiny site as it is drawn in each locale, kept to be looked at in a review.

A change of a page shows as a change of its golden page. To draw them anew, from the root of the
repository, for all locales or some, then look at what changed before it is committed:

    python -m tests.pages.golden [LOCALE ...]

A locale whose catalogue lacks a message is refused, since its pages would be half English.
"""

import sys
from dataclasses import replace
from pathlib import Path

from generator.pages.render import draw
from generator.pages.words import Words, words_of
from tests.pages.pair import SHOWN as SHOWN_OF_PAIR
from tests.pages.pair import pair
from tests.pages.reading import REPOSITORY
from tests.pages.sample import TRANSLATED, tiny
from tests.pages.shop import SHOWN, shop

GOLDEN = Path(__file__).with_name("golden")
LOCALES = ("en", "es", "it")
LEFT_OUT = (
    *("checks", "completion-tokens", "crashed", "timed-out", "tokens-per-second"),
    *("unanswered", "wrong"),
)
"""Pages of metrics that differ from the others in their sentences only."""


def words(locale: str) -> Words:
    """The words of a locale from the repository's catalogues, and the sample's own messages."""
    found = words_of(locale, [REPOSITORY / "locales"])
    if found.said is None:
        return found
    own = {message: (said,) for message, said in TRANSLATED[locale].items()}
    return replace(found, said={**found.said, **own})


def drawn(locale: str) -> tuple[dict[str, str], set[str]]:
    """The pages of a locale by path below the golden folder, and the messages that they lack."""
    said = words(locale)
    pages = {path: text for path, text in draw(tiny(), [said]) if Path(path).stem not in LEFT_OUT}
    for site, shown in ((shop(), SHOWN), (pair(), SHOWN_OF_PAIR)):
        found = draw(site, [said])
        pages |= {path: text for path, text in found if path.partition("/")[2].startswith(shown)}
    return pages, said.missing


def kept(locale: str) -> dict[str, str]:
    """The golden pages of a locale as they lie on disk."""
    return {
        path.relative_to(GOLDEN).as_posix(): path.read_bytes().decode()
        for path in sorted((GOLDEN / locale).rglob("*.md"))
    }


def refresh(locale: str) -> list[str]:
    """Write the pages of a locale as they are drawn now; what changed, by path."""
    pages, before = drawn(locale)[0], kept(locale)
    changed = [path for path in {**before, **pages} if before.get(path) != pages.get(path)]
    for path in changed:
        place = GOLDEN / path
        if path in pages:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(pages[path].encode())
        else:
            place.unlink()
    return changed


def main(locales: list[str]) -> int:
    """Draw the golden pages anew and say which changed."""
    refused = 0
    for locale in locales or LOCALES:
        missing = drawn(locale)[1]
        if missing:
            refused = 1
            sys.stderr.write(f"{locale} is left as it was: it lacks {sorted(missing)}\n")
            continue
        for path in refresh(locale):
            sys.stdout.write(f"changed {path}\n")
    return refused


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
