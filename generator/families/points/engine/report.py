"""From what was asked, run and classified to runs with their figures, and to the whole report."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from .comparing import LIMITS, compared
from .comparing import limits as comparing_limits
from .config import SCHEMA, PointsFault, Terms, terms
from .exposure import behaved, exposed, profile
from .findings import Findings
from .grouping import exact_configurations, model_prompt_matrix
from .metrics import figures, penalised, related, written
from .normalising import counted, normalised
from .truth import Truth, is_id, read_truth

__all__ = ["LIMITS", "build_experiment_report", "evaluate_run", "evaluate_runs"]

_ENTRY = ("input_data_assessment", "evaluations", "extra_claims")
"""What is known of the entry of a run; the rest of it is carried along."""


def build_experiment_report(
    ground_truth: object,
    experiment: object,
    evaluations: object,
    *,
    config: Mapping[str, Any] | None = None,
    limits: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Everything that can be said of an experiment, as a report of the schema `SCHEMA`.

    `config` overrides parts of `CONFIG`, and `limits` parts of `LIMITS`. Raises PointsFault where
    `experiment` has no array of runs, `evaluations` is no object by run id, or one of the
    overrides can't be used.
    """
    within = comparing_limits(limits)
    known = terms(config)
    whole = _evaluated(ground_truth, experiment, evaluations, known)
    valid = [run for run in whole.runs if run["valid"]]
    comparisons, audit = compared(valid, within)
    return {
        "schema": SCHEMA,
        "deterministic": True,
        "ai_judge": False,
        "config": known.plain,
        "experiment_id": _text(whole.experiment.get("experiment_id")),
        "experiment": {
            key: value
            for key, value in whole.experiment.items()
            if key not in ("experiment_id", "runs")
        },
        "run_count": len(whole.runs),
        "valid_run_count": len(valid),
        "runs": whole.runs,
        "skipped_runs": whole.skipped,
        "evaluations_without_run": whole.strays,
        "groups": {"exact_configurations": exact_configurations(valid)},
        "comparisons": comparisons,
        "comparison_audit": audit,
        "model_prompt_matrix": model_prompt_matrix(valid),
        "behavioral_profile": behaved(valid),
        "input_exposure_summary": exposed(valid),
    }


def evaluate_runs(
    ground_truth: object,
    experiment: object,
    evaluations: object,
    *,
    config: Mapping[str, Any] | None = None,
) -> list[dict[str, Any]]:
    """The runs that have an entry in the evaluations, valid or not, in their order.

    A run without one is skipped. Raises PointsFault as `build_experiment_report` does.
    """
    return _evaluated(ground_truth, experiment, evaluations, terms(config)).runs


def evaluate_run(
    ground_truth: object,
    run: object,
    evaluation: object,
    *,
    config: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """One run with its figures, their terms, and everything that they were made of.

    It is valid unless it has errors; without validity all its figures are null. Raises PointsFault
    where the configuration can't be used, and for nothing else.
    """
    known = terms(config)
    return _run(read_truth(ground_truth, known), run, evaluation, known, repeated=False)


class _Evaluated(NamedTuple):
    experiment: Mapping[str, Any]
    runs: list[dict[str, Any]]
    skipped: list[str]
    """Ids of the runs that have no entry in the evaluations."""

    strays: list[str]
    """Ids of entries that belong to no run."""


def _evaluated(
    ground_truth: object, experiment: object, evaluations: object, known: Terms
) -> _Evaluated:
    if not isinstance(experiment, Mapping) or not isinstance(experiment.get("runs"), list | tuple):
        raise PointsFault(
            "experiment.runs must be an array.",
            "Give an object with the runs of the experiment, each with a run_id.",
        )
    if not isinstance(evaluations, Mapping):
        raise PointsFault(
            "evaluations must be an object.", "Give an object with an entry for each run_id."
        )
    truth = read_truth(ground_truth, known)
    ids = [_id_of(run) for run in experiment["runs"]]
    times = Counter(ids)
    done, skipped = [], []
    for run_id, run in zip(ids, experiment["runs"], strict=True):
        if run_id is not None and run_id not in evaluations:
            skipped.append(run_id)
            continue
        entry = None if run_id is None else evaluations[run_id]
        repeated = run_id is not None and times[run_id] > 1
        done.append(_run(truth, run, entry, known, repeated=repeated))
    strays = sorted(str(run_id) for run_id in evaluations if run_id not in times)
    return _Evaluated(experiment, done, skipped, strays)


def _run(
    truth: Truth, run: object, entry: object, known: Terms, *, repeated: bool
) -> dict[str, Any]:
    findings = truth.findings.copy()
    declared: Mapping[str, Any] = run if isinstance(run, Mapping) else {}
    run_id = _id_of(run)
    if run_id is None:
        findings.error("run_id_missing")
    if repeated:
        findings.error("run_id_repeated", run_id)
    names = {key: _name(declared, key, findings) for key in ("model_id", "prompt_id")}
    documents = _documents(declared.get("context_document_ids"), findings)
    behaviour = declared.get("behavioral_test")
    if behaviour is not None and not isinstance(behaviour, Mapping):
        findings.warn("behavioral_test_invalid")
        behaviour = None
    given = _given(entry, findings)
    context = None if documents is None else frozenset(documents)
    done = normalised(given.get("evaluations") or (), truth, known, context, findings)
    relations, consistent = related(truth.relations, done.statuses)
    penalty, claimed = penalised(given.get("extra_claims"), findings)
    exposure = profile(given.get("input_data_assessment"), findings)
    valid = not findings.errors.found
    made = figures(done, known, consistent, penalty)
    return {
        **declared,
        "run_id": run_id,
        **names,
        "context_document_ids": documents,
        "behavioral_test": behaviour,
        "valid": valid,
        "validation": findings.plain(),
        "metrics": {name: figure.value if valid else None for name, figure in made.items()},
        "metric_terms": {
            name: written(name, figure) if valid else None for name, figure in made.items()
        },
        "counts": {**counted(done, known), "extra_claims": claimed},
        "relations": relations,
        "normalized_evaluations": done.listed,
        "extra_claims": given.get("extra_claims") or [],
        "input_data_assessment": given.get("input_data_assessment"),
        "input_profile": exposure,
        "evaluation": {key: value for key, value in given.items() if key not in _ENTRY},
    }


def _given(entry: object, findings: Findings) -> Mapping[str, Any]:
    """The entry of a run in the evaluations, as far as it can be read."""
    if not isinstance(entry, Mapping):
        findings.error("evaluation_missing")
        return {}
    if isinstance(entry.get("evaluations"), list | tuple):
        return entry
    findings.error("evaluations_not_array")
    return {**entry, "evaluations": ()}


def _id_of(run: object) -> str | None:
    run_id = run.get("run_id") if isinstance(run, Mapping) else None
    return run_id if is_id(run_id) else None


def _name(run: Mapping[str, Any], key: str, findings: Findings) -> str | None:
    found = run.get(key)
    if found is not None and not isinstance(found, str):
        findings.error(f"{key}_invalid")
    return _text(found)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _documents(declared: object, findings: Findings) -> list[str] | None:
    """The documents that a run was given; none where it does not say."""
    if declared is None:
        return None
    if isinstance(declared, list | tuple) and all(isinstance(name, str) for name in declared):
        return list(declared)
    findings.error("context_document_ids_invalid")
    return None
