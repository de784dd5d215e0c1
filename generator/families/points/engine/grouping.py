"""Runs of one kind together: of one configuration, and of one model with one prompt.

Only valid runs are among them; a figure that is null in a run is left out of its number.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

from .comparing import configuration
from .metrics import METRICS
from .numbers import summary

_Run = Mapping[str, Any]


def exact_configurations(runs: Iterable[_Run]) -> dict[str, dict[str, Any]]:
    """By key: the runs of the same model and prompt on the same documents, and their statistics."""
    return {
        key: {
            "key": key,
            **_named(group[0]),
            "context_document_ids": _listed(configuration(group[0])[2]),
            "run_ids": sorted(run["run_id"] for run in group),
            "run_count": len(group),
            "metrics": statistics(group),
        }
        for key, group in _grouped(runs, configuration)
    }


def model_prompt_matrix(runs: Iterable[_Run]) -> list[dict[str, Any]]:
    """The same by model and prompt alone, whatever documents there were; in the order of keys."""
    return [
        {
            "key": key,
            **_named(group[0]),
            "run_count": len(group),
            "metrics": statistics(group),
        }
        for key, group in _grouped(runs, lambda run: configuration(run)[:2])
    ]


def statistics(group: Sequence[_Run]) -> dict[str, dict[str, float | None]]:
    """The statistics of each figure over some runs."""
    figures = [run["metrics"] for run in group]
    return {
        metric: summary([found for one in figures if (found := one[metric]) is not None])
        for metric in METRICS
    }


def _grouped(
    runs: Iterable[_Run], by: Callable[[_Run], tuple[Hashable, ...]]
) -> list[tuple[str, list[_Run]]]:
    groups: dict[tuple[Hashable, ...], list[_Run]] = {}
    for run in runs:
        groups.setdefault(by(run), []).append(run)
    return sorted(
        ((_key(parts), group) for parts, group in groups.items()), key=lambda found: found[0]
    )


def _named(run: _Run) -> dict[str, Any]:
    return {"model_id": run["model_id"], "prompt_id": run["prompt_id"]}


def _listed(documents: tuple[str, ...] | None) -> list[str] | None:
    return None if documents is None else list(documents)


_NONE = "%none"
"""What stands for no documents; what stands for a part that nobody declared is a bare %."""


def _key(parts: Iterable[Any]) -> str:
    """Parts as one readable text that no other parts have."""
    return "__".join(map(_written, parts))


def _written(part: str | tuple[str, ...] | None) -> str:
    if isinstance(part, tuple):
        return ",".join(map(_escaped, part)) if part else _NONE
    return "%" if part is None else _escaped(part)


def _escaped(part: str) -> str:
    """A part in which nothing can be taken for what parts are joined with."""
    safe = part.replace("%", "%25").replace(",", "%2C")
    if safe.startswith("_") or safe.endswith("_") or "__" in safe:
        return safe.replace("_", "%5F")
    return safe
