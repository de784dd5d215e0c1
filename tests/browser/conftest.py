"""The built site of this repository, served on this machine, in a real browser.

Run by a step of `.ci/run` of its own: `results build` first, then `pytest -m browser`.
"""

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from generator.workflow.serve import server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SITE = Path(__file__).resolve().parents[2] / "site"
NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Root of the served site."""
    assert (SITE / "index.html").is_file(), "build the site first: results build"
    with server(SITE, 0) as serving:
        thread = threading.Thread(target=serving.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{serving.server_port}/"
        serving.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """A Chromium of this machine; without one the tests fail, and never skip."""
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, NAMES)), None)
    assert found, f"none of {', '.join(NAMES)} is on the PATH"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()
