"""A row's page: every figure, every answer, and what is known of where they come from."""

from typing import Any

import pytest

from generator.families.blocks import Cell, Code, Lines, Quote, Table
from generator.messages import Message
from generator.pages.views.row import NOT_APPLICABLE, NOTHING, UNKNOWN, row_page
from generator.pages.views.shapes import Page, RowView, Site
from generator.records.bundle import Tree
from tests.pages.sample import HERE, RIGHT, Recorded, published, ratio, recorded, site, withdrawn

OTHER = "f" * 64


def page_of(of: Recorded, on: Site | None = None) -> Page:
    """The page of a row."""
    return row_page(on or site(of), of.row)


def view_of(of: Recorded, on: Site | None = None) -> RowView:
    """What the page of a row shows."""
    view = page_of(of, on).view
    assert isinstance(view, RowView)
    return view


def provenance(of: Recorded) -> dict[str, Cell]:
    """What the page says under each name of the provenance."""
    entries = view_of(of).provenance
    found = {entry.name.id: entry.cell for entry in entries}
    assert len(found) == len(entries)
    return found


def test_the_page_is_the_rows() -> None:
    """Its path names the row, its title the system and the benchmark; search leaves it out."""
    of = recorded("a|b")
    page = page_of(of)
    assert page.path == f"results/greetings/{of.row.id}.md"
    assert page.title.in_english().startswith("a|b 1.0 on ")
    assert page.title.values == {"system": "a|b 1.0", "benchmark": Message("Greetings")}
    assert page.source == f"results/registry/greetings/{of.row.id}.json"
    assert not page.searched


def test_a_system_is_named_by_what_sets_it_apart() -> None:
    """The label holds model, effort, revision, arm and axes, and leaves out what is unknown."""
    axes = {"surface": "x", "axes": {"effort": "high", "depth": "2"}, "arm": "control"}
    assert view_of(recorded("m", configuration=axes)).label == "m@high 1.0 control 2"
    assert view_of(recorded("m", revision=None)).label == "m"


def test_every_figure_is_shown_with_its_meaning() -> None:
    """Each measure of a row stands on its page, also where no table of results shows it."""
    of = recorded()
    figures = view_of(of).figures
    assert tuple(figure.measure for figure in figures) == of.row.measures
    assert [figure.column.metric.id for figure in figures] == [
        measure.metric for measure in of.row.measures
    ]
    unknown = recorded().with_figures(ratio(1, 2, "unheard_of"), ratio(1, 2))
    assert [figure.measure.metric for figure in view_of(unknown).figures] == ["passed"]


def test_every_answer_is_shown() -> None:
    """The observations behind a row stand on its page, beside what was expected."""
    (table,) = view_of(recorded(said={**RIGHT, "curt-hey": "What?"})).observed
    assert isinstance(table, Table)
    assert len(table.rows) == 3
    assert table.rows[0][0] == Code("curt-hey")
    assert Quote("What?") in _flat(table.rows[0][3])


def test_answers_to_an_earlier_are_shown_without_its_key() -> None:
    """Where the corpus is not at hand the answers still stand there; what was expected does not."""
    of = recorded(corpus=OTHER)
    (table,) = view_of(of).observed
    assert isinstance(table, Table)
    assert [row[4] for row in table.rows] == [Message("not at hand")] * 3
    asked = [Quote("Hey!"), Quote("Good evening!"), Quote("Good morning!")]
    assert [row[2] for row in table.rows] == asked


def test_an_earlier_is_told() -> None:
    """A row that answered other questions than those of today says so on its page."""
    assert not view_of(recorded()).earlier
    assert view_of(recorded(corpus=OTHER)).earlier


def test_a_row_outlives_its_benchmark() -> None:
    """Where the benchmark is gone the page stands, names it by its id, and tells."""
    of = recorded()
    page = page_of(of, site(of, benchmarks=[]))
    view = view_of(of, site(of, benchmarks=[]))
    assert page.title.values["benchmark"] == view.benchmark == Code("greetings")
    assert view.earlier
    assert view.benchmark_page is None
    assert view.figures == ()
    assert len(view.observed) == 1


def test_what_became_of_a_row_is_told() -> None:
    """A row names the row that it replaced, the one that replaced it, and its withdrawal."""
    first = recorded("a", {"curt-hey": "Hm?"})
    second = recorded("a", supersedes=first.row)
    back = withdrawn(second)
    on = site(first, second, withdrawals=[back])
    old, new = view_of(first, on), view_of(second, on)
    assert (old.superseded_by, old.supersedes, old.withdrawal) == (second.row, None, None)
    assert (new.superseded_by, new.supersedes, new.withdrawal) == (None, first.row, back)


def test_provenance_says_the_value_that_is_known() -> None:
    """What the run stated stands there as it was stated."""
    found = provenance(
        recorded(
            "m",
            provider="p",
            tools="a" * 64,
            subject={"name": "server", "version": "2.1"},
            configuration={
                "surface": "chat",
                "options": {"temperature": 0, "stop": ["\n"], "mode": "plain"},
                "axes": {"effort": "high"},
            },
        )
    )
    assert found["System"] == Code("p:m")
    assert found["Revision"] == Code("1.0")
    assert found["Runtime"] == Code("cpython 3.11")
    assert found["Runtime settings"] == Lines((Code("threads: 2"),))
    assert found["Surface"] == Code("chat")
    assert found["Request options as sent"] == Lines(
        (Code("mode: plain"), Code('stop: ["\\n"]'), Code("temperature: 0"))
    )
    assert found["Configuration axes"] == Lines((Code("effort: high"),))
    assert found["Subject"] == Lines((Code("server 2.1"),))
    assert found["List of tools"] == Code("a" * 16)
    assert found["Corpus"] == Code(HERE.digest[:16])
    assert found["Contracts"] == Code(HERE.contracts[:16])
    assert found["Commit"] == Code("1" * 40)
    assert found["Harness"] == Code("greeter 1.0.2 (1)")
    assert found["Evidence"] == Code(recorded("m", provider="p").row.evidence.digest)
    assert found["Environment"] == Lines(
        (Code("Linux 6.1"), Code("CPython 3.11.7"), Code("x86_64"))
    )


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("Revision", {"revision": None}),
        ("Surface", {"configuration": {}}),
        ("Request options as sent", {"configuration": {}}),
        ("Subject", {}),
        ("List of tools", {}),
    ],
)
def test_provenance_tells_unknown_from_not_applicable(name: str, changed: dict[str, Any]) -> None:
    """What nobody stated is unknown; what the benchmark declared not to apply does not apply."""
    of = recorded(**changed)
    nothing = of.row.model_copy(update={"not_applicable": ()})
    fields = ("revision", "surface", "options", "subject", "tools")
    every = of.row.model_copy(update={"not_applicable": fields})
    assert provenance(Recorded(nothing, of.attempts))[name] == UNKNOWN
    assert provenance(Recorded(every, of.attempts))[name] == NOT_APPLICABLE


def test_no_options_are_told_from_unknown_ones() -> None:
    """An empty object of options says that none were sent, and the page says so."""
    assert provenance(recorded(configuration={"options": {}}))["Request options as sent"] == NOTHING


@pytest.mark.parametrize(
    ("tree", "said"),
    [
        (
            Tree(clean="yes", untracked=3),
            Lines(
                (
                    Message("clean"),
                    Message("files that git does not track: {count}", {"count": 3}),
                )
            ),
        ),
        (
            Tree(clean="no", paths=("a<b", "c")),
            Lines((Message("with changes"), Code("a<b"), Code("c"))),
        ),
        (Tree(clean="unknown", reason="no git"), Lines((Message("unknown"), Quote("no git")))),
    ],
)
def test_the_state_of_the_tree_is_told(tree: Tree, said: Cell) -> None:
    """Clean, changed with the paths that were, or unknown: at the start and at the end."""
    found = provenance(recorded().with_run(tree_at_start=tree))
    assert found["Work tree at the start"] == said
    assert _flat(found["Work tree at the end"])[0] == Message("clean")


def test_what_a_run_need_not_say_may_be_left_out() -> None:
    """Without runtime, axes or environment their entries are not there; no entry is empty."""
    of = recorded(runtime=None).with_run(environment=None)
    found = provenance(of)
    assert not {"Runtime", "Runtime settings", "Configuration axes", "Environment"} & set(found)
    assert Lines(()) not in found.values()


def test_further_provenance_is_there_where_it_is_known() -> None:
    """An arm, a prompt, a subject's repository and the class of machine stand where there are."""
    found = provenance(
        recorded(
            subject={
                "name": "server",
                "version": "2.1",
                "repository": "https://code.example/server",
                "commit": "2" * 40,
            },
            configuration={"surface": "chat", "options": {}, "arm": "control", "prompt": "b" * 64},
            environment_class="two cores",
        )
    )
    assert found["Arm"] == Code("control")
    assert found["Prompt before every case"] == Code("b" * 16)
    assert found["Class of the environment"] == Code("two cores")
    assert found["Subject"] == Lines(
        (Code("server 2.1"), Code("https://code.example/server"), Code("2" * 40))
    )


def test_a_benchmark_of_another_name_does_not_count() -> None:
    """A row is measured against its own benchmark only."""
    of = recorded()
    other = published(id="farewells")
    assert view_of(of, site(of, benchmarks=[other])).figures == ()


def _flat(cell: Cell) -> tuple[Cell, ...]:
    return cell.cells if isinstance(cell, Lines) else (cell,)
