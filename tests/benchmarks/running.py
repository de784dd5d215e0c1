"""How fast a run is, against the time that a provider takes: 1,000 attempts, 32 at a time.

    python -m tests.benchmarks.running [ATTEMPTS]

A stub in a process of its own answers each request after 50 ms. Prints the ratio to the ideal (the
attempts, by how many there are at a time, by 50 ms), the share of one core that a hundred requests
a second take, and how much memory four times as many attempts take.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from generator.runners.account import Account
from generator.runners.sweep import Progress
from generator.workflow.run import Wanted, run
from tests.conftest import BENCHMARK, Kit, lay_out

FLOOR = 1.5
"""How many times the ideal it may take, from the first request to the last attempt."""

SHARE = 0.25
"""How much of one core a hundred requests a second may take."""

GROWTH = 1.1
"""How many times as much memory four times as many attempts may take."""

AFTER = 0.05
JOBS = 32
CASES = 4


@dataclass(frozen=True, slots=True)
class Took:
    """What a run took."""

    seconds: float
    """From the first request to the last attempt."""

    whole: float
    """With git's word before and after, and the manifest."""

    cpu: float
    memory: int


def measure(root: Path, attempts: int) -> Took:
    """Run in a process of its own; what it took."""
    words = [sys.executable, "-m", __spec__.name, "--once", str(root), str(attempts)]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    return Took(*json.loads(done.stdout))


def once(root: Path, attempts: int) -> None:
    """Run, and print what it took."""
    moments: list[float] = []

    def show(how: Progress, _: Account) -> None:
        if how.done in {0, how.total}:
            moments.append(time.perf_counter())

    started, used = time.perf_counter(), time.process_time()
    done = run(
        Kit(root).project,
        Wanted(BENCHMARK, ["openai:m"], repetitions=attempts // CASES, jobs=JOBS),
        show=show,
    )
    whole, cpu = time.perf_counter() - started, time.process_time() - used
    assert done.manifest.status == "complete"
    assert done.progress.outcomes == {"completed": attempts}, done.progress.outcomes
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps([moments[-1] - moments[0], whole, cpu, memory]))


def main(attempts: int) -> None:
    """Measure, and print ratio and share."""
    stub = [sys.executable, "-m", "tests.runners.stub", str(AFTER)]
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(stub, stdout=subprocess.PIPE, text=True) as provider,
    ):
        assert provider.stdout is not None
        os.environ["OPENAI_BASE_URL"] = f"http://127.0.0.1:{provider.stdout.readline().strip()}"
        root = Path(folder) / "project"
        kit = Kit(root)
        lay_out(kit)
        kit.git("init", "--quiet", "--initial-branch=main")
        kit.git("config", "user.name", "Nobody In Particular")
        kit.git("config", "user.email", "nobody@example.org")
        kit.commit("A benchmark")
        took = measure(root, attempts)
        more = measure(root, 4 * attempts)
        provider.terminate()
    ideal = attempts * AFTER / JOBS
    print(f"{attempts} attempts, {JOBS} at a time: {took.seconds:.2f} s, ideal {ideal:.2f} s")
    print(f"ratio {took.seconds / ideal:.2f} (at most {FLOOR}); with git {took.whole:.2f} s")
    share = took.cpu / attempts * 100
    print(f"CPU {took.cpu:.2f} s, {share:.2f} of a core at 100 requests a second (at most {SHARE})")
    print(
        f"most memory {took.memory / 1024:.1f} MB; of {4 * attempts} attempts "
        f"{more.memory / 1024:.1f} MB, {more.memory / took.memory:.3f} times (at most {GROWTH})"
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--once"]:
        once(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else 1_000)
