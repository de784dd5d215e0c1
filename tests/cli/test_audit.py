"""`results audit`, as a person or a script meets it."""

import json
from collections.abc import Callable

import pytest

from tests.cli.conftest import Said
from tests.conftest import CASES, Kit

YO = f"{CASES}/curt/curt-yo.json"
Results = Callable[..., Said]


def spoil(kit: Kit, **fields: object) -> None:
    """Change some fields of one case."""
    kit.write(YO, json.dumps({**json.loads(kit.read(YO)), **fields}))


def test_nothing_is_wrong(kit: Kit, results: Results) -> None:
    """One line counts the cases; the exit code is that of a thing done."""
    said = results(kit, "audit", "greetings")
    assert said == Said(0, "greetings: 4 files, nothing is wrong\n", "")


def test_one_case_is_one_case(kit: Kit, results: Results) -> None:
    """Numbers are said in English, and a flaw is told with its file and what to do."""
    for path in (kit.root / CASES).rglob("*.json"):
        if path.stem != "curt-yo":
            path.unlink()
    said = results(kit, "audit", "greetings")
    assert said.code == 1
    assert said.out.splitlines() == [
        "results/benchmarks/greetings/benchmark.toml: no case is of the category 'polite'",
        "    Write a case of it, or leave the category out.",
        "greetings: 1 file, 1 flaw",
    ]


def test_every_flaw_is_said(kit: Kit, results: Results) -> None:
    """Two lines a flaw, and a last line that counts; the exit code says that there are some."""
    checks = [{"type": "contains", "value": "Yo"}, {"type": "not_contains", "value": "Yo"}]
    spoil(kit, checks=checks, example="Yo!")
    said = results(kit, "audit", "greetings")
    assert (said.code, said.err) == (1, "")
    assert said.out.splitlines() == [
        f"{YO}: check 1 and check 2 can't both pass",
        "    Mend one of them: no reply gains all of the weight.",
        f"{YO}: its own example fails check 2 (not_contains)",
        "    Mend the example or the check, whichever is wrong.",
        "greetings: 4 files, 2 flaws",
    ]


def test_flaws_for_a_program(kit: Kit, results: Results) -> None:
    """The same in JSON, with the same exit code; a sound corpus has an empty list."""
    assert results(kit, "audit", "greetings", "--json").json == {
        "benchmark": "greetings",
        "files": 4,
        "flaws": [],
    }
    spoil(kit, example="No.")
    said = results(kit, "audit", "greetings", "--json")
    assert said.code == 1
    assert said.json["flaws"] == [
        {
            "file": YO,
            "what": "its own example fails check 1 (contains)",
            "remedy": "Mend the example or the check, whichever is wrong.",
        }
    ]


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ("audit", 2, "Missing argument"),
        ("audit greetings farewells", 2, "unexpected extra argument"),
        ("audit greetings --strict", 2, "No such option"),
        ("audit farewells", 4, "Known benchmarks: greetings."),
        ("audit ../greetings", 4, "Known benchmarks: greetings."),
    ],
)
def test_a_fault_is_words_and_a_code(
    kit: Kit, results: Results, words: str, code: int, told: str
) -> None:
    """What can't be audited is no flaw of it: another code, on standard error."""
    said = results(kit, *words.split())
    assert (said.code, said.out) == (code, "")
    assert told in said.err


def test_a_case_commands_no_terminal(kit: Kit, results: Results) -> None:
    """What a case says is quoted without escape sequences and marks that turn text around."""
    spoil(kit, category="\x1b[31mred\u202e", checks=[{"type": "\x07\x9b2J"}])
    said = results(kit, "audit", "greetings")
    assert said.code == 1
    assert not set("\x1b\x07\x9b\u202e") & set(said.out + said.err)
