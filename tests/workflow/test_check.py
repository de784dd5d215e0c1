"""A sound project gives no finding; one spoilt thing gives findings of one kind that name it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zstandard

from generator.records.base import canonical_json
from generator.records.key import Key, row_id
from generator.records.row import Row
from generator.store.corpus import benchmark_at
from generator.store.evidence import evidence_path, evidence_writer, read_evidence
from generator.store.lines import Observed, write_attempt
from generator.store.registry import read_registry, write_row
from generator.workflow.check import Report, check
from generator.workflow.record import record
from generator.workflow.render import render
from generator.workflow.scoring import answer_key, tally
from generator.writer import Turn
from tests.conftest import CASES, Kit, edit_json, translation

ABOUT = "results/benchmarks/greetings/about.{}.md"


def look(kit: Kit, *, submission: bool = False) -> Report:
    """What a check finds."""
    return check(kit.project, submission=submission)


def found(kit: Kit, *, submission: bool = False) -> dict[str, list[str]]:
    """By kind of finding: the files that are named; each finding says how to mend it."""
    kinds: dict[str, list[str]] = {}
    for finding in look(kit, submission=submission).findings:
        assert finding.what
        assert finding.remedy
        assert str(kit.root) not in finding.what + finding.remedy
        kinds.setdefault(finding.id, []).append(finding.file)
    return kinds


def name(kit: Kit, path: Path) -> str:
    """A path as findings name it."""
    return path.relative_to(kit.root).as_posix()


def row(kit: Kit, edit: Callable[[dict[str, Any]], object]) -> str:
    """Change the first row; its path."""
    path = kit.row_files()[0]
    edit_json(path, edit)
    return name(kit, path)


# Sound


def test_a_published_project_is_sound(published: Kit) -> None:
    """Rows, evidence, corpus and pages agree, and the numbers of each are told."""
    report = look(published)
    assert (report.findings, report.notes) == ((), ())
    assert (report.benchmarks, report.rows) == (1, 2)
    assert report.pages == len(list(published.project.docs.rglob("*.md")))


def test_a_project_with_nothing_published_is_sound(kit: Kit) -> None:
    """A missing registry means that nothing is published yet."""
    render(kit.project)
    report = look(kit)
    assert (report.findings, report.rows) == ((), 0)


def test_checking_writes_nothing(published: Kit) -> None:
    """Not even a lock or a temp file is left behind."""
    before = {path: path.stat().st_mtime_ns for path in published.root.rglob("*")}
    look(published)
    assert {path: path.stat().st_mtime_ns for path in published.root.rglob("*")} == before


def test_a_hand_written_page_is_left_alone(published: Kit) -> None:
    """A guide is no page of the generator; it only needs its translations."""
    text = "# Guide\n\nA word.\n"
    published.write("docs/en/guide/index.md", text)
    for locale in ("es", "it"):
        published.write(f"docs/{locale}/guide/index.md", translation(text, "# Guide\n\nA word."))
    assert found(published) == {}


def test_the_style_of_line_ends_is_no_finding(published: Kit) -> None:
    """A checkout that turned the line ends of pages around is as sound as any."""
    for path in published.project.docs.rglob("*.md"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert found(published) == {}


def test_rows_of_an_earlier_corpus_are_no_finding(published: Kit) -> None:
    """A row is checked with the key at its own commit, whatever the corpus is today."""
    edit_json(published.root / CASES / "curt/curt-yo.json", lambda case: case.update(prompt="Yo?"))
    published.commit()
    render(published.project)
    assert found(published) == {}


# The registry


def test_an_edited_figure_is_found(published: Kit) -> None:
    """A row whose measure is not what its evidence scores to is named with both figures."""

    def flatter(said: dict[str, Any]) -> None:
        wrong = next(one for one in said["measures"] if one["metric"] == "wrong")
        wrong["numerator"] = 1

    path = row(published, flatter)
    assert found(published) == {"edited-row": [path]}
    assert "wrong is published as 1/4, and scores as 0/4" in look(published).findings[0].what


@pytest.mark.parametrize(
    "edit",
    [
        lambda said: said["counts"].update(turns=9),
        lambda said: said["contributions"][0]["measures"].pop(),
        lambda said: said["measures"].pop(),
        lambda said: said["key"].update(model="a-better-one"),
        lambda said: said["key"].update(repetitions=2),
        lambda said: said["key"].update(corpus="c0ffee11" * 8),
        lambda said: said.update(standing="attested"),
        lambda said: said.update(family="guesswork"),
    ],
    ids=[
        "counts",
        "contribution",
        "measure-gone",
        "model",
        "repetitions",
        "corpus",
        "standing",
        "family",
    ],
)
def test_an_edited_row_is_found(published: Kit, edit: Callable[[dict[str, Any]], object]) -> None:
    """Whatever is changed of what a row says, its file is named."""
    path = row(published, edit)
    assert found(published) == {"edited-row": [path]}


@pytest.mark.parametrize(
    "edit",
    [
        lambda said: said.update(id="another-id"),
        lambda said: said.update(format="assay.row/2"),
        lambda said: said.update(stars=5),
        lambda said: said["measures"][0].update(numerator=9),
    ],
    ids=["id", "format", "unknown-key", "more-than-all"],
)
def test_an_unreadable_row_is_found(
    published: Kit, edit: Callable[[dict[str, Any]], object]
) -> None:
    """A row that can't be read is one finding, and its evidence and pages are no further ones."""
    path = row(published, edit)
    assert found(published) == {"unreadable-row": [path]}


def test_a_conflict_marker_is_found(published: Kit) -> None:
    """A row in the middle of a merge is named with the line of the marker."""
    path = published.row_files()[0]
    path.write_bytes(path.read_bytes().replace(b"\n", b"\n=======\n>>>>>>> theirs\n", 1))
    assert found(published) == {"unreadable-row": [name(published, path)]}
    assert "line 3 is a conflict marker of git" in look(published).findings[0].what


def test_a_rehearsed_row_in_the_registry_is_found(published: Kit) -> None:
    """What was only tried is not published by moving its file."""
    path = row(published, lambda said: said.update(rehearsal=True))
    assert found(published) == {"rehearsal-row": [path]}


@pytest.mark.parametrize(
    ("rule", "edit"),
    [
        ("dirty-tree", lambda said: said["run"]["tree_at_end"].update(clean="no", paths=["a"])),
        ("dirty-tree", lambda said: said["run"]["tree_at_start"].update(clean="unknown")),
    ],
)
def test_a_row_that_a_rule_refuses_is_found(
    published: Kit, rule: str, edit: Callable[[dict[str, Any]], object]
) -> None:
    """All rules are asked again about every row; a refusal is a finding by the rule's id."""
    path = row(published, edit)
    assert found(published) == {rule: [path]}


@pytest.mark.parametrize(
    "edit",
    [
        lambda said: said["run"].update(started="2020-01-01T00:00:00Z"),
        lambda said: said["run"].update(environment={"os": "o", "python": "p", "cpu": "c"}),
        lambda said: said["run"].update(harness_version="9"),
    ],
)
@pytest.mark.parametrize("committed", [False, True])
def test_what_can_not_be_computed_again_can_not_be_changed_either(
    published: Kit, edit: Callable[[dict[str, Any]], object], *, committed: bool
) -> None:
    """What a row says of its run is held against git: on disk, and in every commit since."""
    path = row(published, edit)
    render(published.project)
    if committed:
        published.commit("Tidy up")
    assert found(published) == {"rewritten": [path]}


def test_a_published_row_can_not_be_removed(published: Kit) -> None:
    """A row that was committed and taken away again is missed, and named with the commit."""
    gone = published.row_files()[0]
    evidence = Row.parse(gone.read_bytes()).evidence.digest
    gone.unlink()
    evidence_path(published.project, evidence).unlink()
    render(published.project)
    published.commit("Forget it")
    place = f"results/evidence/{evidence}.jsonl.zst"
    assert found(published) == {"rewritten": [name(published, gone), place]}
    assert published.head()[:16] in look(published).findings[0].what


def test_a_row_can_not_excuse_itself(published: Kit) -> None:
    """Only the benchmark says what does not apply: a row that says so of itself is refused."""
    path = published.row_files()[0]
    said = json.loads(path.read_bytes())
    said["not_applicable"] = [*said["not_applicable"], "surface"]
    del said["key"]["configuration"]["surface"]
    said["id"] = row_id(Key.parse(canonical_json(said["key"])), said["evidence"]["digest"])
    forged = path.with_name(f"{said['id']}.json")
    path.unlink()
    forged.write_bytes(canonical_json(said))
    render(published.project)
    assert found(published) == {
        "incomplete-provenance": [name(published, forged)],
        "rewritten": [name(published, path)],
    }


def test_two_standing_rows_of_one_key_are_found(kit: Kit) -> None:
    """Two branches can both bring a row of the same measurement; merged, both are named."""
    record(kit.project, kit.run)
    first = {path: path.read_bytes() for path in (*kit.row_files(), *kit.evidence_files())}
    shutil.rmtree(kit.project.registry)
    kit.record(kit.again())
    for path, content in first.items():
        path.write_bytes(content)
    render(kit.project)
    assert found(kit) == {"duplicate-row": [name(kit, path) for path in kit.row_files()]}


def test_a_superseded_row_that_is_gone_is_found(published: Kit) -> None:
    """The registry only grows: a row that was replaced stays."""
    old = [path.stem for path in published.row_files()]
    published.record(published.again(), replace=True)
    gone = next(path for path in published.row_files() if path.stem == old[0])
    new = next(
        one for one in read_registry(published.project).rows.values() if one.supersedes == old[0]
    )
    gone.unlink()
    kinds = found(published)
    assert kinds["broken-supersession"] == [f"results/registry/greetings/{new.id}.json"]
    assert kinds["rewritten"] == [name(published, gone)]
    assert set(kinds) <= {"broken-supersession", "orphan-evidence", "orphan-page", "rewritten"}


def test_a_row_that_supersedes_itself_is_found(published: Kit) -> None:
    """No row leaves the tables by saying that it took its own place."""
    path = row(published, lambda said: said.update(supersedes=said["id"]))
    assert found(published) == {"broken-supersession": [path]}


def test_a_withdrawal_without_its_row_is_found(published: Kit) -> None:
    """Who takes a row back does not take its file away."""
    path = published.row_files()[0]
    withdrawal = {
        "format": "assay.withdrawal/1",
        "row": path.stem,
        "withdrawn": "2026-03-18T10:00:00Z",
        "by": "Nobody",
        "why": "A mistake.",
    }
    path.with_suffix(".withdrawn.json").write_text(json.dumps(withdrawal))
    path.unlink()
    assert set(found(published)) == {"unreadable-row", "rewritten"}


# The evidence


def test_edited_evidence_is_found(published: Kit) -> None:
    """Observations that were changed are named by their file."""
    path = published.evidence_files()[0]
    lines = zstandard.ZstdDecompressor().stream_reader(path.read_bytes()).read()
    path.write_bytes(zstandard.compress(lines.replace(b"completed", b"timeout", 1)))
    assert found(published) == {"edited-evidence": [name(published, path)]}


def test_missing_evidence_is_found(published: Kit) -> None:
    """A row whose observations are gone can't be recomputed, and says so."""
    path = published.evidence_files()[0]
    path.unlink()
    assert found(published) == {"edited-evidence": [name(published, path)]}
    assert "No such file" in look(published).findings[0].what


@pytest.mark.parametrize(
    ("attempt", "said"),
    [({"repetition": 2}, "curt-yo #2"), ({"repetition": 1}, "1 made twice")],
)
def test_forged_evidence_is_found(published: Kit, attempt: dict[str, Any], said: str) -> None:
    """A row that is consistent with evidence of too many tries is found by its evidence.

    The forger adds a second try at a case, and gives row, digest and id to match.
    """
    project, path = published.project, published.row_files()[1]
    true = Row.parse(path.read_bytes())
    observed = list(read_evidence(project, true.evidence))
    again = next(one.attempt for one in observed if one.attempt.case == "curt-yo")
    again = msgspec.structs.replace(again, id="again", turns=(Turn(content="Yo"),), **attempt)
    observed.append(Observed(again, write_attempt(again), "nowhere", 1))
    with evidence_writer(project) as writer:
        for one in observed:
            writer.add(one.line + b"\n")
        evidence = writer.close()
        writer.keep(project, evidence)
    key = answer_key(benchmark_at(project, true.key.benchmark, true.run.commit))
    scores = tally(key, observed).scorer.finish()
    forged = true.model_copy(
        update={
            "id": row_id(true.key, evidence.digest),
            "evidence": evidence,
            "counts": scores.counts,
            "measures": scores.measures,
            "contributions": scores.contributions,
        }
    )
    path.unlink()
    evidence_path(project, true.evidence.digest).unlink()
    write_row(project, forged)
    render(project)
    place = f"results/evidence/{evidence.digest}.jsonl.zst"
    gone = evidence_path(project, true.evidence.digest)
    assert found(published) == {
        "edited-evidence": [place],
        "rewritten": [name(published, path), name(published, gone)],
    }
    assert said in look(published).findings[0].what


def test_orphan_evidence_is_found(published: Kit) -> None:
    """Observations that no row names are listed."""
    path = published.project.evidence / f"{'0' * 64}.jsonl.zst"
    path.write_bytes(zstandard.compress(b""))
    assert found(published) == {"orphan-evidence": [name(published, path)]}


# Pages


def test_an_edited_page_is_found(published: Kit) -> None:
    """A figure that was changed on a page is named with what stands there and what should."""
    path = published.root / "docs/es/benchmarks/greetings.md"
    path.write_text(path.read_text("utf-8").replace("3 / 4", "4 / 4", 1), encoding="utf-8")
    assert found(published) == {"edited-page": ["docs/es/benchmarks/greetings.md"]}
    said = look(published).findings[0].what
    assert "4 / 4" in said
    assert "3 / 4" in said


def test_an_orphan_page_is_found(published: Kit) -> None:
    """A generated page that nothing draws is listed; only such pages are."""
    page = published.read("docs/en/rules.md")
    published.write("docs/en/results/greetings/gone.md", page)
    assert found(published) == {"orphan-page": ["docs/en/results/greetings/gone.md"]}


@pytest.mark.parametrize("page", ["index.md", "history.md", "results/greetings/{}.md"])
def test_a_missing_page_is_found(published: Kit, page: str) -> None:
    """Every row and every list stands on a page, in every locale."""
    path = f"docs/it/{page.format(published.row_files()[0].stem)}"
    (published.root / path).unlink()
    assert found(published) == {"missing-page": [path]}


def test_a_crash_between_registry_and_pages_is_found_and_mended(kit: Kit) -> None:
    """Rows without their pages are a finding, and drawing is all that it takes."""
    render(kit.project)
    record(kit.project, kit.run)
    assert set(found(kit)) == {"edited-page", "missing-page"}
    render(kit.project)
    assert found(kit) == {}


def test_a_submission_leaves_pages_out(kit: Kit) -> None:
    """A pull request brings rows and evidence only; those are checked all the same."""
    record(kit.project, kit.run)
    assert found(kit, submission=True) == {}
    path = row(kit, lambda said: said["counts"].update(turns=9))
    assert found(kit, submission=True) == {"edited-row": [path]}


def test_a_faulty_row_hides_no_edited_page(published: Kit) -> None:
    """Pages that have nothing to do with a faulty row are compared all the same."""
    path = row(published, lambda said: said["counts"].update(turns=9))
    published.write("docs/en/rules.md", published.read("docs/en/rules.md") + "No rule.\n")
    assert found(published) == {"edited-row": [path], "edited-page": ["docs/en/rules.md"]}


# Texts


def test_a_stale_translation_is_found(published: Kit) -> None:
    """A text that translates another English text than there is now is named."""
    path = ABOUT.format("es")
    published.write(path, translation("another text", "A text in es."))
    render(published.project)
    assert found(published) == {"stale-translation": [path]}


def test_a_changed_source_makes_every_translation_stale(published: Kit) -> None:
    """When the English text moves on, each translation is behind."""
    published.write(ABOUT.format("en"), published.read(ABOUT.format("en")) + "\nAnd more.\n")
    render(published.project)
    assert found(published) == {"stale-translation": [ABOUT.format("es"), ABOUT.format("it")]}


def test_a_missing_text_is_found(published: Kit) -> None:
    """A benchmark speaks of itself in every language of the site."""
    (published.root / ABOUT.format("it")).unlink()
    render(published.project)
    assert found(published) == {"missing-translation": [ABOUT.format("it")]}


def test_a_message_without_words_is_found(published: Kit) -> None:
    """A message that a locale does not say is named, and said in English meanwhile."""
    path = "results/benchmarks/greetings/benchmark.toml"
    published.write(path, published.read(path).replace("Curt greetings", "Terse greetings"))
    published.commit()
    render(published.project)
    assert set(found(published)) == {"missing-message"}


# The benchmark and its history


@pytest.mark.parametrize("spoil", ["", "[]", "<<<<<<< HEAD\n"])
def test_an_unreadable_case_is_found(published: Kit, spoil: str) -> None:
    """A corpus that can't be read is the one finding, since everything hangs on it."""
    published.write(f"{CASES}/curt/curt-yo.json", spoil)
    assert found(published) == {"unreadable-benchmark": [f"{CASES}/curt/curt-yo.json"]}


def test_an_unreadable_benchmark_is_found(published: Kit) -> None:
    """The benchmark's own file is named like any other."""
    published.write("results/benchmarks/greetings/benchmark.toml", "id = 1")
    assert found(published) == {
        "unreadable-benchmark": ["results/benchmarks/greetings/benchmark.toml"]
    }


def test_a_commit_that_was_amended_away_is_found(kit: Kit) -> None:
    """A row whose commit is no part of history can't be checked out, and names it."""
    kit.record()
    commit = kit.head()
    edit_json(kit.root / CASES / "curt/curt-yo.json", lambda case: case.update(prompt="Yo?"))
    kit.git("add", "--all")
    kit.git("commit", "--quiet", "--amend", "--no-edit")
    render(kit.project)
    assert found(kit) == {"unreachable-commit": [name(kit, path) for path in kit.row_files()]}
    assert f"Commit {commit[:16]} is not part" in look(kit).findings[0].what


def test_a_squash_that_kept_the_corpus_is_a_note(kit: Kit) -> None:
    """Where the same corpus stands at HEAD, the rows are checked with it, and that is said."""
    kit.record()
    kit.git("add", "--all")
    kit.git("commit", "--quiet", "--amend", "--no-edit")
    kit.git("reflog", "expire", "--expire=now", "--all")
    kit.git("gc", "--quiet", "--prune=now")
    report = look(kit)
    assert report.findings == ()
    assert len(report.notes) == 2
    assert all("is not part of this history, but HEAD holds" in note for note in report.notes)
    path = row(kit, lambda said: said["counts"].update(turns=9))
    assert found(kit) == {"edited-row": [path]}


def test_a_row_of_another_corpus_than_its_commit_is_found(published: Kit) -> None:
    """A row that names a later commit, with another corpus, is found by that."""
    edit_json(published.root / CASES / "curt/curt-yo.json", lambda case: case.update(prompt="Yo?"))
    later = published.commit()
    path = row(published, lambda said: said["run"].update(commit=later))
    render(published.project)
    assert found(published) == {"changed-corpus": [path]}


def test_a_commit_that_nobody_has_is_found(published: Kit) -> None:
    """A row that names a commit of nowhere, while the corpus has moved on, is named."""
    path = row(published, lambda said: said["run"].update(commit="0" * 40))
    edit_json(published.root / CASES / "curt/curt-yo.json", lambda case: case.update(prompt="Yo?"))
    published.commit()
    assert {kind: files for kind, files in found(published).items() if "page" not in kind} == {
        "unreachable-commit": [path]
    }


def test_a_shallow_clone_gives_notes(published: Kit) -> None:
    """What history would tell can't be told there, which is said and is no finding."""
    other = Kit(published.root.parent / "shallow")
    published.git("clone", "--quiet", "--depth=1", published.root.as_uri(), str(other.root))
    report = look(other)
    assert report.findings == ()
    assert report.notes
    assert all("shallow clone" in note or "not scored again" in note for note in report.notes)
    assert all(any(path.name in note for note in report.notes) for path in other.row_files())


def test_a_shallow_clone_with_enough_history_is_sound(published: Kit) -> None:
    """Where the commit of the rows is there, nothing is left to be said."""
    other = Kit(published.root.parent / "shallow")
    published.git("clone", "--quiet", "--depth=2", published.root.as_uri(), str(other.root))
    assert (look(other).findings, look(other).notes) == ((), ())


def test_without_git_nothing_passes_for_checked(
    published: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where git does not answer, no row can be traced to its commit."""
    monkeypatch.setenv("PATH", "/nowhere")
    assert set(found(published)) == {"unreachable-commit"}
