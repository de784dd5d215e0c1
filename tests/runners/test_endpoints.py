import pytest

from generator.errors import UsageError
from generator.runners.dialects.catalog import DIALECTS
from generator.runners.endpoints import Endpoint, endpoint
from tests.runners.sample import KEY

OPENAI = DIALECTS["openai"]


def at(url: str, **environment: str) -> Endpoint:
    """The endpoint of an address."""
    return endpoint(OPENAI, {"OPENAI_BASE_URL": url, **environment})


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "127.1.2.3", "[::1]", "localhost", "LOCALHOST", "stub.localhost", "10.0.0.7",
        "192.168.1.2", "172.16.0.1", "[fd00::1]", "[fe80::1]", "[::ffff:10.0.0.1]",
    ],
)  # fmt: skip
def test_the_machine_and_its_network_are_local(host: str) -> None:
    """Nobody is paid there."""
    assert at(f"http://{host}:8080/v1").is_local


@pytest.mark.parametrize(
    "host",
    [
        "api.openai.com", "8.8.8.8", "[2001:4860:4860::8888]", "[::ffff:8.8.8.8]", "100.64.0.1",
        "localhost.example.org", "127.0.0.1.example.org", "notlocalhost", "134744072", "127.1",
        "my-server", "192.169.1.1", "172.32.0.1",
    ],
)  # fmt: skip
def test_any_other_host_may_cost_money(host: str) -> None:
    """A name is not looked up: what it stands for may change."""
    assert not at(f"http://{host}:8080/v1").is_local


@pytest.mark.parametrize(
    "url",
    [
        "", "localhost:8080", "127.0.0.1", "//127.0.0.1/v1", "ftp://127.0.0.1/v1", "http://",
        "http:///v1", "file:///v1", "http://[::1", "http://127.0.0.1:99999/",
        "http://somebody:secret-123@127.0.0.1/v1", "http://secret-123@127.0.0.1/v1",
        "http://127.0.0.1/v1?key=secret-123", "http://127.0.0.1/v1#secret-123",
        "http://localhost@api.example.org/", "http://api.example.org\\@localhost/",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused(url: str) -> None:
    """Before anything is sent, and without repeating it: there may be a key in it."""
    if not url:
        assert at(url).host == "api.openai.com"
        return
    with pytest.raises(UsageError, match="OPENAI_BASE_URL is not the address") as caught:
        at(url)
    assert "secret-123" not in caught.value.what + caught.value.remedy


@pytest.mark.parametrize("key", [f"{KEY}\nx", f"{KEY} x", "ключ", f"{KEY}\x7f", f"a{KEY}\0"])
def test_what_is_no_key_is_refused(key: str) -> None:
    """A header could not hold it, and would say so in words that hold it."""
    with pytest.raises(UsageError, match="OPENAI_API_KEY holds what no key has") as caught:
        at("http://127.0.0.1/v1", OPENAI_API_KEY=key)
    assert KEY not in caught.value.what + caught.value.remedy


def test_a_line_end_behind_a_key_is_none_of_it() -> None:
    """It is what a file puts there."""
    assert at("http://127.0.0.1/v1", OPENAI_API_KEY=f"{KEY}\n").key == KEY
    assert at("http://127.0.0.1/v1", OPENAI_API_KEY=" ").key is None


@pytest.mark.parametrize(
    ("url", "provider"),
    [
        ("https://api.openai.com/v1", "openai"),
        ("https://api.openai.com/v1/", "openai"),
        ("https://API.OpenAI.com:443/v1", "openai"),
        ("http://127.0.0.1:8080/v1", "local"),
        ("http://192.168.1.2/v1", "local"),
        ("https://openrouter.ai/api/v1", "openrouter.ai"),
        ("http://api.openai.com/v1", "api.openai.com"),
    ],
)
def test_a_row_names_who_serves_the_model(url: str, provider: str) -> None:
    """The vendor only where it is the vendor; a machine of one's own has no name."""
    assert at(url).provider("openai") == provider


def test_an_address_ends_without_a_slash() -> None:
    """Paths are put behind it."""
    assert at("http://127.0.0.1:8080/v1/").url == "http://127.0.0.1:8080/v1"


def test_each_dialect_has_its_own_address_and_key() -> None:
    """One vendor's key is not sent to the other."""
    environment = {"OPENAI_API_KEY": KEY, "ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}
    end = endpoint(DIALECTS["anthropic"], environment)
    assert (end.url, end.key) == ("http://127.0.0.1:1", None)
    assert endpoint(DIALECTS["anthropic"], {}).url == "https://api.anthropic.com"
