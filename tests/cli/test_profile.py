"""`results profile`, as a person or a script meets it."""

import json
from collections.abc import Callable

import pytest

from tests.cli.conftest import Said
from tests.conftest import TOML, Kit, edit_json
from tests.workflow.graded import EFFORT, GRADED, MODEL, at, declare, publish

Results = Callable[..., Said]


@pytest.fixture
def graded(kit: Kit) -> Kit:
    """A project with one model at two levels of effort."""
    declare(kit)
    publish(kit, (at("low"), "medium"), (at("xhigh"), "large"))
    return kit


def test_profiles_are_written(graded: Kit, results: Results) -> None:
    """The file is named and what stands in it is counted."""
    path = graded.root / "models_profile.json"
    said = results(graded, "profile", "greetings")
    assert said == Said(0, f"{path}: 2 profiles\n", "")
    assert set(json.loads(path.read_bytes())["profiles"]) == {f"{MODEL}@low", f"{MODEL}@xhigh"}


def test_profiles_are_written_where_that_is_asked(graded: Kit, results: Results) -> None:
    """Seen from where one stands; nothing is written in the usual place."""
    said = results(graded, "profile", "greetings", "--out", "dist/mine.json")
    assert (said.code, said.out) == (0, "dist/mine.json: 2 profiles\n")
    assert (graded.root / "dist" / "mine.json").is_file()
    assert not (graded.root / "models_profile.json").exists()


def test_a_file_without_profiles_is_written_too(kit: Kit, results: Results) -> None:
    """Nothing to trust is an answer, and a program that reads the file gets it."""
    declare(kit)
    said = results(kit, "profile", "greetings")
    assert (said.code, said.out.split(": ")[1]) == (0, "0 profiles\n")
    assert json.loads(kit.read("models_profile.json"))["profiles"] == {}


def test_writing_for_a_program(graded: Kit, results: Results) -> None:
    """The place and the number, in JSON."""
    said = results(graded, "profile", "greetings", "--json")
    path = str(graded.root / "models_profile.json")
    assert (said.code, said.json) == (0, {"file": path, "profiles": 2})


def test_valid_profiles_are_judged(graded: Kit, results: Results) -> None:
    """Each profile stands with its tier, and the exit code says that all are valid."""
    results(graded, "profile", "greetings")
    said = results(graded, "profile", "--judge", "models_profile.json")
    assert said == Said(0, f"{MODEL}@low: medium\n{MODEL}@xhigh: large\n", "")


def test_a_profile_that_is_not_valid_is_told(graded: Kit, results: Results) -> None:
    """The reason stands in the place of the tier; one is enough for another exit code."""
    results(graded, "profile", "greetings")
    edit_json(
        graded.root / "models_profile.json",
        lambda held: held["profiles"][f"{MODEL}@low"].update(benchmark_version="0"),
    )
    said = results(graded, "profile", "--judge", "models_profile.json")
    assert said == Said(
        1,
        f"{MODEL}@low: not valid: it was measured on version 0, not 1\n{MODEL}@xhigh: large\n",
        "",
    )


def test_judging_for_a_program(graded: Kit, results: Results) -> None:
    """The same in JSON, with the same exit code."""
    results(graded, "profile", "greetings")
    declare(graded, GRADED.replace('version = "1"', 'version = "2"'))
    said = results(graded, "profile", "--judge", "models_profile.json", "--json")
    why = "it was measured on version 1, not 2"
    assert said.code == 1
    assert said.json["profiles"] == [
        {"system": f"{MODEL}@{level}", "tier": None, "why_not": why} for level in ("low", "xhigh")
    ]


def test_no_profile_is_never_an_invalid_one(kit: Kit, results: Results) -> None:
    """An empty file has nothing that is not valid."""
    declare(kit)
    results(kit, "profile", "greetings")
    assert results(kit, "profile", "--judge", "models_profile.json") == Said(0, "", "")


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ("profile", 2, "name a benchmark to write its profiles, or a file with --judge"),
        ("profile greetings --judge x.json", 2, "name a benchmark to write its profiles, or"),
        ("profile greetings farewells", 2, "unexpected extra argument"),
        ("profile --judge gone.json", 2, "gone.json can't be read: No such file or directory."),
        ("profile --judge README.md", 2, "Write it again with results profile."),
        ("profile farewells", 4, "Known benchmarks: greetings."),
        ("profile greetings", 4, "declares no tiers"),
        ("profile greetings --out README.md/x.json", 7, "x.json can't be written"),
    ],
)
def test_a_fault_is_words_and_a_code(
    kit: Kit, results: Results, words: str, code: int, told: str
) -> None:
    """What can't be done is said on standard error, and nothing is written."""
    declare(kit, TOML + EFFORT if "tiers" in told else GRADED)
    before = kit.committed()
    said = results(kit, *words.split())
    assert (said.code, said.out) == (code, "")
    assert told in said.err
    assert kit.committed() == before


def test_a_file_commands_no_terminal(graded: Kit, results: Results) -> None:
    """A file of profiles may come from anywhere; its names are printed plain."""
    results(graded, "profile", "greetings")
    path = graded.root / "models_profile.json"
    hostile = "\x1b[31mred\x07\x9b2J\u202e"
    edit_json(
        path, lambda held: held["profiles"].update({hostile: held["profiles"][f"{MODEL}@low"]})
    )
    said = results(graded, "profile", "--judge", path)
    assert said.code == 0
    assert "[31mred" in said.out
    assert not set("\x1b\x07\x9b\u202e") & set(said.out + said.err)
