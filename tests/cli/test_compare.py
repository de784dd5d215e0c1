"""`results compare`, as a person or a script meets it."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from generator.cli.app import run as results_run
from tests.cli.conftest import Said
from tests.families.paired.runs import run

VECTORS = Path(__file__).parents[1] / "families" / "paired" / "compare_vectors.json"
RUNS = json.loads(VECTORS.read_text("utf-8"))["two_tasks"]
CONTENT = "".join(json.dumps(one) + "\n" for one in RUNS["runs"]).encode()

Compare = Callable[..., Said]

SHOWN = """\
                            baseline                   candidate
verified                    3/4                        3/4
completed, not verified     0                          1
failed                      1                          0
timed out                   0                          0
cancelled                   0                          0
median ms of verified       100 (of 3)                 70 (of 3)
95 % of verified within ms  —                          —
input tokens, median        7 (2 observed, 2 missing)  8 (1 observed, 3 missing)
output tokens, median       — (0 observed, 4 missing)  — (0 observed, 4 missing)
reasoning tokens, median    — (0 observed, 4 missing)  — (0 observed, 4 missing)
cached tokens, median       — (0 observed, 4 missing)  — (0 observed, 4 missing)
tool calls, median          — (0 observed, 4 missing)  0 (1 observed, 3 missing)
tool errors, median         — (0 observed, 4 missing)  — (0 observed, 4 missing)

pairs              candidate verified  candidate not
baseline verified  2                   1
baseline not       1                   0

task  baseline  candidate  baseline, median ms of verified  candidate, median ms of verified
t1    2/2       2/2        110                              70
t2    1/2       1/2        90                               70

statistics, candidate against baseline  value  95 % interval                                     made of
difference in verified                  0      -0.84463 to 0.84463 (clopper-pearson-bonferroni)  4 pairs
ratio of median times                   0.7    0.636364 to 0.777778 (bootstrap-over-cases)       2 tasks at which both succeeded
median of time ratios                   0.65   —                                                 2 pairs
McNemar's exact test, p                 1      —                                                 1 + 1 discordant pairs
sign test over tasks, p                 —      —                                                 0 + 0 tasks that differ

"""  # noqa: E501  as a terminal has it


@pytest.fixture
def compare(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Compare:
    """Compare the records of some bytes, outside of every project."""
    monkeypatch.chdir(tmp_path)

    def call(content: bytes, *words: str, file: str = "runs.ndjson") -> Said:
        (tmp_path / "runs.ndjson").write_bytes(content)
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(content)))
        code = results_run(["compare", file, *(words or ("baseline", "candidate"))])
        return Said(code, *capsys.readouterr())

    return call


def test_two_arms_are_shown_beside_each_other(compare: Compare) -> None:
    """Arms, pairs, tasks and statistics, then what follows from them and what does not."""
    said = compare(CONTENT)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(SHOWN)
    concluded, limits = said.out.removeprefix(SHOWN).rstrip("\n").split("\n\n")
    assert len(concluded.splitlines()) == 7
    assert len(limits.splitlines()) == 3
    assert all(line.endswith(".") for line in (concluded + "\n" + limits).splitlines())


def test_a_program_gets_the_comparison_and_its_statistics(compare: Compare) -> None:
    """The object that it has elsewhere, and one key more."""
    said = compare(CONTENT, "baseline", "candidate", "--json")
    assert (said.code, said.err) == (0, "")
    found = said.json
    statistics = found.pop("statistics")
    assert found == RUNS["comparison"]
    assert set(statistics) == {
        *("pairs", "leftOut", "difference", "mcnemar", "signTest", "ratioOfMedians"),
        *("medianOfRatios", "fewestDiscordant", "concluded", "limits"),
    }


def test_records_are_read_from_standard_input(compare: Compare) -> None:
    """A dash stands for it, in the words of faults it has its name."""
    assert compare(CONTENT, file="-") == compare(CONTENT)
    said = compare(b"", file="-")
    assert said.err.startswith("error: standard input: runs must be an array of 2..100000")


def test_models_and_cohorts_are_shown_where_there_are_several(compare: Compare) -> None:
    """Which cell is which can be told then, and a column that says one thing is spared."""
    several = [run(arm, model=model) for model in ("a/b", "c/d") for arm in ("one", "two")]
    said = compare("".join(json.dumps(one) + "\n" for one in several).encode(), "one", "two")
    assert "task  model  cohort  one  two  one, median" in said.out
    assert "task  c/d    first   1/1  1/1  100" in said.out


def test_hostile_names_reach_no_terminal(compare: Compare) -> None:
    """An escape sequence in the name of a model is shown as blanks."""
    hostile = [run(arm, model=model) for model in ("a/\x1b[31m", "c/d") for arm in ("one", "two")]
    said = compare("".join(json.dumps(one) + "\n" for one in hostile).encode(), "one", "two")
    assert said.code == 0
    assert "\x1b" not in said.out


@pytest.mark.parametrize(
    ("words", "file", "code", "told"),
    [
        (("baseline", "baseline"), "-", 2, "Comparison arms must differ."),
        (("baseline", "third"), "-", 3, "which have: baseline, candidate."),
        (("baseline",), "-", 2, "Missing argument"),
        (("baseline", "candidate"), "gone.ndjson", 2, "gone.ndjson can't be read: No such file"),
        (("baseline", "candidate"), ".", 3, "there is no run.json"),
    ],
)
def test_a_fault_is_words_and_a_code(
    compare: Compare, words: tuple[str, ...], file: str, code: int, told: str
) -> None:
    """What happened and what to do, on standard error; nothing on standard output."""
    said = compare(CONTENT, *words, file=file)
    assert (said.code, said.out) == (code, "")
    assert told in said.err
