"""Everything that is wrong with a corpus at once, also what can be read and makes no sense."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from generator.families.declarative.checks.check import Asked, Check
from generator.families.declarative.corpus import Case, Reading, Step, tool_name
from generator.families.declarative.javascript import loosely_equal, number_of, text_of, type_of
from generator.families.declarative.reply import words
from generator.families.declarative.scorer import verdicts_of
from generator.families.declarative.tiers import read_tiers
from generator.families.family import CorpusFault
from generator.records.benchmark import Benchmark
from generator.records.bundle import Attempt

_OPPOSITES = frozenset(
    {("contains", "not_contains"), ("regex", "not_regex"), ("tool_called", "tool_not_called")}
)
_ONE_ANSWER = frozenset(
    {
        *("word_count", "line_count", "first_word", "last_word", "tool_called"),
        *("json_path_equals", "json_path_type", "json_path_length", "tool_arg_equals"),
    }
)
"""Types of which two with different values in the same place can't both pass."""

_COUNTS = frozenset({"word_count", "line_count"})
_WORDS = frozenset({"first_word", "last_word"})
_TYPES = frozenset({"array", "object", "string", "number", "boolean", "undefined"})
_CALLING = frozenset({"tool_called", "tool_arg_equals", "tool_arg_regex"})


def audit(files: Mapping[str, bytes], benchmark: Benchmark) -> tuple[CorpusFault, ...]:
    """All faults of the files below `cases/`, in the order of the files."""
    reading = Reading(benchmark)
    found: list[CorpusFault] = []
    for path, content in sorted(files.items()):
        known = len(reading.faults)
        case = reading.read(path, content)
        found += reading.faults[known:]
        if case is not None:
            found += (CorpusFault(path, what, remedy) for what, remedy in _senseless(case))
    return (*found, *_of_the_whole(reading, benchmark, len(files)))


def _of_the_whole(reading: Reading, benchmark: Benchmark, files: int) -> Iterator[CorpusFault]:
    """What is wrong, and with no file of a case."""
    try:
        if files:
            read_tiers(benchmark)
        else:
            reading.corpus()
    except CorpusFault as fault:
        yield fault
    if not files or len(reading.named) < files:
        return  # which category a file is of that can't be read, nobody knows
    for category in benchmark.categories:
        if category.id not in reading.named:
            what = f"no case is of the category {category.id!r}"
            yield CorpusFault("../benchmark.toml", what, _NO_CASE)


_NO_CASE = "Write a case of it, or leave the category out."


def _senseless(case: Case) -> Iterator[tuple[str, str]]:
    """What is wrong with a case that can be read, and what to do."""
    offered = {tool_name(tool) for tool in case.tools}
    for number, step in enumerate(case.steps, 1):
        where = f"step {number}: " if len(case.steps) > 1 else ""
        for what in (*_contradictions(step), *_not_offered(step, offered), *_never(step)):
            yield where + what, "Mend one of them: no reply gains all of the weight."
        for what in _repetitions(step):
            yield where + what, "Leave one of them out; the other may have the weight of both."
    for number, (before, step) in enumerate(zip(case.steps, case.steps[1:], strict=False), 2):
        if step.tool_result is not None and any(map(_forbids_calls, before.checks)):
            what = "needs a call in the step before, which asks for no call; no reply gains both"
            yield f"step {number} {what}", "Mend one of the two steps."
        elif step.tool_result is not None and not offered:
            what = "needs a call in the step before, and no tool is offered"
            yield f"step {number} {what}", "Offer a tool, or leave `toolResult` out."
    yield from _failing_example(case)


def _contradictions(step: Step) -> Iterator[str]:
    for (first, one), (second, other) in combinations(enumerate(step.checks, 1), 2):
        if _is_contradiction(one.asked, other.asked):
            yield f"check {first} and check {second} can't both pass"


def _repetitions(step: Step) -> Iterator[str]:
    for (first, one), (second, other) in combinations(enumerate(step.checks, 1), 2):
        if _written_alike(one.asked) == _written_alike(other.asked):
            yield f"check {first} and check {second} are the same, and count twice"


def _written_alike(asked: Asked) -> tuple[str | None, ...]:
    """Equal for checks that ask the same; 1 and "1" are two values."""
    return (asked.type, *_place(asked), type_of(asked.value), text_of(asked.value))


def _is_contradiction(one: Asked, other: Asked) -> bool:
    kinds = (one.type, other.type)
    if kinds in _OPPOSITES or kinds[::-1] in _OPPOSITES:
        same = _place(one) == _place(other) and text_of(one.value) == text_of(other.value)
        return same or _forbids(one) or _forbids(other)
    if {one.type, other.type} & _CALLING and (_forbids(one) or _forbids(other)):
        return True
    if one.type != other.type or one.type not in _ONE_ANSWER or _place(one) != _place(other):
        return False
    values = (one.value, other.value)
    if one.type == "json_path_type" and set(values) == {"array", "object"}:
        return False  # an array is an object too
    return not (loosely_equal(*values) or loosely_equal(*reversed(values)))


def _place(asked: Asked) -> tuple[str | None, ...]:
    return (asked.flags, asked.path, asked.arg)


def _forbids_calls(check: Check) -> bool:
    return _forbids(check.asked)


def _forbids(asked: Asked) -> bool:
    return asked.type == "tool_not_called" and asked.value is None


def _not_offered(step: Step, offered: Iterable[str]) -> Iterator[str]:
    for number, check in enumerate(step.checks, 1):
        if check.asked.type == "tool_called" and check.asked.value not in offered:
            yield f"check {number} asks for the tool {check.asked.value!r}, which is not offered"
        elif check.asked.type in _CALLING and not offered:
            yield f"check {number} asks for a call, and no tool is offered"


def _never(step: Step) -> Iterator[str]:
    for number, check in enumerate(step.checks, 1):
        asked = check.asked
        if _is_out_of_reach(asked):
            said = text_of(asked.value)
            yield f"check {number} never passes: nothing has the {_SOUGHT[asked.type]} {said!r}"


_SOUGHT = {
    "word_count": "number of words",
    "line_count": "number of lines",
    "first_word": "first word",
    "last_word": "last word",
    "json_path_type": "type",
}


def _is_out_of_reach(asked: Asked) -> bool:
    if asked.type in _COUNTS:
        number = number_of(asked.value)
        return isinstance(asked.value, str) or number < 0 or number % 1 != 0
    if asked.type in _WORDS:
        word = text_of(asked.value)
        bare = not word or (word[0].isalnum() and word[-1].isalnum())
        return not bare or len(words(word)) > 1
    return asked.type == "json_path_type" and asked.value not in _TYPES


def _failing_example(case: Case) -> Iterator[tuple[str, str]]:
    if case.example is None:
        return
    attempt = Attempt("example", case.name, "example", 1, "completed", turns=case.example)
    for number, (step, verdicts) in enumerate(verdicts_of(case, attempt), 1):
        where = f"step {number}: " if len(case.steps) > 1 else ""
        if verdicts is None:
            yield f"{where}its own example never gets there", _MEND_EXAMPLE
        for place, passed in enumerate(verdicts or (), 1):
            if not passed:
                kind = step.checks[place - 1].asked.type
                yield f"{where}its own example fails check {place} ({kind})", _MEND_EXAMPLE


_MEND_EXAMPLE = "Mend the example or the check, whichever is wrong."
