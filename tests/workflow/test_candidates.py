"""The key of a candidate: what makes its row this measurement and no other."""

import pytest

from generator.records.bundle import Environment, Manifest
from generator.records.key import Key
from generator.store.corpus import benchmark_here
from generator.workflow.candidates import key_of
from generator.workflow.scoring import answer_key
from tests.conftest import BENCHMARK, TOML, Kit
from tests.workflow.graded import EFFORT, PLACE, TIERS

LINUX = Environment(os="Linux 6.1.0-13-amd64", python="CPython 3.11.7", cpu="x86_64")


def keyed(kit: Kit, toml: str, environment: Environment | None) -> Key:
    """The key of the first system of the sound run, on a machine, with this benchmark."""
    kit.write(PLACE, toml)
    manifest = Manifest.parse((kit.run / "run.json").read_bytes())
    manifest = manifest.model_copy(update={"environment": environment})
    key = answer_key(benchmark_here(kit.project, BENCHMARK))
    return key_of(manifest, manifest.systems[0], key)


def test_where_effort_is_declared_the_key_names_the_class_of_machine(kit: Kit) -> None:
    """Such a row has tokens per second, which hold for that class of machine and no other.

    The class is the system and the processor: the same figures need not wait for an update.
    """
    assert keyed(kit, TOML + EFFORT, LINUX).environment_class == "Linux x86_64"
    updated = LINUX.model_copy(update={"os": "Linux 6.9.3", "python": "CPython 3.14.0"})
    assert keyed(kit, TOML + EFFORT, updated) == keyed(kit, TOML + EFFORT, LINUX)
    other = LINUX.model_copy(update={"cpu": "aarch64"})
    assert keyed(kit, TOML + EFFORT, other) != keyed(kit, TOML + EFFORT, LINUX)


@pytest.mark.parametrize("toml", [TOML, TOML + TIERS], ids=["plain", "tiers"])
def test_where_no_effort_is_declared_machines_make_no_difference(kit: Kit, toml: str) -> None:
    """Without a timed measure a row is the same measurement wherever it was made."""
    key = keyed(kit, toml, LINUX)
    assert key.environment_class is None
    assert "environment_class" not in key.plain()
    assert keyed(kit, toml, LINUX.model_copy(update={"cpu": "aarch64"})) == key


def test_a_machine_that_nobody_described_has_no_class(kit: Kit) -> None:
    """A run may leave its environment out; what is unknown is not made up."""
    assert keyed(kit, TOML + EFFORT, None).environment_class is None


@pytest.mark.parametrize(
    ("os", "cpu", "named"),
    [
        (" ", "x86_64", "x86_64"),
        ("Windows", "AMD64", "Windows AMD64"),
        ("L" * 300, "c" * 300, "L" * 300),
        ("Linux 6.1", "c" * 300, "Linux " + "c" * 294),
    ],
    ids=["blank", "short", "long", "long processor"],
)
def test_any_machine_that_a_run_may_name_has_a_class(
    kit: Kit, os: str, cpu: str, named: str
) -> None:
    """Who writes a run may call its machine anything; no name of it ends a command in a fault."""
    environment = Environment(os=os, python="CPython 3.11.7", cpu=cpu)
    assert keyed(kit, TOML + EFFORT, environment).environment_class == named
