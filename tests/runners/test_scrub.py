import json
import time
from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest

from generator.records.bundle import Attempt, Harness, Manifest, System, ToolCall, Tree, Turn
from generator.runners.scrub import GONE, HOME, Scrub, without_secrets
from generator.store.lines import read_attempt, write_attempt
from tests.runners.sample import KEY

ODD = 'pa"ss\\wörd/\t1'
ENVIRONMENT = {
    "OPENAI_API_KEY": KEY,
    "DB_PASSWORD": ODD,
    "HTTPS_PROXY": "http://somebody:proxy-secret-1@proxy.example:3128",
    "MY_SETTING": "ghp_" + "A1b2C3d4" * 5,
    "HOME": "/home/somebody",
    "USER": "somebody",
    "LANG": "C.UTF-8",
}
SECRETS = [KEY, ODD, "proxy-secret-1", ENVIRONMENT["MY_SETTING"]]
SCRUB = Scrub(ENVIRONMENT)


def line(**said: object) -> bytes:
    """An attempt that says something, as it is written."""
    attempt = Attempt(
        id="s/c/1",
        case="c",
        system="s",
        repetition=1,
        outcome="completed",
        run="r",
        **said,  # type: ignore[arg-type]
    )
    return write_attempt(attempt)


# Texts


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize(
    "written",
    [
        str,
        lambda secret: json.dumps(secret)[1:-1],
        lambda secret: json.dumps(secret, ensure_ascii=False)[1:-1],
        lambda secret: json.dumps(json.dumps({"key": secret})),
        lambda secret: json.dumps(json.dumps(json.dumps([secret]))),
        lambda secret: json.dumps(secret.replace("/", "\\/")),
        lambda secret: secret.replace("/", "\\/"),
        lambda secret: quote(secret, safe=""),
        lambda secret: f"…{secret}{secret}…",
    ],
    ids=[
        "plain",
        "json",
        "json of any script",
        "json in json",
        "and in json",
        "slashes in json",
        "slashes",
        "url",
        "twice",
    ],
)
def test_a_secret_is_taken_out_however_it_is_written(secret: str, written: object) -> None:
    """Plain, escaped once or twice, with escaped slashes, in an address."""
    assert callable(written)
    text = SCRUB.text(written(secret))
    assert GONE in text
    assert secret not in text
    assert "wör" not in text
    assert "proxy-secret" not in text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("/home/somebody", "~"),
        ("/home/somebody/work", "~/work"),
        ("in /home/somebody.", "in ~."),
        ('"/home/somebody"', '"~"'),
        ("file:///home/somebody/x", "file://~/x"),
        ("\\/home\\/somebody\\/x", "~\\/x"),
        ("%2Fhome%2Fsomebody%2Fx", "~%2Fx"),
        ("/home/somebody-else/x", "/home/somebody-else/x"),
        ("/home/somebody.old/x", "/home/somebody.old/x"),
        ("/home/somebody2", "/home/somebody2"),
        ("/home/another/x", "/home/another/x"),
    ],
)
def test_the_home_folder_loses_its_name(text: str, left: str) -> None:
    """And only that folder: what a system says of another is its own."""
    assert SCRUB.text(text) == left


def test_the_home_folder_is_known_by_where_it_lies(tmp_path: Path) -> None:
    """A link to it is no way around."""
    lies = tmp_path / "disk" / "somebody"
    lies.mkdir(parents=True)
    link = tmp_path / "home"
    link.symlink_to(lies)
    scrub = Scrub({"HOME": str(link)})
    assert scrub.text(f"{lies}/x and {link}/x") == "~/x and ~/x"


@pytest.mark.parametrize("home", ["", "/", ".", "relative", "//"])
def test_a_home_that_is_none_changes_nothing(home: str) -> None:
    """An environment without a home folder is no reason to change what was said."""
    text = "/ . ./x relative /tmp/x"
    assert Scrub({"HOME": home}).text(text) == text
    assert Scrub({}).text(text) == text


def test_the_longer_secret_goes_first() -> None:
    """One that begins as another does is not cut in half."""
    scrub = Scrub({"A_KEY": "abcdefgh", "B_KEY": "abcdefgh-and-more"})
    assert scrub.text("abcdefgh-and-more, abcdefgh") == f"{GONE}, {GONE}"


@pytest.mark.parametrize("value", ["", "1", "true", "short"])
def test_a_value_that_is_too_short_to_be_told_from_words_stays(value: str) -> None:
    """Else every `true` of a reply would be gone."""
    assert Scrub({"USE_KEY": value}).text("1 true short") == "1 true short"


def test_words_without_a_secret_are_left_as_they_are() -> None:
    """Nothing else is changed."""
    text = "somebody C.UTF-8 proxy.example \\/ \u2028 \ud83d\udc4b"
    assert SCRUB.text(text) == text


@pytest.mark.parametrize("piece", ["\\", '\\"', ODD[:-1], KEY[:-1], "/home/somebod", "/"])
def test_a_hostile_text_takes_no_longer_than_its_length(piece: str) -> None:
    """Megabytes of what almost is a secret are read at once."""
    scrub = Scrub({"A_KEY": '\\"\\"quotes"\\"\\', **ENVIRONMENT})
    text = f"{ODD} quotes {KEY} {piece * (4_000_000 // len(piece))} quotes"
    started = time.process_time()
    assert KEY not in scrub.text(text)
    assert time.process_time() - started < 10


# What holds a secret


@pytest.mark.parametrize(
    "name",
    [
        "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "api_key", "APIKEY", "MY_APIKEY", "KEY", "KEY_2",
        "AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID", "GITHUB_TOKEN", "GH_TOKEN", "TOKEN",
        "HF_TOKENS", "SECRET", "CLIENT_SECRET_1", "PGPASSWORD", "MYSQL_PWD", "PASS", "DB_PASS",
        "PASSPHRASE", "GOOGLE_CREDENTIALS", "SESSION_COOKIE", "AZURE_PAT", "SSH_PRIVATE_KEY",
    ],
)  # fmt: skip
def test_a_name_says_that_it_holds_a_secret(name: str) -> None:
    """Such a value is taken out of what is said, and is not handed to programs."""
    assert Scrub({name: "of-no-shape"}).text("of-no-shape") == GONE
    assert without_secrets({name: "of-no-shape", "LANG": "C"}) == {"LANG": "C"}


@pytest.mark.parametrize(
    "name",
    [
        "PATH", "HOME", "KEYBOARD", "KEYMAP", "MONKEY", "TOKENIZERS_PARALLELISM", "PATTERN",
        "PASSTHROUGH", "COMPASS", "PWD", "OLDPWD", "LANG", "PYTHONPATH", "XAUTHORITY",
    ],
)  # fmt: skip
def test_a_name_that_only_looks_so_holds_none(name: str) -> None:
    """A program gets what it needs, and words stay words."""
    assert Scrub({name: "of-no-shape"}).text("of-no-shape") == "of-no-shape"
    assert without_secrets({name: "of-no-shape"}) == {name: "of-no-shape"}


def test_a_number_is_no_secret() -> None:
    """MAX_TOKENS is a setting."""
    assert without_secrets({"MAX_TOKENS": "4096"}) == {"MAX_TOKENS": "4096"}


@pytest.mark.parametrize(
    "value",
    [
        "sk-ant-api03-" + "a1B2" * 8,
        "sk-proj-" + "a1B2" * 10,
        "ghp_" + "a1B2" * 9,
        "hf_" + "a1B2" * 9,
        "https://somebody:secret-123@example.org/x",
    ],
)
def test_a_value_of_the_shape_of_a_key_is_one(value: str) -> None:
    """Whatever its name says."""
    assert without_secrets({"X": value}) == {}
    assert GONE in Scrub({"X": value}).text(f"It is {value}.")


def test_an_environment_of_any_bytes_is_read() -> None:
    """What is no UTF-8 ends no run."""
    odd = b"caf\xe9-secret".decode("utf-8", "surrogateescape")
    assert Scrub({"ODD_KEY": odd, "HOME": f"/home/{odd}"}).text("Hello") == "Hello"
    assert without_secrets({"ODD_KEY": odd}) == {}


# Lines


@pytest.mark.parametrize("secret", [*SECRETS, "/home/somebody"])
def test_a_line_loses_its_secrets_and_stays_a_line(secret: str) -> None:
    """In every text of an attempt, arguments of calls included, and in their names."""
    call = {"path": f"{secret}/x", secret: [secret, 7]}
    turn = Turn(
        content=json.dumps({"echo": secret}),
        refusal=f"{secret}\n{secret}",
        tool_calls=(ToolCall("look", msgspec.Raw(json.dumps(call).encode()), outcome=secret),),
    )
    said = line(reason=f"because {secret}", stimulus=secret, turns=(turn,))
    scrubbed = SCRUB.line(said)
    read = read_attempt(scrubbed)
    assert (read.id, read.case, read.system, read.run) == ("s/c/1", "c", "s", "r")
    for form in (secret, json.dumps(secret)[1:-1], json.dumps(json.dumps(secret))[3:-3]):
        assert form not in scrubbed.decode()


def test_a_line_without_secrets_is_the_same_to_the_byte() -> None:
    """Nothing is written anew without need."""
    said = line(turns=(Turn(content="Hello! \u2028 è \\u00e8"),))
    assert SCRUB.line(said) is said


def test_a_line_that_only_has_a_word_of_a_secret_is_the_same_to_the_byte() -> None:
    """It is looked at, and left alone."""
    said = line(turns=(Turn(content="somebody at home, not-a-key"),))
    assert SCRUB.line(said) is said


def test_what_we_say_ourselves_is_never_taken_out() -> None:
    """A value that happens to be the name of a case spoils no line, nor a number in it."""
    scrub = Scrub({"A_KEY": "greeting-1", "B_KEY": "completed", "C_KEY": "elapsed_us"})
    attempt = Attempt(
        id="s/greeting-1/1",
        case="greeting-1",
        system="s",
        repetition=1,
        outcome="completed",
        elapsed_us=7,
        turns=(Turn(content="greeting-1 is completed"),),
    )
    read = read_attempt(scrub.line(write_attempt(attempt)))
    assert (read.id, read.case, read.outcome) == ("s/greeting-1/1", "greeting-1", "completed")
    assert read.turns[0].content == f"{GONE} is {GONE}"


# Manifests


def manifest(**system: object) -> Manifest:
    """A manifest with one system."""
    entry = {"id": "s", "provider": "local", "model": "m", **system}
    return Manifest(
        format="assay.bundle/1",
        run="r",
        benchmark={"id": "b", "version": "1"},  # type: ignore[arg-type]
        started="2026-01-01T00:00:00Z",
        status="complete",
        filter=f"x{KEY}*",
        repetitions=1,
        tree_at_start=Tree(clean="no", paths=("/home/somebody/x",)),
        systems=(System(**entry),),  # type: ignore[arg-type]
        harness=Harness(name="h", version="1", contract=1),
    )


def test_a_manifest_loses_its_secrets() -> None:
    """In options, however deep, in the names of models and files, in the filter."""
    said = manifest(
        model="/home/somebody/models/m.gguf",
        revision=f"at {KEY}",
        options={"headers": [{"x": KEY}], "n": 7},
    )
    scrubbed = SCRUB.manifest(said)
    (system,) = scrubbed.systems
    assert (system.model, system.revision) == (f"{HOME}/models/m.gguf", f"at {GONE}")
    assert system.options == {"headers": [{"x": GONE}], "n": 7}
    assert (scrubbed.filter, scrubbed.tree_at_start.paths) == (f"x{GONE}*", ("~/x",))
    assert KEY not in scrubbed.to_json().decode()


def test_a_manifest_keeps_what_names_it() -> None:
    """A value that happens to be an id or a word of the format spoils nothing."""
    scrub = Scrub({"A_KEY": "assay.bundle/1", "B_KEY": "complete", "C_KEY": "options"})
    said = manifest(options={"n": 7})
    assert scrub.manifest(said) == said
