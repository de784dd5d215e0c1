import sys
from pathlib import Path
from typing import Any

import pytest

from generator.errors import UsageError
from generator.families.declarative.family import Declarative
from generator.records.base import digest_of_json
from generator.records.benchmark import DeclaredSystem
from generator.records.bundle import Runtime
from generator.runners.chat import ChatModel
from generator.runners.command import Command
from generator.runners.fake import Fake
from generator.runners.specs import Asking, offered, systems
from tests.families.declarative.sample import case, corpus
from tests.runners.sample import HELLO, KEY, ROME, WEATHER

DECLARED = tuple(
    DeclaredSystem(id=name, command=("x",), provider="local") for name in ("mine", "yours")
)
LOCAL = {"OPENAI_BASE_URL": "http://127.0.0.1:8080/v1"}


def asking(**said: Any) -> Asking:  # noqa: ANN401  what tests like to vary
    """What systems are asked with: a local endpoint, two programs, an answer key."""
    key = (Declarative(), corpus(case()))
    sound = {"environment": LOCAL, "declared": DECLARED, "key": key}
    return Asking(Path("/"), **{**sound, **said})


def test_each_spec_names_a_system() -> None:
    """In the order in which they are named, each once."""
    found = systems(["fake:perfect", "openai:m", "command:mine", "fake:perfect"], asking())
    assert {spec: type(system) for spec, system in found.items()} == {
        "fake:perfect": Fake,
        "openai:m": ChatModel,
        "command:mine": Command,
    }
    assert list(found) == ["fake:perfect", "openai:m", "command:mine"]


def test_all_are_those_that_are_declared() -> None:
    """Beside others that are named, and each once."""
    found = systems(["command:yours", "all", "fake:wrong"], asking())
    assert list(found) == ["command:yours", "command:mine", "fake:wrong"]


def test_all_of_none_is_said() -> None:
    """A run of nothing would be complete at once."""
    with pytest.raises(UsageError, match="declares no system"):
        systems(["all"], asking(declared=()))


@pytest.mark.parametrize("name", ["m", "org/model-7b", "model:tag", "m@1", "模型"])
def test_a_model_has_any_name(name: str) -> None:
    """All that stands behind the first colon."""
    (system,) = systems([f"openai:{name}"], asking()).values()
    assert isinstance(system, ChatModel)
    assert (system.model, system.described(None).model) == (name, name)
    assert system.described(None).id


@pytest.mark.parametrize(
    "spec",
    ["", ":", "m", "openai", "openai:", "OPENAI:m", "fake:", "fake:good", "command:", "google:m"],
)
def test_what_names_no_system_is_refused(spec: str) -> None:
    """With all that could be named."""
    with pytest.raises(UsageError) as caught:
        systems([spec], asking())
    assert "openai:MODEL" in caught.value.remedy


def test_a_program_that_is_not_declared_is_refused() -> None:
    """With those that are."""
    with pytest.raises(UsageError, match="No system 'theirs' is declared; declared: mine, yours"):
        systems(["command:theirs"], asking())


def test_a_simulated_system_needs_an_answer_key() -> None:
    """Where there is no benchmark there is none."""
    with pytest.raises(UsageError, match="names no system that can be asked here"):
        systems(["fake:perfect"], asking(key=None))


# Money


@pytest.mark.parametrize(
    ("spec", "environment"),
    [
        ("openai:m", {"OPENAI_API_KEY": KEY}),
        ("anthropic:m", {"ANTHROPIC_API_KEY": KEY}),
        ("openai:m", {"OPENAI_BASE_URL": "https://openrouter.ai/api/v1", "OPENAI_API_KEY": KEY}),
        ("openai:m", {"OPENAI_BASE_URL": "http://8.8.8.8/v1", "OPENAI_API_KEY": KEY}),
    ],
)
def test_a_paid_provider_is_asked_only_when_told_so(spec: str, environment: dict[str, str]) -> None:
    """Before anything is sent, and the host is named."""
    with pytest.raises(UsageError, match="which may cost money") as caught:
        systems([spec], asking(environment=environment))
    assert caught.value.remedy == "Say --spend if it may."
    assert KEY not in caught.value.what
    (system,) = systems([spec], asking(environment=environment, spend=True)).values()
    assert isinstance(system, ChatModel)


def test_a_paid_provider_needs_a_key() -> None:
    """Which the variable of its dialect holds."""
    with pytest.raises(UsageError, match="needs a key, and ANTHROPIC_API_KEY is not set"):
        systems(["anthropic:m"], asking(environment={"OPENAI_API_KEY": KEY}, spend=True))


def test_a_local_server_needs_neither() -> None:
    """And is called local, not by its dialect."""
    (system,) = systems(["openai:m"], asking()).values()
    assert system.described(None).provider == "local"


# Options


@pytest.mark.parametrize("name", ["model", "messages", "tools", "stream"])
def test_an_option_can_not_take_the_place_of_the_question(name: str) -> None:
    """Else a row would name one model and measure another."""
    with pytest.raises(UsageError, match=f"The option '{name}'"):
        systems(["openai:m"], asking(options={name: "x"}))


def test_a_revision_is_that_of_one_system() -> None:
    """Said of two, it would be wrong of one."""
    (system,) = systems(["openai:m"], asking(revision="r-1")).values()
    assert system.described(None).revision == "r-1"
    with pytest.raises(UsageError, match="One revision was said for several systems"):
        systems(["openai:m", "openai:n"], asking(revision="r-1"))


def test_a_runtime_is_that_of_one_system() -> None:
    """As with the revision; the system is told apart by it."""
    runtime = Runtime(name="llama.cpp", version="1", settings={"threads": 1})
    (system,) = systems(["openai:m"], asking(runtime=runtime)).values()
    assert system.described(None).runtime == runtime
    with pytest.raises(UsageError, match="One runtime was said for several systems"):
        systems(["openai:m", "openai:n"], asking(runtime=runtime))


def test_a_model_in_somebodys_folder_is_named_without_it() -> None:
    """Some servers call a model by its file; the request has that name, the row has not."""
    environment = {**LOCAL, "HOME": "/home/somebody"}
    spec = "openai:/home/somebody/models/m.gguf"
    (system,) = systems([spec], asking(environment=environment)).values()
    assert isinstance(system, ChatModel)
    assert system.model == "/home/somebody/models/m.gguf"
    entry = system.described(None)
    assert (entry.model, entry.id) == ("~/models/m.gguf", "local-models-m-gguf")


def test_tools_are_named_by_one_digest() -> None:
    """Of every case that offers some; where none does, there is no list to name."""
    assert offered([HELLO, ROME]) == digest_of_json({"rome": [WEATHER]})
    assert offered([HELLO]) is None


def test_without_httpx_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs and simulated systems need nothing."""
    for module in [name for name in sys.modules if name.startswith("generator.runners.")]:
        if module.rsplit(".", 1)[1] in {"chat", "wire", "endpoints"}:
            monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(UsageError, match="httpx is not installed"):
        systems(["openai:m"], asking())
    assert systems(["fake:perfect", "command:mine"], asking())
