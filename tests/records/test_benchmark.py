"""`benchmark.toml`: read strictly, and refused in words."""

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
