"""The gate: sound facts pass every rule, one spoilt fact is refused by one rule."""

import string
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.messages import Message
from generator.provenance.facts import Asked, Facts, Standing
from generator.provenance.rules import LISTED, RULES, Rule, judge, listed
from generator.records.base import Certainty
from generator.records.bundle import Tree

IDS = (
    "fake-provider",
    "filtered-run",
    "incomplete-provenance",
    "stale-corpus",
    "incomplete-run",
    "dirty-tree",
    "duplicate-row",
    "unreachable-commit",
    "duplicate-attempt",
    "mixed-runs",
    "excluded-attempts",
    "leaked-secret",
    "older-run",
)
"""The public ids, in the order in which refusals are reported."""

WAIVED = ("fake-provider", "dirty-tree")

CLEAN = Tree(clean="yes", untracked=3)
FIELDS = (
    "commit",
    "subject",
    "surface",
    "revision",
    "options",
    "corpus",
    "contracts",
    "tools",
)

SOUND = Facts(
    provider="pypi",
    model="not-a-real-parser",
    filter=None,
    asked=Asked(cases=4),
    provided=dict.fromkeys(FIELDS, "said"),
    corpus_ran="c0ffee11" * 8,
    corpus_here="c0ffee11" * 8,
    contracts_ran="5ca1ab1e" * 8,
    contracts_here="5ca1ab1e" * 8,
    version_ran="1",
    version_here="1",
    status="complete",
    stopped=None,
    trees={"start": CLEAN, "end": CLEAN},
)

SPOILT: tuple[tuple[dict[str, Any], str, str], ...] = (
    (
        {"commit": "a" * 40, "reachable": "no"},
        "unreachable-commit",
        f"The commit that the run names, {'a' * 16}, is not part of the history of HEAD.",
    ),
    (
        {"commit": "a" * 40, "reachable": "unknown"},
        "unreachable-commit",
        (f"The commit that the run names, {'a' * 16}, is beyond what this shallow clone can tell."),
    ),
    (
        {"asked": Asked(cases=4, again=("curt-yo #1, attempts.jsonl:9",), attempts=4)},
        "duplicate-attempt",
        "Attempts that were made more than once: 1 (curt-yo #1, attempts.jsonl:9).",
    ),
    (
        {"strays": ("other/curt-yo/1, attempts.jsonl:9",)},
        "mixed-runs",
        (
            "Attempts of another run, system, case or repetition: 1 "
            "(other/curt-yo/1, attempts.jsonl:9)."
        ),
    ),
    (
        {
            "asked": Asked(cases=4, attempts=20, excluded=2),
            "excluded_at_most": Decimal("0.05"),
        },
        "excluded-attempts",
        "Excluded attempts: 2 of 20; allowed is a share of 0.05.",
    ),
    (
        {"secrets": ("GitHub token, attempts.jsonl:3",)},
        "leaked-secret",
        "What looks like a secret would be published: 1 (GitHub token, attempts.jsonl:3).",
    ),
    (
        {
            "stands": Standing("parser-1", stays=False, finished="2026-02-02T00:00:00Z"),
            "finished": "2026-02-01T00:00:00Z",
            "replace": True,
        },
        "older-run",
        (
            "The run ended at 2026-02-01T00:00:00Z, before that of parser-1, which ended at "
            "2026-02-02T00:00:00Z."
        ),
    ),
    (
        {"provider": "fake"},
        "fake-provider",
        (
            "fake:not-a-real-parser is simulated: it answers from the answer key, or stands for "
            "nothing."
        ),
    ),
    (
        {"provider": "example", "model": "nobody"},
        "fake-provider",
        "example:nobody is simulated: it answers from the answer key, or stands for nothing.",
    ),
    (
        {"provider": "Fake"},
        "fake-provider",
        (
            "Fake:not-a-real-parser is simulated: it answers from the answer key, or stands for "
            "nothing."
        ),
    ),
    (
        {"filter": "polite"},
        "filtered-run",
        "Cases asked: 4 of 4. Filter: polite. Not asked: -.",
    ),
    (
        {"asked": Asked(cases=4, never=("curt-yo",))},
        "filtered-run",
        "Cases asked: 3 of 4. Filter: -. Not asked: curt-yo.",
    ),
    (
        {"asked": Asked(cases=9, never=tuple("abcdefg"))},
        "filtered-run",
        "Cases asked: 2 of 9. Filter: -. Not asked: a, b, c, d, e (+2).",
    ),
    (
        {"filter": "polite", "asked": Asked(cases=4, never=("curt-hey", "curt-yo"))},
        "filtered-run",
        "Cases asked: 2 of 4. Filter: polite. Not asked: curt-hey, curt-yo.",
    ),
    *(
        (
            {"provided": {**SOUND.provided, field: "unknown"}},
            "incomplete-provenance",
            f"The run does not say: {field}.",
        )
        for field in FIELDS
    ),
    (
        {"provided": {**SOUND.provided, "commit": "unknown", "tools": "unknown"}},
        "incomplete-provenance",
        "The run does not say: commit, tools.",
    ),
    (
        {"corpus_ran": "badc0de5" * 8},
        "stale-corpus",
        (
            "The run was not asked what the benchmark here asks: its corpus is badc0de5badc0de5, "
            "the one here is c0ffee11c0ffee11."
        ),
    ),
    (
        {"contracts_here": "badc0de5" * 8},
        "stale-corpus",
        (
            "The run was not asked what the benchmark here asks: its contracts are "
            "5ca1ab1e5ca1ab1e, those here are badc0de5badc0de5."
        ),
    ),
    (
        {"version_here": "2"},
        "stale-corpus",
        (
            "The run was not asked what the benchmark here asks: its version is 1, the one here "
            "is 2."
        ),
    ),
    (
        {"version_ran": "2026-03-18-first-draft", "version_here": "2026-03-18-first-print"},
        "stale-corpus",
        (
            "The run was not asked what the benchmark here asks: its version is "
            "2026-03-18-first-draft, the one here is 2026-03-18-first-print."
        ),
    ),
    (
        {"status": "stopped", "stopped": "budget"},
        "incomplete-run",
        "The run is not whole: its budget ended it. Attempts missing at asked cases: 0 (-).",
    ),
    (
        {"status": "stopped", "stopped": "interrupt"},
        "incomplete-run",
        "The run is not whole: somebody ended it. Attempts missing at asked cases: 0 (-).",
    ),
    (
        {
            "status": "stopped",
            "stopped": "crash",
            "asked": Asked(cases=4, never=("curt-yo",), missing=("curt-hey #2",)),
        },
        "incomplete-run",
        (
            "The run is not whole: its harness crashed. Attempts missing at asked cases: 1 "
            "(curt-hey #2)."
        ),
    ),
    (
        {"asked": Asked(cases=4, missing=("curt-hey #2", "curt-yo #3"))},
        "incomplete-run",
        (
            "The run is not whole: it lacks attempts. Attempts missing at asked cases: 2 "
            "(curt-hey #2, curt-yo #3)."
        ),
    ),
    (
        {"trees": {"start": Tree(clean="no", paths=("a.py", "b.py")), "end": CLEAN}},
        "dirty-tree",
        "At the start of the run the work tree was changed: a.py, b.py.",
    ),
    (
        {"trees": {"start": CLEAN, "end": Tree(clean="no")}},
        "dirty-tree",
        "At the end of the run the work tree was changed: -.",
    ),
    (
        {"trees": {"start": CLEAN, "end": Tree(clean="unknown", reason="git can't be run")}},
        "dirty-tree",
        (
            "At the end of the run the work tree was in a state that git could not tell: "
            "git can't be run."
        ),
    ),
    (
        {"stands": Standing("parser-1", stays=False)},
        "duplicate-row",
        "The same measurement was published already, as parser-1.",
    ),
    (
        {"stands": Standing("parser-1", stays=True)},
        "duplicate-row",
        "The same measurement was published already, as parser-1.",
    ),
    (
        {"stands": Standing("parser-1", stays=True), "replace": True},
        "duplicate-row",
        "The same measurement was published already, as parser-1.",
    ),
)
EVERYTHING = replace(
    SOUND,
    provider="fake",
    filter="polite",
    provided=dict.fromkeys(FIELDS, "unknown"),
    corpus_ran="badc0de5" * 8,
    contracts_ran="badc0de5" * 8,
    version_ran="0",
    status="stopped",
    stopped="crash",
    trees={"start": Tree(clean="unknown"), "end": Tree(clean="no", paths=("a.py",))},
    asked=Asked(cases=4, again=("curt-yo #1",), attempts=4, excluded=4),
    stands=Standing("parser-1", stays=True, finished="2026-02-02T00:00:00Z"),
    replace=True,
    finished="2026-02-01T00:00:00Z",
    commit="a" * 40,
    reachable="no",
    strays=("other/curt-yo/1",),
    excluded_at_most=Decimal(0),
    secrets=("GitHub token, run.json",),
)


def places(message: str) -> set[str]:
    """The named places of a message."""
    return {name for _, name, _, _ in string.Formatter().parse(message) if name}


def test_sound_facts_pass_every_rule() -> None:
    """A run that is whole, said in full, and clean is published."""
    assert judge(SOUND) == ()


@pytest.mark.parametrize(
    "sound",
    [
        {"provided": {**SOUND.provided, "subject": "not-applicable", "tools": "not-applicable"}},
        {"trees": {"start": Tree(clean="yes", untracked=99), "end": CLEAN}},
        {"stands": Standing("parser-1", stays=False), "replace": True},
        {"replace": True},
        {"provider": "example.org"},
    ],
)
def test_what_no_rule_speaks_of_is_no_hindrance(sound: dict[str, Any]) -> None:
    """A declared field, a foreign file, a replacement that was asked for: none is refused."""
    assert judge(replace(SOUND, **sound)) == ()


@pytest.mark.parametrize(("spoilt", "rule", "says"), SPOILT)
def test_one_spoilt_fact_is_refused_by_one_rule(
    spoilt: dict[str, Any], rule: str, says: str
) -> None:
    """A rule names what it saw, in a sentence with no empty place, and no other rule joins in."""
    (refusal,) = judge(replace(SOUND, **spoilt))
    assert refusal.rule.id == rule
    assert refusal.says.in_english() == says


def test_every_rule_has_a_spoilt_fact() -> None:
    """No rule is without a run that only it refuses."""
    assert {rule for _, rule, _ in SPOILT} == set(IDS)


def test_the_rules_are_those_of_the_contract() -> None:
    """Ids are public: none is renamed, moved or left out by accident."""
    assert tuple(rule.id for rule in RULES) == IDS


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_explains_itself(rule: Rule) -> None:
    """Each rule says what it saw, why it refuses and what to do, in whole sentences."""
    for text in (rule.says, rule.why, rule.remedy):
        assert text
        assert text[0].isupper() or text[0] == "{"
        assert text.endswith(".")
    assert places(rule.why + rule.remedy) == set()


def test_all_refusals_are_reported_in_the_order_of_the_rules() -> None:
    """Nobody mends a run rule by rule: everything is said at once, in one order."""
    refused = [refusal.rule.id for refusal in judge(EVERYTHING)]
    assert list(dict.fromkeys(refused)) == list(IDS)
    assert refused.count("stale-corpus") == 3
    assert refused.count("dirty-tree") == 2


def test_every_refusal_fills_the_places_of_its_message() -> None:
    """No refusal is said with a place left open, nor sees what it does not say."""
    for refusal in judge(EVERYTHING):
        assert places(refusal.rule.says) == set(refusal.seen)
        for value in refusal.seen.values():
            if isinstance(value, Message):
                assert places(value.id) == set(value.values)
        assert "{" not in refusal.says.in_english()


def test_a_rehearsal_waives_what_says_so_of_itself() -> None:
    """A rehearsal lets exactly the declared rules be; every other refuses as ever."""
    assert tuple(rule.id for rule in RULES if rule.waived_in_rehearsal) == WAIVED
    refused = {refusal.rule.id for refusal in judge(EVERYTHING, rehearsal=True)}
    assert refused == set(IDS) - set(WAIVED)


@pytest.mark.parametrize(("spoilt", "rule", "says"), SPOILT)
def test_a_rehearsal_refuses_all_else(spoilt: dict[str, Any], rule: str, says: str) -> None:
    """What a rehearsal refuses, it refuses in the same words as the record does."""
    said = [
        refusal.says.in_english() for refusal in judge(replace(SOUND, **spoilt), rehearsal=True)
    ]
    assert said == ([] if rule in WAIVED else [says])


def test_a_stopped_run_is_not_called_filtered_too() -> None:
    """Cases that a stopped run never reached are one fault, not two."""
    stopped = replace(
        SOUND, status="stopped", stopped="interrupt", asked=Asked(cases=4, never=("curt-yo",))
    )
    assert [refusal.rule.id for refusal in judge(stopped)] == ["incomplete-run"]


def test_an_unsaid_digest_is_missing_and_not_stale() -> None:
    """A run that does not say its corpus is told so, not that it ran another."""
    unsaid = replace(
        SOUND,
        corpus_ran=None,
        contracts_ran=None,
        provided={**SOUND.provided, "corpus": "unknown", "contracts": "unknown"},
    )
    (refusal,) = judge(unsaid)
    assert refusal.says.in_english() == "The run does not say: corpus, contracts."


@pytest.mark.parametrize("start", ["yes", "no", "unknown"])
@pytest.mark.parametrize("end", ["yes", "no", "unknown"])
def test_unknown_never_passes_for_clean(start: Certainty, end: Certainty) -> None:
    """Only a tree that git called clean at both ends is clean."""
    facts = replace(SOUND, trees={"start": Tree(clean=start), "end": Tree(clean=end)})
    assert (judge(facts) == ()) == (start == end == "yes")


@given(st.lists(st.text("ab", min_size=1, max_size=3), max_size=12))
def test_a_long_list_says_how_much_more_there_is(names: list[str]) -> None:
    """A message stays short, and counts what it leaves out."""
    said = listed(names)
    if not names:
        assert said == "-"
    elif len(names) <= LISTED:
        assert said == ", ".join(names)
    else:
        assert said == ", ".join(names[:LISTED]) + f" (+{len(names) - LISTED})"
