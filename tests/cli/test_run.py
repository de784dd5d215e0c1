"""`results run`, as a person or a script meets it, and as a process that is interrupted."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from generator.cli.run import line
from generator.records.bundle import Attempt, Manifest
from generator.runners.account import Account
from generator.runners.sweep import Progress
from generator.store.bundles import open_bundle
from generator.workflow.record import record
from tests.cli.conftest import Said
from tests.conftest import ANSWERS, BENCHMARK, Kit
from tests.runners.sample import KEY
from tests.runners.stub import Reply, Sent, Stub, refused, said
from tests.runners.talking import EFFORT, greet, talk

Results = Callable[..., Said]
ROOT = Path(__file__).parents[2]
OUT = f"dist/runs/{BENCHMARK}"
PRICE = '\n[[prices]]\nsystem = "openai:m"\ninput = 1.25\noutput = 10\n'


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the keys, endpoints or proxies of whoever runs it."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name.startswith(("OPENAI_", "ANTHROPIC_")):
            monkeypatch.delenv(name)


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stub]:
    """A provider that answers rightly after a moment."""

    def answer(sent: Sent) -> Reply:
        return Reply(greet(sent).body, after=0.05)

    with Stub(answer) as serving:
        monkeypatch.setenv("OPENAI_BASE_URL", serving.url)
        yield serving


def attempts(kit: Kit) -> list[Attempt]:
    """What was observed, in the order of the bundle."""
    return [observed.attempt for observed in open_bundle(kit.root / OUT).attempts()]


def manifest(kit: Kit) -> Manifest:
    """What the run says of itself."""
    return Manifest.parse((kit.root / OUT / "run.json").read_bytes())


# Words, codes, JSON


def test_a_run_says_what_became_of_it(kit: Kit, results: Results, stub: Stub) -> None:
    """Where it lies, how its attempts ended, what was billed, and what comes next."""
    done = results(talk(kit, PRICE), "run", BENCHMARK, "--system", "openai:m")
    assert (done.code, done.err) == (0, "")
    first, second, third = done.out.splitlines()
    assert first == f"{OUT}: 4 attempts: 4 completed"
    assert second == "tokens billed: 60, 0.0002 USD"
    assert third.startswith("next: ")
    assert third.endswith(f"results record {OUT}")
    assert len(stub.sent) == 4
    assert results(kit, "record", OUT).code == 0


def test_a_run_is_told_to_a_program(kit: Kit, results: Results, stub: Stub) -> None:
    """The same in one document."""
    assert stub.port
    words = ("run", BENCHMARK, "--system", "openai:m", "--json")
    done = results(talk(kit, PRICE), *words)
    assert (done.code, done.err) == (0, "")
    assert done.json == {
        "out": OUT,
        "status": "complete",
        "stopped": None,
        "attempts": 4,
        "left": 0,
        "outcomes": {"completed": 4},
        "tokens": {"input": 40, "output": 20, "cache_created": 0, "cache_read": 0},
        "cost": {"USD": "0.00025"},
    }


def test_every_option_arrives(kit: Kit, results: Results, stub: Stub) -> None:
    """Each has its effect on what is sent or written."""
    talk(kit, EFFORT, tools=True)
    done = results(
        kit, "run", BENCHMARK, "--system", "openai:m", "--repeat", "2", "--effort", "low",
        "--prompted-effort", "--cases", "polite-*", "--tools", "prompted", "--revision", "r-1",
        "--option", "temperature=0", "--option", "user=me", "--budget", "9999", "--jobs", "2",
        "--out", "dist/here", "--spend",
    )  # fmt: skip
    assert done.code == 0
    assert {sent.body["temperature"] for sent in stub.sent} == {0}
    assert {sent.body["user"] for sent in stub.sent} == {"me"}
    assert {sent.body["max_tokens"] for sent in stub.sent} == {500}
    assert not any("tools" in sent.body for sent in stub.sent)
    written = Manifest.parse((kit.root / "dist/here/run.json").read_bytes())
    (system,) = written.systems
    assert (written.repetitions, written.filter, written.budget) == (
        2,
        "polite-*",
        {"tokens": 9999},
    )
    assert (system.revision, system.axes["effort"], system.axes["effort-by"]) == (
        "r-1",
        "low",
        "prompted",
    )
    assert stub.most <= 2


def test_what_keeps_a_run_from_being_published_is_said(kit: Kit, results: Results) -> None:
    """On standard error, a line each, and the run is made all the same."""
    done = results(talk(kit), "run", BENCHMARK, "--system", "fake:perfect", "--cases", "curt-*")
    assert done.code == 0
    assert [said.split(":")[:2] for said in done.err.splitlines()] == [
        ["this run could never be published", " fake-provider"],
        ["this run could never be published", " filtered-run"],
    ]


def test_a_run_that_stopped_is_no_success(kit: Kit, results: Results, stub: Stub) -> None:
    """The budget is named, how much is left, and how one goes on."""
    assert stub.port
    words = ("run", BENCHMARK, "--system", "openai:m", "--jobs", "1", "--budget")
    done = results(talk(kit), *words, "15")
    assert done.code == 1
    assert done.out.splitlines()[-1] == (
        "stopped: the budget of 15 tokens is reached; 3 attempts left; "
        "go on with --resume and a larger --budget"
    )
    assert results(kit, *words, "15", "--json", "--resume").json["stopped"] == "budget"
    assert results(kit, *words, "1000", "--resume").code == 0
    assert len(attempts(kit)) == 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--system", "google:m"), "names no system that can be asked here"),
        (("--system", "fake:perfect", "--effort", "high"), "declares no effort 'high'"),
        (("--system", "fake:perfect", "--resume"), "There is no run in"),
        (("--system", "fake:perfect", "--option", "x"), "'x' is no option"),
        (("--system", "anthropic:c"), "which may cost money"),
        (("--system", "anthropic:c", "--spend"), "ANTHROPIC_API_KEY is not set"),
        (("--system", "fake:perfect", "--budget", "0"), "budget"),
        (("--system", "fake:perfect", "--jobs", "0"), "jobs"),
        ((), "--system"),
    ],
    ids=str,
)
def test_words_that_do_not_fit_are_said(
    kit: Kit, results: Results, words: tuple[str, ...], said: str
) -> None:
    """Before anything is asked or written."""
    done = results(talk(kit), "run", BENCHMARK, *words)
    assert done.code in {2, 3}
    assert said in " ".join(done.err.split())
    assert not (kit.root / OUT).exists()


def test_a_key_that_is_refused_is_said(
    kit: Kit, results: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a sentence without the key, and the run says that it stopped."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with Stub(refused(401, f"Incorrect API key provided: {KEY}.")) as stub:
        monkeypatch.setenv("OPENAI_BASE_URL", stub.url)
        done = results(talk(kit), "run", BENCHMARK, "--system", "openai:m")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: local refused the key: HTTP 401: ")
    assert "Traceback" not in done.err
    assert KEY not in done.err
    assert (manifest(kit).status, manifest(kit).stopped) == ("stopped", "crash")


# Progress


def test_the_line_tells_what_there_is_to_tell() -> None:
    """Failures by kind, tokens against the budget, cost, time left; nothing of what is not."""
    how = Progress(total=100, done=25, seconds=60.0)
    account = Account(2_000_000)
    assert line(Progress(total=100), account) == ""
    assert line(how, account) == " (3 min left)"
    how.outcomes.update({"completed": 20, "timeout": 3, "failed": 2})
    account.by_kind = {"input": 12_000, "output": 345}
    account.cost = {"USD": Decimal("0.42")}
    assert line(how, account) == (
        " (2 failed, 3 timeout, 12,345 of 2,000,000 tokens, 0.4200 USD, 3 min left)"
    )
    account.unpriced = True
    assert "at least 0.4200 USD" in line(how, account)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "0 s left"),
        (29, "29 s left"),
        (90, "2 min left"),
        (3599, "1 h 0 min left"),
        (7500, "2 h 5 min left"),
    ],
)
def test_time_is_told_in_a_word_or_two(seconds: float, words: str) -> None:
    """Nobody needs seconds where hours are left."""
    how = Progress(total=2, done=1, seconds=seconds)
    assert line(how, Account(1)) == f" ({words})"


def settings(**more: str) -> dict[str, str]:
    """The environment of a process that is the command."""
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


def test_progress_is_shown_on_a_terminal(kit: Kit, stub: Stub) -> None:
    """Attempts, tokens, cost and time left, on one line that is taken away at the end."""
    assert stub.port
    talk(kit, PRICE)
    words = ("run", BENCHMARK, "--system", "openai:m", "--repeat", "20", "--jobs", "4")
    ours, theirs = pty.openpty()
    with os.fdopen(ours, "rb", buffering=0) as terminal:
        process = subprocess.Popen(
            [sys.executable, "-m", "generator", *words],
            cwd=kit.root,
            env=settings(COLUMNS="200"),
            stdout=subprocess.PIPE,
            stderr=theirs,
        )
        os.close(theirs)
        shown = b""
        while True:
            try:
                piece = terminal.read(65536)
            except OSError:  # the other end is gone
                break
            if not piece:
                break
            shown += piece
        out, _ = process.communicate()
    assert process.returncode == 0
    lines = shown.decode().split("\r\x1b[K")
    assert lines[1] == "asking 0/80"
    told = r"asking \d+/80 \([\d,]+ of 2,000,000 tokens, 0\.\d{4} USD, \d+ s left\)"
    assert re.search(told, shown.decode())
    assert lines[-2].startswith("asking 80/80 (1,200 of 2,000,000 tokens, 0.0050 USD)")
    assert lines[-1] == ""
    assert b"\x1b" not in out


# Interrupted, and gone on with


def started(kit: Kit, *words: str, **more: str) -> "subprocess.Popen[str]":
    """The command as a process."""
    return subprocess.Popen(
        [sys.executable, "-m", "generator", "run", BENCHMARK, *words],
        cwd=kit.root,
        env=settings(**more),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(kit: Kit, number: int) -> None:
    """Wait until so many attempts have been written."""
    path = kit.root / OUT / "attempts.jsonl"
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if path.exists() and path.read_bytes().count(b"\n") >= number:
            return
        time.sleep(0.01)
    pytest.fail("nothing was written")


WORDS = ("--system", "openai:m", "--repeat", "30", "--jobs", "4")
TOTAL = 30 * len(ANSWERS)


def test_ctrl_c_ends_a_run_cleanly_and_it_goes_on(kit: Kit, stub: Stub) -> None:
    """What has ended is in order, the manifest says what ended it; then nothing is made twice."""
    talk(kit)
    process = started(kit, *WORDS)
    wait_for(kit, 10)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    before = attempts(kit)
    assert (process.returncode, err) == (1, "")
    assert f"stopped: somebody ended it; {TOTAL - len(before)} attempts left" in out
    assert (manifest(kit).status, manifest(kit).stopped) == ("stopped", "interrupt")
    assert 10 <= len(before) < TOTAL
    assert [one.id for one in before] == sorted((one.id for one in before), key=place)
    asked = len(stub.sent)
    process = started(kit, *WORDS, "--resume")
    _, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    assert len(stub.sent) - asked == TOTAL - len(before)
    whole(kit, before)


def test_a_run_that_was_killed_goes_on(kit: Kit, stub: Stub) -> None:
    """From one moment to the next, in the middle of a line: what was under way is made again."""
    talk(kit)
    process = started(kit, *WORDS)
    wait_for(kit, 10)
    process.kill()
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert (manifest(kit).status, manifest(kit).stopped) == ("stopped", "crash")
    path = kit.root / OUT / "attempts.jsonl"
    *lines, last = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines) + last[: len(last) // 2])
    before = [json.loads(line)["id"] for line in lines]
    asked = len(stub.sent)
    process = started(kit, *WORDS, "--resume")
    _, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    assert len(stub.sent) - asked == TOTAL - len(before)
    whole(kit, [])
    assert {one.id for one in attempts(kit)} >= set(before)


def test_a_terminated_run_goes_on(kit: Kit, stub: Stub) -> None:
    """What CI sends before it kills is an interrupt as well."""
    assert stub.port
    talk(kit)
    process = started(kit, *WORDS)
    wait_for(kit, 5)
    process.terminate()
    process.communicate(timeout=60)
    assert (process.returncode, manifest(kit).stopped) == (1, "interrupt")
    process = started(kit, *WORDS, "--resume")
    process.communicate(timeout=120)
    whole(kit, [])


def test_programs_go_with_the_run(kit: Kit, tmp_path: Path) -> None:
    """An interrupt leaves none behind."""
    number = tmp_path / "number"
    slow = f"echo $$ > {number}; exec sleep 1000"
    command = f'command = ["/bin/sh", "-c", "{slow}"]\n'
    talk(
        kit,
        f'\n[[systems]]\nid = "slow"\nprovider = "local"\nsurface = "x"\nrevision = "1"\n{command}',
    )
    process = started(kit, "--system", "command:slow", "--jobs", "1")
    until = time.monotonic() + 60
    while time.monotonic() < until and not (number.exists() and number.read_bytes().strip()):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (1, "")
    with pytest.raises(ProcessLookupError):
        os.kill(int(number.read_text()), 0)


def place(name: str) -> tuple[str, str, int]:
    """Where an attempt stands in the order of the bundle."""
    system, case, repetition = name.split("/")
    return system, case, int(repetition)


def whole(kit: Kit, before: list[Attempt]) -> None:
    """Every attempt is there once and in order, those that were made before as they were."""
    made = attempts(kit)
    assert [place(one.id) for one in made] == [
        ("local-m", case, repetition)
        for case in sorted(ANSWERS)
        for repetition in range(1, TOTAL // len(ANSWERS) + 1)
    ]
    assert {one.run for one in made} == {manifest(kit).run}
    assert [one for one in made if one.id in {old.id for old in before}] == before
    assert (manifest(kit).status, manifest(kit).stopped) == ("complete", None)
    done = record(kit.project, kit.root / OUT)
    assert (done.published, done.refused) == (1, 0)


# Secrets


def test_no_output_says_a_secret(kit: Kit) -> None:
    """Neither on standard output nor on standard error nor in any file, whatever happens."""
    home = "/home/somebody-in-particular"
    secrets: Mapping[str, str] = {
        "OPENAI_API_KEY": KEY,
        "MY_TOKEN": "not-a-real-token",
        "HOME": home,
    }
    everything = " ".join(secrets.values())
    answers: list[Any] = [
        said(everything),
        refused(400, everything),
        refused(401, everything),
        Reply(everything.encode()),
    ]
    talk(kit)
    kit.write("README.md", "# Another\n")
    shown: list[str] = []
    for answer in answers:
        with Stub(answer) as stub:
            words = ("--system", "openai:m", "--option", f"user={everything}", "--out")
            address = {"OPENAI_BASE_URL": stub.url}
            process = started(kit, *words, OUT, **secrets, **address)
            shown += process.communicate(timeout=60)
    process = started(kit, "--system", KEY, **secrets)
    shown += process.communicate(timeout=60)
    process = started(kit, "--system", "fake:perfect", "--out", f"/proc{home}/x", **secrets)
    shown += process.communicate(timeout=60)
    assert "dirty-tree" in "".join(shown)
    assert "refused the key" in "".join(shown)
    files = [path.read_text() for path in (kit.root / "dist").rglob("*") if path.is_file()]
    for secret in secrets.values():
        assert not [text for text in (*shown, *files) if secret in text]
