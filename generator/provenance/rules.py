"""The rules: each is one reason for which a row may not be published.

A rule is a small object with a public id. It sees `Facts`, which hold no score, and yields what it
saw where it fires. All rules are asked about every row and all refusals are reported, in the order
of `RULES`. No switch turns a rule off; a rehearsal waives exactly the rules that say so of
themselves. A new rule is one object here, and a bundle in the tests that only it refuses.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from generator.messages import N_, Message
from generator.provenance.facts import Facts
from generator.records.base import HEX_ON_PAGES
from generator.records.bundle import SIMULATED

Seen: TypeAlias = Mapping[str, object]
"""The values for the places of a rule's message."""

LISTED = 5
"""How many names a message lists before it says how many more there are."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One reason for which a row may not be published."""

    id: str
    """Public and never translated."""

    fires: Callable[[Facts], Iterator[Seen]]
    """Yields once for each thing that it refuses."""

    says: str
    """What was seen, with the values as named places; a message of the catalogues."""

    why: str
    """Why the rule exists; a message of the catalogues."""

    remedy: str
    """What to do about it; a message of the catalogues."""

    waived_in_rehearsal: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """A rule that fired, with the facts that it saw."""

    rule: Rule
    seen: Seen

    @property
    def says(self) -> Message:
        """What was seen."""
        return Message(self.rule.says, self.seen)


def fake_provider(facts: Facts) -> Iterator[Seen]:
    """A simulated provider measures nothing."""
    if facts.provider.casefold() in SIMULATED:
        yield {"system": f"{facts.provider}:{facts.model}"}


def filtered_run(facts: Facts) -> Iterator[Seen]:
    """A run on part of the corpus would read like one on all of it."""
    total, never = facts.asked.cases, facts.asked.never
    if facts.filter is not None or (facts.status == "complete" and never):
        yield {
            "asked": total - len(never),
            "total": total,
            "filter": facts.filter or "-",
            "names": listed(never),
        }


def incomplete_provenance(facts: Facts) -> Iterator[Seen]:
    """Each missing field is named."""
    missing = [name for name, state in facts.provided.items() if state == "unknown"]
    if missing:
        yield {"fields": ", ".join(missing)}


def stale_corpus(facts: Facts) -> Iterator[Seen]:
    """A run is only scored with the key of the questions it was asked."""
    pairs = (
        (_OTHER_CORPUS, facts.corpus_ran, facts.corpus_here, HEX_ON_PAGES),
        (_OTHER_CONTRACTS, facts.contracts_ran, facts.contracts_here, HEX_ON_PAGES),
        (_OTHER_VERSION, facts.version_ran, facts.version_here, None),
    )
    for says, ran, here, shown in pairs:
        if ran is not None and ran != here:
            yield {"difference": Message(says, {"ran": ran[:shown], "here": here[:shown]})}


def incomplete_run(facts: Facts) -> Iterator[Seen]:
    """A run that stopped early would publish just the cases that it reached."""
    if facts.status == "stopped" or facts.asked.missing:
        yield {
            "ending": Message(_ENDINGS[facts.stopped]),
            "missing": len(facts.asked.missing),
            "names": listed(facts.asked.missing),
        }


def dirty_tree(facts: Facts) -> Iterator[Seen]:
    """A published figure must point at a commit that exists."""
    for moment, tree in facts.trees.items():
        if tree.clean != "yes":
            yield {
                "moment": Message(_MOMENTS[moment]),
                "state": Message(_STATES[tree.clean]),
                "paths": listed(tree.paths) if tree.paths else (tree.reason or "-"),
            }


def duplicate_row(facts: Facts) -> Iterator[Seen]:
    """A row that stands is replaced only when that is asked for."""
    stands = facts.stands
    if stands is not None and (stands.stays or not facts.replace):
        yield {"row": stands.row}


def unreachable_commit(facts: Facts) -> Iterator[Seen]:
    """A commit that no history holds can't be checked out by anybody else."""
    if facts.commit is not None and facts.reachable != "yes":
        yield {
            "commit": facts.commit[:HEX_ON_PAGES],
            "state": Message(_REACHES[facts.reachable]),
        }


def duplicate_attempt(facts: Facts) -> Iterator[Seen]:
    """Whoever may choose among several tries reports the best."""
    if facts.asked.again:
        yield {"count": len(facts.asked.again), "names": listed(facts.asked.again)}


def mixed_runs(facts: Facts) -> Iterator[Seen]:
    """What is not of this run can't be told from what is."""
    if facts.strays:
        yield {"count": len(facts.strays), "names": listed(facts.strays)}


def excluded_attempts(facts: Facts) -> Iterator[Seen]:
    """A figure over the few attempts that went well is no figure over all of them."""
    asked = facts.asked
    if asked.excluded > facts.excluded_at_most * asked.attempts:
        yield {
            "excluded": asked.excluded,
            "attempts": asked.attempts,
            "allowed": f"{facts.excluded_at_most.normalize():f}",
        }


def leaked_secret(facts: Facts) -> Iterator[Seen]:
    """What is published can't be taken back."""
    if facts.secrets:
        yield {"count": len(facts.secrets), "names": listed(facts.secrets)}


def older_run(facts: Facts) -> Iterator[Seen]:
    """Older figures over newer ones are asked for by name."""
    stands, finished = facts.stands, facts.finished
    if stands is None or finished is None or facts.older or not facts.replace:
        return
    if finished < stands.finished:
        yield {"finished": finished, "row": stands.row, "stands": stands.finished}


_REACHES: Mapping[str, str] = {
    "no": N_("not part of the history of HEAD"),
    "unknown": N_("beyond what this shallow clone can tell"),
}
_OTHER_CORPUS = N_("its corpus is {ran}, the one here is {here}")
_OTHER_CONTRACTS = N_("its contracts are {ran}, those here are {here}")
_OTHER_VERSION = N_("its version is {ran}, the one here is {here}")
_ENDINGS: Mapping[str | None, str] = {
    None: N_("it lacks attempts"),
    "budget": N_("its budget ended it"),
    "interrupt": N_("somebody ended it"),
    "crash": N_("its harness crashed"),
}
_MOMENTS: Mapping[str, str] = {"start": N_("start"), "end": N_("end")}
_STATES: Mapping[str, str] = {
    "no": N_("changed"),
    "unknown": N_("in a state that git could not tell"),
}


def listed(names: Iterable[str]) -> str:
    """Some names, and how many more there are."""
    every = list(names)
    more = len(every) - LISTED
    return ", ".join(every[:LISTED]) + (f" (+{more})" if more > 0 else "") if every else "-"


RULES: tuple[Rule, ...] = (
    Rule(
        "fake-provider",
        fake_provider,
        says=N_("{system} is simulated: it answers from the answer key, or stands for nothing."),
        why=N_(
            "A simulated provider proves that the chain works and says nothing of any system. Its "
            "figures beside measured ones would be taken for measurements."
        ),
        remedy=N_("Run the benchmark on a real system, or rehearse with --dry-run."),
        waived_in_rehearsal=True,
    ),
    Rule(
        "filtered-run",
        filtered_run,
        says=N_("Cases asked: {asked} of {total}. Filter: {filter}. Not asked: {names}."),
        why=N_("A run on part of the corpus would read like one on all of it."),
        remedy=N_("Run again without a filter and without skipping a case."),
    ),
    Rule(
        "incomplete-provenance",
        incomplete_provenance,
        says=N_("The run does not say: {fields}."),
        why=N_(
            "A reader must be able to tell what was measured: which commit, subject version, "
            "surface, revision, request options, corpus, contracts, list of tools, and when it "
            "ended."
        ),
        remedy=N_(
            "Let the harness state these fields. What can't apply to this kind of system is "
            "declared in benchmark.toml under not_applicable."
        ),
    ),
    Rule(
        "stale-corpus",
        stale_corpus,
        says=N_("The run was not asked what the benchmark here asks: {difference}."),
        why=N_(
            "Answers are only scored with the key of the questions that were asked. Another "
            "corpus, another version or other contracts are another measurement."
        ),
        remedy=N_("Check out the commit that the run names, or run again here."),
    ),
    Rule(
        "incomplete-run",
        incomplete_run,
        says=N_(
            "The run is not whole: {ending}. Attempts missing at asked cases: {missing} ({names})."
        ),
        why=N_(
            "A run that stopped early would publish just the cases that it reached, and an attempt "
            "that was left out silently may be one that went badly."
        ),
        remedy=N_("Run again to the end: every case, in every repetition."),
    ),
    Rule(
        "dirty-tree",
        dirty_tree,
        says=N_("At the {moment} of the run the work tree was {state}: {paths}."),
        why=N_(
            "A published figure must point at a commit that exists. With uncommitted changes, or "
            "where git can't tell, nobody can check out what was measured."
        ),
        remedy=N_("Commit or put away the changes, then run again."),
        waived_in_rehearsal=True,
    ),
    Rule(
        "duplicate-row",
        duplicate_row,
        says=N_("The same measurement was published already, as {row}."),
        why=N_(
            "Published figures are not overwritten by accident, nor chosen from many tries. A row "
            "that is replaced on purpose stays, and says what took its place."
        ),
        remedy=N_(
            "Record with --replace if the new run is meant to take its place. The same "
            "observations can't be recorded twice."
        ),
    ),
    Rule(
        "unreachable-commit",
        unreachable_commit,
        says=N_("The commit that the run names, {commit}, is {state}."),
        why=N_(
            "A figure points at a commit so that anybody can check it out. One that was rebased "
            "away, squashed or never pushed is gone for everybody else."
        ),
        remedy=N_("Check out a branch with the commit and its whole history, or run again."),
    ),
    Rule(
        "duplicate-attempt",
        duplicate_attempt,
        says=N_("Attempts that were made more than once: {count} ({names})."),
        why=N_(
            "A system that was asked again until it was right was not asked what the others were. "
            "Each case is tried as often as the run says, and every try counts."
        ),
        remedy=N_("Run again, and write each attempt down once."),
    ),
    Rule(
        "mixed-runs",
        mixed_runs,
        says=N_("Attempts of another run, system, case or repetition: {count} ({names})."),
        why=N_(
            "In a folder that holds parts of two runs nobody can tell which attempts belong to the "
            "figures, and the best of both could be chosen."
        ),
        remedy=N_("Put the attempts of one run into one folder, and of another into another."),
    ),
    Rule(
        "excluded-attempts",
        excluded_attempts,
        says=N_("Excluded attempts: {excluded} of {attempts}; allowed is a share of {allowed}."),
        why=N_(
            "Attempts that failed through no fault of the system count in no measure. When they "
            "are many, the figure stands on the few that are left, and says so nowhere."
        ),
        remedy=N_(
            "Run again when provider and harness are well. What a benchmark can't help is declared "
            "in benchmark.toml under excluded_at_most."
        ),
    ),
    Rule(
        "leaked-secret",
        leaked_secret,
        says=N_("What looks like a secret would be published: {count} ({names})."),
        why=N_(
            "What has been published can't be taken back: keys and tokens, private keys, "
            "credentials in addresses, and the names of people in paths."
        ),
        remedy=N_("Revoke it where it was issued, keep it out of the harness, and run again."),
    ),
    Rule(
        "older-run",
        older_run,
        says=N_("The run ended at {finished}, before that of {row}, which ended at {stands}."),
        why=N_(
            "A newer measurement is not replaced by an older one by accident, as when two people "
            "record the same benchmark on two branches."
        ),
        remedy=N_("Record with --replace --older if the older run is meant to take its place."),
    ),
)


def judge(facts: Facts, *, rehearsal: bool = False) -> tuple[Refusal, ...]:
    """All refusals of a candidate, in the order of the rules."""
    return tuple(
        Refusal(rule, seen)
        for rule in RULES
        if not (rehearsal and rule.waived_in_rehearsal)
        for seen in rule.fires(facts)
    )
