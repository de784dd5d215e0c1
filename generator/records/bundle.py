"""What a harness writes for a run: the manifest `run.json` and attempts, one a line.

The manifest is read once and carefully (pydantic). Attempts are many, so they are msgspec structs;
both refuse keys that they do not know, so that no score can travel with an observation.
"""

from typing import Annotated, Literal

import msgspec
from pydantic import Field, JsonValue, field_validator, model_validator

from generator.records.base import (
    Certainty,
    Commit,
    Digest,
    Moment,
    Name,
    Record,
    Slug,
    as_seen,
    digest_of_json,
)

MANIFEST = "run.json"

SIMULATED = frozenset({"fake", "example"})
"""Providers that answer from the answer key or stand for nothing real."""

INTEGER_LIMIT = 2**53
"""The largest integer that every reader of JSON takes for the same."""

Count = Annotated[int, Field(ge=0, le=INTEGER_LIMIT)]
"""A number of things, in the manifest."""


class Runtime(Record):
    """What ran the system: an interpreter, an inference server."""

    name: Name
    """`cpython`, `llama.cpp`."""

    version: Name
    """As it says of itself."""

    settings: dict[str, JsonValue] = {}
    """What changes the answers: versions of what it stands on, threads, chat format."""


class System(Record):
    """What is measured, in one configuration: one row of the results."""

    id: Slug
    """Its name within this bundle."""

    provider: Name
    """Who serves it: a vendor, a package index, `python` for the standard library."""

    model: Name
    """What it is called there."""

    revision: Name | None = None
    """Which version of it answered, as exactly as can be said."""

    runtime: Runtime | None = None
    """What ran it, where that changes answers."""

    surface: Name | None = None
    """How it is called or what it is shown: a function, a mode, a set of tools."""

    options: dict[str, JsonValue] | None = None
    """Request options as sent; an empty object says that none were, none that it is unknown."""

    axes: dict[Slug, Slug] = {}
    """Further axes of configuration, such as reasoning effort."""

    arm: Slug | None = None
    """The arm of an experiment."""

    prompt: Digest | None = None
    """Digest of a prompt that is put before every case."""

    tools: Digest | None = None
    """Digest of the list of tools that it was served."""


class Subject(Record):
    """What the systems were tested against: a server, a library, a revision of a data set."""

    name: Name
    """What it is called."""

    version: Name
    """Which one it was."""

    repository: Name | None = None
    """Where its source lies, if it comes from a repository of its own."""

    commit: Commit | None = None
    """The commit there."""


class Tree(Record):
    """What git said of the work tree at one moment."""

    clean: Certainty
    paths: tuple[str, ...] = ()
    """Tracked files with changes, and foreign files among the declared inputs."""

    untracked: Count = 0
    """Other files that git does not track; counted, not refused."""

    reason: Name | None = None
    """Why it is unknown."""

    @model_validator(mode="after")
    def _clean_names_nothing(self) -> "Tree":
        if self.clean == "yes" and self.paths:
            message = f"a tree with changes in {self.paths[0]!r} is not clean"
            raise ValueError(message)
        return self


class Corpus(Record):
    """Which questions were asked, and by which contracts the answers count."""

    commit: Commit | None = None
    """Commit of this repository whose corpus was asked."""

    digest: Digest | None = None
    contracts: Digest | None = None


class Harness(Record):
    """What put the questions."""

    name: Slug
    """Its own name, the same in every run."""

    version: Name
    """Its version, down to the patch."""

    contract: Annotated[int, Field(ge=1, le=INTEGER_LIMIT)]
    """Goes up when the same system could answer otherwise, not with every patch."""


class Environment(Record):
    """The machine, without host or user names."""

    os: Name
    python: Name
    cpu: Name


class BenchmarkAsked(Record):
    """Which benchmark a run is a run of."""

    id: Slug
    version: Name


class Manifest(Record):
    """`run.json`: everything about a run but its observations. What is left out is unknown."""

    format: Literal["assay.bundle/1"]
    run: Slug
    """Id of the run."""

    benchmark: BenchmarkAsked
    started: Moment
    finished: Moment | None = None
    status: Literal["complete", "stopped"]
    stopped: Literal["budget", "interrupt", "crash"] | None = None
    """Why it stopped before its end."""

    filter: Name | None = None
    """What narrowed the run to part of the corpus."""

    repetitions: Annotated[int, Field(ge=1, le=10_000)]
    corpus: Corpus = Corpus()
    tree_at_start: Tree = Tree(clean="unknown", reason="the harness did not say")
    tree_at_end: Tree = Tree(clean="unknown", reason="the harness did not say")
    subject: Subject | None = None
    systems: tuple[System, ...]
    harness: Harness
    budget: dict[Slug, Count] = {}
    environment: Environment | None = None

    @field_validator("systems")
    @classmethod
    def _each_system_once(cls, systems: tuple[System, ...]) -> tuple[System, ...]:
        ids = [system.id for system in systems]
        if not ids or len(set(ids)) != len(ids):
            message = "a run has at least one system, and each id stands once"
            raise ValueError(message)
        return systems

    @field_validator("systems")
    @classmethod
    def _systems_can_be_told_apart(cls, systems: tuple[System, ...]) -> tuple[System, ...]:
        """Two that are the very same are left to the gate, which says that better."""
        found: dict[str, System] = {}
        for system in systems:
            unnamed = system.model_copy(update={"id": ""})
            other = found.setdefault(digest_of_json(as_seen(unnamed.plain())), system)
            if unnamed != other.model_copy(update={"id": ""}):
                message = (
                    f"the systems {other.id!r} and {system.id!r} look the same to a reader, and "
                    "differ in what can't be seen"
                )
                raise ValueError(message)
        return systems

    @model_validator(mode="after")
    def _stopped_says_why(self) -> "Manifest":
        if (self.status == "stopped") != (self.stopped is not None):
            message = "`stopped` says why a run has the status stopped, and stands only there"
            raise ValueError(message)
        return self


Counter = Annotated[int, msgspec.Meta(ge=0, le=INTEGER_LIMIT)]
"""A number of things or microseconds that every reader of JSON takes for the same integer."""

Short = Annotated[str, msgspec.Meta(min_length=1, max_length=300)]

Outcome = Literal[
    "completed",
    "failed",
    "timeout",
    "cancelled",
    "over_budget",
    "malformed",
    "no_tool_call",
    "provider_error",
    "harness_error",
    "skipped",
]
"""How an attempt ended."""

EXCLUDED: tuple[Outcome, ...] = ("provider_error", "harness_error", "over_budget")
"""Endings that are not the system's fault: out of every measure, and counted apart."""


class Observation(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False
):
    """A shape on the hot path, strict; it holds no cycle, so that nobody needs to look for one."""


class Tokens(Observation, frozen=True):
    """Tokens by kind, never added into one; a missing counter is missing, not zero."""

    input: Counter | None = None
    """Of the request."""

    output: Counter | None = None
    """Of the reply, those of reasoning included where the provider counts so."""

    reasoning: Counter | None = None
    """Of what was thought before the reply."""

    cache_read: Counter | None = None
    """Of the request, as far as they came from a cache."""

    cache_created: Counter | None = None
    """Of the request, as far as they were put into one."""


class ToolCall(Observation, frozen=True):
    """A call that the system made, as it made it."""

    name: str
    """The tool that it called."""

    arguments: msgspec.Raw = msgspec.Raw(b"{}")
    """As sent: an object, or the text of one that does not parse."""

    outcome: str | None = None
    """What the other side did with it: `accepted`, or `refused` before anything was done."""

    answer: str | None = None
    """What it came back with, as the system was shown it."""


class Try(Observation, frozen=True):
    """A request that the provider refused, or that never arrived, and was sent again."""

    status: int | None = None
    """Its status; none where no answer came."""

    reason: str | None = None
    """In the provider's words, or the harness's."""

    waited_us: Counter | None = None
    """Microseconds until it was sent again."""


class Turn(Observation, frozen=True):
    """One reply of the system."""

    content: str | None = None
    """What it said."""

    refusal: str | None = None
    """Its own words where it declined to answer."""

    tool_calls: tuple[ToolCall, ...] = ()
    """What it called, in its order."""

    tokens: Tokens | None = None
    """What the reply took, as the provider counted."""

    elapsed_us: Counter | None = None
    """Microseconds from the request to the reply."""

    tries: tuple[Try, ...] = ()
    """Requests that were refused before this reply came."""

    model: str | None = None
    """What the provider called the model that replied."""


class Change(Observation, frozen=True):
    """A difference in the state of the subject, before an attempt and after it."""

    kind: Short
    """What kind of thing it is: `part`, `order`."""

    thing: Short
    """Its id there."""

    what: Literal["added", "changed", "removed"]
    fields: tuple[str, ...] = ()
    """Names of what is different, of a thing that was there before and after."""


class Verification(Observation, frozen=True):
    """What an oracle said of what an attempt left behind."""

    status: int | None = None
    """Its exit status, 0 where the task was done; negative where a signal ended it, none where it
    did not end in time."""

    elapsed_us: Counter | None = None
    """Microseconds that it took."""


class Usage(Observation, frozen=True):
    """What a program that was run said it used, as far as its events tell."""

    status: Literal["observed", "partial", "unavailable"]
    """Whether its events came whole; totals stand only where they did."""

    tokens: Tokens | None = None
    tool_calls: Counter | None = None
    """Calls that came to an end, those in error included."""

    tool_errors: Counter | None = None

    def __post_init__(self) -> None:
        """Refuse totals of events that did not come whole."""
        totals = (self.tokens, self.tool_calls, self.tool_errors)
        if self.status != "observed" and totals != (None, None, None):
            message = f"totals are withheld where they are {self.status}"
            raise ValueError(message)


class Attempt(Observation, frozen=True):
    """One system trying one case once: what happened, and never a score."""

    id: Short
    case: Short
    system: Short
    repetition: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    outcome: Outcome
    run: Short | None = None
    """Id of the run that it belongs to, by which fragments of two runs are told apart."""

    reason: str | None = None
    """Why it did not complete."""

    stimulus: str | None = None
    """What was put to the system, as sent."""

    fixtures: msgspec.Raw = msgspec.Raw(b"{}")
    """What was made before it: by the name that the case gives it, its names and ids."""

    turns: tuple[Turn, ...] = ()
    elapsed_us: Counter | None = None
    """Microseconds that the attempt took."""

    tries: tuple[Try, ...] = ()
    """Requests that were refused, and no reply came after them."""

    changes: tuple[Change, ...] | None = None
    """What it changed in the subject; none where nobody looked."""

    verification: Verification | None = None
    """What the oracle said, where there is one and the attempt completed."""

    usage: Usage | None = None
    """What the program said it used, where it was run and not asked turn by turn."""
