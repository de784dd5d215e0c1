"""Everything that is wrong with a corpus at once, also what can be read and makes no sense."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from generator.families.declarative.checks.check import Asked, Check
from generator.families.declarative.corpus import Case, Reading, Step, tool_name
from generator.families.declarative.javascript import loosely_equal
from generator.families.declarative.scorer import verdicts_of
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
    try:
        corpus = reading.corpus()
    except CorpusFault as fault:
        return (*found, fault)
    used = {case.category for case in corpus.by_name.values()}
    found += (
        CorpusFault("../benchmark.toml", f"no case is of the category {category!r}", _NO_CASE)
        for category, _ in corpus.categories
        if category not in used
    )
    return tuple(found)


_NO_CASE = "Write a case of it, or leave the category out."


def _senseless(case: Case) -> Iterator[tuple[str, str]]:
    """What is wrong with a case that can be read, and what to do."""
    offered = {tool_name(tool) for tool in case.tools}
    for number, step in enumerate(case.steps, 1):
        where = f"step {number}: " if len(case.steps) > 1 else ""
        for what in (*_contradictions(step), *_not_offered(step, offered)):
            yield where + what, "Mend one of them: no reply gains all of the weight."
    for number, (before, step) in enumerate(zip(case.steps, case.steps[1:], strict=False), 2):
        if step.tool_result is not None and any(map(_forbids_calls, before.checks)):
            what = "needs a call in the step before, which asks for no call; no reply gains both"
            yield f"step {number} {what}", "Mend one of the two steps."
    yield from _failing_example(case)


def _contradictions(step: Step) -> Iterator[str]:
    for (first, one), (second, other) in combinations(enumerate(step.checks, 1), 2):
        if _is_contradiction(one.asked, other.asked):
            yield f"check {first} and check {second} can't both pass"
        elif (one.asked.type, *_place(one.asked), one.asked.value) == (
            other.asked.type,
            *_place(other.asked),
            other.asked.value,
        ):
            yield f"check {first} and check {second} are the same, and count twice"


def _is_contradiction(one: Asked, other: Asked) -> bool:
    kinds = (one.type, other.type)
    if kinds in _OPPOSITES or kinds[::-1] in _OPPOSITES:
        forbids_all = None in (one.value, other.value)
        return _place(one) == _place(other) and (forbids_all or one.value == other.value)
    if {one.type, other.type} & _CALLING and (_forbids(one) or _forbids(other)):
        return True
    same = one.type == other.type and one.type in _ONE_ANSWER and _place(one) == _place(other)
    values = (one.value, other.value)
    return same and not (loosely_equal(*values) or loosely_equal(*reversed(values)))


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
