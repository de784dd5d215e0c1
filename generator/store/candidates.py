"""Claims about rows: one file each, rewritten as a claim comes further, and promotions beside them.

Nothing here follows a link: a claim that lies elsewhere is not part of the repository, and what is
written or removed through a link would be somebody else's file.
"""

from pathlib import Path

from generator.errors import RegistryError, UsageError
from generator.records.base import fault_in
from generator.records.candidate import Candidate, Promotion, Proposal
from generator.store.atomic import remove, told
from generator.store.files import entries, read_record, write_once, write_record
from generator.store.project import Project

PROMOTED = ".promoted.json"


def candidate_path(project: Project, candidate: str) -> Path:
    """Where the claim of that id lies."""
    return project.candidates / f"{candidate}.json"


def promotion_path(project: Project, candidate: str) -> Path:
    """Where the promotion of the claim of that id lies."""
    return project.candidates / f"{candidate}{PROMOTED}"


def scan_candidates(
    project: Project,
) -> tuple[dict[str, Candidate], dict[str, Promotion], list[RegistryError]]:
    """All claims and promotions that can be read, by id, and everything that can't."""
    candidates: dict[str, Candidate] = {}
    promotions: dict[str, Promotion] = {}
    faults = links(project)
    if faults:
        return candidates, promotions, faults
    for path in entries(project.candidates, faults):
        if not path.name.endswith(".json"):
            continue
        try:
            if path.name.endswith(PROMOTED):
                promotion = read_record(path, Promotion)
                _is_called(path, promotion_path(project, promotion.id))
                promotions[promotion.id] = promotion
            else:
                candidate = read_record(path, Candidate)
                _is_called(path, candidate_path(project, candidate.id))
                candidates[candidate.id] = candidate
        except RegistryError as fault:
            faults.append(fault)
    return candidates, promotions, faults


def links(project: Project) -> list[RegistryError]:
    """Symbolic links where claims lie, the folder itself included: each is a fault."""
    folder = project.candidates
    places = [folder] if folder.is_symlink() else sorted(folder.rglob("*"))
    return [
        RegistryError(
            f"{path} is a symbolic link.",
            "Put a regular file or folder in its place, or remove it; claims are never read or "
            "written through a link.",
        )
        for path in places
        if path.is_symlink()
    ]


def _is_called(path: Path, meant: Path) -> None:
    if path != meant:
        raise RegistryError(
            f"{path}: it belongs at {meant}, by the id that it has.",
            f"Rename it, or remove it; if it was committed so: git checkout -- {path}",
        )


_PROPOSAL_LIMIT = 1024 * 1024
"""How many bytes a proposal may have."""


def read_proposal(path: Path) -> Proposal:
    """What an author wrote down, wherever it lies; raises UsageError."""
    try:
        with path.open("rb") as file:
            content = file.read(_PROPOSAL_LIMIT + 1)
    except OSError as fault:
        raise UsageError(
            f"{path} can't be read: {fault.strerror}.", "Name the file of the proposal."
        ) from fault
    if len(content) > _PROPOSAL_LIMIT:
        raise UsageError(
            f"{path} has more than {_PROPOSAL_LIMIT} bytes.", "Write the claim in fewer words."
        )
    try:
        return Proposal.parse(content)
    except (ValueError, RecursionError) as fault:
        raise UsageError(
            f"{path}: {fault_in(content, fault)}.",
            "A proposal has the keys name, description, applicability, claim, holds and evidence, "
            "and no others.",
        ) from fault


def write_candidate(project: Project, candidate: Candidate) -> Path:
    """Write how far a claim has come, in the place of what it was before; raises StorageError."""
    return write_record(candidate_path(project, candidate.id), candidate)


def write_promotion(project: Project, promotion: Promotion) -> Path:
    """Write what pages show of a claim; raises StorageError, or RegistryError for another one."""
    return write_once(promotion_path(project, promotion.id), promotion)


def promotion_bytes(project: Project, candidate: str) -> bytes | None:
    """The promotion of a claim as it lies; none where there is none. Raises StorageError."""
    path = promotion_path(project, candidate)
    with told(path):
        return path.read_bytes() if path.exists() else None


def remove_promotion(project: Project, candidate: str) -> None:
    """Take the promotion of a claim away; raises StorageError."""
    remove(promotion_path(project, candidate))
