import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from generator.errors import UsageError
from generator.runners.chat import Unauthorised
from generator.workflow.probe import Probed, probe
from generator.workflow.run import Wanted
from tests.conftest import BENCHMARK, Kit
from tests.runners.sample import KEY, WEATHER
from tests.runners.stub import Stub, called, refused, said
from tests.runners.talking import EFFORT, talk


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Stub]]:
    """Start a stub that the environment names as the endpoint."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name.startswith(("OPENAI_", "ANTHROPIC_")):
            monkeypatch.delenv(name)
    stubs: list[Stub] = []

    def start(*script: Any) -> Stub:  # noqa: ANN401
        stub = Stub(script=script).__enter__()
        stubs.append(stub)
        monkeypatch.setenv("OPENAI_BASE_URL", stub.url)
        return stub

    yield start
    for stub in stubs:
        stub.__exit__()


def probed(system: str = "openai:m", kit: Kit | None = None, **wanted: Any) -> Probed:  # noqa: ANN401
    """What comes of one request."""
    named = BENCHMARK if kit else ""
    return probe(kit.project if kit else None, Wanted(named, [system], **wanted))


def test_a_system_is_asked_one_question(serve: Callable[..., Stub]) -> None:
    """Without a benchmark, in one line, with the options as they are."""
    stub = serve(said("Hello!"))
    found = probed(options={"temperature": 0})
    assert [sent.body for sent in stub.sent] == [
        {
            "model": "m",
            "messages": [{"role": "user", "content": "Say hello in one word."}],
            "temperature": 0,
        }
    ]
    assert (found.case, found.accepted) == ("hello", True)
    assert found.said.startswith("a reply after ")
    assert found.said.endswith(" s, 10 tokens input, 5 tokens output, by m-2026-01-01")


def test_a_benchmark_is_asked_in_its_richest_form(kit: Kit, serve: Callable[..., Stub]) -> None:
    """The first step of a case that offers tools, and of several steps only that one."""
    stub = serve(called("get_weather", {"city": "Rome"}))
    found = probed(kit=talk(kit, tools=True))
    (sent,) = stub.sent
    assert sent.body["tools"] == [WEATHER]
    assert (found.case, found.accepted) == ("polite-weather", True)
    assert "a call of get_weather" in found.said


def test_a_level_of_effort_is_asked_for(kit: Kit, serve: Callable[..., Stub]) -> None:
    """So that one knows before the run whether the model takes it; else none is sent."""
    talk(kit, EFFORT)
    stub = serve(said("Hello!"))
    probed(kit=kit, levels=["low"])
    probed(kit=kit, levels=["low"], prompted=True)
    probed(kit=kit)
    assert [sent.body.get("reasoning_effort") for sent in stub.sent] == ["low", None, None]
    assert [sent.body.get("max_tokens") for sent in stub.sent] == [None, 500, None]


@pytest.mark.parametrize("status", [400, 404, 429, 503])
def test_what_is_not_accepted_is_said(serve: Callable[..., Stub], status: int) -> None:
    """In the provider's words, and it is sent once, whatever the status is."""
    stub = serve(refused(status, "tools are not supported", retry_after="0"), said("Hello!"))
    found = probed()
    assert len(stub.sent) == 1
    assert not found.accepted
    assert found.said.startswith("provider_error after ")
    assert "tools are not supported" in found.said


def test_no_secret_is_said(serve: Callable[..., Stub], monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither where a request was not accepted, nor where the key was not."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    serve(refused(400, f"{KEY} may not"), refused(401, f"{KEY} is unknown"))
    assert KEY not in probed().said
    with pytest.raises(Unauthorised) as caught:
        probed()
    assert KEY not in str(caught.value)


def test_nothing_is_written(kit: Kit, serve: Callable[..., Stub]) -> None:
    """A probe leaves no trace in a project."""
    serve(said("Hello!"))
    talk(kit)
    before = sorted(kit.root.rglob("*"))
    probed(kit=kit)
    assert sorted(kit.root.rglob("*")) == before


@pytest.mark.parametrize(
    ("system", "accepted"),
    [("command:greeter", True), ("command:rude", False), ("fake:perfect", True)],
)
def test_any_system_of_a_benchmark_can_be_probed(kit: Kit, system: str, accepted: bool) -> None:  # noqa: FBT001
    """A program that can't be started is found out before a long run."""
    assert probed(system, talk(kit)).accepted is accepted


@pytest.mark.parametrize("system", ["command:greeter", "fake:perfect"])
def test_what_a_benchmark_declares_needs_a_benchmark(system: str) -> None:
    """It is not guessed which."""
    with pytest.raises(UsageError):
        probed(system)


def test_a_level_needs_a_benchmark(serve: Callable[..., Stub]) -> None:
    """Which declares what it is called."""
    serve(said("Hello!"))
    with pytest.raises(UsageError, match="Levels of effort are declared by a benchmark"):
        probed(levels=["low"])


def test_a_paid_provider_is_not_probed_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    """One request costs money too."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(UsageError, match="which may cost money"):
        probed()
