"""`gate`: thresholds on the figures of a report, of a run or of a row, for pipelines.

A figure is held against its threshold exactly, as its numerator over its denominator, and passes
where it is equal to it. What was not measured passes nothing.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from generator.errors import BundleError, UsageError
from generator.families.catalog import point_by_point
from generator.records.candidate import exact
from generator.records.measure import Measure
from generator.store.bundles import open_bundle
from generator.store.project import Project, find_project
from generator.store.registry import read_registry
from generator.workflow.evaluating import NAMED, read_json
from generator.workflow.record import in_short
from generator.workflow.score import score

_PLACES = 6
"""Decimals of a figure in a sentence; it is compared exactly."""

_NUMBER = re.compile(r"[+-]?[0-9]{1,40}(?:\.[0-9]{1,40})?(?:[eE][+-]?[0-9]{1,2})?")
_TERM = re.compile(r"[0-9]{1,60}(?:\.[0-9]{1,40})?")

_CLOSE = Fraction(1, 10**9)
"""How far a figure of a report may lie from what its terms come to."""

Bound = Literal["min", "max"]


@dataclass(frozen=True, slots=True)
class Threshold:
    """What a figure must keep to."""

    measure: str
    """The public id of the measure."""

    bound: Bound
    text: str
    """The limit as it was written."""

    @property
    def limit(self) -> Fraction:
        """The limit, exact."""
        return Fraction(self.text)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as a gate sees it."""

    value: Fraction | None
    """Exact; none where nothing was measured."""

    terms: str
    """What it is made of, in a few characters."""


@dataclass(frozen=True, slots=True)
class Gate:
    """A threshold, and what became of it."""

    threshold: Threshold
    figure: Figure
    passed: bool
    says: str


@dataclass(frozen=True, slots=True)
class Gated:
    """All gates of one run, system or row."""

    subject: str
    faults: tuple[str, ...]
    """Why it fails whatever its figures are; nothing where it is valid."""

    gates: tuple[Gate, ...]

    @property
    def passed(self) -> bool:
        """Whether it is valid and every figure keeps to its threshold."""
        return not self.faults and all(gate.passed for gate in self.gates)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything that was gated, and what a reader should know besides."""

    gated: tuple[Gated, ...]
    notes: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether all of it passed."""
        return all(one.passed for one in self.gated)


def threshold(said: str, bound: Bound) -> Threshold:
    """A threshold from `MEASURE=X`; raises UsageError."""
    measure, equals, limit = said.rpartition("=")
    if not (measure and equals):
        raise UsageError(
            f"--{bound} {said!r} names no measure and limit.",
            f"Say --{bound} MEASURE=X, as in --{bound} passed=0.9.",
        )
    return limited(measure, bound, limit)


def limited(measure: str, bound: Bound, limit: str) -> Threshold:
    """A threshold of a measure; raises UsageError for a limit that is no decimal."""
    if not _NUMBER.fullmatch(limit):
        raise UsageError(
            f"The limit {limit!r} of {measure} is no decimal.",
            "Write a number such as 0.02; a share is a number from 0 to 1.",
        )
    return Threshold(measure, bound, limit)


def gate(
    target: str, thresholds: Sequence[Threshold], *, start: Path, which: str | None = None
) -> Outcome:
    """Hold thresholds against a report, the folder of a run, or a published row.

    `which` names the run of a report, or the system of a run's folder; by default it is a report's
    last run, and every system. `start` is a folder of the project, which a report needs not.
    Raises UsageError for what is not there, and BundleError for what can't be read.
    """
    if not thresholds:
        raise UsageError(
            "There is no threshold to hold anything against.",
            "Name one, as in --min MEASURE=X or --max MEASURE=X.",
        )
    path = Path(target)
    there = _is_there(path)
    if there and not path.is_dir():
        return _of_report(path, thresholds, which)
    project = find_project(start)
    if there:
        return _of_run(project, path, thresholds, which)
    if which is not None:
        raise UsageError(
            "A row is of one system.", "Leave --run out, or name a report or the folder of a run."
        )
    return _of_row(project, target, thresholds)


def _is_there(path: Path) -> bool:
    """Whether a file or a folder has that name; what can be no name at all has none."""
    try:
        return path.exists()
    except OSError:
        return False


def _of_report(path: Path, thresholds: Sequence[Threshold], which: str | None) -> Outcome:
    report = read_json(path, BundleError)
    runs = _runs(report, path)
    if which is None:
        chosen, subject = runs[-1:], "the last run"
    else:
        chosen, subject = [run for run in runs if run["run_id"] == which], f"the run {which}"
    left_out = report.get("skipped_runs")
    skipped = left_out if isinstance(left_out, list) else []
    if not chosen:
        if which in skipped:
            raise UsageError(
                f"{path}: the run {which} was skipped, since it has no evaluations.",
                "Evaluate it, and score the experiment again.",
            )
        known = ", ".join(str(run["run_id"]) for run in runs[:NAMED])
        raise UsageError(
            f"{path} does not have {subject}.",
            f"Name one of its runs with --run: {known}." if runs else "Score a run first.",
        )
    note = (
        f"Runs that have no evaluations are not in the report ({len(skipped)} in all); name the "
        "run that you mean with --run."
    )
    gated = [
        _gated(f"the run {run['run_id']}", _faults(run), _figures(run, path), thresholds)
        for run in chosen
    ]
    return Outcome(tuple(gated), (note,) if skipped and which is None else ())


def _runs(report: Any, path: Path) -> list[dict[str, Any]]:  # noqa: ANN401  any JSON value
    """The runs of a report, each an object with its figures; raises BundleError."""
    schema = point_by_point.SCHEMA
    found = report.get("runs") if isinstance(report, dict) else None
    if not isinstance(found, list) or report.get("schema") != schema:
        raise BundleError(
            f"{path} is no report of the schema {schema}.",
            "Name a file that results score --truth --evals wrote.",
        )
    for number, run in enumerate(found, 1):
        if not isinstance(run, dict) or not {"run_id", "valid", "metrics"} <= run.keys():
            raise _spoilt(path, f"the run of number {number} has no run_id, valid and metrics")
        if not isinstance(run["metrics"], dict):
            raise _spoilt(path, f"the metrics of the run of number {number} are no object")
    return found


def _spoilt(path: Path, what: str) -> BundleError:
    return BundleError(f"{path}: {what}.", "Write the report again with results score.")


def _faults(run: Mapping[str, Any]) -> tuple[str, ...]:
    if run["valid"] is True:
        return ()
    validation = run.get("validation")
    errors = validation.get("errors") if isinstance(validation, dict) else None
    said = errors if isinstance(errors, list) else []
    return ("It is invalid.", *(point_by_point.explained(str(error)) for error in said))


def _figures(run: Mapping[str, Any], path: Path) -> dict[str, Figure]:
    """The figures of a run by id; raises BundleError where one contradicts its own terms."""
    terms = run.get("metric_terms")
    known = terms if isinstance(terms, dict) else {}
    return {
        metric: _figure(f"{metric} of the run {run['run_id']}", value, known.get(metric), path)
        for metric, value in run["metrics"].items()
    }


def _figure(name: str, value: Any, terms: Any, path: Path) -> Figure:  # noqa: ANN401
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise _spoilt(path, f"{name} is neither a number nor null")
    published = None if value is None else Fraction(Decimal(repr(value)))
    if not isinstance(terms, dict):  # another program's report, which has only figures
        return Figure(published, "-" if value is None else repr(value))
    if "sum" in terms:
        counted, shown = _term(terms["sum"]), str(terms["sum"])
    else:
        above, below = (_term(terms.get(end)) for end in ("numerator", "denominator"))
        shown = f"{terms.get('numerator')}/{terms.get('denominator')}"
        counted = above / below if above is not None and below else None
    apart = (counted is None) != (published is None)
    if not apart and counted is not None and published is not None:
        apart = abs(counted - published) > _CLOSE * max(Fraction(1), abs(published))
    if apart:
        raise _spoilt(path, f"{name} is {value}, and its terms are {shown}")
    return Figure(counted, shown)


def _term(said: object) -> Fraction | None:
    if isinstance(said, int) and not isinstance(said, bool) and said >= 0:
        return Fraction(said)
    return Fraction(said) if isinstance(said, str) and _TERM.fullmatch(said) else None


def _of_run(
    project: Project, folder: Path, thresholds: Sequence[Threshold], which: str | None
) -> Outcome:
    manifest = open_bundle(folder).manifest
    scored = score(project, folder)
    if which is not None and which not in scored:
        raise UsageError(
            f"The run {manifest.run} has no system {which}.",
            f"Name one of its systems: {', '.join(scored)}.",
        )
    faults = (
        ()
        if manifest.status == "complete"
        else (f"The run was not run to its end: it has the status {manifest.status}.",)
    )
    return Outcome(
        tuple(
            _gated(f"the system {system}", faults, _measured(scores.measures), thresholds)
            for system, scores in scored.items()
            if which in (None, system)
        )
    )


def _of_row(project: Project, row_id: str, thresholds: Sequence[Threshold]) -> Outcome:
    registry = read_registry(project)
    row = registry.rows.get(row_id)
    if row is None:
        raise UsageError(
            f"{row_id} is no report, no folder of a run, and not the id of a row.",
            "Name a file that results score wrote, a folder with run.json in it, or a row as its "
            "file in the registry is called.",
        )
    taken = registry.withdrawals.get(row_id)
    faults = () if taken is None else (f"It is withdrawn: {taken.why}",)
    newer = registry.superseded.get(row_id)
    notes = () if newer is None else (f"A newer row takes its place: {newer}.",)
    return Outcome(
        (_gated(f"the row {row_id}", faults, _measured(row.measures), thresholds),), notes
    )


def _measured(measures: Iterable[Measure]) -> dict[str, Figure]:
    """Measures of any kind; a word has no value, and so is none that could be gated."""
    return {
        measure.id: Figure(exact(measure), in_short(measure))
        for measure in measures
        if measure.kind != "label"
    }


def _gated(
    subject: str,
    faults: tuple[str, ...],
    figures: Mapping[str, Figure],
    thresholds: Iterable[Threshold],
) -> Gated:
    gates = []
    for one in thresholds:
        if one.measure not in figures:
            raise UsageError(
                f"{subject[0].upper()}{subject[1:]} has no measure {one.measure} that is a number.",
                f"Name one that it has: {', '.join(sorted(figures))}.",
            )
        gates.append(_held(one, figures[one.measure]))
    return Gated(subject, faults, tuple(gates))


def _held(one: Threshold, figure: Figure) -> Gate:
    value = figure.value
    if value is None:
        return Gate(one, figure, passed=False, says=f"{one.measure} was not measured.")
    passed = value >= one.limit if one.bound == "min" else value <= one.limit
    about = f"{one.measure} is {_rounded(value)} ({figure.terms})"
    if passed:
        keeps = "at least" if one.bound == "min" else "at most"
        return Gate(one, figure, passed=True, says=f"{about}, {keeps} {one.text}.")
    breaks = "less than" if one.bound == "min" else "more than"
    return Gate(one, figure, passed=False, says=f"{about}, {breaks} {one.text}.")


def _rounded(value: Fraction) -> str:
    return f"{float(value):.{_PLACES}f}".rstrip("0").rstrip(".")
