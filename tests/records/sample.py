"""Sound records, for tests to spoil one thing of."""

from typing import Any

from generator.records.base import canonical_json
from generator.records.bundle import Manifest
from generator.records.key import Key, row_id
from generator.records.row import Row, Withdrawal

COMMIT = "1" * 40
CORPUS = "c" * 64
CONTRACTS = "d" * 64
EVIDENCE = "e" * 64

BENCHMARK = """\
format = "assay.benchmark/1"
id = "greetings"
family = "declarative"
version = "1"
title = "Greetings"
summary = "Whether a system greets back."
licence = "CC0-1.0"
not_applicable = ["subject", "tools"]
shown = ["passed", "passed.polite"]
run = "python results/benchmarks/greetings/harness/run.py"

[[categories]]
id = "polite"
title = "Polite greetings"

[[categories]]
id = "curt"
title = "Curt greetings"

[scoring.limits]
seconds_per_attempt = 10
"""


def plain_manifest(**spoilt: Any) -> dict[str, Any]:  # noqa: ANN401  any JSON value
    """The JSON object of a sound `run.json`, with some fields spoilt."""
    return {
        "format": "assay.bundle/1",
        "run": "2026-03-18-greetings",
        "benchmark": {"id": "greetings", "version": "1"},
        "started": "2026-03-18T10:00:00Z",
        "finished": "2026-03-18T10:05:00.25Z",
        "status": "complete",
        "repetitions": 1,
        "corpus": {"commit": COMMIT, "digest": CORPUS, "contracts": CONTRACTS},
        "tree_at_start": {"clean": "yes", "untracked": 2},
        "tree_at_end": {"clean": "yes", "untracked": 2},
        "systems": [{"id": "first", "provider": "pypi", "model": "not-a-real-parser"}],
        "harness": {"name": "greeter", "version": "1.0.0", "contract": 1},
        **spoilt,
    }


def manifest(**spoilt: Any) -> Manifest:  # noqa: ANN401  any JSON value
    """A manifest as it is read from a file."""
    return Manifest.parse(canonical_json(plain_manifest(**spoilt)))


def key(**spoilt: Any) -> Key:  # noqa: ANN401  any JSON value
    """The key of a row, with some fields spoilt."""
    plain = {
        "benchmark": "greetings",
        "benchmark_version": "1",
        "provider": "pypi",
        "model": "not-a-real-parser",
        "revision": "1.0",
        "configuration": {"surface": "greet", "options": {"polite": True}},
        "corpus": CORPUS,
        "contracts": CONTRACTS,
        "harness": "greeter",
        "harness_contract": 1,
        "repetitions": 1,
    }
    return Key.parse(canonical_json(plain | spoilt))


def plain_row(
    key_of_row: Key | None = None,
    evidence: str = EVIDENCE,
    **spoilt: Any,  # noqa: ANN401  any JSON value
) -> dict[str, Any]:
    """The JSON object of a sound row, with some fields spoilt."""
    own = key_of_row or key()
    ratio = {"metric": "passed", "kind": "ratio", "numerator": 1, "denominator": 2}
    return {
        "format": "assay.row/1",
        "id": row_id(own, evidence),
        "key": own.plain(),
        "family": "declarative",
        "standing": "recomputed",
        "run": {
            "id": "2026-03-18-greetings",
            "started": "2026-03-18T10:00:00Z",
            "finished": "2026-03-18T10:05:00Z",
            "system": "first",
            "harness_version": "1.0.0",
            "commit": COMMIT,
            "tree_at_start": {"clean": "yes"},
            "tree_at_end": {"clean": "yes"},
        },
        "counts": {"attempts": 2, "scored": 2, "turns": 2, "tokens": {"output": 7}},
        "measures": [
            ratio,
            {
                "metric": "checks",
                "part": "polite",
                "kind": "weighted_ratio",
                "numerator": "0.3",
                "denominator": "1.5",
            },
            {
                "metric": "category_score",
                "part": "polite",
                "kind": "mean",
                "n": 2,
                "mean": "0.50",
                "spread": "0.7071",
                "low": "0.0000",
                "high": "1.0000",
            },
            {"metric": "latency", "kind": "quantile", "n": 2, "q": "0.95", "unit": "ms"},
            {"metric": "faults", "kind": "count", "value": 0},
            {"metric": "tier", "kind": "label", "value": "small"},
        ],
        "contributions": [{"case": "polite-morning", "part": "polite", "measures": [ratio]}],
        "evidence": {"digest": evidence, "lines": 2},
        **spoilt,
    }


def row(
    key_of_row: Key | None = None,
    evidence: str = EVIDENCE,
    **spoilt: Any,  # noqa: ANN401  any JSON value
) -> Row:
    """A row as it is read from a file."""
    return Row.parse(canonical_json(plain_row(key_of_row, evidence, **spoilt)))


def withdrawal(row_of: Row) -> Withdrawal:
    """The withdrawal of a row."""
    return Withdrawal(
        format="assay.withdrawal/1",
        row=row_of.id,
        withdrawn="2026-04-01T00:00:00Z",
        by="Nobody In Particular",
        why="The harness read the answer key.",
    )
