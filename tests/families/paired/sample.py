"""A small sound experiment, as files and as attempts at it: to be spoilt."""

import json
from collections.abc import Mapping
from typing import Any

from generator.families.paired.corpus import PairedCorpus, read_corpus
from generator.families.paired.family import Paired
from generator.records.benchmark import Benchmark
from generator.records.bundle import Attempt, Outcome, Tokens, Usage, Verification

FAMILY = Paired()

TOML = """\
format = "assay.benchmark/1"
id = "tidying"
family = "paired"
version = "1"
title = "Tidying up"
summary = "Whether a program tidies up."
licence = "CC0-1.0"
not_applicable = ["subject", "surface", "tools"]
shown = ["verified", "latency", "unverified", "failed"]
run = "results run tidying"

[[systems]]
id = "broom"
command = ["python", "-m", "broom", "."]
provider = "pypi"
revision = "1.0"
"""

BENCHMARK = Benchmark.from_toml(TOML.encode())

MANIFEST: dict[str, Any] = {
    "model": "none/none",
    "runtimeRevision": "an example",
    "repetitions": 2,
    "timeoutMs": 20_000,
    "arms": [
        {"name": "broom"},
        {"name": "mop", "command": ["mop", "{prompt}"], "features": {"wet": True}},
    ],
    "tasks": [
        {
            "id": "hall",
            "prompt": "Sweep the hall.",
            "files": [{"path": "hall.txt", "content": "dust\n"}],
            "oracleCommand": ["python", "-c", "import sys; sys.exit(1)"],
        }
    ],
}
ORACLE = '''\
"""Nothing is left of it."""

import sys
from pathlib import Path

sys.exit("crumbs" in Path(sys.argv[1], "table.txt").read_text())
'''
FILES: Mapping[str, bytes] = {
    "attic/task.json": b'{"prompt": "Clear the attic.", "oracleCommand": ["is-clear", "attic"]}',
    "kitchen/files/deep/down/in.txt": "\ufeffcrème\r\n".encode(),
    "kitchen/files/table.txt": b"crumbs\n",
    "kitchen/oracle.py": ORACLE.encode(),
    "kitchen/task.json": b'{"prompt": "Wipe the table."}',
    "stairs/files/steps.txt": b"dust\n",
    "stairs/oracle.js": b"process.exit(1)\n",
    "stairs/task.json": b'{"prompt": "Sweep the stairs."}',
}
CASES = ("attic", "hall", "kitchen", "stairs")


def manifest(**changed: object) -> dict[str, Any]:
    """The manifest with some of its fields changed; one that is None is left out."""
    return {name: value for name, value in {**MANIFEST, **changed}.items() if value is not None}


def files(changed: Mapping[str, bytes | None] | None = None, **fields: object) -> dict[str, bytes]:
    """All files, some of them changed or left out, with some fields of the manifest changed."""
    every = {"experiment.json": json.dumps(manifest(**fields)).encode(), **FILES, **(changed or {})}
    return {path: content for path, content in every.items() if content is not None}


def corpus(changed: Mapping[str, bytes | None] | None = None, **fields: object) -> PairedCorpus:
    """The corpus of such files."""
    return read_corpus(files(changed, **fields), BENCHMARK)


def one_task(repetitions: int = 50) -> PairedCorpus:
    """The corpus of one task alone."""
    alone: dict[str, bytes | None] = dict.fromkeys(FILES)
    return corpus(alone, repetitions=repetitions)


CORPUS = corpus()


def attempt(  # noqa: PLR0913  each of them is a fact of its own
    case: str = "hall",
    repetition: int = 1,
    outcome: Outcome = "completed",
    *,
    status: int | None = 0,
    elapsed: int | None = 10_000,
    oracle: int | None = 2_000,
    usage: Usage | None = None,
) -> Attempt:
    """An attempt after which the oracle was asked, if it completed; times in microseconds."""
    return Attempt(
        id=f"broom/{case}/{repetition}",
        case=case,
        system="broom",
        repetition=repetition,
        outcome=outcome,
        reason=None if outcome == "completed" else f"It ended as {outcome}.",
        elapsed_us=elapsed,
        verification=Verification(status, oracle) if outcome == "completed" else None,
        usage=usage,
    )


def observed(**told: int) -> Usage:
    """What events told that came whole."""
    tokens = {name: told.pop(name) for name in ("input", "output", "reasoning") if name in told}
    return Usage("observed", Tokens(**tokens) if tokens else None, **told)
