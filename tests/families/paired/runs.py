"""A small experiment as records: two tasks, twice each; a test spoils one thing of it."""

from typing import Any

from generator.records.run_record import RunRecord, record_from

SOUND: dict[str, Any] = {
    "taskID": "task",
    "arm": "baseline",
    "model": "none/none",
    "cohort": "first",
    "repetition": 0,
    "outcome": "completed",
    "verified": True,
    "elapsedMs": 100,
}
"""A record with nothing but what every record has."""


def run(arm: str = "baseline", **spoilt: object) -> dict[str, Any]:
    """The sound record of an arm, with some of its values changed; None takes a key away."""
    said = {**SOUND, "arm": arm, **spoilt}
    return {key: value for key, value in said.items() if value is not None}


def record(arm: str = "baseline", **spoilt: object) -> RunRecord:
    """The same, read."""
    return record_from(run(arm, **spoilt))
