"""`score --truth --evals`: the report of an experiment that was classified point by point."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from generator.errors import AssayError, BundleError, CorpusError, UsageError
from generator.families.catalog import point_by_point
from generator.records.base import canonical_json, fault_in, strict_json
from generator.store.atomic import write

LIMIT = 1 << 30
"""How many bytes a ground truth, the evaluations or a report may have."""

_HALF = re.compile(rb"\\u[dD][89a-fA-F]")

NAMED = 10
"""How many runs a note names; of the others it says how many they are."""


def evaluate(truth: Path, evals: Path, limits: Mapping[str, Any]) -> dict[str, Any]:
    """The report of an experiment; writes nothing.

    `limits` override those of the engine. Raises UsageError where a file can't be opened,
    CorpusError for a ground truth that is no JSON, and BundleError for evaluations that are none or
    that hold no experiment.
    """
    ground_truth = read_json(truth, CorpusError)
    said = read_json(evals, BundleError)
    if not isinstance(said, dict):
        raise BundleError(
            f"{evals}: expected was an object with experiment and evaluations.",
            "Put the runs into experiment, and the classifications by run id into evaluations.",
        )
    try:
        return point_by_point.build_experiment_report(
            ground_truth, said.get("experiment"), said.get("evaluations"), limits=limits
        )
    except point_by_point.PointsFault as fault:
        raise BundleError(f"{evals}: {fault.what}", fault.remedy) from fault


def write_report(report: Mapping[str, Any], out: Path, read: Iterable[Path]) -> None:
    """Put a report in place, canonically; raises UsageError where it was made of that very file."""
    if any(out.exists() and path.samefile(out) for path in read):
        raise UsageError(
            f"{out} is what the report was made of.", "Name another file to write it to."
        )
    write(out, canonical_json(report))


def read_json(path: Path, kind: type[AssayError]) -> Any:  # noqa: ANN401  any JSON value
    """The value in a file; raises UsageError where it can't be opened, and `kind` for no JSON."""
    try:
        with path.open("rb") as file:
            content = file.read(LIMIT + 1)
    except OSError as fault:
        raise UsageError(
            f"{path} can't be read: {fault.strerror}.", "Name a file that holds JSON."
        ) from fault
    if len(content) > LIMIT:
        raise kind(f"{path} has more than {LIMIT} bytes.", "Split the experiment into several.")
    try:
        value = strict_json(content)
        if _HALF.search(content):
            canonical_json(value)  # half of a surrogate pair can be read, and not be written
    except (ValueError, RecursionError) as fault:
        raise kind(
            f"{path} is no JSON that can be relied on: {fault_in(content, fault)}.",
            "Write it again, as UTF-8 and with each key once in an object.",
        ) from fault
    return value


def notes(report: Mapping[str, Any]) -> Iterable[str]:
    """What a reader has to know who only looks at figures, as sentences."""
    invalid = [run for run in report["runs"] if not run["valid"]]
    for run in invalid[:NAMED]:
        why = " ".join(map(point_by_point.explained, run["validation"]["errors"]))
        yield f"The run {run['run_id']} is invalid and has no figures. {why}"
    if len(invalid) > NAMED:
        yield f"{len(invalid) - NAMED} more runs are invalid."
    skipped = report["skipped_runs"]
    if skipped:
        named = ", ".join(skipped[:NAMED]) + (", …" if len(skipped) > NAMED else "")
        yield f"Without evaluations, and so skipped: {named} ({len(skipped)} in all)."
    strays = report["evaluations_without_run"]
    if strays:
        named = ", ".join(strays[:NAMED]) + (", …" if len(strays) > NAMED else "")
        yield f"Evaluations that belong to no run: {named} ({len(strays)} in all)."
    if report["comparison_audit"]["truncated"]:
        yield report["comparison_audit"]["says"]
