"""The report of an experiment: groups, comparisons, matrix, profiles; that order is no matter."""

import copy
import json
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.families.points import engine
from generator.families.points.engine import (
    LIMITS,
    METRICS,
    SCHEMA,
    PointsFault,
    build_experiment_report,
)
from generator.records.base import canonical_json
from tests.families.points.sample import DEMO, classified, demo, demo_report, entry, run, truth

SEED_KEYS = {
    "schema",
    "deterministic",
    "ai_judge",
    "experiment_id",
    "run_count",
    "runs",
    "groups",
    "comparisons",
    "model_prompt_matrix",
    "behavioral_profile",
    "input_exposure_summary",
}
RUN_KEYS = {
    "valid",
    "validation",
    "metrics",
    "counts",
    "relations",
    "normalized_evaluations",
    "input_data_assessment",
    "behavioral_test",
    "context_document_ids",
}
FIGURES = {"n", "mean", "min", "max", "range", "variance", "stddev", "ci_lower", "ci_upper"}


def report(*runs: dict[str, Any], **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """The report of some runs, each of which has the sound entry."""
    entries = {one["run_id"]: entry() for one in runs}
    return build_experiment_report(truth(), {"runs": list(runs)}, entries, **more)


def test_a_report_has_the_keys_of_the_contract() -> None:
    """Its own, and those of each run."""
    found = demo_report()
    assert found.keys() >= SEED_KEYS
    assert (found["schema"], found["deterministic"], found["ai_judge"]) == (SCHEMA, True, False)
    assert found["experiment_id"] == "EXAMPLE-LEASE"
    for one in found["runs"]:
        assert one.keys() >= RUN_KEYS
    assert report(run())["experiment_id"] is None


def test_the_demonstration_has_one_of_everything() -> None:
    """Two configurations and more, repeated, with documents, relations, behaviour and claims."""
    found = demo_report()
    assert found["valid_run_count"] == found["run_count"] == 8
    assert found["skipped_runs"] == ["example-unclassified"]
    sizes = [group["run_count"] for group in found["groups"]["exact_configurations"].values()]
    assert sorted(sizes) == [1, 1, 3, 3]
    kinds = {one["methodology"]["comparison_type"] for one in found["comparisons"]}
    assert kinds == {"replication", "strictly_controlled"}
    assert found["comparison_audit"]["left_out_multidimensional"] > 0
    assert found["behavioral_profile"]["behavior_transitions"]
    assert found["input_exposure_summary"]["highest_exposure"] == "medium"
    assert any(one["counts"]["extra_claims"]["hallu"] for one in found["runs"])
    assert all(one["relations"] for one in found["runs"])
    assert all(not one["validation"]["warnings"] for one in found["runs"])


def test_the_demonstration_is_visibly_an_example() -> None:
    """Every id in it says so: nobody can take it for a result."""

    def ids(value: Any) -> list[str]:  # noqa: ANN401
        if isinstance(value, list):
            return [found for inner in value for found in ids(inner)]
        if not isinstance(value, dict):
            return []
        own = [said for key, said in value.items() if key.endswith(("_id", "_ids"))]
        return [*own, *(found for inner in value.values() for found in ids(inner))]

    flat = [
        name
        for found in ids(list(demo()))
        for name in (found if isinstance(found, list) else [found])
    ]
    assert len(flat) > 100
    assert [name for name in flat if not name.lower().startswith("ex")] == []


def test_runs_of_one_configuration_are_a_group() -> None:
    """The order of documents is no part of it, and every figure has its statistics."""
    found = report(
        run(run_id="b", context_document_ids=["d2", "d1"]),
        run(run_id="a"),
        run(run_id="c", prompt_id="other"),
    )
    groups = found["groups"]["exact_configurations"]
    assert list(groups) == ["example-model__example-prompt__d1,d2", "example-model__other__d1,d2"]
    first = groups["example-model__example-prompt__d1,d2"]
    assert (first["run_ids"], first["run_count"]) == (["a", "b"], 2)
    assert first["context_document_ids"] == ["d1", "d2"]
    assert tuple(first["metrics"]) == METRICS
    assert all(figure.keys() == FIGURES for figure in first["metrics"].values())
    assert first["metrics"]["coverage_raw"]["n"] == 2


def test_what_is_null_in_a_run_is_left_out_of_n() -> None:
    """A run that addressed nothing has no quality, and takes nothing from that of others."""
    runs = {"runs": [run(run_id="a"), run(run_id="b")]}
    nothing = entry(evaluations=[{"point_id": "p1", "coverage": "should", "status": "omission"}])
    found = build_experiment_report(truth(), runs, {"a": entry(), "b": nothing})
    (group,) = found["groups"]["exact_configurations"].values()
    assert group["metrics"]["addressed_quality"]["n"] == 1
    assert group["metrics"]["addressed_quality"]["stddev"] == 0
    assert group["metrics"]["addressed_quality"]["ci_lower"] is None
    assert group["metrics"]["coverage_raw"]["n"] == 2


def test_invalid_runs_are_in_no_group_and_no_comparison() -> None:
    """They stand among the runs, with what is wrong, and nowhere else."""
    runs = {"runs": [run(run_id="a"), run(run_id="b")]}
    found = build_experiment_report(truth(), runs, {"a": entry(), "b": classified(point_id=None)})
    assert (found["run_count"], found["valid_run_count"]) == (2, 1)
    assert found["comparisons"] == []
    assert found["model_prompt_matrix"][0]["run_count"] == 1
    assert found["behavioral_profile"]["run_count"] == 0
    assert found["input_exposure_summary"]["run_count"] == 1


@given(
    st.lists(
        st.tuples(
            st.none() | st.text("_%,a", max_size=4),
            st.none() | st.text("_%,a", max_size=4),
            st.none() | st.lists(st.text("_%,a", max_size=2), max_size=2),
        ),
        max_size=8,
    )
)
def test_no_two_configurations_have_one_key(configurations: list[tuple[Any, Any, Any]]) -> None:
    """Whatever ids hold, what they are joined with is not taken for a part of them."""
    runs = [
        run(run_id=f"r{index}", model_id=model, prompt_id=prompt, context_document_ids=documents)
        for index, (model, prompt, documents) in enumerate(configurations)
    ]
    found = report(*runs)
    different = {
        (model, prompt, None if documents is None else frozenset(documents))
        for model, prompt, documents in configurations
    }
    assert len(found["groups"]["exact_configurations"]) == len(different)
    cells = {(model, prompt) for model, prompt, _ in configurations}
    assert len({cell["key"] for cell in found["model_prompt_matrix"]}) == len(cells)


def test_the_matrix_is_by_model_and_prompt() -> None:
    """Whatever documents there were; each cell has the key, the count and the statistics."""
    found = report(
        run(run_id="a", model_id="model-a", prompt_id="prompt-v2"),
        run(run_id="b", model_id="model-a", prompt_id="prompt-v2", context_document_ids=["d1"]),
        run(run_id="c", model_id="model-a", prompt_id="prompt-v1"),
    )
    cells = [(cell["key"], cell["run_count"]) for cell in found["model_prompt_matrix"]]
    assert cells == [("model-a__prompt-v1", 1), ("model-a__prompt-v2", 2)]
    assert all(tuple(cell["metrics"]) == METRICS for cell in found["model_prompt_matrix"])


@pytest.mark.parametrize(
    ("changed", "variables", "kind", "verdict"),
    [
        ({}, [], "replication", "Nothing was changed: the difference is between runs."),
        (
            {"prompt_id": "x"},
            ["prompt"],
            "strictly_controlled",
            "Controlled: only the prompt changed.",
        ),
        (
            {"model_id": "x"},
            ["model"],
            "strictly_controlled",
            "Controlled: only the model changed.",
        ),
        (
            {"context_document_ids": ["d1"]},
            ["context_documents"],
            "strictly_controlled",
            "Controlled: only the documents given changed.",
        ),
        (
            {"model_id": "x", "prompt_id": None},
            ["model", "prompt"],
            "multidimensional",
            "2 variables were changed: the difference can't be attributed to one of them.",
        ),
    ],
)
def test_a_comparison_says_what_was_changed(
    changed: dict[str, Any], variables: list[str], kind: str, verdict: str
) -> None:
    """One variable is controlled, none is a replication, two can't be attributed."""
    limits = {"include_multidimensional": True}
    found = report(run(run_id="a"), run(run_id="b", **changed), limits=limits)
    (comparison,) = found["comparisons"]
    assert (comparison["run_a"], comparison["run_b"]) == ("a", "b")
    assert comparison["methodology"] == {
        "changed_variables": variables,
        "undeclared_variables": [],
        "comparison_type": kind,
        "is_valid_controlled": kind == "strictly_controlled",
        "verdict": verdict,
    }


def test_what_neither_run_declares_is_said() -> None:
    """That two runs are silent alike doesn't show that they were alike."""
    silent = {"model_id": None, "context_document_ids": None}
    found = report(run(run_id="a", **silent), run(run_id="b", prompt_id="x", **silent))
    method = found["comparisons"][0]["methodology"]
    assert method["undeclared_variables"] == ["model", "context_documents"]
    assert method["verdict"] == (
        "Controlled: only the prompt changed. Neither run declares the model and the documents "
        "given, so it is not known whether that changed."
    )


def test_uncontrolled_comparisons_are_shown_when_they_are_asked_for() -> None:
    """Otherwise they are counted, and the report says what shows them."""
    runs = (run(run_id="a"), run(run_id="b", model_id="x", prompt_id="x"))
    found = report(*runs)
    assert found["comparisons"] == []
    assert found["comparison_audit"]["left_out_multidimensional"] == 1
    assert "include_multidimensional shows them" in found["comparison_audit"]["says"]
    assert not found["comparison_audit"]["truncated"]


def test_transitions_are_told_point_by_point() -> None:
    """Counts of statuses cover each point that both runs classified; changes are listed."""
    runs = {"runs": [run(run_id="a"), run(run_id="b", prompt_id="x")]}
    after = [
        {"point_id": "p1", "coverage": "addressed", "status": "hallu"},
        {"point_id": "p2", "coverage": "addressed", "status": "partial"},
        {"point_id": "p9", "coverage": "addressed", "status": "partial"},
    ]
    found = build_experiment_report(truth(), runs, {"a": entry(), "b": entry(evaluations=after)})
    (comparison,) = found["comparisons"]
    assert comparison["status_transitions"] == {"correct->hallu": 1, "partial->partial": 1}
    assert comparison["point_transitions"] == [
        {
            "point_id": "p1",
            "coverage_a": "addressed",
            "coverage_b": "addressed",
            "status_a": "correct",
            "status_b": "hallu",
        },
        {
            "point_id": "p3",
            "coverage_a": "should",
            "coverage_b": None,
            "status_a": "omission",
            "status_b": None,
        },
    ]
    before, then = (one["metrics"] for one in found["runs"])
    deltas = comparison["metric_deltas"]
    assert deltas["coverage_raw"] == then["coverage_raw"] - before["coverage_raw"]
    assert deltas["omission_rate"] == -0.25
    assert tuple(deltas) == METRICS


def test_a_delta_of_what_was_not_measured_is_null() -> None:
    """Null and a number have no difference."""
    runs = {"runs": [run(run_id="a"), run(run_id="b")]}
    found = build_experiment_report(truth(), runs, {"a": entry(), "b": {"evaluations": []}})
    assert found["comparisons"][0]["metric_deltas"]["coverage_raw"] is None


@pytest.mark.parametrize(
    ("limits", "kept", "scanned", "by"),
    [
        ({}, 6, 6, None),
        ({"max_comparisons": 6, "max_scanned_pairs": 6}, 6, 6, None),
        ({"max_comparisons": 2}, 2, 2, "max_comparisons"),
        ({"max_scanned_pairs": 4}, 4, 4, "max_scanned_pairs"),
        ({"max_comparisons": 0}, 0, 0, "max_comparisons"),
        ({"max_scanned_pairs": 0}, 0, 0, "max_scanned_pairs"),
    ],
)
def test_limits_hold_and_truncation_is_said(
    limits: dict[str, int], kept: int, scanned: int, by: str | None
) -> None:
    """A list that ends early says so, in a field and in words."""
    found = report(*(run(run_id=name) for name in "abcd"), limits=limits)
    audit = found["comparison_audit"]
    assert len(found["comparisons"]) == audit["comparison_count"] == kept
    assert (audit["pair_count"], audit["scanned_pairs"]) == (6, scanned)
    assert (audit["truncated"], audit["truncated_by"]) == (by is not None, by)
    assert audit["says"].startswith("The comparisons are truncated" if by else "All 6 pairs")


@pytest.mark.parametrize(
    "limits",
    [
        {"max_comparisons": -1},
        {"max_comparisons": True},
        {"max_scanned_pairs": 1.0},
        {"max_scanned_pairs": None},
        {"include_multidimensional": 1},
        {"most": 1},
    ],
)
def test_a_limit_that_is_none_is_refused(limits: dict[str, Any]) -> None:
    """A fault names the limit."""
    (name,) = limits
    with pytest.raises(PointsFault, match=name):
        report(limits=limits)


def test_behaviour_is_aggregated_and_never_inferred() -> None:
    """Any number has its statistics; of words only the one that is meant is counted."""
    tests = (
        {"rate": 0.5, "steps": 4, "behavior_transition": "calm->curt", "word": "x"},
        {"rate": 1, "steps": 2, "behavior_transition": "calm->curt", "flag": True},
        {"rate": "high", "steps": float("nan"), "behavior_transition": ["a"], "huge": 10**400},
        None,
    )
    runs = [run(run_id=f"r{at}", behavioral_test=test) for at, test in enumerate(tests)]
    found = report(*runs)["behavioral_profile"]
    assert found["run_count"] == 3
    assert found["behavior_transitions"] == {"calm->curt": 2}
    assert {name: figure["n"] for name, figure in found["numeric"].items()} == {
        "rate": 2,
        "steps": 2,
    }
    assert found["numeric"]["rate"]["mean"] == 0.75


def test_exposure_is_summed_up() -> None:
    """Levels are counted and scored; what an assessment doesn't speak of is unknown."""
    said = (
        {"overall_exposure": "none", "personal_data": False},
        {"overall_exposure": "critical", "personal_data": True, "confidential_data": "yes"},
        {"overall_exposure": "unknown"},
        None,
    )
    runs = {"runs": [run(run_id=f"r{at}") for at in range(len(said))]}
    entries = {f"r{at}": entry(input_data_assessment=one) for at, one in enumerate(said)}
    found = build_experiment_report(truth(), runs, entries)
    assert [one["validation"]["warnings"] for one in found["runs"]] == [[]] * 4
    assert found["runs"][1]["input_profile"] == {
        "overall_exposure": "critical",
        "exposure_score": 1,
        "personal_data": True,
        "special_category_data": None,
        "confidential_data": None,
    }
    summary = found["input_exposure_summary"]
    assert (summary["run_count"], summary["assessed_count"]) == (4, 3)
    assert summary["overall_exposure"] == {
        "none": 1,
        "low": 0,
        "medium": 0,
        "high": 0,
        "critical": 1,
        "unknown": 2,
    }
    assert summary["highest_exposure"] == "critical"
    assert (summary["exposure_score"]["n"], summary["exposure_score"]["mean"]) == (2, 0.5)
    assert summary["personal_data"] == {"yes": 1, "no": 1, "unknown": 2}
    assert summary["confidential_data"] == {"yes": 0, "no": 0, "unknown": 4}


def shuffled(random: Random) -> bytes:
    """The report of the demonstration with everything in another order, as bytes."""
    ground_truth, evals = copy.deepcopy(demo())
    experiment, evaluations = evals["experiment"], evals["evaluations"]
    for listed in (
        ground_truth["points"],
        experiment["runs"],
        *(one["evaluations"] for one in evaluations.values()),
        *(one["extra_claims"] for one in evaluations.values()),
        *(one["context_document_ids"] for one in experiment["runs"]),
    ):
        random.shuffle(listed)
    found = build_experiment_report(ground_truth, experiment, evaluations)
    found["runs"].sort(key=lambda one: one["run_id"])
    for one in found["runs"]:
        one["normalized_evaluations"].sort(key=lambda said: said["point_id"])
        one["extra_claims"].sort(key=lambda said: said["excerpt"])
        one["context_document_ids"].sort()
    return canonical_json(found)


SORTED = shuffled(Random(0))  # noqa: S311


@settings(deadline=None, max_examples=30)
@given(st.randoms(use_true_random=False))
def test_no_figure_depends_on_an_order(random: Random) -> None:
    """Of runs, points, classifications, claims or documents: all the rest is the same bytes."""
    assert shuffled(random) == SORTED


def test_the_same_input_gives_the_same_bytes() -> None:
    """In whatever order sets and keys are hashed."""
    script = (
        "import json, sys\n"
        "from generator.families.points.engine import build_experiment_report\n"
        "truth, evals = (json.load(open(path, encoding='utf-8')) for path in sys.argv[1:])\n"
        "report = build_experiment_report(truth, evals['experiment'], evals['evaluations'])\n"
        "print(json.dumps(report))\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", script, DEMO / "truth.json", DEMO / "evals.json"],
            check=True,
            capture_output=True,
            cwd=Path(__file__).parents[3],
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1
    assert json.loads(said.pop()) == demo_report()


def test_a_copy_of_the_folder_runs_on_the_standard_library(tmp_path: Path) -> None:
    """Under another name, without site packages and without the environment."""
    shutil.copytree(
        Path(engine.__file__).parent,
        tmp_path / "copied",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    script = (
        "import json, sys\n"
        "sys.path.insert(0, sys.argv[1])\n"
        "from copied import build_experiment_report\n"
        "truth, evals = (json.load(open(path, encoding='utf-8')) for path in sys.argv[2:])\n"
        "report = build_experiment_report(truth, evals['experiment'], evals['evaluations'])\n"
        "assert not any(name.startswith('generator') for name in sys.modules)\n"
        "print(json.dumps(report))\n"
    )
    files = (DEMO / "truth.json", DEMO / "evals.json")
    done = subprocess.run(
        [sys.executable, "-S", "-I", "-c", script, tmp_path, *files],
        check=True,
        capture_output=True,
    )
    assert json.loads(done.stdout) == demo_report()


def test_ten_thousand_runs_keep_within_the_limits() -> None:
    """Fifty million pairs are not looked at, and the report says so."""
    runs = [{"run_id": f"r{at:05}", "model_id": f"m{at % 3}"} for at in range(10_000)]
    said = {"evaluations": [{"point_id": "p1", "coverage": "addressed", "status": "correct"}]}
    entries = {one["run_id"]: said for one in runs}
    found = build_experiment_report(truth(), {"runs": runs}, entries)
    audit = found["comparison_audit"]
    assert found["valid_run_count"] == 10_000
    assert len(found["comparisons"]) == LIMITS["max_comparisons"]
    assert audit["pair_count"] == 49_995_000
    assert audit["truncated_by"] == "max_comparisons"
    assert "of 49995000 pairs" in audit["says"]


def test_a_million_points_are_counted() -> None:
    """A ground truth may be large, and so may what is said of it."""
    many = 1_000_000
    points = [{"point_id": f"p{at}", "importance": "Low"} for at in range(many)]
    said = {"evaluations": [{**one, "coverage": "addressed", "status": "na"} for one in points]}
    found = build_experiment_report({"points": points}, {"runs": [{"run_id": "r"}]}, {"r": said})
    terms = found["runs"][0]["metric_terms"]
    assert terms["coverage_raw"] == {"numerator": many, "denominator": many}
    assert terms["coverage_weighted"] == {"numerator": "250000", "denominator": "250000"}
