import json
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest

from generator.workflow import requirement as module
from generator.workflow.requirement import public, required, requirement
from tests.conftest import Kit

COMMIT = "c0ffee11" * 5


class Installed:
    """A distribution as the interpreter knows it."""

    version = "1.2.3"

    def __init__(self, origin: dict[str, Any] | None) -> None:
        self._origin = origin

    def read_text(self, name: str) -> str | None:
        """What pip wrote down of its origin."""
        assert name == "direct_url.json"
        return json.dumps(self._origin) if self._origin else None


@pytest.mark.parametrize(
    ("origin", "told"),
    [
        (None, "assay==1.2.3"),
        (
            {"url": "https://example.org/a.whl", "archive_info": {}},
            "assay @ https://example.org/a.whl",
        ),
        ({"url": "file:///tmp/a.whl", "archive_info": {}}, None),
    ],
    ids=["index", "address", "file"],
)
def test_pip_is_told_what_it_was_told_here(
    monkeypatch: pytest.MonkeyPatch, origin: dict[str, Any] | None, told: str | None
) -> None:
    """From an index it is the version, from elsewhere the address, and never a name as a guess."""
    monkeypatch.setattr(module, "distribution", lambda _: Installed(origin))
    assert requirement() == told


def test_what_is_not_installed_has_no_requirement(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that only lies on the path can't be had by its name."""

    def missing(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(module, "distribution", missing)
    assert requirement() is None


def test_a_commit_is_named_in_full() -> None:
    """What was installed from a repository is that commit, not what a branch has become."""
    origin = {
        "url": "https://example.org/assay.git",
        "vcs_info": {"vcs": "git", "commit_id": COMMIT, "requested_revision": "main"},
    }
    assert required(origin) == f"git+https://example.org/assay.git@{COMMIT}"
    assert required({**origin, "url": "file:///srv/assay.git"}) is None


def test_a_clone_in_use_is_its_remote_and_commit(kit: Kit) -> None:
    """Who works on a clone can be followed as far as the clone says where it comes from."""
    origin = {"url": kit.root.as_uri(), "dir_info": {"editable": True}}
    assert required(origin) is None
    kit.git("remote", "add", "origin", "git@example.org:some/assay.git")
    assert required(origin) == f"git+https://example.org/some/assay.git@{kit.head()}"
    assert required({**origin, "dir_info": {}}) is None, "a copy of it may be of any commit"


@pytest.mark.parametrize(
    ("remote", "address"),
    [
        ("https://example.org/some/assay.git", "https://example.org/some/assay.git"),
        ("https://me:a-token@example.org/assay", "https://example.org/assay"),
        ("ssh://git@example.org:22/some/assay.git", "https://example.org/some/assay.git"),
        ("git@example.org:some/assay.git", "https://example.org/some/assay.git"),
        ("example.org:assay.git", "https://example.org/assay.git"),
        ("", None),
        ("/srv/git/assay.git", None),
        ("../assay.git", None),
        ("file:///srv/git/assay.git", None),
        (str(Path("C:/assay")), None),
    ],
)
def test_an_address_has_no_credentials(remote: str, address: str | None) -> None:
    """What is written into a file that is published names a place, and nobody's key to it."""
    assert public(remote) == address
