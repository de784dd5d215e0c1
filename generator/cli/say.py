"""How commands speak: results on standard output, progress and faults on standard error."""

import json
import shutil
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generator.errors import AssayError

_PER_SECOND = 10


def plain(text: str) -> str:
    """Text from outside without escape sequences or control characters, line ends kept."""
    return "".join(
        char if char == "\n" or (char.isprintable() and char != "\x7f") else " " for char in text
    )


def out(text: str) -> None:
    """A line of the result."""
    print(plain(text))


def note(text: str) -> None:
    """A line that is no part of the result."""
    print(plain(text), file=sys.stderr)


def counted(number: int, thing: str) -> str:
    """A number of things in English: 1 page, 2 pages."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def program() -> str:
    """How this command is called from where the reader is: by name, or by its path in a venv."""
    own = Path(sys.executable).with_name("results")
    return "results" if shutil.which("results") or not own.exists() else _from_here(own)


def interpreter() -> str:
    """How the Python that has this package is called from where the reader is."""
    own = Path(sys.executable)
    found = shutil.which("python")
    return "python" if found and Path(found).parent == own.parent else _from_here(own)


def _from_here(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def as_json(value: Mapping[str, Any]) -> None:
    """The result for a program: sorted keys, ASCII, one document."""
    print(json.dumps(value, indent=2, sort_keys=True))


def fault(error: AssayError) -> int:
    """Say what happened and what to do, and give the exit code."""
    note(f"error: {error.what}\n    {error.remedy}")
    return error.code


class Progress:
    """One line on a terminal that tells how far a command is; nothing in a pipe."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        self._next = 0.0

    def __call__(self, what: str, done: int, total: int, more: str = "") -> None:
        """Tell that `done` of `total` is done, and more besides; all on one line."""
        if not self._shown:
            return
        now = time.monotonic()
        if now >= self._next or done == total:
            self._next = now + 1 / _PER_SECOND
            room = shutil.get_terminal_size().columns - 1
            sys.stderr.write(f"\r\x1b[K{plain(f'{what} {done}/{total}{more}')[:room]}")
            sys.stderr.flush()

    def end(self) -> None:
        """Take the line away."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
