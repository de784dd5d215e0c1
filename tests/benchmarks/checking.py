"""How fast `results check` is, against drawing all pages from nothing and scoring all evidence.

    python -m tests.benchmarks.checking [ROWS]

A check does both again and holds them against what is published. Prints seconds and the ratio.
"""

import shutil
import sys
import tempfile
import time
from pathlib import Path

from generator.store.corpus import benchmark_at
from generator.store.evidence import read_evidence
from generator.store.registry import read_registry
from generator.workflow.check import check
from generator.workflow.record import record
from generator.workflow.render import render
from generator.workflow.scoring import answer_key, tally
from generator.writer import Runtime, System
from tests.conftest import BENCHMARK, LOCALES, Kit, lay_out, write_run

FLOOR = 1.3
"""How many times as long as drawing and scoring it may take."""


def system(number: int) -> System:
    """One more system, visibly an example, and still nothing that a rule refuses."""
    return System(
        id=f"s-{number}",
        provider="pypi",
        model=f"not-a-real-parser-{number}",
        revision="1.0",
        runtime=Runtime(name="cpython", version="3.11"),
        surface="greet",
        options={"polite": True},
    )


def published(root: Path, rows: int) -> Kit:
    """A project with many rows, drawn and committed."""
    kit = Kit(root)
    lay_out(kit)
    kit.git("init", "--quiet", "--initial-branch=main")
    kit.git("config", "user.name", "Nobody In Particular")
    kit.git("config", "user.email", "nobody@example.org")
    kit.commit("A benchmark")
    run = write_run(root, kit.run, systems=tuple(map(system, range(rows))), repetitions=5)
    done = record(kit.project, run)
    assert done.refused == 0
    render(kit.project)
    kit.commit("Rows")
    return kit


def main(rows: int) -> None:
    """Measure all three, and print the ratio."""
    with tempfile.TemporaryDirectory() as folder:
        kit = published(Path(folder) / "project", rows)
        project = kit.project
        shutil.rmtree(project.docs)
        started = time.perf_counter()
        pages = len(render(project))
        drawing = time.perf_counter() - started
        started = time.perf_counter()
        key = answer_key(benchmark_at(project, BENCHMARK, kit.head()))
        for row in read_registry(project).rows.values():
            tally(key, read_evidence(project, row.evidence)).scorer.finish()
        scoring = time.perf_counter() - started
        started = time.perf_counter()
        report = check(project)
        checking = time.perf_counter() - started
    assert not report.findings, report.findings[:3]
    print(f"{rows} rows, {len(LOCALES)} locales, {pages} pages")
    print(f"drawing {drawing:.2f} s, scoring {scoring:.2f} s, checking {checking:.2f} s")
    print(f"ratio {checking / (drawing + scoring):.2f} (at most {FLOOR})")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 1_000)
