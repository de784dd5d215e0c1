from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import date, datetime, time
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
HARNESS = ROOT / "results" / "benchmarks" / "dates" / "harness"
REFERENCE = "2026-03-18T10:00:00"

STUBS = '''
import os, signal, sys, time
from datetime import date, datetime

from systems import Loaded, Parser


class CannotRead(Exception):
    """The refusal that this parser documents."""


def read(text):
    match text:
        case "a date":
            return date(2026, 4, 5)
        case "nothing":
            return None
        case "nothing in a list":
            return []
        case "a time of day":
            return [datetime(2026, 4, 5, 12).time()]
        case "a refusal":
            raise CannotRead("not a date: " + repr(text))
        case "another exception":
            raise KeyError("at 0x7f00deadbeef in /opt/somewhere/parser.py")
        case "an exception without words":
            raise RecursionError
        case "sleep":
            time.sleep(60)
        case "exit":
            os._exit(3)
        case "leave":
            sys.exit(4)
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "print":
            print("{}")
            os.write(1, b"{}\\n")
            print("a warning", file=sys.stderr)
            return date(2026, 4, 5)
        case "the epoch here":
            return datetime.fromtimestamp(0)
        case "process":
            return date(1, 1, 1).fromordinal(os.getpid())
    return date(2000, 1, len(text))


def not_there(reference):
    raise ModuleNotFoundError("No module named 'nowhere'")


def dies(reference):
    os._exit(5)


def reference(reference):
    return Loaded(lambda text: reference)


SYSTEMS = (
    Parser("stub", "stub.read", lambda reference: Loaded(read, (CannotRead,))),
    Parser("other", "stub.read", lambda reference: Loaded(read)),
    Parser("reference", "stub.reference", reference),
    Parser("not-there", "stub.read", not_there),
    Parser("dies", "stub.read", dies),
)
'''


def load(name: str) -> Any:  # noqa: ANN401  a module that is no part of a package
    """A module of the harness, by its path."""
    spec = spec_from_file_location(f"dates_harness_{name}", HARNESS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


pins, run, supervisor, systems, worker = map(
    load, ("pins", "run", "supervisor", "systems", "worker")
)


@pytest.fixture
def stubs(tmp_path: Path) -> Path:
    """A file of small systems, each text of which ends in its own way."""
    path = tmp_path / "stubs.py"
    path.write_text(STUBS, encoding="utf-8")
    return path


@pytest.fixture
def stub(stubs: Path) -> Iterator[Any]:
    """A worker that holds the stub system."""
    with supervisor.Worker(stubs, "stub", REFERENCE, seconds=30) as held:
        yield held


ENDINGS = [
    ("a date", "answered", "2026-04-05"),
    ("nothing", "refused", "nothing was returned"),
    ("nothing in a list", "refused", "nothing was returned"),
    ("a time of day", "refused", "what was returned holds no date: list"),
    ("a refusal", "refused", "CannotRead: not a date: 'a refusal'"),
    ("another exception", "failed", "KeyError: 'at <address> in <path>'"),
    ("an exception without words", "failed", "RecursionError"),
    ("exit", "failed", "the process ended with exit status 3"),
    ("leave", "failed", "the process ended with exit status 4"),
    ("kill", "failed", "the process was ended by SIGKILL"),
]


@pytest.mark.parametrize(("text", "kind", "words"), ENDINGS)
def test_endings_are_told_apart_and_the_next_text_is_answered(
    stub: Any,  # noqa: ANN401  see `load`
    text: str,
    kind: str,
    words: str,
) -> None:
    """Whatever one text did to a system, its reason is kept and the next one is put to it."""
    reply = stub.ask(text)
    assert (reply.kind, reply.text) == (kind, words)
    assert reply.elapsed_us >= 0
    assert stub.ask("a date").text == "2026-04-05"


def test_a_system_that_does_not_answer_is_ended_at_the_limit(stubs: Path) -> None:
    """It is a time-out and no failure; the time is the parent's, and a new process goes on."""
    with supervisor.Worker(stubs, "stub", REFERENCE, seconds=1.5) as held:
        before = held.ask("process").text
        reply = held.ask("sleep")
        assert (reply.kind, reply.text) == ("timeout", "no answer within 1.5 seconds")
        assert 1_500_000 <= reply.elapsed_us < 30_000_000
        after = held.ask("process")
        assert after.kind == "answered"
        assert after.text != before


def test_what_a_library_prints_never_mixes_with_an_answer(stub: Any) -> None:  # noqa: ANN401
    """Standard output and error of a worker lead nowhere, below Python's own streams too."""
    assert stub.ask("print").text == "2026-04-05"
    assert stub.ask("nothing").kind == "refused"


def test_the_time_zone_of_the_machine_does_not_reach_a_system(
    stubs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first second of 1970 is on 1 January in UTC and on 31 December west of it."""
    monkeypatch.setenv("TZ", "America/New_York")
    with supervisor.Worker(stubs, "stub", REFERENCE, seconds=30) as held:
        assert held.ask("the epoch here").text == "1970-01-01"


def test_a_worker_inherits_no_setting_that_could_change_an_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Time zone, locale and hash seed are fixed; what is not known to be needed is left out."""
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    monkeypatch.setenv("LC_TIME", "it_IT.UTF-8")
    monkeypatch.setenv("A_TOKEN", "not for a library")
    kept = supervisor.environment()
    assert (kept["TZ"], kept["PYTHONHASHSEED"], kept["LC_ALL"]) == ("UTC", "0", "C.UTF-8")
    assert kept.keys().isdisjoint({"LC_TIME", "A_TOKEN"})


def test_a_system_is_given_the_reference(stubs: Path) -> None:
    """What `now` means is said by the benchmark and not by a clock."""
    with supervisor.Worker(stubs, "reference", REFERENCE, seconds=30) as held:
        assert held.ask("now").text == "2026-03-18"


@pytest.mark.parametrize(
    ("system", "why"),
    [
        ("not-there", "ModuleNotFoundError: No module named 'nowhere'"),
        ("dies", "the process ended with exit status 5"),
    ],
)
def test_a_system_that_does_not_load_stops_the_run(stubs: Path, system: str, why: str) -> None:
    """A library that cannot be imported has not failed at a text."""
    with (
        supervisor.Worker(stubs, system, REFERENCE, seconds=30) as held,
        pytest.raises(supervisor.StartError, match=f"^The system {system} did not start: {why}"),
    ):
        held.ask("a date")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (datetime(2026, 4, 5, 23, 59), "2026-04-05"),  # noqa: DTZ001  as parsers return it
        (date(33, 4, 3), "0033-04-03"),
        ([(date(2026, 4, 5), date(2026, 4, 7))], "2026-04-05 2026-04-07"),
        ([date(2026, 4, 7), date(2026, 4, 5), date(2026, 4, 7)], "2026-04-07 2026-04-05"),
        ([date(2026, 4, 5), time(12)], "2026-04-05"),
        (time(12), ""),
        ([], ""),
        (None, ""),
    ],
)
def test_an_answer_is_the_calendar_dates_in_what_was_returned(value: object, text: str) -> None:
    """In the order returned, each once, between single spaces; a range is its two ends."""
    assert worker.answer_text(value) == text


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("<Thing at 0x7F3a90>", "<Thing at <address>>"),
        ("No such file: '/usr/share/zoneinfo/Nowhere'", "No such file: '<path>'"),
        (r"C:\Python311\Lib\x.py is gone", "<path> is gone"),
        ("Unknown format: 25/12/2026 or 00/00/0000", "Unknown format: 25/12/2026 or 00/00/0000"),
        ("two\nlines  here", "two lines here"),
    ],
)
def test_words_of_a_library_are_the_same_on_every_machine(words: str, kept: str) -> None:
    """No address and no path is kept, and a date with slashes is not taken for a path."""
    assert worker.normalised(words) == kept


def test_words_of_a_library_are_cut() -> None:
    """An exception that quotes a whole document does not end up in the bundle."""
    assert len(worker.normalised("a" * 10_000)) == 500


def test_every_package_that_can_change_an_answer_is_pinned() -> None:
    """The list is exactly the systems' own packages and those that they need."""
    own = {system.distribution for system in systems.SYSTEMS if system.distribution}
    needed = {name for system in systems.SYSTEMS for name in system.needs}
    assert pins.read_pins().keys() == own | needed


def test_the_list_holds_exact_pins_only(tmp_path: Path) -> None:
    """A range would measure something else next month."""
    path = tmp_path / "requirements.txt"
    path.write_text("# a comment\n\nregex>=2026.1\n", encoding="utf-8")
    with pytest.raises(ValueError, match="is no exact pin"):
        pins.read_pins(path)


def test_a_missing_and_a_moved_package_are_both_named() -> None:
    """Everything that has to be installed is said at once."""
    here = {"arrow": "1.4.0", "regex": "2024.1.1"}
    wanted = {"arrow": "1.4.0", "dateparser": "1.5.0", "regex": "2026.11.19"}
    assert pins.unmet(wanted, here.get) == (
        "dateparser 1.5.0 is not installed.",
        "regex 2024.1.1 is installed, and 2026.11.19 is pinned.",
    )


def test_a_package_that_is_not_there_has_no_version() -> None:
    """Looking for it is no error."""
    assert pins.installed("no-such-distribution-of-anybody") is None
    assert pins.installed("pytest") is not None


def test_the_options_of_a_system_name_the_reference_once() -> None:
    """Every library that takes a reference time is given the one of the benchmark."""
    for system in systems.SYSTEMS:
        options = json.dumps(system.options_at(REFERENCE))
        assert options.count(REFERENCE) == (0 if system.id in {"arrow", "datetime"} else 1)


def test_the_standard_library_is_asked_as_the_others_are() -> None:
    """It needs no package, and refuses what is not ISO 8601."""
    [own] = [system for system in systems.SYSTEMS if system.distribution is None]
    loaded = own.load(datetime.fromisoformat(REFERENCE))
    assert worker.outcome(loaded, "2026-04-05") == ("answered", "2026-04-05")
    assert worker.outcome(loaded, "tomorrow") == (
        "refused",
        "ValueError: Invalid isoformat string: 'tomorrow'",
    )


def terms(stubs: Path, *texts: str) -> Any:  # noqa: ANN401  see `load`
    """A few questions, named by their number, to the stub systems."""
    questions = tuple(run.Question(f"case-{n}", text) for n, text in enumerate(texts))
    return run.Terms(questions, REFERENCE, 30, stubs)


STUB, OTHER = SimpleNamespace(id="stub"), SimpleNamespace(id="other")


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_system_is_asked_everything_in_order(stubs: Path, jobs: int) -> None:
    """However many systems are asked at once, the questions of one come in their order."""
    asked = list(run.ask_all((STUB, OTHER), terms(stubs, "a", "bb", "exit", "dddd"), jobs))
    for system in ("stub", "other"):
        own = [item for item in asked if item.system == system]
        assert [item.question.case for item in own] == ["case-0", "case-1", "case-2", "case-3"]
        assert [item.reply.kind for item in own] == ["answered", "answered", "failed", "answered"]
    if jobs == 1:
        assert [item.system for item in asked] == ["stub"] * 4 + ["other"] * 4


def test_a_system_that_does_not_load_is_heard_of_by_who_reads_the_answers(stubs: Path) -> None:
    """A fault in a thread of the harness ends the run and is not lost."""
    with pytest.raises(run.StartError, match="not-there"):
        list(run.ask_all((SimpleNamespace(id="not-there"), STUB), terms(stubs, "a"), 1))


@pytest.mark.parametrize(
    ("kind", "outcome", "said", "reason"),
    [
        ("answered", "completed", [("words", None)], None),
        ("refused", "completed", [("", "words")], None),
        ("timeout", "timeout", [], "words"),
        ("failed", "failed", [], "words"),
    ],
)
def test_an_observation_says_what_happened_and_never_whether_it_is_right(
    kind: str, outcome: str, said: list[tuple[str, str | None]], reason: str | None
) -> None:
    """An answer and a refusal are turns; a time-out and a crash are endings with a reason."""
    reply = run.Reply(kind, "words", 17)
    seen = run.attempt(run.Asked("stub", run.Question("case-1", "text"), reply))
    assert [(turn.content, turn.refusal) for turn in seen["turns"]] == said
    assert (seen["outcome"], seen["reason"]) == (outcome, reason)
    assert (seen["case"], seen["stimulus"], seen["elapsed_us"]) == ("case-1", "text", 17)


def test_nothing_is_measured_while_a_parser_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message names the package and the command, and no folder is written."""
    monkeypatch.setattr(run.pins, "unmet", lambda _pins: ("dateparser 1.5.0 is not installed.",))
    assert run.main(["--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert "dateparser 1.5.0 is not installed." in said
    assert "pip install --no-deps -r results/benchmarks/dates/harness/requirements.txt" in said
    assert not (tmp_path / "out").exists()


@pytest.fixture
def standard_library_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """The harness with the one system that is always installed."""
    monkeypatch.setattr(run.pins, "unmet", lambda _pins: ())
    own = tuple(system for system in run.SYSTEMS if system.distribution is None)
    monkeypatch.setattr(run, "SYSTEMS", own)


@pytest.mark.usefixtures("standard_library_only")
def test_a_run_writes_one_attempt_for_each_case(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The bundle is complete, an earlier one is replaced, and the next command is named."""
    out = tmp_path / "out"
    for _ in range(2):
        assert run.main(["--out", str(out)]) == 0
        assert capsys.readouterr().out == (
            f"The bundle lies in {out}; next: results record {out} --dry-run\n"
        )
    manifest = json.loads((out / "run.json").read_text(encoding="utf-8"))
    assert (manifest["status"], [system["id"] for system in manifest["systems"]]) == (
        "complete",
        ["datetime"],
    )
    cases = sorted(path.stem for path in (HARNESS.parent / "cases").rglob("*.json"))
    lines = (out / "attempts.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["case"] for line in lines] == cases


@pytest.mark.usefixtures("standard_library_only")
def test_a_folder_that_is_no_bundle_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A slip in --out does not cost anybody their files."""
    (tmp_path / "thesis.txt").write_text("years of work", encoding="utf-8")
    assert run.main(["--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 2
    assert (tmp_path / "thesis.txt").read_text(encoding="utf-8") == "years of work"


@pytest.mark.parametrize("jobs", ["0", "-1", "many"])
def test_a_number_of_jobs_that_cannot_be_is_refused(
    jobs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """At least one system is asked at a time."""
    with pytest.raises(SystemExit, match="2"):
        run.main(["--jobs", jobs])
    assert "--jobs" in capsys.readouterr().err


class Terminal:
    """A stream that may be a terminal, and remembers what was written."""

    def __init__(self, *, is_terminal: bool) -> None:
        self.is_terminal = is_terminal
        self.written = ""

    def isatty(self) -> bool:
        """Whether somebody is watching."""
        return self.is_terminal

    def write(self, text: str) -> None:
        """Remember it."""
        self.written += text

    def flush(self) -> None:
        """There is nothing to flush."""


def test_progress_is_one_line_on_a_terminal_and_nothing_in_a_pipe() -> None:
    """A log is not filled with lines that were meant to be written over."""
    terminal, pipe = Terminal(is_terminal=True), Terminal(is_terminal=False)
    for stream in (terminal, pipe):
        progress = run.Progress(stream, total=2)
        progress.step("stub")
        progress.step("stub")
        progress.close()
    assert terminal.written == "\r\x1b[Kstub  1/2\r\x1b[Kstub  2/2\r\x1b[K"
    assert pipe.written == ""
