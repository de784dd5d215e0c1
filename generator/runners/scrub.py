"""Keeping keys, tokens and the names of people out of everything that a run writes or says.

A secret of this environment is the value of a variable whose name says that it holds one, a value
of the shape that keys have, or the password in an address. What a system says by itself is left as
it is: only what could have come from here is taken out.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from generator.provenance.secrets import found
from generator.records.bundle import Attempt, Manifest, Runtime, Tokens, ToolCall, Tree, Try, Turn

GONE = "[redacted]"
HOME = "~"

_NAMED = re.compile(
    r"(?:(?:^|_)(?:KEY|PASS|PAT|BEARER|COOKIE)|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|TOKEN|SECRET"
    r"|PASSW(?:OR)?D|PASSPHRASE|CREDENTIAL|_PWD)S?(?:_|[0-9]|$)",
    re.IGNORECASE,
)
_IN_URL = re.compile(r"://[^/@\s:]*:([^/@\s]+)@")
_PLAIN = re.compile(r"[A-Za-z0-9_.~-]+")
_ANY, _SOME = "{0,15}", "{1,16}"
"""As many backslashes as four levels of JSON make of none and of one: more would take time."""

_SHORTEST = 8
"""Shorter values are no secrets that could be told from other text."""

_OURS = frozenset({"id", "case", "system", "run", "repetition", "outcome"})
"""What this program itself says of an attempt, and by which it is found again."""

_NAMES = frozenset(
    [
        *(
            name
            for kind in (Attempt, Turn, ToolCall, Tokens, Try)
            for name in kind.__struct_fields__
        ),
        *(name for record in (Runtime, Tree) for name in record.model_fields),
    ]
)
"""Names of fields: what is called so is not said by anybody."""

_TOLD = ("filter", "tree_at_start", "tree_at_end")
_TOLD_OF_SYSTEMS = ("provider", "model", "revision", "runtime", "surface", "options")
"""Fields of the manifest that hold what somebody else said."""


def without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """An environment without the variables that hold a secret."""
    return {name: value for name, value in environment.items() if not any(_secrets_in(name, value))}


class _Part:
    """Something to be taken out, however often it was escaped as JSON, or put into an address."""

    def __init__(self, text: str, instead: str, end: str = "") -> None:
        self.text = text
        self.instead = instead
        self.sign = max(_PLAIN.findall(text), key=len, default="")
        """What of it is written in the same way everywhere: where it is not, nothing is."""

        forms = ["".join(map(_escaped, text)), re.escape(quote(text, safe="", errors="replace"))]
        self.pattern = re.compile(f"(?:{'|'.join(forms)}){end}")


def _escaped(char: str) -> str:
    """A pattern of a character as it stands, and behind any number of backslashes."""
    if char == "\\":
        return rf"\\{_SOME}"
    if char.isascii() and char.isprintable():
        return rf"\\{_ANY}{re.escape(char)}" if char in '"/' else re.escape(char)
    code = json.dumps(char)[1:-1].lstrip("\\")  # \n, \u00e8, or a pair of these
    again = re.escape(code).replace(re.escape("\\"), rf"\\{_SOME}")
    return rf"(?:{re.escape(char)}|\\{_SOME}{again})"


class Scrub:
    """Takes the secrets of an environment, and its home folder, out of texts, lines and records."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        secrets = {
            secret.strip()
            for name, value in environment.items()
            for secret in _secrets_in(name, value)
            if len(secret.strip()) >= _SHORTEST
        }
        parts = [_Part(secret, GONE) for secret in secrets]
        parts += [
            _Part(home, HOME, end=r"(?![\w-]|\.\w)") for home in _homes(environment) - secrets
        ]
        # The longest first: a secret may begin as another does.
        self._parts = sorted(parts, key=lambda part: (-len(part.text), part.text))

    def text(self, text: str) -> str:
        """The text without them."""
        for part in self._parts:
            if part.sign in text:
                text = part.pattern.sub(part.instead, text)
        return text

    def line(self, line: bytes) -> bytes:
        """The line of an attempt without them, but for what we say ourselves."""
        text = line.decode()
        if not any(part.sign in text for part in self._parts):
            return line
        said = json.loads(text)
        kept = {name: said[name] for name in _OURS & said.keys()}
        scrubbed = {**self.value(said), **kept}
        if scrubbed == said:
            return line
        return json.dumps(scrubbed, ensure_ascii=False, separators=(",", ":")).encode()

    def value(self, value: Any) -> Any:  # noqa: ANN401  any JSON value
        """A JSON value, every text without them."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {
                name if name in _NAMES else self.text(name): self.value(inner)
                for name, inner in value.items()
            }
        return [self.value(inner) for inner in value] if isinstance(value, list) else value

    def manifest(self, manifest: Manifest) -> Manifest:
        """A manifest without them."""
        plain: dict[str, Any] = manifest.plain()
        systems = [{**one, **self._some(one, _TOLD_OF_SYSTEMS)} for one in plain["systems"]]
        said = {**plain, **self._some(plain, _TOLD), "systems": systems}
        return Manifest.parse(json.dumps(said))

    def _some(self, plain: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
        return {name: self.value(plain[name]) for name in names if name in plain}


def _secrets_in(name: str, value: str) -> Iterator[str]:
    """What of a variable is a secret: all of it, or the password in it."""
    shaped = any(kind != "home path" for kind in found(value.encode(errors="replace")))
    if shaped or (_NAMED.search(name) and not value.isdecimal()):
        yield value
    yield from _IN_URL.findall(value)


def _homes(environment: Mapping[str, str]) -> set[str]:
    """The home folder, as it is named and as it lies on the disk."""
    named = environment.get("HOME", "")
    folders = {named, os.path.realpath(named)} if named else set()
    return {
        folder.rstrip(os.sep)
        for folder in folders
        if Path(folder).is_absolute() and len(Path(folder).parts) > 1
    }
