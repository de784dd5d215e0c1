"""How fast an experiment is evaluated, against `orjson.loads` alone over the same input.

    python -m tests.benchmarks.evaluating [RUNS]

Runs of a hundred points each, with extra claims, exposure and behaviour. The parser gives the
objects that the engine is handed, so its time is no part of the engine's. What is compared with is
measured in the same run, in turn, several times, in seconds of the processor, so that what else the
machine does is left out. Prints seconds, ratios, the floor, and where the rest goes: what repeated
runs, comparisons and profiles take beside the runs themselves, what the collector of garbage takes
of them, and what the command takes besides to read strictly and to write.
"""

import gc
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

import orjson

from generator.families.points.engine import build_experiment_report, evaluate_runs
from generator.families.points.engine.config import terms
from generator.families.points.engine.normalising import normalised
from generator.families.points.engine.truth import read_truth
from generator.records.base import canonical_json, strict_json

FLOOR = 5.0
"""How many times as long as the parser alone the whole report may take."""

ROUNDS = 5
"""How often each is measured; the least counts, since other work only ever adds to it."""

POINTS = 100
COVERAGES = ("addressed",) * 7 + ("should", "gap", "not_relevant")
STATUSES = ("correct", "partial", "hallu", "inference", "over", "math_error", "correct")
IMPORTANCES = ("Critical", "High", "Medium", "Low")
DOCUMENTS = 5

TRUTH = {
    "points": [
        {
            "point_id": f"PT-{at:03}",
            "importance": IMPORTANCES[at % len(IMPORTANCES)],
            "source_document_id": f"DOC-{at % DOCUMENTS}",
        }
        for at in range(POINTS)
    ],
    "relations": [
        {
            "source_point_id": f"PT-{at:03}",
            "target_point_id": f"PT-{at + 1:03}",
            "type": "depends_on",
        }
        for at in range(10)
    ],
}


def evals(runs: int) -> bytes:
    """An experiment of twenty configurations with its evaluations; one document in five is kept."""
    experiment = {
        "experiment_id": "EXAMPLE",
        "runs": [
            {
                "run_id": f"run-{at:05}",
                "model_id": f"example-model-{at % 4}",
                "prompt_id": f"example-prompt-{at % 5}",
                "context_document_ids": [f"DOC-{number}" for number in range(DOCUMENTS - 1)],
                "behavioral_test": {"tone_adaptation_rate": at % 7 / 7},
            }
            for at in range(runs)
        ],
    }
    evaluations = {
        f"run-{at:05}": {
            "input_data_assessment": {"overall_exposure": "low", "personal_data": True},
            "evaluations": [
                {
                    "point_id": f"PT-{number:03}",
                    "coverage": COVERAGES[(at + number) % len(COVERAGES)],
                    "status": STATUSES[(at * 3 + number) % len(STATUSES)],
                }
                for number in range(POINTS)
            ],
            "extra_claims": [{"status": "hallu", "weight": 0.5}],
        }
        for at in range(runs)
    }
    return orjson.dumps({"experiment": experiment, "evaluations": evaluations})


def timed(work: Callable[[], Any]) -> float:
    """Seconds of the processor that something takes, without giving back what it made."""
    started = time.process_time()
    made = work()
    seconds = time.process_time() - started
    del made
    return seconds


def measured(content: bytes) -> tuple[float, ...]:
    """Seconds of the parser, the report, the runs, the counting, and the report uncollected.

    The parser is measured while nothing else is held: what it would have to step over, looking for
    garbage, would make it slower, and the ratio better than it is.
    """
    parser = timed(lambda: orjson.loads(content))
    given = orjson.loads(content)
    both = (given["experiment"], given["evaluations"])
    whole = timed(lambda: build_experiment_report(TRUTH, *both))
    alone = timed(lambda: evaluate_runs(TRUTH, *both))
    counted = timed(lambda: counting_alone(given))
    gc.disable()
    try:
        uncollected = timed(lambda: build_experiment_report(TRUTH, *both))
    finally:
        gc.enable()
    return parser, whole, alone, counted, uncollected


def counting_alone(given: Any) -> None:  # noqa: ANN401  any JSON value
    """The one loop over all classifications, without any figure."""
    known = terms()
    truth = read_truth(TRUTH, known)
    context = frozenset(f"DOC-{number}" for number in range(DOCUMENTS - 1))
    for entry in given["evaluations"].values():
        normalised(entry["evaluations"], truth, known, context, truth.findings)


def main(runs: int) -> None:
    """Measure all of it, and print the ratios."""
    content = evals(runs)
    rounds = [measured(content) for _ in range(ROUNDS)]
    parser, whole, alone, counted, uncollected = (min(one) for one in zip(*rounds, strict=True))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{runs} runs of {POINTS} points, {len(content) / 1e6:.0f} MB: parser {parser:.2f} s")
    print(f"report {whole:.2f} s, ratio {whole / parser:.2f} (at most {FLOOR})")
    print(f"of it, runs with their figures {alone:.2f} s, ratio {alone / parser:.2f}")
    print(f"of that, classifications made alike and counted {counted:.2f} s")
    print(f"of the report, looking for garbage {whole - uncollected:.2f} s")
    print(f"most memory {memory:.0f} MB")
    read = timed(lambda: strict_json(content))
    given = orjson.loads(content)
    report = build_experiment_report(TRUTH, given["experiment"], given["evaluations"])
    written = timed(lambda: canonical_json(report))
    print(f"the command besides: read strictly {read:.2f} s, written canonically {written:.2f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 10_000)
