"""A step of a claim that ends half-way, done again, ends as if nothing had happened."""

import contextlib
import errno
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from generator.errors import StorageError
from generator.store.atomic import TEMP_MARK
from generator.store.registry import scan_registry
from generator.workflow.check import check
from tests.conftest import Kit
from tests.workflow.claims import NAME, Claims
from tests.workflow.faults import DEEDS, ENDED, Disk, Forks, Job, quick, refuses_from

State = dict[str, bytes]
BEGUN = {"orphan-evidence", "orphan-promotion"}
"""What a check may find where a step ended half-way."""


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with quick():
        yield


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks]:
    """Another process that forks for each job."""
    others = Forks()
    yield others
    others.end()


def prepare_proposing(claims: Claims) -> tuple[str, ...]:
    """A project with no claim, nor a place for one."""
    return (str(claims.proposal()),)


def prepare_validating(claims: Claims) -> tuple[str, ...]:
    """A claim, and another run."""
    claims.proposed()
    return (NAME, str(claims.kit.again()))


def prepare_promoting(claims: Claims) -> tuple[str, ...]:
    """A claim that was borne out."""
    claims.validated()
    return (NAME,)


def prepare_retiring(claims: Claims) -> tuple[str, ...]:
    """A claim that stands on its page."""
    claims.promoted()
    return (NAME,)


@pytest.fixture(
    params=[prepare_proposing, prepare_validating, prepare_promoting, prepare_retiring],
    ids=lambda prepare: prepare.__name__.removeprefix("prepare_"),
)
def step(
    published: Kit, request: pytest.FixtureRequest
) -> tuple[Kit, str, tuple[str, ...], Callable[[], None], State]:
    """A step: where, what, with what; how to begin anew, and what it ends in."""
    prepare = request.param
    name, words = prepare.__name__.removeprefix("prepare_"), prepare(Claims(published))
    kept = published.root.parent / "before"
    for place in filter(Path.exists, places(published)):
        shutil.copytree(place, kept / place.name)

    def begin_anew() -> None:
        for place in places(published):
            shutil.rmtree(place, ignore_errors=True)
            if (kept / place.name).exists():
                shutil.copytree(kept / place.name, place)

    DEEDS[name](published.root, *words)
    return published, name, words, begin_anew, state(published)


def places(kit: Kit) -> tuple[Path, ...]:
    """The folders that are written."""
    return (kit.project.candidates, kit.project.evidence)


def state(kit: Kit) -> State:
    """Every file in those folders, temp files too."""
    files = [path for place in places(kit) for path in place.rglob("*") if path.is_file()]
    return {path.relative_to(kit.root).as_posix(): path.read_bytes() for path in files}


def assert_sound(kit: Kit, known: set[frozenset[tuple[str, bytes]]]) -> None:
    """Everything can be read, and a check finds what was begun and nothing worse."""
    assert scan_registry(kit.project)[1] == ()
    found = frozenset(one for one in state(kit).items() if TEMP_MARK not in one[0])
    if found not in known:
        known.add(found)
        assert {one.id for one in check(kit.project, submission=True).findings} <= BEGUN


Step = tuple[Kit, str, tuple[str, ...], Callable[[], None], State]


def test_a_step_that_is_killed_can_be_done_again(step: Step, forks: Forks) -> None:
    """Killed before any operation on the disk, it leaves what the same command ends."""
    kit, name, words, begin_anew, new = step
    known: set[frozenset[tuple[str, bytes]]] = set()
    number = 0
    while True:
        number += 1
        begin_anew()
        status = forks(Job(name, str(kit.root), words, ends_at=number))
        if status != [ENDED]:
            break
        assert_sound(kit, known)
        DEEDS[name](kit.root, *words)
        assert state(kit) == new
    assert status == [0]
    assert state(kit) == new
    assert number > 5


def test_a_step_that_the_disk_refuses_can_be_done_again(step: Step) -> None:
    """From some moment on nothing can be written: that is told, and a second try succeeds."""
    kit, name, words, begin_anew, new = step
    known: set[frozenset[tuple[str, bytes]]] = set()
    number, told = 0, True
    while told:
        number += 1
        begin_anew()
        told = False
        trouble = refuses_from(number, errno.EIO, errno.EROFS)
        disk = Disk((kit.project.results,), trouble)
        with disk.at_work(), contextlib.suppress(StorageError):
            told = True
            DEEDS[name](kit.root, *words)
            told = len(disk.kinds) >= number
        assert_sound(kit, known)
        DEEDS[name](kit.root, *words)
        assert state(kit) == new
    assert number > 5
