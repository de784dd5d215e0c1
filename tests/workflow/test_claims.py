"""A claim comes as far as its two runs bear it out, and is refused for one spoilt thing."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator.errors import BundleError, RegistryError, UsageError
from generator.records.candidate import Candidate, Promotion
from generator.store.candidates import promotion_path
from generator.store.registry import read_registry
from generator.workflow.check import check
from generator.workflow.claims import Outcome, promote, propose, retire, show, validate
from generator.workflow.record import record
from generator.workflow.render import render, render_recorded
from generator.workflow.withdraw import withdraw
from tests.conftest import SYSTEMS, Kit, edit_attempts, edit_json, write_run
from tests.workflow.claims import NAME, Claims, kinds, sound

PAGE = "docs/en/benchmarks/greetings.md"


@pytest.fixture
def claims(published: Kit) -> Claims:
    """A project with two rows and no claim."""
    return Claims(published)


def stored(claims: Claims) -> Candidate:
    """The claim as it lies."""
    return Candidate.parse(claims.file.read_bytes())


def spoilt(
    claims: Claims, edit: Callable[[dict[str, Any]], object], name: str = "spoilt"
) -> Outcome:
    """What becomes of a claim when the second run's manifest is spoilt."""
    claims.proposed()
    run = claims.kit.again(name)
    edit_json(run / "run.json", edit)
    before = claims.kit.committed()
    done = validate(claims.kit.project, NAME, run)
    assert claims.kit.committed() == before
    return done


# Proposing


def test_a_proposal_becomes_a_claim(claims: Claims) -> None:
    """What is not said of the row is taken from it; the claim lies by its name."""
    done = claims.proposed()
    row = read_registry(claims.kit.project).rows[claims.row]
    assert done.path == claims.file
    assert stored(claims) == done.candidate
    assert done.candidate.state == "proposed"
    assert done.candidate.benchmark == "greetings"
    assert done.candidate.evidence.plain() == {
        "row": row.id,
        "run": row.run.id,
        "revision": row.run.commit,
        "digest": row.evidence.digest,
    }
    assert check(claims.kit.project).findings == ()


def test_facts_that_are_given_are_those_of_the_row(claims: Claims) -> None:
    """Right ones change nothing; each wrong one is a reason."""
    row = read_registry(claims.kit.project).rows[claims.row]
    true = {"run": row.run.id, "revision": row.run.commit, "digest": row.evidence.digest}
    file = claims.proposal(lambda said: said["evidence"].update(true))
    sound(propose(claims.kit.project, file))
    claims.file.unlink()
    wrong = {"run": "another", "revision": "0" * 40, "digest": "0" * 64}
    file = claims.proposal(lambda said: said["evidence"].update(wrong))
    assert kinds(propose(claims.kit.project, file)) == ["other-facts"] * 3
    assert not claims.file.exists()


def test_proposing_the_same_again_is_nothing(claims: Claims) -> None:
    """Whoever was interrupted may say it once more."""
    claims.proposed()
    before = claims.file.read_bytes()
    claims.proposed()
    assert claims.file.read_bytes() == before


def test_a_claim_is_never_overwritten(claims: Claims) -> None:
    """Another claim of that name, or one that has come further, stays."""
    claims.proposed()
    before = claims.file.read_bytes()
    other = claims.proposal(lambda said: said.update(claim="It is polite."))
    assert kinds(propose(claims.kit.project, other)) == ["known-claim"]
    assert claims.file.read_bytes() == before
    sound(validate(claims.kit.project, NAME, claims.kit.again()))
    before = claims.file.read_bytes()
    assert kinds(propose(claims.kit.project, claims.proposal())) == ["known-claim"]
    assert claims.file.read_bytes() == before


def test_a_claim_that_the_figures_do_not_bear_out_is_refused(claims: Claims) -> None:
    """Every bound that does not hold is told, with the figure and with what was claimed."""
    holds = [
        {"measure": "passed", "max": "0.5"},
        {"measure": "wrong", "min": "0.000001", "max": "1"},
        {"measure": "charm", "min": "1"},
        {"measure": "passed.polite", "min": "1"},
    ]
    done = propose(claims.kit.project, claims.proposal(lambda said: said.update(holds=holds)))
    assert kinds(done) == ["claim-fails", "claim-fails", "unknown-measure"]
    assert "the figure of passed is 4/4; claimed is at most 0.5." in done.refusals[0].what
    assert "claimed is at least 0.000001 and at most 1." in done.refusals[1].what
    assert not claims.file.exists()


def test_a_row_that_is_unknown_is_answered_with_the_known_ones(claims: Claims) -> None:
    """A claim is about a row of the registry, named in full."""
    file = claims.proposal(lambda said: said["evidence"].update(row=claims.row[:12]))
    with pytest.raises(UsageError, match="There is no row") as caught:
        propose(claims.kit.project, file)
    assert claims.row in caught.value.remedy


def test_a_row_that_was_withdrawn_bears_nothing_out(claims: Claims) -> None:
    """A claim is about a row that stands."""
    withdraw(claims.kit.project, claims.row, why="A mistake.", by="Nobody")
    assert kinds(propose(claims.kit.project, claims.proposal())) == ["fallen-row"]


def test_a_row_that_was_superseded_bears_nothing_out(claims: Claims) -> None:
    """The row that took its place may."""
    file = claims.proposal()
    claims.kit.record(claims.kit.again(), replace=True)
    assert kinds(propose(claims.kit.project, file)) == ["fallen-row"]


@pytest.mark.parametrize("when", ["tree_at_start", "tree_at_end"])
@pytest.mark.parametrize("clean", ["no", "unknown"])
def test_a_row_of_an_unclean_run_bears_nothing_out(claims: Claims, when: str, clean: str) -> None:
    """It must have been clean when it began and when it ended; that its file was edited is told."""
    path = claims.kit.row_files()[0]
    edit_json(path, lambda said: said["run"][when].update(clean=clean))
    found = kinds(propose(claims.kit.project, claims.proposal()))
    assert found == ["dirty-tree", "rewritten"]


def test_a_row_whose_evidence_scores_otherwise_bears_nothing_out(claims: Claims) -> None:
    """The row is recomputed: what its file says is not taken for true."""

    def flatter(said: dict[str, Any]) -> None:
        said["measures"][0]["numerator"] = 3

    edit_json(claims.kit.row_files()[0], flatter)
    found = kinds(propose(claims.kit.project, claims.proposal()))
    assert found == ["edited-row", "rewritten"]


def test_a_row_without_its_evidence_bears_nothing_out(claims: Claims) -> None:
    """What can't be recomputed is not built upon."""
    row = read_registry(claims.kit.project).rows[claims.row]
    (claims.kit.project.evidence / f"{row.evidence.digest}.jsonl.zst").unlink()
    assert kinds(propose(claims.kit.project, claims.proposal())) == ["edited-evidence", "rewritten"]


def test_a_row_of_a_commit_beyond_the_history_bears_nothing_out(claims: Claims) -> None:
    """HEAD must reach the commit, even where the same corpus stands at it."""
    file = claims.proposal()
    claims.kit.git("checkout", "--quiet", "--orphan", "squashed")
    claims.kit.commit("All in one")
    assert kinds(propose(claims.kit.project, file)) == ["unreachable-commit"]


def test_a_proposal_with_a_secret_is_refused(claims: Claims) -> None:
    """A claim is published with its words."""
    leaky = claims.proposal(lambda said: said.update(claim="See /home/somebody/notes."))
    assert kinds(propose(claims.kit.project, leaky)) == ["leaked-secret"]


def test_every_reason_is_told_at_once(claims: Claims) -> None:
    """Nobody has to come back once for each."""
    withdraw(claims.kit.project, claims.row, why="A mistake.", by="Nobody")

    def spoil(said: dict[str, Any]) -> None:
        said["evidence"]["run"] = "another"
        said["holds"][0]["min"] = "1.5"

    found = kinds(propose(claims.kit.project, claims.proposal(spoil)))
    assert found == ["other-facts", "fallen-row", "claim-fails"]


# Validating


def test_another_run_bears_a_claim_out(claims: Claims) -> None:
    """Its observations are kept by their digest, and its facts and figures stand in the claim."""
    before = len(claims.kit.evidence_files())
    claims.validated()
    found = stored(claims)
    assert found.state == "validated"
    assert found.validation is not None
    assert (found.validation.run, found.validation.system) == ("again", "first")
    assert found.validation.revision == found.evidence.revision
    assert found.validation.lines == 4
    assert len(claims.kit.evidence_files()) == before + 1
    names = [path.name for path in claims.kit.evidence_files()]
    assert f"{found.validation.digest}.jsonl.zst" in names
    assert check(claims.kit.project).findings == ()


def test_a_claim_holds_where_the_corpus_has_moved_on(claims: Claims) -> None:
    """A run at the commit of the row is judged with the key at that commit, not at HEAD."""
    claims.proposed()
    run = claims.kit.again()
    claims.kit.write("results/benchmarks/greetings/cases/curt/more.json", "{}\n")
    claims.kit.git("rm", "--quiet", "results/benchmarks/greetings/cases/curt/curt-yo.json")
    (claims.kit.project.benchmarks / "greetings/cases/curt/more.json").unlink()
    claims.kit.commit("Another corpus")
    sound(validate(claims.kit.project, NAME, run))


def test_validating_with_the_same_run_again_is_nothing(claims: Claims) -> None:
    """Whoever was interrupted may say it once more, however far the claim has come since."""
    claims.promoted()
    before = claims.kit.committed()
    sound(validate(claims.kit.project, NAME, claims.kit.run.with_name("again")))
    assert claims.kit.committed() == before


def test_one_run_is_enough(claims: Claims) -> None:
    """A second one changes nothing: what bears a claim out is not chosen from several."""
    claims.validated()
    before = claims.kit.committed()
    other = claims.kit.again("once-more")
    assert kinds(validate(claims.kit.project, NAME, other)) == ["validated-already"]
    assert claims.kit.committed() == before


def test_the_run_of_the_row_bears_nothing_out(claims: Claims) -> None:
    """What was measured once is no second measurement."""
    claims.proposed()
    assert kinds(validate(claims.kit.project, NAME, claims.kit.run)) == ["same-run"]


def test_a_copy_of_the_observations_bears_nothing_out(kit: Kit) -> None:
    """Another id alone makes no other run."""
    edit_attempts(
        kit.run, lambda attempts: [{k: v for k, v in one.items() if k != "run"} for one in attempts]
    )
    kit.record()
    kit.commit("Two rows")
    claims = Claims(kit)
    claims.proposed()
    run = kit.variant("copied")
    edit_json(run / "run.json", _renamed)
    assert kinds(validate(kit.project, NAME, run)) == ["same-observations"]


def test_a_run_that_began_in_the_same_second_is_the_same(claims: Claims) -> None:
    """Another id alone makes no other run, in its attempts neither."""
    claims.proposed()
    again = claims.kit.again()
    edit_json(again / "run.json", lambda said: said.update(started=_started(claims)))
    assert kinds(validate(claims.kit.project, NAME, again)) == ["same-run"]


def _started(claims: Claims) -> str:
    return str(json.loads((claims.kit.run / "run.json").read_bytes())["started"])


def _renamed(said: dict[str, Any]) -> None:
    """A copy that says that it is another run, at another time."""
    said.update(run="copied", started=said["started"].replace("Z", ".5Z"))


def test_attempts_of_another_run_bear_nothing_out(claims: Claims) -> None:
    """Attempts say whose they are: those of the row's run are strays in a copy of it."""
    claims.proposed()
    run = claims.kit.variant("copied")
    edit_json(run / "run.json", _renamed)
    assert "mixed-runs" in kinds(validate(claims.kit.project, NAME, run))


@pytest.mark.parametrize(
    ("edit", "found"),
    [
        (lambda said: said["benchmark"].update(id="others"), ["another-benchmark"]),
        (lambda said: said["corpus"].update(commit="0" * 40), ["another-revision"]),
        (lambda said: said["corpus"].pop("commit"), ["another-revision"]),
        (lambda said: said["systems"][0].update(revision="1.1"), ["another-system"]),
        (lambda said: said["systems"][0].update(options={}), ["another-system"]),
        (lambda said: said["harness"].update(contract=2), ["another-system"]),
        (lambda said: said.update(filter="curt-*"), ["filtered-run"]),
        (lambda said: said.update(status="stopped", stopped="budget"), ["incomplete-run"]),
        (lambda said: said["corpus"].update(digest="0" * 64), ["stale-corpus"]),
        (lambda said: said["corpus"].update(contracts="0" * 64), ["stale-corpus"]),
        (lambda said: said["tree_at_start"].update(clean="no"), ["dirty-tree"]),
        (lambda said: said["tree_at_end"].update(clean="unknown"), ["dirty-tree"]),
        (lambda said: said.pop("finished"), ["incomplete-provenance"]),
    ],
)
def test_a_run_that_a_rule_refuses_bears_nothing_out(
    claims: Claims, edit: Callable[[dict[str, Any]], object], found: list[str]
) -> None:
    """It is asked everything that a row is asked, and whether it is the same measurement."""
    assert kinds(spoilt(claims, edit)) == found


def test_a_run_of_two_that_are_the_same_bears_nothing_out(claims: Claims) -> None:
    """Of two systems that are the same measurement none is chosen."""

    def double(said: dict[str, Any]) -> None:
        said["systems"][1] = said["systems"][0] | {"id": "second"}

    assert kinds(spoilt(claims, double)) == ["ambiguous-system"]


def test_a_run_that_refutes_a_claim_is_refused(claims: Claims) -> None:
    """The same bounds must hold for its figures, and all that do not are told."""
    claims.proposed()
    run = claims.kit.again("worse")

    def spoil(attempts: list[dict[str, Any]]) -> None:
        for one in attempts[:2]:
            one["turns"][0]["content"] = "No."

    edit_attempts(run, spoil)
    before = claims.kit.committed()
    done = validate(claims.kit.project, NAME, run)
    assert kinds(done) == ["claim-fails", "claim-fails"]
    assert "In the run worse the figure of passed is 2/4" in done.refusals[0].what
    assert claims.kit.committed() == before
    assert stored(claims).state == "proposed"


def test_a_run_that_was_published_bears_a_claim_out_too(claims: Claims) -> None:
    """The rule against measuring twice does not apply; an older run may stand beside its heir."""
    older = claims.kit.run
    claims.kit.record(claims.kit.again(), replace=True)
    heir = next(
        row.id for row in read_registry(claims.kit.project).standing() if row.run.system == "first"
    )
    file = claims.proposal(lambda said: said["evidence"].update(row=heir))
    sound(propose(claims.kit.project, file))
    sound(validate(claims.kit.project, NAME, older))
    assert check(claims.kit.project, submission=True).findings == ()


def test_a_run_of_a_further_system_bears_a_claim_out(claims: Claims) -> None:
    """It is looked for by what it measures, not by its name or its place."""
    claims.proposed()
    run = claims.kit.run.with_name("other-names")
    systems = tuple(
        system.model_copy(update={"id": f"the-{system.id}"}) for system in reversed(SYSTEMS)
    )
    row = read_registry(claims.kit.project).rows[claims.row]
    write_run(claims.kit.root, run, systems=systems, wrong=())
    edit_json(run / "run.json", lambda said: said["corpus"].update(commit=row.run.commit))
    sound(validate(claims.kit.project, NAME, run))
    assert (found := stored(claims).validation) is not None
    assert found.system == "the-first"


def test_a_folder_that_is_no_run_is_told(claims: Claims, tmp_path: Path) -> None:
    """What can't be read is a fault and no refusal."""
    claims.proposed()
    with pytest.raises(BundleError):
        validate(claims.kit.project, NAME, tmp_path)


def test_a_claim_whose_row_has_fallen_is_not_validated(claims: Claims) -> None:
    """The row is looked at once more before anything is read."""
    claims.proposed()
    withdraw(claims.kit.project, claims.row, why="A mistake.", by="Nobody")
    assert kinds(validate(claims.kit.project, NAME, claims.kit.again())) == ["fallen-row"]


# Promoting


def test_a_promoted_claim_stands_on_its_page(claims: Claims) -> None:
    """Words, bounds and both figures; in every language, and `check` agrees."""
    claims.promoted()
    assert stored(claims).state == "promoted"
    for locale in ("en", "es", "it"):
        page = claims.kit.read(f"docs/{locale}/benchmarks/greetings.md")
        assert "It greets back whoever greets" in page
        assert page.count('<span class="terms">4 / 4</span>') >= 2
    assert check(claims.kit.project).findings == ()


def test_what_is_not_promoted_stands_nowhere(claims: Claims) -> None:
    """A page says nothing of a claim before it is promoted, nor after it is retired."""
    before = claims.kit.read(PAGE)
    claims.validated()
    render(claims.kit.project)
    assert claims.kit.read(PAGE) == before
    sound(promote(claims.kit.project, NAME))
    render(claims.kit.project)
    assert claims.kit.read(PAGE) != before
    sound(retire(claims.kit.project, NAME))
    render(claims.kit.project)
    assert claims.kit.read(PAGE) == before


def test_a_claim_that_nothing_bore_out_is_not_promoted(claims: Claims) -> None:
    """It is told which run it lacks."""
    claims.proposed()
    done = promote(claims.kit.project, NAME)
    assert kinds(done) == ["not-validated"]
    assert stored(claims).evidence.revision in done.refusals[0].remedy
    assert not claims.promotion.exists()


def test_promoting_again_is_nothing(claims: Claims) -> None:
    """Whoever was interrupted may say it once more; a promotion that was lost is written again."""
    claims.promoted()
    before = claims.kit.committed()
    sound(promote(claims.kit.project, NAME))
    assert claims.kit.committed() == before
    claims.promotion.unlink()
    sound(promote(claims.kit.project, NAME))
    assert claims.kit.committed() == before


def test_a_promotion_that_is_another_one_is_not_overwritten(claims: Claims) -> None:
    """Somebody's hand edit stays until somebody decides about it."""
    claims.promoted()
    edit_json(claims.promotion, lambda said: said.update(claim="It is the best."))
    before = claims.promotion.read_bytes()
    assert kinds(promote(claims.kit.project, NAME)) == ["edited-promotion"]
    assert claims.promotion.read_bytes() == before


def test_both_runs_are_looked_at_before_promotion(claims: Claims) -> None:
    """Evidence that is gone, a row that has fallen, a claim that was sharpened: each is told."""
    claims.validated()
    second = stored(claims).validation
    assert second is not None
    (claims.kit.project.evidence / f"{second.digest}.jsonl.zst").unlink()
    withdraw(claims.kit.project, claims.row, why="A mistake.", by="Nobody")
    edit_json(claims.file, lambda said: said["holds"][0].update(min="2"))
    found = kinds(promote(claims.kit.project, NAME))
    assert found == ["fallen-row", "claim-fails", "edited-evidence", "claim-fails"]
    assert not claims.promotion.exists()


def test_a_second_run_that_scores_otherwise_is_not_promoted(claims: Claims) -> None:
    """Its figures are not taken from the claim."""
    claims.validated()
    edit_json(claims.file, lambda said: said["validation"]["measures"][0].update(numerator=3))
    assert kinds(promote(claims.kit.project, NAME)) == ["edited-candidate"]


# Retiring


def test_a_retired_claim_leaves_its_page_and_stays(claims: Claims) -> None:
    """Its file says that it was retired, and its evidence is not orphaned."""
    claims.promoted()
    sound(retire(claims.kit.project, NAME))
    render(claims.kit.project)
    assert stored(claims).state == "retired"
    assert not claims.promotion.exists()
    assert check(claims.kit.project).findings == ()


@pytest.mark.parametrize("far", ["proposed", "validated"])
def test_a_claim_may_be_retired_before_it_was_promoted(claims: Claims, far: str) -> None:
    """However far it has come, it goes no further."""
    getattr(claims, far)()
    sound(retire(claims.kit.project, NAME))
    assert stored(claims).state == "retired"
    assert check(claims.kit.project).findings == ()


def test_a_retired_claim_never_comes_back(claims: Claims) -> None:
    """It is not proposed, validated or promoted again; retiring it again is nothing."""
    claims.promoted()
    sound(retire(claims.kit.project, NAME))
    before = claims.kit.committed()
    project = claims.kit.project
    assert kinds(propose(project, claims.proposal())) == ["retired-claim"]
    assert kinds(validate(project, NAME, claims.kit.again("more"))) == ["retired-claim"]
    assert kinds(promote(project, NAME)) == ["retired-claim"]
    sound(retire(project, NAME))
    assert claims.kit.committed() == before


@pytest.mark.parametrize(
    "edit",
    [
        lambda path: edit_json(path, lambda said: said.update(claim="It is the best.")),
        lambda path: path.write_bytes(path.read_bytes() + b"\n"),
        lambda path: path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n")),
        lambda path: path.write_text(json.dumps(json.loads(path.read_bytes()))),
    ],
    ids=["words", "a-byte", "line-ends", "layout"],
)
def test_a_promotion_that_was_edited_is_not_removed(
    claims: Claims, edit: Callable[[Path], object]
) -> None:
    """A byte is enough: it is a conflict, and everything stays as it is."""
    claims.promoted()
    edit(claims.promotion)
    before = claims.kit.committed()
    assert kinds(retire(claims.kit.project, NAME)) == ["edited-promotion"]
    assert claims.kit.committed() == before


def test_a_promotion_that_nobody_could_have_made_is_not_removed(claims: Claims) -> None:
    """One beside a claim that nothing has borne out was put there by hand."""
    claims.promoted()
    edit_json(claims.file, lambda said: (said.pop("validation"), said.update(state="proposed")))
    before = claims.kit.committed()
    assert kinds(retire(claims.kit.project, NAME)) == ["edited-promotion"]
    assert claims.kit.committed() == before


def test_a_claim_about_a_row_that_has_fallen_may_be_retired(claims: Claims) -> None:
    """That its row was withdrawn is a reason to, and no obstacle."""
    claims.promoted()
    withdraw(claims.kit.project, claims.row, why="A mistake.", by="Nobody")
    sound(retire(claims.kit.project, NAME))
    assert not claims.promotion.exists()


# Showing, and what is in the way of every step


def test_a_claim_is_shown_with_its_figures(claims: Claims) -> None:
    """Each bound stands with its figure in both runs, or in the first as long as there is one."""
    claims.proposed()
    shown = show(claims.kit.project, NAME)
    assert shown.stands
    assert [again for _, _, again in shown.figures] == [None, None]
    sound(validate(claims.kit.project, NAME, claims.kit.again()))
    withdraw(claims.kit.project, claims.row, why="A mistake.", by="Nobody")
    shown = show(claims.kit.project, NAME)
    assert not shown.stands
    assert shown.candidate == stored(claims)
    (bound, first, again), _ = shown.figures
    assert (bound.measure, first) == ("passed", again)


Step = Callable[[Claims], object]
STEPS: dict[str, Step] = {
    "propose": lambda claims: propose(claims.kit.project, claims.proposal()),
    "show": lambda claims: show(claims.kit.project, NAME),
    "validate": lambda claims: validate(claims.kit.project, NAME, claims.kit.again("x")),
    "promote": lambda claims: promote(claims.kit.project, NAME),
    "retire": lambda claims: retire(claims.kit.project, NAME),
}


@pytest.mark.parametrize("step", [step for step in STEPS if step != "propose"])
def test_a_claim_that_nobody_made_is_told(claims: Claims, step: str) -> None:
    """A wrong name is answered with the known ones."""
    with pytest.raises(UsageError, match="There is no claim") as caught:
        STEPS[step](claims)
    assert caught.value.remedy == "Known claims: none."


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("place", ["folder", "claim", "promotion", "another"])
def test_nothing_is_done_through_a_link(
    claims: Claims, tmp_path: Path, step: str, place: str
) -> None:
    """A symbolic link among the claims stops every step, and what it meets stays as it is."""
    claims.promoted()
    project, elsewhere = claims.kit.project, tmp_path / "elsewhere"
    link = {
        "folder": project.candidates,
        "claim": claims.file,
        "promotion": claims.promotion,
        "another": promotion_path(project, "another"),
    }[place]
    if link.exists():
        link.rename(elsewhere)
    else:
        elsewhere.write_text("{}")
    link.symlink_to(elsewhere)
    files = [elsewhere] if elsewhere.is_file() else sorted(elsewhere.iterdir())
    before = [path.read_bytes() for path in files]
    with pytest.raises(RegistryError, match="is a symbolic link"):
        STEPS[step](claims)
    assert [path.read_bytes() for path in files] == before
    assert link.is_symlink()
    found = {finding.id for finding in check(project, submission=True).findings}
    assert found == {"unreadable-candidate"}


def test_a_claim_whose_row_is_gone_is_told(claims: Claims) -> None:
    """A row stays in the registry; what took it away is to be mended first."""
    claims.proposed()
    claims.kit.row_files()[0].unlink()
    with pytest.raises(RegistryError, match="The registry has no row"):
        promote(claims.kit.project, NAME)


def test_a_rehearsal_shows_the_claims_that_stand(claims: Claims) -> None:
    """Its pages are those of the registry as it would be, claims included."""
    claims.promoted()
    run = claims.kit.again("later")
    edit_json(run / "run.json", lambda said: said["systems"].pop())
    edit_attempts(run, lambda attempts: [one for one in attempts if one["system"] == "first"])
    render_recorded(
        claims.kit.project, record(claims.kit.project, run, replace=True, rehearsal=True)
    )
    page = claims.kit.read("dist/rehearsal/docs/en/benchmarks/greetings.md")
    assert "It greets back whoever greets" in page
    assert "no longer stands" in page


def test_the_promotion_is_what_the_record_says(claims: Claims) -> None:
    """It holds the row, the commit, and both runs with the figures that the claim bounds."""
    claims.promoted()
    promotion = Promotion.parse(claims.promotion.read_bytes())
    claim = stored(claims)
    assert claim.validation is not None
    assert (promotion.row, promotion.revision) == (claims.row, claim.evidence.revision)
    assert [run.run for run in promotion.runs] == [claim.evidence.run, "again"]
    assert [run.digest for run in promotion.runs] == [
        claim.evidence.digest,
        claim.validation.digest,
    ]
    assert [[one.id for one in run.measures] for run in promotion.runs] == [["passed", "wrong"]] * 2
