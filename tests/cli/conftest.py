"""How tests speak to commands: by words, as their entry point does, in a project of a test."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from generator.cli.app import run
from tests.conftest import Kit


@dataclass(frozen=True, slots=True)
class Said:
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401  any JSON value
        """Standard output as a program reads it."""
        return json.loads(self.out)


@pytest.fixture
def results(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Said]:
    """Run a command in a project, as its entry point does."""

    def call(kit: Kit, *words: str | Path) -> Said:
        monkeypatch.chdir(kit.root)
        capsys.readouterr()
        code = run(["--project", str(kit.root), *map(str, words)])
        return Said(code, *capsys.readouterr())

    return call
