"""Questions, tools and models of tests."""

import asyncio
from collections.abc import Mapping
from typing import Any

from generator.families.family import Put, Question
from generator.records.benchmark import Effort
from generator.runners.chat import ChatModel, Tools
from generator.runners.dialects.catalog import DIALECTS
from generator.runners.scrub import Scrub
from generator.runners.system import Level, Observed, System, Terms
from generator.runners.wire import TRIES, Wire
from tests.runners.stub import Stub

KEY = "sk-test-0123456789abcdef-not-a-key"

WEATHER: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Get the weather of a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
        },
    },
}

HELLO = Question("hello", (Put("Say hello."),))
ROME = Question("rome", (Put("How is the weather in Rome?"), Put(None, "18 degrees")), (WEATHER,))

TERMS = Terms(seconds=20.0)
LOW = Effort(id="low", instruction="Answer at once.", tokens=100)


def level(effort: Effort = LOW, *, prompted: bool = False) -> Level:
    """A level of effort."""
    return Level(effort, prompted)


def model(  # noqa: PLR0913  what tests like to vary
    stub: Stub,
    kind: str = "openai",
    *,
    tools: Tools = "native",
    options: Mapping[str, Any] | None = None,
    tries: int = TRIES,
    environment: Mapping[str, str] | None = None,
    offered: str | None = "0" * 64,
) -> ChatModel:
    """A model that a stub serves."""
    dialect = DIALECTS[kind]
    scrub = Scrub(environment or {dialect.key: KEY})
    return ChatModel(
        provider="local",
        model="m",
        dialect=dialect,
        wire=Wire(stub.url, dialect.headers(KEY), 4, scrub, tries),
        tools=tools,
        options=options or {},
        offered=offered,
    )


def ask(system: System, question: Question = HELLO, terms: Terms = TERMS) -> Observed:
    """Ask once, and let go."""

    async def asked() -> Observed:
        try:
            return await system.ask(question, terms)
        finally:
            await system.close()

    return asyncio.run(asked())
