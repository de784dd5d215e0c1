"""Puts the benchmark `dates` to seven date parsers and writes a run bundle.

    python results/benchmarks/dates/harness/run.py [--out DIR] [--jobs N]

Observations only: whether an answer is right is decided when the bundle is scored.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from queue import Queue
from threading import Event
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[3]
for folder in (ROOT, HERE):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

import pins  # noqa: E402  found through the line above
from supervisor import Reply, StartError, Worker  # noqa: E402
from systems import SYSTEMS, Parser  # noqa: E402

if TYPE_CHECKING:
    from generator.records.bundle import System

BENCHMARK = "dates"
VERSION = "1.0.0"
CONTRACT = 1
"""Goes up when the same parser could answer otherwise: another option, another way to read."""

SYSTEMS_FILE = HERE / "systems.py"
INSTALL = "python -m pip install --no-deps -r results/benchmarks/dates/harness/requirements.txt"

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


@dataclass(frozen=True, slots=True)
class Terms:
    """What every system is asked, and on which terms."""

    questions: tuple[Question, ...]
    reference: str
    seconds: float
    systems_file: Path = SYSTEMS_FILE


@dataclass(slots=True)
class Progress:
    """One line that updates on a terminal, and nothing in a pipe."""

    stream: TextIO
    total: int
    done: int = field(default=0, init=False)

    def step(self, system: str) -> None:
        """One more question was put."""
        self.done += 1
        self._show(f"{system}  {self.done}/{self.total}")

    def close(self) -> None:
        """Leave the line as if nothing had been written."""
        self._show("")

    def _show(self, line: str) -> None:
        if self.stream.isatty():
            self.stream.write(f"\r\x1b[K{line}")
            self.stream.flush()


def ask_all(parsers: Sequence[Parser], terms: Terms, jobs: int) -> Iterator[Asked]:
    """Every question to every system, `jobs` systems at a time; a system's own stay in order."""
    came: Queue[Asked | BaseException | None] = Queue()
    stop = Event()

    def ask_one(parser: Parser) -> None:
        try:
            with Worker(
                terms.systems_file, parser.id, terms.reference, seconds=terms.seconds
            ) as worker:
                for question in terms.questions:
                    if stop.is_set():
                        return
                    came.put(Asked(parser.id, question, worker.ask(question.text)))
        except BaseException as fault:  # noqa: BLE001  raised again where the answers are read
            came.put(fault)
        finally:
            came.put(None)

    with ThreadPoolExecutor(jobs) as pool:
        try:
            for parser in parsers:
                pool.submit(ask_one, parser)
            for _ in parsers:
                yield from _until_done(came)
        finally:
            stop.set()


def _until_done(came: Queue[Asked | BaseException | None]) -> Iterator[Asked]:
    while (item := came.get()) is not None:
        if isinstance(item, BaseException):
            raise item
        yield item


def described(parser: Parser, reference: str, pinned: dict[str, str]) -> System:
    """What the bundle says of a system: the call, its options, and what it stands on."""
    from generator.records.bundle import Runtime, System  # noqa: PLC0415  see `require_package`

    python = platform.python_version()
    own = parser.distribution
    return System(
        id=parser.id,
        provider="pypi" if own else "python",
        model=own or parser.id,
        revision=pinned[own] if own else python,
        runtime=Runtime(
            name=platform.python_implementation(),
            version=python,
            settings={name: pinned[name] for name in sorted(parser.needs)},
        ),
        surface=parser.surface,
        options=parser.options_at(reference),
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
        "repetition": 1,
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
    pinned = pins.read_pins()
    if faults := pins.unmet(pinned):
        message = "\n".join(
            (
                "The parsers are not installed as they are pinned, so nothing was measured:",
                *(f"    {fault}" for fault in faults),
                f"Install them from the root of the repository: {INSTALL}",
            )
        )
        raise SetupError(message)
    return pinned


def measure(out: Path, jobs: int) -> None:
    """Ask every system everything, and write what happened."""
    require_package()
    from generator.errors import AssayError  # noqa: PLC0415  see `require_package`

    try:
        _measure(out, jobs, require_pins())
    except AssayError as fault:
        message = f"{fault.what}\n{fault.remedy}"
        raise SetupError(message) from fault


def _measure(out: Path, jobs: int, pinned: dict[str, str]) -> None:
    from generator.records.bundle import Harness  # noqa: PLC0415  see `require_package`
    from generator.writer import BundleWriter, read_cases, read_scoring  # noqa: PLC0415

    cases, scoring = read_cases(ROOT, BENCHMARK), read_scoring(ROOT, BENCHMARK)
    terms = Terms(
        questions=tuple(Question(case["name"], case["prompt"]) for case in cases),
        reference=scoring["configuration"]["reference"],
        seconds=scoring["limits"]["seconds_per_attempt"],
    )
    progress = Progress(sys.stderr, total=len(SYSTEMS) * len(terms.questions))
    with BundleWriter(
        ROOT,
        out,
        benchmark=BENCHMARK,
        systems=[described(parser, terms.reference, pinned) for parser in SYSTEMS],
        repetitions=1,
        harness=Harness(name=BENCHMARK, version=VERSION, contract=CONTRACT),
    ) as bundle:
        try:
            for asked in ask_all(SYSTEMS, terms, jobs):
                bundle.attempt(**attempt(asked))
                progress.step(asked.system)
        finally:
            progress.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit status."""
    chosen = _parser().parse_args(arguments)
    out: Path = chosen.out.resolve()
    try:
        measure(out, chosen.jobs)
    except (SetupError, StartError) as fault:
        sys.stderr.write(f"{fault}\n")
        return COULD_NOT_RUN
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted: the bundle says so, and cannot be published.\n")
        return INTERRUPTED
    sys.stdout.write(
        f"The bundle lies in {shown(out)}; next: results record {shown(out)} --dry-run\n"
    )
    return 0


def shown(out: Path) -> str:
    """The path as a person at the root of the repository would write it."""
    return out.relative_to(ROOT).as_posix() if out.is_relative_to(ROOT) else str(out)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Put the benchmark `dates` to seven date parsers.")
    parser.add_argument(
        "--out",
        type=Path,
        default=ROOT / "dist" / "runs" / BENCHMARK,
        help="folder of the bundle; one that is there is replaced (dist/runs/dates)",
    )
    parser.add_argument(
        "--jobs", type=_positive, default=1, help="how many systems are asked at once (1)"
    )
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        message = "at least one system has to be asked at a time"
        raise argparse.ArgumentTypeError(message)
    return number


if __name__ == "__main__":
    sys.exit(main())
