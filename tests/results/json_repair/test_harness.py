from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from decimal import Decimal
from importlib.util import module_from_spec, spec_from_file_location
from math import inf, nan
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
HARNESS = ROOT / "results" / "benchmarks" / "json-repair" / "harness"

STUBS = '''
import os, signal, sys, time

from repairers import Loaded, Repairer


class CannotRead(Exception):
    """The refusal that this program documents."""


def read(text):
    match text:
        case "a document":
            return {"b": [1, None], "a": "x"}
        case "nothing":
            return None
        case "an empty text":
            return ""
        case "an empty object":
            return {}
        case "false":
            return False
        case "a refusal":
            raise CannotRead("no document: " + repr(text))
        case "another exception":
            raise KeyError("at 0x7f00deadbeef in /opt/somewhere/reader.py")
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
        case "half a line":
            for number in range(3, 30):
                try:
                    os.write(number, b'{"kind": ')
                except OSError:
                    pass
            os._exit(6)
        case "print":
            print("{}")
            os.write(1, b"{}\\n")
            print("a warning", file=sys.stderr)
            return [1]
        case "process":
            return [os.getpid()]
    return [text]


def not_there():
    raise ModuleNotFoundError("No module named 'nowhere'")


def dies():
    os._exit(5)


SYSTEMS = (
    Repairer("stub", "stub.read", lambda: Loaded(read, (CannotRead,))),
    Repairer("other", "stub.read", lambda: Loaded(read)),
    Repairer("not-there", "stub.read", not_there),
    Repairer("dies", "stub.read", dies),
)
'''


def load(name: str) -> Any:  # noqa: ANN401  a module that is no part of a package
    """A module of the harness, by its path."""
    spec = spec_from_file_location(f"json_repair_harness_{name}", HARNESS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


child, measure, repairers, versions, workers = map(
    load, ("child", "measure", "repairers", "versions", "workers")
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
    with workers.Worker(stubs, "stub", seconds=30) as held:
        yield held


ENDINGS = [
    ("a document", "answered", '{"a":"x","b":[1,null]}'),
    ("an empty object", "answered", "{}"),
    ("false", "answered", "false"),
    ("nothing", "refused", "nothing was returned"),
    ("an empty text", "refused", "nothing was returned"),
    ("a refusal", "refused", "CannotRead: no document: 'a refusal'"),
    ("another exception", "failed", "KeyError: 'at <address> in <path>'"),
    ("an exception without words", "failed", "RecursionError"),
    ("exit", "failed", "the process ended with exit status 3"),
    ("leave", "failed", "the process ended with exit status 4"),
    ("kill", "failed", "the process was ended by SIGKILL"),
    ("half a line", "failed", "the process ended with exit status 6"),
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
    assert stub.ask("a document").text == '{"a":"x","b":[1,null]}'


def test_a_system_that_does_not_answer_is_ended_at_the_limit(stubs: Path) -> None:
    """It is a time-out and no failure; the time is the parent's, and a new process goes on."""
    with workers.Worker(stubs, "stub", seconds=1.5) as held:
        before = held.ask("process").text
        reply = held.ask("sleep")
        assert (reply.kind, reply.text) == ("timeout", "no answer within 1.5 seconds")
        assert 1_500_000 <= reply.elapsed_us < 30_000_000
        after = held.ask("process")
        assert after.kind == "answered"
        assert after.text != before


def test_what_a_library_prints_never_mixes_with_an_answer(stub: Any) -> None:  # noqa: ANN401
    """Standard output and error of a worker lead nowhere, below Python's own streams too."""
    assert stub.ask("print").text == "[1]"
    assert stub.ask("nothing").kind == "refused"


def test_any_text_reaches_a_system_as_it_is(stub: Any) -> None:  # noqa: ANN401
    """Line ends, control characters and marks that nobody sees are part of what is asked."""
    text = '\ufeff{"a":\r\n"\t\u001b[0m\u2028”"'
    assert json.loads(stub.ask(text).text) == [text]


def test_a_worker_inherits_no_setting_that_could_change_an_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Locale and hash seed are fixed; what is not known to be needed is left out."""
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    monkeypatch.setenv("LC_ALL", "it_IT.UTF-8")
    monkeypatch.setenv("A_TOKEN", "not for a library")
    kept = workers.environment()
    assert (kept["PYTHONHASHSEED"], kept["LC_ALL"]) == ("0", "C.UTF-8")
    assert "A_TOKEN" not in kept


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
        workers.Worker(stubs, system, seconds=30) as held,
        pytest.raises(workers.StartError, match=f"^The system {system} did not start: {why}"),
    ):
        held.ask("a document")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": {"d": True, "c": None}}, '{"a":{"c":null,"d":true},"b":1}'),
        ({"ort": "Görlitz"}, '{"ort":"Görlitz"}'),
        ((1, [2, (3,)]), "[1,[2,[3]]]"),
        ([3.0, -0.0, 1e3, 2.5, Decimal("0.10"), Decimal(7)], "[3,0,1000,2.5,0.1,7]"),
        ([1e300, inf, nan], "[1e+300,Infinity,NaN]"),
        ({200: "ok", None: 1, True: 2, 1.5: 3}, '{"1.5":3,"200":"ok","null":1,"true":2}'),
        (["a\ud83d"], '["a\\ud83d"]'),
        ([{1}, object], '["{1}","<class \'object\'>"]'),
        ("a text", '"a text"'),
    ],
)
def test_an_answer_is_the_document_in_one_form(value: object, text: str) -> None:
    """Order of keys, white space and ways to write a number make no difference between two."""
    assert child.answer_text(value) == text


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("<Thing at 0x7F3a90>", "<Thing at <address>>"),
        ("No such file: '/usr/share/reader/grammar'", "No such file: '<path>'"),
        ("two\nlines  here", "two lines here"),
        ("a" * 10_000, "a" * 499 + "…"),
    ],
)
def test_words_of_a_library_are_the_same_on_every_machine(words: str, kept: str) -> None:
    """No address and no path is kept, and what quotes a whole document is cut."""
    assert child.normalised(words) == kept


def test_every_package_that_can_change_an_answer_is_pinned() -> None:
    """The list is exactly the systems' own packages: none of them needs another one."""
    own = {system.id for system in repairers.SYSTEMS if system.own}
    assert versions.pinned().keys() == own
    assert {system.id for system in repairers.SYSTEMS} - own == {"json"}


def test_the_list_holds_exact_pins_only(tmp_path: Path) -> None:
    """A range would measure something else next month."""
    path = tmp_path / "requirements.txt"
    path.write_text("# a comment\n\njson5>=0.17\n", encoding="utf-8")
    with pytest.raises(ValueError, match="is no exact pin"):
        versions.pinned(path)


def test_a_missing_and_a_moved_package_are_both_named() -> None:
    """Everything that has to be installed is said at once."""
    here = {"json5": "0.9.0", "hjson": None, "chompjs": "1.4.1"}
    wanted = {"json5": "0.17.3", "hjson": "3.1.0", "chompjs": "1.4.1"}
    assert versions.unmet(wanted, here) == (
        "json5 0.9.0 is installed, and 0.17.3 is pinned.",
        "hjson 3.1.0 is not installed.",
    )


def test_a_package_that_is_not_there_has_no_version() -> None:
    """Looking for it is no error."""
    assert versions.installed("no-such-distribution-of-anybody") is None
    assert versions.installed("pytest") is not None


def test_the_standard_library_is_asked_as_the_others_are() -> None:
    """It needs no package, and refuses what is not JSON."""
    [own] = [system for system in repairers.SYSTEMS if not system.own]
    assert child.outcome(own.load(), ' {"b": 1, "a": 2.0} ') == ("answered", '{"a":2,"b":1}')
    kind, words = child.outcome(own.load(), '{"a": 1,}')
    assert kind == "refused"
    assert words.startswith("JSONDecodeError: ")


def test_each_system_is_asked_everything_in_order(stubs: Path) -> None:
    """One system after the other, and the questions of each in their order."""
    questions = [measure.Question(f"case-{n}", text) for n, text in enumerate(("a", "exit", "b"))]
    systems = [SimpleNamespace(id="stub"), SimpleNamespace(id="other")]
    asked = measure.ask_all(systems, questions, seconds=30, systems_file=stubs)
    assert [(item.system, item.question.case, item.reply.kind) for item in asked] == [
        (system, f"case-{n}", kind)
        for system in ("stub", "other")
        for n, kind in enumerate(("answered", "failed", "answered"))
    ]


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
    reply = measure.Reply(kind, "words", 17)
    seen = measure.attempt(measure.Asked("stub", measure.Question("case-1", "text"), reply))
    assert [(turn.content, turn.refusal) for turn in seen["turns"]] == said
    assert (seen["outcome"], seen["reason"]) == (outcome, reason)
    assert (seen["case"], seen["stimulus"], seen["elapsed_us"]) == ("case-1", "text", 17)


def test_nothing_is_measured_while_a_program_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message names the package and the command, and no folder is written."""
    monkeypatch.setattr(measure.versions, "unmet", lambda *_: ("hjson 3.1.0 is not installed.",))
    assert measure.main(["--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert "hjson 3.1.0 is not installed." in said
    assert "pip install --no-deps -r results/benchmarks/json-repair/harness/requirements" in said
    assert not (tmp_path / "out").exists()


@pytest.fixture
def standard_library_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """The harness with the one system that is always installed."""
    monkeypatch.setattr(measure.versions, "unmet", lambda *_: ())
    own = tuple(system for system in measure.SYSTEMS if not system.own)
    monkeypatch.setattr(measure, "SYSTEMS", own)


@pytest.mark.usefixtures("standard_library_only")
def test_a_run_writes_one_attempt_for_each_case(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The bundle is complete, an earlier one is replaced, and the next command is named."""
    out = tmp_path / "out"
    for _ in range(2):
        assert measure.main(["--out", str(out)]) == 0
        assert capsys.readouterr().out == (
            f"The bundle lies in {out}; next: results record {out} --dry-run\n"
        )
    manifest = json.loads((out / "run.json").read_text(encoding="utf-8"))
    assert (manifest["status"], [system["id"] for system in manifest["systems"]]) == (
        "complete",
        ["json"],
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
    assert measure.main(["--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 2
    assert (tmp_path / "thesis.txt").read_text(encoding="utf-8") == "years of work"
