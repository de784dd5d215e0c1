"""JSON that a model wrote: every step alone, steps together, and what is never mended."""

import json
import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from generator.families.declarative.repair import DEPTH_LIMIT, ENDS, is_deep, parsed

VECTORS = json.loads((Path(__file__).parent / "json_repair_vectors.json").read_text("utf-8"))

PLAIN = (
    st.none()
    | st.booleans()
    | st.integers(-(10**60), 10**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.text('{}[]",:\\`\n\t\r ', max_size=8)
)


def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Arrays and objects of some values."""
    return st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)


VALUES = st.recursive(PLAIN, containers, max_leaves=15)
DOCUMENTS = containers(VALUES)
"""Arrays and objects, which alone are found behind prose and mended at their end."""

SIMPLE = st.recursive(
    st.integers(0, 99) | st.text('ab\n\t\r"{}[],: ', max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text("ab\n,}", max_size=3), inner, max_size=3)
    ),
    max_leaves=10,
)
"""Values without a backslash in their texts, so that an escape can be undone by a replacement."""


@pytest.mark.parametrize("vector", VECTORS, ids=json.dumps)
def test_a_golden_vector_comes_out_as_recorded(vector: dict[str, Any]) -> None:
    """Every recorded corner of the repair is kept."""
    found = parsed(vector["raw"])
    assert found == vector["parsed"]
    assert type(found) is type(vector["parsed"])


@given(VALUES, st.booleans(), st.sampled_from([None, 0, 2]))
def test_what_parses_as_it_is_comes_back_as_it_is(
    value: Any,  # noqa: ANN401  any JSON value
    ascii_only: bool,  # noqa: FBT001  drawn
    indent: int | None,
) -> None:
    """Nothing is mended that is whole, however it is written; null is no document."""
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    found = parsed(text)
    assert found == value
    assert json.dumps(found) == json.dumps(value)
    assert parsed(f" \n{text}\t\r\n") == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5),
        ("-0.5e1", -5.0),
        ('"a"', "a"),
        ("true", True),
        ("false", False),
        ('{"a":1,"a":2}', {"a": 2}),
        ('"```\\n{}\\n```"', "```\n{}\n```"),
        ('"x {"', "x {"),
        ("[]", []),
        ("{}", {}),
    ],
)
def test_the_text_as_it_is_wins(text: str, value: Any) -> None:  # noqa: ANN401  any JSON value
    """Where the whole text is JSON, nothing inside of it is looked for."""
    assert parsed(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('```json\n{"a":1}\n```', {"a": 1}),
        ("```\n[1]\n```", [1]),
        ("``` json5 x\n[1]\n```", [1]),
        ("```\n[1]```", [1]),
        ("\n ```\n[1]\n```\n ", [1]),
        ("```\r\n[1]\r\n```", [1]),
        ("```\n5\n```", 5),
        ('```\n"a"\n```', "a"),
        ("```\nnull\n```", None),
        ("```json\n```", None),
        ("```\n\n```", None),
        ("```[1]\n```", None),
        ("```5```\n5\n```", None),
        ("``````\n5\n```", None),
        ("```\n5", None),
        ("```\n```\n5\n```", None),
        ("x ```\n5\n```", None),
        ("```\n5\n``` x", None),
        ("```\n[1]\n``` x", None),
        ('testo ```json\n{"a":1}\n``` fine', None),
        ("~~~\n5\n~~~", None),
    ],
)
def test_the_inside_of_one_fenced_block_is_read(text: str, value: Any) -> None:  # noqa: ANN401
    """Where all of the text is one block, what is in it is the document, of whatever kind."""
    assert parsed(text) == value


@given(VALUES, st.sampled_from(["", "json", "JSON", " json "]), st.sampled_from([None, 2]))
def test_a_fence_hides_no_value(value: Any, label: str, indent: int | None) -> None:  # noqa: ANN401
    """Whatever is fenced is found, also where its texts hold fences."""
    assert parsed(f"```{label}\n{json.dumps(value, indent=indent)}\n```") == value


@given(DOCUMENTS, st.text('abc "\\:,.`\n\t}]'))
def test_a_document_is_found_behind_prose(value: Any, prose: str) -> None:  # noqa: ANN401
    """What stands before the first bracket is not looked at, quotes in it neither."""
    assert parsed(f"{prose} {json.dumps(value)}") == value


@given(DOCUMENTS, st.text("abc.!1", min_size=1))
@example([], "{")
@example({}, "}")
@example([1], "]")
@example({"a": "b"}, '"')
@example({"a": "b"}, ",")
def test_what_is_behind_a_document_is_never_dropped(value: Any, tail: str) -> None:  # noqa: ANN401
    """Whoever goes on talking did not answer with a document."""
    assert parsed(json.dumps(value) + tail) is None
    assert parsed(f"{json.dumps(value)}\n{tail}") is None
    assert parsed(f"here: {json.dumps(value)} {tail}") is None


@pytest.mark.parametrize(
    "text", ['[[1,2]] e {"a":1}', "[1] [2]", "{} {}", "[see] [1]", "{x} [1]", "x } [1] ["]
)
def test_only_the_first_bracket_is_looked_at(text: str) -> None:
    """A later document is not taken for the one that was asked for."""
    assert parsed(text) is None


@given(SIMPLE.filter(lambda value: isinstance(value, dict | list)))
def test_raw_line_ends_and_tabs_in_texts_are_escaped(value: Any) -> None:  # noqa: ANN401
    """A text that goes over several lines is that text, and space outside of texts stays."""
    raw = json.dumps(value, indent=1)
    for escape, character in (("\\n", "\n"), ("\\r", "\r"), ("\\t", "\t")):
        raw = raw.replace(escape, character)
    assert parsed(raw) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('["a\nb"]', ["a\nb"]),
        ('["a\rb"]', ["a\rb"]),
        ('["a\tb"]', ["a\tb"]),
        ('[\n"a\r\nb\\n"\t,\r"c"]', ["a\r\nb\n", "c"]),
        ('{"a\nb":1}', {"a\nb": 1}),
        ('["\\"\n\\""]', ['"\n"']),
        ('["\\\\\n"]', ["\\\n"]),
        ('["\\\\","\n"]', ["\\", "\n"]),
        ('["a\fb"]', None),
        ('["a\0b"]', None),
        ('["a\\\nb"]', ["a\\nb"]),
        ('"a\nb"', None),
    ],
)
def test_only_line_ends_and_tabs_are_escaped(text: str, value: Any) -> None:  # noqa: ANN401
    """Other control characters stay a fault, and so does a bare text that breaks."""
    assert parsed(text) == value


def written(value: Any) -> str:  # noqa: ANN401  any JSON value
    """A value with a comma behind each last item."""
    if isinstance(value, list):
        return "[" + "".join(f"{written(inner)}, " for inner in value) + "]"
    if isinstance(value, dict):
        items = (f"{json.dumps(name)}: {written(inner)} ,\n\t\r" for name, inner in value.items())
        return "{" + "".join(items) + "}"
    return json.dumps(value)


@given(DOCUMENTS)
def test_trailing_commas_are_dropped(value: Any) -> None:  # noqa: ANN401  any JSON value
    """A comma behind the last item adds nothing, at any depth; commas in texts stay."""
    assert parsed(written(value)) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1,]", [1]),
        ("[1 , \n\t\r]", [1]),
        ('{"a":[1,],}', {"a": [1]}),
        ('{"t":", }",}', {"t": ", }"}),
        ('{", ]":",]",}', {", ]": ",]"}),
        ('["\\",]",]', ['",]']),
        ("[,]", []),
        ("{,}", {}),
        ("[1,,]", None),
        ("[,1]", None),
        ("[1,,2]", None),
        ("[1,\u00a0]", None),
        ("[1,\f]", None),
        ("[1],", None),
        ("{1,}", None),
    ],
)
def test_only_a_comma_before_a_bracket_is_dropped(text: str, value: Any) -> None:  # noqa: ANN401
    """Anything else that is wrong with commas stays wrong."""
    assert parsed(text) == value


BROKEN_OFF: dict[str, tuple[str, Any]] = {
    "}": ('{"a":1', {"a": 1}),
    "]": ("[1,2", [1, 2]),
    '"}': ('{"a":"x', {"a": "x"}),
    '"]': ('["x', ["x"]),
    '"]}': ('{"a":["x', {"a": ["x"]}),
    '"}}': ('{"a":{"b":"x', {"a": {"b": "x"}}),
}


@pytest.mark.parametrize("end", ENDS)
def test_each_end_mends_what_no_other_does(end: str) -> None:
    """None of the ends is there without need, and each is added where it is missing."""
    text, value = BROKEN_OFF[end]
    mending = [other for other in ENDS if _is_json(text + other)]
    assert mending == [end]
    assert parsed(text) == parsed(f"here: {text}") == value


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def test_the_list_of_ends_is_short() -> None:
    """The ends are these, and each has its text above."""
    assert list(BROKEN_OFF) == list(ENDS)


@pytest.mark.parametrize(
    "text",
    [
        '{"a":{"b":1',
        '{"a":[1',
        "[[1",
        "[{",
        '[{"a":"x',
        '{"a":',
        '{"a"',
        '{"a',
        '{"a":1,',
        "[1,",
        '["a\\',
        '["a\\u00',
        '"a',
        "tru",
        "",
        "`",
        "```",
        "```\n```",
    ],
)
def test_no_other_end_is_added(text: str) -> None:
    """What breaks off elsewhere is no document: nothing is guessed."""
    assert parsed(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{", {}),
        ("[", []),
        ('["', [""]),
        ('["a\nb', ["a\nb"]),
        ('{"a":[1,2,]', {"a": [1, 2]}),
        ('{"a":[1,],"b":"x\ny', {"a": [1], "b": "x\ny"}),
        ('here: {"a":"x\n\ty",}', {"a": "x\n\ty"}),
        ('```json\nhere: {"a":"x\ny","b":[1,],}\n```', {"a": "x\ny", "b": [1]}),
        ('```\n{"a":[1,2,]\n```', {"a": [1, 2]}),
        ('```\n{"a":"x\n```', {"a": "x\n"}),
        ('```\nhere: ["x', ["x"]),
        ('a "quoted" word: {"a":"b\\"c', {"a": 'b"c'}),
        ('it\'s "open: ["x\n', ["x\n"]),
    ],
)
def test_steps_stand_on_each_other(text: str, value: Any) -> None:  # noqa: ANN401
    """A text that needs several steps is mended by all of them."""
    assert parsed(text) == value


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize("around", ["{}", "[{}]", '{{"a":{}}}', "```\n[{}]\n```", "[{},", "x [{}"])
def test_what_is_no_json_number_is_none(constant: str, around: str) -> None:
    """What only Python writes for a number is no JSON, as it is no JSON for others."""
    assert parsed(around.format(constant)) is None


@pytest.mark.parametrize("number", ["01", "1.", ".5", "+1", "0x1", "1_0", "- 1", "1e", "\u0661"])
def test_an_odd_number_is_none(number: str) -> None:
    """Numbers are those of JSON."""
    assert parsed(f"[{number}]") is None


def test_a_vast_number_is_read_as_a_float_would_be() -> None:
    """More digits than any reader looks at cost nothing, and crash nothing."""
    assert parsed("9" * 400) == 10**400 - 1
    assert parsed("9" * 401) == math.inf
    assert parsed("-" + "9" * 400) == -math.inf
    assert parsed("[-" + "9" * 399 + "]") == [1 - 10**399]
    assert parsed("1" * 300_000) == math.inf
    assert parsed("1e999") == math.inf
    assert parsed("0." + "0" * 300_000 + "1") == 0
    assert parsed("1e-999") == 0


def nested(depth: int, opening: str = "[", closing: str = "]") -> str:
    """Arrays in arrays."""
    return opening * depth + closing * depth


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("x ", ""),
        ('" ', ""),
        ('"\n', ""),
        ("}" * 300 + " ", ""),
        ("```json\n", ""),
        ("```json\n", "\n```"),
        ('```\n" ', "\n```"),
    ],
)
def test_a_document_may_be_nested_so_deep(before: str, after: str) -> None:
    """At the limit it is one, and deeper none, whatever stands before it."""
    assert DEPTH_LIMIT == 200
    assert parsed(before + nested(200) + after) is not None
    assert parsed(before + nested(201) + after) is None
    assert parsed(before + nested(100_000) + after) is None
    assert parsed(before + "[" * 100_000 + after) is None
    assert parsed(before + '{"a":' * 100_000 + after) is None


def test_only_brackets_that_nest_count() -> None:
    """Brackets in texts, and brackets that are closed again, are no depth."""
    many = DEPTH_LIMIT + 1
    assert parsed(json.dumps(["[" * many, '"' + "{" * many])) == ["[" * many, '"' + "{" * many]
    assert parsed(json.dumps([[]] * many)) == [[]] * many
    assert parsed(json.dumps([{}] * many)) == [{}] * many
    assert parsed('["\n' + "[" * many) == ["\n" + "[" * many]


@pytest.mark.parametrize(
    ("text", "deep"),
    [
        (nested(DEPTH_LIMIT), False),
        (nested(DEPTH_LIMIT + 1), True),
        ("[" * (DEPTH_LIMIT + 1), True),
        ("[" + nested(DEPTH_LIMIT) + "]", True),
        (nested(DEPTH_LIMIT // 2, '{"a":[', "]}"), False),
        (nested(DEPTH_LIMIT // 2 + 1, '{"a":[', "]}"), True),
        ("[" + "[]," * 999 + "[]]", False),
        ("[[]," + nested(DEPTH_LIMIT - 1) + "]", False),
        ("[[]," + nested(DEPTH_LIMIT) + "]", True),
        ("[" + "[]," * 150 + nested(DEPTH_LIMIT) + "]", True),
        (json.dumps("[" * 999), False),
        (json.dumps('\\"' + "[" * 999), False),
        ('"' + "[" * 999, False),
        ('"\\"' + "[" * 999, False),
        ('"\\\\"' + "[" * 999, True),
    ],
)
def test_depth_is_that_of_brackets_outside_of_texts(text: str, deep: bool) -> None:  # noqa: FBT001
    """How deep a text nests is told without reading it as JSON."""
    assert is_deep(text) == deep


HOSTILE = (
    *('"', "\\", '"\\', "{", "[", "[]", "}", '{"a":', "[1,", ",", ", ", ",\n", "[,", "[ ,", "\n"),
    *("`", "```", "```\n", '",', '"\n', '{"', '[" ,', "[\\", '{"a":1,}', "}{", "1", "1.", "-", "e"),
    *("\t", "null", "\ud800", "\\u", "\\n", "a"),
)


@pytest.mark.parametrize("unit", HOSTILE)
@pytest.mark.parametrize("before", ["", '" ["'])
def test_no_text_hangs_the_scorer(unit: str, before: str) -> None:
    """Whatever a system says, and however much of it, is read or refused in no time."""
    started = time.monotonic()
    parsed(before + unit * (300_000 // len(unit)))
    assert time.monotonic() - started < 20, "all is linear, so it takes less than a second"


@given(st.text("abc \u00e8.,:;!?'\n-0"))
def test_prose_is_no_document(prose: str) -> None:
    """Words are none, however they are punctuated."""
    assert parsed(f"So, {prose}") is None


# The repair after the contract, that shares nothing with the one under test: strings are found by
# walking, and every step is written out.


def reference(text: str) -> Any:  # noqa: ANN401  any JSON value
    """The document in a text."""
    for candidate in reference_steps(text):
        try:
            return json.loads(candidate, parse_constant=_refuse)
        except ValueError:
            continue
    return None


def reference_steps(text: str) -> Iterator[str]:
    """What is tried, in order."""
    yield text
    lines = text.strip().split("\n")
    if lines[0][:3] == "```" and "```" not in lines[0][3:] and len(lines) > 1:
        if lines[-1][-3:] != "```":
            pass
        else:
            text = "\n".join(lines[1:])[:-3]
            yield text
    openings = [place for place, letter in enumerate(text) if letter in "{["]
    if not openings:
        return
    text = text[openings[0] :]
    yield text
    parts = [
        (quoted, part.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t"))
        if quoted
        else (quoted, part)
        for quoted, part in walked(text)
    ]
    yield "".join(part for _, part in parts)
    text = "".join(part if quoted else dropped(part) for quoted, part in parts)
    yield text
    for end in BROKEN_OFF:
        yield text + end


def walked(text: str) -> list[tuple[bool, str]]:
    """Parts of a text, and whether each is a string, with its quotes."""
    parts, current, quoted, escaped = [], "", False, False
    for letter in text:
        if quoted:
            current += letter
            if letter == '"' and not escaped:
                parts.append((True, current))
                current, quoted = "", False
            escaped = letter == "\\" and not escaped
        elif letter == '"':
            parts.append((False, current))
            current, quoted, escaped = letter, True, False
        else:
            current += letter
    return [*parts, (quoted, current)]


def dropped(part: str) -> str:
    """A part without the commas that stand before a closing bracket."""
    kept = ""
    for place, letter in enumerate(part):
        if letter == "," and part[place + 1 :].lstrip(" \t\r\n")[:1] in {"}", "]"}:
            continue
        kept += letter
    return kept


def _refuse(constant: str) -> None:
    raise ValueError(constant)


PIECES = ('"', "\\", "{", "}", "[", "]", ",", ":", "\n", "\t", "\r", " ", "1", "a", "```", "```\n")
MORE_PIECES = ('{"a":', '"a"', "[1,", ",]", ",}", '"a\nb"', "null", "NaN", "true", "\u00a0", "\\n")


@given(st.lists(st.sampled_from((*PIECES, *MORE_PIECES)), max_size=14).map("".join))
def test_a_plain_repair_agrees(text: str) -> None:
    """Somebody who mends the same text by the contract alone gets the same document."""
    found = parsed(text)
    assert found == reference(text)
    assert type(found) is type(reference(text))


@given(DOCUMENTS, st.data())
def test_a_plain_repair_agrees_on_spoilt_documents(value: Any, data: st.DataObject) -> None:  # noqa: ANN401
    """The same of a sound document in which something was cut out or put in."""
    text = json.dumps(value, indent=data.draw(st.sampled_from([None, 1])))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 3)))
        text = text[:start] + data.draw(st.sampled_from(("", *PIECES))) + text[end:]
    assert parsed(text) == reference(text)
