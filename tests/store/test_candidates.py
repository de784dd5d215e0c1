"""Claims lie by their id, are read strictly, and are never reached through a link."""

from pathlib import Path

import pytest

from generator.errors import RegistryError, UsageError
from generator.records.candidate import candidate_of
from generator.store.candidates import (
    candidate_path,
    promotion_path,
    read_proposal,
    remove_promotion,
    scan_candidates,
    write_candidate,
    write_promotion,
)
from generator.store.project import Project
from generator.store.registry import read_registry, scan_registry
from tests.conftest import Kit, edit_json
from tests.records.test_candidate import proposal
from tests.workflow.claims import NAME, Claims


@pytest.fixture
def claims(published: Kit) -> Claims:
    """A project with one promoted claim."""
    found = Claims(published)
    found.promoted()
    return found


def test_a_project_without_claims_has_none(tmp_path: Path) -> None:
    """A missing folder is no fault."""
    assert scan_candidates(Project(tmp_path)) == ({}, {}, [])


def test_a_claim_is_read_as_it_was_written(claims: Claims) -> None:
    """Claim and promotion lie beside each other, by the claim's id."""
    registry = read_registry(claims.kit.project)
    assert list(registry.candidates) == list(registry.promotions) == [NAME]
    assert claims.file == candidate_path(claims.kit.project, NAME)
    assert claims.promotion == promotion_path(claims.kit.project, NAME)
    assert claims.file.read_bytes() == registry.candidates[NAME].to_json()
    assert claims.promotion.read_bytes() == registry.promotions[NAME].to_json()
    assert registry.promoted("greetings") == (registry.promotions[NAME],)
    assert registry.promoted("another") == ()


def test_a_claim_comes_further_and_a_promotion_is_never_changed(claims: Claims) -> None:
    """A claim is rewritten in its place; a promotion that is another one stays as it is."""
    project = claims.kit.project
    registry = read_registry(project)
    retired = registry.candidates[NAME].model_copy(update={"state": "retired"})
    write_candidate(project, retired)
    assert read_registry(project).candidates[NAME] == retired
    before = claims.promotion.read_bytes()
    write_promotion(project, registry.promotions[NAME])
    with pytest.raises(RegistryError, match="stands already and says something else"):
        write_promotion(project, registry.promotions[NAME].model_copy(update={"claim": "Another."}))
    assert claims.promotion.read_bytes() == before
    remove_promotion(project, NAME)
    assert not claims.promotion.exists()


@pytest.mark.parametrize("of", ["file", "promotion"])
def test_a_file_that_is_called_otherwise_is_a_fault(claims: Claims, of: str) -> None:
    """What a file holds is what its name says."""
    path: Path = getattr(claims, of)
    other = path.with_name(path.name.replace(NAME, "another"))
    path.rename(other)
    faults = scan_registry(claims.kit.project)[1]
    assert [fault.what for fault in faults] == [
        f"{other}: it belongs at {path}, by the id that it has."
    ]


@pytest.mark.parametrize("of", ["file", "promotion"])
def test_a_file_that_can_not_be_read_is_a_fault(claims: Claims, of: str) -> None:
    """A key that nobody knows is refused, and everything else is read all the same."""
    path: Path = getattr(claims, of)
    edit_json(path, lambda said: said.update(stars=5))
    registry, faults = scan_registry(claims.kit.project)
    assert [fault.what.partition(": ")[0] for fault in faults] == [str(path)]
    assert len(registry.candidates) + len(registry.promotions) == 1
    assert len(registry.rows) == 2


def test_a_promotion_without_its_row_is_a_fault(claims: Claims) -> None:
    """What a page would say of a row that is gone is not said."""
    (claims.kit.project.registry / "greetings" / f"{claims.row}.json").unlink()
    registry, faults = scan_registry(claims.kit.project)
    assert registry.promotions == {}
    assert [fault.what.partition(": ")[0] for fault in faults] == [str(claims.promotion)]


@pytest.mark.parametrize("place", ["folder", "claim", "promotion", "dangling", "below"])
def test_a_link_is_a_fault(claims: Claims, tmp_path: Path, place: str) -> None:
    """Nothing is read through a link, wherever it lies among the claims and whatever it meets."""
    folder = claims.kit.project.candidates
    elsewhere = tmp_path / "elsewhere"
    if place == "folder":
        link = folder
        folder.rename(elsewhere)
    elif place == "below":
        (folder / "deep").mkdir()
        link = folder / "deep" / "readme.txt"
    elif place == "dangling":
        link = folder / "dangling.json"
    else:
        link = claims.file if place == "claim" else claims.promotion
        link.rename(elsewhere)
    link.symlink_to(elsewhere)
    candidates, promotions, faults = scan_candidates(claims.kit.project)
    assert (candidates, promotions) == ({}, {})
    assert [fault.what for fault in faults] == [f"{link} is a symbolic link."]


def test_what_is_no_json_is_left_alone(claims: Claims) -> None:
    """A note beside the claims is none."""
    (claims.kit.project.candidates / "README.md").write_text("Claims.\n")
    assert scan_registry(claims.kit.project)[1] == ()


def test_a_proposal_lies_anywhere(tmp_path: Path, published: Kit) -> None:
    """It is read where it is, and becomes a claim about its row."""
    row = next(iter(read_registry(published.project).rows.values()))
    path = tmp_path / "mine.json"
    path.write_bytes(proposal().to_json())
    assert candidate_of(read_proposal(path), row).id == "greets"


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "Expecting value"),
        (b"[]", "at the top: Input should be an object"),
        (b"\xff", "can't decode"),
        (b'{"name": "a", "name": "b"}', "the key 'name' stands twice"),
        (b"[" * 100_000, ""),
    ],
)
def test_a_proposal_that_can_not_be_read_is_told(tmp_path: Path, content: bytes, what: str) -> None:
    """The file is named, and what is wrong with it."""
    path = tmp_path / "mine.json"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=f"^{path}: ") as caught:
        read_proposal(path)
    assert what in caught.value.what


def test_a_proposal_that_is_not_there_is_told(tmp_path: Path) -> None:
    """A wrong path is a matter of usage."""
    with pytest.raises(UsageError, match="can't be read: No such file"):
        read_proposal(tmp_path / "gone.json")
