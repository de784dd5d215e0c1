"""Set up a clone and do the main job: `python3 -m generator.press`, from the root of the clone.

Needs nothing but Python and git, so it imports nothing but the standard library. It installs the
project and the programs under test into `.venv`, runs the benchmark `json-repair` on them,
rehearses the recording of that run against the published rows, draws the pages, and builds the
site.
"""

import subprocess
import sys
import threading
import time
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HARNESS = "results/benchmarks/json-repair/harness"
RUN = "dist/runs/json-repair"
RUNNING = ("run", "json-repair", "--system", "all", "--jobs", "2", "--out", RUN)
OLDEST = (3, 11)


def main() -> int:
    """Do every step; the exit code is that of the first that failed."""
    if sys.version_info < OLDEST:
        return _fail(f"Python {sys.version.split()[0]} is too old: 3.11 or newer is needed.")
    if not (ROOT / "pyproject.toml").is_file():
        return _fail("This needs a clone of the project: run it from the root of one.")
    programs = ROOT / ".venv" / ("Scripts" if sys.platform == "win32" else "bin")
    python = str(programs / "python")
    if not Path(python).exists():
        try:
            venv.create(ROOT / ".venv", with_pip=True)
        except (subprocess.CalledProcessError, OSError) as fault:
            return _fail(f".venv can't be made ({fault}). Debian and Ubuntu need python3-venv.")
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    results = [python, "-m", "generator"]
    programs_under_test = ["--no-deps", "--requirement", f"{HARNESS}/requirements.txt"]
    steps = (
        Step([*pip, "--editable", "."], told="installing the project"),
        Step([*pip, *programs_under_test], told="installing the programs under test"),
        # What a run prints is for whoever runs it alone; here the rehearsal says what counts.
        Step([*results, *RUNNING], shown=False),
        Step([*results, "record", RUN, "--dry-run", "--replace"]),
        Step([*results, "build"]),
    )
    return next(filter(None, map(_run, steps)), 0)


@dataclass(frozen=True)
class Step:
    """A command of the job."""

    command: Sequence[str]
    told: str = ""
    """What is said on a terminal while it lasts, where the command says nothing itself."""

    shown: bool = True
    """Whether what it prints on standard output is part of the job's own output."""


def _run(step: Step) -> int:
    ended = threading.Event()
    teller = threading.Thread(target=_tell, args=(step.told, ended), daemon=True)
    if step.told and sys.stderr.isatty():
        teller.start()
    try:
        stdout = None if step.shown else subprocess.DEVNULL
        return subprocess.run(step.command, cwd=ROOT, stdout=stdout, check=False).returncode
    finally:
        ended.set()
        if teller.ident is not None:
            teller.join()


def _tell(what: str, ended: threading.Event) -> None:
    started = time.monotonic()
    while not ended.wait(0.5):
        sys.stderr.write(f"\r\x1b[K{what} … {time.monotonic() - started:.0f} s")
        sys.stderr.flush()
    sys.stderr.write("\r\x1b[K")
    sys.stderr.flush()


def _fail(what: str) -> int:
    sys.stderr.write(f"error: {what}\n")
    return 2


if __name__ == "__main__":
    sys.exit(main())
