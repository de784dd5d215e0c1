"""From a SPEC of the command line to a system: `openai:MODEL`, `command:NAME`, `fake:perfect`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from generator.errors import UsageError
from generator.families.family import Corpus, Family, Question
from generator.records.base import digest_of_json
from generator.records.benchmark import DeclaredSystem
from generator.records.bundle import Runtime
from generator.runners.command import Command
from generator.runners.dialects.catalog import DIALECTS
from generator.runners.dialects.dialect import RESERVED
from generator.runners.fake import VARIANTS, Fake
from generator.runners.replayed import PLAYS
from generator.runners.scrub import Scrub
from generator.runners.system import System

if TYPE_CHECKING:
    from generator.runners.chat import ChatModel

_REMEDY = (
    "Name openai:MODEL, anthropic:MODEL, command:NAME (declared in benchmark.toml), "
    f"fake:VARIANT ({', '.join(dict.fromkeys((*VARIANTS, *PLAYS)))}), or all."
)


@dataclass(frozen=True, slots=True)
class Asking:
    """What every system of a run is asked with."""

    root: Path
    environment: Mapping[str, str]
    declared: Sequence[DeclaredSystem] = ()
    key: tuple[Family, Corpus] | None = None
    """What a simulated system answers from."""

    offered: str | None = None
    """Digest of all tools of the benchmark; none where it offers none."""

    jobs: int = 1
    tries: int | None = None
    """How often a request is sent at most, where that is not the usual."""

    spend: bool = False
    tools: Literal["native", "prompted"] = "native"
    options: Mapping[str, Any] = field(default_factory=dict)
    revision: str | None = None
    runtime: Runtime | None = None


def offered(questions: Sequence[Question]) -> str | None:
    """Digest of all tools that some questions offer; none where they offer none."""
    tools = {one.case: list(one.tools) for one in questions if one.tools}
    return digest_of_json(tools) if tools else None


def systems(specs: Sequence[str], asking: Asking) -> dict[str, System]:
    """The systems that some specs name, each by its own; raises UsageError."""
    declared = [f"command:{system.id}" for system in asking.declared]
    every = [one for spec in specs for one in (declared if spec == "all" else [spec])]
    if not every:
        raise UsageError(
            "The benchmark declares no system.",
            "Declare [[systems]] in its benchmark.toml, or name a system with --system.",
        )
    found = {spec: _system(spec, asking) for spec in dict.fromkeys(every)}
    for name in ("revision", "runtime"):
        if getattr(asking, name) is not None and len(found) > 1:
            raise UsageError(
                f"One {name} was said for several systems.",
                f"Run each system on its own, or leave out --{name}.",
            )
    return found


def _system(spec: str, asking: Asking) -> System:
    kind, _, name = spec.partition(":")
    if kind in DIALECTS and name:
        return _model(kind, name, asking)
    if kind == "command":
        for declared in asking.declared:
            if declared.id == name:
                return Command(declared, asking.root, asking.environment, asking.offered)
        known = ", ".join(one.id for one in asking.declared) or "none"
        raise UsageError(f"No system {name!r} is declared; declared: {known}.", _REMEDY)
    if kind == "fake" and name in {*VARIANTS, *PLAYS} and asking.key is not None:
        return Fake(name, *asking.key, asking.offered)
    raise UsageError(f"{spec!r} names no system that can be asked here.", _REMEDY)


def _model(kind: str, model: str, asking: Asking) -> "ChatModel":
    try:
        from generator.runners.chat import ChatModel  # noqa: PLC0415  it needs httpx
        from generator.runners.endpoints import endpoint  # noqa: PLC0415
        from generator.runners.wire import TRIES, Wire  # noqa: PLC0415
    except ModuleNotFoundError as fault:
        raise UsageError(
            f"{kind}:{model} is asked over the wire, and {fault.name} is not installed.",
            "Install it: python -m pip install httpx.",
        ) from fault
    taken = sorted(RESERVED & asking.options.keys())
    if taken:
        raise UsageError(
            f"The option {taken[0]!r} is what a run itself says in every request.",
            "Leave it out.",
        )
    dialect, scrub = DIALECTS[kind], Scrub(asking.environment)
    end = endpoint(dialect, asking.environment)
    if not end.is_local and not asking.spend:
        raise UsageError(
            f"{kind}:{model} is asked at {end.host}, which may cost money.",
            "Say --spend if it may.",
        )
    if not end.is_local and end.key is None:
        raise UsageError(
            f"{kind}:{model} needs a key, and {dialect.key} is not set.",
            f"Set {dialect.key} in the environment; it is never written down.",
        )
    headers = dialect.headers(end.key)
    return ChatModel(
        provider=end.provider(kind),
        model=model,
        dialect=dialect,
        wire=Wire(end.url, headers, asking.jobs, scrub, asking.tries or TRIES),
        named=scrub.text(model),
        tools=asking.tools,
        options=asking.options,
        revision=asking.revision,
        runtime=asking.runtime,
        offered=asking.offered,
    )
