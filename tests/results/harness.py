"""What the harnesses of this repository have in common: a program, what is declared and pinned."""

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from generator.records.benchmark import Benchmark

BENCHMARKS = Path(__file__).resolve().parents[2] / "results" / "benchmarks"

_PIN = re.compile(r"([a-z0-9-]+)==\S+")


def load(benchmark: str, name: str) -> Any:  # noqa: ANN401  a module that is no part of a package
    """The program of a benchmark."""
    path = BENCHMARKS / benchmark / "harness" / f"{name}.py"
    spec = spec_from_file_location(f"harness_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def declared(benchmark: str) -> Benchmark:
    """What a benchmark says of itself."""
    return Benchmark.from_toml((BENCHMARKS / benchmark / "benchmark.toml").read_bytes())


def pinned(benchmark: str) -> set[str]:
    """The packages that a benchmark pins, each to one version."""
    path = BENCHMARKS / benchmark / "harness" / "requirements.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    pins = [_PIN.fullmatch(line) for line in lines if line and not line.startswith("#")]
    assert None not in pins, "a range would measure something else next month"
    return {pin[1] for pin in pins if pin}


def needed(benchmark: Benchmark) -> set[str]:
    """The packages whose versions the rows of a benchmark say."""
    named = [{system.revision_of, *system.stands_on} for system in benchmark.systems]
    return {name for names in named for name in names if name} - {"python"}
