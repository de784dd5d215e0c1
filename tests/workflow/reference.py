"""A second reading of runs, as plain as can be: `json`, lists and dicts, and nothing fast."""

import json
import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

EXCLUDED = ("provider_error", "harness_error", "over_budget")
SCORED = ("completed", "failed", "timeout", "cancelled", "malformed", "no_tool_call")
KINDS: dict[str, Any] = {
    "any": lambda _: True,
    "text": lambda value: isinstance(value, str),
    "short": lambda value: isinstance(value, str) and 0 < len(value) <= 300,
    "count": lambda value: type(value) is int and 0 <= value <= 2**53,
    "try": lambda value: type(value) is int and 1 <= value <= 1_000_000,
    "outcome": lambda value: value in (*SCORED, *EXCLUDED, "skipped"),
    "turns": lambda value: isinstance(value, list) and all(_fits(one, TURN) for one in value),
    "calls": lambda value: isinstance(value, list) and all(_fits(one, CALL) for one in value),
    "tokens": lambda value: _fits(value, TOKENS),
}
# Fields: `!` must be there, `.` may be missing, `?` may also be null.
ATTEMPT = "id!short case!short system!short run?short repetition!try outcome!outcome turns.turns"
ATTEMPT += " reason?text stimulus?text elapsed_us?count"
TURN = "content?text refusal?text tool_calls.calls tokens?tokens elapsed_us?count"
CALL = "name!text arguments.any outcome?text"
TOKENS = "input?count output?count reasoning?count cache_read?count cache_created?count"


def _fits(value: Any, shape: str) -> bool:  # noqa: ANN401  any JSON value, as below
    fields = {name: (mark, kind) for name, mark, kind in re.findall(r"(\w+)([!.?])(\w+)", shape)}
    return (
        isinstance(value, dict)
        and {name for name in fields if fields[name][0] == "!"} <= value.keys() <= fields.keys()
        and all(
            KINDS[fields[name][1]](one) or (one is None and fields[name][0] == "?")
            for name, one in value.items()
        )
    )


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    assert len(dict(pairs)) == len(pairs)
    return dict(pairs)


def _number(text: str) -> float:
    assert math.isfinite(float(text) if len(text) <= 400 else math.inf)
    return float(text) if {*text} & {*".eE"} else int(text)


def _depth(value: Any) -> int:  # noqa: ANN401
    inner = value.values() if isinstance(value, dict) else value
    return 1 + max(map(_depth, inner), default=0) if isinstance(value, dict | list) else 0


def _attempt(line: bytes) -> dict[str, Any]:
    numbers: dict[str, Any] = dict.fromkeys(("parse_constant", "parse_float", "parse_int"), _number)
    value: dict[str, Any] = json.loads(line.decode(), object_pairs_hook=_once, **numbers)
    json.dumps(value, ensure_ascii=False).encode()
    assert _fits(value, ATTEMPT)
    assert _depth(value) <= 64
    return value


def _ending(one: dict[str, Any], word: str) -> str:
    said = [(turn.get("content") or "", turn.get("tool_calls")) for turn in one.get("turns", [])]
    if one["outcome"] in ("timeout", "failed", "cancelled"):
        return "timed_out" if one["outcome"] == "timeout" else "crashed"
    if one["outcome"] == "completed" and said and word.lower() in said[0][0].lower():
        return "passed"
    return "wrong" if any(text.strip() or calls for text, calls in said) else "unanswered"


def attempts_of(run: Path) -> list[dict[str, Any]]:
    """All attempts; raises ValueError, RecursionError or AssertionError."""
    lines = (run / "attempts.jsonl").read_bytes().split(b"\n")
    attempts = [_attempt(line) for line in lines if line.strip(b" \t\r")]
    assert max(Counter(one["id"] for one in attempts).values()) == 1
    return attempts


def verdict(own: list[dict[str, Any]], repetitions: int, words: dict[str, str]) -> tuple[Any, ...]:
    """Rules that refuse one system's attempts, and its endings; `words` are right answers."""
    tries: dict[tuple[str, int], dict[str, Any]] = {}
    for one in own:
        tries.setdefault((one["case"], one["repetition"]), one)
    asked = {t[0] for t in tries} - {t[0] for t in tries if tries[t]["outcome"] == "skipped"}
    rules = {
        "filtered-run": asked < words.keys(),
        "incomplete-run": len(asked) * repetitions > sum(case in asked for case, _ in tries),
        "duplicate-attempt": len(own) > len(tries),
        "excluded-attempts": 20 * sum(t["outcome"] in EXCLUDED for t in tries.values())
        > len(tries),
    }
    scored = [(case, one) for (case, _), one in tries.items() if one["outcome"] in SCORED]
    return {r for r in rules if rules[r]}, Counter(
        _ending(one, words[case]) for case, one in scored
    )
