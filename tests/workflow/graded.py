"""A project whose benchmark declares tiers and levels of effort, and runs of it."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from generator.workflow.record import Recording, record
from generator.writer import Runtime, System
from tests.conftest import TOML, Attempts, Kit, edit_attempts, edit_json, write_run

MODEL = "not-a-real-model"
LEVELS = ("none", "low", "xhigh")
"""From cheap to dear."""

EFFORT = """
[[effort]]
id = "none"
instruction = "Answer at once."

[[effort]]
id = "low"
instruction = "Think for a moment."
tokens = 500

[[effort]]
id = "xhigh"
instruction = "Take all the time that you need."
"""

TIERS = """
[[scoring.tiers]]
id = "large"
at_least = {polite = 0.90, curt = 0.90}

[[scoring.tiers]]
id = "medium"
at_least = {polite = 0.50}

[[scoring.tiers]]
id = "small"
"""

GRADED = TOML + EFFORT + TIERS
PLACE = "results/benchmarks/greetings/benchmark.toml"

ALL = ("curt-hey", "curt-yo", "polite-evening", "polite-morning")
FAILS = {"large": (), "medium": ("curt-yo",), "small": ALL}
"""By tier: the cases that a system fails which earns just that."""


def declare(kit: Kit, toml: str = GRADED) -> str:
    """Write the benchmark's own file and commit it; the new commit."""
    kit.write(PLACE, toml)
    return kit.commit()


def at(level: str | None, model: str = MODEL, *, prompted: bool = False, **changed: Any) -> System:  # noqa: ANN401
    """A system at a level of effort, with some of its fields changed."""
    way = "prompted" if prompted else "set"
    plain = System(
        id=f"{model}-{level or 'plain'}-{way}",
        provider="pypi",
        model=model,
        revision="1.0",
        runtime=Runtime(name="cpython", version="3.11"),
        surface="greet",
        options={"polite": True} if prompted or level is None else {"reasoning_effort": level},
        axes={
            **({} if level is None else {"effort": level}),
            **({"effort-by": "prompted"} if prompted else {}),
        },
    )
    return plain.model_copy(update=changed)


def measured(
    kit: Kit,
    reached: Iterable[tuple[System, str]],
    *,
    name: str = "graded",
    finished: str | None = None,
    edit: Callable[[Attempts], Attempts | None] = lambda _: None,
) -> Path:
    """A run in which each system earns a tier, and takes 20 tokens and two seconds an attempt."""
    pairs = tuple(reached)
    run = write_run(
        kit.root,
        kit.root / "dist" / "runs" / name,
        systems=tuple(system for system, _ in pairs),
        wrong=tuple((system.id, case) for system, tier in pairs for case in FAILS[tier]),
    )

    def spend(attempts: Attempts) -> Attempts | None:
        for attempt in attempts:
            attempt["turns"][0] |= {"tokens": {"output": 20}, "elapsed_us": 2_000_000}
        return edit(attempts)

    edit_attempts(run, spend)
    if finished is not None:
        edit_json(run / "run.json", lambda said: said.update(finished=finished))
    return run


def publish(kit: Kit, *reached: tuple[System, str], replace: bool = False, **how: Any) -> Recording:  # noqa: ANN401
    """Record such a run; every system of it is published, and no page is drawn."""
    done = record(kit.project, measured(kit, reached, **how), replace=replace)
    assert not any(verdict.refusals for verdict in done.verdicts)
    return done
