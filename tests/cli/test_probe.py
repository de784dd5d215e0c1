"""`results probe`, as a person or a script meets it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.cli.app import run
from tests.cli.conftest import Said
from tests.conftest import BENCHMARK, Kit
from tests.runners.stub import Stub, refused, said
from tests.runners.talking import EFFORT, talk

Results = Callable[..., Said]


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the keys, endpoints or proxies of whoever runs it."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name.startswith(("OPENAI_", "ANTHROPIC_")):
            monkeypatch.delenv(name)


def test_what_is_accepted_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From anywhere, without a project, in one line."""
    monkeypatch.chdir(tmp_path)
    with Stub(said("Hello!")) as stub:
        monkeypatch.setenv("OPENAI_BASE_URL", stub.url)
        assert run(["probe", "openai:m"]) == 0
    assert len(stub.sent) == 1
    shown = capsys.readouterr()
    assert shown.out.startswith("openai:m: accepted, asked hello: a reply after ")
    assert (shown.out.count("\n"), shown.err) == (1, "")


def test_what_is_not_accepted_is_said(
    kit: Kit, results: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a status of its own."""
    with Stub(refused(400, "no tools here")) as stub:
        monkeypatch.setenv("OPENAI_BASE_URL", stub.url)
        shown = results(talk(kit, tools=True), "probe", "openai:m", "--benchmark", BENCHMARK)
    assert shown.code == 1
    assert shown.out.startswith(
        "openai:m: not accepted, asked polite-weather: provider_error after "
    )
    assert "no tools here" in shown.out


def test_every_option_arrives(kit: Kit, results: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a run."""
    talk(kit, EFFORT, tools=True)
    with Stub(said("Hello!")) as stub:
        monkeypatch.setenv("OPENAI_BASE_URL", stub.url)
        shown = results(
            kit, "probe", "openai:m", "--benchmark", BENCHMARK, "--effort", "low",
            "--prompted-effort", "--tools", "prompted", "--option", "temperature=0", "--spend",
        )  # fmt: skip
    assert shown.code == 0
    (sent,) = stub.sent
    assert (sent.body["temperature"], sent.body["max_tokens"]) == (0, 500)
    assert "tools" not in sent.body
    assert "<tool_call>" in sent.body["messages"][0]["content"]
    assert sent.body["messages"][0]["content"].startswith("Think for a moment.")


def test_a_paid_provider_is_not_asked_unasked(kit: Kit, results: Results) -> None:
    """Nothing is sent without --spend."""
    shown = results(kit, "probe", "openai:m")
    assert (shown.code, shown.out) == (2, "")
    assert "openai:m is asked at api.openai.com, which may cost money." in shown.err
