"""The audit of a project's benchmark: files by their place, whatever is wrong with them."""

import json
from pathlib import Path

import pytest

from generator.errors import CorpusError
from generator.workflow.audit import Audit, Flaw, audit
from tests.conftest import ANSWERS, BENCHMARK, CASES, Kit
from tests.workflow.graded import GRADED, PLACE

YO = f"{CASES}/curt/curt-yo.json"


def flaws(kit: Kit) -> list[tuple[str, str]]:
    """File and fault of each flaw of the project's benchmark."""
    return [(flaw.file, flaw.what) for flaw in audit(kit.project, BENCHMARK).flaws]


def spoil(kit: Kit, path: str, **fields: object) -> None:
    """Change some fields of a case, in the work tree alone."""
    kit.write(path, json.dumps({**json.loads(kit.read(path)), **fields}))


def test_a_sound_benchmark_has_no_flaw(kit: Kit) -> None:
    """The benchmark that tests begin with is counted and left alone."""
    assert audit(kit.project, BENCHMARK) == Audit(BENCHMARK, len(ANSWERS), ())


def test_a_flaw_names_its_file_from_the_root_of_the_project(kit: Kit) -> None:
    """A reader can open what a flaw names, and reads what to do with it."""
    spoil(kit, YO, example="No.")
    (flaw,) = audit(kit.project, BENCHMARK).flaws
    assert flaw == Flaw(
        YO,
        "its own example fails check 1 (contains)",
        "Mend the example or the check, whichever is wrong.",
    )
    assert (kit.root / flaw.file).is_file()


def test_a_flaw_of_the_benchmark_names_its_own_file(kit: Kit) -> None:
    """What no case is at fault for stands where it is mended, and no path leads around."""
    kit.write(PLACE, GRADED.replace("polite = 0.50", "rude = 0.50"))
    ((file, what),) = flaws(kit)
    assert (file, what.split(", which")[0]) == (
        PLACE,
        "the tier 'medium' names the category 'rude'",
    )


def test_all_flaws_are_told_at_once(kit: Kit) -> None:
    """Those of all files, in the order of the files, where a run would stop at the first."""
    spoil(kit, f"{CASES}/polite/polite-evening.json", checks=[{"type": "vibes"}], prompt="")
    spoil(kit, YO, example="No.")
    kit.write(f"{CASES}/curt/curt-hey.json", "{")
    assert [(file, what[:9]) for file, what in flaws(kit)] == [
        (f"{CASES}/curt/curt-hey.json", "Expecting"),
        (YO, "its own e"),
        (f"{CASES}/polite/polite-evening.json", "`prompt` "),
        (f"{CASES}/polite/polite-evening.json", "check 1: "),
    ]


def test_the_work_tree_is_audited(kit: Kit) -> None:
    """What is not committed yet is what whoever writes it wants to know of."""
    kit.write(f"{CASES}/polite/polite-noon.json", kit.read(YO))
    what = f"the name 'curt-yo' stands in {YO.removeprefix(CASES + '/')} too, or reads the same"
    assert flaws(kit) == [(f"{CASES}/polite/polite-noon.json", what)]
    assert audit(kit.project, BENCHMARK).files == len(ANSWERS) + 1


def test_no_case_at_all_is_a_flaw(kit: Kit) -> None:
    """An empty folder is told as such, not as a table of nothing."""
    for path in (kit.root / CASES).rglob("*.json"):
        path.unlink()
    assert flaws(kit) == [(CASES, "there is no case")]


def test_an_audit_writes_nothing(kit: Kit) -> None:
    """Nothing is run, recorded or drawn."""
    before = kit.committed()
    spoil(kit, YO, example="No.")
    changed = kit.committed()
    flaws(kit)
    assert kit.committed() == changed
    assert [path for path in changed if changed[path] != before[path]] == [YO]


def test_a_benchmark_that_is_not_there_is_a_fault(kit: Kit) -> None:
    """Known ones are listed."""
    with pytest.raises(CorpusError, match="farewells") as fault:
        audit(kit.project, "farewells")
    assert fault.value.remedy == "Known benchmarks: greetings."


@pytest.mark.parametrize(
    ("line", "spoilt", "what"),
    [
        ('version = "1"', "", "at version: Field required"),
        ('family = "declarative"', 'family = "vibes"', "names the family 'vibes'"),
        ('id = "greetings"', 'id = "farewells"', "the id is 'farewells'"),
        ('id = "low"', 'id = "none"', "each id stands once"),
        ("tokens = 500", "tokens = 0", "at effort.1.tokens: Input should be greater than 0"),
        ("tokens = 500", "price = 500", "at effort.1.price: Extra inputs are not permitted"),
        ('instruction = "Answer at once."', 'instruction = ""', "at effort.0.instruction: "),
    ],
)
def test_a_benchmark_that_can_not_be_read_is_a_fault(
    kit: Kit, line: str, spoilt: str, what: str
) -> None:
    """Without the benchmark's own file no case means anything."""
    assert GRADED.count(line) == 1
    kit.write(PLACE, GRADED.replace(line, spoilt))
    with pytest.raises(CorpusError) as fault:
        audit(kit.project, BENCHMARK)
    assert what in fault.value.what


def test_a_link_among_the_cases_is_a_fault(kit: Kit) -> None:
    """What a commit would not hold as a file is no case."""
    (kit.root / CASES / "curt" / "link.json").symlink_to(Path("curt-yo.json"))
    with pytest.raises(CorpusError, match="is a link"):
        audit(kit.project, BENCHMARK)
