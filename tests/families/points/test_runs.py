"""One run: the golden vectors, terms, sources, and what a configuration can change."""

import copy
import json
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.families.points.engine import (
    CONFIG,
    METRICS,
    PointsFault,
    build_experiment_report,
    evaluate_run,
    evaluate_runs,
)
from generator.families.points.engine.numbers import number, summary
from tests.families.points.sample import (
    HERE,
    classified,
    entry,
    evaluated,
    point,
    run,
    truth,
)

RUNS = json.loads((HERE / "run_vectors.json").read_text("utf-8"))
SPREADS = json.loads((HERE / "statistics_vectors.json").read_text("utf-8"))
TOLERANCE = 1e-12


def agrees(found: float | None, expected: float | None) -> bool:
    """Whether both are null, or alike within the tolerance of the contract."""
    if found is None or expected is None:
        return found is expected
    return abs(found - expected) <= TOLERANCE


@pytest.mark.parametrize("vector", RUNS, ids=lambda vector: f"{vector['case']}-{vector['run_id']}")
def test_a_run_comes_to_what_the_vectors_say(vector: dict[str, Any]) -> None:
    """Every figure and every normalised classification agrees."""
    given = vector["input"]
    runs = evaluate_runs(given["groundTruth"], given["experiment"], given["evaluations"])
    found = next(one for one in runs if one["run_id"] == vector["run_id"])
    expected = vector["expected"]
    assert found["valid"]
    assert found["metrics"].keys() == expected["metrics"].keys()
    for metric, value in expected["metrics"].items():
        assert agrees(found["metrics"][metric], value), metric
    for one, wanted in zip(found["normalized_evaluations"], expected["normalized"], strict=True):
        assert {key: one[key] for key in wanted} == wanted


@pytest.mark.parametrize("vector", SPREADS)
def test_statistics_are_what_the_vectors_say(vector: dict[str, Any]) -> None:
    """Null and text are left out of n; the interval is limited to 0 and 1."""
    found = summary([value for value in map(number, vector["values"]) if value is not None])
    assert found.keys() == vector["expected"].keys()
    for figure, value in vector["expected"].items():
        assert agrees(found[figure], value), figure


def test_the_interval_of_what_is_no_share_holds_its_mean() -> None:
    """A penalty of 3 has no interval that ends at 1."""
    found = summary([2.0, 4.0])
    assert found["mean"] == 3
    assert agrees(found["ci_lower"], 1.04)
    assert agrees(found["ci_upper"], 4.96)


@given(st.lists(st.floats(-1e150, 1e150), min_size=1), st.randoms(use_true_random=False))
def test_statistics_do_not_depend_on_the_order(values: list[float], random: Random) -> None:
    """Sums are rounded once, so they are the same in any order, and always finite."""
    shuffled = values[:]
    random.shuffle(shuffled)
    found = summary(values)
    assert found == summary(shuffled)
    json.dumps(found, allow_nan=False)
    assert found["min"] <= found["mean"] <= found["max"]  # type: ignore[operator]


@given(st.floats(-1e150, 1e150), st.integers(1, 20))
def test_equal_values_have_no_spread(value: float, times: int) -> None:
    """The mean of one value is that value, however often it is there."""
    found = summary([value] * times)
    assert (found["mean"], found["variance"], found["stddev"]) == (value, 0, 0)


def test_every_figure_is_its_terms_divided() -> None:
    """Numbers of things are integers, weights are exact decimals, and a sum is out of nothing."""
    found = evaluated()
    assert found["metric_terms"] == {
        "coverage_raw": {"numerator": 2, "denominator": 3},
        "coverage_weighted": {"numerator": "3", "denominator": "4"},
        "addressed_quality": {"numerator": "2.5", "denominator": "3"},
        "usable_information": {"numerator": "3", "denominator": "3"},
        "effective_information": {"numerator": "2.5", "denominator": "4"},
        "gt_hallucination_rate": {"numerator": "0", "denominator": "4"},
        "error_rate": {"numerator": "0", "denominator": "4"},
        "math_error_rate": {"numerator": "0", "denominator": "4"},
        "omission_rate": {"numerator": "1", "denominator": "4"},
        "relation_consistency": {"numerator": 1, "denominator": 1},
        "absolute_extra_hallucination_penalty": {"sum": "0.5"},
    }
    for metric, terms in found["metric_terms"].items():
        if "sum" not in terms:
            share = Decimal(terms["numerator"]) / Decimal(terms["denominator"])
            assert found["metrics"][metric] == float(share)
    assert tuple(found["metrics"]) == METRICS


def test_sums_are_exact() -> None:
    """Ten tenths are one, which they are not in floats."""
    points = [{"point_id": f"p{index}", "weight": 0.1} for index in range(10)]
    words = [{"point_id": each["point_id"], "coverage": "addressed"} for each in points]
    found = evaluated({"points": points}, entry={"evaluations": words})
    assert found["metric_terms"]["coverage_weighted"] == {"numerator": "1", "denominator": "1"}


def test_what_is_not_measured_is_null() -> None:
    """A zero denominator is no 0; without extra claims there is no penalty."""
    found = evaluated({"points": []}, entry={"evaluations": []})
    assert found["valid"]
    penalty = "absolute_extra_hallucination_penalty"
    assert {name for name, value in found["metrics"].items() if value is not None} == {penalty}
    assert found["metrics"][penalty] == 0


def test_points_that_weigh_nothing_are_still_points() -> None:
    """Weights of 0 leave the number of points, and no weighted figure."""
    found = evaluated(
        {"points": [{"point_id": "p1", "weight": 0}]},
        entry=entry(evaluations=[{"point_id": "p1", "coverage": "addressed", "status": "correct"}]),
    )
    assert found["metrics"]["coverage_raw"] == 1
    assert found["metrics"]["coverage_weighted"] is None
    assert found["metrics"]["addressed_quality"] is None


def test_coverage_and_status_are_unrated_unless_they_are_given() -> None:
    """Nothing is made of what nobody said."""
    found = evaluated(
        entry={"evaluations": [{"point_id": "p1"}, {"point_id": "p2", "status": None}]}
    )
    words = [(one["coverage"], one["status"]) for one in found["normalized_evaluations"]]
    assert words == [("unrated", "unrated")] * 2
    assert found["validation"]["warnings"] == []


def test_what_was_not_given_to_a_run_was_not_addressed_by_it() -> None:
    """Without its source a point is out of context, but what was owed stays owed."""
    found = evaluated(run=run(context_document_ids=["d1"]))
    by_id = {one["point_id"]: one for one in found["normalized_evaluations"]}
    assert by_id["p2"]["coverage"] == "out_context"
    assert by_id["p2"]["available_to_model"] is False
    assert by_id["p3"]["available_to_model"] is True
    owed = evaluated(run=run(context_document_ids=[]), entry=classified(coverage="should"))
    assert owed["normalized_evaluations"][0]["coverage"] == "should"
    assert owed["normalized_evaluations"][0]["available_to_model"] is False


def test_a_run_that_declares_no_documents_had_them_all() -> None:
    """Nothing is known to have been kept from it."""
    found = evaluated(run={"run_id": "r"})
    assert found["context_document_ids"] is None
    assert all(one["available_to_model"] for one in found["normalized_evaluations"])


@pytest.mark.parametrize(
    ("kind", "premise", "conclusion", "consistent"),
    [
        ("depends_on", "error", "correct", False),
        ("depends_on", "hallu", "correct", False),
        ("depends_on", "omission", "correct", False),
        ("depends_on", "missing", "correct", False),
        ("depends_on", "math_error", "correct", True),
        ("depends_on", "error", "partial", True),
        ("supports", "hallu", "error", False),
        ("supports", "error", "correct", True),
        ("contradicts", "hallu", "correct", True),
    ],
)
def test_relations_are_consistent_by_their_rule(
    kind: str, premise: str, conclusion: str, *, consistent: bool
) -> None:
    """A premise and a conclusion, by the type of what joins them."""
    joined = {"source_point_id": "p1", "target_point_id": "p2", "type": kind}
    said = [
        {"point_id": "p1", "coverage": "addressed", "status": premise},
        {"point_id": "p2", "coverage": "addressed", "status": conclusion},
    ]
    found = evaluated(truth(relations=[joined]), entry={"evaluations": said})
    assert found["metrics"]["relation_consistency"] == int(consistent)
    assert found["relations"] == [
        {
            **joined,
            "source_status": premise,
            "target_status": conclusion,
            "consistent": consistent,
        }
    ]


def test_a_relation_with_one_end_is_not_evaluated() -> None:
    """Both points must have been classified."""
    found = evaluated(entry={"evaluations": [{"point_id": "p1", "status": "correct"}]})
    assert found["relations"] == []
    assert found["metrics"]["relation_consistency"] is None


def test_what_is_not_known_is_carried_along() -> None:
    """Notes, excerpts and ids of other programs come out as they went in."""
    note = {"deep": ["er", {"and": None}]}
    given = (
        point(note=note),
        run(input_id="i", note=note),
        {**classified(excerpt="said", note=note), "by": "somebody"},
    )
    before = copy.deepcopy(given)
    found = evaluate_run(*given)
    assert given == before
    assert (found["input_id"], found["note"], found["evaluation"]) == (
        "i",
        note,
        {"by": "somebody"},
    )
    first = found["normalized_evaluations"][0]
    assert (first["excerpt"], first["note"]) == ("said", note)


def test_a_run_cannot_call_itself_valid() -> None:
    """What a run brings along never stands in the place of what was found."""
    found = evaluated(run=run(valid=True, metrics={"coverage_raw": 1}), entry=None)
    assert not found["valid"]
    assert set(found["metrics"].values()) == {None}


def test_a_weight_stands_in_place_of_an_importance() -> None:
    """An override is an override; each importance has its own weight, and none counts as one."""
    weights = [
        evaluated(point(importance=importance))["normalized_evaluations"][0]["weight"]
        for importance in ("Critical", "High", "Medium", "Low", None)
    ]
    assert weights == [2, 1, 0.5, 0.25, 1]
    assert evaluated(point(weight=3))["normalized_evaluations"][0]["weight"] == 3


def test_a_configuration_is_merged_key_by_key() -> None:
    """What is not overridden stays, and the report quotes the whole of what was counted with."""
    config = {"version": "mine", "statusScore": {"partial": 0.75}}
    assert evaluated(config=config)["metric_terms"]["addressed_quality"]["numerator"] == "2.75"
    report = build_experiment_report(truth(), {"runs": []}, {}, config=config)
    assert report["config"] == {
        **CONFIG,
        "version": "mine",
        "statusScore": {**CONFIG["statusScore"], "partial": 0.75},
    }
    assert CONFIG["statusScore"]["partial"] == 0.5


def test_a_new_status_may_be_declared() -> None:
    """A word that is declared is known, and has the score that it is given."""
    config = {"status": {"late": True}, "statusScore": {"late": 0.125}}
    found = evaluated(entry=classified(status="late"), config=config)
    assert found["validation"]["warnings"] == []
    assert found["metric_terms"]["addressed_quality"]["numerator"] == "0.75"


def test_a_coverage_may_be_counted_otherwise() -> None:
    """A gap that counts as owed joins the points that a run should have dealt with."""
    gap = classified(coverage="gap")
    assert evaluated(entry=gap)["metric_terms"]["coverage_raw"]["denominator"] == 2
    found = evaluated(entry=gap, config={"coverageScore": {"gap": 0}})
    assert found["metric_terms"]["coverage_raw"] == {"numerator": 1, "denominator": 3}


@pytest.mark.parametrize(
    ("config", "says"),
    [
        ([], "it is no object"),
        ({"weights": {}}, "it has the key 'weights'"),
        ({"version": 1}, "its version is no text"),
        ({"statusScore": None}, "statusScore is no object"),
        ({"statusScore": {1: 1}}, "statusScore is no object"),
        ({"status": {"late": 1}}, "status.late is neither true nor false"),
        ({"statusScore": {"late": 1}}, "statusScore scores 'late'"),
        ({"coverageScore": {"seen": 1}}, "coverageScore scores 'seen'"),
        ({"statusScore": {"partial": 1.5}}, "statusScore.partial is no score"),
        ({"statusScore": {"partial": True}}, "statusScore.partial is no score"),
        ({"coverageScore": {"gap": 0.5}}, "coverageScore.gap is no score of a coverage"),
        ({"defaultImportanceWeight": {"High": -1}}, "defaultImportanceWeight.High is no weight"),
        ({"defaultImportanceWeight": {"High": None}}, "defaultImportanceWeight.High is no weight"),
    ],
)
def test_a_configuration_that_nobody_could_count_with_is_refused(
    config: Any,  # noqa: ANN401
    says: str,
) -> None:
    """A fault tells what is wrong, and what is expected."""
    with pytest.raises(PointsFault) as caught:
        evaluated(config=config)
    assert caught.value.what == f"The configuration can't be used: {says}."
    assert caught.value.remedy.endswith(".")
