"""Each command, as a person or a script meets it: its words, its exit code, its JSON."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from generator import __version__
from generator.cli.app import run
from generator.provenance.rules import RULES
from tests.cli.conftest import Said
from tests.conftest import CASES, Kit, edit_attempts, edit_json


def simulated(kit: Kit) -> Path:
    """A run of which the first system is simulated."""
    changed = kit.variant("simulated")
    edit_json(changed / "run.json", lambda said: said["systems"][0].update(provider="fake"))
    return changed


# record


def test_record_says_what_was_published(kit: Kit, results: Callable[..., Said]) -> None:
    """Each system is named with the file of its row, and a last line counts."""
    said = results(kit, "record", kit.run)
    rows = [path.relative_to(kit.root).as_posix() for path in kit.row_files()]
    lines = said.out.splitlines()
    assert (said.code, said.err) == (0, "")
    assert lines[:2] == [
        f"first: published as {rows[0]}",
        f"second: published as {rows[1]}",
    ]
    assert lines[-1] == "2 candidates: 2 published, 0 refused"


def test_record_says_what_was_refused(kit: Kit, results: Callable[..., Said]) -> None:
    """One block a refusal: the rule and what it saw, what to do, whom it refused."""
    changed = simulated(kit)
    edit_json(changed / "run.json", lambda said: said.update(filter="polite-*"))
    said = results(kit, "record", changed)
    rules = {rule.id: rule for rule in RULES}
    blocks = said.out.split("\n")
    assert said.code == 1
    assert blocks[0].startswith("fake-provider: fake:not-a-real-parser ")
    assert blocks[1] == f"    {rules['fake-provider'].remedy}"
    assert blocks[2] == "    refused: first"
    assert blocks[3].startswith("filtered-run: ")
    assert "polite-*" in blocks[3]
    assert blocks[4] == f"    {rules['filtered-run'].remedy}"
    assert blocks[5] == "    refused: first, second"
    assert blocks[6] == f"nothing was published: 2 candidates, 2 refused, in {changed}"
    assert kit.row_files() == []


def test_record_publishes_in_part(kit: Kit, results: Callable[..., Said]) -> None:
    """Something was refused, so the exit code is 1, although something was published."""
    said = results(kit, "record", simulated(kit))
    assert said.code == 1
    assert said.out.splitlines()[0].startswith("second: published as results/registry/greetings/")
    assert said.out.splitlines()[-1] == "2 candidates: 1 published, 1 refused"


def test_record_draws_the_pages(kit: Kit, results: Callable[..., Said]) -> None:
    """After recording, everything agrees."""
    said = results(kit, "record", kit.run)
    pages = len(list(kit.project.docs.rglob("*.md")))
    assert f"{pages} pages redrawn" in said.out.splitlines()
    assert results(kit, "check").code == 0


def test_record_of_a_submission_draws_no_page(kit: Kit, results: Callable[..., Said]) -> None:
    """A pull request carries rows and evidence only."""
    said = results(kit, "record", kit.run, "--submission")
    assert said.code == 0
    assert not kit.project.docs.exists()
    assert "pages" not in said.out
    assert results(kit, "check", "--submission").code == 0
    assert results(kit, "check").code == 1


def test_record_rehearses(published: Kit, results: Callable[..., Said]) -> None:
    """A rehearsal says what would be published, and what of it differs from what stands."""
    changed = published.again()
    edit_attempts(changed, lambda attempts: attempts[0].update(turns=[{"content": "No."}]))
    before = published.committed()
    said = results(published, "record", changed, "--dry-run", "--replace")
    first, second = (path.stem for path in published.row_files())
    assert (said.code, published.committed()) == (0, before)
    assert "first: would be published as dist/rehearsal/results/registry/greetings/" in said.out
    assert re.search(
        rf"^    not reproduced: \d+ differences from {first}:$", said.out, re.MULTILINE
    )
    assert "        passed: published 4/4, now 3/4" in said.out
    assert re.search(r"^        and \d+ more$", said.out, re.MULTILINE)
    assert f"    reproduced: every figure is that of {second}" in said.out
    assert "pages below dist/rehearsal" in said.out
    assert said.out.splitlines()[-1] == "2 candidates: 2 publishable, 0 refused"


def test_record_rehearses_what_would_be_refused(kit: Kit, results: Callable[..., Said]) -> None:
    """A rehearsal of a run that a rule refuses is a finding as well."""
    changed = kit.variant("stopped")
    edit_json(changed / "run.json", lambda said: said.update(status="stopped", stopped="budget"))
    said = results(kit, "record", changed, "--dry-run")
    assert said.code == 1
    assert said.out.splitlines()[-1] == (
        f"nothing would be published: 2 candidates, 2 refused, in {changed}"
    )


def test_record_for_a_program(kit: Kit, results: Callable[..., Said]) -> None:
    """The same in JSON: counts, and for each system its row or its refusals."""
    said = results(kit, "record", simulated(kit), "--json")
    assert (said.code, said.err) == (1, "")
    answer = said.json
    assert (answer["candidates"], answer["published"], answer["refused"]) == (2, 1, 1)
    assert answer["rehearsal"] is False
    first, second = answer["rows"]
    assert (first["system"], first["row"]) == ("first", None)
    assert [refusal["rule"] for refusal in first["refusals"]] == ["fake-provider"]
    assert set(first["refusals"][0]) == {"rule", "says", "remedy"}
    assert (second["row"], second["refusals"]) == (kit.row_files()[0].stem, [])
    assert second["reproduction"] is None


def test_a_rehearsal_for_a_program(published: Kit, results: Callable[..., Said]) -> None:
    """What was reproduced, and what was not, is there to be read by a program."""
    changed = published.again()
    edit_attempts(changed, lambda attempts: attempts[0].update(turns=[{"content": "No."}]))
    answer = results(published, "record", changed, "--dry-run", "--replace", "--json").json
    first, second = (row["reproduction"] for row in answer["rows"])
    assert (first["reproduced"], second["reproduced"]) == (False, True)
    assert {"what": "passed", "published": "4/4", "measured": "3/4"} in first["differences"]
    assert second == {
        "row": published.row_files()[1].stem,
        "elsewhere": [],
        "reproduced": True,
        "differences": [],
    }


# check


def test_check_says_that_all_agrees(published: Kit, results: Callable[..., Said]) -> None:
    """One line sums up what was looked at."""
    said = results(published, "check")
    pages = len(list(published.project.docs.rglob("*.md")))
    assert (said.code, said.err) == (0, "")
    assert said.out == f"1 benchmark, 2 rows, {pages} pages: all agree\n"


def test_check_says_that_nothing_is_published(kit: Kit, results: Callable[..., Said]) -> None:
    """An empty registry is no finding, and is told."""
    results(kit, "render")
    assert results(kit, "check").out.endswith(": all agree (nothing is published yet)\n")


def test_check_names_file_and_remedy(published: Kit, results: Callable[..., Said]) -> None:
    """A finding is the file, its kind, what is wrong, and on a line of its own what mends it."""
    path = published.row_files()[0]
    edit_json(path, lambda said: said["counts"].update(turns=9))
    said = results(published, "check")
    name = path.relative_to(published.root).as_posix()
    lines = said.out.splitlines()
    assert said.code == 1
    assert lines[0].startswith(f"{name}: edited-row: ")
    assert lines[1] == f"    Restore it: git checkout -- {name}"
    assert lines[-1].endswith(": 1 finding")


def test_check_for_github(published: Kit, results: Callable[..., Said]) -> None:
    """Each finding is one annotation: file, kind, what is wrong and how to mend it, on one line."""
    page = published.project.docs / "en" / "rules.md"
    page.write_text(page.read_text("utf-8").replace("fake", "100 %, or: fake"), encoding="utf-8")
    said = results(published, "check", "--format", "github")
    first, last = said.out.splitlines()
    assert said.code == 1
    assert first.startswith("::error file=docs/en/rules.md,title=edited-page::It is not what the ")
    assert "100 %25, or: fake" in first
    assert first.endswith("%0AEdit the source that its second line names, then run results render.")
    assert last.endswith("1 finding")


def test_check_for_a_program(published: Kit, results: Callable[..., Said]) -> None:
    """Findings, notes and numbers in JSON, with the same exit code."""
    path = published.row_files()[0]
    edit_json(path, lambda said: said["counts"].update(turns=9))
    said = results(published, "check", "--json")
    assert said.code == 1
    assert (said.json["rows"], said.json["benchmarks"], said.json["notes"]) == (2, 1, [])
    (finding,) = said.json["findings"]
    assert (finding["id"], finding["file"]) == (
        "edited-row",
        path.relative_to(published.root).as_posix(),
    )
    assert set(finding) == {"id", "file", "what", "remedy"}


def test_notes_are_no_result(published: Kit, results: Callable[..., Said]) -> None:
    """What could not be told is said on standard error, and changes no exit code."""
    other = Kit(published.root.parent / "shallow")
    published.git("clone", "--quiet", "--depth=1", published.root.as_uri(), str(other.root))
    said = results(other, "check")
    assert said.code == 0
    assert said.err.startswith("note: results/registry/greetings/")
    assert "note" not in said.out


# render, score, withdraw, rules


def test_render_says_what_changed(published: Kit, results: Callable[..., Said]) -> None:
    """Pages that were drawn and pages that were removed are named; a second time there are none."""
    published.write("docs/en/old.md", published.read("docs/en/rules.md"))
    (published.root / "docs/it/index.md").unlink()
    said = results(published, "render")
    assert said.code == 0
    assert said.out == "drawn docs/it/index.md\nremoved docs/en/old.md\n2 pages changed\n"
    assert results(published, "render").out == "0 pages changed\n"


def test_score_shows_both_terms(kit: Kit, results: Callable[..., Said]) -> None:
    """Every ratio stands with what it is out of, for each system, without any judgement."""
    said = results(kit, "score", simulated(kit))
    lines = [" ".join(line.split()) for line in said.out.splitlines()]
    assert (said.code, said.err) == (0, "")
    assert lines[0] == "first: 4 of 4 attempts scored"
    assert "passed 4/4" in lines
    assert "passed.curt 1/2" in lines
    assert "%" not in said.out


def test_score_shows_cases(kit: Kit, results: Callable[..., Said]) -> None:
    """On request each case stands with its own terms."""
    said = results(kit, "score", kit.run, "--cases")
    assert "    curt-yo: wrong 1/1, checks 0/1" in said.out.splitlines()


def test_a_run_and_its_row_are_scored_alike(published: Kit, results: Callable[..., Said]) -> None:
    """A program reads the same of a run and of the row that came of it."""
    of_the_run = results(published, "score", published.run, "--json").json
    for path, system in zip(published.row_files(), ("first", "second"), strict=True):
        of_the_row = results(published, "score", path.stem, "--json").json
        assert of_the_row == {system: of_the_run[system]}
        assert set(of_the_row[system]) == {"counts", "measures", "cases"}


def test_withdraw_says_what_it_wrote(published: Kit, results: Callable[..., Said]) -> None:
    """The file of the withdrawal is named, and the pages are drawn."""
    row = published.row_files()[0].stem
    said = results(published, "withdraw", row, "--why", "A mistake.", "--by", "Nobody")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"withdrawn: results/registry/greetings/{row}.withdrawn.json; ")
    assert results(published, "check").code == 0


def test_rules_are_explained(kit: Kit, results: Callable[..., Said]) -> None:
    """Each rule stands with whether it may be waived, why it is there and what to do."""
    said = results(kit, "rules")
    assert said.code == 0
    for rule in RULES:
        waived = "waived in a rehearsal" if rule.waived_in_rehearsal else "never waived"
        block = f"{rule.id} ({waived})\n    {rule.why}\n    What to do: {rule.remedy}\n"
        assert block in said.out


def test_one_rule_is_explained(kit: Kit, results: Callable[..., Said]) -> None:
    """A rule is found by its id."""
    said = results(kit, "rules", "stale-corpus")
    assert said.out.startswith("stale-corpus (never waived)\n")
    assert len(said.out.splitlines()) == 3


def test_rules_for_a_program(kit: Kit, results: Callable[..., Said]) -> None:
    """Rules by their ids, with all that a page says of them."""
    answer = results(kit, "rules", "--json").json
    assert set(answer) == {rule.id for rule in RULES}
    assert [name for name, rule in answer.items() if rule["waived_in_rehearsal"]] == [
        "dirty-tree",
        "fake-provider",
    ]
    assert set(answer["dirty-tree"]) == {"says", "why", "remedy", "waived_in_rehearsal"}


# Where one is, and what can't be


def test_a_command_finds_its_project(
    kit: Kit, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Anywhere inside a project, a command works without being told where it is."""
    monkeypatch.chdir(kit.root / CASES)
    assert run(["render"]) == 0
    assert (kit.root / "docs" / "en" / "index.md").is_file()
    assert "pages changed" in capsys.readouterr().out


def test_a_folder_of_the_project_will_do(kit: Kit, capsys: pytest.CaptureFixture[str]) -> None:
    """`--project` takes any folder inside the project."""
    assert run(["--project", str(kit.root / "results"), "render"]) == 0
    assert "pages changed" in capsys.readouterr().out


def test_the_version_is_said(kit: Kit, results: Callable[..., Said]) -> None:
    """After other options, `--version` works as well."""
    assert results(kit, "--version") == Said(0, f"results {__version__}\n", "")


def not_compressed(kit: Kit) -> None:
    """Attempts that only look compressed."""
    (kit.run / "attempts.jsonl").rename(kit.run / "attempts.jsonl.zst")


def no_manifest(kit: Kit) -> None:
    """A run without its manifest."""
    (kit.run / "run.json").unlink()


def no_commit(kit: Kit) -> None:
    """A repository that is none."""
    (kit.root / ".git").rename(kit.root / "git")


def spoilt_case(kit: Kit) -> None:
    """A case that can't be read, committed."""
    kit.write(f"{CASES}/curt/curt-yo.json", "{}")
    kit.commit()


def spoilt_row(kit: Kit) -> None:
    """A row that can't be read."""
    kit.write("results/registry/greetings/a-row.json", "{}")


def no_folder(kit: Kit) -> None:
    """A file in the place of the registry."""
    kit.write("results/registry", "")


def no_language(kit: Kit) -> None:
    """Settings that name no language."""
    kit.write("mkdocs.yml", "site_name: Greetings\n")


def nothing(_: Kit) -> None:
    """All is well with the project."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A command that can't do what it is asked, and how it ends."""

    words: str
    spoil: Callable[[Kit], None]
    code: int
    told: str

    def __str__(self) -> str:
        return f"{self.words} ({self.spoil.__name__})"


FAULTS = [
    Fault("record dist/runs/gone", nothing, 3, "can't be read as a run"),
    Fault("record dist/runs/sound/run.json", nothing, 3, "can't be read as a run"),
    Fault("record README.md", nothing, 3, "can't be read as a run"),
    Fault("record dist/runs/sound", no_manifest, 3, "there is no run.json"),
    Fault("record dist/runs/sound", not_compressed, 3, "can't be inflated"),
    Fault("record dist/runs/sound", no_commit, 6, "has no commit that git can read"),
    Fault("record dist/runs/sound", spoilt_case, 4, "curt-yo.json"),
    Fault("record dist/runs/sound", spoilt_row, 5, "a-row.json"),
    Fault("record dist/runs/sound", no_folder, 7, "can't be written"),
    Fault("record dist/runs/sound --dry-run", spoilt_row, 5, "a-row.json"),
    Fault("record dist/runs/sound", no_language, 2, "says nothing of the site's languages"),
    Fault("record", nothing, 2, "Missing argument"),
    Fault("record dist/runs/sound --force", nothing, 2, "No such option"),
    Fault("record dist/runs/sound --skip dirty-tree", nothing, 2, "No such option"),
    Fault("record one two", nothing, 2, "unexpected extra argument"),
    Fault("score dist/runs/gone", nothing, 2, "neither the folder of a run nor the id of a row"),
    Fault("score gone", nothing, 2, "neither the folder of a run nor the id of a row"),
    Fault("score dist", nothing, 3, "there is no run.json"),
    Fault("score dist/runs/sound", spoilt_case, 4, "curt-yo.json"),
    Fault("score gone", spoilt_row, 5, "a-row.json"),
    Fault("withdraw gone --why because --by me", nothing, 2, "There is no row 'gone'"),
    Fault("withdraw gone --why because", nothing, 2, "Missing option"),
    Fault("withdraw gone --why because --by me", spoilt_row, 5, "a-row.json"),
    Fault("render", spoilt_case, 4, "curt-yo.json"),
    Fault("render", spoilt_row, 5, "a-row.json"),
    Fault("render", no_language, 2, "says nothing of the site's languages"),
    Fault("check", no_language, 2, "says nothing of the site's languages"),
    Fault("check --no-such-thing", nothing, 2, "No such option"),
    Fault("rules gone", nothing, 2, "There is no rule 'gone'"),
    Fault("serve --port nine", nothing, 2, "Invalid value for '--port'"),
    Fault("publish", nothing, 2, "No such command"),
]


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_fault_is_words_and_a_code(kit: Kit, results: Callable[..., Said], fault: Fault) -> None:
    """Whatever is wrong is said on standard error, with a code of its own and no traceback."""
    fault.spoil(kit)
    said = results(kit, *fault.words.split(" "))
    assert (said.code, said.out) == (fault.code, "")
    assert fault.told in said.err
    assert "Traceback" not in said.err


def test_a_fault_says_what_to_do(kit: Kit, results: Callable[..., Said]) -> None:
    """What happened stands on one line, and what to do about it on the next."""
    said = results(kit, "rules", "gone")
    known = ", ".join(rule.id for rule in RULES)
    assert said.err == f"error: There is no rule 'gone'.\n    Known rules: {known}.\n"


def test_an_unknown_row_lists_the_known_ones(published: Kit, results: Callable[..., Said]) -> None:
    """Who mistypes a row finds it in the answer."""
    said = results(published, "withdraw", "gone", "--why", "because", "--by", "me")
    assert all(path.stem in said.err for path in published.row_files())


@pytest.mark.parametrize("words", [["--why", "", "--by", "me"], ["--why", "x", "--by", "y" * 301]])
def test_a_withdrawal_needs_words(
    published: Kit, results: Callable[..., Said], words: list[str]
) -> None:
    """An empty reason, or an endless name, is a fault like any other."""
    said = results(published, "withdraw", published.row_files()[0].stem, *words)
    assert said.code == 2
    assert said.err.startswith("error: This is no withdrawal: ")


def test_outside_of_a_project_nothing_works(tmp_path: Path, results: Callable[..., Said]) -> None:
    """A command in the wrong place says so, and where to go."""
    for words in (("check",), ("render",), ("record", "x"), ("score", "x"), ("build",)):
        said = results(Kit(tmp_path), *words)
        assert (said.code, said.out) == (2, "")
        assert said.err.startswith(f"error: {tmp_path} is not inside a project: ")
        assert "--project" in said.err


def test_a_site_that_can_not_be_built_is_told(kit: Kit, results: Callable[..., Said]) -> None:
    """What mkdocs complains of is handed on, with a code of its own."""
    kit.write("mkdocs.yml", kit.read("mkdocs.yml") + "theme: no-such-theme\n")
    said = results(kit, "build")
    assert (said.code, said.out) == (8, "")
    assert "no-such-theme" in said.err


# What strangers wrote


HOSTILE = "\x1b[31mred\x1b[0m\x07\x9b2J\u202egnp\u200b\r\x7f"
BANNED = "\x1b\x07\x9b\u202e\u200b\r\x7f"


def test_names_command_no_terminal(kit: Kit, results: Callable[..., Said]) -> None:
    """Escape sequences, bells, and marks that hide or turn text around are not printed."""
    changed = kit.variant("hostile")
    edit_json(
        changed / "run.json",
        lambda said: (
            said["systems"][0].update(model=HOSTILE, provider="fake"),
            said.update(filter=HOSTILE),
        ),
    )
    edit_attempts(changed, lambda attempts: attempts[1].update(id=attempts[0]["id"] + HOSTILE))
    for words in (
        ("record", changed),
        ("record", changed, "--json"),
        ("record", changed, "--dry-run"),
        ("score", changed),
        ("record", kit.root / HOSTILE),
        ("rules", HOSTILE),
        ("withdraw", HOSTILE, "--why", "x", "--by", "y"),
    ):
        said = results(kit, *words)
        assert said.code in {1, 2, 3} or words[0] == "score"
        assert not set(BANNED) & set(said.out + said.err)


def test_findings_command_no_terminal(published: Kit, results: Callable[..., Said]) -> None:
    """A page that was edited by a stranger is quoted without its escape sequences."""
    page = published.read("docs/en/rules.md")
    published.write("docs/en/rules.md", page.replace("# ", f"# {HOSTILE}", 2))
    said = results(published, "check")
    assert said.code == 1
    assert "docs/en/rules.md: edited-page" in said.out
    assert not set(BANNED) & set(said.out + said.err)
