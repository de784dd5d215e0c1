"""From a SPEC of the command line to a system: `openai:MODEL`, `command:NAME`, `fake:perfect`."""

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from generator.errors import UsageError
from generator.families.family import Corpus, Family
from generator.records.base import digest_of_json
from generator.records.benchmark import Benchmark
from generator.runners.chat import ChatModel, Tools
from generator.runners.command import Command
from generator.runners.dialects import DIALECTS, MAX_TOKENS, Dialect
from generator.runners.fake import VARIANTS, Fake
from generator.runners.system import System
from generator.runners.wire import Wire

_REMEDY = (
    "Name openai:MODEL, anthropic:MODEL, command:NAME (declared in benchmark.toml), "
    f"fake:VARIANT ({', '.join(VARIANTS)}), or all."
)


@dataclass(frozen=True, slots=True)
class Asking:
    """What every system of a run is asked with."""

    root: Path
    benchmark: Benchmark
    family: Family
    corpus: Corpus
    jobs: int
    spend: bool = False
    tools: Tools = "native"
    options: Mapping[str, Any] = field(default_factory=dict)
    revision: str | None = None

    @property
    def offered(self) -> str | None:
        """Digest of all tools that the benchmark offers; none where it offers none."""
        offered = {
            question.case: list(question.tools)
            for question in self.family.questions(self.corpus)
            if question.tools
        }
        return digest_of_json(offered) if offered else None


def systems(specs: list[str], asking: Asking) -> list[System]:
    """The systems that some specs name; raises UsageError."""
    declared = [f"command:{system.id}" for system in asking.benchmark.systems]
    every = [one for spec in specs for one in (declared if spec == "all" else [spec])]
    if not every:
        raise UsageError(
            f"The benchmark {asking.benchmark.id!r} declares no system.",
            "Declare [[systems]] in its benchmark.toml, or name a system with --system.",
        )
    return [_system(spec, asking) for spec in dict.fromkeys(every)]


def _system(spec: str, asking: Asking) -> System:
    kind, _, name = spec.partition(":")
    if kind in DIALECTS and name:
        return _model(kind, name, asking)
    if kind == "command":
        declared = next((one for one in asking.benchmark.systems if one.id == name), None)
        if declared is not None:
            return Command(declared, asking.root)
        known = ", ".join(one.id for one in asking.benchmark.systems) or "none"
        raise UsageError(f"The benchmark declares no system {name!r}; declared: {known}.", _REMEDY)
    if kind == "fake" and name in VARIANTS:
        return Fake(name, asking.family, asking.corpus)
    raise UsageError(f"{spec!r} names no system.", _REMEDY)


def _model(provider: str, model: str, asking: Asking) -> ChatModel:
    dialect = DIALECTS[provider]
    url = os.environ.get(dialect.base_variable) or dialect.base
    key = os.environ.get(dialect.key)
    local = _is_local(url)
    if not local and not asking.spend:
        raise UsageError(
            f"{provider}:{model} is asked at {url}, which may cost money.",
            "Say --spend if it may.",
        )
    if not local and not key:
        raise UsageError(
            f"{provider}:{model} needs a key, and {dialect.key} is not set.",
            f"Set {dialect.key} in the environment; it is never written down.",
        )
    return ChatModel(
        provider=provider,
        model=model,
        dialect=dialect,
        wire=Wire(url.rstrip("/"), dialect.headers(key), asking.jobs),
        tools=asking.tools,
        options=_options(dialect, asking.options),
        revision=asking.revision,
        offered=asking.offered,
    )


def _options(dialect: Dialect, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options as given; Anthropic takes no request without a limit."""
    return {"max_tokens": MAX_TOKENS, **given} if dialect.surface == "messages" else dict(given)


def _is_local(url: str) -> bool:
    """Whether an address is that of this machine or of its own network: nobody is paid there."""
    host = urlsplit(url).hostname or ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return address.is_loopback or address.is_private
