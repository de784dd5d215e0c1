"""How pip gets the very Assay that runs here, so that it draws the same bytes elsewhere."""

import json
import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from generator.store.repo import Repo

DISTRIBUTION = "assay"

_ADDRESSES = (
    re.compile(r"(?:https?|ssh|git)://(?:[^@/]*@)?(?P<host>[^@:/]+)(?::\d+)?/(?P<path>\S+)"),
    re.compile(r"(?:[^@/]+@)?(?P<host>[^@:/]+\.[^@:/]+):(?!/)(?P<path>\S+)"),
)
"""A remote of git as a URL, and as ssh writes it."""


def requirement() -> str | None:
    """What pip is told to get it; none where only this machine has it, as a file or a folder."""
    try:
        installed = distribution(DISTRIBUTION)
    except PackageNotFoundError:
        return None
    origin = installed.read_text("direct_url.json")
    if origin is None:
        return f"{DISTRIBUTION}=={installed.version}"
    found = required(json.loads(origin))
    return f"{DISTRIBUTION} @ {found}" if found else None


def required(origin: dict[str, Any]) -> str | None:
    """The address of what was installed, from what pip wrote down of its origin (PEP 610)."""
    url = str(origin["url"])
    if url.startswith("file:"):
        editable = origin.get("dir_info", {}).get("editable")
        return _cloned(Path(unquote(urlsplit(url).path))) if editable else None
    vcs = origin.get("vcs_info")
    return f"{vcs['vcs']}+{url}@{vcs['commit_id']}" if vcs else url


def _cloned(root: Path) -> str | None:
    """Where others get what is checked out in a clone: its remote and its commit."""
    clone = Repo(root)
    address, commit = public(clone.remote() or ""), clone.head()
    return f"git+{address}@{commit}" if address and commit else None


def public(remote: str) -> str | None:
    """The https address of a remote, without anybody's credentials; none where it has no host."""
    found = next(filter(None, (form.fullmatch(remote) for form in _ADDRESSES)), None)
    return f"https://{found['host']}/{found['path']}" if found else None
