"""Everything that can be wrong with a run: each error and each warning, by spoiling one thing."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.families.points.engine import (
    PointsFault,
    build_experiment_report,
    evaluate_run,
    evaluate_runs,
    explained,
)
from generator.families.points.engine.findings import MOST, SAID
from tests.families.points.sample import (
    ENTRY,
    classified,
    entry,
    evaluated,
    point,
    run,
    truth,
)

BAD_WEIGHTS: tuple[object, ...] = (
    -1,
    -0.5,
    math.nan,
    math.inf,
    -math.inf,
    True,
    "2",
    1e7,
    10**400,
    1e-30,
    [],
    {},
)


def claimed(**claim: Any) -> dict[str, Any]:  # noqa: ANN401
    """An entry with one extra claim."""
    return entry(extra_claims=[claim])


def related(**relation: Any) -> dict[str, Any]:  # noqa: ANN401
    """A ground truth with one relation, some of whose keys are as they are given."""
    sound = {"source_point_id": "p1", "target_point_id": "p2", "type": "supports"}
    return truth(relations=[{**sound, **relation}])


def twice() -> dict[str, Any]:
    """A ground truth with two points of one id."""
    whole = truth()
    whole["points"].append({"point_id": "p1"})
    return whole


ERRORS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("evaluation_missing", {"entry": None}),
    ("evaluation_missing", {"entry": []}),
    ("ground_truth_missing", {"ground_truth": None}),
    ("ground_truth_missing", {"ground_truth": []}),
    ("evaluations_not_array", {"entry": {}}),
    ("evaluations_not_array", {"entry": entry(evaluations={"p1": "correct"})}),
    ("evaluations_not_array", {"entry": entry(evaluations="p1")}),
    ("ground_truth_points_not_array", {"ground_truth": {}}),
    ("ground_truth_points_not_array", {"ground_truth": truth(points={"p1": {}})}),
    ("point_id_missing", {"entry": entry(evaluations=[{}])}),
    ("point_id_missing", {"entry": entry(evaluations=[None])}),
    ("point_id_missing", {"entry": entry(evaluations=["p1"])}),
    ("point_id_missing", {"entry": classified(point_id=7)}),
    ("point_id_missing", {"entry": classified(point_id=[])}),
    ("point_id_missing", {"entry": classified(point_id="")}),
    ("point_id_missing", {"ground_truth": truth(points=[{"importance": "High"}])}),
    ("point_id_missing", {"ground_truth": truth(points=[1])}),
    ("point_id_missing", {"ground_truth": point(point_id={})}),
    ("point_repeated:p1", {"ground_truth": twice()}),
    ("point_source_invalid:p1", {"ground_truth": point(source_document_id=1)}),
    ("relations_not_array", {"ground_truth": truth(relations={})}),
    ("relation_invalid:1", {"ground_truth": truth(relations=["p1"])}),
    ("relation_invalid:1", {"ground_truth": related(source_point_id=1)}),
    ("relation_invalid:1", {"ground_truth": related(type=None)}),
    ("run_id_missing", {"run": run(run_id=None)}),
    ("run_id_missing", {"run": run(run_id=1)}),
    ("run_id_missing", {"run": "r"}),
    ("model_id_invalid", {"run": run(model_id=1)}),
    ("prompt_id_invalid", {"run": run(prompt_id=[])}),
    ("context_document_ids_invalid", {"run": run(context_document_ids="d1")}),
    ("context_document_ids_invalid", {"run": run(context_document_ids=[1])}),
    ("context_document_ids_invalid", {"run": run(context_document_ids={})}),
    ("point_evaluated_twice:p2", {"entry": classified(point_id="p2")}),
    ("extra_claims_not_array", {"entry": entry(extra_claims={})}),
    ("extra_claims_not_array", {"entry": entry(extra_claims="hallu")}),
    ("extra_claim_invalid:1", {"entry": entry(extra_claims=["hallu"])}),
    *(("point_weight_invalid:p1", {"ground_truth": point(weight=bad)}) for bad in BAD_WEIGHTS),
    *(
        ("extra_claim_weight_invalid:1", {"entry": claimed(status="hallu", weight=bad)})
        for bad in BAD_WEIGHTS
    ),
)

WARNINGS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("unknown_point:p9", {"entry": classified(point_id="p9")}),
    ("unknown_coverage:seen", {"entry": classified(coverage="seen")}),
    ("unknown_coverage:7", {"entry": classified(coverage=7)}),
    ("unknown_coverage:an array", {"entry": classified(coverage=[])}),
    ("unknown_status:fine", {"entry": classified(status="fine")}),
    ("unknown_status:true", {"entry": classified(status=True)}),
    ("unknown_status:0.5", {"entry": classified(status=0.5)}),
    ("unknown_status:a large number", {"entry": classified(status=10**5000)}),
    ("unknown_status:an object", {"entry": classified(status={})}),
    (f"unknown_status:{'x' * 200}…", {"entry": classified(status="x" * 10**6)}),
    ("unknown_importance:Urgent", {"ground_truth": point(importance="Urgent")}),
    ("unknown_importance:an array", {"ground_truth": point(importance=[])}),
    ("unknown_relation_type:causes", {"ground_truth": related(type="causes")}),
    ("unknown_relation_point:p9", {"ground_truth": related(target_point_id="p9")}),
    ("unknown_extra_claim_status:made up", {"entry": claimed(status="made up")}),
    ("unknown_extra_claim_status:an array", {"entry": claimed(status=[])}),
    ("extra_claim_status_missing:1", {"entry": claimed(weight=1)}),
    ("extra_claim_weight_invalid:1", {"entry": claimed(status="over", weight="2")}),
    (
        "unknown_exposure:extreme",
        {"entry": entry(input_data_assessment={"overall_exposure": "extreme"})},
    ),
    ("input_data_assessment_invalid", {"entry": entry(input_data_assessment="low")}),
    ("behavioral_test_invalid", {"run": run(behavioral_test=[0.5])}),
)


@pytest.mark.parametrize(("error", "spoilt"), ERRORS)
def test_an_error_makes_a_run_invalid(error: str, spoilt: dict[str, Any]) -> None:
    """It is the only one, it leaves no figure, and it says what is wrong."""
    found = evaluated(**spoilt)
    assert found["validation"]["errors"] == [error]
    assert not found["valid"]
    assert set(found["metrics"].values()) == {None}
    assert set(found["metric_terms"].values()) == {None}
    assert explained(error).startswith(f"{error}: ")


@pytest.mark.parametrize(("warning", "spoilt"), WARNINGS)
def test_a_warning_leaves_a_run_to_be_looked_at(warning: str, spoilt: dict[str, Any]) -> None:
    """It is the only one, and the run has its figures."""
    found = evaluated(**spoilt)
    assert found["validation"]["warnings"] == [warning]
    assert found["validation"]["errors"] == []
    assert found["valid"]
    assert found["metrics"]["coverage_raw"] is not None
    assert explained(warning).startswith(f"{warning}: ")


def test_every_finding_is_met_by_a_test() -> None:
    """No error and no warning is explained that nothing here gives."""
    met = {finding.partition(":")[0] for finding, _ in (*ERRORS, *WARNINGS)}
    assert set(SAID) - met == {"run_id_repeated"}
    assert explained("from_elsewhere:1") == "from_elsewhere:1"


def test_a_sound_run_has_neither() -> None:
    """What the other tests spoil is sound."""
    found = evaluated()
    assert found["valid"]
    assert found["validation"] == {
        "errors": [],
        "warnings": [],
        "errors_left_out": 0,
        "warnings_left_out": 0,
    }


def test_what_is_not_known_is_in_no_figure() -> None:
    """An unknown point counts nowhere; an unknown status has no score; both can be looked at."""
    sound = evaluated()
    more = entry(evaluations=[*ENTRY["evaluations"], {"point_id": "p9", "coverage": "addressed"}])
    found = evaluated(entry=more)
    assert found["metrics"] == sound["metrics"]
    assert found["counts"] == sound["counts"]
    assert found["normalized_evaluations"][-1] == {
        "point_id": "p9",
        "coverage": "addressed",
        "status": "unrated",
        "weight": None,
        "available_to_model": None,
    }
    odd = evaluated(entry=classified(status="fine"))
    assert odd["metric_terms"]["coverage_raw"] == sound["metric_terms"]["coverage_raw"]
    assert odd["metric_terms"]["addressed_quality"] == {"numerator": "0.5", "denominator": "1"}
    assert odd["counts"]["status"]["fine"] == 1
    assert odd["normalized_evaluations"][0]["status"] == "fine"


def test_a_list_of_findings_stays_short() -> None:
    """Each is listed once, the first hundred of them, and how many more there were is said."""
    many = [{"point_id": f"x{index}"} for index in range(MOST + 5)] + [{"point_id": "x0"}]
    found = evaluated(entry={"evaluations": many})["validation"]
    assert found["warnings"] == [f"unknown_point:x{index}" for index in range(MOST)]
    assert found["warnings_left_out"] == 5


def test_runs_that_share_an_id_are_all_invalid() -> None:
    """Nobody can say whose evaluations these are, whichever comes first."""
    found = evaluate_runs(truth(), {"runs": [run(), run(prompt_id="other")]}, {"r": entry()})
    assert [one["validation"]["errors"] for one in found] == [["run_id_repeated:r"]] * 2


def test_a_run_without_evaluations_is_skipped_and_listed() -> None:
    """It is no invalid run, and it is not passed over in silence; nor are evaluations of no run."""
    report = build_experiment_report(
        truth(), {"runs": [run(), run(run_id="later")]}, {"r": entry(), "lost": entry()}
    )
    assert [one["run_id"] for one in report["runs"]] == ["r"]
    assert report["skipped_runs"] == ["later"]
    assert report["evaluations_without_run"] == ["lost"]
    assert report["run_count"] == report["valid_run_count"] == 1


def test_a_run_whose_entry_is_null_is_invalid() -> None:
    """An entry that is there and says nothing is missing, and not absent."""
    (found,) = evaluate_runs(truth(), {"runs": [run()]}, {"r": None})
    assert found["validation"]["errors"] == ["evaluation_missing"]


@pytest.mark.parametrize("experiment", [None, [], {}, {"runs": None}, {"runs": {"r": {}}}])
def test_without_an_array_of_runs_there_is_no_experiment(experiment: object) -> None:
    """The one thing that stops everything is said as a fault."""
    for function in (build_experiment_report, evaluate_runs):
        with pytest.raises(PointsFault, match=r"^experiment\.runs must be an array\.$"):
            function(truth(), experiment, {})


@pytest.mark.parametrize("evaluations", [None, [], "r"])
def test_evaluations_are_looked_up_by_run(evaluations: object) -> None:
    """A list of them belongs to nobody."""
    with pytest.raises(PointsFault, match="evaluations must be an object"):
        evaluate_runs(truth(), {"runs": [run()]}, evaluations)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=4)
    | st.sampled_from(["p1", "addressed", "hallu", "points", "r"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "point_id",
                    "points",
                    "coverage",
                    "weight",
                    "evaluations",
                    "run_id",
                    "extra_claims",
                    "relations",
                    "context_document_ids",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON, JSON, JSON)
def test_nothing_breaks_one_run(ground_truth: object, declared: object, said: object) -> None:
    """Whatever is given, a run comes out, valid only without errors, its figures finite."""
    found = evaluate_run(ground_truth, declared, said)
    assert found["valid"] is not bool(found["validation"]["errors"])
    json.dumps((found["metrics"], found["metric_terms"], found["counts"]), allow_nan=False)


@given(JSON, st.lists(JSON, max_size=3), st.dictionaries(st.sampled_from("r01"), JSON))
def test_nothing_breaks_a_report(
    ground_truth: object, runs: list[Any], evaluations: dict[str, Any]
) -> None:
    """Whatever is given, a report comes out, with each run evaluated or listed as skipped."""
    declared = [{"run_id": "r", "model_id": "m"}, {"run_id": "0"}, *runs]
    found = build_experiment_report(ground_truth, {"runs": declared}, evaluations)
    assert found["run_count"] + len(found["skipped_runs"]) == len(declared)
    aggregated = ("groups", "comparisons", "model_prompt_matrix", "behavioral_profile")
    json.dumps([found[key] for key in aggregated], allow_nan=False)


def test_depth_is_no_matter() -> None:
    """What is carried along may be nested deeper than any function could follow."""
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    found = evaluated(entry=classified(excerpt=deep, status=deep))
    assert found["validation"]["warnings"] == ["unknown_status:an array"]
    while deep:  # taken apart again, level by level
        (deep,) = deep
