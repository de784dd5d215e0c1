"""Keys and row ids: what makes two runs the same measurement, and what a row is called."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.records.base import slug
from generator.records.key import row_id
from tests.records.sample import EVIDENCE, key, row

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LONGEST = 60 + 1 + 10 + 1 + 10


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=300))
def test_a_row_id_is_safe_whatever_the_name(hostile: str) -> None:
    """An id holds only small letters, digits and single hyphens, and is never long."""
    found = row_id(key(model=hostile, revision=hostile), EVIDENCE)
    assert SLUG.fullmatch(found)
    assert len(found) <= LONGEST


@pytest.mark.parametrize(
    "hostile", ["../../etc/passwd", "con", "a\0b", "<script>", "漢字", "İ", ".", "Å"]
)
def test_a_row_with_a_hostile_name_is_a_sound_row(hostile: str) -> None:
    """The id that follows from a hostile name is one that a row may have."""
    found = row(key(model=hostile))
    assert found.id == found.expected_id


@given(st.text())
def test_a_slug_is_a_slug_of_itself(text: str) -> None:
    """Making a slug readable once is enough, and its length is bounded."""
    found = slug(text)
    assert not found or SLUG.fullmatch(found)
    assert len(found) <= 60
    assert slug(found) == found


@pytest.mark.parametrize(
    ("text", "readable"),
    [
        ("GPT-4o mini", "gpt-4o-mini"),
        ("  città / Größe ", "citta-groe"),
        ("a" * 59 + "-b-c", "a" * 59),
        ("漢字", ""),
    ],
)
def test_a_slug_can_be_read(text: str, readable: str) -> None:
    """What has a plain letter keeps it, and no cut leaves a hyphen at the end."""
    assert slug(text) == readable


def test_a_name_without_a_plain_letter_is_called_system() -> None:
    """A row is always called something."""
    assert row_id(key(model="漢字", revision=None), EVIDENCE).startswith("system-")


@pytest.mark.parametrize(
    "spoilt",
    [
        {"benchmark": "farewells"},
        {"benchmark_version": "2"},
        {"provider": "conda"},
        {"model": "another"},
        {"revision": "1.1"},
        {"runtime": {"name": "cpython", "version": "3.12"}},
        {"configuration": {"surface": "greet", "options": {"polite": False}}},
        {"configuration": {"surface": "greet", "options": {"polite": True}, "axes": {"e": "low"}}},
        {"subject": {"name": "server", "version": "1"}},
        {"corpus": "0" * 64},
        {"contracts": "0" * 64},
        {"tools": "0" * 64},
        {"harness": "other"},
        {"harness_contract": 2},
        {"repetitions": 3},
        {"environment_class": "ci-large"},
    ],
    ids=lambda spoilt: next(iter(spoilt)),
)
def test_runs_that_differ_are_two_measurements(spoilt: dict[str, Any]) -> None:
    """Every field of the key tells two measurements apart, in its digest and in the row's id."""
    assert key(**spoilt).digest != key().digest
    assert row_id(key(**spoilt), EVIDENCE) != row_id(key(), EVIDENCE)


def test_the_same_measurement_with_other_evidence_is_another_row() -> None:
    """A row that takes another's place has the same key and an id of its own."""
    assert row_id(key(), "0" * 64) != row_id(key(), EVIDENCE)


def test_options_that_were_not_sent_are_not_unknown_options() -> None:
    """An empty object says that no option was sent; that differs from not knowing."""
    none_sent = key(configuration={"options": {}})
    unknown = key(configuration={})
    assert none_sent.digest != unknown.digest
