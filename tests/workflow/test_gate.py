"""Each rule has a run that only this rule refuses, and without the rule that run is published."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator.errors import RegistryError
from generator.provenance import rules
from generator.workflow.record import Recording, record
from tests.conftest import Kit, edit_attempts, edit_json

RULES = rules.RULES
Edit = Callable[[dict[str, Any]], object]


def manifest(edit: Edit) -> Callable[[Kit, Path], None]:
    """A spoilage of one place of the manifest."""

    def spoil(_: Kit, run: Path) -> None:
        edit_json(run / "run.json", edit)

    return spoil


def each_system(**fields: object) -> Callable[[Kit, Path], None]:
    """A spoilage of one field of both systems."""
    return manifest(lambda said: [system.update(fields) for system in said["systems"]])


def lose(case: str) -> Callable[[Kit, Path], None]:
    """A spoilage that takes a case's attempts away, as a harness that skips it would."""

    def spoil(_: Kit, run: Path) -> None:
        edit_attempts(run, lambda attempts: [one for one in attempts if one["case"] != case])

    return spoil


def skip(_: Kit, run: Path) -> None:
    """A case that the harness says it did not ask."""
    edit_attempts(
        run,
        lambda attempts: [
            {**one, "outcome": "skipped", "turns": []} if one["case"] == "curt-yo" else one
            for one in attempts
        ],
    )


def lose_a_repetition(_: Kit, run: Path) -> None:
    """A run that says it asked twice, and asked one case once."""
    edit_json(run / "run.json", lambda said: said.update(repetitions=2))
    edit_attempts(
        run,
        lambda attempts: [
            *attempts,
            *(
                {**one, "id": f"{one['id']}-again", "repetition": 2}
                for one in attempts
                if one["case"] != "curt-yo"
            ),
        ],
    )


def record_the_same(kit: Kit, _: Path) -> None:
    """The very same observations were recorded before."""
    record(kit.project, kit.run)


def record_before(kit: Kit, run: Path) -> None:
    """The same measurement stands already; the run brings other observations."""
    record(kit.project, kit.run)
    edit_json(run / "run.json", lambda said: said.update(run="later"))
    edit_attempts(
        run, lambda attempts: [{**one, "run": "later", "elapsed_us": 7} for one in attempts]
    )


def each_attempt(case: str, **fields: object) -> Callable[[Kit, Path], None]:
    """A spoilage of both systems' attempts at one case."""

    def spoil(_: Kit, run: Path) -> None:
        edit_attempts(
            run,
            lambda attempts: [
                {**one, **fields} if one["case"] == case else one for one in attempts
            ],
        )

    return spoil


def one_more(**fields: object) -> Callable[[Kit, Path], None]:
    """One attempt more of each system, under an id of its own."""

    def spoil(_: Kit, run: Path) -> None:
        edit_attempts(
            run,
            lambda attempts: [
                *attempts,
                *({**attempts[n], "id": f"once-more-{n}", **fields} for n in (1, 5)),
            ],
        )

    return spoil


def amend(kit: Kit, _: Path) -> None:
    """The commit that the run names is rewritten, with the same corpus."""
    kit.git("commit", "--quiet", "--amend", "--message", "Rewritten")


def record_a_newer_one(kit: Kit, run: Path) -> None:
    """A run that ended later stands already."""
    record_before(kit, run)
    edit_json(
        run / "run.json",
        lambda said: said.update(started="2020-01-01T00:00:00Z", finished="2020-01-01T00:01:00Z"),
    )


TOKEN = "-".join(["sk", "ant", "api03", "not" * 10])
"""Of the shape of a key, and none."""


def escape_a_secret(_: Kit, run: Path) -> None:
    """A key of which a letter is written as JSON may write it."""
    path = run / "attempts.jsonl"
    escaped = f"\\u{ord(TOKEN[0]):04x}{TOKEN[1:]}"
    path.write_bytes(path.read_bytes().replace(b"Yo", escaped.encode()))


SPOILT: dict[str, dict[str, Callable[[Kit, Path], None]]] = {
    "fake-provider": {
        "fake": each_system(provider="fake"),
        "example": each_system(provider="example"),
    },
    "filtered-run": {
        "filter": manifest(lambda said: said.update(filter="polite-*")),
        "case-left-out": lose("curt-yo"),
        "case-skipped": skip,
    },
    "incomplete-provenance": {
        "surface": each_system(surface=None),
        "revision": each_system(revision=None),
        "options": each_system(options=None),
        "digest": manifest(lambda said: said["corpus"].pop("digest")),
        "contracts": manifest(lambda said: said["corpus"].pop("contracts")),
    },
    "stale-corpus": {
        "corpus": manifest(lambda said: said["corpus"].update(digest="badc0de5" * 8)),
        "contracts": manifest(lambda said: said["corpus"].update(contracts="badc0de5" * 8)),
        "version": manifest(lambda said: said["benchmark"].update(version="0")),
    },
    "incomplete-run": {
        "crash": manifest(lambda said: said.update(status="stopped", stopped="crash")),
        "budget": manifest(lambda said: said.update(status="stopped", stopped="budget")),
        "repetition-left-out": lose_a_repetition,
    },
    "dirty-tree": {
        "start": manifest(lambda said: said["tree_at_start"].update(clean="no", paths=["a"])),
        "end": manifest(lambda said: said["tree_at_end"].update(clean="no", paths=["a"])),
        "unknown": manifest(lambda said: said["tree_at_end"].update(clean="unknown")),
        "not-said": manifest(lambda said: said.pop("tree_at_end")),
    },
    "duplicate-row": {
        "other-evidence": record_before,
        "same-evidence": record_the_same,
    },
    "unreachable-commit": {
        "amended": amend,
        "of-nowhere": manifest(lambda said: said["corpus"].update(commit="0" * 40)),
    },
    "duplicate-attempt": {
        "same-answer": one_more(),
        "better-answer": one_more(turns=[{"content": "Yo"}]),
    },
    "mixed-runs": {
        "foreign-case": one_more(case="dates-tomorrow"),
        "repetition-too-many": one_more(repetition=2),
        "unknown-system": one_more(system="third"),
        "other-run": one_more(run="another-run"),
    },
    "excluded-attempts": {
        "provider": each_attempt("curt-yo", outcome="provider_error", turns=[]),
        "harness": each_attempt("curt-yo", outcome="harness_error", turns=[]),
        "budget": each_attempt("curt-yo", outcome="over_budget", turns=[]),
    },
    "leaked-secret": {
        "reply": each_attempt("curt-yo", turns=[{"content": f"It is {TOKEN}."}]),
        "reason": each_attempt("curt-yo", outcome="failed", reason=f"401: {TOKEN}"),
        "options": each_system(options={"headers": {"x-api-key": TOKEN}}),
        "escaped": escape_a_secret,
    },
    "older-run": {"older": record_a_newer_one},
}
"""By rule: runs that are sound but for one thing."""

REPLACING = {"older-run"}
"""Rules that only speak where replacing is asked for."""

EACH = [
    pytest.param(rule, spoil, id=f"{rule}-{name}")
    for rule, ways in SPOILT.items()
    for name, spoil in ways.items()
]


def refused_by(done: Recording) -> list[list[str]]:
    """By system: the rules that refused it."""
    return [[refusal.rule.id for refusal in verdict.refusals] for verdict in done.verdicts]


def test_every_rule_is_tried() -> None:
    """A new rule needs a run that only it refuses."""
    assert list(SPOILT) == [rule.id for rule in RULES]


def test_a_sound_run_is_refused_by_none(kit: Kit) -> None:
    """Every spoilt run below differs in one thing from one that is published."""
    assert refused_by(record(kit.project, kit.run)) == [[], []]


@pytest.mark.parametrize(("rule", "spoil"), EACH)
def test_one_spoilt_thing_is_refused_by_one_rule(
    kit: Kit, rule: str, spoil: Callable[[Kit, Path], None]
) -> None:
    """Both systems are refused by this rule, no other joins in, and nothing is written."""
    run = kit.variant("spoilt")
    spoil(kit, run)
    before = kit.committed()
    done = record(kit.project, run, replace=rule in REPLACING)
    assert refused_by(done) == [[rule], [rule]]
    assert (done.published, done.refused) == (0, 2)
    assert kit.committed() == before


@pytest.mark.parametrize(("rule", "spoil"), EACH)
def test_without_its_rule_the_run_would_be_published(
    kit: Kit, monkeypatch: pytest.MonkeyPatch, rule: str, spoil: Callable[[Kit, Path], None]
) -> None:
    """Taking one rule away lets exactly those runs in that it was there for.

    Only a row that stands in the very same place is never written over, rule or no rule.
    """
    run = kit.variant("spoilt")
    spoil(kit, run)
    monkeypatch.setattr(rules, "RULES", tuple(known for known in RULES if known.id != rule))
    if spoil is record_the_same:
        with pytest.raises(RegistryError, match="stands already"):
            record(kit.project, run)
        return
    assert refused_by(record(kit.project, run, replace=rule in REPLACING)) == [[], []]


@pytest.mark.parametrize(("rule", "spoil"), EACH)
def test_a_rehearsal_waives_only_what_says_so_of_itself(
    kit: Kit, rule: str, spoil: Callable[[Kit, Path], None]
) -> None:
    """A simulated provider and a tree with changes may be rehearsed; nothing else may."""
    run = kit.variant("spoilt")
    spoil(kit, run)
    waived = rule in {"fake-provider", "dirty-tree"}
    expected = [] if waived else [rule]
    done = record(kit.project, run, rehearsal=True, replace=rule in REPLACING)
    assert refused_by(done) == [expected, expected]


def test_a_secret_is_told_by_its_place_and_never_by_itself(kit: Kit) -> None:
    """Who reads the refusal learns where to look, and not what was found."""
    run = kit.variant("spoilt")
    SPOILT["leaked-secret"]["reply"](kit, run)
    (refusal,) = record(kit.project, run).verdicts[0].refusals
    told = refusal.says.in_english()
    assert "attempts.jsonl:2" in told
    assert TOKEN not in told


def test_all_refusals_are_reported_at_once(kit: Kit) -> None:
    """A run with much wrong is told all of it in one go, in the order of the rules."""
    run = kit.variant("spoilt")
    edit_json(
        run / "run.json",
        lambda said: said.update(
            filter="polite-*", status="stopped", stopped="budget", corpus={}, tree_at_end=None
        ),
    )
    edit_json(run / "run.json", lambda said: said.pop("tree_at_end"))
    each_system(provider="fake", surface=None)(kit, run)
    done = record(kit.project, run)
    assert refused_by(done)[0] == [
        "fake-provider",
        "filtered-run",
        "incomplete-provenance",
        "incomplete-run",
        "dirty-tree",
    ]
    missing = done.verdicts[0].refusals[2]
    assert missing.seen == {"fields": "commit, surface, corpus, contracts"}


def test_one_rule_may_refuse_for_two_reasons(kit: Kit) -> None:
    """A tree that was not clean at the start nor at the end is told twice."""
    run = kit.variant("spoilt")
    edit_json(run / "run.json", lambda said: (said.pop("tree_at_start"), said.pop("tree_at_end")))
    done = record(kit.project, run)
    assert refused_by(done)[0] == ["dirty-tree", "dirty-tree"]
    told = [refusal.says.in_english() for refusal in done.verdicts[0].refusals]
    assert [words.split(" of the run")[0] for words in told] == ["At the start", "At the end"]


def test_a_commit_that_is_not_said_is_missing(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a commit nobody can check out what was measured."""
    run = kit.variant("spoilt")
    edit_json(run / "run.json", lambda said: said["corpus"].pop("commit"))
    assert refused_by(record(kit.project, run)) == [["incomplete-provenance"]] * 2
    monkeypatch.setattr(rules, "RULES", ())
    with pytest.raises(AssertionError, match="must have been refused"):
        record(kit.project, run)


@pytest.mark.parametrize("field", ["surface", "revision", "options"])
def test_what_the_benchmark_excuses_is_not_missing(kit: Kit, field: str) -> None:
    """A field that can't apply is declared by the benchmark, never by the run."""
    path = "results/benchmarks/greetings/benchmark.toml"
    kit.write(path, kit.read(path).replace('["subject", ', f'["{field}", "subject", '))
    run = kit.variant("spoilt")
    each_system(**{field: None})(kit, run)
    assert refused_by(record(kit.project, run)) == [["incomplete-provenance"]] * 2
    kit.commit()
    assert refused_by(record(kit.project, run)) == [[], []]


def test_a_corpus_that_moved_on_refuses_the_run(kit: Kit) -> None:
    """A run is not scored with a key that it was never asked."""
    path = kit.root / "results/benchmarks/greetings/cases/curt/curt-yo.json"
    edit_json(path, lambda case: case["checks"][0].update(value="Ahoy"))
    kit.commit()
    assert refused_by(record(kit.project, kit.run)) == [["stale-corpus"], ["stale-corpus"]]


def test_a_benchmark_that_scores_otherwise_refuses_the_run(kit: Kit) -> None:
    """The limits that a benchmark sets are part of what was measured."""
    path = "results/benchmarks/greetings/benchmark.toml"
    kit.write(path, kit.read(path).replace("seconds_per_attempt = 10", "seconds_per_attempt = 20"))
    kit.commit()
    assert refused_by(record(kit.project, kit.run)) == [["stale-corpus"], ["stale-corpus"]]
