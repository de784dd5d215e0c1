"""Prose written by hand: front matter, digests, and whether translations have its shape."""

import hashlib

import pytest

from generator.pages.prose import digest, disparities, front_matter, is_current

SOURCE = """\
---
title: A title: with a colon
scope: What it is about
---

# A guide

Run `results build`, then see [the rules](rules.md) and [git](https://git-scm.com/).

```sh
# no heading of the page
results build  # `not an identifier`
```

## More

The field `site_url` and the field `site_name`.
"""


def test_front_matter_is_told_from_the_text() -> None:
    """The lines between the first two rules are names and values; the text begins after them."""
    found, text = front_matter(SOURCE)
    assert found == {"title": "A title: with a colon", "scope": "What it is about"}
    assert text.startswith("\n# A guide\n")


@pytest.mark.parametrize(
    "text", ["", "# A guide\n", "text\n---\na: b\n---\n", "---\na: b\n", "--- \na: b\n---\n"]
)
def test_without_front_matter_all_of_it_is_text(text: str) -> None:
    """What does not begin with a rule and close it has no front matter."""
    assert front_matter(text) == ({}, text)


def test_a_line_without_a_colon_says_nothing() -> None:
    """Only lines of a name and a value are read; a rule further down belongs to the text."""
    assert front_matter("---\nodd\na: b\n---\ntext\n---\n") == ({"a": "b"}, "text\n---\n")


def test_a_digest_is_the_first_sixteen_digits() -> None:
    """A translation names the first 16 hex digits of the sha256 of the whole source text."""
    assert digest(SOURCE) == hashlib.sha256(SOURCE.encode()).hexdigest()[:16]
    assert len(digest("")) == 16


def test_a_translation_is_current_while_it_names_the_source() -> None:
    """A change of a single character of the source leaves its translations behind."""
    translation = f"---\nsource_digest: {digest(SOURCE)}\n---\n\n# Una guía\n"
    assert is_current(SOURCE, translation)
    assert not is_current(SOURCE + " ", translation)
    assert not is_current(SOURCE, "# Una guía\n")
    assert not is_current(SOURCE, f"source_digest: {digest(SOURCE)}\n")


def test_the_words_may_differ() -> None:
    """A translation in other words and of the same shape has no disparity."""
    translation = SOURCE.replace("# A guide", "# Una guía").replace("see", "véase")
    assert list(disparities(SOURCE, translation.replace("title: A", "title: B"))) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("## More", "### More", "The levels of headings differ: 2 there, 2 here."),
        ("## More\n", "", "The levels of headings differ: 2 there, 1 here."),
        ("## More", "## More\n\n## Yet more", "The levels of headings differ: 2 there, 3 here."),
        ("results build  #", "results  build  #", "The code blocks differ: 1 there, 1 here."),
        ("## More", "```\nx\n```\n\n## More", "The code blocks differ: 1 there, 2 here."),
        (
            "`site_url`",
            "`url_del_sitio`",
            "The identifiers differ: missing ['site_url'], extra ['url_del_sitio'].",
        ),
        ("`site_url`", "site", "The identifiers differ: missing ['site_url'], extra none."),
        (
            "field `site_url`",
            "`x` `site_url`",
            "The identifiers differ: missing none, extra ['x'].",
        ),
        (
            "(rules.md)",
            "(reglas.md)",
            "The links differ: missing ['rules.md'], extra ['reglas.md'].",
        ),
        (
            "[git](https://git-scm.com/)",
            "git",
            "The links differ: missing ['https://git-scm.com/'], extra none.",
        ),
    ],
)
def test_one_difference_of_shape_is_one_disparity(old: str, new: str, said: str) -> None:
    """Headings, blocks of code, identifiers and links are compared, and each is named."""
    assert old in SOURCE
    assert list(disparities(SOURCE, SOURCE.replace(old, new))) == [said]


def test_everything_that_differs_is_listed() -> None:
    """An empty translation lacks it all, and is told so at once."""
    assert len(list(disparities(SOURCE, ""))) == 4
