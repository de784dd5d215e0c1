"""What counts as said, and what the gate may know at all."""

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import generator.provenance
from generator.provenance.facts import Facts, Stated, provided
from generator.records.bundle import Subject
from generator.records.key import Configuration, Key

PACKAGE = Path(generator.provenance.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
FORBIDDEN = frozenset({"generator.records.measure", "generator.records.row"})

KEY = Key(
    benchmark="greetings",
    benchmark_version="1",
    provider="pypi",
    model="not-a-real-parser",
    revision="1.0",
    configuration=Configuration(surface="greet", options={}),
    subject=Subject(name="server", version="2"),
    corpus="c" * 64,
    contracts="d" * 64,
    tools="e" * 64,
    harness="greeter",
    harness_contract=1,
    repetitions=1,
)
STATED = Stated(
    commit="1" * 40, corpus="c" * 64, contracts="d" * 64, finished="2026-01-01T00:00:00Z"
)


def imported(path: Path) -> Iterator[str]:
    """Every module that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_a_full_key_says_everything() -> None:
    """Where every field has a value, every field is said."""
    assert set(provided(KEY, STATED, ()).values()) == {"said"}


def test_options_that_were_not_sent_are_said() -> None:
    """An empty object states that no option was sent, which is a statement."""
    assert provided(KEY, STATED, ())["options"] == "said"


@pytest.mark.parametrize(
    ("field", "key", "stated"),
    [
        ("commit", {}, {"commit": None}),
        ("corpus", {}, {"corpus": None}),
        ("contracts", {}, {"contracts": None}),
        ("finished", {}, {"finished": None}),
        ("subject", {"subject": None}, {}),
        ("revision", {"revision": None}, {}),
        ("tools", {"tools": None}, {}),
        ("surface", {"configuration": Configuration(options={})}, {}),
        ("options", {"configuration": Configuration(surface="greet")}, {}),
    ],
)
def test_a_missing_field_is_unknown_unless_it_does_not_apply(
    field: str, key: dict[str, Any], stated: dict[str, Any]
) -> None:
    """One missing field is one unknown; declared as not applicable, it is that, and no other."""
    spoilt = KEY.model_copy(update=key)
    found = provided(spoilt, replace(STATED, **stated), ())
    assert [name for name, state in found.items() if state != "said"] == [field]
    assert found[field] == "unknown"
    excused = provided(spoilt, replace(STATED, **stated), (field,))
    assert excused == found | {field: "not-applicable"}


def test_a_field_that_is_said_is_said_even_where_it_need_not_be() -> None:
    """A declaration excuses what is missing and hides nothing that is there."""
    assert provided(KEY, STATED, ("tools",))["tools"] == "said"


def test_no_fact_is_a_score() -> None:
    """The gate can't know how well a system did: nothing among the facts says so."""
    assert set(Facts.__annotations__) == {
        "provider",
        "model",
        "filter",
        "asked",
        "provided",
        "corpus_ran",
        "corpus_here",
        "contracts_ran",
        "contracts_here",
        "version_ran",
        "version_here",
        "status",
        "stopped",
        "trees",
        "stands",
        "replace",
        "older",
        "finished",
        "commit",
        "reachable",
        "strays",
        "excluded_at_most",
        "secrets",
    }


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_the_gate_imports_neither_measures_nor_rows(path: Path) -> None:
    """The import graph makes it a fact that no rule sees a score, however far one follows it."""
    seen: set[str] = set()
    waiting = list(imported(path))
    while waiting:
        module = waiting.pop()
        if module in seen or not module.startswith("generator."):
            continue
        seen.add(module)
        file = PACKAGE.parents[1].joinpath(*module.split(".")).with_suffix(".py")
        waiting += imported(file) if file.is_file() else []
    assert not seen & FORBIDDEN
    assert path.stem in {"__init__", "secrets"} or "generator.records.bundle" in seen
