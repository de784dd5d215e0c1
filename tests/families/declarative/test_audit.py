"""The audit: everything that is wrong with a corpus at once, also what can be read."""

import json
from typing import Any

import pytest

from generator.families.declarative.audit import audit
from generator.families.declarative.checks.catalog import CHECKS
from generator.families.declarative.family import Declarative
from generator.records.benchmark import Benchmark
from tests.families.declarative.sample import BENCHMARK, case, files

TOOLS = [{"type": "function", "function": {"name": name}} for name in ("look", "send")]

CALLS: list[dict[str, Any]] = [
    {
        "prompt": "Look for Ada and greet her.",
        "checks": [
            {"type": "tool_called", "value": "look"},
            {"type": "tool_arg_equals", "arg": "name", "value": "Ada"},
        ],
    },
    {
        "toolResult": "ada@example.org",
        "checks": [
            {"type": "contains", "value": "Ada"},
            {"type": "tool_not_called"},
        ],
    },
]
"""Two steps of which each is right as it stands."""

CALLING = case(
    "polite-calling",
    prompt=None,
    checks=None,
    steps=CALLS,
    tools=TOOLS,
    example=[
        {"tool_calls": [{"name": "look", "arguments": {"name": "Ada"}}]},
        {"content": "Good morning, Ada."},
    ],
)
SOUND = {
    **files(
        CALLING,
        case("polite-morning", example="yes, good morning"),
        case("curt-hey", checks=[{"type": "word_count", "value": 1}], example="Hey."),
    )
}
SPOILT = "polite/polite-spoilt.json"
"""The file that a test adds to the sound ones."""


def spoilt(*checks: dict[str, Any], **fields: Any) -> dict[str, Any]:  # noqa: ANN401
    """A case with these checks, or with other fields."""
    return case("polite-spoilt", **({"checks": list(checks)} if checks else {}), **fields)


def found(
    *cases: dict[str, Any], benchmark: Benchmark = BENCHMARK, content: bytes | None = None
) -> list[tuple[str, str]]:
    """File and fault of all that is wrong with the sound corpus and what is put beside it."""
    beside = {} if content is None else {SPOILT: content}
    faults = audit({**SOUND, **files(*cases), **beside}, benchmark)
    assert all(fault.remedy.endswith(".") and len(fault.remedy) > 10 for fault in faults)
    return [(fault.file, fault.what) for fault in faults]


def check(kind: str, /, value: Any = None, **fields: Any) -> dict[str, Any]:  # noqa: ANN401
    """A check of that type."""
    return {"type": kind, **({} if value is None else {"value": value}), **fields}


def test_a_sound_corpus_has_no_flaw() -> None:
    """One shot or in steps, with examples in either form: what is right is not doubted."""
    assert found() == []
    assert Declarative().audit(SOUND, BENCHMARK) == ()


# What can be read and makes no sense

BOTH = "check 1 and check 2 can't both pass"
TWICE = "check 1 and check 2 are the same, and count twice"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (check("contains", "yes"), check("not_contains", "yes")),
        (check("contains", 1), check("not_contains", "1")),
        (check("contains", "yes", flags=""), check("not_contains", "yes", flags="")),
        (check("regex", "^yes"), check("not_regex", "^yes")),
        (check("word_count", 3), check("word_count", 4)),
        (check("line_count", 1), check("line_count", 2)),
        (check("first_word", "Yes"), check("first_word", "yes")),
        (check("last_word", "yes"), check("last_word", "no")),
        (check("json_path_equals", 1, path="a"), check("json_path_equals", 2, path="a")),
        (check("json_path_equals", "x", path=""), check("json_path_equals", "y", path="")),
        (check("json_path_equals", [1], path="a"), check("json_path_equals", [2], path="a")),
        (check("json_path_type", "array", path="a"), check("json_path_type", "string", path="a")),
        (check("json_path_length", 1, path="a"), check("json_path_length", 2, path="a")),
        (check("tool_called", "look"), check("tool_called", "send")),
        (check("tool_called", "look"), check("tool_not_called", "look")),
        (check("tool_called", "look"), check("tool_not_called")),
        (check("tool_arg_equals", "a", arg="x"), check("tool_arg_equals", "b", arg="x")),
        (check("tool_arg_equals", "a", arg="x"), check("tool_not_called")),
        (check("tool_arg_regex", "a", arg="x"), check("tool_not_called")),
    ],
    ids=str,
)
def test_two_checks_that_exclude_each_other_are_told(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    """Weight that no reply can gain is a flaw of the corpus, in whichever order it is written."""
    assert found(spoilt(one, other, tools=TOOLS)) == [(SPOILT, BOTH)]
    assert found(spoilt(other, one, tools=TOOLS)) == [(SPOILT, BOTH)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (check("json_path_equals", 1, path="a"), check("json_path_equals", "1", path="a")),
        (check("json_path_equals", 1, path="a"), check("json_path_equals", value=True, path="a")),
        (check("json_path_equals", 0, path="a"), check("json_path_equals", "", path="a")),
        (check("json_path_equals", "x", path="a"), check("json_path_equals", ["x"], path="a")),
        (check("json_path_equals", 1, path="a"), check("json_path_equals", 2, path="b")),
        (check("json_path_type", "array", path="a"), check("json_path_type", "object", path="a")),
        (check("json_path_type", "array", path="a"), check("json_path_type", "string", path="b")),
        (check("json_path_type", "array", path="a"), check("json_path_length", 2, path="a")),
        (check("word_count", 1), check("word_count", 1.0, weight=2)),
        (check("word_count", 1), check("line_count", 2)),
        (check("first_word", "Yes"), check("last_word", "no")),
        (check("contains", "yes"), check("contains", "no")),
        (check("contains", "yes"), check("not_contains", "no")),
        (check("contains", "yes", flags="i"), check("not_contains", "YES", flags="")),
        (check("regex", "yes"), check("not_regex", "no")),
        (check("regex", "yes", flags="i"), check("not_regex", "yes", flags="")),
        (check("tool_called", "look"), check("tool_not_called", "send")),
        (check("tool_not_called", "look"), check("tool_not_called", "send")),
        (check("tool_not_called", "look"), check("tool_not_called")),
        (check("tool_arg_equals", "a", arg="x"), check("tool_arg_equals", "b", arg="y")),
        (check("tool_arg_equals", 1, arg="x"), check("tool_arg_equals", "1", arg="x")),
        (check("tool_arg_equals", "a", arg="x"), check("tool_not_called", "send")),
        (check("tool_arg_regex", "a", arg="x"), check("tool_arg_regex", "b", arg="x")),
        (check("not_empty"), check("tool_not_called")),
    ],
    ids=str,
)
def test_what_a_reply_can_meet_at_once_is_no_contradiction(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    """Equality is loose, an array is an object, and elsewhere is elsewhere: nothing is told."""
    assert BOTH not in [what for _, what in found(spoilt(one, other, tools=TOOLS))]
    assert BOTH not in [what for _, what in found(spoilt(other, one, tools=TOOLS))]


def test_checks_of_two_steps_do_not_contradict_each_other() -> None:
    """Each step has a reply of its own."""
    steps = [
        {"prompt": "Say yes.", "checks": [check("contains", "yes")]},
        {"prompt": "Don't.", "checks": [check("not_contains", "yes")]},
    ]
    assert found(spoilt(prompt=None, checks=None, steps=steps)) == []


@pytest.mark.parametrize(
    "repeated",
    [
        check("contains", "yes"),
        check("not_empty"),
        check("json_valid"),
        check("json_path_equals", None, path="a") | {"value": None},
        check("tool_not_called"),
        check("tool_arg_regex", "a", arg="x", flags=""),
    ],
    ids=str,
)
def test_the_same_check_twice_is_told(repeated: dict[str, Any]) -> None:
    """What stands twice has twice its weight, and nobody meant that; another weight changes it not.

    The remedy is not that for a contradiction: a reply can gain both.
    """
    twice = spoilt(repeated, repeated | {"weight": "2"}, tools=TOOLS)
    assert found(twice) == [(SPOILT, TWICE)]
    (fault,) = audit({**SOUND, **files(twice)}, BENCHMARK)
    assert fault.remedy.startswith("Leave one of them out")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (check("json_path_equals", 1, path="a"), check("json_path_equals", "1", path="a")),
        (check("json_path_equals", 1, path="a"), check("json_path_equals", value=True, path="a")),
        (check("contains", "yes"), check("contains", "yes", flags="")),
        (check("contains", "yes"), check("regex", "yes")),
    ],
    ids=str,
)
def test_what_only_looks_the_same_is_not_the_same(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    """1, "1" and true are three values, and case counts where flags say so."""
    assert found(spoilt(one, other)) == []


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        (check("word_count", "3"), "check 1 never passes: nothing has the number of words '3'"),
        (check("word_count", 2.5), "check 1 never passes: nothing has the number of words '2.5'"),
        (check("line_count", -1), "check 1 never passes: nothing has the number of lines '-1'"),
        (check("first_word", "a b"), "check 1 never passes: nothing has the first word 'a b'"),
        (check("first_word", "Yes!"), "check 1 never passes: nothing has the first word 'Yes!'"),
        (check("last_word", "(no"), "check 1 never passes: nothing has the last word '(no'"),
        (
            check("json_path_type", "list", path="a"),
            "check 1 never passes: nothing has the type 'list'",
        ),
    ],
    ids=str,
)
def test_a_check_that_never_passes_is_told(asked: dict[str, Any], what: str) -> None:
    """A number that is a text, a word with its full stop, a type that JSON has not."""
    assert found(spoilt(asked)) == [(SPOILT, what)]


@pytest.mark.parametrize(
    "asked",
    [
        check("word_count", 0),
        check("word_count", 3.0),
        check("line_count", 12),
        check("first_word", "it's"),
        check("last_word", 42),
        check("last_word", ""),
        check("first_word", "挨拶"),
        *(
            check("json_path_type", kind, path="a")
            for kind in ("array", "object", "string", "number", "boolean", "undefined")
        ),
    ],
    ids=str,
)
def test_a_check_that_can_pass_is_not_told(asked: dict[str, Any]) -> None:
    """What some reply gains stays."""
    assert found(spoilt(asked)) == []


@pytest.mark.parametrize(
    ("asked", "tools", "what"),
    [
        (check("tool_called", "buy"), TOOLS, "check 1 asks for the tool 'buy', which is not off"),
        (
            check("tool_called", "look"),
            [],
            "check 1 asks for the tool 'look', which is not offered",
        ),
        (check("tool_arg_equals", 1, arg="x"), [], "check 1 asks for a call, and no tool is offer"),
        (check("tool_arg_regex", "1", arg="x"), [], "check 1 asks for a call, and no tool is offe"),
    ],
    ids=str,
)
def test_a_call_of_nothing_that_is_offered_is_told(
    asked: dict[str, Any], tools: list[dict[str, Any]], what: str
) -> None:
    """A system can't be asked for a tool that it was never given."""
    ((file, said),) = found(spoilt(asked, tools=tools))
    assert (file, said.startswith(what)) == (SPOILT, True)


def test_no_call_may_be_asked_for_without_a_tool() -> None:
    """Where nothing is offered, that nothing is called can still be asked."""
    assert found(spoilt(check("tool_not_called"), check("tool_not_called", "look"))) == []


def steps(*changed: tuple[int, dict[str, Any]], **fields: Any) -> dict[str, Any]:  # noqa: ANN401
    """The case of two steps, with some fields of its steps changed and without its example."""
    each = [dict(step) for step in CALLS]
    for number, fields_of_step in changed:
        each[number - 1] |= fields_of_step
    return spoilt(**{"prompt": None, "checks": None, "steps": each, "tools": TOOLS, **fields})


def test_a_result_after_a_step_that_asks_for_no_call_is_told() -> None:
    """The chain breaks for whoever meets the step before, so nobody gains the weight of both."""
    case_of_two = steps((1, {"checks": [check("tool_not_called")]}))
    what = "step 2 needs a call in the step before, which asks for no call; no reply gains both"
    assert found(case_of_two) == [(SPOILT, what)]
    with_a_name = steps((1, {"checks": [check("tool_not_called", "send")]}))
    assert found(with_a_name) == []


def test_a_result_of_a_tool_that_is_not_offered_is_told() -> None:
    """Where there is nothing to call, every chain breaks before its result."""
    case_of_two = steps((1, {"checks": [check("not_empty")]}), tools=[])
    what = "step 2 needs a call in the step before, and no tool is offered"
    assert found(case_of_two) == [(SPOILT, what)]


def test_a_flaw_of_one_step_names_the_step() -> None:
    """Checks are numbered within their step."""
    case_of_two = steps((2, {"checks": [check("word_count", 1), check("word_count", 2)]}))
    assert found(case_of_two) == [(SPOILT, f"step 2: {BOTH}")]


# Examples


@pytest.mark.parametrize(
    ("example", "whats"),
    [
        ("yes", []),
        (" yes\n", []),
        ([{"content": "yes"}], []),
        ("no", ["its own example fails check 1 (contains)"]),
        ("", ["its own example fails check 1 (contains)"]),
        ([{"content": "no"}], ["its own example fails check 1 (contains)"]),
        ([{}], ["its own example fails check 1 (contains)"]),
        (
            "no, " + "word " * 9,
            [
                "its own example fails check 1 (contains)",
                "its own example fails check 2 (not_regex)",
            ],
        ),
    ],
)
def test_an_example_must_pass_every_check(example: object, whats: list[str]) -> None:
    """A right answer in either form is held against the key; each check that it fails is named."""
    checks = [check("contains", "yes"), check("not_regex", "(?:word ){3}")]
    assert found(spoilt(*checks, example=example)) == [(SPOILT, what) for what in whats]


LOOKS = {"tool_calls": [{"name": "look", "arguments": {"name": "Ada"}}]}


@pytest.mark.parametrize(
    ("example", "whats"),
    [
        ([LOOKS, {"content": "Ada!"}], []),
        ([LOOKS, {"content": "Who?"}], ["step 2: its own example fails check 1 (contains)"]),
        ([LOOKS, LOOKS], [f"step 2: its own example fails check {n}" for n in (1, 2)]),
        (
            [{"tool_calls": [{"name": "look"}]}, {"content": "Ada!"}],
            ["step 1: its own example fails check 2 (tool_arg_equals)"],
        ),
        (
            [{"tool_calls": [{"name": "send", "arguments": {"name": "Ada"}}]}, {"content": "Ada!"}],
            ["step 1: its own example fails check 1 (tool_called)"],
        ),
        (
            [{"content": "Ada!"}, {"content": "Ada!"}],
            [
                "step 1: its own example fails check 1 (tool_called)",
                "step 1: its own example fails check 2 (tool_arg_equals)",
                "step 2: its own example never gets there",
            ],
        ),
    ],
)
def test_an_example_in_steps_is_followed_to_its_end(example: object, whats: list[str]) -> None:
    """Each turn is held against its step, and a broken chain is told as such."""
    said = found(steps(example=example))
    assert [file for file, _ in said] == [SPOILT] * len(whats)
    assert all(one.startswith(what) for (_, one), what in zip(said, whats, strict=True))


# What can't be read


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "Expecting value: line 1 column 1 (char 0)"),
        (b"{", "Expecting property name"),
        (b"\xff", "'utf-8' codec can't decode byte 0xff"),
        (b'{"name": "a", "name": "b"}', "the key 'name' stands twice in one object"),
        (b"[]", "Expected `object`, got `array`"),
        (json.dumps(spoilt(rubric="?")).encode(), "Object contains unknown field `rubric`"),
        (json.dumps(spoilt(check("vibes"))).encode(), "check 1: the check type 'vibes' is unknown"),
        (json.dumps(spoilt(check("regex", "("))).encode(), "check 1: the pattern '(' can't be com"),
        (json.dumps(spoilt(check("contains", flags="x", value="a"))).encode(), "check 1: the flag"),
        (json.dumps(spoilt(checks=[])).encode(), "step 1 needs at least one check"),
        (json.dumps(spoilt(prompt="")).encode(), "`prompt` must not be empty"),
        (json.dumps(spoilt(weight=0)).encode(), "a weight is more than zero"),
        (json.dumps(spoilt(category="rude")).encode(), "the category 'rude' is unknown"),
        (json.dumps(spoilt(name="polite-morning")).encode(), "the name 'polite-morning' stands in"),
        (json.dumps(spoilt(example=[{}, {}])).encode(), "`example` has 2 turns for 1 steps"),
        (json.dumps(spoilt(tools=[{}])).encode(), "tool 1 has no `function` with a `name`"),
    ],
)
def test_a_file_that_is_no_case_is_told(content: bytes, what: str) -> None:
    """Whatever stops a run before it starts is one flaw of its file, and no other joins in."""
    ((file, said),) = found(content=content)
    assert (file, said.startswith(what)) == (SPOILT, True)


def test_a_case_that_can_not_be_asked_is_not_looked_at_further() -> None:
    """Of a case that is at fault nothing is said about its sense: it may read otherwise, mended."""
    asked = (check("word_count", 1), check("word_count", 2), check("vibes"))
    ((_, what),) = found(spoilt(*asked, example="three words here"))
    assert what.startswith("check 3: the check type 'vibes' is unknown")


# The whole


def test_a_corpus_without_a_case_is_told() -> None:
    """Nothing to ask is one flaw, and not one for each category besides."""
    (fault,) = audit({}, BENCHMARK)
    assert (fault.file, fault.what) == ("", "there is no case")


def test_a_category_without_a_case_is_told() -> None:
    """A category that nothing can be measured of is named; the file is the benchmark's own."""
    (fault,) = audit(files(case("polite-morning")), BENCHMARK)
    assert (fault.file, fault.what) == (
        "../benchmark.toml",
        "no case is of the category 'curt'",
    )


def test_a_case_at_fault_is_still_of_its_category() -> None:
    """The only case of a category is not denied for a fault in it."""
    (fault,) = audit(files(case("polite-morning"), case("curt-hey", prompt="")), BENCHMARK)
    assert fault.file == "curt/curt-hey.json"


def test_what_can_not_be_read_may_be_of_any_category() -> None:
    """As long as a file is no case, nobody knows that a category has none."""
    (fault,) = audit({**files(case("polite-morning")), "x.json": b"{"}, BENCHMARK)
    assert fault.file == "x.json"


def test_a_table_of_tiers_at_fault_is_told() -> None:
    """The audit holds everything that the corpus needs, tiers too."""
    tiers = [{"id": "large", "at_least": {"rude": 0.5}}, {"id": "small"}]
    spoilt_tiers = BENCHMARK.model_copy(update={"scoring": {"tiers": tiers}})
    what = "the tier 'large' names the category 'rude', which is unknown"
    assert found(benchmark=spoilt_tiers) == [("../benchmark.toml", what)]


def test_all_flaws_of_a_file_are_told_at_once() -> None:
    """Who mends a file mends it once."""
    asked = (
        *(check("word_count", 1), check("word_count", 2), check("contains", "yes")),
        *(check("contains", "yes"), check("tool_called", "buy"), check("line_count", "1")),
    )
    assert found(spoilt(*asked, tools=TOOLS, example="yes")) == [
        (SPOILT, "check 1 and check 2 can't both pass"),
        (SPOILT, "check 5 asks for the tool 'buy', which is not offered"),
        (SPOILT, "check 6 never passes: nothing has the number of lines '1'"),
        (SPOILT, "check 3 and check 4 are the same, and count twice"),
        (SPOILT, "its own example fails check 2 (word_count)"),
        (SPOILT, "its own example fails check 5 (tool_called)"),
        (SPOILT, "its own example fails check 6 (line_count)"),
    ]


def test_all_faults_of_a_file_are_told_at_once() -> None:
    """That holds for what stops a case from being asked, too."""
    faults = found(
        spoilt(check("vibes"), check("regex", "("), prompt="", category="rude", weight="0")
    )
    starts = (
        *("a weight is more than zero", "`prompt` must not be empty", "check 1: the check type"),
        *("check 2: the pattern", "the category 'rude' is unknown"),
    )
    assert [file for file, _ in faults] == ["rude/polite-spoilt.json"] * len(starts)
    assert all(what.startswith(start) for (_, what), start in zip(faults, starts, strict=True))


def test_flaws_of_all_files_are_told_at_once() -> None:
    """Each file with its own flaws, in the order of the files, and at last those of the whole."""
    tiers = BENCHMARK.model_copy(
        update={"scoring": {"tiers": [{"id": "large", "at_least": {}}, 1]}}
    )
    asked = {
        **files(
            case("polite-b", example="no"),
            case("polite-a", checks=[check("vibes")]),
            case("polite-c", checks=[check("word_count", "1")]),
        )
    }
    faults = audit(asked, tiers)
    assert [(fault.file, fault.what.split(":")[0]) for fault in faults] == [
        ("polite/polite-a.json", "check 1"),
        ("polite/polite-b.json", "its own example fails check 1 (contains)"),
        ("polite/polite-c.json", "check 1 never passes"),
        ("../benchmark.toml", "[scoring] tiers"),
        ("../benchmark.toml", "no case is of the category 'curt'"),
    ]


def test_every_type_of_check_has_been_here() -> None:
    """Whoever adds a type decides whether two of it can exclude each other."""
    known = {kind.id for kind in CHECKS}
    assert known == {
        *("word_count", "line_count", "first_word", "last_word", "contains", "not_contains"),
        *("regex", "not_regex", "not_empty", "json_valid", "json_path_equals", "json_path_type"),
        *("json_path_length", "tool_called", "tool_not_called", "tool_arg_equals"),
        "tool_arg_regex",
    }
