"""A tiny site of a paired experiment: two arms, of which the candidate is faster and errs more."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from generator.pages.views.shapes import Published, Site
from generator.records.base import canonical_json
from generator.records.bundle import Attempt, Outcome, Usage
from generator.records.comparison import Comparison, audit, comparison_id
from generator.records.digests import contracts_digest, corpus_digest
from generator.records.key import Key, row_id
from generator.records.row import Row
from generator.store.lines import write_attempt
from tests.families.paired.sample import BENCHMARK, CORPUS, FAMILY, attempt, files, observed
from tests.pages.sample import Recorded, plain_key, site

HERE = Published(
    benchmark=BENCHMARK,
    family=FAMILY,
    corpus=CORPUS,
    digest=corpus_digest(files()),
    contracts=contracts_digest("paired", 1, {}),
    prose={},
)
SHOWN = ("benchmarks/tidying.md", "results/tidying/mop-")
"""Pages of it that are kept to be looked at: the benchmark's, and that of the candidate."""

FEATURES: Mapping[str, dict[str, Any]] = {"mop": {"features": {"wet": True}}}
"""Further options by arm."""

RUN = "2026-03-18-tidying"
Tried = tuple[str, int, Outcome, int | None, int | None, Usage | None]

BASELINE: Sequence[Tried] = (
    ("attic", 1, "completed", 0, 610_500, observed(input=900, output=40, tool_calls=3)),
    ("attic", 2, "completed", 0, 590_000, observed(input=880, output=44, tool_calls=2)),
    ("hall", 1, "completed", 0, 20_100, Usage("partial")),
    ("hall", 2, "completed", 0, 18_000, Usage("unavailable")),
    ("kitchen", 1, "completed", 1, 33_000, None),
    ("kitchen", 2, "timeout", None, 20_000_000, Usage("partial")),
    ("stairs", 1, "completed", 0, 41_000, None),
    ("stairs", 2, "provider_error", None, None, None),
)
CANDIDATE: Sequence[Tried] = (
    ("attic", 1, "completed", 0, 300_000, observed(input=700, output=90, tool_calls=4)),
    ("attic", 2, "failed", None, 120_000, observed(input=600, output=10, tool_errors=1)),
    ("hall", 1, "completed", 0, 9_000, None),
    ("hall", 2, "completed", None, 9_500, None),
    ("kitchen", 1, "completed", 0, 15_000, None),
    ("kitchen", 2, "cancelled", None, 4_000, None),
    ("stairs", 1, "completed", -9, 50_000, None),
    ("stairs", 2, "completed", 0, 30_000, None),
)


def key(arm: str, **changed: Any) -> Key:  # noqa: ANN401  any JSON value
    """The key of an arm's row."""
    options = {"command": [arm, "."], "timeoutMs": 20_000, **FEATURES.get(arm, {})}
    own: dict[str, Any] = {
        "benchmark": "tidying",
        "configuration": {"options": options, "arm": arm, "axes": {"cohort": "0123456789abcdef"}},
        "corpus": HERE.digest,
        "contracts": HERE.contracts,
        "repetitions": 2,
        "runtime": None,
    }
    plain = {**plain_key(arm), **own, **changed}
    return Key.parse(canonical_json({k: v for k, v in plain.items() if v is not None}))


def attempts(arm: str, tried: Sequence[Tried]) -> tuple[Attempt, ...]:
    """What became of the attempts of an arm."""
    found = []
    for case, repetition, outcome, status, elapsed, usage in tried:
        made = attempt(case, repetition, outcome, status=status, elapsed=elapsed, usage=usage)
        found.append(replace(made, id=f"{arm}/{case}/{repetition}", system=arm))
    return tuple(found)


def recorded(of: Key, made: Sequence[Attempt], run: str = RUN) -> Recorded:
    """The row of an arm."""
    evidence = hashlib.sha256(b"".join(write_attempt(one) + b"\n" for one in made)).hexdigest()
    scorer = FAMILY.scorer(CORPUS)
    for one in made:
        scorer.add(one)
    found = scorer.finish()
    row = {
        "format": "assay.row/1",
        "id": row_id(of, evidence),
        "key": of.plain(),
        "family": "paired",
        "standing": "attested",
        "run": {
            "id": run,
            "started": "2026-03-18T10:00:00Z",
            "finished": "2026-03-18T10:05:00Z",
            "system": of.configuration.arm,
            "harness_version": "1.0.2",
            "commit": "1" * 40,
            "tree_at_start": {"clean": "yes"},
            "tree_at_end": {"clean": "yes"},
        },
        "counts": found.counts.plain(),
        "measures": [measure.plain() for measure in found.measures],
        "contributions": [contribution.plain() for contribution in found.contributions],
        "evidence": {"digest": evidence, "lines": len(made)},
    }
    return Recorded(Row.parse(canonical_json(row)), tuple(made))


def comparison(baseline: Recorded, candidate: Recorded) -> Comparison:
    """What the two say of each other."""
    differs, method = audit(baseline.row.key, candidate.row.key)
    return Comparison(
        format="assay.comparison/1",
        id=comparison_id(baseline.row.id, candidate.row.id),
        benchmark=baseline.row.key.benchmark,
        baseline=baseline.row.id,
        candidate=candidate.row.id,
        differs=differs,
        method=method,
        contrast=FAMILY.contrast(CORPUS, baseline.attempts, candidate.attempts),
    )


def arms(**changed: Any) -> tuple[Recorded, Recorded]:  # noqa: ANN401  any JSON value of a key
    """The rows of both arms; `changed` is of the candidate's key."""
    return (
        recorded(key("broom"), attempts("broom", BASELINE)),
        recorded(key("mop", **changed), attempts("mop", CANDIDATE)),
    )


def pair(*rows: Recorded) -> Site:
    """A site of the two arms, and what they say of each other."""
    baseline, candidate, *others = rows or arms()
    found = site(baseline, candidate, *others, benchmarks=[HERE])
    said = comparison(baseline, candidate)
    return Site(
        benchmarks=found.benchmarks,
        registry=found.registry.comparing(said),
        attempts=found.attempts,
        corpus=found.corpus,
    )
