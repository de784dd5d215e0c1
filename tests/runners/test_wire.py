import asyncio
import email.utils
import json
import time

import pytest

from generator.errors import UsageError
from generator.runners.scrub import Scrub
from generator.runners.wire import LONGEST_WAIT, TRIES, Answer, Wire, pause
from tests.runners.sample import KEY
from tests.runners.stub import Reply, Stub, refused, reply, said

WIRE = "generator.runners.wire"
NOW = {"retry_after": "0"}


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test asks the proxy of whoever runs it."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def posted(  # noqa: PLR0913  what tests like to vary
    url: str,
    *,
    count: int = 1,
    connections: int = 8,
    seconds: float = 20.0,
    tries: int = TRIES,
    environment: dict[str, str] | None = None,
) -> list[Answer]:
    """What comes back of some requests that are sent together."""

    async def post() -> list[Answer]:
        wire = Wire(url, {"x-key": KEY}, connections, Scrub(environment or {}), tries)
        try:
            asked = [wire.post("/chat", b'{"n": 1}', seconds) for _ in range(count)]
            return await asyncio.gather(*asked)
        finally:
            await wire.close()

    return asyncio.run(post())


def answered(*script: Reply, seconds: float = 20.0) -> tuple[Answer, int]:
    """What comes back in the end, and how often it was asked for."""
    with Stub(script=script) as stub:
        (answer,) = posted(stub.url, seconds=seconds)
        return answer, len(stub.sent)


def test_a_request_is_sent_and_its_reply_taken() -> None:
    """Path, headers and body go out as they are, and the reply comes back with its time."""
    with Stub(reply({"said": "ciao"}, after=0.1)) as stub:
        (answer,) = posted(stub.url)
    (sent,) = stub.sent
    assert (sent.path, sent.raw) == ("/chat", b'{"n": 1}')
    assert (sent.headers["x-key"], sent.headers["content-type"]) == (KEY, "application/json")
    assert (answer.fault, answer.json(), answer.tries) == (None, {"said": "ciao"}, ())
    assert answer.elapsed_us >= 100_000


# Sent again


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504, 529])
def test_what_the_provider_refused_is_sent_again(status: int) -> None:
    """A rate limit or a faulty server costs a try, which is recorded with its wait."""
    answer, sent = answered(refused(status, "not now", **NOW), said("Hello"))
    (tried,) = answer.tries
    assert (sent, answer.fault, tried.status) == (2, None, status)
    assert tried.reason is not None
    assert tried.reason.startswith(f"HTTP {status}: ")
    assert "not now" in tried.reason
    assert tried.waited_us is not None


@pytest.mark.parametrize("status", [201, 301, 307, 400, 401, 403, 404, 413, 422])
def test_what_was_answered_is_not_sent_again(status: int) -> None:
    """Any other answer is taken as it is, and no redirect is followed."""
    answer, sent = answered(refused(status, "no", location="/elsewhere"), said("Hello"))
    assert (sent, answer.fault, answer.status, answer.tries) == (1, "rejected", status, ())
    assert "no" in answer.said


def test_tries_are_bounded() -> None:
    """A provider that refuses again and again is left alone, and every try is recorded."""
    answer, sent = answered(refused(503, **NOW))
    assert (sent, answer.fault) == (TRIES, "refused")
    assert [tried.status for tried in answer.tries] == [503] * TRIES
    waited = [tried.waited_us for tried in answer.tries]
    assert None not in waited[:-1]
    assert waited[-1] is None


def test_retry_after_is_obeyed() -> None:
    """The second request comes no earlier than the provider asked for."""
    arrived: list[float] = []

    def answer(_: object) -> Reply:
        arrived.append(time.monotonic())
        return refused(429, retry_after="0.4") if len(arrived) == 1 else said("Hello")

    with Stub(answer) as stub:
        posted(stub.url)
    assert arrived[1] - arrived[0] >= 0.4


def test_a_provider_that_asks_for_too_long_is_not_asked_again() -> None:
    """Sending it earlier than asked for would not be obeying."""
    answer, sent = answered(refused(429, retry_after="3600"), said("Hello"))
    assert (sent, answer.fault) == (1, "refused")
    assert [tried.waited_us for tried in answer.tries] == [None]


def in_seconds(seconds: float) -> str:
    """A date of HTTP."""
    return email.utils.formatdate(time.time() + seconds, usegmt=True)


@pytest.mark.parametrize(
    ("asked", "low", "high"),
    [
        ("7", 7, 7.8),
        ("0", 0, 0.2),
        ("-5", 0, 0.2),
        ("0.25", 0.25, 0.5),
        ("1e1", 10, 11.1),
        ("later", 0.5, 1),
        ("", 0.5, 1),
        ("nan", 0.5, 1),
        ("Thu, 99 Foo 2099", 0.5, 1),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0, 0.2),
        (None, 0.5, 1),
    ],
)
@pytest.mark.parametrize("jitter", [0.0, 0.5, 1.0])
def test_a_pause_is_what_was_asked_for(
    asked: str | None, low: float, high: float, jitter: float
) -> None:
    """Seconds or a date are obeyed, with a little more; what is neither counts as unsaid."""
    seconds = pause(0, asked, jitter)
    assert seconds is not None
    assert low <= seconds <= high


def test_a_pause_until_a_date_lasts_until_then() -> None:
    """HTTP has two ways to say Retry-After."""
    seconds = pause(0, in_seconds(30), 0.0)
    assert seconds is not None
    assert 28 < seconds <= 30


@pytest.mark.parametrize("asked", ["121", "inf", "1e300"])
def test_a_pause_of_hours_is_none(asked: str) -> None:
    """Nobody waits that long, and nobody comes back earlier."""
    assert pause(0, asked, 0.0) is None
    assert pause(0, in_seconds(3600), 0.0) is None


def test_pauses_grow_and_have_an_end() -> None:
    """Unasked, each wait is twice the one before, never beyond the longest."""
    assert [pause(before, None, 1.0) for before in (0, 1, 2, 3)] == [1, 2, 4, 8]
    assert [pause(before, None, 0.0) for before in (0, 1, 2, 3)] == [0.5, 1, 2, 4]
    assert pause(60, None, 1.0) == LONGEST_WAIT


# No reply


def test_no_reply_in_time_is_a_timeout() -> None:
    """The system had its time; it is not given it twice."""
    answer, sent = answered(said("Hello", after=5), seconds=0.2)
    assert (sent, answer.fault, answer.status, answer.tries) == (1, "timeout", None, ())


def test_a_slow_body_is_a_timeout() -> None:
    """The limit holds to the last byte, not only to the first."""
    headers = {"content-length": "100000"}
    answer, sent = answered(Reply(b"{}", headers=headers), seconds=0.3)
    assert (sent, answer.fault) == (1, "timeout")


def test_a_provider_that_is_not_there_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing reached it, so nothing is repeated; each try is recorded, without a status."""
    monkeypatch.setattr(f"{WIRE}._FIRST_WAIT", 0.01)
    with Stub(said("Hello")) as stub:
        gone = stub.url
    (answer,) = posted(gone)
    assert (answer.fault, answer.status) == ("unreached", None)
    assert [tried.status for tried in answer.tries] == [None] * TRIES
    assert answer.said.startswith("ConnectError")


def test_a_name_that_is_none_is_a_provider_that_is_not_there() -> None:
    """No fault of an address ends a run."""
    (answer,) = posted(f"http://{'x' * 70}.invalid", tries=1)
    assert answer.fault == "unreached"


def test_a_connection_that_breaks_is_not_used_again() -> None:
    """The provider may have taken the request: it is not sent twice."""
    cut = Reply(b'{"half": ' * 100, cut=True)
    answer, sent = answered(cut, said("Hello"))
    assert (sent, answer.fault, answer.tries) == (1, "broken", ())
    assert answer.said.startswith("RemoteProtocolError")


def test_a_reply_without_end_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """What no line could hold is given up before it fills the memory."""
    monkeypatch.setattr(f"{WIRE}.REPLY_LIMIT", 1000)
    answer, sent = answered(said("x" * 1000))
    assert (sent, answer.fault, answer.content) == (1, "too-long", b"")


@pytest.mark.parametrize(("status", "fault"), [(503, "refused"), (404, "rejected")])
def test_a_status_counts_whatever_becomes_of_its_words(
    monkeypatch: pytest.MonkeyPatch, status: int, fault: str
) -> None:
    """A refusal that is cut off, or goes on without end, is a refusal."""
    monkeypatch.setattr(f"{WIRE}.REPLY_LIMIT", 1000)
    monkeypatch.setattr(f"{WIRE}._FIRST_WAIT", 0.01)
    for reply_ in (Reply(b"x" * 2000, status), Reply(b"x" * 99, status, cut=True)):
        answer, _ = answered(reply_)
        assert (answer.fault, answer.status) == (fault, status)


def test_a_broken_connection_does_not_spoil_the_next() -> None:
    """After a timeout and after a cut, the same wire goes on."""

    async def post(url: str) -> list[str | None]:
        wire = Wire(url, {}, 1)
        try:
            return [(await wire.post("/", b"{}", 0.5)).fault for _ in range(4)]
        finally:
            await wire.close()

    script = [said("a", after=2), Reply(b"{} " * 9, cut=True), said("b"), said("c")]
    with Stub(script=script) as stub:
        assert asyncio.run(post(stub.url)) == ["timeout", "broken", None, None]


# Connections


def test_there_are_no_more_connections_than_are_allowed() -> None:
    """Twelve requests over three connections come three at a time."""
    with Stub(said("Hello", after=0.05)) as stub:
        answers = posted(stub.url, count=12, connections=3)
    assert {answer.fault for answer in answers} == {None}
    assert (stub.most, stub.connections) == (3, 3)


def test_a_connection_is_used_again() -> None:
    """One after the other, requests share a connection."""

    async def post(url: str) -> None:
        wire = Wire(url, {}, 8)
        for _ in range(5):
            await wire.post("/", b"{}", 20)
        await wire.close()

    with Stub(said("Hello")) as stub:
        asyncio.run(post(stub.url))
    assert (len(stub.sent), stub.connections) == (5, 1)


def test_the_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """As curl does, and not for what is excepted from it."""
    with Stub(said("Hello")) as stub:
        monkeypatch.setenv("http_proxy", stub.url)
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        posted("http://provider.invalid/v1")
        posted(stub.url)
    assert [sent.path for sent in stub.sent] == ["http://provider.invalid/v1/chat", "/chat"]


@pytest.mark.parametrize("proxy", ["socks9://127.0.0.1:1", "nonsense", "http://[::1"])
def test_a_proxy_that_is_none_is_said(monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    """Before anything is sent, and without its address: there may be a password in it."""
    monkeypatch.setenv("http_proxy", proxy)
    with pytest.raises(UsageError, match="The proxy that the environment names") as caught:
        posted("http://provider.invalid/v1")
    assert proxy not in caught.value.what + caught.value.remedy


# What is said


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"Bad gateway",
        b"{",
        b'{"a": NaN}',
        b'{"a": "\\ud800"}',
        b'{"a": "\xff"}',
        b"[" * 99_999,
    ],
    ids=["nothing", "words", "half", "no number", "half a pair", "no UTF-8", "deep"],
)
def test_what_is_no_json_is_said_to_be_none(body: bytes) -> None:
    """A reply that could not be written down is found out when it is read."""
    answer, _ = answered(Reply(body))
    assert answer.fault is None
    with pytest.raises((ValueError, RecursionError)):
        answer.json()


@pytest.mark.parametrize("text", ["\U0001f44b", "\\ud83d\\udc4b", "\\u00e8", "\\\\ud800"])
def test_a_whole_character_is_one_however_it_is_written(text: str) -> None:
    """Only half of a pair is no text."""
    answer, _ = answered(Reply(f'{{"a": "{text}"}}'.encode()))
    assert answer.json() == json.loads(f'{{"a": "{text}"}}')


@pytest.mark.parametrize("before", [0, 100, 270, 285, 299, 400])
@pytest.mark.parametrize("again", [0, 1])
def test_a_key_is_out_before_words_are_cut(before: int, again: int) -> None:
    """However the key lies in what is said, not even half of it is left."""
    status = 400 if again == 0 else 429
    with Stub(script=[refused(status, "." * before + KEY, **NOW)]) as stub:
        (answer,) = posted(stub.url, environment={"OPENAI_API_KEY": KEY}, tries=1 + again)
    words = [answer.said, *(tried.reason or "" for tried in answer.tries)]
    assert all(len(word) <= 300 for word in words)
    assert not any(KEY[:8] in word for word in words)


def test_those_refused_together_do_not_come_back_together() -> None:
    """Jitter spreads what would else come in one wave."""
    with Stub(script=[*[refused(429, retry_after="0.1")] * 8, said("Hello")]) as stub:
        answers = posted(stub.url, count=8)
    waits = {tried.waited_us for answer in answers for tried in answer.tries}
    assert len(waits) == 8
