"""A project with claims is sound; one spoilt thing about a claim is a finding that names it."""

from collections.abc import Callable
from typing import Any

import pytest

from generator.store.registry import read_registry
from generator.workflow.check import check
from generator.workflow.claims import promote, retire
from generator.workflow.render import render
from generator.workflow.withdraw import withdraw
from tests.conftest import Kit, edit_json
from tests.workflow.claims import NAME, Claims, sound
from tests.workflow.claims import kinds as kinds_of

CLAIM = f"results/candidates/{NAME}.json"
PROMOTION = f"results/candidates/{NAME}.promoted.json"

SECRET = "sk-" + "ant-api03-" + "x7Kp2mQ9" * 12
"""Of the shape that keys have, and none."""

Edit = Callable[[dict[str, Any]], object]


@pytest.fixture
def claims(published: Kit) -> Claims:
    """A project with one promoted claim, drawn and committed."""
    found = Claims(published)
    found.promoted()
    published.commit("A claim")
    return found


def found(claims: Claims) -> dict[str, list[str]]:
    """By kind of finding: the files that are named; each finding says how to mend it."""
    kinds: dict[str, list[str]] = {}
    for finding in check(claims.kit.project).findings:
        assert finding.what
        assert finding.remedy
        assert str(claims.kit.root) not in finding.what + finding.remedy
        kinds.setdefault(finding.id, []).append(finding.file)
    return kinds


def evidence(claims: Claims) -> str:
    """The evidence of the validating run."""
    second = read_registry(claims.kit.project).candidates[NAME].validation
    assert second is not None
    return f"results/evidence/{second.digest}.jsonl.zst"


def test_a_promoted_claim_is_sound(claims: Claims) -> None:
    """Claim, promotion, evidence and pages agree."""
    assert found(claims) == {}


def test_a_claim_about_a_row_that_has_fallen_is_sound_and_says_so(claims: Claims) -> None:
    """It stays on its page, with a note that its row no longer stands."""
    before = claims.kit.read("docs/en/benchmarks/greetings.md")
    assert "no longer stands" not in before
    withdraw(claims.kit.project, claims.row, why="A mistake.", by="Nobody")
    render(claims.kit.project)
    assert found(claims) == {}
    page = claims.kit.read("docs/en/benchmarks/greetings.md")
    assert "It greets back whoever greets" in page
    assert "The row that this claim is about no longer stands" in page


@pytest.mark.parametrize(
    ("edit", "kind"),
    [
        (lambda said: said.update(benchmark="another"), "edited-candidate"),
        (lambda said: said["evidence"].update(run="another"), "edited-candidate"),
        (lambda said: said["evidence"].update(revision="0" * 40), "edited-candidate"),
        (lambda said: said["evidence"].update(digest="0" * 64), "edited-candidate"),
        (lambda said: said["evidence"].update(row="gone"), "orphan-candidate"),
        (lambda said: said.update(claim=f"It says {SECRET}."), "leaked-secret"),
        (lambda said: said["holds"][0].update(min="2"), "claim-fails"),
        (lambda said: said["holds"][0].update(measure="charm"), "unknown-measure"),
        (lambda said: said["validation"].update(run=said["evidence"]["run"]), "edited-candidate"),
        (lambda said: said["validation"].update(revision="0" * 40), "edited-candidate"),
        (lambda said: said["validation"].update(lines=3), "edited-evidence"),
        (lambda said: said["validation"]["measures"].pop(), "edited-candidate"),
        (lambda said: said["validation"]["measures"][0].update(numerator=3), "edited-candidate"),
    ],
)
def test_an_edited_claim_is_found(claims: Claims, edit: Edit, kind: str) -> None:
    """Whatever is changed of what bears a claim out, it is named; its page adds nothing.

    That it was edited at all is told by git; what is wrong with it then, by its evidence.
    """
    edit_json(claims.file, edit)
    kinds = found(claims)
    assert kind in kinds
    assert set(kinds) <= {kind, "edited-candidate"}
    assert set(kinds[kind]) <= {CLAIM, evidence(claims)}


def test_a_retired_claim_that_was_edited_back_is_found(claims: Claims) -> None:
    """With its own words or with others: it is neither shown again, nor let by."""
    retire(claims.kit.project, NAME)
    render(claims.kit.project)
    claims.kit.commit("Retired")
    assert found(claims) == {}
    edit_json(claims.file, lambda said: said.update(state="validated"))
    assert found(claims) == {"edited-candidate": [CLAIM]}
    assert "edited-candidate" in kinds_of(promote(claims.kit.project, NAME))
    assert not claims.promotion.exists()


def test_the_words_of_a_committed_claim_stay(claims: Claims) -> None:
    """Another sentence is another claim, under another name."""
    edit_json(claims.file, lambda said: said.update(claim="Something else."))
    claims.promotion.unlink()
    assert "edited-candidate" in kinds_of(promote(claims.kit.project, NAME))
    assert not claims.promotion.exists()


@pytest.mark.parametrize(
    "edit",
    [
        lambda said: said.update(id="another"),
        lambda said: said.update(format="assay.candidate/2"),
        lambda said: said.update(stars=5),
        lambda said: said.pop("validation"),
        lambda said: said.update(holds=[]),
    ],
    ids=["id", "format", "unknown-key", "not-validated", "no-bound"],
)
def test_an_unreadable_claim_is_found(claims: Claims, edit: Edit) -> None:
    """It is one finding, and the evidence and the page of it are no further ones."""
    edit_json(claims.file, edit)
    assert found(claims) == {"unreadable-candidate": [CLAIM]}


@pytest.mark.parametrize(
    "edit",
    [
        lambda said: said.update(claim="It is the best."),
        lambda said: said["runs"][1]["measures"][0].update(numerator=3),
        lambda said: said.update(benchmark="another"),
    ],
    ids=["words", "figure", "benchmark"],
)
def test_an_edited_promotion_is_found(claims: Claims, edit: Edit) -> None:
    """What a page shows of a claim is what the claim and its row make of it."""
    edit_json(claims.promotion, edit)
    assert found(claims) == {"edited-promotion": [PROMOTION]}


def test_a_lost_promotion_is_found(claims: Claims) -> None:
    """A claim that is promoted has it, and the command that writes it is named."""
    claims.promotion.unlink()
    assert found(claims) == {"missing-promotion": [PROMOTION]}
    sound(promote(claims.kit.project, NAME))
    assert found(claims) == {}


def test_a_promotion_that_was_begun_is_found(claims: Claims) -> None:
    """Where promoting ended half-way, doing it again ends it."""
    edit_json(claims.file, lambda said: said.update(state="validated"))
    assert found(claims) == {"orphan-promotion": [PROMOTION]}
    assert "candidate promote" in check(claims.kit.project).findings[0].remedy
    sound(promote(claims.kit.project, NAME))
    assert found(claims) == {}


def test_a_retirement_that_was_begun_is_found(claims: Claims) -> None:
    """Where retiring ended half-way, doing it again ends it."""
    edit_json(claims.file, lambda said: said.update(state="retired"))
    assert found(claims) == {"orphan-promotion": [PROMOTION]}
    assert "candidate retire" in check(claims.kit.project).findings[0].remedy
    sound(retire(claims.kit.project, NAME))
    render(claims.kit.project)
    assert found(claims) == {}


def test_a_promotion_without_a_claim_is_found(claims: Claims) -> None:
    """Nobody knows what bears it out."""
    evidence_file = claims.kit.root / evidence(claims)
    claims.file.unlink()
    evidence_file.unlink()
    kinds = found(claims)
    assert kinds.pop("rewritten") == [evidence_file.relative_to(claims.kit.root).as_posix()]
    assert kinds == {"orphan-promotion": [PROMOTION], "removed-candidate": [CLAIM]}


def test_evidence_that_only_a_claim_names_is_no_orphan(claims: Claims) -> None:
    """It is one as soon as no claim names it any more, and lost evidence is told as such."""
    path = evidence(claims)
    for lies in (claims.file, claims.promotion):
        lies.unlink()
    render(claims.kit.project)
    assert found(claims) == {"orphan-evidence": [path], "removed-candidate": [CLAIM]}


def test_lost_evidence_of_a_claim_is_found(claims: Claims) -> None:
    """The observations of the validating run are kept like those of a row."""
    path = evidence(claims)
    (claims.kit.root / path).unlink()
    assert found(claims) == {"edited-evidence": [path]}


def test_of_a_claim_about_a_faulty_row_nothing_more_is_said(claims: Claims) -> None:
    """The row is mended first."""
    row = claims.kit.row_files()[0]
    edit_json(row, lambda said: said["measures"][0].update(numerator=3))
    assert found(claims) == {"edited-row": [row.relative_to(claims.kit.root).as_posix()]}


def test_a_page_without_its_claim_is_found(claims: Claims) -> None:
    """The page is drawn from the promotion, and compared."""
    page = claims.kit.root / "docs/en/benchmarks/greetings.md"
    page.write_text(page.read_text("utf-8").replace("greets back whoever", "is best"), "utf-8")
    assert found(claims) == {"edited-page": ["docs/en/benchmarks/greetings.md"]}


def test_a_claim_of_a_squashed_history_is_no_finding(claims: Claims) -> None:
    """As with rows, the same corpus at HEAD stands in for a commit that is gone, with a note."""
    claims.kit.git("checkout", "--quiet", "--orphan", "squashed")
    claims.kit.commit("All in one")
    report = check(claims.kit.project)
    assert report.findings == ()
    assert any(note.startswith(f"{CLAIM}: commit ") for note in report.notes)
