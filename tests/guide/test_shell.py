"""The commands of the guide, run from top to bottom as a reader would.

A page is followed literally: what is to be saved is saved, what is to be added is added, and every
block of commands is run where the one before it has ended. All but the first page begin where that
one has run its first benchmark.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.families.paired.runs import run
from tests.guide.reader import ENDPOINT, LEFT_OUT, Reader, model
from tests.guide.reading import PAGES, blocks, code, table

FIRST = "index.md"
EXAMPLE = "first-benchmark"

ALONE = {
    "results record dist/runs/first-benchmark --submission": "instead of the recording before it",
}
"""Blocks that are run in a copy of their own, with the reason for each."""


@pytest.fixture(scope="session")
def endpoint() -> Iterator[str]:
    """The address of a model, on this machine."""
    with model() as address:
        yield address


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory, endpoint: str) -> Reader:
    """Somebody who has laid out a site and run its benchmark, by the first page of the guide."""
    reader = Reader.starting(tmp_path_factory.mktemp("reader") / "begun", endpoint)
    for block in blocks(FIRST):
        reader.follow(block)
        if any(reader.here.glob("dist/runs/*/run.json")):
            return reader
    message = "the first page runs no benchmark"
    raise AssertionError(message)


def test_the_first_page_ends_in_a_site(tmp_path: Path, endpoint: str) -> None:
    """From nothing to a published row and a built site, by the commands of the page alone."""
    reader = Reader.starting(tmp_path / "reader", endpoint)
    for block in blocks(FIRST):
        reader.follow(block)
    assert list(reader.here.glob("results/registry/*/*.json"))
    assert (reader.here / "site" / "index.html").is_file()


OF_ONES_OWN = {
    "benchmark.md": ("assistant", "results run assistant --system openai:my-model"),
    "bundle.md": (EXAMPLE, f"python results/benchmarks/{EXAMPLE}/harness/mine.py"),
    "running.md": (EXAMPLE, f"results run {EXAMPLE} --system command:mine --out dist/runs/mine"),
}
"""By page: the benchmark and the run of what somebody who has followed it has of their own."""


@pytest.mark.parametrize("page", [page for page in PAGES if page != FIRST])
def test_a_page_can_be_followed(begun: Reader, tmp_path: Path, page: str) -> None:
    """Each command does what it should, in the order of the page; what is made is publishable."""
    reader, alone = begun.copy(tmp_path / "reader"), begun.copy(tmp_path / "alone")
    for block in blocks(page):
        (alone if block.text.strip() in ALONE else reader).follow(block)
    if page in OF_ONES_OWN:
        benchmark, commands = OF_ONES_OWN[page]
        reader.run(f"export OPENAI_BASE_URL={ENDPOINT}\n{commands}")
        runs = reader.here.glob("dist/runs/*/run.json")
        newest = max(runs, key=lambda manifest: manifest.stat().st_mtime_ns).parent
        reader.run(f"results record {newest}\nresults check")
        assert len(list(reader.here.glob(f"results/registry/{benchmark}/*.json"))) == 1


FOR_PROGRAMS = {
    "results run": "first-benchmark --system fake:perfect --out dist/runs/fake",
    "results record": "dist/runs/first-benchmark --dry-run",
    "results score": "dist/runs/first-benchmark",
    "results audit": "first-benchmark",
    "results check": "",
    "results rules": "",
    "results profile": "first-benchmark",
    "results compare": "dist/records.ndjson a b",
    "results candidate show": "claimed",
}
"""By command: further words, with which it can be run."""

TIER = '\n[[scoring.tiers]]\nid = "any"\n'


def test_what_is_said_to_programs_has_the_keys_of_the_reference(
    begun: Reader, tmp_path: Path
) -> None:
    """Each key that the reference names is there, at the top and inside, and no other."""
    reader = begun.copy(tmp_path / "reader")
    shown = {code(row[0])[0]: code(row[1]) for row in table("commands.md", "command", "keys")}
    assert shown.keys() == FOR_PROGRAMS.keys()
    said = {}
    for command, words in FOR_PROGRAMS.items():
        if command == "results profile":
            with (reader.here / f"results/benchmarks/{EXAMPLE}/benchmark.toml").open(
                "a", encoding="utf-8"
            ) as file:
                file.write(TIER)
        if command == "results compare":
            _two_records(reader.here / "dist" / "records.ndjson")
        if command == "results candidate show":
            _claimed(reader)
        said[command] = json.loads(reader.run(f"{command} {words} --json"))
    said["results score"], said["results rules"] = (
        next(iter(said[command].values())) for command in ("results score", "results rules")
    )
    for command, answer in said.items():
        keys = {*answer, *(key for inside in _listed(answer) for key in inside)}
        told = set(shown[command])
        assert keys <= told, command
        assert told - keys <= UNSEEN.get(command, set()), command


def _two_records(path: Path) -> None:
    lines = (json.dumps(run(arm)) for arm in ("a", "b"))
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _claimed(reader: Reader) -> None:
    """Publish the example, and claim something about it."""
    reader.run(
        f"git checkout --quiet results/benchmarks\nresults record dist/runs/{EXAMPLE}\n"
        "git add --all\ngit commit --quiet --message published"
    )
    row, *_ = sorted(reader.here.glob(f"results/registry/{EXAMPLE}/*.json"))
    claim = {
        "name": "claimed",
        "description": "x",
        "applicability": "x",
        "claim": "x",
        "holds": [{"measure": "passed", "min": "0"}],
        "evidence": {"row": row.stem},
    }
    (reader.here / "dist" / "claim.json").write_text(json.dumps(claim), encoding="utf-8")
    reader.run("results candidate propose --proposal dist/claim.json")


UNSEEN = {
    "results record": {"rule", "says", "remedy"},
    "results check": {"id", "file", "what", "remedy"},
    "results audit": {"file", "what", "remedy"},
    "results candidate show": {"validation"},
}
"""Keys of what there is none of here: refusals, findings, flaws and a run that bears a claim out;
tests/cli looks at them."""


def _listed(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """The objects in the lists that a command tells of rows, refusals, findings and flaws."""
    lists = (answer.get(name, []) for name in ("rows", "findings", "flaws"))
    return [one for some in lists if isinstance(some, list) for one in some]


def test_no_exception_is_left_over() -> None:
    """What is left out, or run alone, is in the guide."""
    said = [block.text for page in PAGES for block in blocks(page, "sh")]
    lines = {line.strip() for text in said for line in text.splitlines()}
    assert set(LEFT_OUT) <= lines
    assert set(ALONE) <= {text.strip() for text in said}
