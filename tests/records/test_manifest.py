"""The manifest of a run: what must be said, what must agree, and what may be left out."""

from typing import Any

import pytest

from generator.records.base import canonical_json, fault_in
from generator.records.bundle import Manifest
from tests.records.sample import manifest, plain_manifest

FIRST = {"id": "first", "provider": "pypi", "model": "not-a-real-parser"}


def test_a_sound_manifest_is_read() -> None:
    """What a harness must say is little, and it is enough to be read."""
    assert manifest().systems[0].id == "first"


def test_what_is_left_out_is_unknown() -> None:
    """A missing field is no value, and an unsaid tree is not a clean one."""
    plain = plain_manifest()
    for optional in ("corpus", "tree_at_start", "tree_at_end", "finished"):
        del plain[optional]
    read = Manifest.parse(canonical_json(plain))
    assert read.corpus.commit is None
    assert read.corpus.digest is None
    assert (read.tree_at_start.clean, read.tree_at_end.clean) == ("unknown", "unknown")
    assert read.systems[0].options is None
    assert read.finished is None


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        ({"status": "stopped"}, "`stopped` says why a run has the status stopped"),
        ({"stopped": "budget"}, "`stopped` says why a run has the status stopped"),
        ({"status": "stopped", "stopped": "tired"}, "at stopped: "),
        ({"status": "done"}, "at status: "),
        ({"systems": []}, "a run has at least one system"),
        ({"systems": [FIRST, FIRST]}, "each id stands once"),
        ({"systems": [FIRST | {"tokens": 5}]}, "at systems.0.tokens: "),
        ({"repetitions": 0}, "at repetitions: "),
        ({"repetitions": True}, "at repetitions: "),
        ({"run": "../run"}, "at run: "),
        ({"filter": ""}, "at filter: "),
        ({"started": None}, "at started: "),
        ({"harness": {"name": "greeter", "version": "1"}}, "at harness.contract: "),
        ({"harness": {"name": "greeter", "version": "1", "contract": 0}}, "at harness.contract: "),
        ({"corpus": {"commit": "abc1234"}}, "at corpus.commit: "),
        ({"corpus": {"commit": "HEAD"}}, "at corpus.commit: "),
        ({"tree_at_end": {"clean": True}}, "at tree_at_end.clean: "),
        ({"tree_at_end": {"clean": "maybe"}}, "at tree_at_end.clean: "),
        ({"tree_at_end": {"clean": "yes", "paths": ["a.py"]}}, "'a.py' is not clean"),
        ({"budget": {"tokens": -1}}, "at budget.tokens: "),
        ({"budget": {"tokens": 2**53 + 1}}, "at budget.tokens: "),
        ({"tree_at_end": {"clean": "yes", "untracked": 2**53 + 1}}, "at tree_at_end.untracked: "),
        ({"harness": {"name": "g", "version": "1", "contract": 2**53 + 1}}, "harness.contract: "),
        (
            {"systems": [FIRST, FIRST | {"id": "second", "model": "not-a-real-\u200bparser"}]},
            "the systems 'first' and 'second' look the same",
        ),
        ({"environment": {"os": "x", "python": "x", "cpu": "x", "host": "mine"}}, "host: "),
        ({"score": 1}, "at score: "),
    ],
)
def test_one_spoilt_field_is_one_fault(spoilt: dict[str, Any], said: str) -> None:
    """A manifest that contradicts itself, or says more than it may, is refused by its field."""
    content = canonical_json(plain_manifest(**spoilt))
    with pytest.raises(ValueError) as caught:  # noqa: PT011  what is said of it is compared
        Manifest.parse(content)
    told = fault_in(content, caught.value)
    assert said in told
    assert "; " not in told


@pytest.mark.parametrize("more", [{}, {"model": "Not-a-real-parser"}, {"options": {}}])
def test_systems_that_are_the_same_or_visibly_others_are_read(more: dict[str, Any]) -> None:
    """Whether the same system may be measured twice is for the gate to say."""
    assert len(manifest(systems=[FIRST, FIRST | {"id": "second", **more}]).systems) == 2


@pytest.mark.parametrize("why", ["budget", "interrupt", "crash"])
def test_a_run_that_stopped_says_why(why: str) -> None:
    """A run that did not reach its end can be read, and says what ended it."""
    assert manifest(status="stopped", stopped=why).stopped == why


@pytest.mark.parametrize("tree", [{"clean": "no"}, {"clean": "unknown"}, {"clean": "yes"}])
def test_a_tree_needs_no_paths(tree: dict[str, str]) -> None:
    """Each state of the tree can be said without naming a path."""
    assert manifest(tree_at_start=tree).tree_at_start.paths == ()
