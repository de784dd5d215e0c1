import json
import os
import tracemalloc
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from generator import __version__
from generator.errors import AssayError, CorpusError, UsageError
from generator.records.bundle import Attempt, Manifest
from generator.records.key import EFFORT, EFFORT_BY
from generator.records.measure import Ratio
from generator.runners.chat import Unauthorised
from generator.store.bundles import open_bundle
from generator.store.registry import read_registry
from generator.workflow.record import record
from generator.workflow.run import Ran, Wanted, run
from tests.conftest import ANSWERS, BENCHMARK, LOCALES, Kit
from tests.runners.sample import KEY
from tests.runners.stub import Reply, Sent, Stub, blocks, chosen, refused, reply, said
from tests.runners.talking import BY_PROMPT, PLACE, RIGHT, greet, talk
from tests.runners.talking import EFFORT as LEVELS

CASE_IDS = sorted(ANSWERS)


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the keys, endpoints or proxies of whoever runs it."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name.startswith(("OPENAI_", "ANTHROPIC_")):
            monkeypatch.delenv(name)


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Stub]]:
    """Start a stub that the environment names as the endpoint of both dialects."""
    stubs: list[Stub] = []

    def start(answer: Any = greet, script: tuple[Reply, ...] = ()) -> Stub:  # noqa: ANN401
        stub = Stub(answer, script).__enter__()
        stubs.append(stub)
        monkeypatch.setenv("OPENAI_BASE_URL", f"{stub.url}/v1")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", stub.url)
        return stub

    yield start
    for stub in stubs:
        stub.__exit__()


def ran(kit: Kit, *systems: str, **wanted: Any) -> Ran:  # noqa: ANN401  what tests like to vary
    """Run the benchmark of the tests."""
    return run(kit.project, Wanted(BENCHMARK, systems, **wanted))


def attempts(done: Ran) -> list[Attempt]:
    """What was observed, in the order of the bundle."""
    return [observed.attempt for observed in open_bundle(done.out).attempts()]


def passed(kit: Kit) -> dict[str, tuple[int, int]]:
    """By system of the run: both terms of `passed` of each row that stands."""
    return {
        row.run.system: (measure.numerator, measure.denominator)
        for row in read_registry(kit.project).standing()
        for measure in row.measures
        if isinstance(measure, Ratio) and measure.id == "passed"
    }


# From a run to rows


def test_a_simulated_run_is_whole(kit: Kit) -> None:
    """Every case in every repetition, in order, and a manifest that leaves nothing out."""
    done = ran(talk(kit), "fake:perfect", repetitions=2)
    assert [(one.case, one.repetition) for one in attempts(done)] == [
        (case, repetition) for case in CASE_IDS for repetition in (1, 2)
    ]
    assert {one.run for one in attempts(done)} == {done.manifest.run}
    assert done.out == kit.root / "dist" / "runs" / BENCHMARK
    said = Manifest.parse((done.out / "run.json").read_bytes())
    assert said == done.manifest
    assert (said.status, said.stopped, said.filter, said.repetitions) == ("complete", None, None, 2)
    assert (said.harness.name, said.harness.version) == ("assay-run", __version__)
    assert (said.budget, said.benchmark.id) == ({"tokens": 2_000_000}, BENCHMARK)
    assert (said.tree_at_start.clean, said.tree_at_end.clean) == ("yes", "yes")
    assert said.corpus.commit == kit.head()
    assert None not in (said.corpus.digest, said.corpus.contracts, said.finished, said.environment)


def test_a_simulated_run_is_rehearsed_and_never_published(kit: Kit) -> None:
    """It proves the whole chain: each figure is full, and one rule stands in front of them."""
    done = ran(talk(kit, tools=True), "fake:perfect", "fake:silent")
    before = kit.committed()
    rehearsal = record(kit.project, done.out, rehearsal=True)
    assert (rehearsal.published, rehearsal.refused) == (2, 0)
    perfect, silent = (verdict.row for verdict in rehearsal.verdicts)
    assert perfect is not None
    assert silent is not None
    assert perfect.measure("passed") == Ratio(metric="passed", numerator=5, denominator=5)
    assert silent.measure("passed") == Ratio(metric="passed", numerator=0, denominator=5)
    earnest = record(kit.project, done.out)
    assert {refusal.rule.id for one in earnest.verdicts for refusal in one.refusals} == {
        "fake-provider"
    }
    assert kit.committed() == before


def test_a_program_is_published(kit: Kit) -> None:
    """Run, recorded and drawn in earnest: both declared programs, each with its figures."""
    done = ran(talk(kit), "all")
    recorded = kit.record(done.out)
    assert (recorded.published, recorded.refused) == (2, 0)
    assert passed(kit) == {"greeter": (4, 4), "rude": (0, 4)}
    (row,) = (row for row in read_registry(kit.project).standing() if row.run.system == "greeter")
    assert (row.key.provider, row.key.model, row.key.revision) == (
        "pypi",
        "not-a-real-greeter",
        "1.0",
    )
    for locale in LOCALES:
        assert (kit.root / f"docs/{locale}/results/{BENCHMARK}/{row.id}.md").is_file()


def test_a_model_is_published(kit: Kit, serve: Callable[..., Stub]) -> None:
    """With tools and two steps: what was sent, and the revision that the replies say."""
    stub = serve()
    done = ran(talk(kit, tools=True), "openai:m", options={"temperature": 0})
    assert done.progress.outcomes == {"completed": 5}
    assert len(stub.sent) == 6
    assert {sent.path for sent in stub.sent} == {"/v1/chat/completions"}
    kit.record(done.out)
    assert passed(kit) == {"local-m": (5, 5)}
    (row,) = read_registry(kit.project).standing()
    assert (row.key.provider, row.key.model, row.key.revision) == ("local", "m", "m-2026-01-01")
    assert row.key.configuration.options == {"temperature": 0}
    assert row.key.configuration.surface == "chat-completions, tools native"
    assert row.counts.tokens.input == 60


def test_a_model_of_the_other_dialect_is_published(kit: Kit, serve: Callable[..., Stub]) -> None:
    """The same benchmark, asked in messages."""

    def answer(sent: Sent) -> Reply:
        asked = sent.body["messages"][-1]["content"][0]["text"]
        return blocks({"type": "text", "text": BY_PROMPT[asked]})

    stub = serve(answer)
    done = ran(talk(kit), "anthropic:c")
    assert {sent.path for sent in stub.sent} == {"/v1/messages"}
    kit.record(done.out)
    assert passed(kit) == {"local-c": (4, 4)}
    (row,) = read_registry(kit.project).standing()
    assert row.key.configuration.options == {"max_tokens": 4096}
    assert row.key.revision == "c-2026-01-01"


def test_tools_in_the_prompt_are_another_measurement(kit: Kit, serve: Callable[..., Stub]) -> None:
    """Which way was used is part of the row."""
    talk(kit, tools=True)
    serve()
    for tools in ("native", "prompted"):
        kit.record(ran(kit, "openai:m", tools=tools).out)
    rows = list(read_registry(kit.project).standing())
    assert {row.key.configuration.surface for row in rows} == {
        "chat-completions, tools native",
        "chat-completions, tools prompted",
    }
    assert len({row.key.digest for row in rows}) == 2


def test_nothing_is_asked_twice(kit: Kit, serve: Callable[..., Stub]) -> None:
    """However poor the replies are, there is one request an attempt."""
    stub = serve(said("I don't know."))
    done = ran(talk(kit), "openai:m", repetitions=3)
    assert len(stub.sent) == len(attempts(done)) == 12


def test_what_a_provider_refused_is_asked_again_and_recorded(
    kit: Kit, serve: Callable[..., Stub]
) -> None:
    """Each try stands with the reply that came after it."""
    count = iter(range(1000))

    def answer(sent: Sent) -> Reply:
        return greet(sent) if next(count) % 2 else refused(429, retry_after="0")

    stub = serve(answer)
    done = ran(talk(kit), "openai:m", jobs=1)
    assert len(stub.sent) == 8
    assert [[tried.status for tried in one.turns[0].tries] for one in attempts(done)] == [[429]] * 4
    kit.record(done.out)
    assert passed(kit) == {"local-m": (4, 4)}


@pytest.mark.parametrize("jobs", [1, 3])
def test_attempts_run_side_by_side(kit: Kit, serve: Callable[..., Stub], jobs: int) -> None:
    """As many as --jobs says, over as many connections."""
    stub = serve(said("Hello", after=0.03))
    ran(talk(kit), "openai:m", jobs=jobs, repetitions=3)
    assert (stub.most, stub.connections) == (jobs, jobs)


def test_two_runs_differ_in_times_only(kit: Kit, serve: Callable[..., Stub]) -> None:
    """The order in the bundle is that of the benchmark, not of the replies."""
    delays = iter([0.2, 0.0, 0.1, 0.0, 0.0, 0.1, 0.0, 0.2] * 2)

    def slowly(sent: Sent) -> Reply:
        right = greet(sent)
        return Reply(right.body, after=next(delays))

    serve(slowly)
    talk(kit)
    runs = []
    for name in ("one", "two"):
        done = ran(kit, "openai:m", "openai:n", jobs=8, out=kit.root / "dist" / name)
        runs.append([(one.id, one.turns[0].content) for one in attempts(done)])
    assert runs[0] == runs[1]
    assert runs[0] == [
        (f"local-{model}/{case}/1", RIGHT[case]) for model in "mn" for case in CASE_IDS
    ]


# What is said at the start


def warned(kit: Kit, *systems: str, **wanted: Any) -> list[str]:  # noqa: ANN401
    """What is said before anything is asked."""
    told: list[str] = []
    run(kit.project, Wanted(BENCHMARK, systems, **wanted), warn=told.append)
    return told


def test_a_run_that_could_be_published_says_nothing(kit: Kit, serve: Callable[..., Stub]) -> None:
    """Neither a program nor a model whose revision its replies will tell."""
    serve()
    assert warned(talk(kit), "command:greeter", "openai:m") == []


def test_a_run_that_could_never_be_published_says_so_first(
    kit: Kit, serve: Callable[..., Stub]
) -> None:
    """Before the first token: an unclean tree, part of the cases, a simulated system."""
    stub = serve()
    talk(kit)
    kit.write("README.md", "# Another\n")
    told: list[tuple[str, int]] = []
    wanted = Wanted(BENCHMARK, ["openai:m", "fake:perfect"], cases="curt-*")
    run(kit.project, wanted, warn=lambda reason: told.append((reason, len(stub.sent))))
    assert {sent for _, sent in told} == {0}
    rules = [reason.split(":")[0] for reason, _ in told]
    assert sorted(rules) == ["dirty-tree", "fake-provider", "filtered-run"]
    assert any("README.md" in reason for reason, _ in told)


def test_a_missing_field_is_said_first(kit: Kit) -> None:
    """What the benchmark demands and nobody can say any more."""
    talk(kit)
    path = f"{PLACE}/benchmark.toml"
    kit.write(path, kit.read(path).replace('["subject", "tools"]', '["tools"]'))
    kit.commit()
    (told,) = warned(kit, "command:greeter")
    assert told == "incomplete-provenance: The run does not say: subject."


def test_a_project_without_git_says_so_first(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was observed is kept all the same."""
    talk(kit)
    monkeypatch.setenv("PATH", "/nowhere")
    rules = {told.split(":")[0] for told in warned(kit, "fake:perfect")}
    assert rules == {"fake-provider", "dirty-tree", "incomplete-provenance"}


# Cases


def test_part_of_the_cases_is_asked(kit: Kit) -> None:
    """Those that are like the pattern; the manifest says so, and the gate refuses it."""
    done = ran(talk(kit), "command:greeter", cases="curt-*")
    assert [one.case for one in attempts(done)] == ["curt-hey", "curt-yo"]
    assert done.manifest.filter == "curt-*"
    (verdict,) = record(kit.project, done.out).verdicts
    assert "filtered-run" in {refusal.rule.id for refusal in verdict.refusals}


def test_a_pattern_that_no_case_is_like_is_refused(kit: Kit) -> None:
    """A run of nothing is none."""
    with pytest.raises(UsageError, match=r"No case is like 'none-\*'"):
        ran(talk(kit), "fake:perfect", cases="none-*")
    assert not (kit.root / "dist" / "runs" / BENCHMARK).exists()


# Effort


def levels(done: Ran) -> list[str]:
    """The ids of the systems of a run."""
    return [system.id for system in done.manifest.systems]


def test_all_levels_are_swept(kit: Kit, serve: Callable[..., Stub]) -> None:
    """A row each, from cheap to dear, by the provider's own setting."""
    stub = serve()
    done = ran(talk(kit, LEVELS), "openai:m")
    assert levels(done) == ["local-m-none", "local-m-low"]
    assert [system.axes for system in done.manifest.systems] == [{EFFORT: "none"}, {EFFORT: "low"}]
    assert sorted(sent.body["reasoning_effort"] for sent in stub.sent) == ["low"] * 4 + ["none"] * 4
    kit.record(done.out)
    assert passed(kit) == {"local-m-none": (4, 4), "local-m-low": (4, 4)}


@pytest.mark.parametrize("named", [("low",), ("low", "low")])
def test_levels_may_be_named(kit: Kit, serve: Callable[..., Stub], named: tuple[str, ...]) -> None:
    """Then only those are asked, each once."""
    serve()
    assert levels(ran(talk(kit, LEVELS), "openai:m", levels=named)) == ["local-m-low"]


def test_named_levels_come_from_cheap_to_dear(kit: Kit) -> None:
    """In whatever order they are named."""
    done = ran(talk(kit, LEVELS), "fake:perfect", levels=("low", "none"))
    assert levels(done) == ["fake-perfect-none", "fake-perfect-low"]


def test_levels_may_be_prompted(kit: Kit, serve: Callable[..., Stub]) -> None:
    """Each with its instruction and its allowance, and rows that say so."""
    stub = serve()
    done = ran(talk(kit, LEVELS), "openai:m", "command:greeter", prompted=True)
    model = done.manifest.systems[1]
    assert model.axes == {EFFORT: "low", EFFORT_BY: "prompted"}
    assert model.options == {"max_tokens": 500}
    assert len({system.prompt for system in done.manifest.systems}) == 2
    assert not any("reasoning_effort" in sent.body for sent in stub.sent)
    stimuli = {one.stimulus.split("\n")[0] for one in attempts(done) if one.stimulus}
    assert stimuli == {"Answer at once.", "Think for a moment."}
    kit.record(done.out)
    assert set(passed(kit).values()) == {(4, 4)}


def test_a_system_without_levels_is_refused(kit: Kit) -> None:
    """Never is the same run made twice under two names."""
    with pytest.raises(UsageError, match="greeter has no setting for the effort 'none'"):
        ran(talk(kit, LEVELS), "command:greeter")
    assert not (kit.root / "dist" / "runs" / BENCHMARK).exists()


def test_two_levels_that_are_asked_alike_are_refused(kit: Kit) -> None:
    """The same words and the same allowance are the same level."""
    same = LEVELS.replace("Think for a moment.", "Answer at once.").replace("tokens = 500\n", "")
    with pytest.raises(UsageError, match="would be asked the same at the efforts 'none' and 'low'"):
        ran(talk(kit, same), "command:greeter", prompted=True)


def test_a_level_that_is_not_declared_is_refused(kit: Kit) -> None:
    """With those that are."""
    with pytest.raises(UsageError, match="declares no effort 'high'") as caught:
        ran(talk(kit, LEVELS), "fake:perfect", levels=("high",))
    assert caught.value.remedy == "Declared, from cheap to dear: none, low."


# Systems


def test_systems_whose_names_read_alike_have_two_ids(kit: Kit, serve: Callable[..., Stub]) -> None:
    """What is written down of one is not taken for the other's."""
    serve()
    done = ran(talk(kit), "openai:m.1", "openai:m-1", "openai:" + "x" * 200, "openai:" + "x" * 201)
    assert len(set(levels(done))) == 4
    assert {len([one for one in attempts(done) if one.system == id_]) for id_ in levels(done)} == {
        4
    }
    assert levels(done)[:2] == ["local-m-1", "local-m-1-2"]


def test_what_runs_a_model_is_read_from_a_file(kit: Kit, serve: Callable[..., Stub]) -> None:
    """It is part of the row, and so of what makes two rows the same measurement."""
    serve()
    said = kit.root / "dist/runtime.json"
    said.parent.mkdir(exist_ok=True)
    said.write_text('{"name": "llama.cpp", "version": "b1", "settings": {"threads": 1}}')
    done = ran(talk(kit), "openai:m", runtime=said)
    kit.record(done.out)
    (row,) = read_registry(kit.project).standing()
    runtime = row.key.runtime
    assert runtime is not None
    assert (runtime.name, runtime.version, runtime.settings) == ("llama.cpp", "b1", {"threads": 1})


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "can't be read"),
        (b"{", "runtime.json: "),
        (b'{"name": "llama.cpp"}', "version"),
        (b'{"name": "a", "version": "1", "threads": 1}', "threads"),
    ],
)
def test_a_file_that_says_no_runtime_is_refused(
    kit: Kit, serve: Callable[..., Stub], content: bytes | None, says: str
) -> None:
    """Before anything is asked."""
    stub = serve()
    said = kit.root / "runtime.json"
    if content is not None:
        said.write_bytes(content)
    with pytest.raises(UsageError) as caught:
        ran(talk(kit), "openai:m", runtime=said)
    assert "runtime.json" in caught.value.what
    assert says in caught.value.what
    assert stub.sent == []


@pytest.mark.parametrize(
    ("names", "revision"),
    [(["m-1"], "m-1"), (["m-1", "m-2"], None), ([None], None)],
    ids=["agree", "differ", "silent"],
)
def test_a_revision_is_what_all_replies_say(
    kit: Kit, serve: Callable[..., Stub], names: list[str | None], revision: str | None
) -> None:
    """A model that was exchanged under way is not named for either."""
    count = iter(range(1000))
    serve(lambda _: said("Hey", model=names[next(count) % len(names)]))
    done = ran(talk(kit), "openai:m")
    assert done.manifest.systems[0].revision == revision
    refusals = {refusal.rule.id for refusal in record(kit.project, done.out).verdicts[0].refusals}
    assert ("incomplete-provenance" in refusals) == (revision is None)


def test_a_revision_that_is_said_stands(kit: Kit, serve: Callable[..., Stub]) -> None:
    """For a server whose replies don't say it."""
    serve(said("Hey", model="m"))
    done = ran(talk(kit), "openai:m", revision="sha256-123")
    assert done.manifest.systems[0].revision == "sha256-123"


# Limits


def limited(kit: Kit, limits: str) -> Kit:
    """The benchmark with other limits."""
    talk(kit, tools=True)
    path = f"{PLACE}/benchmark.toml"
    kit.write(path, kit.read(path).replace("seconds_per_attempt = 10", limits))
    kit.commit()
    return kit


def test_the_benchmark_limits_the_time(kit: Kit, serve: Callable[..., Stub]) -> None:
    """What takes longer is a timeout, and the run goes on."""
    serve(said("Hey", after=2))
    done = ran(limited(kit, "seconds_per_attempt = 0.1"), "openai:m")
    assert done.progress.outcomes == {"timeout": 5}


def test_the_benchmark_limits_the_turns(kit: Kit, serve: Callable[..., Stub]) -> None:
    """A case of two steps is asked one of them, and says why."""
    stub = serve()
    done = ran(limited(kit, "turns_per_attempt = 1"), "openai:m")
    assert len(stub.sent) == 5
    (cut,) = (one for one in attempts(done) if one.case == "polite-weather")
    assert (cut.outcome, len(cut.turns), cut.reason) == (
        "completed",
        1,
        "the limit of 1 turns was reached",
    )


@pytest.mark.parametrize(
    "limit",
    [
        "seconds_per_attempt = 0",
        "seconds_per_attempt = -1",
        "seconds_per_attempt = true",
        'seconds_per_attempt = "10"',
        "turns_per_attempt = 0",
        "turns_per_attempt = 1.5",
        "turns_per_attempt = true",
    ],
)
def test_a_limit_that_is_none_is_refused(kit: Kit, limit: str) -> None:
    """Before anything is asked."""
    with pytest.raises(CorpusError, match="which is no limit"):
        ran(limited(kit, limit), "fake:perfect")


# The budget


def test_a_run_stops_at_its_budget_and_goes_on(kit: Kit, serve: Callable[..., Stub]) -> None:
    """The manifest says so; with a larger budget nothing is made twice, and it can be published."""
    stub = serve()
    talk(kit)
    done = ran(kit, "openai:m", budget=30, jobs=1)
    assert (done.stopped, done.manifest.status, done.manifest.stopped) == (
        "budget",
        "stopped",
        "budget",
    )
    assert (done.account.tokens, len(attempts(done))) == (30, 2)
    (verdict,) = record(kit.project, done.out).verdicts
    assert "incomplete-run" in {refusal.rule.id for refusal in verdict.refusals}
    done = ran(kit, "openai:m", budget=100, resume=True)
    assert (done.stopped, done.account.tokens, len(stub.sent)) == (None, 60, 4)
    kit.record(done.out)
    assert passed(kit) == {"local-m": (4, 4)}


def test_cost_is_that_of_the_declared_price(kit: Kit, serve: Callable[..., Stub]) -> None:
    """By system; it stands in no manifest."""
    serve()
    price = '\n[[prices]]\nsystem = "openai:m"\ninput = 1.25\noutput = 10\n'
    done = ran(talk(kit, price), "openai:m", "openai:n")
    assert done.account.cost == {"USD": Decimal("0.00025")}
    assert done.account.unpriced
    assert "1.25" not in (done.out / "run.json").read_text()


# Going on


def test_a_run_goes_on_where_a_key_was_refused(kit: Kit, serve: Callable[..., Stub]) -> None:
    """The run ends with a clear fault and says that it stopped; a better key ends it well."""
    serve(None, (said("Hey!"), refused(401, "Incorrect API key provided.")))
    talk(kit)
    with pytest.raises(Unauthorised, match="local refused the key: HTTP 401") as caught:
        ran(kit, "openai:m", jobs=1)
    assert caught.value.remedy == "Set OPENAI_API_KEY to a key that may use m."
    bundle = open_bundle(kit.root / "dist" / "runs" / BENCHMARK)
    assert (bundle.manifest.status, bundle.manifest.stopped) == ("stopped", "crash")
    assert len(list(bundle.attempts())) == 1
    stub = serve()
    done = ran(kit, "openai:m", resume=True)
    assert (done.stopped, len(stub.sent), len(attempts(done))) == (None, 3, 4)


def test_a_model_that_was_exchanged_between_is_named_for_neither(
    kit: Kit, serve: Callable[..., Stub]
) -> None:
    """What replied before the run was stopped counts as well."""
    talk(kit)
    serve(said("Hey", model="m-1"))
    ran(kit, "openai:m", budget=1, jobs=1)
    serve(said("Hey", model="m-2"))
    done = ran(kit, "openai:m", resume=True)
    assert (done.manifest.status, done.manifest.systems[0].revision) == ("complete", None)


@pytest.mark.parametrize(
    "change",
    [
        {"options": {"temperature": 1}},
        {"revision": "r"},
        {"repetitions": 2},
        {"cases": "curt-*"},
        {"tools": "prompted"},
    ],
    ids=str,
)
def test_a_run_does_not_go_on_with_other_options(
    kit: Kit, serve: Callable[..., Stub], change: dict[str, Any]
) -> None:
    """It would be two measurements in one row."""
    stub = serve()
    talk(kit, tools=True)
    ran(kit, "openai:m", budget=1, jobs=1)
    before = len(stub.sent)
    with pytest.raises(UsageError, match="was begun otherwise"):
        ran(kit, "openai:m", resume=True, **change)
    assert len(stub.sent) == before


def test_a_run_does_not_go_on_elsewhere(kit: Kit, serve: Callable[..., Stub]) -> None:
    """An endpoint of somebody else is another provider."""
    serve()
    talk(kit)
    ran(kit, "openai:m", budget=1, jobs=1)
    os.environ["OPENAI_BASE_URL"] = "https://api.example.org/v1"
    os.environ["OPENAI_API_KEY"] = KEY
    with pytest.raises(UsageError, match="it differs in systems"):
        ran(kit, "openai:m", resume=True, spend=True)


# Secrets


HOME = "/home/somebody-in-particular"
SECRETS = {
    "OPENAI_API_KEY": KEY,
    "ANTHROPIC_API_KEY": "sk-ant-test-" + "f00d" * 6,
    "GITHUB_TOKEN": "not-a-real-token-of-github",
    "DB_PASSWORD": 'pass"word\\with/quotes',
    "no_proxy": "*",
    "https_proxy": "http://somebody:proxy-secret-123@127.0.0.1:9",
}
LEAKS = [
    *(value for name, value in SECRETS.items() if "proxy" not in name),
    "proxy-secret-123",
    HOME,
]


@pytest.fixture
def secrets(monkeypatch: pytest.MonkeyPatch) -> str:
    """An environment full of secrets; all of them in one text, in every form."""
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("HOME", HOME)
    forms = [
        form for leak in LEAKS for form in (leak, json.dumps(leak), json.dumps(json.dumps(leak)))
    ]
    return " | ".join([*forms, *(leak.replace("/", "\\/") for leak in LEAKS), f"{HOME}/.netrc"])


def leaked(*texts: str | bytes) -> list[str]:
    """Secrets that stand in some texts, whole or in large part."""
    whole = b"\n".join(text.encode() if isinstance(text, str) else text for text in texts)
    parts = [part for leak in LEAKS for part in (leak[:12], leak[-12:])]
    return [part for part in [*parts, "somebody-in", 'pass\\"word'] if part.encode() in whole]


def files(folder: Path) -> list[bytes]:
    """Everything that a run has written."""
    return [path.read_bytes() for path in folder.rglob("*") if path.is_file()]


def said_everywhere(secret: str) -> list[Reply]:
    """Replies and refusals that say something wherever one can."""
    call = {"id": "1", "function": {"name": "look", "arguments": json.dumps({"at": secret})}}
    odd = {"id": "1", "function": {"name": secret, "arguments": f"not json {secret}"}}
    return [
        reply(chosen({"content": secret, "refusal": secret, "tool_calls": [call]}, model=secret)),
        reply(chosen({"content": None, "tool_calls": [odd]})),
        reply({"error": secret}),
        reply({secret: secret}),
        Reply(secret.encode()),
        refused(400, secret),
        refused(400, "." * 280 + secret),
        refused(429, secret, retry_after="0"),
        refused(503, secret, retry_after="100000"),
        Reply(secret.encode(), 404),
        Reply(secret.encode(), 302, {"location": "http://127.0.0.1:9/"}),
    ]


@pytest.mark.parametrize("number", range(11))
def test_what_a_provider_echoes_reaches_no_bundle(
    kit: Kit, serve: Callable[..., Stub], secrets: str, number: int
) -> None:
    """In words, refusals, calls, names of models, faults of any kind, cut anywhere."""
    serve(said_everywhere(secrets)[number])
    talk(kit)
    # A call in the first step only: it is a case of one step.
    done = ran(kit, "openai:m", cases="curt-hey")
    assert leaked(*files(done.out)) == []
    assert len(attempts(done)) == 1


def test_what_a_program_says_reaches_no_bundle(kit: Kit, secrets: str) -> None:
    """On its standard output, as a complaint, in a reason."""
    text = json.dumps({"content": secrets, "reason": secrets, "refusal": secrets})
    kit.write(f"{PLACE}/harness/said.json", text)
    kit.write(f"{PLACE}/harness/said.txt", secrets)
    programs = "".join(
        f'\n[[systems]]\nid = "{name}"\nprovider = "local"\n'
        f'command = ["/bin/sh", "-c", "{script}"]\n'
        for name, script in (
            ("says", f"cat {PLACE}/harness/said.json"),
            ("complains", f"cat {PLACE}/harness/said.txt >&2; exit 1"),
            ("garbles", f"cat {PLACE}/harness/said.txt"),
            ("tells", "env >&2; exit 1"),
        )
    )
    systems = [f"command:{name}" for name in ("says", "complains", "garbles", "tells")]
    done = ran(talk(kit, programs), *systems)
    assert leaked(*files(done.out)) == []
    assert done.progress.outcomes == {"completed": 4, "failed": 8, "malformed": 4}


def test_what_is_asked_for_reaches_no_manifest(
    kit: Kit, serve: Callable[..., Stub], secrets: str
) -> None:
    """Options, revision and the name of a model may hold what should not be there."""
    serve()
    done = ran(
        talk(kit),
        f"openai:{HOME}/models/m.gguf",
        options={"user": KEY, "metadata": {"all": [secrets]}},
        revision=f"at {HOME} by {KEY}",
    )
    assert leaked(*files(done.out)) == []
    assert done.manifest.systems[0].model == "~/models/m.gguf"


def refused_key(kit: Kit, serve: Callable[..., Stub], secret: str) -> None:
    """A provider that quotes the key that it refuses."""
    serve(refused(401, secret))
    ran(kit, "openai:m")


def paid(kit: Kit, serve: Callable[..., Stub], secret: str) -> None:  # noqa: ARG001
    """An address with a key in it."""
    os.environ["OPENAI_BASE_URL"] = f"https://{KEY}@api.example.org/v1?key={KEY}"
    ran(kit, "openai:m")


def no_key(kit: Kit, serve: Callable[..., Stub], secret: str) -> None:
    """A key with a line end in its middle."""
    serve()
    os.environ["OPENAI_API_KEY"] = f"{KEY}\n{secret}"
    ran(kit, "openai:m")


def no_system(kit: Kit, serve: Callable[..., Stub], secret: str) -> None:  # noqa: ARG001
    """A key in the place of a system."""
    ran(kit, f"openai-{KEY}")


def no_case(kit: Kit, serve: Callable[..., Stub], secret: str) -> None:  # noqa: ARG001
    """A secret in the place of a pattern."""
    ran(kit, "fake:perfect", cases=f"{HOME}/{KEY}")


def no_folder(kit: Kit, serve: Callable[..., Stub], secret: str) -> None:  # noqa: ARG001
    """A folder of somebody, which can't be made."""
    ran(kit, "fake:perfect", out=Path(f"/proc/{HOME}/run"))


@pytest.mark.parametrize("fail", [refused_key, paid, no_key, no_system, no_case, no_folder])
def test_no_fault_says_a_secret(
    kit: Kit, serve: Callable[..., Stub], secrets: str, fail: Callable[..., None]
) -> None:
    """Whatever ends a run, its words can be shown to anybody."""
    talk(kit)
    with pytest.raises(AssayError) as caught:
        fail(kit, serve, secrets)
    assert leaked(caught.value.what, caught.value.remedy, str(caught.value)) == []


def test_the_key_goes_where_it_is_meant_to_go(
    kit: Kit, serve: Callable[..., Stub], secrets: str
) -> None:
    """To its provider, in a header; the other provider's key goes nowhere."""
    stub = serve()
    assert secrets
    ran(talk(kit), "openai:m")
    for sent in stub.sent:
        assert sent.headers["authorization"] == f"Bearer {KEY}"
        assert SECRETS["ANTHROPIC_API_KEY"] not in str(sent)


# Memory


def test_memory_does_not_grow_with_the_attempts(kit: Kit) -> None:
    """Of each attempt nothing is kept but its place: eight bytes, and some room for the rest."""
    talk(kit)
    peaks = []
    for repetitions in (1, 50, 800):  # the first loads what is loaded once
        tracemalloc.start()
        ran(kit, "fake:perfect", repetitions=repetitions)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[2] - peaks[1] < 8 * 3_000 + 100_000
