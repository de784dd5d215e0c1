"""The engine of the family: from a ground truth, runs and classifications to a report.

It judges nothing and asks no model: somebody, or a declared pattern, has said of each point of a
ground truth how a run dealt with it, and everything here is arithmetic on that. The same input and
configuration give the same report, byte for byte, on every version of Python, and no figure depends
on the order of runs, points or classifications.

    from generator.families.points.engine import CONFIG, build_experiment_report

    report = build_experiment_report(ground_truth, experiment, evaluations)
    report["runs"][0]["metrics"]["effective_information"]

| function | gives |
| --- | --- |
| `build_experiment_report(ground_truth, experiment, evaluations, *, config, limits)` | all of it |
| `evaluate_runs(ground_truth, experiment, evaluations, *, config)` | the runs, valid and invalid |
| `evaluate_run(ground_truth, run, evaluation, *, config)` | one run |
| `CONFIG`, `LIMITS` | what `config` and `limits` override, key by key |
| `explained(finding)` | what an error or a warning of a run says, as a sentence |

All arguments and results are JSON values. What is wrong with a ground truth or with the
classifications of a run makes runs invalid, and is listed with them; only what leaves no experiment
to speak of is raised, as `PointsFault`. Keys that are not known are carried along: a report holds
the very objects that it was given, and changes none of them.

The modules of this folder import the standard library and each other, by relative paths, so that a
copy of the folder runs wherever Python does: on a page in a reader's browser, for instance.
"""

from .config import CONFIG, SCHEMA, PointsFault
from .findings import explained
from .metrics import METRICS
from .report import LIMITS, build_experiment_report, evaluate_run, evaluate_runs

__all__ = [
    "CONFIG",
    "LIMITS",
    "METRICS",
    "SCHEMA",
    "PointsFault",
    "build_experiment_report",
    "evaluate_run",
    "evaluate_runs",
    "explained",
]
