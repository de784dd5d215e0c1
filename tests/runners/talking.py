"""A project whose benchmark can be run: right answers to every case, tools, programs."""

import json
from typing import Any

from tests.conftest import ANSWERS, BENCHMARK, CASES, TOML, Kit
from tests.runners.sample import WEATHER
from tests.runners.stub import Reply, Sent, called, said

PLACE = f"results/benchmarks/{BENCHMARK}"
RIGHT = {case: f"{word}!" for case, (_, _, word) in ANSWERS.items()}
BY_PROMPT = {asked: f"{word}!" for _, asked, word in ANSWERS.values()}

GREETER = "".join(
    [
        "said=$(cat)\n",
        'case "$said" in\n',
        *(
            f"""*'"case":"{case}"'*) echo '{{"content": "{text}"}}' ;;\n"""
            for case, text in RIGHT.items()
        ),
        "*) exit 3 ;;\nesac\n",
    ]
)
"""A program that greets back, for the shell."""

PROGRAMS = f"""
[[systems]]
id = "greeter"
command = ["/bin/sh", "{PLACE}/harness/greeter.sh"]
provider = "pypi"
model = "not-a-real-greeter"
revision = "1.0"
surface = "greet"

[[systems]]
id = "rude"
command = ["/bin/sh", "-c", "exit 1"]
provider = "pypi"
revision = "1.0"
surface = "greet"
"""

EFFORT = """
[[effort]]
id = "none"
instruction = "Answer at once."

[[effort]]
id = "low"
instruction = "Think for a moment."
tokens = 500
"""

STEPS: dict[str, Any] = {
    "name": "polite-weather",
    "category": "polite",
    "tools": [WEATHER],
    "steps": [
        {
            "prompt": "How is the weather in Rome?",
            "checks": [
                {"type": "tool_called", "value": "get_weather"},
                {"type": "tool_arg_equals", "arg": "city", "value": "Rome"},
            ],
        },
        {"toolResult": "18 degrees", "checks": [{"type": "contains", "value": "18"}]},
    ],
    "example": [
        {"tool_calls": [{"name": "get_weather", "arguments": {"city": "Rome"}}]},
        {"content": "It has 18 degrees."},
    ],
}
"""A case with a tool and two steps."""


def talk(kit: Kit, *more: str, tools: bool = False) -> Kit:
    """Give every case an example, declare programs and more, and commit."""
    for case, text in RIGHT.items():
        path = f"{CASES}/{ANSWERS[case][0]}/{case}.json"
        kit.write(path, json.dumps({**json.loads(kit.read(path)), "example": text}))
    toml = TOML + PROGRAMS + "".join(more)
    if tools:
        kit.write(f"{CASES}/polite/polite-weather.json", json.dumps(STEPS))
        toml = toml.replace('["subject", "tools"]', '["subject"]')
    kit.write(f"{PLACE}/benchmark.toml", toml)
    kit.write(f"{PLACE}/harness/greeter.sh", GREETER)
    kit.commit("It can be run")
    return kit


def greet(sent: Sent) -> Reply:
    """A chat completion that is right, calls where a call is due included."""
    last = sent.body["messages"][-1]
    if last["role"] == "tool":
        return said(f"It has {last['content']}.")
    asked = str(last["content"]).rsplit("\n", 1)[-1]
    return said(BY_PROMPT[asked]) if asked in BY_PROMPT else called("get_weather", {"city": "Rome"})
