"""Every example of the guide that is no command: read by the code that it speaks of."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, get_args

import msgspec
import pytest

from generator.families.catalog import FAMILIES
from generator.families.declarative.audit import audit
from generator.families.declarative.checks.catalog import CHECKS, check_type
from generator.families.declarative.corpus import CaseFile, CheckFile, StepFile
from generator.families.declarative.family import METRICS
from generator.families.declarative.javascript import loosely_equal
from generator.families.declarative.repair import parsed
from generator.families.declarative.reply import Reply
from generator.families.declarative.scorer import ENDINGS
from generator.families.declarative.tiers import read_tiers
from generator.families.paired.family import Paired
from generator.families.steps.catalogue import ActionFile, CatalogueFile, SurfaceFile
from generator.families.steps.corpus import CaseFile as CaseWithTools
from generator.families.steps.corpus import ChangeFile
from generator.families.steps.expected import OfFixture, OfStep, read_expected
from generator.families.steps.family import Steps
from generator.families.steps.scorer import RATIOS
from generator.provenance.rules import RULES
from generator.records.benchmark import Benchmark, DeclaredSystem, Price, Subject
from generator.records.bundle import (
    EXCLUDED,
    SIMULATED,
    Attempt,
    Change,
    Manifest,
    Outcome,
    System,
    Tokens,
    ToolCall,
    Turn,
)
from generator.records.digests import contracts_digest
from generator.records.experiment import Arm, Experiment, Task
from generator.records.run_record import RunRecord
from generator.runners.command import Answered
from generator.runners.fake import VARIANTS
from generator.runners.replayed import PLAYS
from generator.statistics.intervals import wilson
from generator.store.lines import read_attempt, write_attempt
from tests.guide.reading import PAGES, blocks, code, named, table, text
from tests.runners.test_replayed import LOSES

STEPS = Steps()
PAIRED = Paired()
CALL = re.compile(r"(\w+)\((\{.*\})\)")


def benchmark(*fragments: str) -> Benchmark:
    """The benchmark of the guide, with further tables at its end."""
    whole = next(blocks("benchmark.md", "toml")).text
    return Benchmark.from_toml("\n".join([whole, *fragments]).encode())


def reply(said: str) -> Reply:
    """A reply as the tables write it: a text with its line ends, or a call with its arguments."""
    call = CALL.fullmatch(said)
    if call:
        return Reply.of(Turn(tool_calls=(ToolCall(call[1], msgspec.Raw(call[2].encode())),)))
    return Reply.of(Turn(content=lines(said)))


def lines(said: str) -> str:
    """A text with the line ends that a table shows by a sign."""
    return re.sub(" ?⏎ ?", "\n", said)


def checks() -> Iterator[Any]:
    """Each line of the tables of checks: the check, a reply that passes it, one that fails."""
    rows = [row for row in _rows("benchmark.md") if code(row[0])[:1] and '"type"' in row[0]]
    for asked, _, passes, fails in rows:
        yield pytest.param(code(asked)[0], code(passes)[0], code(fails)[0], id=code(asked)[0])


def _rows(page: str) -> Iterator[list[str]]:
    for line in text(page).splitlines():
        if line.startswith("| "):
            yield [cell.strip() for cell in line.strip().strip("|").split(" | ")]


def struct_fields(*shapes: type[msgspec.Struct]) -> set[str]:
    """The names of the fields of some shapes, as their files have them."""
    return {name for shape in shapes for name in shape.__struct_encode_fields__}


# Writing a benchmark


def test_the_benchmark_is_one() -> None:
    """The example of benchmark.toml can be read, and shows only what there is."""
    known = {metric.id for metric in METRICS}
    assert {shown.partition(".")[0] for shown in benchmark().shown} <= known


@pytest.mark.parametrize("page", PAGES)
def test_every_table_of_toml_fits_the_benchmark(page: str) -> None:
    """What the guide adds to benchmark.toml can be added to it, tiers and effort included."""
    for block in blocks(page, "toml"):
        if "format =" not in block.text:
            grown = benchmark(block.text)
            assert (
                read_tiers(grown) or grown.effort or grown.systems or grown.prices or grown.subject
            )


def test_a_tier_for_programs_is_the_one_of_the_guide() -> None:
    """The tiers are declared from the highest to the lowest."""
    (tiers,) = (block.text for block in blocks("benchmark.md", "toml") if "tiers" in block.text)
    assert [tier.id for tier in read_tiers(benchmark(tiers))] == ["large", "medium", "small"]


def test_the_cases_are_sound() -> None:
    """An audit of the cases of the guide finds nothing."""
    declarative = [block for block in blocks("benchmark.md", "json") if '"category"' in block.text]
    files = {f"{n}.json": block.text.encode() for n, block in enumerate(declarative)}
    assert len(files) == 3
    assert audit(files, benchmark()) == ()


def test_the_case_with_tools_is_sound() -> None:
    """It fits the catalogue, the catalogue the subject, and its prompt gives nothing away."""
    (subject,) = (block for block in blocks("benchmark.md", "toml") if "[subject]" in block.text)
    paired = ('"category"', '"runtimeRevision"', "list.txt")
    catalogue, case = (
        block
        for block in blocks("benchmark.md", "json")
        if not any(text in block.text for text in paired)
    )
    files = {"catalogue.json": catalogue.text.encode(), "case.json": case.text.encode()}
    assert STEPS.audit(files, benchmark(subject.text)) == ()
    STEPS.corpus(files, benchmark(subject.text))


def test_the_paired_benchmark_is_sound() -> None:
    """Its manifest, its task and its oracle are what the family asks for."""
    (toml,) = (block for block in blocks("benchmark.md", "toml") if '"paired"' in block.text)
    manifest, task = (
        block
        for block in blocks("benchmark.md", "json")
        if '"runtimeRevision"' in block.text or "list.txt" in block.text
    )
    (oracle,) = (block for block in blocks("benchmark.md", "python") if "sys.exit" in block.text)
    files = {
        "experiment.json": manifest.text.encode(),
        "fruit/task.json": task.text.encode(),
        "fruit/oracle.py": oracle.text.encode(),
    }
    assert PAIRED.audit(files, Benchmark.from_toml(toml.text.encode())) == ()


def test_the_fields_of_a_manifest_are_those_that_are_read() -> None:
    """Each table names every field by its name, and no other."""
    for head, shape in (
        ("field of a manifest", Experiment),
        ("field of an arm", Arm),
        ("field of a task", Task),
    ):
        told = [code(row[0])[0] for row in table("running.md", head)]
        assert told == [field.alias for field in shape.model_fields.values()], head
    keys = [key for row in table("running.md", "key of a record") for key in code(row[0])]
    assert sorted(keys) == sorted(RunRecord.__struct_encode_fields__)


def test_an_expected_value_is_read_as_its_line_says() -> None:
    """The forms of the table are those that there are."""
    forms = [json.loads(code(row[0])[0]) for row in table("benchmark.md", "expected value")]
    assert [*map(type, map(read_expected, forms))] == [str, OfFixture, OfFixture, OfStep]


@pytest.mark.parametrize(("check", "passes", "fails"), list(checks()))
def test_a_check_does_what_its_line_says(check: str, passes: str, fails: str) -> None:
    """The one reply passes the check, and the other does not."""
    asked = msgspec.json.decode(check, type=CheckFile)
    verdict = check_type(asked.type).ready(asked)
    assert verdict(reply(passes))
    assert not verdict(reply(fails))


def test_every_check_has_an_example() -> None:
    """No type of check is missing from the tables, and none is there that is none."""
    shown = [
        json.loads(code(row[0])[0])["type"] for row in _rows("benchmark.md") if '"type"' in row[0]
    ]
    assert list(dict.fromkeys(shown)) == [kind.id for kind in CHECKS]


def test_what_equals_what() -> None:
    """Each value equals what its line says, and nothing of what the line sets against it."""
    for value, equal, other in table("benchmark.md", "value of the check"):
        wanted = json.loads(code(value)[0])
        for said in code(equal):
            assert loosely_equal(json.loads(said), wanted), (said, wanted)
        for said in code(other):
            assert not loosely_equal(json.loads(said), wanted), (said, wanted)


def test_json_is_read_as_the_table_says() -> None:
    """Each damaged text gives the document beside it, or none."""
    for said, read in table("benchmark.md", "said"):
        document = code(read)
        expected = json.loads(document[0].replace(" \\n ", "\\n")) if document else None
        assert parsed(lines(code(said)[0])) == expected


@pytest.mark.parametrize(
    ("page", "head", "fields"),
    [
        ("benchmark.md", "field", {*Benchmark.model_fields}),
        ("benchmark.md", "field of a case", struct_fields(CaseFile)),
        ("benchmark.md", "field of a step", struct_fields(StepFile)),
        ("benchmark.md", "field of a check", struct_fields(CheckFile)),
        ("benchmark.md", "metric", {*ENDINGS}),
        ("benchmark.md", "of `[subject]`", {*Subject.model_fields}),
        ("benchmark.md", "of the catalogue", struct_fields(CatalogueFile)),
        ("benchmark.md", "of a surface", struct_fields(SurfaceFile)),
        ("benchmark.md", "of an action", struct_fields(ActionFile)),
        ("benchmark.md", "of a case with tools", struct_fields(CaseWithTools)),
        ("benchmark.md", "of a change", struct_fields(ChangeFile)),
        ("benchmark.md", "measure of steps", {*RATIOS}),
        ("running.md", "field", {*DeclaredSystem.model_fields}),
        ("running.md", "member", struct_fields(Answered)),
        ("running.md", "price", {*Price.model_fields}),
        ("bundle.md", "field of a system", {*System.model_fields}),
        ("bundle.md", "field of a turn", struct_fields(Turn)),
        ("bundle.md", "field of a change", struct_fields(Change)),
        ("bundle.md", "field of a call", struct_fields(ToolCall)),
        ("bundle.md", "outcome", {*get_args(Outcome)}),
    ],
)
def test_a_table_names_everything_once(page: str, head: str, fields: Iterable[str]) -> None:
    """No field, no ending and no outcome is left out, and none is invented."""
    names = named(page, head)
    assert len(set(names)) == len(names)
    assert set(names) == set(fields)


def test_the_manifest_and_the_attempt_are_told_in_full() -> None:
    """Both tables of the page that begin with the same word."""
    first, second = text("bundle.md").split("## An attempt\n")
    assert _first_column(first, "| field | what it says |") == {*Manifest.model_fields}
    assert _first_column(second, "| field | what it says |") == struct_fields(Attempt)


def _first_column(part: str, head: str) -> set[str]:
    rows = part.partition(head)[2].split("\n\n")[0].splitlines()[2:]
    return {name for row in rows for name in code(row.split(" | ")[0])}


def test_every_kind_of_token_and_every_simulated_provider_is_named() -> None:
    """What has no table of its own is named in the text."""
    told = set(code(text("bundle.md")))
    assert struct_fields(Tokens) <= told
    assert told >= SIMULATED


def test_every_metric_is_named() -> None:
    """What may be shown is what the family measures."""
    assert {metric.id for metric in METRICS} <= set(code(text("benchmark.md")))


def test_every_simulated_system_is_named() -> None:
    """The variants of the page are those that there are."""
    told = set(re.findall(r"fake:([a-z-]+)", text("running.md")))
    assert told == {*VARIANTS, *PLAYS}


def test_what_a_simulated_system_loses_is_told_as_it_is_tested() -> None:
    """The table of the page is the table of the tests; the perfect one stands above it."""
    told = {
        code(row[0])[0].removeprefix("fake:"): set(code(row[2]))
        for row in table("running.md", "variant", "what it does")
    }
    assert told | {"perfect": set()} == LOSES


# Writing a harness


def test_the_manifest_is_one() -> None:
    """The example of run.json is what the reader takes."""
    (manifest,) = (block for block in blocks("bundle.md", "json") if "format" in block.text)
    assert Manifest.parse(manifest.text).status == "complete"


def test_the_attempts_are_attempts() -> None:
    """Each line is read, and is the very line that would be written."""
    shown = [block.text.strip() for block in blocks("bundle.md", "json") if '"case"' in block.text]
    assert len(shown) == 2
    for line in shown:
        assert write_attempt(read_attempt(line.encode())).decode() == line


def test_outcomes_that_are_left_out_are_told() -> None:
    """What counts as nothing are the outcomes that no measure holds."""
    nothing = [
        code(row[0])[0] for row in table("bundle.md", "outcome") if row[2].startswith("nothing")
    ]
    assert set(nothing) == {*EXCLUDED, "skipped"}


def test_digests_by_hand_are_those_of_the_writer(capsys: pytest.CaptureFixture[str]) -> None:
    """The recipes give the digests that the code makes."""
    recipes = [block for block in blocks("bundle.md", "python") if "hashlib" in block.text]
    assert len(recipes) == 2
    for recipe in recipes:
        exec(recipe.text, {})  # noqa: S102  the guide's own example
    (family,) = (known for known in FAMILIES if known.id == "declarative")
    scoring: dict[str, Any] = {"limits": {"seconds_per_attempt": 10}}
    said = contracts_digest(family.id, family.version, scoring)
    assert capsys.readouterr().out.strip() == said


# What may be published


def test_every_rule_is_explained() -> None:
    """The table has all rules in their order."""
    assert named("publishing.md", "rule") == [rule.id for rule in RULES]


def test_what_a_rehearsal_waives_is_told() -> None:
    """Both pages name the rules that a rehearsal waives, and no other."""
    waived = {rule.id for rule in RULES if rule.waived_in_rehearsal}
    for page in ("publishing.md", "recording.md"):
        (said,) = (part for part in text(page).split("\n\n") if "waive" in part and "`" in part)
        assert {name for name in code(said) if name in {rule.id for rule in RULES}} == waived


def test_an_interval_of_the_guide_is_computed() -> None:
    """The numbers that explain an interval are real."""
    low, high = wilson(32, 32) or (0.0, 0.0)
    assert f"`32 / 32` has the interval {100 * low:.1f} % to {100 * high:.0f} %" in text(
        "reading.md"
    )


# All pages


@pytest.mark.parametrize("page", PAGES)
def test_a_page_says_what_it_is(page: str) -> None:
    """Front matter, and one heading of the first level."""
    front = text(page).split("---\n")[1]
    keys = [line.partition(":")[0] for line in front.splitlines()]
    assert keys == [
        *("title", "description", "software_version", "scope", "state", "reviewed", "maintainer")
    ]
    outside = re.sub(r"^```.*?^```$", "", text(page), flags=re.MULTILINE | re.DOTALL)
    assert len(re.findall(r"^# ", outside, re.MULTILINE)) == 1


@pytest.mark.parametrize("page", PAGES)
def test_every_block_is_one_that_a_test_looks_at(page: str) -> None:
    """No example slips in that nothing tries; what a program says is marked as text."""
    kinds = {block.language for block in blocks(page)}
    assert kinds <= {"sh", "python", "toml", "json", "text"}
    assert text(page).count("```") == 2 * len(list(blocks(page)))
