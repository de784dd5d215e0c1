"""A small sound corpus and sound attempts at it, for tests to spoil one thing of."""

import json
from typing import Any

import msgspec

from generator.families.declarative.corpus import DeclarativeCorpus, read_corpus
from generator.records.benchmark import Benchmark, Category
from generator.records.bundle import Attempt, Outcome, Tokens, ToolCall, Turn

POLITE, CURT = "polite", "curt"

BENCHMARK = Benchmark(
    format="assay.benchmark/1",
    id="greetings",
    family="declarative",
    version="1",
    title="Greetings",
    summary="Whether a system greets back.",
    licence="CC0-1.0",
    shown=("passed",),
    run="python run.py",
    categories=(
        Category(id=POLITE, title="Polite greetings"),
        Category(id=CURT, title="Curt greetings"),
    ),
)


def case(name: str = "polite-morning", /, **spoilt: Any) -> dict[str, Any]:  # noqa: ANN401
    """The JSON object of a sound case, with some fields spoilt."""
    return {
        "name": name,
        "category": name.split("-", 1)[0],
        "prompt": f"Say {name}.",
        "checks": [{"type": "contains", "value": "yes"}],
        **spoilt,
    }


def checks(*weights: str) -> list[dict[str, Any]]:
    """Checks of the given weights, of which the n-th passes on a text with the n-th letter."""
    return [
        {"type": "contains", "value": letter, "weight": weight}
        for letter, weight in zip("abcdefgh", weights, strict=False)
    ]


def steps(name: str, *own: dict[str, Any], **spoilt: Any) -> dict[str, Any]:  # noqa: ANN401
    """The JSON object of a sound case in several steps, with some fields spoilt."""
    return {"name": name, "category": name.split("-", 1)[0], "steps": list(own), **spoilt}


def tool(name: str) -> dict[str, Any]:
    """The schema of an offered function."""
    return {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}}


def call(name: str, arguments: Any = None) -> ToolCall:  # noqa: ANN401  any JSON value
    """A call with its arguments as sent: an object, or a text."""
    sent = {} if arguments is None else arguments
    return ToolCall(name, msgspec.Raw(json.dumps(sent).encode()))


def files(*cases: dict[str, Any]) -> dict[str, bytes]:
    """The files of a corpus; a weight given as a text is written as that very number."""
    return {f"{each['category']}/{each['name']}.json": _written(each).encode() for each in cases}


def corpus(*cases: dict[str, Any]) -> DeclarativeCorpus:
    """A corpus of some cases."""
    return read_corpus(files(*cases), BENCHMARK)


def attempt(  # noqa: PLR0913  what tests like to vary
    case_name: str,
    *contents: str | Turn | None,
    outcome: Outcome = "completed",
    repetition: int = 1,
    refusal: str | None = None,
    calls: tuple[ToolCall, ...] = (),
    tokens: Tokens | None = None,
    reason: str | None = None,
    stimulus: str | None = None,
) -> Attempt:
    """An attempt with a turn for each content; the last has what else was said, if it is a text."""
    turns = [each if isinstance(each, Turn) else Turn(content=each) for each in contents]
    if contents and not isinstance(contents[-1], Turn):
        turns[-1] = Turn(content=contents[-1], refusal=refusal, tool_calls=calls, tokens=tokens)
    return Attempt(
        id=f"first/{case_name}/{repetition}",
        case=case_name,
        system="first",
        repetition=repetition,
        outcome=outcome,
        reason=reason,
        stimulus=stimulus,
        turns=tuple(turns),
    )


def _written(plain: dict[str, Any]) -> str:
    numbers: dict[str, str] = {}

    def marked(value: Any, key: str = "") -> Any:  # noqa: ANN401  any JSON value
        if isinstance(value, dict):
            return {name: marked(inner, name) for name, inner in value.items()}
        if isinstance(value, list):
            return [marked(inner) for inner in value]
        if key == "weight" and isinstance(value, str):
            mark = f"number-{len(numbers)}"
            numbers[f'"{mark}"'] = value
            return mark
        return value

    text = json.dumps(marked(plain))
    for mark, number in numbers.items():
        text = text.replace(mark, number)
    return text
