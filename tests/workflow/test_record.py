import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator.errors import BundleError, CorpusError, RegistryError, RepositoryError
from generator.records.row import Row
from generator.store.registry import read_registry
from generator.workflow.check import check
from generator.workflow.record import record
from generator.workflow.withdraw import withdraw
from tests.conftest import SYSTEMS, Attempts, Kit, edit_attempts, edit_json, write_run


def rows_of(kit: Kit) -> dict[str, Row]:
    """By system of the run: the row that stands."""
    return {row.run.system: row for row in read_registry(kit.project).standing()}


def worse(kit: Kit, name: str = "worse") -> Path:
    """The sound run with one more wrong answer of the first system."""
    run = kit.variant(name)
    edit_attempts(run, lambda attempts: attempts[0].update(turns=[{"content": "No."}]))
    return run


def test_a_sound_run_is_published(kit: Kit) -> None:
    """Each system becomes a row with its evidence, and pages in every locale."""
    done = kit.record()
    assert (done.published, done.refused, done.rehearsal) == (2, 0, False)
    assert [verdict.path for verdict in done.verdicts] == kit.row_files()
    rows = rows_of(kit)
    assert {path.name for path in kit.evidence_files()} == {
        f"{row.evidence.digest}.jsonl.zst" for row in rows.values()
    }
    for row in rows.values():
        for locale in ("en", "es", "it"):
            assert (kit.root / "docs" / locale / "results" / "greetings" / f"{row.id}.md").is_file()


def test_a_row_says_what_was_measured(kit: Kit) -> None:
    """Key, counts and measures are those of the run, each ratio with both of its terms."""
    kit.record()
    row = rows_of(kit)["second"]
    assert (row.key.provider, row.key.model) == ("pypi", "one-more-that-is-none")
    assert (row.key.revision, row.key.configuration.options) == ("2.0", {"polite": True})
    assert row.run.commit == kit.head()
    assert (row.counts.attempts, row.counts.scored, row.evidence.lines) == (4, 4, 4)
    terms = {measure.id: measure.plain() for measure in row.measures}
    assert (terms["passed"]["numerator"], terms["passed"]["denominator"]) == (3, 4)
    assert (terms["passed.curt"]["numerator"], terms["passed.curt"]["denominator"]) == (1, 2)
    assert (row.supersedes, row.rehearsal) == (None, None)


def test_recording_needs_no_tidy_work_tree(kit: Kit) -> None:
    """What counts is the tree at the time of the run, and the corpus that HEAD holds."""
    kit.write("README.md", "# Another\n")
    kit.write("results/benchmarks/greetings/cases/curt/curt-yo.json", "not even JSON")
    assert record(kit.project, kit.run).refused == 0


def test_a_run_may_be_published_in_part(kit: Kit) -> None:
    """A refused system leaves nothing behind, and takes none of the others with it."""
    run = kit.variant("partly")
    edit_json(run / "run.json", lambda said: said["systems"][0].update(provider="fake"))
    done = kit.record(run)
    assert (done.published, done.refused) == (1, 1)
    assert list(rows_of(kit)) == ["second"]
    assert len(kit.row_files()) == len(kit.evidence_files()) == 1
    assert check(kit.project).findings == ()
    pages = "".join(text.decode() for path, text in kit.committed().items() if path[:5] == "docs/")
    assert "fake" not in pages.replace("fake&#45;provider", "").replace("fake-provider", "")


def test_a_stale_run_is_refused_even_where_its_cases_are_gone(kit: Kit) -> None:
    """A run on an earlier corpus is refused by its rule, and not for a case that it has."""
    (kit.root / "results/benchmarks/greetings/cases/curt/curt-yo.json").unlink()
    kit.commit()
    done = record(kit.project, kit.run)
    assert {refusal.rule.id for refusal in done.verdicts[0].refusals} == {"stale-corpus"}


# Once more


def test_the_same_observations_are_recorded_once(published: Kit) -> None:
    """The same evidence a second time is refused, asked to replace or not."""
    before = published.committed()
    for replace in (False, True):
        done = record(published.project, published.run, replace=replace)
        assert [verdict.refusals[0].rule.id for verdict in done.verdicts] == ["duplicate-row"] * 2
    assert published.committed() == before


def test_a_row_that_is_replaced_stays(published: Kit) -> None:
    """The new row says which one it supersedes; the old file is the same to the byte."""
    before = {path: path.read_bytes() for path in published.row_files()}
    old = rows_of(published)
    done = published.record(published.again(), replace=True)
    new = rows_of(published)
    assert done.refused == 0
    assert {name: row.supersedes for name, row in new.items()} == {
        name: row.id for name, row in old.items()
    }
    assert {path: path.read_bytes() for path in before} == before
    assert len(published.row_files()) == 4
    page = published.read(f"docs/en/results/greetings/{old['first'].id}.md")
    assert f"../{new['first'].id}/" in page
    assert check(published.project).findings == ()


def test_a_row_is_not_replaced_unasked(published: Kit) -> None:
    """Better figures from a second try don't take the place of those that stand."""
    done = record(published.project, worse(published))
    refused = done.verdicts[0].refusals
    assert [refusal.rule.id for refusal in refused] == ["duplicate-row"]
    assert refused[0].seen == {"row": rows_of(published)["first"].id}


def test_what_reads_like_a_row_does_not_stand_beside_it(published: Kit) -> None:
    """A model whose name differs in a hidden character is refused, also as a replacement."""
    run = published.again()
    edit_json(
        run / "run.json", lambda said: said["systems"][0].update(model="not-a-real-\u00adparser")
    )
    first, _ = record(published.project, run, replace=True).verdicts
    assert [refusal.rule.id for refusal in first.refusals] == ["duplicate-row"]


def test_an_older_run_takes_the_place_of_a_newer_one_when_asked(published: Kit) -> None:
    """Replacing is one wish, and replacing by what was measured earlier is another."""
    run = published.again()
    edit_json(
        run / "run.json",
        lambda said: said.update(started="2020-01-01T00:00:00Z", finished="2020-01-01T00:01:00Z"),
    )
    assert record(published.project, run, replace=True).refused == 2
    assert record(published.project, run, replace=True, older=True).refused == 0


def test_a_superseded_row_does_not_come_back(published: Kit) -> None:
    """The observations of a row that was replaced are recorded already."""
    published.record(published.again(), replace=True)
    done = record(published.project, published.run, replace=True)
    assert done.refused == 2


def test_replacing_twice_makes_a_chain(published: Kit) -> None:
    """Each row says which one it took the place of, and one of them stands."""
    published.record(published.again(), replace=True)
    published.record(worse(published), replace=True)
    registry = read_registry(published.project)
    chain = [row for row in registry.rows.values() if row.run.system == "first"]
    assert len(chain) == 3
    assert len([row for row in registry.standing() if row.run.system == "first"]) == 1
    assert check(published.project).findings == ()


def test_a_withdrawn_row_lets_a_new_one_in(published: Kit) -> None:
    """What was taken back stands no more, so its place is free without being asked for."""
    for row in rows_of(published).values():
        withdraw(published.project, row.id, why="A mistake.", by="Nobody In Particular")
    assert record(published.project, published.run).refused == 2, "the same observations"
    done = published.record(published.again())
    assert done.refused == 0
    assert {row.supersedes for row in rows_of(published).values()} == {None}
    assert check(published.project).findings == ()


@pytest.mark.parametrize(
    ("edit", "named"),
    [
        ({"revision": "1.1"}, "revision"),
        ({"options": {"polite": False}}, "configuration"),
        ({"surface": "greet_back"}, None),
        ({"axes": {"effort": "high"}}, None),
        ({"runtime": None}, "runtime"),
        ({"tools": "a" * 64}, "tools"),
    ],
)
def test_another_configuration_is_another_measurement(
    published: Kit, edit: dict[str, object], named: str | None
) -> None:
    """Runs that differ in anything that makes the measurement never replace each other.

    Nor is one surface or level of effort told as a failure to reproduce another.
    """
    run = published.again()
    edit_json(run / "run.json", lambda said: said["systems"][0].update(edit))
    done = record(published.project, run)
    first, second = done.verdicts
    assert first.row is not None
    if named is None:
        assert first.reproduction is None
    else:
        assert first.reproduction is not None
        assert named in first.reproduction.elsewhere
    assert [refusal.rule.id for refusal in second.refusals] == ["duplicate-row"]


# What can't be of this run


def twice(attempts: Attempts) -> Attempts:
    """The same attempt under a second id, better than the first."""
    return [*attempts, {**attempts[2], "id": "once-more"}]


def too_often(attempts: Attempts) -> Attempts:
    """A repetition that the run says it did not have."""
    return [*attempts, {**attempts[2], "id": "once-more", "repetition": 2}]


def foreign(attempts: Attempts) -> Attempts:
    """A case that the corpus does not have."""
    return [*attempts, {**attempts[2], "id": "once-more", "case": "dates-tomorrow"}]


@pytest.mark.parametrize(
    ("edit", "rule", "named"),
    [
        (twice, "duplicate-attempt", "polite-evening #1, attempts.jsonl:9"),
        (too_often, "mixed-runs", "once-more, attempts.jsonl:9"),
        (foreign, "mixed-runs", "once-more, attempts.jsonl:9"),
    ],
)
def test_what_is_of_no_run_is_refused_with_its_place(
    kit: Kit, edit: Callable[[Attempts], Attempts], rule: str, named: str
) -> None:
    """Attempts that can't all be of one run are named with file and line; nothing is written."""
    run = kit.variant("mixed")
    edit_attempts(run, edit)
    before = kit.committed()
    refused = record(kit.project, run).verdicts[0].refusals
    assert [refusal.rule.id for refusal in refused] == [rule]
    assert named in refused[0].says.in_english()
    if rule == "mixed-runs":
        assert kit.committed() == before


def test_two_systems_of_one_measurement_do_not_replace_each_other(kit: Kit) -> None:
    """Of two systems in a run that differ in nothing but name, one is published, even so."""
    twins = (SYSTEMS[0], SYSTEMS[0].model_copy(update={"id": "twin"}))
    run = write_run(kit.root, kit.root / "dist" / "twins", systems=twins)
    done = record(kit.project, run, replace=True)
    assert [[refusal.rule.id for refusal in one.refusals] for one in done.verdicts] == [
        [],
        ["duplicate-row"],
    ]


def test_two_runs_in_one_folder_are_told(kit: Kit) -> None:
    """Fragments of another run of the same systems are found by their ids."""
    run = kit.variant("mixed")
    other = write_run(kit.root, kit.root / "dist" / "other")
    (run / "attempts-2.jsonl").write_bytes((other / "attempts.jsonl").read_bytes())
    with pytest.raises(BundleError, match=r"attempts\.jsonl:1.* stands at attempts-2\.jsonl:1"):
        record(kit.project, run)


# What is in the way


def test_without_a_commit_nothing_is_recorded(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where git does not answer, there is no corpus to score against."""
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(RepositoryError, match="has no commit that git can read"):
        record(kit.project, kit.run)


def test_a_benchmark_that_is_not_committed_is_told(kit: Kit) -> None:
    """A run names its benchmark; where HEAD has none of that name, that is said."""
    run = kit.variant("lost")
    edit_json(run / "run.json", lambda said: said["benchmark"].update(id="farewells"))
    with pytest.raises(CorpusError, match=r"holds no results/benchmarks/farewells/benchmark\.toml"):
        record(kit.project, run)


def test_a_spoilt_case_is_named(kit: Kit) -> None:
    """A corpus that can't be read stops the recording, with the file of the case."""
    path = kit.root / "results/benchmarks/greetings/cases/curt/curt-yo.json"
    edit_json(path, lambda case: case["checks"][0].update(type="guess"))
    kit.commit()
    with pytest.raises(CorpusError, match=r"curt-yo\.json: check 1: the check type 'guess'"):
        record(kit.project, kit.run)


def test_a_spoilt_registry_takes_no_rows(published: Kit) -> None:
    """While a row can't be read, nobody can tell what stands."""
    published.row_files()[0].write_bytes(b"{}")
    before = published.committed()
    with pytest.raises(RegistryError):
        record(published.project, published.again())
    assert published.committed() == before


RECORDER = """\
import sys
from pathlib import Path
from generator.store.project import Project
from generator.workflow.record import record

print(record(Project(Path(sys.argv[1])), Path(sys.argv[2])).published)
"""


def test_recorders_at_once_lose_no_row(kit: Kit) -> None:
    """Several processes that record at the same time wait for each other, and all rows are kept."""
    runs = []
    for number in range(4):
        run = kit.again(f"run-{number}")
        edit_json(run / "run.json", _revision(number))
        runs.append(run)
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", RECORDER, str(kit.root), str(run)], stdout=subprocess.PIPE
        )
        for run in runs
    ]
    assert [process.communicate()[0] for process in processes] == [b"2\n"] * 4
    assert len(read_registry(kit.project).standing()) == 8


def _revision(number: int) -> Callable[[dict[str, Any]], object]:
    return lambda said: [
        system.update(revision=f"{number}.{system['id']}") for system in said["systems"]
    ]
