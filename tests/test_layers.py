"""Who may import whom: the table of the architecture, enforced, imports in functions included."""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import generator

PACKAGE = Path(generator.__file__).parent
OURS = PACKAGE.name


@dataclass(frozen=True, slots=True)
class May:
    """What a part may import besides the standard library, itself and `messages`."""

    ours: str = ""
    """Parts, or single modules of a part as `part.module`; only parts that stand above."""

    others: str = ""
    """Packages of other people."""


TABLE = {
    "messages": May(),
    "errors": May(),
    "press": May(),
    "program": May(),
    "records": May(others="pydantic msgspec"),
    "statistics": May("records", others="numpy scipy"),
    "families": May("records statistics", others="msgspec re2"),
    # Neither measures nor rows: no rule sees a score.
    "provenance": May("records.base records.bundle records.key records.benchmark", others="re2"),
    "store": May("records errors", others="msgspec orjson yaml zstandard"),
    "importers": May("records", others="msgspec orjson zstandard"),
    "exports": May("records", others="pyarrow"),
    "pages": May(
        "records families provenance statistics", others="babel jinja2 markdown markupsafe"
    ),
    "writer": May("records families store errors"),
    "runners": May(
        "errors records families provenance.secrets store writer",
        others="httpx mcp mcp_types msgspec re2",
    ),
    "workflow": May(
        "errors records families statistics provenance store importers exports pages writer runners"
    ),
    "mkdocs_plugin": May("errors store pages workflow", others="jinja2 mkdocs"),
    # Beside the workflow: what finds the project, the list of rules, and types of what is shown.
    "cli": May(
        "workflow errors store.project provenance.rules families.family runners.account "
        "runners.sweep",
        others="typer click",
    ),
    # Draws the reference of the guide: it reads what the commands and the writer say of themselves.
    "reference": May("errors records pages writer cli", others="typer"),
    "__main__": May("cli"),
}
"""Each part of the package, below everything that it may stand on."""

PURE = ("messages", "errors", "records", "statistics", "families", "provenance")
"""Functions from values to values."""

IMPURE = {
    "clock": {"time", "zoneinfo"},
    "randomness": {"random", "secrets", "uuid"},
    "environment": {"locale", "os", "platform"},
    "disk": {"fcntl", "glob", "io", "pathlib", "shutil", "sqlite3", "tempfile"},
    "network": {"http", "socket", "urllib"},
    "processes": {"asyncio", "multiprocessing", "subprocess", "threading"},
}
"""Modules of the standard library that reach beyond values, by what they reach."""

MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
"""Every module of the package by its dotted name."""


def part_of(module: str) -> str:
    """The part that a module belongs to; the package itself belongs to none."""
    return module.split(".")[1] if "." in module else ""


def imported(module: str) -> Iterator[str]:
    """Every module that a module imports, wherever in it; a name is traced to its module."""
    for node in ast.walk(ast.parse(MODULES[module].read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports by a relative path"
            assert node.module is not None
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in MODULES else node.module


def is_ours(module: str) -> bool:
    """Whether a module is one of the package."""
    return module.split(".", maxsplit=1)[0] == OURS


def permitted(importer: str, module: str) -> bool:
    """Whether the table lets a module of ours, or of others, be imported by another."""
    part = part_of(importer)
    top = module.split(".", maxsplit=1)[0]
    if not is_ours(module):
        return top in sys.stdlib_module_names or top in TABLE[part].others.split()
    if module == OURS:
        return True  # the version stands there, and nothing else
    allowed = {f"{OURS}.{name}" for name in [part, "messages", *TABLE[part].ours.split()]}
    return any(module == name or module.startswith(f"{name}.") for name in allowed)


def test_every_part_is_in_the_table() -> None:
    """A new part of the package is given its place before it is written."""
    assert {part_of(module) for module in MODULES} - {""} <= set(TABLE)


def test_the_package_itself_imports_nothing() -> None:
    """Whoever asks for the version gets it at once."""
    assert list(imported(OURS)) == []


@pytest.mark.parametrize("part", TABLE)
def test_a_part_imports_what_the_table_permits(part: str) -> None:
    """No module reaches past its place, not even from inside a function."""
    reached = {
        f"{importer} imports {module}"
        for importer in MODULES
        if part_of(importer) == part
        for module in imported(importer)
        if not permitted(importer, module)
    }
    assert sorted(reached) == []


@pytest.mark.parametrize("part", TABLE)
def test_parts_stand_on_parts_above(part: str) -> None:
    """The table has no circle: each part names only such as stand above it."""
    above = list(TABLE)[: list(TABLE).index(part)]
    assert [name for name in TABLE[part].ours.split() if name.split(".")[0] not in above] == []


@pytest.mark.parametrize(
    ("part", "never"),
    [
        ("records", "errors"),
        ("families", "store"),
        ("families", "pages"),
        ("provenance", "families"),
        ("provenance", "records.measure"),
        ("provenance", "records.row"),
        ("provenance", "records"),
        ("pages", "store"),
        ("pages", "workflow"),
        ("store", "families"),
        ("store", "provenance"),
        ("workflow", "cli"),
        ("writer", "workflow"),
        ("writer", "cli"),
    ],
)
def test_the_table_keeps_its_promises(part: str, never: str) -> None:
    """What the architecture promises in words isn't given away by a line of the table."""
    assert never not in TABLE[part].ours.split()


def test_only_the_entry_point_and_the_reference_import_the_commands() -> None:
    """No code of ours speaks through the command line; the guide tells of it."""
    importing = [part for part in TABLE if "cli" in TABLE[part].ours.split()]
    assert importing == ["reference", "__main__"]


def test_families_do_not_know_each_other() -> None:
    """A family is one folder; only the catalogue knows that there are several."""
    families = f"{OURS}.families"
    folders = {path.parent.name for path in (PACKAGE / "families").glob("*/__init__.py")}
    reached = {
        f"{importer} imports {module}"
        for importer in MODULES
        if importer.startswith(f"{families}.") and importer != f"{families}.catalog"
        for module in imported(importer)
        for folder in folders
        if module.startswith(f"{families}.{folder}")
        and not importer.startswith(f"{families}.{folder}")
    }
    assert sorted(reached) == []
    assert folders


def test_nobody_but_the_catalogue_names_a_family() -> None:
    """Registry, pages and commands know families by their contract, and by formats of records."""
    folders = {path.parent.name for path in (PACKAGE / "families").glob("*/__init__.py")}
    named = {
        f"{importer} imports {module}"
        for importer in MODULES
        if part_of(importer) != "families"
        for module in imported(importer)
        for folder in folders
        if module.startswith(f"{OURS}.families.{folder}")
    }
    assert sorted(named) == []


@pytest.mark.parametrize("part", PURE)
def test_what_decides_touches_nothing(part: str) -> None:
    """No clock, no randomness, no environment and no disk takes part in a decision."""
    touched = {
        f"{importer} imports {module}"
        for importer in MODULES
        if part_of(importer) == part
        for module in imported(importer)
        if module.split(".", maxsplit=1)[0] in set().union(*IMPURE.values())
    }
    assert sorted(touched) == []


def test_the_registry_as_a_value_is_made_of_records_only() -> None:
    """What becomes of rows is decided without anything but rows."""
    found = {module for module in imported(f"{OURS}.records.registry") if is_ours(module)}
    parts = ("base", "candidate", "comparison", "key", "row")
    assert found == {f"{OURS}.records.{part}" for part in parts}


def test_only_one_module_of_the_store_asks_git() -> None:
    """What git is asked, and how, stands in one place."""
    asking = [
        module
        for module in MODULES
        if part_of(module) == "store" and "subprocess" in set(imported(module))
    ]
    assert asking == [f"{OURS}.store.repo"]


def test_no_import_is_hidden() -> None:
    """No module imports by a name that is made at run time, which no test could follow."""
    hidden = [
        module
        for module, path in MODULES.items()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if (isinstance(node, ast.Name) and node.id == "__import__")
        or (isinstance(node, ast.Attribute) and node.attr == "import_module")
        or (isinstance(node, ast.ImportFrom) and node.module == "importlib")
    ]
    assert hidden == []
