"""Catalogues: what counts as said, and what is found at fault."""

import io
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from generator.pages.catalogues import (
    catalogue_folders,
    catalogue_path,
    extract_benchmark,
    faults,
    is_said,
    known_messages,
    message_id,
    read_catalogue,
    strings,
    template_path,
)

ONE, MORE = "{count} row", "{count} rows of {who}"
FORMS = ("{count} fila de {who}", "{count} de filas de {who}", "{count} filas de {who}")
SOUND = {
    "Results": "Resultados",
    "{who} on <b>{what}</b>": "<b>{what}</b>: {who}",
    "a | b": "a | b",
}


def template() -> Catalog:
    """The messages of a program."""
    catalogue = Catalog()
    for message in SOUND:
        catalogue.add(message)
    catalogue.add((ONE, MORE))
    return catalogue


def spanish(**spoilt: str) -> Catalog:
    """A catalogue that says all of them, but for what is spoilt."""
    catalogue = Catalog(locale="es")
    for message, said in SOUND.items():
        catalogue.add(message, spoilt.get(message, said))
    catalogue.add((ONE, MORE), FORMS)
    return catalogue


def test_a_sound_catalogue_has_no_faults() -> None:
    """Everything said, places in another order, markup where the source has it."""
    assert list(faults(template(), spanish())) == []


def test_a_message_that_the_program_has_no_more_is_no_fault() -> None:
    """What a catalogue says beyond the template harms nobody."""
    catalogue = spanish()
    catalogue.add("Gone", "Ido <b>{x}</b>")
    assert list(faults(template(), catalogue)) == []


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ("", "it is not translated, or only guessed"),
        ("Resultados {count}", "its places differ: 'Resultados {count}'"),
        ("<b>Resultados</b>", "it has markup that the source lacks: '<b>Resultados</b>'"),
        ("[Resultados](x)", "it has markup that the source lacks: '[Resultados](x)'"),
        ("Resul|tados", "it has markup that the source lacks: 'Resul|tados'"),
        ("Resul\ntados", "it has markup that the source lacks: 'Resul\\ntados'"),
        ("{{ Resultados }}", "it has markup that the source lacks: '{{ Resultados }}'"),
        ("{% Resultados %}", "its places differ: '{% Resultados %}'"),
    ],
)
def test_one_spoilt_translation_is_one_fault(said: str, what: str) -> None:
    """A fault names the message and what is wrong with what stands there."""
    assert list(faults(template(), spanish(Results=said))) == [("Results", what)]


def test_a_missing_message_is_a_fault() -> None:
    """A message that the catalogue does not know at all is not translated."""
    catalogue = spanish()
    catalogue.delete("Results")
    assert [message for message, _ in faults(template(), catalogue)] == ["Results"]


def test_a_guess_is_a_fault() -> None:
    """What pybabel only guessed counts as not translated, whatever it says."""
    catalogue = spanish()
    entry = catalogue.get("Results")
    assert entry is not None
    entry.flags.add("fuzzy")
    assert [message for message, _ in faults(template(), catalogue)] == ["Results"]


@pytest.mark.parametrize("forms", [("", *FORMS[1:]), (*FORMS[:2], ""), ("", "", "")])
def test_one_empty_plural_form_is_a_fault(forms: tuple[str, ...]) -> None:
    """A message with a count is said when every one of its forms is."""
    catalogue = spanish()
    catalogue.delete(ONE)
    catalogue.add((ONE, MORE), forms)
    assert list(faults(template(), catalogue)) == [(ONE, "it is not translated, or only guessed")]


def test_every_form_keeps_the_places_of_the_plural() -> None:
    """Each form of a count has the places of the source's plural, each wrong form is named."""
    catalogue = spanish()
    catalogue.delete(ONE)
    catalogue.add((ONE, MORE), ("{count} fila", FORMS[1], "{count} filas de {whom}"))
    assert list(faults(template(), catalogue)) == [
        (ONE, "its places differ: '{count} fila'"),
        (ONE, "its places differ: '{count} filas de {whom}'"),
    ]


def test_a_place_that_is_lost_is_a_fault() -> None:
    """A translation that leaves a value out says less than the source."""
    message = "{who} on <b>{what}</b>"
    assert [found for found, _ in faults(template(), spanish(**{message: "<b>{who}</b>"}))] == [
        message
    ]


@pytest.mark.parametrize("said", ["{who} {", "{who} }", "{who.name}", "{who[0]}", "{0}", "{}"])
def test_a_place_that_could_not_be_filled_is_a_fault(said: str) -> None:
    """A stray brace, or a place that asks for more than a name, would stop the drawing of pages."""
    source, catalogue = Catalog(), Catalog(locale="es")
    source.add("{who} passed")
    catalogue.add("{who} passed", said)
    assert list(faults(source, catalogue)) == [("{who} passed", f"its places differ: {said!r}")]


def test_ids_and_forms_of_entries() -> None:
    """A plural is asked for by its first form and has as many strings as the locale."""
    catalogue = spanish()
    plural, single = catalogue.get(ONE), catalogue.get("Results")
    assert plural is not None
    assert single is not None
    assert (message_id(plural), message_id(single)) == (ONE, "Results")
    assert strings(plural) == FORMS
    assert strings(single) == ("Resultados",)
    assert is_said(plural)
    assert is_said(single)
    assert known_messages(template()) == {*SOUND, ONE}


def test_where_catalogues_lie(tmp_path: Path) -> None:
    """A locale's folder is written as gettext does, and a project's folder comes last."""
    assert catalogue_path(tmp_path, "pt-BR") == tmp_path / "pt_BR/LC_MESSAGES/messages.po"
    assert template_path(tmp_path) == tmp_path / "messages.pot"
    *_, own = catalogue_folders(tmp_path)
    assert own == tmp_path.resolve() / "locales"
    program, *more = catalogue_folders(catalogue_folders(tmp_path)[0].parent)
    assert program == catalogue_folders(tmp_path)[0]
    assert more == []


def test_a_catalogue_is_read_as_it_was_written(tmp_path: Path) -> None:
    """A `.po` file gives its entries and the plural rule of its head."""
    path = catalogue_path(tmp_path, "es")
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_po(file, spanish())
    found = read_catalogue(path, "es")
    assert list(faults(template(), found)) == []
    assert found.num_plurals == spanish().num_plurals


def test_titles_and_summary_of_a_benchmark_are_messages() -> None:
    """Babel finds in `benchmark.toml` what readers see of it, and nothing else."""
    toml = b"""
    title = "Greetings"
    summary = "Whether it greets."
    licence = "CC0-1.0"
    [[categories]]
    id = "curt"
    title = "Curt greetings"
    """
    found = list(extract_benchmark(io.BytesIO(toml), (), (), {}))
    assert [text for _, _, text, _ in found] == [
        "Greetings",
        "Whether it greets.",
        "Curt greetings",
    ]
    plain = io.BytesIO(b'title = "A"\nsummary = "B"')
    assert len(list(extract_benchmark(plain, (), (), {}))) == 2
