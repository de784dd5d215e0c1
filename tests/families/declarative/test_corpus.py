"""The corpus: read in one order, weighed exactly, refused by file, by step and by check."""

import json
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.families.blocks import Code
from generator.families.declarative.corpus import FINEST_WEIGHT, Case, Reading, read_corpus
from generator.families.family import CorpusFault
from generator.records.base import digest_of_json
from generator.records.bundle import Turn
from tests.families.declarative.checks.sample import reply
from tests.families.declarative.sample import (
    BENCHMARK,
    call,
    case,
    checks,
    corpus,
    files,
    steps,
    tool,
)

PATH = "polite/polite-morning.json"
SOUND_CHECK = {"type": "not_empty"}
ASKED = {"prompt": "Look!", "checks": [SOUND_CHECK]}
ANSWERED = {"toolResult": "found", "checks": [SOUND_CHECK]}


def fault(content: bytes) -> CorpusFault:
    """How a corpus with a spoilt file among sound ones is refused."""
    with pytest.raises(CorpusFault) as caught:
        read_corpus({**files(case("curt-hey"), case("polite-evening")), PATH: content}, BENCHMARK)
    return caught.value


def spoilt(**fields: Any) -> CorpusFault:  # noqa: ANN401  any JSON value
    """How a corpus with one spoilt case is refused."""
    return fault(json.dumps(case(**fields)).encode())


def spoilt_steps(*own: Any, **fields: Any) -> CorpusFault:  # noqa: ANN401  any JSON value
    """How a corpus with one spoilt case in several steps is refused."""
    return fault(json.dumps(steps("polite-morning", *own, **fields)).encode())


def read(**fields: Any) -> Case:  # noqa: ANN401  any JSON value
    """The one case of a corpus."""
    return corpus(case(**fields)).by_name["polite-morning"]


def read_steps(*own: dict[str, Any], **fields: Any) -> Case:  # noqa: ANN401  any JSON value
    """The same of a case in several steps."""
    return corpus(steps("polite-morning", *own, **fields)).by_name["polite-morning"]


def test_cases_are_read_in_name_order() -> None:
    """Cases stand in the order of their names, wherever their files lie."""
    found = corpus(case("polite-b"), case("curt-z"), case("curt-a"), case("polite-a"))
    assert tuple(found.cases) == ("curt-a", "curt-z", "polite-a", "polite-b")
    assert found.categories == (("polite", "Polite greetings"), ("curt", "Curt greetings"))


def test_the_order_of_files_leaves_no_trace() -> None:
    """A corpus is the same however its files were found."""
    found = files(case("polite-b"), case("curt-z"), case("curt-a"))
    one, other = (
        read_corpus(found, BENCHMARK),
        read_corpus(dict(reversed(found.items())), BENCHMARK),
    )
    assert one.cases == other.cases
    assert list(one.by_name) == list(other.by_name) == sorted(one.by_name)


def test_a_case_is_read_whole() -> None:
    """Question, reason, weight and checks stand where they are looked for."""
    found = read(description="It is morning.", weight="2", checks=checks("1", "0.5"))
    assert (found.name, found.category) == ("polite-morning", "polite")
    assert found.description == "It is morning."
    (step,) = found.steps
    assert (step.prompt, step.tool_result) == ("Say polite-morning.", None)
    assert [check.type.id for check in step.checks] == ["contains", "contains"]
    assert found.weight * FINEST_WEIGHT == 2
    assert found.full * FINEST_WEIGHT == step.full * FINEST_WEIGHT == Decimal("1.5")
    assert (found.tools, found.example) == ((), None)


def test_what_is_left_out_of_a_case_is_plain() -> None:
    """A case without a weight weighs 1, as each of its checks does."""
    found = read()
    assert found.description is None
    assert found.weight * FINEST_WEIGHT == found.full * FINEST_WEIGHT == 1


def test_a_case_in_several_steps_is_read_whole() -> None:
    """Each step has its prompt, the tool's result or both, its own checks and its own weight."""
    found = read_steps(
        {"prompt": "Look!", "checks": checks("1", "0.5")},
        {"toolResult": "", "checks": checks("2")},
        {"toolResult": "found", "prompt": "And?", "checks": checks("0.1")},
        {"prompt": "Well?", "checks": checks("1")},
    )
    assert [(step.prompt, step.tool_result) for step in found.steps] == [
        ("Look!", None),
        (None, ""),
        ("And?", "found"),
        ("Well?", None),
    ]
    fulls = [step.full * FINEST_WEIGHT for step in found.steps]
    assert fulls == [Decimal("1.5"), 2, Decimal("0.1"), 1]
    assert found.full == sum(step.full for step in found.steps)


def test_one_step_is_the_short_form() -> None:
    """A case of one step is the same case, whichever way it is written."""
    short, long = (
        read(prompt="Look!", checks=checks("0.5")),
        read_steps({"prompt": "Look!", "checks": checks("0.5")}),
    )
    assert (short.full, len(short.steps)) == (long.full, len(long.steps))
    assert short.steps[0].prompt == long.steps[0].prompt
    assert short.steps[0].checks[0].asked == long.steps[0].checks[0].asked


def test_tools_are_kept_as_they_are_offered() -> None:
    """A schema is handed on whole, as plain JSON, in its order; its numbers are numbers."""
    limits = {"minimum": 0.5, "maximum": 9, "multipleOf": 1e-7, "default": None, "enum": ["a"]}
    schema = tool("look")
    schema["function"]["parameters"] = limits
    found = read(tools=[schema, tool("move")])
    assert list(found.tools) == [schema, tool("move")]
    assert json.loads(json.dumps(found.tools)) == [schema, tool("move")]
    assert digest_of_json({"tools": list(found.tools)})


def test_an_example_can_be_a_text() -> None:
    """What is said is the whole right answer of a case in one step; it may be nothing."""
    assert read(example="Good morning!").example == (Turn(content="Good morning!"),)
    assert read(example="").example == (Turn(content=""),)


def test_an_example_can_be_turns() -> None:
    """Each step has its turn, with what is said and what is called; arguments are an object."""
    arguments = {"at": "it", "n": 1, "f": 0.5, "deep": [{"none": None}]}
    found = read_steps(
        ASKED,
        ANSWERED,
        example=[
            {"tool_calls": [{"name": "look", "arguments": arguments}, {"name": "move"}]},
            {"content": "done"},
        ],
    )
    assert found.example is not None
    first, second = found.example
    assert first.content is None
    assert [made.name for made in first.tool_calls] == ["look", "move"]
    sent = [msgspec.json.decode(made.arguments) for made in first.tool_calls]
    assert sent == [arguments, {}]
    assert second == Turn(content="done")
    assert read(example=[{"content": "a"}]).example == (Turn(content="a"),)
    assert read(example=[{}]).example == (Turn(),)
    (made,) = (read(example=[{"tool_calls": [{"name": "look"}]}]).example or ())[0].tool_calls
    assert made == call("look")


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        (
            {"checks": [SOUND_CHECK, {"type": "words"}]},
            "check 2: the check type 'words' is unknown",
        ),
        ({"checks": [{"type": "regex", "value": "("}]}, "check 1: the pattern '(' can't be "),
        ({"checks": [{"type": "regex", "value": "(?=a)"}]}, "check 1: the pattern '(?=a)' can't "),
        ({"checks": [{"type": "regex"}]}, "check 1: a pattern is a text, not None"),
        ({"checks": [{"type": "regex", "value": "a" * 1001}]}, "check 1: a pattern has at most "),
        ({"checks": [{"type": "contains", "value": "a" * 1001}]}, "check 1: a pattern has at most"),
        (
            {"checks": [{"type": "first_word", "value": "a", "flags": "i"}]},
            "check 1: a first_word takes no flags",
        ),
        (
            {"checks": [SOUND_CHECK, SOUND_CHECK, {"type": "regex", "value": "a", "flags": "g"}]},
            "check 3: the flag 'g' is unknown",
        ),
        ({"checks": [{"type": "contains"}]}, "check 1: the value is a text or a number, not None"),
        ({"checks": [{"type": "word_count"}]}, "check 1: the value is a number, not None"),
        ({"checks": [{"type": "json_path_equals", "path": ""}]}, "check 1: a json_path_equals nee"),
        ({"checks": [{"type": "json_path_type", "value": "array"}]}, "check 1: a json_path_type n"),
        ({"checks": [{"type": "tool_arg_equals", "value": 1}]}, "check 1: a tool_arg_equals need"),
        ({"checks": [{"type": "tool_called"}]}, "check 1: the value is the name of a tool"),
        ({"checks": [{"type": "not_empty", "weight": 0}]}, "a weight is more than zero"),
        ({"checks": [{"type": "not_empty", "weight": -1}]}, "a weight is more than zero"),
        ({"checks": [{"type": "not_empty", "weight": "1"}]}, "at `$.checks[0].weight`"),
        ({"checks": [{"type": "not_empty", "weight": True}]}, "at `$.checks[0].weight`"),
        ({"checks": [{"type": "not_empty", "weight": None}]}, "at `$.checks[0].weight`"),
        ({"checks": [{"type": "not_empty", "weight": float("nan")}]}, "NaN is no JSON number"),
        ({"checks": [{"type": "not_empty", "value": float("inf")}]}, "Infinity is no JSON number"),
        ({"checks": [{"type": "not_empty", "note": "x"}]}, "unknown field `note`"),
        ({"checks": [{"type": "not_empty", "given": "x"}]}, "unknown field `given`"),
        ({"checks": [{"type": "regex", "value": "a", "flags": 5}]}, "at `$.checks[0].flags`"),
        ({"checks": [{"type": "json_path_length", "path": 0}]}, "at `$.checks[0].path`"),
        ({"checks": [{"type": "tool_arg_equals", "arg": 0}]}, "at `$.checks[0].arg`"),
        ({"checks": [{"type": 5}]}, "at `$.checks[0].type`"),
        ({"checks": [{"value": 5}]}, "missing required field `type`"),
        ({"checks": ["not_empty"]}, "at `$.checks[0]`"),
        ({"checks": []}, "step 1 needs at least one check"),
        ({"checks": None}, "step 1 needs at least one check"),
        ({"checks": {}}, "at `$.checks`"),
        ({"category": "rude"}, "the category 'rude' is unknown"),
        ({"category": "Polite"}, "the category 'Polite' is unknown"),
        ({"category": None}, "at `$.category`"),
        ({"name": "curt-hey"}, "the name 'curt-hey' stands in curt/curt-hey.json too"),
        ({"name": "curt-he\u200by"}, "the name 'curt-he\\u200by' stands in curt/curt-hey.json too"),
        ({"name": ""}, "`name` must not be empty"),
        ({"name": "x" * 301}, "`name` has more than 300 characters"),
        ({"name": 5}, "at `$.name`"),
        ({"prompt": ""}, "`prompt` must not be empty, in the first step"),
        ({"prompt": None}, "`prompt` must not be empty, in the first step"),
        ({"prompt": "\ud800"}, "surrogates not allowed"),
        ({"prompt": 5}, "at `$.prompt`"),
        ({"prompt": None, "checks": None}, "a case has `prompt` and `checks`, or `steps`"),
        ({"steps": [ASKED]}, "a case has `prompt` and `checks`, or `steps`"),
        ({"steps": [ASKED], "prompt": None}, "a case has `prompt` and `checks`, or `steps`"),
        ({"steps": [ASKED], "checks": None}, "a case has `prompt` and `checks`, or `steps`"),
        ({"toolResult": "x"}, "unknown field `toolResult`"),
        ({"weight": 0}, "a weight is more than zero"),
        ({"weight": "2"}, "at `$.weight`"),
        ({"weight": 1_000_001}, "at most 1000000"),
        ({"weight": 0.0000001}, "at most six decimals"),
        ({"wieght": 2}, "unknown field `wieght`"),
        ({"description": 5}, "at `$.description`"),
        ({"tools": [{}]}, "tool 1 has no `function` with a `name`"),
        ({"tools": [tool("a"), tool("")]}, "tool 2 has no `function` with a `name`"),
        ({"tools": [{"function": "look"}]}, "tool 1 has no `function` with a `name`"),
        ({"tools": [{"function": {"name": 5}}]}, "tool 1 has no `function` with a `name`"),
        ({"tools": [{"name": "look"}]}, "tool 1 has no `function` with a `name`"),
        ({"tools": ["look"]}, "at `$.tools[0]`"),
        ({"tools": {}}, "at `$.tools`"),
        ({"example": []}, "`example` has 0 turns for 1 steps"),
        ({"example": [{}, {}]}, "`example` has 2 turns for 1 steps"),
        ({"example": 5}, "at `$.example`"),
        ({"example": [{"content": 5}]}, "at `$.example[0].content`"),
        ({"example": [{"said": "x"}]}, "unknown field `said`"),
        ({"example": [{"tool_calls": [{}]}]}, "missing required field `name`"),
        ({"example": [{"tool_calls": [{"name": "a", "arguments": "{}"}]}]}, "Expected `object`"),
        ({"example": [{"tool_calls": [{"name": "a", "outcome": "x"}]}]}, "unknown field `outcome`"),
    ],
)
def test_one_spoilt_field_is_refused_by_file(fields: dict[str, Any], what: str) -> None:
    """A fault is said with the file and, within it, the check, before anything runs."""
    found = spoilt(**fields)
    assert found.file == PATH
    assert what in found.what
    assert found.remedy.endswith(".")
    assert str(found) == f"{found.file}: {found.what}"


@pytest.mark.parametrize(
    ("own", "fields", "what"),
    [
        ([], {}, "`prompt` must not be empty, in the first step"),
        ([ANSWERED, ASKED], {}, "`prompt` must not be empty, in the first step"),
        ([{**ASKED, "prompt": ""}], {}, "`prompt` must not be empty, in the first step"),
        ([{**ANSWERED, "prompt": ""}], {}, "`prompt` must not be empty, in the first step"),
        ([ASKED, {"checks": [SOUND_CHECK]}], {}, "step 2 needs a `prompt` or a `toolResult`"),
        ([ASKED, {**ASKED, "prompt": ""}], {}, "step 2 needs a `prompt` or a `toolResult`"),
        ([ASKED, ANSWERED, {**ANSWERED, "toolResult": None}], {}, "step 3 needs a `prompt` or a "),
        ([ASKED, {**ANSWERED, "checks": []}], {}, "step 2 needs at least one check"),
        ([ASKED, {"toolResult": "x"}], {}, "missing required field `checks`"),
        ([ASKED, {**ANSWERED, "checks": None}], {}, "at `$.steps[1].checks`"),
        ([ASKED, {**ANSWERED, "toolResult": {}}], {}, "at `$.steps[1].toolResult`"),
        ([ASKED, {**ANSWERED, "tool_result": "x"}], {}, "unknown field `tool_result`"),
        ([ASKED, {**ANSWERED, "tools": []}], {}, "unknown field `tools`"),
        ([ASKED, "x"], {}, "at `$.steps[1]`"),
        (
            [{**ASKED, "checks": [SOUND_CHECK, {"type": "words"}]}, ANSWERED],
            {},
            "step 1, check 2: the check type 'words' is unknown",
        ),
        (
            [ASKED, {**ANSWERED, "checks": [SOUND_CHECK, {"type": "tool_called"}]}],
            {},
            "step 2, check 2: the value is the name of a tool, not None",
        ),
        ([ASKED, {**ANSWERED, "checks": [{**SOUND_CHECK, "weight": 0}]}], {}, "a weight is more"),
        ([ASKED, ANSWERED], {"example": "found"}, "`example` has 1 turns for 2 steps"),
        ([ASKED, ANSWERED], {"example": [{}]}, "`example` has 1 turns for 2 steps"),
        ([ASKED, ANSWERED], {"example": [{}, {}, {}]}, "`example` has 3 turns for 2 steps"),
        ([ASKED], {"prompt": "x"}, "a case has `prompt` and `checks`, or `steps`"),
        ([ASKED], {"checks": []}, "a case has `prompt` and `checks`, or `steps`"),
        ([], {"steps": None}, "a case has `prompt` and `checks`, or `steps`"),
        ([], {"steps": {}}, "at `$.steps`"),
    ],
)
def test_one_spoilt_step_is_refused_by_file(
    own: list[Any], fields: dict[str, Any], what: str
) -> None:
    """A fault is said with the file, the step and the check, before anything runs."""
    found = spoilt_steps(*own, **fields)
    assert found.file == PATH
    assert what in found.what
    assert found.remedy.endswith(".")


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "Expecting value"),
        (b"{", "line 1 column 2"),
        (b"[]", "Expected `object`, got `array`"),
        (b"{}", "missing required field `name`"),
        (b'{"name": "a", "name": "b"}', "the key 'name' stands twice in one object"),
        (b'{"checks": [{"type": "a", "type": "a"}]}', "the key 'type' stands twice in one object"),
        (b'{"name": "\xff"}', "can't decode byte 0xff"),
        (b"\xef\xbb\xbf{}", "BOM"),
        (json.dumps(case()).encode("utf-16"), "can't decode byte"),
        (b"[" * 100_000, "objects and arrays are nested more than 200 deep"),
        (b'{"name": ' + b"1" * 5000 + b"}", "digits"),
        (b'{"name": 1e999}', "the number 1e999 is beyond every float"),
        (b'{"name": 1e99999999999999999999}', "the number 1e999999999999999999 is beyond every"),
        (b'{"name": 1e-99999999999999999999}', "the number 1e-99999999999999999 is beyond every"),
    ],
)
def test_what_is_no_json_object_in_utf_8_is_refused_by_file(content: bytes, what: str) -> None:
    """A file that can't be read as JSON is refused like one with a spoilt field."""
    found = fault(content)
    assert found.file == PATH
    assert what in found.what


def test_a_value_can_be_nested_and_compared() -> None:
    """What a file may hold can be compared and shown: neither ends in a crash."""
    nested = "[" * 190 + "1" + "]" * 190
    check = {"type": "json_path_equals", "path": "", "value": json.loads(nested)}
    (found,) = read(checks=[check]).steps[0].checks
    assert found.expectation.values["value"] == Code("1")
    assert found.passes(reply(nested))
    deeper = "[" * 201 + "]" * 201
    content = json.dumps(case(checks=[{**check, "value": 77}])).replace("77", deeper)
    assert fault(content.encode()).what == "objects and arrays are nested more than 200 deep"


WEIGHT = "a weight is more than zero, at most 1000000, and has at most six decimals"


@pytest.mark.parametrize(
    ("number", "what"),
    [
        ("1e9", WEIGHT),
        ("1" * 4000, WEIGHT),
        ("-0.5", WEIGHT),
        ("0.0", WEIGHT),
        ("0.0000001", WEIGHT),
        ("1.5e-6", WEIGHT),
        ("1000000.000001", WEIGHT),
        ("1." + "0" * 40 + "1", WEIGHT),
        ("1e-999999999", WEIGHT),
        ("1e999", "the number 1e999 is beyond every float"),
        ("1e999999999", "the number 1e999999999 is beyond every float"),
    ],
)
@pytest.mark.parametrize("place", ["case", "check"])
def test_a_weight_can_be_counted(number: str, what: str, place: str) -> None:
    """A weight that would be rounded or that no sum could hold is refused, and quickly."""
    plain = case(weight=77) if place == "case" else case(checks=[{**SOUND_CHECK, "weight": 77}])
    assert fault(json.dumps(plain).replace("77", number).encode()).what == what


@pytest.mark.parametrize("number", ["0.000001", "1E-6", "1000000", "1000000.0000000", "1e6"])
def test_a_weight_at_the_limit_is_one(number: str) -> None:
    """The finest and the largest weight count, however they are written."""
    content = json.dumps(case(weight=77)).replace("77", number).encode()
    found = read_corpus({PATH: content}, BENCHMARK).by_name["polite-morning"]
    assert found.weight * FINEST_WEIGHT == Decimal(number)


def test_reading_goes_on_after_a_fault() -> None:
    """Everything that is wrong with every file is found in one go, in the order of the files."""
    reading = Reading(BENCHMARK)
    spoilt_files = {
        "a.json": b"{",
        "b.json": json.dumps(case("rude-b", checks=[{"type": "words"}], weight=0)).encode(),
        "c.json": json.dumps(case("polite-c")).encode(),
        "d.json": json.dumps(case("polite-c")).encode(),
    }
    cases = [reading.read(path, content) for path, content in spoilt_files.items()]
    assert [found.name if found else None for found in cases] == [None, None, "polite-c", None]
    assert [found.file for found in reading.faults] == [
        *("a.json", "b.json", "b.json", "b.json", "d.json"),
    ]
    assert tuple(reading.corpus().cases) == ("polite-c",)
    with pytest.raises(CorpusFault) as caught:
        read_corpus(spoilt_files, BENCHMARK)
    assert caught.value.file == "a.json"


def test_no_case_is_no_corpus() -> None:
    """A benchmark without a question asks nothing, and is told so."""
    with pytest.raises(CorpusFault, match="there is no case"):
        read_corpus({}, BENCHMARK)


def test_a_benchmark_without_categories_is_told_so() -> None:
    """Categories are the benchmark's to declare."""
    bare = BENCHMARK.model_copy(update={"categories": ()})
    with pytest.raises(CorpusFault) as caught:
        read_corpus(files(case()), bare)
    assert caught.value.remedy == "Name one of benchmark.toml: it declares none."


def test_names_may_differ_by_case_alone() -> None:
    """Names are compared to the letter: ids are public and never folded."""
    assert tuple(corpus(case("polite-a"), case("polite-A")).cases) == ("polite-A", "polite-a")


@given(st.lists(st.decimals("0.000001", 1000, places=6), min_size=1, max_size=6))
def test_weights_are_whole_numbers_of_the_finest(weights: list[Decimal]) -> None:
    """Every weight is kept exactly, as so many units, and so is their sum."""
    found = read(checks=checks(*map(str, weights)))
    (step,) = found.steps
    assert [check.weight * FINEST_WEIGHT for check in step.checks] == weights
    assert found.full * FINEST_WEIGHT == sum(weights)
    assert found.weight * FINEST_WEIGHT == 1


@given(st.binary(max_size=100))
def test_reading_ends_in_a_corpus_or_in_a_fault(content: bytes) -> None:
    """Whatever the bytes of a file are, it is refused by its name or read."""
    try:
        read_corpus({PATH: content}, BENCHMARK)
    except CorpusFault as found:
        name = found.file
    else:
        name = PATH
    assert name == PATH


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.floats(-2, 2) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
FIELDS = sorted({*case(), "steps", "tools", "example", "description", "weight"})


@given(
    st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=3),
    st.dictionaries(
        st.sampled_from(["type", "value", "flags", "path", "arg", "weight"]), JSON, max_size=3
    ),
)
def test_any_value_of_any_field_is_read_or_refused(
    fields: dict[str, Any], check: dict[str, Any]
) -> None:
    """No field of a case and of a check can crash the reader."""
    plain = {**case(checks=[{"type": "contains", "value": "a", **check}]), **fields}
    reading = Reading(BENCHMARK)
    found = reading.read(PATH, json.dumps(plain).encode())
    assert (found is None) == bool(reading.faults)
    assert all(refused.file == PATH and refused.what for refused in reading.faults)
