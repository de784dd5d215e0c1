"""Let a model write `solution.py`, with or without the tests before its eyes.

It is run in a workspace, with the task on standard input. The model is asked once, at the server
that OPENAI_BASE_URL names, and the first block of code in its reply becomes the file. What it used
is told on standard output, an event a line. `results run shown-tests` starts it, once an attempt.
"""

import json
import os
import re
import sys
import urllib.request
from pathlib import Path
from typing import Any

MODEL = "qwen2.5-coder-0.5b-instruct-q4_k_m"
TEMPERATURE = 0.7
"""Above zero, so that repetitions are tries of their own."""

TOKENS = 400
SOLUTION, TESTS = Path("solution.py"), Path("test_solution.py")
CODE = re.compile(r"```(?:python|py)?[ \t]*\n(.*?)(?:```|\Z)", re.DOTALL)


def main() -> None:
    """Ask, and write what was answered."""
    config = json.loads(Path(os.environ["ARM_CONFIG"]).read_text(encoding="utf-8"))
    said = asked(prompt(sys.stdin.read(), show_tests=config["features"]["showTests"]))
    usage = said["usage"]
    tokens = {"input": usage["prompt_tokens"], "output": usage["completion_tokens"]}
    tell("step_finish", {"id": "reply", "tokens": tokens})
    code = CODE.search(said["choices"][0]["message"]["content"])
    if code is not None:
        SOLUTION.write_text(code[1], encoding="utf-8")
        tell("tool_use", {"id": "write", "state": {"status": "completed"}})


def prompt(task: str, *, show_tests: bool) -> str:
    """The task with the file as it is, and with its tests where they are shown."""
    parts = [task, f"The file solution.py so far:\n```python\n{SOLUTION.read_text('utf-8')}```"]
    if show_tests:
        parts.append(f"It has to pass these tests:\n```python\n{TESTS.read_text('utf-8')}```")
    parts.append("Answer with the whole file solution.py in one block of code, and nothing else.")
    return "\n\n".join(parts)


def asked(text: str) -> Any:  # noqa: ANN401  any JSON value
    """What the server answers to one message."""
    request = urllib.request.Request(  # noqa: S310  the operator names the server
        f"{os.environ['OPENAI_BASE_URL']}/chat/completions",
        json.dumps(
            {
                "model": MODEL,
                "messages": [{"role": "user", "content": text}],
                "temperature": TEMPERATURE,
                "max_tokens": TOKENS,
            }
        ).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as reply:  # noqa: S310  the same
        return json.load(reply)


def tell(kind: str, part: dict[str, Any]) -> None:
    """An event."""
    sys.stdout.write(json.dumps({"type": kind, "part": part}) + "\n")


if __name__ == "__main__":
    main()
