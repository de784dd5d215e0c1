"""A small experiment that is sound, for tests to spoil one thing of; and the demonstration."""

import copy
import json
from pathlib import Path
from typing import Any

from generator.families.points.engine import build_experiment_report, evaluate_run

HERE = Path(__file__).parent
DEMO = HERE / "demo"

TRUTH: dict[str, Any] = {
    "points": [
        {"point_id": "p1", "importance": "Critical", "source_document_id": "d1"},
        {"point_id": "p2", "importance": "High", "source_document_id": "d2"},
        {"point_id": "p3"},
    ],
    "relations": [{"source_point_id": "p1", "target_point_id": "p2", "type": "depends_on"}],
}

RUN: dict[str, Any] = {
    "run_id": "r",
    "model_id": "example-model",
    "prompt_id": "example-prompt",
    "context_document_ids": ["d1", "d2"],
}

ENTRY: dict[str, Any] = {
    "evaluations": [
        {"point_id": "p1", "coverage": "addressed", "status": "correct"},
        {"point_id": "p2", "coverage": "addressed", "status": "partial"},
        {"point_id": "p3", "coverage": "should", "status": "omission"},
    ],
    "extra_claims": [{"status": "hallu", "weight": 0.5}],
}


def truth(**changed: Any) -> dict[str, Any]:  # noqa: ANN401  any JSON value
    """The sound ground truth, with some keys as they are given."""
    return {**copy.deepcopy(TRUTH), **changed}


def point(**changed: Any) -> dict[str, Any]:  # noqa: ANN401
    """A sound ground truth whose first point has some keys as they are given."""
    whole = truth()
    whole["points"][0].update(changed)
    return whole


def run(**changed: Any) -> dict[str, Any]:  # noqa: ANN401
    """The sound run, with some keys as they are given."""
    return {**copy.deepcopy(RUN), **changed}


def entry(**changed: Any) -> dict[str, Any]:  # noqa: ANN401
    """The sound entry of the run, with some keys as they are given."""
    return {**copy.deepcopy(ENTRY), **changed}


def classified(**changed: Any) -> dict[str, Any]:  # noqa: ANN401
    """A sound entry whose first classification has some keys as they are given."""
    whole = entry()
    whole["evaluations"][0].update(changed)
    return whole


def evaluated(
    ground_truth: object = TRUTH,
    run: object = RUN,
    entry: object = ENTRY,
    **more: Any,  # noqa: ANN401
) -> dict[str, Any]:
    """The run, evaluated; sound where nothing is given."""
    return evaluate_run(ground_truth, run, entry, **more)


def demo() -> tuple[Any, Any]:
    """The ground truth of the demonstration, and its experiment with evaluations."""
    ground_truth, evals = (DEMO / f"{name}.json" for name in ("truth", "evals"))
    return json.loads(ground_truth.read_text("utf-8")), json.loads(evals.read_text("utf-8"))


def demo_report(**more: Any) -> dict[str, Any]:  # noqa: ANN401
    """The report of the demonstration."""
    ground_truth, evals = demo()
    return build_experiment_report(ground_truth, evals["experiment"], evals["evaluations"], **more)
