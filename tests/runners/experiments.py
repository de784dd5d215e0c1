"""A sound experiment for tests: write `done` into a file; parts of it are spoilt one by one."""

import json
from typing import Any

from generator.records.experiment import Experiment

DONE = (
    "import pathlib, sys; "
    "sys.exit(0 if pathlib.Path(sys.argv[1], 'state').read_text() == 'done' else 1)"
)
"""The source of an oracle."""

WRITES = "import pathlib; pathlib.Path('state').write_text('done')"
"""The source of a command that does the task."""


def python(source: str) -> list[str]:
    """A command that runs this source."""
    return ["python", "-I", "-c", source]


def task(name: str = "write", **spoilt: Any) -> dict[str, Any]:  # noqa: ANN401  any JSON
    """A task as a manifest has it."""
    sound = {
        "id": name,
        "prompt": "Write it.",
        "files": [{"path": "state", "content": "not yet"}],
        "oracleCommand": python(DONE),
    }
    return {**sound, **spoilt}


def manifest(**spoilt: Any) -> dict[str, Any]:  # noqa: ANN401  any JSON
    """A manifest; what is None is left out."""
    sound = {
        "model": "none/none",
        "runtimeRevision": "example",
        "command": python(WRITES),
        "repetitions": 2,
        "timeoutMs": 20_000,
        "arms": [{"name": "baseline"}, {"name": "candidate"}],
        "tasks": [task()],
    }
    return {name: value for name, value in {**sound, **spoilt}.items() if value is not None}


def experiment(**spoilt: Any) -> Experiment:  # noqa: ANN401  any JSON
    """The same, read."""
    return Experiment.parse(json.dumps(manifest(**spoilt)))
