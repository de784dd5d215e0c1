"""Profiles: what stands in the file, and what a file of earlier is worth here and now."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.errors import CorpusError, RegistryError, UsageError
from generator.store.corpus import benchmark_here
from generator.store.registry import read_registry
from generator.workflow.profile import PROFILES, judge_profiles, profiles, write_profiles
from generator.workflow.withdraw import withdraw
from tests.conftest import BENCHMARK, CASES, TOML, Attempts, Kit, edit_json
from tests.pages.building import alone as everybody_else_gone
from tests.pages.building import copy
from tests.workflow.graded import EFFORT, GRADED, MODEL, PLACE, TIERS, at, declare, publish
from tests.workflow.test_withdraw import NOW


@pytest.fixture(scope="session")
def graded_template(template: Kit, tmp_path_factory: pytest.TempPathFactory) -> Kit:
    """The project that `graded` copies; no test changes it."""
    with everybody_else_gone():
        kit = copy(template, tmp_path_factory.mktemp("graded") / "project")
        declare(kit)
        publish(kit, (at("none"), "small"), (at("low"), "medium"), (at("xhigh"), "large"))
    return kit


@pytest.fixture
def graded(graded_template: Kit, tmp_path: Path, alone: None) -> Kit:  # noqa: ARG001  it prepares the process
    """A project with one model at three levels of effort, each of another tier."""
    return copy(graded_template, tmp_path / "graded")


def digest(kit: Kit) -> str:
    """The digest of the corpus at hand."""
    return benchmark_here(kit.project, BENCHMARK).digest


def tiers(kit: Kit) -> dict[str, str]:
    """The tier of each profile that would be written now."""
    return {name: one.tier for name, one in profiles(kit.project, BENCHMARK).profiles.items()}


def recommendations(kit: Kit) -> dict[str, str]:
    """The recommendations that would be written now."""
    return profiles(kit.project, BENCHMARK).recommendations


def worth(kit: Kit) -> dict[str, str]:
    """Of each profile of the file that was written: its tier now, or why it is not valid."""
    judged = judge_profiles(kit.project, kit.root / PROFILES)
    assert all((one.tier is None) == bool(one.why_not) for one in judged)
    return {one.system: one.tier or one.why_not for one in judged}


def change_a_case(kit: Kit) -> str:
    """Change one character of a case and commit it; the digest of the corpus before."""
    before = digest(kit)
    path = f"{CASES}/curt/curt-yo.json"
    kit.write(path, kit.read(path).replace('"Yo!"', '"Yo?"'))
    kit.commit()
    assert digest(kit) != before
    return before


# What stands in the file


def test_the_file_is_this_to_the_byte(kit: Kit) -> None:
    """Every program that reads it may count on its keys, and on a decimal being a text."""
    declare(kit)
    publish(kit, (at("low"), "medium"))
    (row,) = read_registry(kit.project).rows.values()
    written = write_profiles(kit.project, BENCHMARK)
    assert written.path == kit.root / PROFILES
    assert (
        written.path.read_text("utf-8")
        == f"""\
{{
  "benchmark": "greetings",
  "format": "assay.profiles/1",
  "profiles": {{
    "not-a-real-model@low": {{
      "benchmark_version": "1",
      "completion_tokens": "20.0",
      "corpus": "{digest(kit)}",
      "measured": "{row.run.finished}",
      "prompted": false,
      "row": "{row.id}",
      "scores": {{
        "curt": "0.50",
        "polite": "1.00"
      }},
      "tier": "medium",
      "tokens_per_second": "10.0"
    }}
  }},
  "recommendations": {{
    "not-a-real-model": "low"
  }}
}}
"""
    )


def test_the_file_is_the_same_each_time(graded: Kit) -> None:
    """No clock and no order of files takes part."""
    first = write_profiles(graded.project, BENCHMARK).path.read_bytes()
    elsewhere = graded.root / "elsewhere.json"
    assert write_profiles(graded.project, BENCHMARK, elsewhere).path == elsewhere
    assert elsewhere.read_bytes() == first


def test_each_level_has_a_profile_of_its_own(graded: Kit) -> None:
    """A profile measured at one level never stands for another, nor for the model without any."""
    assert tiers(graded) == {
        f"{MODEL}@low": "medium",
        f"{MODEL}@none": "small",
        f"{MODEL}@xhigh": "large",
    }
    assert recommendations(graded) == {MODEL: "xhigh"}


def test_of_levels_of_one_tier_the_cheapest_is_recommended(kit: Kit) -> None:
    """In the order that the benchmark declares, and by model."""
    declare(kit)
    other = "one-more-that-is-none"
    publish(
        kit,
        *((at(level), tier) for level, tier in (("none", "medium"), ("xhigh", "medium"))),
        *((at(level, other), tier) for level, tier in (("low", "large"), ("xhigh", "large"))),
    )
    assert recommendations(kit) == {MODEL: "none", other: "low"}


def test_a_model_without_levels_has_a_profile_and_no_recommendation(kit: Kit) -> None:
    """Tiers need no effort: the profile then stands under the model's own name."""
    declare(kit, TOML + TIERS)
    publish(kit, (at(None), "large"))
    held = profiles(kit.project, BENCHMARK)
    assert {name: one.tier for name, one in held.profiles.items()} == {MODEL: "large"}
    assert held.recommendations == {}
    (profile,) = held.profiles.values()
    assert (profile.tokens_per_second, profile.completion_tokens) == (None, None)
    assert "tokens_per_second" not in write_profiles(kit.project, BENCHMARK).path.read_text("utf-8")


def test_a_level_that_is_not_declared_is_never_recommended(kit: Kit) -> None:
    """What was asked at some level of its own has its profile, and takes no part in a sweep."""
    declare(kit)
    publish(kit, (at("low"), "medium"), (at("ludicrous"), "large"))
    assert set(tiers(kit)) == {f"{MODEL}@low", f"{MODEL}@ludicrous"}
    assert recommendations(kit) == {MODEL: "low"}


def test_a_prompted_level_says_so(kit: Kit) -> None:
    """Where a level was asked for by prompt, the profile tells."""
    declare(kit)
    publish(kit, (at("low", prompted=True), "large"), (at("none"), "small"))
    held = profiles(kit.project, BENCHMARK).profiles
    assert {name: one.prompted for name, one in held.items()} == {
        f"{MODEL}@low": True,
        f"{MODEL}@none": False,
    }


def test_of_several_sweeps_of_a_model_the_best_is_recommended(kit: Kit) -> None:
    """Prompted and native levels are two sweeps; the level to take is that of the higher tier.

    The level that is named has a profile, and it is the one that reached that tier.
    """
    declare(kit)
    publish(
        kit,
        *((at("none", prompted=True), "small"), (at("low", prompted=True), "medium")),
        (at("xhigh"), "large"),
    )
    assert recommendations(kit) == {MODEL: "xhigh"}
    assert tiers(kit)[f"{MODEL}@xhigh"] == "large"


def test_of_several_rows_of_one_name_the_newest_run_counts(kit: Kit) -> None:
    """Two revisions at one level are two rows of one name; what is recommended has a profile."""
    declare(kit)
    newer = at("low", id="newer", revision="2.0")
    publish(kit, (newer, "medium"), name="newer", finished="2031-01-01T00:00:00Z")
    older = ((at("none"), "medium"), (at("low"), "large"))
    publish(kit, *older, name="older", finished="2030-01-01T00:00:00Z")
    held = profiles(kit.project, BENCHMARK)
    assert {name: (one.tier, one.measured) for name, one in held.profiles.items()} == {
        f"{MODEL}@low": ("medium", "2031-01-01T00:00:00Z"),
        f"{MODEL}@none": ("medium", "2030-01-01T00:00:00Z"),
    }
    assert held.recommendations == {MODEL: "none"}


def test_rows_of_an_earlier_corpus_take_no_part(graded: Kit) -> None:
    """A changed case makes every older row one on other questions: nothing is left to trust."""
    change_a_case(graded)
    assert (tiers(graded), recommendations(graded)) == ({}, {})
    publish(graded, (at("low"), "large"), name="again")
    assert (tiers(graded), recommendations(graded)) == ({f"{MODEL}@low": "large"}, {MODEL: "low"})


def test_rows_of_an_earlier_version_take_no_part(graded: Kit) -> None:
    """A version is raised where the meaning of a score changed, though no question did."""
    declare(graded, GRADED.replace('version = "1"', 'version = "2"'))
    assert tiers(graded) == {}


def test_withdrawn_and_replaced_rows_take_no_part(graded: Kit) -> None:
    """Only what stands can be trusted."""
    publish(graded, (at("low"), "large"), name="again", replace=True)
    xhigh = next(path.stem for path in graded.row_files() if "xhigh" in path.read_text("utf-8"))
    withdraw(graded.project, xhigh, why="A mistake.", by="Nobody", now=NOW)
    assert tiers(graded) == {f"{MODEL}@low": "large", f"{MODEL}@none": "small"}
    assert recommendations(graded) == {MODEL: "low"}


def test_tiers_are_those_of_the_thresholds_at_hand(graded: Kit) -> None:
    """Where a threshold was moved, rows of before are graded by it, and so is what is recommended.

    A file that said the old tier beside the new version of the benchmark would be believed.
    """
    declare(graded, GRADED.replace("curt = 0.90", "curt = 0.50"))
    assert tiers(graded)[f"{MODEL}@low"] == "large"
    assert recommendations(graded) == {MODEL: "low"}
    declare(graded, GRADED.replace('"large"', '"huge"'))
    assert tiers(graded)[f"{MODEL}@xhigh"] == "huge"
    assert recommendations(graded) == {MODEL: "xhigh"}


def test_a_row_without_a_tier_has_no_profile(kit: Kit) -> None:
    """Where a category was not measured, nothing is claimed of the model."""

    def lose(attempts: Attempts) -> Attempts:
        lost = {"outcome": "provider_error", "turns": []}
        return [one | (lost if one["case"].startswith("curt") else {}) for one in attempts]

    declare(kit, GRADED.replace("shown =", "excluded_at_most = 1\nshown =", 1))
    publish(kit, (at("low"), "large"), edit=lose)
    assert (tiers(kit), recommendations(kit)) == ({}, {})


def test_rows_of_another_benchmark_take_no_part(graded: Kit) -> None:
    """Each benchmark has profiles of its own rows."""
    for path in graded.row_files():
        target = graded.project.registry / "farewells" / path.name
        target.parent.mkdir(exist_ok=True)
        path.rename(target)
        edit_json(target, lambda said: said["key"].update(benchmark="farewells"))
    assert tiers(graded) == {}


# What a file is worth now


def test_a_file_of_today_is_valid(graded: Kit) -> None:
    """On the very corpus and version every profile has its tier."""
    write_profiles(graded.project, BENCHMARK)
    assert worth(graded) == tiers(graded)


def test_another_version_makes_every_profile_invalid(graded: Kit) -> None:
    """The reason names both versions."""
    write_profiles(graded.project, BENCHMARK)
    declare(graded, GRADED.replace('version = "1"', 'version = "2"'))
    assert set(worth(graded).values()) == {"it was measured on version 1, not 2"}
    assert len(worth(graded)) == 3


def test_another_corpus_makes_every_profile_invalid(graded: Kit) -> None:
    """One character of one case, and the reason names both digests: it is not done silently."""
    write_profiles(graded.project, BENCHMARK)
    before = change_a_case(graded)
    why = f"it was measured on the corpus {before[:16]}, not {digest(graded)[:16]}"
    assert set(worth(graded).values()) == {why}


def test_the_corpus_at_hand_is_that_of_the_work_tree(graded: Kit) -> None:
    """A case that is changed and not committed is a changed case; undone, all is as it was."""
    write_profiles(graded.project, BENCHMARK)
    path = f"{CASES}/curt/curt-yo.json"
    before = graded.read(path)
    graded.write(path, before + "\n")
    assert all(why.startswith("it was measured on the corpus ") for why in worth(graded).values())
    graded.write(path, before)
    assert worth(graded) == tiers(graded)


def test_one_profile_of_before_leaves_the_others_valid(graded: Kit) -> None:
    """Each is judged by itself."""
    path = write_profiles(graded.project, BENCHMARK).path
    edit_json(path, lambda held: held["profiles"][f"{MODEL}@low"].update(benchmark_version="0"))
    assert worth(graded) == {
        f"{MODEL}@low": "it was measured on version 0, not 1",
        f"{MODEL}@none": "small",
        f"{MODEL}@xhigh": "large",
    }


def test_the_tier_is_derived_again(graded: Kit) -> None:
    """Thresholds that were moved count, and a tier that somebody wrote into the file does not."""
    path = write_profiles(graded.project, BENCHMARK).path
    edit_json(path, lambda held: held["profiles"][f"{MODEL}@none"].update(tier="large"))
    assert worth(graded)[f"{MODEL}@none"] == "small"
    declare(graded, GRADED.replace("polite = 0.50", "polite = 0.00"))
    assert worth(graded)[f"{MODEL}@none"] == "medium"


def test_scores_that_earn_no_tier_are_not_valid(graded: Kit) -> None:
    """Where the tiers now ask a category that the profile has no score of, it is worth nothing."""
    path = write_profiles(graded.project, BENCHMARK).path
    edit_json(path, lambda held: held["profiles"][f"{MODEL}@low"]["scores"].pop("curt"))
    judged = worth(graded)
    assert judged[f"{MODEL}@low"] == "it has no score of a category that the tiers now ask"
    assert judged[f"{MODEL}@xhigh"] == "large"


def test_judging_writes_nothing(graded: Kit) -> None:
    """Neither the file nor anything else is touched."""
    write_profiles(graded.project, BENCHMARK)
    before = graded.committed()
    worth(graded)
    assert graded.committed() == before


# What can't be


def text(said: str) -> Callable[[Path], object]:
    """A file with that text."""
    return lambda path: path.write_text(said, encoding="utf-8")


def spoil(key: str, value: object) -> Callable[[Path], object]:
    """A sound file in which one field says something else."""
    return lambda path: edit_json(path, lambda held: held.update({key: value}))


def spoil_one(key: str, value: object) -> Callable[[Path], object]:
    """A sound file in which one field of one profile says something else."""
    return lambda path: edit_json(
        path, lambda held: held["profiles"][f"{MODEL}@low"].update({key: value})
    )


def gone(path: Path) -> None:
    """No file at all."""
    path.unlink()


def folder(path: Path) -> None:
    """A folder in its place."""
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("damage", "what"),
    [
        (gone, "can't be read: No such file or directory"),
        (folder, "can't be read: Is a directory"),
        (text(""), "Expecting value: line 1 column 1"),
        (text("{"), "Expecting property name"),
        (text("[]"), "at the top: "),
        (text("<<<<<<< HEAD\n{}"), "line 1 is a conflict marker of git"),
        (text('{"format": 1, "format": 2}'), "the key 'format' stands twice"),
        (text("[" * 100_000), "maximum recursion depth"),
        (text("[" * 100 + "]" * 100), "nested more than 64 deep"),
        (lambda path: path.write_bytes(b"\xff\xfe{"), "codec can't decode byte"),
        (spoil("format", "assay.profiles/2"), "this version of assay reads 'assay.profiles/1'"),
        (spoil("benchmark", "../greetings"), "at benchmark: String should match pattern"),
        (spoil("benchmark", None), "at benchmark: "),
        (spoil("comment", "?"), "at comment: Extra inputs are not permitted"),
        (spoil("recommendations", []), "at recommendations: "),
        (spoil_one("tier", "Large!"), f"at profiles.{MODEL}@low.tier: "),
        (spoil_one("corpus", "abc"), f"at profiles.{MODEL}@low.corpus: "),
        (spoil_one("measured", "yesterday"), f"at profiles.{MODEL}@low.measured: "),
        (spoil_one("scores", {"polite": "much"}), f"at profiles.{MODEL}@low.scores.polite: "),
        (spoil_one("prompted", "no"), f"at profiles.{MODEL}@low.prompted: "),
    ],
)
def test_a_damaged_file_is_told(graded: Kit, damage: Callable[[Path], object], what: str) -> None:
    """What is no file of profiles is said with its place, and nothing in it is believed."""
    path = write_profiles(graded.project, BENCHMARK).path
    damage(path)
    with pytest.raises(UsageError) as fault:
        judge_profiles(graded.project, path)
    assert str(path) in fault.value.what
    assert what in fault.value.what
    assert fault.value.remedy == "Write it again with results profile."


def test_a_benchmark_that_is_not_there_is_told(graded: Kit) -> None:
    """Both where profiles are written and where a file names it; known ones are listed."""
    with pytest.raises(CorpusError, match="farewells") as fault:
        profiles(graded.project, "farewells")
    assert fault.value.remedy == "Known benchmarks: greetings."
    path = write_profiles(graded.project, BENCHMARK).path
    edit_json(path, lambda held: held.update(benchmark="farewells"))
    with pytest.raises(CorpusError, match="farewells"):
        judge_profiles(graded.project, path)


def test_a_benchmark_without_tiers_has_no_profiles(graded: Kit) -> None:
    """What can't be graded is not written, nor is a file of before judged without tiers."""
    path = write_profiles(graded.project, BENCHMARK).path
    before = path.read_bytes()
    declare(graded, TOML + EFFORT)
    for attempt in (
        lambda: write_profiles(graded.project, BENCHMARK),
        lambda: judge_profiles(graded.project, path),
    ):
        with pytest.raises(CorpusError, match="'greetings' declares no tiers") as fault:
            attempt()
        assert fault.value.remedy.startswith("Declare [[scoring.tiers]] in its benchmark.toml")
    assert path.read_bytes() == before


def test_tiers_at_fault_are_told(graded: Kit) -> None:
    """They lie in the benchmark's own file, which is named from the root of the project."""
    declare(graded, GRADED.replace("polite = 0.50", "rude = 0.50"))
    with pytest.raises(CorpusError) as fault:
        profiles(graded.project, BENCHMARK)
    assert fault.value.what.startswith(f"{PLACE}: the tier 'medium' names the category 'rude'")


def test_a_row_that_can_not_be_read_stops_everything(graded: Kit) -> None:
    """A file of all but one would look like a file of all."""
    graded.row_files()[0].write_text("{}", encoding="utf-8")
    with pytest.raises(RegistryError):
        write_profiles(graded.project, BENCHMARK)
    assert not (graded.root / PROFILES).exists()


def test_a_file_is_read_back_as_it_was_written(graded: Kit) -> None:
    """What is in memory is what lies on disk, decimals with their places."""
    written = write_profiles(graded.project, BENCHMARK)
    held = json.loads(written.path.read_bytes())
    assert held == written.profiles.plain()
    assert type(written.profiles).parse(written.path.read_bytes()) == written.profiles
