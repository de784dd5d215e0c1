"""`results score --truth --evals`, and `results gate` over what it wrote, as in a pipeline."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator.cli.app import run as results_run
from generator.records.base import canonical_json
from generator.workflow import evaluating
from tests.cli.conftest import Said
from tests.families.points.sample import DEMO, demo, demo_report

TRUTH, EVALS = DEMO / "truth.json", DEMO / "evals.json"
FILES = ("--truth", TRUTH, "--evals", EVALS)

Command = Callable[..., Said]
Edit = Callable[[dict[str, Any]], object]


@pytest.fixture
def command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Command:
    """Run a command outside of every project."""
    monkeypatch.chdir(tmp_path)

    def call(*words: str | Path) -> Said:
        capsys.readouterr()
        code = results_run([*map(str, words)])
        return Said(code, *capsys.readouterr())

    return call


def written(path: Path, value: object) -> Path:
    """A file with a JSON value."""
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_a_report_goes_to_the_output(command: Command) -> None:
    """As the engine has it, for a program; what a reader should know goes beside it."""
    said = command("score", *FILES)
    assert (said.code, said.json) == (0, demo_report())
    assert said.err == (
        "note: Without evaluations, and so skipped: example-unclassified (1 in all).\n"
    )


def test_a_report_goes_to_a_file(command: Command, tmp_path: Path) -> None:
    """Canonically, in the place of an earlier one, and nothing is left beside it."""
    out = tmp_path / "new" / "report.json"
    for _ in range(2):
        said = command("score", *FILES, "--out", out)
        assert (said.code, said.out) == (0, f"written: {out}\n")
        assert out.read_bytes() == canonical_json(demo_report())
    assert list(out.parent.iterdir()) == [out]


def test_limits_are_passed_on_and_truncation_is_said(command: Command) -> None:
    """In the report, and on standard error."""
    said = command("score", *FILES, "--max-comparisons", "3")
    assert len(said.json["comparisons"]) == 3
    assert said.json["comparison_audit"]["truncated_by"] == "max_comparisons"
    assert "note: The comparisons are truncated: 11 of 28 pairs" in said.err
    said = command("score", *FILES, "--max-scanned-pairs", "2")
    assert said.json["comparison_audit"]["truncated_by"] == "max_scanned_pairs"


def test_multidimensional_comparisons_are_asked_for(command: Command) -> None:
    """They come with the word that they can't be attributed."""
    said = command("score", *FILES, "--include-multidimensional")
    methods = [one["methodology"] for one in said.json["comparisons"]]
    verdicts = {one["verdict"] for one in methods if one["comparison_type"] == "multidimensional"}
    assert verdicts
    assert all("can't be attributed" in verdict for verdict in verdicts)


def test_invalid_runs_are_told(command: Command, tmp_path: Path) -> None:
    """Each with its errors, ten of them, and how many more there are; the report is written."""
    _, evals = demo()
    runs = [{"run_id": f"example-{at:02}"} for at in range(12)]
    evals["experiment"]["runs"] = runs
    evals["evaluations"] = {one["run_id"]: None for one in runs} | {"stray": None}
    said = command("score", "--truth", TRUTH, "--evals", written(tmp_path / "e.json", evals))
    lines = said.err.splitlines()
    assert (said.code, said.json["valid_run_count"]) == (0, 0)
    assert lines[0] == (
        "note: The run example-00 is invalid and has no figures. evaluation_missing: The run has "
        "an entry in the evaluations that is no object."
    )
    assert len(lines) == 12
    assert lines[10] == "note: 2 more runs are invalid."
    assert lines[11] == "note: Evaluations that belong to no run: stray (1 in all)."


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "There is nothing to score."),
        (("run", *FILES), "A run is named, and so are options of a report"),
        (("run", "--max-comparisons", "1"), "A run is named, and so are options of a report"),
        (("run", "--out", "report.json"), "A run is named, and so are options of a report"),
        (("run", "--include-multidimensional"), "A run is named, and so are options"),
        (("--truth", TRUTH), "takes a ground truth and evaluations"),
        (("--evals", EVALS), "takes a ground truth and evaluations"),
        (("--max-comparisons", "1"), "takes a ground truth and evaluations"),
        ((*FILES, "--cases"), "--cases and --jobs go with a run"),
        ((*FILES, "--jobs", "1"), "--cases and --jobs go with a run"),
        ((*FILES, "--max-comparisons", "-1"), "Invalid value for '--max-comparisons'"),
        ((*FILES, "--max-scanned-pairs", "many"), "Invalid value for '--max-scanned-pairs'"),
        (("--truth", "gone", "--evals", EVALS), "gone can't be read: No such file"),
        (("--truth", DEMO, "--evals", EVALS), "can't be read: Is a directory"),
        ((*FILES, "--out", EVALS), "is what the report was made of"),
    ],
)
def test_the_two_forms_exclude_each_other(
    command: Command, words: tuple[str | Path, ...], told: str
) -> None:
    """A mixture, a half and nothing are faults of usage, and nothing is written."""
    before = EVALS.read_bytes()
    said = command("score", *words)
    assert (said.code, said.out) == (2, "")
    assert told in said.err
    assert EVALS.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "is no JSON that can be relied on"),
        (b"[1, 2", "is no JSON that can be relied on"),
        (b'{"points": [{"weight": NaN}]}', "NaN is no JSON number"),
        (b'{"points": [{"weight": 1e999}]}', "1e999 is beyond every float"),
        (b'{"points": [], "points": []}', "the key 'points' stands twice"),
        (b"[" * 100_000, "is no JSON that can be relied on"),
        (b"[" * 80 + b"]" * 80, "nested more than 64 deep"),
        (b'{"points": [{"point_id": "\\ud800"}]}', "surrogates not allowed"),
        (b'{"points": [{"weight": ' + b"9" * 5000 + b"}]}", "a number of 5000 digits"),
        (b"\xff\xfe", "is no JSON that can be relied on"),
        (b"<<<<<<< HEAD\n", "line 1 is a conflict marker of git"),
    ],
)
def test_a_file_that_can_be_taken_in_two_ways_is_refused(
    command: Command, tmp_path: Path, content: bytes, told: str
) -> None:
    """With the code of a benchmark's fault for the truth, and of a run's for the evaluations."""
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    for words, code in (
        (("--truth", path, "--evals", EVALS), 4),
        (("--truth", TRUTH, "--evals", path), 3),
    ):
        said = command("score", *words)
        assert (said.code, said.out) == (code, "")
        assert f"error: {path}" in said.err
        assert told in said.err


def test_a_file_without_end_is_refused(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More than can be held is not read to its end."""
    monkeypatch.setattr(evaluating, "LIMIT", 10)
    path = written(tmp_path / "long.json", list(range(100)))
    said = command("score", "--truth", path, "--evals", EVALS)
    assert (said.code, said.out) == (4, "")
    assert f"error: {path} has more than 10 bytes." in said.err


@pytest.mark.parametrize(
    ("evals", "told"),
    [
        ([], "expected was an object with experiment and evaluations"),
        ({}, "experiment.runs must be an array."),
        ({"experiment": {"runs": {}}}, "experiment.runs must be an array."),
        ({"experiment": {"runs": []}}, "evaluations must be an object."),
    ],
)
def test_evaluations_without_an_experiment_are_refused(
    command: Command, tmp_path: Path, evals: object, told: str
) -> None:
    """The one thing that stops an experiment is said with its file."""
    path = written(tmp_path / "e.json", evals)
    said = command("score", "--truth", TRUTH, "--evals", path)
    assert (said.code, said.out) == (3, "")
    assert f"error: {path}: {told}" in said.err


# The gate over a report.


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """The report of the demonstration, in a file."""
    return written(tmp_path / "report.json", demo_report())


def test_all_gates_are_reported(command: Command, report: Path) -> None:
    """One that fails hides none that come after it."""
    said = command(
        *("gate", report, "--run", "example-plain-1", "--max-hallucination", "0.02"),
        *("--max-math-error", "0.0", "--max-extra-hallucination-penalty", "1"),
        *("--min-quality", "0.90", "--min", "coverage_raw=0.5", "--max", "omission_rate=0.5"),
    )
    assert (said.code, said.err) == (1, "")
    assert said.out == (
        "the run example-plain-1: failed\n"
        "    failed: gt_hallucination_rate is 0.235294 (2/8.5), more than 0.02.\n"
        "    failed: math_error_rate is 0.176471 (1.5/8.5), more than 0.0.\n"
        "    passed: absolute_extra_hallucination_penalty is 1 (1), at most 1.\n"
        "    failed: addressed_quality is 0.428571 (3/7), less than 0.90.\n"
        "    passed: coverage_raw is 0.714286 (5/7), at least 0.5.\n"
        "    passed: omission_rate is 0.176471 (1.5/8.5), at most 0.5.\n"
    )


def test_the_last_run_of_a_report_is_gated(command: Command, report: Path) -> None:
    """And it is said which that is, and that runs were skipped, which may have been later ones."""
    said = command("gate", report, "--max-hallucination", "0")
    assert said.code == 0
    assert said.out.startswith("the run example-other-1: passed\n")
    assert said.err.startswith("note: Runs that have no evaluations are not in the report (1 in")


def test_a_gate_speaks_to_programs(command: Command, report: Path) -> None:
    """Everything that is said in words stands in fields too."""
    said = command("gate", report, "--run", "example-plain-1", "--min-quality", "0.9", "--json")
    assert said.code == 1
    assert said.json == {
        "target": str(report),
        "passed": False,
        "notes": [],
        "subjects": [
            {
                "subject": "the run example-plain-1",
                "valid": True,
                "faults": [],
                "passed": False,
                "gates": [
                    {
                        "measure": "addressed_quality",
                        "bound": "min",
                        "limit": "0.9",
                        "value": 3 / 7,
                        "terms": "3/7",
                        "passed": False,
                        "says": "addressed_quality is 0.428571 (3/7), less than 0.9.",
                    }
                ],
            }
        ],
    }


def test_what_is_equal_to_its_threshold_passes(command: Command, report: Path) -> None:
    """Comparisons are strict and exact: 5/7 is less than any decimal that is written above it."""
    for bound, limit, code in (
        ("--max", "0.714285714285714285", 1),
        ("--max", "0.714285714285714286", 0),
        ("--min", "0.714285714285714285", 0),
        ("--min", "0.714285714285714286", 1),
    ):
        words = (bound, f"coverage_raw={limit}", "--run", "example-plain-1")
        assert command("gate", report, *words).code == code
    equal = ("--min", "usable_information=0.5", "--max", "usable_information=5e-1")
    assert command("gate", report, *equal, "--run", "example-plain-1").code == 0


def spoilt(tmp_path: Path, edit: Edit) -> Path:
    """A report of which the last run is changed."""
    found = copy.deepcopy(demo_report())
    edit(found["runs"][-1])
    return written(tmp_path / "spoilt.json", found)


def test_a_null_metric_fails_and_says_so(command: Command, tmp_path: Path) -> None:
    """What was not measured is not 0 and not 1."""

    def unmeasured(run: dict[str, Any]) -> None:
        run["metrics"]["addressed_quality"] = None
        run["metric_terms"]["addressed_quality"] = {"numerator": "0", "denominator": "0"}

    path = spoilt(tmp_path, unmeasured)
    said = command("gate", path, "--min-quality", "0", "--max", "addressed_quality=1")
    assert said.code == 1
    assert said.out.count("    failed: addressed_quality was not measured.\n") == 2


def test_an_invalid_run_fails_and_says_so(command: Command, tmp_path: Path) -> None:
    """Whatever its figures are; its errors are told."""
    ground_truth, evals = demo()
    evals["evaluations"]["example-other-1"]["evaluations"][0].pop("point_id")
    files = (written(tmp_path / "t.json", ground_truth), written(tmp_path / "e.json", evals))
    out = tmp_path / "report.json"
    command("score", "--truth", files[0], "--evals", files[1], "--out", out)
    said = command("gate", out, "--max-hallucination", "1")
    assert said.code == 1
    assert said.out == (
        "the run example-other-1: failed\n"
        "    failed: It is invalid.\n"
        "    failed: point_id_missing: A point, or the classification of one, has no point_id that "
        "is a text.\n"
        "    failed: gt_hallucination_rate was not measured.\n"
    )
    figures = spoilt(tmp_path, lambda run: run.update(valid="true", validation=None))
    said = command("gate", figures, "--max-hallucination", "1")
    assert said.code == 1
    assert "    passed: gt_hallucination_rate" in said.out


def test_a_report_of_another_program_is_gated_by_its_figures(
    command: Command, tmp_path: Path
) -> None:
    """Where no terms stand beside them, figures are taken as they are written."""

    def bare(run: dict[str, Any]) -> None:
        del run["metric_terms"]
        run["metrics"] = {"gt_hallucination_rate": 0.1, "addressed_quality": 1, "error_rate": None}

    found = {**demo_report(), "skipped_runs": 1}
    bare(found["runs"][-1])
    path = written(tmp_path / "bare.json", found)
    assert command("gate", path, "--max-hallucination", "0.1", "--min-quality", "1").code == 0
    assert command("gate", path, "--max", "error_rate=1").code == 1


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (lambda run: run.pop("run_id"), "the run of number 8 has no run_id, valid and metrics"),
        (lambda run: run.update(metrics=[]), "the metrics of the run of number 8 are no object"),
        (
            lambda run: run["metrics"].update(error_rate="0"),
            "error_rate of the run example-other-1 is neither a number nor null",
        ),
        (
            lambda run: run["metrics"].update(error_rate=True),
            "error_rate of the run example-other-1 is neither a number nor null",
        ),
        (
            lambda run: run["metrics"].update(error_rate=0.1),
            "error_rate of the run example-other-1 is 0.1, and its terms are 1/4.75",
        ),
        (
            lambda run: run["metrics"].update(error_rate=None),
            "error_rate of the run example-other-1 is None, and its terms are 1/4.75",
        ),
        (
            lambda run: run["metric_terms"]["error_rate"].update(numerator="1/2"),
            "error_rate of the run example-other-1 is 0.21052631578947367, and its terms are 1/2/4",
        ),
        (
            lambda run: run["metric_terms"]["error_rate"].update(denominator=True),
            "and its terms are 1/True",
        ),
    ],
)
def test_a_report_that_contradicts_itself_is_refused(
    command: Command, tmp_path: Path, edit: Edit, told: str
) -> None:
    """An edited figure, or one without terms, passes no gate and fails none."""
    said = command("gate", spoilt(tmp_path, edit), "--max", "omission_rate=1")
    assert (said.code, said.out) == (3, "")
    assert told in said.err


@pytest.mark.parametrize("value", [[], {}, {"schema": "other", "runs": []}, {"runs": []}, 1])
def test_what_is_no_report_is_refused(command: Command, tmp_path: Path, value: object) -> None:
    """A gate over some other file would pass nothing, and say nothing."""
    said = command("gate", written(tmp_path / "r.json", value), "--min-quality", "0")
    assert (said.code, said.out) == (3, "")
    assert "is no report of the schema diber-evaluation-v0.9.0" in said.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "There is no threshold"),
        (("--min", "coverage_raw"), "names no measure and limit"),
        (("--max", "=1"), "names no measure and limit"),
        (("--max", "coverage_raw=1/2"), "The limit '1/2' of coverage_raw is no decimal."),
        (("--max", "coverage_raw=nan"), "The limit 'nan' of coverage_raw is no decimal."),
        (("--max", "coverage_raw=inf"), "The limit 'inf' of coverage_raw is no decimal."),
        (("--max", "coverage_raw=50%"), "The limit '50%' of coverage_raw is no decimal."),
        (("--max", "coverage_raw=1e999"), "is no decimal."),
        (("--min-quality", "good"), "The limit 'good' of addressed_quality is no decimal."),
        (("--min", "quality=1"), "has no measure quality that is a number."),
        (("--min-quality", "1", "--run", "gone"), "does not have the run gone"),
        (
            ("--min-quality", "1", "--run", "example-unclassified"),
            "the run example-unclassified was skipped, since it has no evaluations",
        ),
    ],
)
def test_a_gate_that_can_not_be_held_is_a_fault(
    command: Command, report: Path, words: tuple[str, ...], told: str
) -> None:
    """A word that is mistyped neither passes nor fails."""
    said = command("gate", report, *words)
    assert (said.code, said.out) == (2, "")
    assert told in said.err


def test_a_report_without_runs_passes_nothing(command: Command, tmp_path: Path) -> None:
    """There is no last run."""
    found = {**demo_report(), "runs": []}
    said = command("gate", written(tmp_path / "r.json", found), "--min-quality", "0")
    assert (said.code, said.out) == (2, "")
    assert "does not have the last run" in said.err


def test_runs_that_share_an_id_all_fail(command: Command, tmp_path: Path) -> None:
    """Who names one of them is told of each."""
    ground_truth, evals = demo()
    evals["experiment"]["runs"].append(evals["experiment"]["runs"][0])
    files = (written(tmp_path / "t.json", ground_truth), written(tmp_path / "e.json", evals))
    out = tmp_path / "report.json"
    command("score", "--truth", files[0], "--evals", files[1], "--out", out)
    said = command("gate", out, "--max-hallucination", "1", "--run", "example-plain-1")
    assert said.code == 1
    assert said.out.count("run_id_repeated:example-plain-1") == 2


def test_outside_of_a_project_only_reports_are_gated(command: Command) -> None:
    """A row lies in a registry, and there is none here."""
    said = command("gate", "some-row", "--min", "passed=1")
    assert (said.code, said.out) == (2, "")
    assert "is not inside a project" in said.err
