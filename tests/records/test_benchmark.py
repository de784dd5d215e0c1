"""`benchmark.toml`: read strictly, and refused in words."""

from decimal import Decimal

import pytest

from generator.records.base import fault_in
from generator.records.benchmark import Benchmark
from tests.records.sample import BENCHMARK


def refusal(content: bytes) -> str:
    """What is said of a file that can't be read."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011  the kind is what callers catch
        Benchmark.from_toml(content)
    return fault_in(content, caught.value)


def test_a_sound_file_is_read() -> None:
    """Everything that a benchmark says of itself stands where it is looked for."""
    read = Benchmark.from_toml(BENCHMARK.encode())
    assert read.id == "greetings"
    assert [category.id for category in read.categories] == ["polite", "curt"]
    assert read.not_applicable == ("subject", "tools")
    assert read.scoring == {"limits": {"seconds_per_attempt": 10}}


@pytest.mark.parametrize(
    ("sound", "spoilt", "said"),
    [
        ('id = "greetings"\n', 'id = "Greet ings"\n', "at id: "),
        ('id = "greetings"\n', "", "at id: Field required"),
        ('version = "1"', "version = 1", "at version: "),
        ('title = "Greetings"', 'title = ""', "at title: "),
        ('shown = ["passed", "passed.polite"]', "shown = []", "at least one measure"),
        ('shown = ["passed", "passed.polite"]', 'shown = ["Passed!"]', "at shown.0: "),
        ('"subject", "tools"', '"commit"', "at not_applicable.0: "),
        ('"subject", "tools"', '"corpus"', "at not_applicable.0: "),
        ('id = "curt"', 'id = "polite"', "each id stands once"),
        ('title = "Curt greetings"', 'name = "Curt greetings"', "at categories.1.title: "),
        ('licence = "CC0-1.0"\n', 'licence = "CC0-1.0"\nlicense = "MIT"\n', "at license: "),
        ("seconds_per_attempt = 10", "seconds_per_attempt = nan", "not JSON compliant"),
        ("seconds_per_attempt = 10", "seconds_per_attempt = inf", "not JSON compliant"),
        ("seconds_per_attempt = 10", "day = 2026-03-18", "2026-03-18 is no value of JSON"),
        ("seconds_per_attempt = 10", "hour = 10:00:00", "10:00:00 is no value of JSON"),
        ("seconds_per_attempt = 10", "seconds_per_attempt = ", "line 21"),
        ("seconds_per_attempt = 10", "a = 1\na = 2", "line 22"),
    ],
)
def test_one_spoilt_line_is_refused_in_words(sound: str, spoilt: str, said: str) -> None:
    """A fault of the file is said with its place, and nothing of it is taken."""
    assert sound in BENCHMARK
    assert said in refusal(BENCHMARK.replace(sound, spoilt).encode())


def test_another_format_is_said_in_one_sentence() -> None:
    """A file of another version is told apart from a spoilt one, with both formats named."""
    content = BENCHMARK.replace("assay.benchmark/1", "assay.benchmark/9").encode()
    assert refusal(content) == (
        "its format is 'assay.benchmark/9', and this version of assay reads 'assay.benchmark/1'"
    )


def test_a_conflict_marker_gives_its_line() -> None:
    """A merge that was left unfinished is said as such."""
    content = BENCHMARK.replace("licence", "<<<<<<< HEAD\nlicence").encode()
    assert refusal(content) == "line 7 is a conflict marker of git"


def test_text_that_is_not_utf_8_is_refused() -> None:
    """A file is UTF-8; another encoding is said, not guessed."""
    assert "utf-8" in refusal(BENCHMARK.replace("Greetings", "Grüße").encode("latin-1"))


PRICE = '\n[[prices]]\nsystem = "openai:m"\ninput = 1.25\noutput = 10\n'
PROGRAM = '\n[[systems]]\nid = "mine"\ncommand = ["python", "mine.py"]\nprovider = "local"\n'
OTHER = PROGRAM.replace('["python", ', '["ruby", ')


def test_a_price_is_read_exactly() -> None:
    """As it is written, never as a float; what a cache costs may be said."""
    cached = PRICE + 'cache_read = 0.125\ncurrency = "EUR"\n'
    (price,) = Benchmark.from_toml(f"{BENCHMARK}{cached}".encode()).prices
    assert (price.system, price.input, price.output) == ("openai:m", Decimal("1.25"), Decimal(10))
    assert (price.cache_read, price.cache_created) == (Decimal("0.125"), None)
    assert price.currency == "EUR"


def test_a_program_is_declared_by_its_arguments() -> None:
    """And by where it comes from; what is not said is not known."""
    (system,) = Benchmark.from_toml(f"{BENCHMARK}{PROGRAM}".encode()).systems
    assert (system.id, system.command, system.provider) == ("mine", ("python", "mine.py"), "local")
    assert (system.model, system.revision, system.surface, system.options) == (None, None, None, {})


@pytest.mark.parametrize(
    ("said", "is_of_python"),
    [
        ("", False),
        ('revision = "1"\n', False),
        ('revision_of = "arrow"\n', True),
        ('revision = "1"\nstands_on = ["tzdata"]\n', True),
    ],
)
def test_versions_may_be_left_to_what_is_installed(*, said: str, is_of_python: bool) -> None:
    """Its own, and those of the packages that it needs; then the row says which Python ran it."""
    (system,) = Benchmark.from_toml(f"{BENCHMARK}{PROGRAM}{said}".encode()).systems
    assert system.is_of_python == is_of_python


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        (PRICE + PRICE, "each system has one price"),
        (PRICE.replace("1.25", "-1"), "at prices.0.input: "),
        (PRICE.replace("1.25", "nan"), "not JSON compliant"),
        (PRICE.replace("output = 10\n", ""), "at prices.0.output: Field required"),
        (PRICE + 'currency = "dollars"\n', "at prices.0.currency: "),
        (PROGRAM + PROGRAM, "each id stands once"),
        (PROGRAM.replace('["python", "mine.py"]', "[]"), "a command has at least the program"),
        (PROGRAM.replace('["python", "mine.py"]', '"python mine.py"'), "at systems.0.command: "),
        (PROGRAM.replace('"mine"', '"My own"'), "at systems.0.id: "),
        (PROGRAM + 'shell = "bash"\n', "at systems.0.shell: "),
        (PROGRAM + 'revision = "1"\nrevision_of = "arrow"\n', "do not stand together"),
        (OTHER + 'revision_of = "arrow"\n', "so the command is python"),
        (OTHER + 'stands_on = ["tzdata"]\n', "so the command is python"),
    ],
)
def test_a_system_or_a_price_that_is_none_is_refused(declared: str, said: str) -> None:
    """With its place."""
    assert said in refusal(f"{BENCHMARK}{declared}".encode())
