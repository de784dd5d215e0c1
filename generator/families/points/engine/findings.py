"""What can be wrong with a run: errors, which make it invalid, and warnings, which do not.

A finding is a word of the contract, with what it speaks of behind a colon: `unknown_point:PT-9`.
"""

from dataclasses import dataclass, field
from typing import Any

from .config import WEIGHT_SAID

MOST = 100
"""How many different findings of a kind a run lists; of the others it tells how many they are."""

_LONGEST = 200
"""The most characters of a value that a finding quotes."""

_LARGEST = 10**18

SAID = {
    "evaluation_missing": "The run has an entry in the evaluations that is no object.",
    "ground_truth_missing": "The ground truth is no object.",
    "evaluations_not_array": "The classifications of the run are no array.",
    "ground_truth_points_not_array": "The points of the ground truth are no array.",
    "point_id_missing": "A point, or the classification of one, has no point_id that is a text.",
    "point_repeated": "The ground truth has two points of this id.",
    "point_weight_invalid": f"The weight of the point is not {WEIGHT_SAID}.",
    "point_source_invalid": "The source_document_id of the point is no text.",
    "relations_not_array": "The relations of the ground truth are no array.",
    "relation_invalid": "The relation of this number is no object that names two points by text.",
    "run_id_missing": "The run has no run_id that is a text.",
    "run_id_repeated": "Several runs have this id, so nobody can say whose evaluations these are.",
    "model_id_invalid": "The model_id of the run is no text.",
    "prompt_id_invalid": "The prompt_id of the run is no text.",
    "context_document_ids_invalid": "The context_document_ids of the run are no array of texts.",
    "point_evaluated_twice": "The run has two classifications of this point.",
    "extra_claims_not_array": "The extra claims of the run are no array.",
    "extra_claim_invalid": "The extra claim of this number is no object.",
    "extra_claim_status_missing": "The extra claim of this number has no status; no figure counts "
    "it.",
    "extra_claim_weight_invalid": f"The weight of the extra claim is not {WEIGHT_SAID}.",
    "unknown_point": "A classification names a point that the ground truth has not; no figure "
    "counts it.",
    "unknown_coverage": "This is no known coverage; no figure counts the point.",
    "unknown_status": "This is no known status; the point has no score.",
    "unknown_importance": "This is no known importance; the point weighs as one that has none.",
    "unknown_relation_type": "This is no known type of relation; it is not evaluated.",
    "unknown_relation_point": "A relation names a point that the ground truth has not; it is not "
    "evaluated.",
    "unknown_extra_claim_status": "This is no known status of an extra claim; no figure counts it.",
    "unknown_exposure": "This is no known exposure; the summary counts it as not assessed.",
    "behavioral_test_invalid": "The behavioral_test of the run is no object; it is left out.",
    "input_data_assessment_invalid": "The input_data_assessment is no object; it is left out.",
}
"""What each error or warning says."""


def explained(finding: str) -> str:
    """A finding, and what it says as a sentence; one that nobody knows speaks for itself."""
    said = SAID.get(finding.partition(":")[0])
    return finding if said is None else f"{finding}: {said}"


class Findings:
    """What is wrong with something, as it is met: each finding once, in the order of the input."""

    def __init__(self, errors: "_Listed | None" = None, warnings: "_Listed | None" = None) -> None:
        self.errors = errors or _Listed()
        self.warnings = warnings or _Listed()

    def error(self, finding: str, about: object = None) -> None:
        """Note an error, and what it speaks of."""
        self.errors.add(finding, about)

    def warn(self, finding: str, about: object = None) -> None:
        """Note a warning, and what it speaks of."""
        self.warnings.add(finding, about)

    def copy(self) -> "Findings":
        """The same, to be gone on with."""
        return Findings(self.errors.copy(), self.warnings.copy())

    def plain(self) -> dict[str, Any]:
        """Both lists, and how many findings were met beyond them."""
        return {
            "errors": list(self.errors.found),
            "warnings": list(self.warnings.found),
            "errors_left_out": self.errors.left_out,
            "warnings_left_out": self.warnings.left_out,
        }


@dataclass(slots=True)
class _Listed:
    """The first findings of a kind."""

    found: dict[str, None] = field(default_factory=dict)
    left_out: int = 0

    def add(self, finding: str, about: object) -> None:
        whole = finding if about is None else f"{finding}:{shown(about)}"
        if whole in self.found:
            return
        if len(self.found) < MOST:
            self.found[whole] = None
        else:
            self.left_out += 1

    def copy(self) -> "_Listed":
        return _Listed(dict(self.found), self.left_out)


def shown(value: object) -> str:
    """A value in a few characters, whatever it is."""
    if isinstance(value, str):
        return value if len(value) <= _LONGEST else f"{value[:_LONGEST]}…"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) or (isinstance(value, int) and -_LARGEST < value < _LARGEST):
        return repr(value)
    if isinstance(value, int):
        return "a large number"
    return "an array" if isinstance(value, list | tuple) else "an object"
