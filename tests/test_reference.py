"""The generated parts of the guide: as they would be drawn now, whole, and the same everywhere."""

import re
import shutil
from pathlib import Path

import pytest
import typer

from generator import errors, reference, writer
from generator.cli.app import app
from generator.pages.prose import digest
from tests.guide.reading import GUIDE, REPOSITORY, named, text

DOCS = REPOSITORY / "docs"
PAGES = tuple(dict.fromkeys(page for page, _ in reference.PARTS.values()))
DRAWN = [
    pytest.param(path, id=path.relative_to(DOCS).as_posix())
    for page in PAGES
    for path in sorted(DOCS.glob(f"*/guide/{page}"))
]
GROUP = typer.main.get_command(app)
COMMANDS = [name for name, _ in reference.declared(app, "results")]


@pytest.mark.parametrize("path", DRAWN)
def test_a_page_holds_what_would_be_drawn_now(path: Path) -> None:
    """After a change of a command or a docstring, run python -m generator.reference."""
    said = path.read_text("utf-8")
    assert said == reference.refreshed(said, path.name)


def test_every_command_has_its_section_and_its_line() -> None:
    """The reference tells of every command, and so does the table above it."""
    sections = re.findall(r"^## (results .+)$", text("commands.md"), re.MULTILINE)
    assert sections == COMMANDS
    assert sorted(named("commands.md", "command")) == sorted(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_argument_and_option_is_told(name: str) -> None:
    """What a command takes stands in its section: each name, and what is said of it."""
    section = text("commands.md").split(f"\n## {name}\n")[1].split("\n## ")[0]
    command = GROUP
    context = typer.Context(GROUP)
    for word in name.split()[1:]:
        command = command.get_command(context, word)  # type: ignore[attr-defined]
    flat = " ".join(section.split())
    told = [parameter for parameter in command.params if parameter.name != "help"]
    for parameter in told:
        help_text = getattr(parameter, "help", None)
        assert help_text, f"{name} says nothing of {parameter.name}"
        assert " ".join(help_text.split()) in flat
        for option in (*parameter.opts, *parameter.secondary_opts):
            spelled = option if option.startswith("-") else str(parameter.name).upper()
            assert re.search(rf"(?<![\w-]){re.escape(spelled)}(?![\w-])", section), spelled
    assert len(re.findall(r"^  (?=\S)", section, re.MULTILINE)) == len(told)


def test_every_exit_code_is_told() -> None:
    """Each class of fault has a code of its own, and the page has all of them."""
    codes = {int(line.split()[0]) for line in reference.exit_codes().splitlines()[1:-1]}
    kinds: list[type[errors.AssayError]] = [errors.AssayError, *errors.AssayError.__subclasses__()]
    assert codes == {0, 1, 130, 141} | {kind.code for kind in kinds}


def test_everything_public_of_the_writer_is_told() -> None:
    """Each name that a harness may import has its section, and says what it is."""
    sections = re.findall(r"^## (\w+)$", text("writer.md"), re.MULTILINE)
    assert sorted(sections) == sorted(writer.__all__)
    for name in sections:
        stub = text("writer.md").split(f"\n## {name}\n")[1].split("\n## ")[0]
        assert '"""' in stub
        fields = re.findall(r"^    (\w+): .*\n(.*)$", stub.split("def ")[0], re.MULTILINE)
        assert [field for field, said in fields if '"""' not in said] == []


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The generated pages of the guide in English, and a translation that has kept pace."""
    for page in PAGES:
        english = (GUIDE / page).read_text("utf-8")
        named = english.replace("---\n", f"---\nsource_digest: {digest(english)}\n", 1)
        for locale, said in (("en", english), ("xx", named)):
            place = tmp_path / locale / "guide" / page
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(said, encoding="utf-8")
    return tmp_path


def spoil(docs: Path, page: str = "writer.md") -> None:
    """Change a generated part in all languages, and let the translation keep pace."""
    before = (docs / "en" / "guide" / page).read_text("utf-8")
    for path in docs.glob(f"*/guide/{page}"):
        path.write_text(path.read_text("utf-8").replace("def find_root", "def seek_root"))
    after = (docs / "en" / "guide" / page).read_text("utf-8")
    assert before != after
    other = docs / "xx" / "guide" / page
    other.write_text(other.read_text("utf-8").replace(digest(before), digest(after)))


def test_nothing_is_written_where_nothing_has_changed(copied: Path) -> None:
    """Drawing again leaves every page as it is."""
    assert list(reference.refresh(copied)) == []


def test_every_language_is_drawn_anew(copied: Path) -> None:
    """A changed part is written in all languages, and a translation that kept pace keeps it."""
    whole = {path: path.read_text("utf-8") for path in copied.rglob("*.md")}
    spoil(copied)
    changed = {path.relative_to(copied).as_posix() for path in reference.refresh(copied)}
    assert changed == {"en/guide/writer.md", "xx/guide/writer.md"}
    assert {path: path.read_text("utf-8") for path in copied.rglob("*.md")} == whole


def test_a_translation_that_is_behind_stays_behind(copied: Path) -> None:
    """Drawing a part translates nothing: another digest than the source's own is left alone."""
    spoil(copied)
    other = copied / "xx" / "guide" / "writer.md"
    said = re.sub(r"source_digest: \w+", "source_digest: 0123456789abcdef", other.read_text())
    other.write_text(said)
    list(reference.refresh(copied))
    assert "source_digest: 0123456789abcdef" in other.read_text("utf-8")
    assert "def find_root" in other.read_text("utf-8")


def test_a_page_without_a_place_for_its_part_is_told() -> None:
    """A translation that lost the comments can't be drawn, and it is said what it lacks."""
    with pytest.raises(ValueError, match="begin: the writer"):
        reference.refreshed("# The writer\n", "writer.md")


def test_the_command_refreshes_a_clone(
    copied: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It says which pages were drawn, and is silent where none was."""
    clone = tmp_path_factory.mktemp("clone")
    shutil.copytree(copied, clone / "docs")
    monkeypatch.setattr(reference, "__file__", str(clone / "generator" / "reference.py"))
    spoil(clone / "docs")
    assert reference.main() == 0
    assert (
        capsys.readouterr().out == "drawn docs/en/guide/writer.md\ndrawn docs/xx/guide/writer.md\n"
    )
    assert reference.main() == 0
    assert capsys.readouterr().out == ""
