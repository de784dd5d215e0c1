"""The pinned packages: what was measured is what this list says, or nothing is measured."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

REQUIREMENTS = Path(__file__).with_name("requirements.txt")

_PIN = re.compile(r"^(?P<name>[a-z0-9-]+)==(?P<version>\S+)$")


def read_pins(path: Path = REQUIREMENTS) -> dict[str, str]:
    """Name and version of every package of the list."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return dict(_pin(line) for line in lines if line and not line.startswith("#"))


def _pin(line: str) -> tuple[str, str]:
    found = _PIN.match(line)
    if found is None:
        message = f"requirements.txt: {line!r} is no exact pin such as regex==2026.11.19"
        raise ValueError(message)
    return found["name"], found["version"]


def installed(name: str) -> str | None:
    """The version of a package that is installed here, or None."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def unmet(
    pins: Mapping[str, str], look: Callable[[str], str | None] = installed
) -> tuple[str, ...]:
    """What is missing or stands in another version, one sentence each."""
    found = {name: look(name) for name in pins}
    return tuple(
        f"{name} {found[name]} is installed, and {pin} is pinned."
        if found[name]
        else f"{name} {pin} is not installed."
        for name, pin in pins.items()
        if found[name] != pin
    )
