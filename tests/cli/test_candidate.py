"""`results candidate`, as a person or a script meets it: its words, its exit code, its JSON."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Said
from tests.conftest import Kit, edit_json
from tests.workflow.claims import NAME, Claims

Results = Callable[..., Said]


def test_a_claim_from_its_proposal_to_its_end(published: Kit, results: Results) -> None:
    """Each step says what it wrote, ends with 0, and `check` agrees after it."""
    claims = Claims(published)

    def do(*words: str | Path) -> str:
        said = results(published, "candidate", *words)
        assert (said.code, said.err) == (0, "")
        assert results(published, "check").code == 0
        return said.out

    file = f"results/candidates/{NAME}.json"
    assert do("propose", "--proposal", claims.proposal()) == f"proposed: {file}\n"
    assert do("validate", NAME, published.again()) == f"validated: {file}\n"
    assert do("promote", NAME) == f"promoted: {file}; 3 pages redrawn\n"
    assert do("promote", NAME) == f"promoted: {file}; 0 pages redrawn\n"
    assert do("retire", NAME) == f"retired: {file}; 3 pages redrawn\n"


def test_a_claim_is_shown_in_words(published: Kit, results: Results) -> None:
    """What it says, what it stands on, each bound with its figures, and how far it has come."""
    claims = Claims(published)
    claims.proposed()
    out = results(published, "candidate", "show", NAME).out
    assert out.startswith(f"{NAME}: proposed\n    It greets back whoever greets.\n")
    assert f"row: {claims.row} of greetings\n" in out
    assert "independent run: none yet\n    passed  at least 0.75: 4/4\n" in out
    results(published, "candidate", "validate", NAME, published.again())
    results(published, "withdraw", claims.row, "--why", "A mistake.", "--by", "Nobody")
    out = results(published, "candidate", "show", NAME).out
    assert f"row: {claims.row} of greetings, which no longer stands\n" in out
    assert "independent run: again, evidence " in out
    assert "    passed  at least 0.75: 4/4, 4/4\n    wrong  at most 0: 0/4, 0/4\n" in out


def test_a_claim_is_shown_to_a_program(published: Kit, results: Results) -> None:
    """The keys of its file, whether its row stands, and its figures with their terms."""
    claims = Claims(published)
    claims.validated()
    said = results(published, "candidate", "show", NAME, "--json")
    assert said.code == 0
    shown = said.json
    figures = shown.pop("figures")
    assert shown.pop("row_stands") is True
    assert shown == json.loads(claims.file.read_bytes())
    assert figures[0]["bound"] == {"measure": "passed", "min": "0.75"}
    assert figures[0]["row"] == figures[0]["independent"]
    assert (figures[0]["row"]["numerator"], figures[0]["row"]["denominator"]) == (4, 4)


def test_a_refusal_says_every_reason(published: Kit, results: Results) -> None:
    """One block a reason, with what to do, and a last line that counts; exit code 1."""
    file = Claims(published).proposal(
        lambda said: said.update(holds=[{"measure": "passed", "max": "0"}])
    )
    edit_json(file, lambda said: said["evidence"].update(run="another"))
    said = results(published, "candidate", "propose", "--proposal", file)
    lines = said.out.splitlines()
    assert (said.code, said.err) == (1, "")
    assert lines[0].startswith("other-facts: At evidence.run it says another; ")
    assert lines[1] == "    Correct it, or leave it out: the facts are taken from the row."
    assert lines[2].startswith("claim-fails: In the run ")
    assert lines[-1] == f"not proposed: 2 refusals of {NAME}"


def test_a_refused_step_draws_nothing(published: Kit, results: Results) -> None:
    """A hand edit of a promotion is a conflict: exit code 1, and the page stays."""
    claims = Claims(published)
    claims.promoted()
    edit_json(claims.promotion, lambda said: said.update(claim="It is the best."))
    before = published.committed()
    for verb, word in (("retire", "retired"), ("promote", "promoted")):
        said = results(published, "candidate", verb, NAME)
        assert said.code == 1
        assert said.out.startswith("edited-promotion: ")
        assert said.out.endswith(f"not {word}: 1 refusal of {NAME}\n")
    assert published.committed() == before


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ("propose --proposal gone.json", 2, "can't be read"),
        ("propose", 2, "Missing option"),
        ("show gone", 2, "There is no claim 'gone'"),
        ("validate gone run", 2, "There is no claim 'gone'"),
        ("promote gone", 2, "There is no claim 'gone'"),
        ("retire ../registry", 2, "There is no claim '../registry'"),
        (f"validate {NAME} gone", 3, "gone"),
        ("forget gone", 2, "No such command"),
    ],
)
def test_a_fault_has_words_and_a_code(
    published: Kit, results: Results, words: str, code: int, told: str
) -> None:
    """What could not be done at all is a fault, not a refusal."""
    Claims(published).proposed()
    said = results(published, "candidate", *words.split())
    assert said.code == code
    assert told in said.err


def test_a_link_has_a_code_of_its_own(published: Kit, results: Results) -> None:
    """What lies among the claims and can't be read is a fault of the registry."""
    claims = Claims(published)
    claims.proposed()
    (claims.file.parent / "link.json").symlink_to(claims.file)
    said = results(published, "candidate", "show", NAME)
    assert said.code == 5
    assert said.err.startswith("error: ")
    assert "link.json is a symbolic link." in said.err
