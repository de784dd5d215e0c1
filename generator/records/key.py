"""What makes two runs the same measurement, and what a row is called."""

from pydantic import JsonValue, PositiveInt

from generator.records.base import Digest, Name, Record, Slug, as_seen, digest_of_json, slug
from generator.records.bundle import Runtime, Subject

SHORT = 10
"""How many hex digits of a digest stand in a row's id."""


EFFORT = "effort"
"""The axis of reasoning effort."""

COHORT = "cohort"
"""The axis that tells one paired experiment from another: the digest of its manifest, shortened."""

EFFORT_BY = "effort-by"
"""How it was asked: `prompted`, where the system has no setting of its own for it."""


class Configuration(Record):
    """How the system was used."""

    surface: Name | None = None
    options: dict[str, JsonValue] | None = None
    axes: dict[Slug, Slug] = {}
    arm: Slug | None = None
    prompt: Digest | None = None


class Key(Record):
    """Two rows that differ in any of this are two measurements, and never replace each other."""

    benchmark: Slug
    benchmark_version: Name
    provider: Name
    model: Name
    revision: Name | None = None
    runtime: Runtime | None = None
    configuration: Configuration
    subject: Subject | None = None
    corpus: Digest
    contracts: Digest
    tools: Digest | None = None
    harness: Slug
    harness_contract: PositiveInt
    repetitions: PositiveInt
    environment_class: Name | None = None
    """Set where the benchmark publishes timed measures: they hold for that class of machine."""

    @property
    def digest(self) -> str:
        """The sha256 of the key's canonical JSON."""
        return digest_of_json(self.plain())

    @property
    def seen(self) -> str:
        """The same of the key as a reader sees it: two that agree in it read as one."""
        return digest_of_json(as_seen(self.plain()))


def row_id(key: Key, evidence: str) -> str:
    """A readable slug, a digest of the key, a digest of the evidence; safe on every file system."""
    readable = slug(f"{key.model} {key.revision or ''}") or "system"
    return f"{readable}-{key.digest[:SHORT]}-{evidence[:SHORT]}"
