"""Keeping keys, tokens and the names of people out of everything that a run writes or says."""

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path

_NAMED = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)S?$", re.IGNORECASE)
_SHORTEST = 8
"""Shorter values are no secrets that could be told from other text."""

GONE = "[redacted]"
HOME = "~"


def without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """An environment without the variables whose names say that they hold a secret."""
    return {name: value for name, value in environment.items() if not _NAMED.search(name)}


class Scrub:
    """Takes the secrets of this environment, and the home folder, out of texts and lines."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        secrets = {
            value
            for name, value in environment.items()
            if _NAMED.search(name) and len(value) >= _SHORTEST
        }
        replaced = dict.fromkeys(sorted(secrets, key=len, reverse=True), GONE)
        home = str(Path(environment.get("HOME", "/")))
        if home != "/":
            replaced[home + os.sep] = HOME + os.sep
        self._texts = replaced
        self._lines = {
            form.encode(): to.encode()
            for text, to in replaced.items()
            for form in dict.fromkeys(
                (
                    text,
                    json.dumps(text, ensure_ascii=False)[1:-1],
                    json.dumps(text)[1:-1],
                    text.replace("/", "\\/"),
                )
            )
        }

    def text(self, text: str) -> str:
        """The text without them."""
        for secret, to in self._texts.items():
            text = text.replace(secret, to)
        return text

    def line(self, line: bytes) -> bytes:
        """A line of JSON without them, in whatever way they are written in it."""
        for secret, to in self._lines.items():
            if secret in line:
                line = line.replace(secret, to)
        return line
