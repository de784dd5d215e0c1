"""Something that does not agree, with the file that it is about and what mends it."""

from dataclasses import dataclass
from pathlib import Path

from generator.errors import AssayError
from generator.store.project import Project


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that does not agree."""

    id: str
    file: str
    """Relative to the root of the project."""

    what: str
    remedy: str


def relative(project: Project, path: Path) -> str:
    """A path as findings name it."""
    return path.relative_to(project.root).as_posix()


def finding_of(project: Project, fault: AssayError, finding: str) -> Finding:
    """A fault that kept something from being read, as a finding about that file."""
    prefix = f"{project.root}/"
    what, remedy = fault.what.replace(prefix, ""), fault.remedy.replace(prefix, "")
    return Finding(finding, what.split(": ", 1)[0].split(" ", 1)[0], what, remedy)
