"""The pinned packages: what was measured is what requirements.txt says, or nothing is measured."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

REQUIREMENTS = Path(__file__).with_name("requirements.txt")

_PIN = re.compile(r"(?P<name>[a-z0-9-]+)==(?P<version>\S+)")


def pinned(path: Path = REQUIREMENTS) -> dict[str, str]:
    """Name and version of every package of the list; raises ValueError for what is no exact pin."""
    pins = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        found = _PIN.fullmatch(line)
        if found is None:
            message = f"requirements.txt: {line!r} is no exact pin such as json5==0.17.3"
            raise ValueError(message)
        pins[found["name"]] = found["version"]
    return pins


def installed(name: str) -> str | None:
    """The version of a package that is installed here, or None."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def unmet(pins: Mapping[str, str], here: Mapping[str, str | None]) -> tuple[str, ...]:
    """What is missing or stands in another version, one sentence each."""
    return tuple(
        f"{name} {here[name]} is installed, and {pin} is pinned."
        if here[name]
        else f"{name} {pin} is not installed."
        for name, pin in pins.items()
        if here[name] != pin
    )
