import http.client
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.errors import UsageError
from generator.workflow.serve import server

HOME = b"<!doctype html><p>Home"
MISSING = b"<!doctype html><p>There is no such page."


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A small site that was built."""
    folder = tmp_path / "site"
    (folder / "es" / "rules").mkdir(parents=True)
    (folder / "index.html").write_bytes(HOME)
    (folder / "es" / "rules" / "index.html").write_bytes(b"<!doctype html><p>Reglas")
    (tmp_path / "secret.txt").write_text("not of the site")
    return folder


@pytest.fixture
def port(site: Path) -> Iterator[int]:
    """The port at which the site is served."""
    with server(site, 0) as serving:
        thread = threading.Thread(target=serving.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield serving.server_port
        serving.shutdown()
        thread.join()


def ask(port: int, path: str, method: str = "GET") -> tuple[int, bytes]:
    """Status and body of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, body


def test_a_page_is_served(port: int) -> None:
    """Pages are found by their folders, in every locale."""
    assert ask(port, "/") == (200, HOME)
    assert ask(port, "/es/rules/") == (200, b"<!doctype html><p>Reglas")


def test_a_missing_page_is_said_in_the_words_of_the_site(site: Path, port: int) -> None:
    """What is not there is a 404, by the site's own page where it has one."""
    status, body = ask(port, "/gone/")
    assert status == 404
    assert body != MISSING
    (site / "404.html").write_bytes(MISSING)
    assert ask(port, "/gone/") == (404, MISSING)
    assert ask(port, "/gone/", "HEAD") == (404, b"")


@pytest.mark.parametrize("path", ["/../secret.txt", "/%2e%2e/secret.txt", "/es/../../secret.txt"])
def test_nothing_outside_of_the_site_is_served(port: int, path: str) -> None:
    """Whatever a path climbs to, it ends inside the site."""
    status, body = ask(port, path)
    assert status == 404
    assert b"not of the site" not in body


def test_only_this_machine_is_served(site: Path) -> None:
    """The server listens on the loopback address and nowhere else."""
    with server(site, 0) as serving:
        assert serving.server_address[0] == "127.0.0.1"


def test_requests_are_answered_in_silence(port: int, capfd: pytest.CaptureFixture[str]) -> None:
    """The terminal does not fill with lines of requests."""
    ask(port, "/")
    ask(port, "/gone/")
    assert capfd.readouterr() == ("", "")


def test_a_port_in_use_is_told(site: Path) -> None:
    """A port that somebody else has is named, with the way out."""
    with server(site, 0) as serving, pytest.raises(UsageError) as caught:
        server(site, serving.server_port)
    assert caught.value.what.startswith(f"Port {serving.server_port} can't be used: ")
    assert "--port" in caught.value.remedy


@pytest.mark.parametrize("number", [-1, 65_536, 10**9])
def test_a_port_that_is_none_is_told(site: Path, number: int) -> None:
    """A number that no port has is a fault like any other."""
    with pytest.raises(UsageError, match=f"Port {number} can't be used"):
        server(site, number)
