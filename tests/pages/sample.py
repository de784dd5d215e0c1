"""A small site made of values: one benchmark of three cases, and what systems said to them.

A test takes it, changes one thing and looks at one page. The figures are those of the family's own
scorer; everything that a clock, a machine or git would say is fixed.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from generator.families.catalog import family_of
from generator.families.family import Corpus, Scores
from generator.pages.views.shapes import Prose, Published, Site
from generator.records.base import canonical_json
from generator.records.benchmark import Benchmark
from generator.records.bundle import Attempt, Outcome, Turn
from generator.records.candidate import Bound, Candidate, Promotion, Validation, cited, promotion_of
from generator.records.digests import contracts_digest, corpus_digest
from generator.records.key import Key, row_id
from generator.records.measure import Measure, Ratio
from generator.records.registry import Registry
from generator.records.row import Counts, Row, Withdrawal
from generator.store.lines import write_attempt

TOML = """\
format = "assay.benchmark/1"
id = "greetings"
family = "declarative"
version = "1"
title = "Greetings"
summary = "Whether a system greets back."
licence = "CC0-1.0"
not_applicable = ["subject", "tools"]
shown = ["passed", "passed.polite", "passed.curt", "category_score.polite", "wrong"]
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

CASES: Mapping[str, tuple[str, str, list[dict[str, Any]]]] = {
    "curt-hey": ("curt", "Hey!", [{"type": "not_empty"}, {"type": "not_contains", "value": "?"}]),
    "polite-evening": ("polite", "Good evening!", [{"type": "contains", "value": "evening"}]),
    "polite-morning": ("polite", "Good morning!", [{"type": "regex", "value": "^(?i)good|well"}]),
}
"""By name: the category of a case, what is asked, and its checks."""

TRANSLATED: Mapping[str, Mapping[str, str]] = {
    "es": {
        "Greetings": "Saludos",
        "Whether a system greets back.": "Si un sistema devuelve el saludo.",
        "Polite greetings": "Saludos corteses",
        "Curt greetings": "Saludos secos",
        "A shop": "Una tienda",
        "Whether a system keeps a shop.": "Si un sistema lleva una tienda.",
        "Tidying up": "Poner orden",
        "Whether a program tidies up.": "Si un programa pone orden.",
    },
    "it": {
        "Greetings": "Saluti",
        "Whether a system greets back.": "Se un sistema ricambia il saluto.",
        "Polite greetings": "Saluti cortesi",
        "Curt greetings": "Saluti bruschi",
        "A shop": "Un negozio",
        "Whether a system keeps a shop.": "Se un sistema tiene un negozio.",
        "Tidying up": "Mettere in ordine",
        "Whether a program tidies up.": "Se un programma mette in ordine.",
    },
}
"""The benchmark's own messages, which no catalogue of the repository knows."""

RIGHT: Mapping[str, str] = {
    "curt-hey": "Hey.",
    "polite-evening": "Good evening to you.",
    "polite-morning": "Good morning to you.",
}
"""An answer to each case that passes."""

Said = Mapping[str, str | Outcome]
"""By case: the answer, or how the attempt ended where it did not complete."""

_ENDINGS = frozenset({"harness_error", "provider_error", "timeout", "skipped", "over_budget"})


def benchmark(**changed: object) -> Benchmark:
    """The benchmark, with some of its fields changed."""
    return Benchmark.from_toml(TOML.encode()).model_copy(update=changed)


def case_files() -> dict[str, bytes]:
    """The files of its cases, by path."""
    return {
        f"{category}/{name}.json": json.dumps(
            {
                "name": name,
                "category": category,
                "prompt": asked,
                "checks": checks,
                "description": f"The case {name}.",
            }
        ).encode()
        for name, (category, asked, checks) in CASES.items()
    }


def published(prose: Mapping[str, Prose] | None = None, **changed: object) -> Published:
    """The benchmark as it stands in the work tree, with some of its fields changed."""
    own, files = benchmark(**changed), case_files()
    family = family_of(own.family)
    assert family is not None
    return Published(
        benchmark=own,
        family=family,
        corpus=family.corpus(files, own),
        digest=corpus_digest(files),
        contracts=contracts_digest(family.id, family.version, own.scoring),
        prose=prose or {},
    )


HERE = published()
"""The benchmark with nothing changed."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A row and the observations behind it."""

    row: Row
    attempts: tuple[Attempt, ...]

    def with_figures(self, *measures: Measure) -> "Recorded":
        """The same row with other measures than its observations would give."""
        return replace(self, row=self.row.model_copy(update={"measures": measures}))

    def with_counts(self, counts: Counts) -> "Recorded":
        """The same row with other counts."""
        return replace(self, row=self.row.model_copy(update={"counts": counts}))

    def with_run(self, **changed: object) -> "Recorded":
        """The same row, of a run that said something else of itself."""
        run = self.row.run.model_copy(update=changed)
        return replace(self, row=self.row.model_copy(update={"run": run}))


def plain_key(model: str) -> dict[str, Any]:
    """A row's key as a file has it."""
    return {
        "benchmark": "greetings",
        "benchmark_version": "1",
        "provider": "pypi",
        "model": model,
        "revision": "1.0",
        "runtime": {"name": "cpython", "version": "3.11", "settings": {"threads": 2}},
        "configuration": {"surface": "greet", "options": {"polite": True, "tries": 3}},
        "corpus": HERE.digest,
        "contracts": HERE.contracts,
        "harness": "greeter",
        "harness_contract": 1,
        "repetitions": 1,
    }


def recorded(
    model: str = "parrot",
    said: Said = RIGHT,
    *,
    finished: str = "2026-03-18T10:05:00Z",
    supersedes: Row | None = None,
    **changed: Any,  # noqa: ANN401  any JSON value of a key
) -> Recorded:
    """A row of a system that said this, with some fields of its key changed."""
    key = Key.parse(canonical_json(plain_key(model) | changed))
    attempts = tuple(_attempt(model, case, answer) for case, answer in said.items())
    lines = b"".join(write_attempt(attempt) + b"\n" for attempt in attempts)
    evidence = hashlib.sha256(lines).hexdigest()
    found = scores(attempts)
    row = {
        "format": "assay.row/1",
        "id": row_id(key, evidence),
        "key": key.plain(),
        "family": "declarative",
        "standing": "recomputed",
        "run": {
            "id": "2026-03-18-greetings",
            "started": "2026-03-18T10:00:00Z",
            "finished": finished,
            "system": "first",
            "harness_version": "1.0.2",
            "commit": "1" * 40,
            "tree_at_start": {"clean": "yes", "untracked": 2},
            "tree_at_end": {"clean": "yes", "untracked": 2},
            "environment": {"os": "Linux 6.1", "python": "CPython 3.11.7", "cpu": "x86_64"},
        },
        "not_applicable": ["subject", "tools"],
        "counts": found.counts.plain(),
        "measures": [measure.plain() for measure in found.measures],
        "contributions": [contribution.plain() for contribution in found.contributions],
        "evidence": {"digest": evidence, "lines": len(attempts)},
    }
    if supersedes is not None:
        row["supersedes"] = supersedes.id
    return Recorded(Row.parse(canonical_json(row)), attempts)


def scores(attempts: Iterable[Attempt]) -> Scores:
    """What the family's scorer makes of attempts."""
    scorer = HERE.family.scorer(HERE.corpus)
    for attempt in attempts:
        scorer.add(attempt)
    return scorer.finish()


def ratio(numerator: int, denominator: int, metric: str = "passed") -> Ratio:
    """A figure of the whole benchmark."""
    return Ratio(metric=metric, numerator=numerator, denominator=denominator)


def withdrawn(of: Recorded, why: str = "The harness read the answer key.") -> Withdrawal:
    """The withdrawal of a row."""
    return Withdrawal(
        format="assay.withdrawal/1",
        row=of.row.id,
        withdrawn="2026-04-01T08:00:00Z",
        by="Nobody In Particular",
        why=why,
    )


def promoted(of: Recorded, *holds: Bound, name: str = "greets", **texts: str) -> Promotion:
    """The promotion of a claim about a row, which another run with the same figures bore out."""
    row = of.row
    candidate = Candidate(
        format="assay.candidate/1",
        id=name,
        benchmark=row.key.benchmark,
        description=texts.get("description", "It greets back in every case."),
        applicability=texts.get("applicability", "Short greetings in English."),
        claim=texts.get("claim", "It greets back whoever greets."),
        holds=holds or (Bound(measure="passed", min=Decimal("0.9")),),
        evidence=cited(row),
        validation=Validation(
            run="2026-03-25-greetings",
            revision=row.run.commit,
            digest="c" * 64,
            lines=row.evidence.lines,
            system="first",
            harness_version="1.0.2",
            started="2026-03-25T10:00:00Z",
            finished="2026-03-25T10:05:00Z",
            measures=row.measures,
        ),
        state="promoted",
    )
    promotion = promotion_of(candidate, row)
    assert promotion is not None
    return promotion


def site(
    *rows: Recorded,
    withdrawals: Iterable[Withdrawal] = (),
    promotions: Iterable[Promotion] = (),
    benchmarks: Iterable[Published] = (HERE,),
    rehearsal: bool = False,
) -> Site:
    """A site of these rows; the corpus of a row is at hand where it is the one of a benchmark."""
    known = tuple(benchmarks)
    attempts = {recorded.row.id: recorded.attempts for recorded in rows}
    corpora: dict[str, Corpus] = {found.digest: found.corpus for found in known}
    return Site(
        benchmarks=known,
        registry=Registry(
            {recorded.row.id: recorded.row for recorded in rows},
            {withdrawal.row: withdrawal for withdrawal in withdrawals},
            promotions={promotion.id: promotion for promotion in promotions},
        ),
        attempts=lambda row: attempts[row.id],
        corpus=lambda row: corpora.get(row.key.corpus),
        rehearsal=rehearsal,
    )


def tiny() -> Site:
    """Two systems: a row that was replaced, one withdrawn, one without figures, one that stands."""
    first = recorded("parrot", {**RIGHT, "polite-evening": "Nice to see you!"})
    second = recorded("parrot", supersedes=first.row, finished="2026-03-20T10:05:00Z")
    third = recorded(
        "Magpie <2>",
        {**RIGHT, "curt-hey": "What?", "polite-morning": "timeout"},
        finished="2026-03-19T10:05:00Z",
        revision=None,
        configuration={"surface": "greet", "axes": {"effort": "high"}},
    )
    nothing = recorded(
        "Magpie <2>",
        dict.fromkeys(RIGHT, "harness_error"),
        finished="2026-03-21T10:05:00Z",
        revision="2.0",
        configuration={"surface": "greet", "options": {}},
    )
    english = "Three greetings.\n\n## Why\n\nTo have *something* to count.\n"
    prose = {
        "en": Prose(english, "en", behind=False),
        "es": Prose("Tres saludos.\n\n## Por qué\n\nPara contar *algo*.\n", "es", behind=True),
        "it": Prose(english, "en", behind=False),
    }
    return site(
        first,
        second,
        third,
        nothing,
        withdrawals=[withdrawn(third)],
        benchmarks=[published(prose)],
    )


def _attempt(system: str, case: str, said: str) -> Attempt:
    ended = said in _ENDINGS
    outcome: Outcome = said if ended else "completed"  # type: ignore[assignment]
    return Attempt(
        id=f"{system}/{case}/1",
        case=case,
        system="first",
        repetition=1,
        outcome=outcome,
        reason=f"It ended with {said}." if ended else None,
        stimulus=CASES[case][1],
        turns=() if ended else (Turn(content=said),),
    )
