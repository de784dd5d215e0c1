"""The digests that say which corpus and which contracts a figure was made with."""

import hashlib
from collections.abc import Mapping
from typing import Any

from generator.records.base import digest_of_json


def corpus_digest(files: Mapping[str, bytes]) -> str:
    """The sha256 over all files of a corpus, answer keys included.

    `files` maps the POSIX path relative to `cases/` to the content. In byte order of the paths,
    each file gives: path in UTF-8, NUL, length in decimal, NUL, content.
    """
    digest = hashlib.sha256()
    for path, content in sorted((path.encode(), content) for path, content in files.items()):
        digest.update(path + b"\0" + str(len(content)).encode() + b"\0" + content)
    return digest.hexdigest()


def contracts_digest(family: str, family_version: int, scoring: Mapping[str, Any]) -> str:
    """The sha256 of what the scorer promises: family, its version, the `[scoring]` table."""
    return digest_of_json(
        {"family": family, "family_version": family_version, "scoring": dict(scoring)}
    )
