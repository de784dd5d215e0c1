import json
from typing import Any

import msgspec
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.records.bundle import Attempt, Tokens, ToolCall, Turn
from generator.store import lines
from generator.store.lines import DEPTH_LIMIT, read_attempt, write_attempt

SOUND: dict[str, Any] = {
    "id": "first/curt-hey/1",
    "case": "curt-hey",
    "system": "first",
    "repetition": 1,
    "outcome": "completed",
    "turns": [
        {
            "content": "Hey",
            "tool_calls": [{"name": "greet", "arguments": {"who": "you"}}],
            "tokens": {"input": 3},
        }
    ],
    "elapsed_us": 12,
}


def line_of(value: object) -> bytes:
    """A line as orjson, and so the writer, has it."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


LINE = line_of(SOUND)


def spoilt(old: str, new: str | bytes) -> bytes:
    """The sound line with one place changed."""
    assert LINE.count(old.encode()) == 1
    return LINE.replace(old.encode(), new if isinstance(new, bytes) else new.encode())


def nested(depth: int) -> bytes:
    """The sound line with arguments so deep that the whole line is `depth` deep."""
    inside = depth - 5  # the attempt, its turns, the turn, its calls, the call
    return spoilt('{"who":"you"}', "[" * inside + "]" * inside)


NUMBERS = {
    "nan": "NaN",
    "infinity": "Infinity",
    "minus-infinity": "-Infinity",
    "beyond-every-float": "1e999",
    "1000-digits": "9" * 1_000,
    "5000-digits": "9" * 5_000,
    "5000-digits-behind-the-point": f"0.{'1' * 5_000}",
    "leading-zero": "01",
    "hexadecimal": "0x1",
}

NO_COUNTERS = {
    "beyond-2-to-the-53": str(2**53 + 1),
    "beyond-2-to-the-64": str(2**64),
    "negative": "-1",
    "float": "1.0",
    "exponent": "1e0",
    "true": "true",
    "text": '"1"',
    "list": "[1]",
}

REFUSED: dict[str, bytes] = {
    **{f"counter-{name}": spoilt('"elapsed_us":12', f'"elapsed_us":{text}')
       for name, text in (NUMBERS | NO_COUNTERS).items()},
    **{f"tokens-{name}": spoilt('"input":3', f'"input":{text}')
       for name, text in NO_COUNTERS.items()},
    **{f"repetition-{name}": spoilt('"repetition":1', f'"repetition":{text}')
       for name, text in (NO_COUNTERS | {"zero": "0", "too-many": "1000001"}).items()},
    **{f"arguments-{name}": spoilt('"who":"you"', f'"who":{text}')
       for name, text in NUMBERS.items()},
    "key-twice": spoilt('"outcome":', '"outcome":"failed","outcome":'),
    "key-twice-the-same": spoilt('"case":"curt-hey"', '"case":"curt-hey","case":"curt-hey"'),
    "key-twice-by-escape": spoilt('"case":', '"\\u0063ase":"curt-yo","case":'),
    "key-twice-in-arguments": spoilt('"who":', '"a":1,"\\u0061":2,"who":'),
    "key-twice-in-a-skipped-place": spoilt('"input":3', '"input":3,"input":4'),
    "invalid-utf8-in-a-text": spoilt('"Hey"', b'"H\xff"'),
    "invalid-utf8-in-a-key": spoilt('"who"', b'"wh\xc3\x28"'),
    "invalid-utf8-in-arguments": spoilt('"you"', b'"\xed\xa0\x80"'),
    "invalid-utf8-outside": LINE + b"\xff",
    "lone-surrogate": spoilt('"Hey"', '"\\ud83d"'),
    "lone-surrogate-second": spoilt('"Hey"', '"\\udc4b\\ud83d"'),
    "lone-surrogate-in-arguments": spoilt('"you"', '"\\ud800"'),
    "byte-order-mark": b"\xef\xbb\xbf" + LINE,
    "utf-16": LINE.decode().encode("utf-16"),
    "nul-in-a-text": spoilt('"Hey"', b'"H\x00"'),
    "nul-outside": LINE + b"\x00",
    "tab-in-a-text": spoilt('"Hey"', b'"H\t"'),
    "trailing-garbage": LINE + b"}",
    "two-on-a-line": LINE + LINE,
    "comment": LINE + b" // sound",
    "trailing-comma": spoilt('"elapsed_us":12', '"elapsed_us":12,'),
    "single-quotes": spoilt('"Hey"', "'Hey'"),
    "cut-off": LINE[:-20],
    "no-object": b"[]",
    "null": b"null",
    "nothing": b"",
    "too-deep": nested(DEPTH_LIMIT + 1),
    "far-too-deep": nested(1_100),
    "deeper-than-any-stack": b"[" * 200_000,
    "score": spoilt('"elapsed_us":12', '"elapsed_us":12,"score":1'),
    "passed": spoilt('"elapsed_us":12', '"elapsed_us":12,"passed":true'),
    "score-in-a-turn": spoilt('"content":"Hey"', '"content":"Hey","score":0.5'),
    "unknown-outcome": spoilt('"completed"', '"passed"'),
    "empty-id": spoilt('"first/curt-hey/1"', '""'),
    "endless-id": spoilt('"first/curt-hey/1"', f'"{"x" * 301}"'),
    "no-case": spoilt('"case":"curt-hey",', ""),
}  # fmt: skip


def test_the_sound_line_is_read() -> None:
    """An attempt is what its line says."""
    attempt = read_attempt(LINE)
    assert (attempt.case, attempt.outcome, attempt.elapsed_us) == ("curt-hey", "completed", 12)
    assert attempt.turns[0].tool_calls[0].arguments == msgspec.Raw(b'{"who":"you"}')
    assert attempt.turns[0].tokens == Tokens(input=3)


@pytest.mark.parametrize("line", REFUSED.values(), ids=REFUSED)
def test_what_two_readers_could_take_differently_is_refused(line: bytes) -> None:
    """No line is read that is not, to the letter, one attempt and nothing else."""
    with pytest.raises(ValueError, match=r"."):
        read_attempt(line)


@pytest.mark.parametrize(
    "line",
    [
        nested(DEPTH_LIMIT),
        line_of({**SOUND, "reason": "[" * 1_000 + '\\"' + "{" * 1_000}),
        LINE.replace(b":", b": ").replace(b",", b" , "),
        spoilt('"elapsed_us":12', f'"elapsed_us":{2**53}'),
        spoilt('"Hey"', '"\\ud83d\\udc4b"'),
        spoilt('"Hey"', '"H\\u0065y"'),
        spoilt('"Hey"', '"one\u2028two\u0085"'),
        spoilt('"who":"you"', '"who":1.50'),
        line_of(dict(reversed(SOUND.items()))),
    ],
)
def test_what_means_one_thing_only_is_read(line: bytes) -> None:
    """Spaces, escapes, the order of keys, depth up to the limit and brackets in texts are free."""
    assert read_attempt(line).id == SOUND["id"]


def test_a_line_over_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line with a byte too many is refused by its length; one byte less is read."""
    monkeypatch.setattr(lines, "LINE_LIMIT", len(LINE))
    read_attempt(LINE)
    with pytest.raises(ValueError, match=f"has {len(LINE) + 1} bytes; at most {len(LINE)}"):
        read_attempt(LINE + b" ")


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
COUNTERS = st.none() | st.integers(0, 2**53)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | TEXTS
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
CALLS = st.builds(
    ToolCall,
    name=TEXTS,
    arguments=JSON.map(lambda value: msgspec.Raw(orjson.dumps(value))),
    outcome=st.none() | TEXTS,
)
TURNS = st.builds(
    Turn,
    content=st.none() | TEXTS,
    refusal=st.none() | TEXTS,
    tool_calls=st.lists(CALLS, max_size=2).map(tuple),
    tokens=st.none() | st.builds(Tokens, input=COUNTERS, output=COUNTERS, reasoning=COUNTERS),
    elapsed_us=COUNTERS,
)
ATTEMPTS = st.builds(
    Attempt,
    id=TEXTS.filter(bool),
    case=TEXTS.filter(bool),
    system=TEXTS.filter(bool),
    repetition=st.integers(1, 1_000_000),
    outcome=st.sampled_from(["completed", "failed", "timeout", "skipped", "provider_error"]),
    reason=st.none() | TEXTS,
    stimulus=st.none() | TEXTS,
    turns=st.lists(TURNS, max_size=3).map(tuple),
    elapsed_us=COUNTERS,
)


@settings(deadline=None)
@given(ATTEMPTS)
def test_what_is_written_is_read_again(attempt: Attempt) -> None:
    """Every attempt survives its line, which is one line and says it in one way only."""
    line = write_attempt(attempt)
    assert b"\n" not in line
    assert read_attempt(line) == attempt
    assert write_attempt(read_attempt(line)) == line


@settings(deadline=None)
@given(st.integers(-(10**300), 10**300), TEXTS)
def test_a_number_of_any_length_is_written_to_the_digit(number: int, text: str) -> None:
    """What a call was given is not rounded to what a fast parser can hold."""
    sent = json.dumps({"n": number, "text": text})
    call = ToolCall("look", msgspec.Raw(sent.encode()))
    attempt = Attempt("a", "c", "s", 1, "completed", turns=(Turn(tool_calls=(call,)),))
    line = write_attempt(attempt)
    (read,) = read_attempt(line).turns[0].tool_calls
    assert json.loads(bytes(read.arguments)) == {"n": number, "text": text}
    assert write_attempt(read_attempt(line)) == line


@settings(deadline=None)
@given(st.integers(0, len(LINE) - 1), st.binary(max_size=3))
def test_damage_is_read_as_an_attempt_or_refused(place: int, damage: bytes) -> None:
    """Whatever happens to a line, the answer is an attempt or a ValueError, never a crash."""
    damaged = LINE[:place] + damage + LINE[place + 1 :]
    try:
        attempt = read_attempt(damaged)
    except ValueError:
        return
    assert isinstance(attempt, Attempt)
