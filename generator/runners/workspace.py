"""Where a program is let loose: a fresh folder under git, and an environment with nothing else.

Home and temporary files lie beside the work tree and go with it. Of the environment of `results`
a program sees the search path, and what the operator names.
"""

import contextlib
import json
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.errors import UsageError
from generator.records.experiment import ROOT, File
from generator.runners import process
from generator.runners.command import STEADY, resolved

ARM_CONFIG = "ARM_CONFIG"
"""Names the file that tells a command its features and its tool profile."""

_SECONDS = 60.0
_SAID = 16 * 1024
_GIT = {
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
}
_AUTHOR = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (
        ("NAME", "assay"),
        ("EMAIL", "assay@localhost"),
        ("DATE", "2000-01-01T00:00:00Z"),
    )
}
_STEPS: tuple[tuple[str, ...], ...] = (
    ("init", "--quiet", "--initial-branch=main"),
    ("add", "--all", "--force"),
    ("commit", "--quiet", "--allow-empty", "--no-verify", "--message=The workspace at the start"),
)
_AS_THEY_ARE = ("-c", "core.autocrlf=false", "-c", "core.safecrlf=false", "-c", "gc.auto=0")


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder that is gone when its time is over."""

    tree: Path
    """The work tree: what a program works in, and what an oracle looks at."""

    environment: Mapping[str, str]
    """What a program sees there."""


@contextlib.asynccontextmanager
async def workspace(
    files: Sequence[File], shown: Mapping[str, str], config: Mapping[str, Any]
) -> AsyncIterator[Workspace]:
    """A work tree with these files, committed; raises UsageError where it can't be made.

    `shown` are the variables that a program may see, `config` is what the file says that
    ARM_CONFIG names.
    """
    with tempfile.TemporaryDirectory(prefix="assay-", ignore_cleanup_errors=True) as name:
        root = _real(name)
        tree, told = root / "work", root / "arm.json"
        environment = {
            **STEADY,
            **_GIT,
            "HOME": str(root / "home"),
            "TMPDIR": str(root / "tmp"),
            **shown,
            ARM_CONFIG: str(told),
        }
        try:
            texts = {f"{tree.name}/{file.path}": file.content for file in files}
            _lay(root, {**texts, told.name: json.dumps(config, sort_keys=True)})
            await _commit(tree, environment)
        except OSError as fault:
            raise UsageError(
                f"A workspace can't be made in {root.parent}: {fault.strerror or fault}.",
                "Make room there, or name another folder in TMPDIR.",
            ) from fault
        try:
            yield Workspace(tree, environment)
        finally:
            process.end_marked(f"{ARM_CONFIG}={told}")


def located(command: Sequence[str], root: Path) -> Iterator[str]:
    """The arguments with this Python for `python`, and with paths for what names a file."""
    for argument in resolved(command):
        inside = argument.removeprefix(ROOT)
        yield argument if inside == argument else str(root / inside)


def visible(environment: Mapping[str, str], named: Sequence[str]) -> dict[str, str]:
    """What a program may see of an environment; raises UsageError for a name that is not there."""
    missing = [name for name in named if name not in environment]
    if missing:
        raise UsageError(
            f"{missing[0]} is not set in this environment.", "Set it, or leave out its --env."
        )
    kept = ("PATH", *named) if "PATH" in environment else named
    return {name: environment[name] for name in kept}


def _real(name: str) -> Path:
    """A folder by the name that programs say which ask where they are."""
    return Path(name).resolve()


def _lay(root: Path, texts: Mapping[str, str]) -> None:
    for folder in ("work", "home", "tmp"):
        (root / folder).mkdir(exist_ok=True)
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


async def _commit(tree: Path, environment: Mapping[str, str]) -> None:
    for step in _STEPS:
        command = ("git", *_AS_THEY_ARE, *step)
        try:
            ended = await process.run(
                command, tree, {**environment, **_AUTHOR}, b"", _SECONDS, _SAID
            )
        except FileNotFoundError as fault:
            raise UsageError(
                "git is not there, and each workspace is put under it.",
                "Install git, or let PATH name the folder that has it.",
            ) from fault
        if ended.status:
            said = ended.err.decode(errors="replace").strip()
            raise OSError(f"git {step[0]} ended with {ended.status}: {said}")
