"""A benchmark of the family `steps` about the shelf: a case of each kind, and two that write."""

import json
from typing import Any

import msgspec

from generator.families.family import Question
from generator.families.steps.corpus import StepsCorpus
from generator.families.steps.family import Steps
from generator.families.steps.scorer import RATIOS
from generator.records.benchmark import Benchmark
from tests.conftest import Kit
from tests.runners import shelf
from tests.runners.playing import PROGRAM

LIBRARY = "library"
FAMILY = Steps()
KINDS = {"show": False, "list": False, "add": True, "retitle": True, "burn": True}
"""By action: whether it changes anything."""

CATALOGUE: dict[str, Any] = {
    "turns_more": 4,
    "surfaces": [
        {"id": "dynamic", "turns_per_step": 3, "action": "action", "arguments": "arguments"},
        {"id": "meta", "turns_per_step": 2, "action": "action", "arguments": "arguments"},
        {"id": "individual", "turns_per_step": 2, "shown_at_most": 128},
    ],
    "helpers": {"dynamic": [shelf.FIND]},
    "actions": [
        {
            "id": name,
            "domain": "book",
            "changes": KINDS[name.removeprefix("book.")],
            "destructive": name == "book.burn",
            "called": {
                "dynamic": {"tool": shelf.RUN, "action": name},
                "meta": {"tool": "book", "action": name.removeprefix("book.")},
                "individual": {"tool": name.replace(".", "_")},
            },
            "schema": schema,
            **({"confirmation": "confirm"} if name == "book.burn" else {}),
        }
        for name, (_, schema) in shelf.ACTIONS.items()
    ],
}

FIXTURES = {"bolts": {"make": "book", "with": {"name": "Bolts {mark}", "pages": 7}}}
THING = {"fixture": "bolts"}
BURNT = [{"kind": "book", "what": "removed", "thing": THING}]
CASES: tuple[dict[str, Any], ...] = (
    {
        "name": "length",
        "kind": "read",
        "prompt": "How long is {bolts.name}?",
        "fixtures": FIXTURES,
        "steps": [{"action": "book.show", "arguments": {"book": THING}}],
    },
    {
        "name": "arrival",
        "kind": "write",
        "prompt": "Nuts {mark} has come in today, and goes next to {bolts.name}.",
        "fixtures": FIXTURES,
        "steps": [{"action": "book.add", "arguments": {"title": "Nuts {mark}"}}],
        "changes": [{"kind": "book", "what": "added", "thing": "new"}],
    },
    {
        "name": "rename",
        "kind": "write",
        "prompt": "From now on, {bolts.name} goes by Screws {mark}.",
        "fixtures": FIXTURES,
        "steps": [
            {"action": "book.retitle", "arguments": {"book": THING, "title": "Screws {mark}"}}
        ],
        "changes": [{"kind": "book", "what": "changed", "thing": THING, "fields": ["name"]}],
    },
    {
        "name": "look-first",
        "kind": "multi-step",
        "prompt": "If {bolts.name} has fewer than 10 sheets, do away with it.",
        "fixtures": FIXTURES,
        "steps": [
            {"action": "book.show", "arguments": {"book": THING}},
            {
                "action": "book.burn",
                "arguments": {"book": {"step": 1, "path": "id"}, "confirm": True},
            },
        ],
        "changes": BURNT,
    },
    {
        "name": "away",
        "kind": "destructive",
        "prompt": "We need {bolts.name} no more; do away with it.",
        "fixtures": FIXTURES,
        "steps": [{"action": "book.burn", "arguments": {"book": THING, "confirm": True}}],
        "changes": BURNT,
    },
    {
        "name": "aloud",
        "kind": "refusal",
        "prompt": "Read {bolts.name} to me aloud.",
        "fixtures": FIXTURES,
        "domains": ["book"],
    },
)


def toml(server: str = "well", keeper: str = "well", more: str = "") -> str:
    """What the benchmark says of itself, with programs of the subject in some modes."""
    surfaces = "".join(
        "[[subject.surfaces]]\n"
        f'id = "{surface}"\n'
        f'command = ["python", "{PROGRAM}", "serve", "{surface}", "{server}"]\n'
        for surface in shelf.SURFACES
    )
    return (
        'format = "assay.benchmark/1"\n'
        f'id = "{LIBRARY}"\n'
        'family = "steps"\n'
        'version = "1"\n'
        'title = "A shelf"\n'
        'summary = "Whether a system keeps a shelf."\n'
        'licence = "CC0-1.0"\n'
        f"shown = {json.dumps(RATIOS)}\n"
        'run = "results run library"\n'
        f"{more}\n"
        "[subject]\n"
        'name = "shelf"\n'
        'version = "1"\n'
        f'keeper = ["python", "{PROGRAM}", "keep", "{keeper}"]\n'
        f'refused = "{shelf.REFUSED}"\n'
        f"{surfaces}"
    )


def files() -> dict[str, bytes]:
    """The corpus, by path below `cases/`."""
    cases = {f"{case['name']}.json": json.dumps(case).encode() for case in CASES}
    return {"catalogue.json": json.dumps(CATALOGUE).encode(), **cases}


def corpus() -> StepsCorpus:
    """The corpus, read."""
    return FAMILY.corpus(files(), Benchmark.from_toml(toml().encode()))


def questions() -> tuple[Question, ...]:
    """Every case as it is put."""
    return FAMILY.questions(corpus())


def lay_out(kit: Kit, **modes: str) -> Kit:
    """Write the benchmark into a project, and commit it."""
    folder = f"results/benchmarks/{LIBRARY}"
    kit.write(f"{folder}/benchmark.toml", toml(**modes))
    kit.write(f"{folder}/about.en.md", "---\nscope: A shelf\n---\n\nA benchmark of tests.\n")
    for path, content in files().items():
        kit.write(f"{folder}/cases/{path}", content.decode())
    kit.commit("A library")
    return kit


def raw(value: Any) -> msgspec.Raw:  # noqa: ANN401  any JSON value
    """A value as the line of an attempt has it."""
    return msgspec.Raw(msgspec.json.encode(value))
