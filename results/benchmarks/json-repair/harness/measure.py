"""Puts the benchmark `json-repair` to nine programs that read JSON, and writes a run bundle.

    python results/benchmarks/json-repair/harness/measure.py [--out DIR]

Observations only: whether an answer is right is decided when the bundle is scored.

No module here is named as one of another harness is: tests and type checker see them all at once.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[3]
for folder in (ROOT, HERE):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

import versions  # noqa: E402  found through the line above
from repairers import SYSTEMS, Repairer  # noqa: E402
from workers import Reply, StartError, Worker  # noqa: E402

if TYPE_CHECKING:
    from generator.records.bundle import System

BENCHMARK = "json-repair"
VERSION = "1.0.0"
CONTRACT = 1
"""Goes up when the same program could answer otherwise: another call, another way to read."""

SYSTEMS_FILE = HERE / "repairers.py"
INSTALL = f"python -m pip install --no-deps -r {versions.REQUIREMENTS.relative_to(ROOT).as_posix()}"

COULD_NOT_RUN = 2
INTERRUPTED = 130


class SetupError(Exception):
    """What a person has to mend before anything can be measured."""


@dataclass(frozen=True, slots=True)
class Question:
    """One case as it is put to a system."""

    case: str
    text: str


class Asked(NamedTuple):
    """What became of one question."""

    system: str
    question: Question
    reply: Reply


def ask_all(
    systems: Sequence[Repairer],
    questions: Sequence[Question],
    *,
    seconds: float,
    systems_file: Path = SYSTEMS_FILE,
) -> Iterator[Asked]:
    """Every question to every system, one after the other."""
    for system in systems:
        with Worker(systems_file, system.id, seconds=seconds) as worker:
            for question in questions:
                yield Asked(system.id, question, worker.ask(question.text))


def described(system: Repairer, pins: Mapping[str, str]) -> System:
    """What the bundle says of a system: the call, and that no option is passed."""
    from generator.records.bundle import Runtime, System  # noqa: PLC0415  see `require_package`

    python = platform.python_version()
    return System(
        id=system.id,
        provider="pypi" if system.own else "python",
        model=system.id,
        revision=pins[system.id] if system.own else python,
        runtime=Runtime(name=platform.python_implementation(), version=python),
        surface=system.surface,
        options={},
    )


def attempt(asked: Asked) -> dict[str, Any]:
    """The observation as the bundle keeps it."""
    from generator.records.bundle import Turn  # noqa: PLC0415  see `require_package`

    reply = asked.reply
    turns = {
        "answered": [Turn(content=reply.text)],
        "refused": [Turn(content="", refusal=reply.text)],
    }.get(reply.kind)
    return {
        "case": asked.question.case,
        "system": asked.system,
        "outcome": "completed" if turns else reply.kind,
        "reason": None if turns else reply.text,
        "stimulus": asked.question.text,
        "turns": turns or [],
        "elapsed_us": reply.elapsed_us,
    }


def require_package() -> None:
    """The package of this repository writes the bundle: say so where it cannot be imported."""
    try:
        import generator.writer  # noqa: F401, PLC0415  to meet the error here, in words
    except ModuleNotFoundError as missing:
        message = (
            f"The package of this repository cannot be imported: {missing.name} is not installed.\n"
            f"Install it from the root of the repository: python -m pip install -e ."
        )
        raise SetupError(message) from missing


def require_pins() -> dict[str, str]:
    """The pinned versions, where exactly those are installed."""
    pins = versions.pinned()
    here = {name: versions.installed(name) for name in pins}
    if faults := versions.unmet(pins, here):
        message = "\n".join(
            (
                "The programs are not installed as they are pinned, so nothing was measured:",
                *(f"    {fault}" for fault in faults),
                f"Install them from the root of the repository: {INSTALL}",
            )
        )
        raise SetupError(message)
    return pins


def measure(out: Path) -> None:
    """Ask every system everything, and write what happened."""
    require_package()
    from generator.errors import AssayError  # noqa: PLC0415  see `require_package`

    try:
        _measure(out, require_pins())
    except AssayError as fault:
        message = f"{fault.what}\n{fault.remedy}"
        raise SetupError(message) from fault


def _measure(out: Path, pins: Mapping[str, str]) -> None:
    from generator.records.bundle import Harness  # noqa: PLC0415  see `require_package`
    from generator.writer import BundleWriter, read_cases, read_scoring  # noqa: PLC0415

    questions = [Question(case["name"], case["prompt"]) for case in read_cases(ROOT, BENCHMARK)]
    seconds = read_scoring(ROOT, BENCHMARK)["limits"]["seconds_per_attempt"]
    with BundleWriter(
        ROOT,
        out,
        benchmark=BENCHMARK,
        systems=[described(system, pins) for system in SYSTEMS],
        harness=Harness(name=BENCHMARK, version=VERSION, contract=CONTRACT),
    ) as bundle:
        for asked in ask_all(SYSTEMS, questions, seconds=seconds):
            bundle.attempt(**attempt(asked))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit status."""
    out: Path = _parser().parse_args(arguments).out.resolve()
    try:
        measure(out)
    except (SetupError, StartError) as fault:
        sys.stderr.write(f"{fault}\n")
        return COULD_NOT_RUN
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted: the bundle says so, and cannot be published.\n")
        return INTERRUPTED
    shown = out.relative_to(ROOT).as_posix() if out.is_relative_to(ROOT) else str(out)
    sys.stdout.write(f"The bundle lies in {shown}; next: results record {shown} --dry-run\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description="Put the benchmark `json-repair` to nine programs that read JSON."
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=ROOT / "dist" / "runs" / BENCHMARK,
        help="folder of the bundle; one that is there is replaced (dist/runs/json-repair)",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
