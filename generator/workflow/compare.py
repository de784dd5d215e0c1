"""`compare`: two arms of one experiment, from its bundle or from the records of its runs."""

import contextlib
from collections import Counter
from collections.abc import Iterator, Sized
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeAlias

from generator.errors import BundleError, UsageError
from generator.families.catalog import pairing
from generator.records.base import strict_json
from generator.records.bundle import Attempt, Manifest, System
from generator.records.key import COHORT
from generator.records.run_record import (
    LINE_LIMIT,
    MOST,
    ComparisonFault,
    RunRecord,
    outcome_of,
    read_event,
    record_from,
    record_of,
)
from generator.store.bundles import Bundle, open_bundle
from generator.store.lines import Observed

_SAME = ("Comparison arms must differ.", "Name the two arms that are to be compared.")
_MEND = "Run the experiment again; results run writes what a comparison needs."
LIST_LIMIT = 64 * 1024 * 1024
"""How many bytes a list of records may have; lines are read one by one."""

_BOM = b"\xef\xbb\xbf"


_Try: TypeAlias = tuple[str, int]
"""A case and a repetition."""


@dataclass(frozen=True, slots=True)
class Runs:
    """The records of an experiment, and where each stands."""

    name: str
    """What they were read from, for messages."""

    records: tuple[RunRecord, ...]
    places: tuple[str, ...]
    left_out: int = 0
    """Pairs of which an attempt counts in no measure."""


def compare_records(lines: IO[bytes], name: str, baseline: str, candidate: str) -> dict[str, Any]:
    """Two arms by lines of records; raises Bundle- or UsageError."""
    read = list(_records(lines, name))
    records, places = tuple(record for record, _ in read), tuple(place for _, place in read)
    return _compared(Runs(name, records, places), baseline, candidate)


def compare_file(path: Path, baseline: str, candidate: str) -> dict[str, Any]:
    """Two arms by a bundle's folder or a file of records; raises Bundle- or UsageError."""
    if path.is_dir():
        return compare_bundle(path, baseline, candidate)
    try:
        with path.open("rb") as lines:
            return compare_records(lines, str(path), baseline, candidate)
    except OSError as fault:
        raise UsageError(
            f"{path} can't be read: {fault.strerror}.",
            "Name the folder of a run, or a file with one record a line; - is standard input.",
        ) from fault


def compare_bundle(folder: Path, baseline: str, candidate: str) -> dict[str, Any]:
    """Two arms of a run that ended well; raises Bundle- or UsageError."""
    bundle = open_bundle(folder)
    manifest = bundle.manifest
    if manifest.status != "complete":
        raise BundleError(
            f"{folder}: the run {manifest.run} is incomplete: it has the status "
            f"{manifest.status} ({manifest.stopped}), and gives no comparison.",
            "Run it to its end; half an experiment compares what happened to come first.",
        )
    arms = _system(manifest, baseline), _system(manifest, candidate)
    if arms[0] == arms[1]:
        raise UsageError(*_SAME)
    runs = _runs_of(bundle, arms, (baseline, candidate))
    bundle.refuse_change()
    return _compared(runs, baseline, candidate)


def _compared(runs: Runs, baseline: str, candidate: str) -> dict[str, Any]:
    if baseline == candidate:
        raise UsageError(*_SAME)
    try:
        return pairing().compare(runs.records, baseline, candidate, left_out=runs.left_out)
    except ComparisonFault as fault:
        place = runs.name if fault.at is None else runs.places[fault.at]
        counted = f" ({_number_of(runs.records)})" if fault.at is None else ""
        raise BundleError(f"{place}: {fault}{counted}.", fault.remedy) from fault


def _number_of(records: Sized) -> str:
    number = len(records)
    return f"there are more than {MOST}" if number > MOST else f"there are {number}"


def _records(lines: IO[bytes], name: str) -> Iterator[tuple[RunRecord, str]]:
    """Each record with its place; one more than can be compared at the most."""
    number = found = 0
    while found <= MOST and (raw := lines.readline(LINE_LIMIT + len(b"\r\n"))):
        number += 1
        line = raw.removesuffix(b"\n").removesuffix(b"\r")
        if not found and line.lstrip(b" \t").startswith(b"["):
            yield from _listed(raw + lines.read(LIST_LIMIT + 1), name)
            return
        place = f"{name}:{number}"
        if line.strip(b" \t"):
            record = _record(line, place, whole=raw.endswith(b"\n"))
            if record is not None:
                yield record, place
                found += 1


def _listed(content: bytes, name: str) -> Iterator[tuple[RunRecord, str]]:
    """The same from one list of them."""
    if len(content) > LIST_LIMIT:
        raise BundleError(
            f"{name}: a list of more than {LIST_LIMIT} bytes.", "Write one record a line."
        )
    try:
        values = strict_json(content)
    except (ValueError, RecursionError) as fault:
        raise BundleError(
            f"{name}: it begins as a list, and is none: {fault}.",
            "Write one record a line, or a list of them.",
        ) from fault
    for number, value in enumerate(values[: MOST + 1], 1):
        place = f"{name}, record {number}"
        try:
            yield record_from(value), place
        except ComparisonFault as fault:
            raise BundleError(f"{place}: {fault}.", fault.remedy) from fault


def _record(line: bytes, place: str, *, whole: bool) -> RunRecord | None:
    try:
        return read_event(line)
    except ComparisonFault as fault:
        if line.startswith(_BOM):
            raise BundleError(
                f"{place}: the line begins with a byte order mark.",
                "Write the file again as UTF-8 without one.",
            ) from fault
        if not whole and len(line) <= LINE_LIMIT and not _is_json(line):
            raise BundleError(
                f"{place}: the last line is cut off.",
                "What wrote it was ended; run the experiment again, since an interrupted one gives "
                "no comparison.",
            ) from fault
        raise BundleError(f"{place}: the line is no record of a run: {fault}.", fault.remedy) from (
            fault
        )


def _is_json(line: bytes) -> bool:
    with contextlib.suppress(ValueError, RecursionError):
        strict_json(line)
        return True
    return False


def _system(manifest: Manifest, arm: str) -> System:
    """The system of a run that is called so, by its arm or else by its id."""
    found = [system for system in manifest.systems if system.arm == arm]
    if len(found) > 1:
        names = ", ".join(system.id for system in found)
        raise UsageError(
            f"The arm {arm} has several systems in the run {manifest.run}: {names}.",
            "Name two systems by their ids.",
        )
    found = found or [system for system in manifest.systems if system.id == arm]
    if not found:
        known = ", ".join(system.arm or system.id for system in manifest.systems)
        raise UsageError(
            f"The run {manifest.run} has no arm {arm}.", f"Name two of its arms: {known}."
        )
    return found[0]


def _runs_of(bundle: Bundle, arms: tuple[System, System], names: tuple[str, str]) -> Runs:
    """The attempts of two systems as records, without pairs of which one counts nowhere."""
    gathered = _Gathered(bundle, arms, names)
    for observed in bundle.attempts():
        gathered.add(observed)
        if len(gathered.records) > MOST:
            break
    gathered.refuse_unjudged()
    return gathered.runs()


class _Gathered:
    """Attempts of two systems, as they are read from a bundle."""

    def __init__(self, bundle: Bundle, arms: tuple[System, System], names: tuple[str, str]) -> None:
        corpus = bundle.manifest.corpus.digest or "unknown"
        self._bundle = bundle
        self._names = {system.id: name for system, name in zip(arms, names, strict=True)}
        self._cohorts = {system.id: system.axes.get(COHORT, corpus) for system in arms}
        self._model = ", ".join(dict.fromkeys(f"{arm.provider}/{arm.model}" for arm in arms))
        self._out: Counter[_Try] = Counter()
        self._completed = self._judged = 0
        self.records: list[tuple[_Try, RunRecord, str]] = []
        """Each with its try and its place."""

    def add(self, observed: Observed) -> None:
        """Keep an attempt of one of the two; raises BundleError for one of another run."""
        attempt, place = observed.attempt, f"{self._bundle.folder / observed.place}"
        if attempt.system not in self._names:
            return
        self._refuse_stray(attempt, place)
        self._completed += attempt.outcome == "completed"
        self._judged += attempt.verification is not None
        if outcome_of(attempt) is None:
            self._out[attempt.case, attempt.repetition] += 1
            return
        try:
            record = record_of(
                attempt,
                model=self._model,
                arm=self._names[attempt.system],
                cohort=self._cohorts[attempt.system],
            )
        except ComparisonFault as fault:
            raise BundleError(f"{place}: the attempt can't be compared: {fault}.", _MEND) from fault
        self.records.append(((attempt.case, attempt.repetition), record, place))

    def _refuse_stray(self, attempt: Attempt, place: str) -> None:
        manifest = self._bundle.manifest
        of_this = attempt.run in (None, manifest.run)
        if not of_this or attempt.repetition > manifest.repetitions:
            raise BundleError(
                f"{place}: the attempt {attempt.id} is not of the run {manifest.run} with its "
                f"repetitions 1 to {manifest.repetitions}.",
                "Put each run into a folder of its own.",
            )

    def refuse_unjudged(self) -> None:
        """Raise BundleError where attempts completed, and no oracle looked at any of them."""
        if self._completed and not self._judged:
            raise BundleError(
                f"{self._bundle.folder}: no oracle looked at any of the {self._completed} attempts "
                "that completed, so none is verified.",
                "Compare runs of a paired experiment; results score has the measures of others.",
            )

    def runs(self) -> Runs:
        """What is to be compared; raises BundleError where what is left out is half a pair."""
        tries = self._out + Counter(which for which, _, _ in self.records)
        for which in self._out:
            if tries[which] != len(self._names):
                raise BundleError(
                    f"{self._bundle.folder}: {which[0]} #{which[1]} was not tried once by each arm "
                    f"but {tries[which]} times in all.",
                    _MEND,
                )
        kept = [each for each in self.records if each[0] not in self._out]
        return Runs(
            str(self._bundle.folder),
            tuple(record for _, record, _ in kept),
            tuple(place for _, _, place in kept),
            left_out=len(self._out),
        )
