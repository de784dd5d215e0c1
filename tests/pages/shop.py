"""A tiny site of tool use: one system on two surfaces, another on one of them, with mistakes."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from generator.pages.views.shapes import Published, Site
from generator.records.base import canonical_json
from generator.records.bundle import Attempt, Change, Tokens, Turn
from generator.records.digests import contracts_digest, corpus_digest
from generator.records.key import Key, row_id
from generator.records.row import Row
from generator.store.lines import write_attempt
from tests.families.steps.sample import (
    BENCHMARK,
    CASES,
    CORPUS,
    FAMILY,
    REFUSAL,
    STEPS,
    WRITE,
    call,
    files,
    replayed,
)
from tests.pages.sample import Recorded, plain_key, site

HERE = Published(
    benchmark=BENCHMARK.model_copy(update={"shown": ("passed", "reached", "refusals")}),
    family=FAMILY,
    corpus=CORPUS,
    digest=corpus_digest(files(*CASES)),
    contracts=contracts_digest("steps", 1, {}),
    prose={},
)
SHOWN = ("benchmarks/shop.md", "results/shop/clumsy-")
"""Pages of it that are kept to be looked at: the benchmark's, and that of the row that errs."""

Spoil = Callable[[Attempt], Attempt]


def _wrong_title(sound: Attempt) -> Attempt:
    """A refused call, a wrong value, a change that nobody asked for, and words about it."""
    refused = call("part_rename", "refused", "Invalid arguments: <b>newName</b>", title="Hex bolt")
    wrong = call("part_rename", part_id="Bolt k3x9", newName="Hex bolt\n*k3x9*")
    return replace(
        sound,
        turns=(
            Turn("Let me | see.", tool_calls=(refused,), tokens=Tokens(input=90, output=20)),
            Turn(tool_calls=(wrong,), tokens=Tokens(input=130, output=22)),
            Turn("It is <done>.", tokens=Tokens(input=160, output=5)),
        ),
        changes=(*(sound.changes or ()), Change("order", "0f1e2d", "removed")),
    )


def _never_ends(sound: Attempt) -> Attempt:
    looking = Turn(tool_calls=(call("find_action", "refused", "Unknown tool"),))
    return replace(
        sound, turns=(looking, looking), outcome="cancelled", reason="the limit was reached"
    )


def _left_out(sound: Attempt) -> Attempt:
    """An attempt that the provider ended."""
    return replace(sound, outcome="provider_error", reason="no connection", turns=(Turn(""),))


def _as_it_was(sound: Attempt) -> Attempt:
    return sound


MISTAKES: Mapping[str, Spoil] = {
    WRITE["name"]: _wrong_title,
    STEPS["name"]: _never_ends,
    REFUSAL["name"]: _left_out,
}


def recorded(model: str, surface: str, mistakes: Mapping[str, Spoil]) -> Recorded:
    """A row of a system on a surface."""
    attempts = tuple(
        mistakes.get(case["name"], _as_it_was)(replayed(case, surface)) for case in CASES
    )
    changed: dict[str, Any] = {
        "benchmark": "shop",
        "configuration": {"surface": surface, "options": {}, "axes": {"tools": "native"}},
        "corpus": HERE.digest,
        "contracts": HERE.contracts,
        "subject": {"name": "shop", "version": "1.0"},
        "tools": hashlib.sha256(surface.encode()).hexdigest(),
    }
    key = Key.parse(canonical_json(plain_key(model) | changed))
    lines = b"".join(write_attempt(one) + b"\n" for one in attempts)
    evidence = hashlib.sha256(lines).hexdigest()
    scorer = FAMILY.scorer(CORPUS)
    for one in attempts:
        scorer.add(one)
    found = scorer.finish()
    row = {
        "format": "assay.row/1",
        "id": row_id(key, evidence),
        "key": key.plain(),
        "family": "steps",
        "standing": "recomputed",
        "run": {
            "id": "2026-03-18-shop",
            "started": "2026-03-18T10:00:00Z",
            "finished": "2026-03-18T10:05:00Z",
            "system": "first",
            "harness_version": "1.0.2",
            "commit": "1" * 40,
            "tree_at_start": {"clean": "yes"},
            "tree_at_end": {"clean": "yes"},
        },
        "counts": found.counts.plain(),
        "measures": [measure.plain() for measure in found.measures],
        "contributions": [contribution.plain() for contribution in found.contributions],
        "evidence": {"digest": evidence, "lines": len(attempts)},
    }
    return Recorded(Row.parse(canonical_json(row)), attempts)


def shop() -> Site:
    """A system that knows the key on two surfaces, and a clumsy one on one of them."""
    return site(
        recorded("careful", "individual", {}),
        recorded("careful", "meta", {}),
        recorded("clumsy", "individual", MISTAKES),
        benchmarks=[HERE],
    )
