"""How fast a run is read and scored, against `orjson.loads` alone over the same lines.

    python -m tests.benchmarks.reading [ATTEMPTS]

Strict reading with duplicate keys found, duplicate ids and tries found, hashing and scoring, in one
process and in two; what is compared with is measured in the same run, several times. Prints
seconds, the ratio to the parser alone, how much faster two processes are, and the most memory that
one took.
"""

import hashlib
import resource
import sys
import tempfile
import time
from pathlib import Path

import orjson

from generator.records.benchmark import Benchmark
from generator.records.bundle import MANIFEST
from generator.store.bundles import Bundle, open_bundle
from generator.store.corpus import BenchmarkFiles
from generator.workflow.reading import read
from generator.workflow.scoring import AnswerKey, answer_key

FLOOR = 4.0
"""How many times as long as the parser alone it may take."""

FASTER = 1.6
"""How many times faster two processes must be."""

ROUNDS = 5
"""How often each is measured; the least counts, since other work only ever adds to it."""

CASES = 1_000
TEXT = "The quick brown fox jumps over the lazy dog, and says so. " * 18


def key() -> AnswerKey:
    """A corpus of many cases with one check each."""
    benchmark = Benchmark.from_toml(
        b'format = "assay.benchmark/1"\nid = "b"\nfamily = "declarative"\nversion = "1"\n'
        b'title = "B"\nsummary = "B"\nlicence = "CC0-1.0"\nshown = ["passed"]\nrun = "b"\n'
        b'[[categories]]\nid = "all"\ntitle = "All"\n'
    )
    check = {"type": "contains", "value": "lazy dog"}
    cases = {
        f"{name}.json": orjson.dumps(
            {"name": name, "category": "all", "prompt": "?", "checks": [check]}
        )
        for name in (f"case-{number}" for number in range(CASES))
    }
    return answer_key(BenchmarkFiles(benchmark, cases))


def write_attempts(path: Path, count: int) -> None:
    """Attempts of about 5 KB: four turns, a call in each."""
    turn = {
        "content": TEXT,
        "tool_calls": [{"name": "look", "arguments": {"at": "it", "twice": True}}],
        "tokens": {"input": 100, "output": 20},
    }
    with path.open("wb") as file:
        for number in range(count):
            attempt = {
                "id": f"s/{number}",
                "case": f"case-{number % CASES}",
                "system": "s",
                "repetition": number // CASES + 1,
                "outcome": "completed",
                "turns": [turn] * 4,
                "elapsed_us": number,
            }
            file.write(orjson.dumps(attempt) + b"\n")


def manifest(count: int) -> bytes:
    """A run of one system, with as many repetitions as it takes."""
    return orjson.dumps(
        {
            "format": "assay.bundle/1",
            "run": "r",
            "benchmark": {"id": "b", "version": "1"},
            "started": "2026-01-01T00:00:00Z",
            "finished": "2026-01-01T00:00:00Z",
            "status": "complete",
            "repetitions": -(-count // CASES),
            "systems": [{"id": "s", "provider": "example", "model": "not-a-real-model"}],
            "harness": {"name": "h", "version": "1", "contract": 1},
        }
    )


def main(count: int) -> None:
    """Measure both, and print the ratio."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "attempts.jsonl"
        write_attempts(path, count)
        size = path.stat().st_size
        alone = min(parsed_alone(path) for _ in range(ROUNDS))
        answers = key()
        path.with_name(MANIFEST).write_bytes(manifest(count))
        bundle = open_bundle(Path(folder))
        runs = [(timed(bundle, answers, 1), timed(bundle, answers, 2)) for _ in range(ROUNDS)]
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert len({digest for pair in runs for _, digest in pair}) == 1, "other bytes"
    one, two = (min(seconds for seconds, _ in times) for times in zip(*runs, strict=True))
    print(f"{count} attempts, {size / 1e6:.0f} MB: parser alone {alone:.2f} s")
    print(f"one process {one:.2f} s, ratio {one / alone:.2f} (at most {FLOOR})")
    print(f"two processes {two:.2f} s, {one / two:.2f} times faster (at least {FASTER})")
    print(f"most memory of one process: {memory:.0f} MB")


def parsed_alone(path: Path) -> float:
    """Seconds that the parser takes for all lines."""
    started = time.perf_counter()
    with path.open("rb") as file:
        for line in file:
            orjson.loads(line)
    return time.perf_counter() - started


def timed(bundle: Bundle, answers: AnswerKey, jobs: int) -> tuple[float, str]:
    """Seconds, and the digest of all lines and figures."""
    started = time.perf_counter()
    digest = hashlib.sha256()
    done = read(bundle, answers, keep=lambda _, lines: digest.update(lines), jobs=jobs)
    digest.update(repr(done.tallies["s"].scorer.finish().measures).encode())
    return time.perf_counter() - started, digest.hexdigest()


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 20_000)
