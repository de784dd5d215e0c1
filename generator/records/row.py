"""What the registry holds: rows, and withdrawals beside them."""

from typing import Literal

from pydantic import NonNegativeInt

from generator.records.base import Commit, Digest, Moment, Name, Record, Slug
from generator.records.benchmark import Field
from generator.records.bundle import Environment, Tree
from generator.records.key import EFFORT, Key, row_id
from generator.records.measure import Measure

REVISION = 24
"""How many characters of a revision belong to a name; a longer one stands with the provenance."""

Standing = Literal["recomputed", "attested", "reported"]
"""How the measures came to be: scored here, judged at run time, or totals of somebody else."""


class RunFacts(Record):
    """The run that a row comes from."""

    id: Slug
    started: Moment
    finished: Moment
    system: Slug
    """The system's name within the bundle."""

    harness_version: Name
    commit: Commit
    """Commit of this repository whose corpus was asked."""

    tree_at_start: Tree
    tree_at_end: Tree
    environment: Environment | None = None


class Tokens(Record):
    """Tokens of all attempts by kind; a kind that no attempt reported is missing."""

    input: NonNegativeInt | None = None
    output: NonNegativeInt | None = None
    reasoning: NonNegativeInt | None = None
    cache_read: NonNegativeInt | None = None
    cache_created: NonNegativeInt | None = None


class Counts(Record):
    """What the measures leave out, and how much there was of everything."""

    attempts: NonNegativeInt
    scored: NonNegativeInt
    turns: NonNegativeInt
    skipped: NonNegativeInt = 0
    provider_errors: NonNegativeInt = 0
    harness_errors: NonNegativeInt = 0
    over_budget: NonNegativeInt = 0
    tokens: Tokens = Tokens()


class Contribution(Record):
    """What one case adds to the measures, over all its repetitions."""

    case: Name
    part: Slug | None = None
    measures: tuple[Measure, ...]


class Evidence(Record):
    """The observations behind a row."""

    digest: Digest
    """The sha256 of the uncompressed lines, which is also their address."""

    lines: NonNegativeInt


class Row(Record):
    """The measures of one system in one configuration on one corpus, with full provenance."""

    format: Literal["assay.row/1"]
    id: Slug
    key: Key
    family: Slug
    standing: Standing
    run: RunFacts
    not_applicable: tuple[Field, ...] = ()
    """Provenance fields that the benchmark declared not to apply when the row was recorded."""

    counts: Counts
    measures: tuple[Measure, ...]
    contributions: tuple[Contribution, ...]
    evidence: Evidence
    supersedes: Slug | None = None
    """The row that this one takes the place of."""

    rehearsal: Literal[True] | None = None
    """Set on a row of a rehearsal, which is never published."""

    def measure(self, measure_id: str) -> Measure | None:
        """The measure of that public id, if the row has it."""
        return next((found for found in self.measures if found.id == measure_id), None)

    @property
    def system(self) -> str:
        """The model, and the level of effort that it was asked at, as `model@effort`."""
        effort = self.key.configuration.axes.get(EFFORT)
        return f"{self.key.model}@{effort}" if effort else self.key.model

    @property
    def named_revision(self) -> str | None:
        """The revision, where it is short enough to be part of a name."""
        revision = self.key.revision
        return revision if revision is not None and len(revision) <= REVISION else None

    @property
    def expected_id(self) -> str:
        """The id that follows from the row's own key and evidence."""
        return row_id(self.key, self.evidence.digest)


class Withdrawal(Record):
    """A row taken back; its file and page stay and say why."""

    format: Literal["assay.withdrawal/1"]
    row: Slug
    withdrawn: Moment
    by: Name
    why: Name
