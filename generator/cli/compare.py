"""`results compare`."""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from generator.cli.say import as_json, out
from generator.errors import UsageError


def command(
    runs: Annotated[
        str,
        typer.Argument(
            help="The folder of a run, or a file with one record a line; - is standard input."
        ),
    ],
    baseline: Annotated[str, typer.Argument(help="The arm that is compared with.")],
    candidate: Annotated[str, typer.Argument(help="The arm that is compared.")],
    *,
    json: Annotated[bool, typer.Option("--json", help="Say it for a program.")] = False,
) -> None:
    """Compare two arms of a paired experiment, without judging it; writes nothing.

    Each attempt is held against that of the other arm at the same task in the same repetition.
    Failures stay in the denominator of success; times are those of verified attempts only. An
    experiment that was interrupted gives no comparison.
    """
    from generator.workflow.compare import compare_file, compare_records  # noqa: PLC0415

    if runs == "-" and sys.stdin is None:
        raise UsageError("Standard input is closed.", "Name a file of records, or a bundle.")
    if runs == "-":
        found = compare_records(sys.stdin.buffer, "standard input", baseline, candidate)
    else:
        found = compare_file(Path(runs), baseline, candidate)
    if json:
        as_json(found)
        return
    for line in _lines(found):
        out(line)


def _lines(found: Mapping[str, Any]) -> Iterable[str]:
    statistics = found["statistics"]
    yield from _table(_arms(found))
    yield ""
    yield from _table(_pairs(found, statistics["pairs"]))
    yield ""
    yield from _table(_tasks(found))
    yield ""
    yield from _table(_figures(statistics))
    yield ""
    yield from statistics["concluded"]
    yield ""
    yield from statistics["limits"]


def _table(rows: Iterable[tuple[str, ...]]) -> Iterable[str]:
    """Rows with their columns below each other; the last one is as long as it is."""
    cells = list(rows)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        yield "  ".join(
            f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)
        ).rstrip()


_FAILURES = {
    "completed_unverified": "completed, not verified",
    "failed": "failed",
    "timeout": "timed out",
    "cancelled": "cancelled",
}
_COUNTERS = {
    "inputTokens": "input tokens, median",
    "outputTokens": "output tokens, median",
    "reasoningTokens": "reasoning tokens, median",
    "cacheReadTokens": "cached tokens, median",
    "toolCalls": "tool calls, median",
    "toolErrors": "tool errors, median",
}


def _arms(found: Mapping[str, Any]) -> Iterable[tuple[str, ...]]:
    arms = (found["baseline"], found["candidate"])
    yield ("", *(arm["arm"] for arm in arms))
    yield ("verified", *map(_terms, arms))
    for kind, words in _FAILURES.items():
        yield (words, *(str(arm["failures"][kind]) for arm in arms))
    yield ("median ms of verified", *(_timed(arm, "successfulElapsedMedianMs") for arm in arms))
    yield ("95 % of verified within ms", *(_dash(arm["successfulElapsedP95Ms"]) for arm in arms))
    for key, words in _COUNTERS.items():
        yield (words, *(_counter(arm["metrics"][key]) for arm in arms))


def _pairs(found: Mapping[str, Any], pairs: Mapping[str, int]) -> Iterable[tuple[str, ...]]:
    baseline, candidate = found["baseline"]["arm"], found["candidate"]["arm"]
    yield ("pairs", f"{candidate} verified", f"{candidate} not")
    yield (f"{baseline} verified", str(pairs["both"]), str(pairs["baselineOnly"]))
    yield (f"{baseline} not", str(pairs["candidateOnly"]), str(pairs["neither"]))


def _tasks(found: Mapping[str, Any]) -> Iterable[tuple[str, ...]]:
    """The cells; of which model and cohort, only where there are several."""
    cells = found["cells"]
    alike = len({(cell["model"], cell["cohort"]) for cell in cells}) == 1
    arms = found["baseline"]["arm"], found["candidate"]["arm"]
    timed = (f"{arm}, median ms of verified" for arm in arms)
    yield ("task", *(() if alike else ("model", "cohort")), *arms, *timed)
    for cell in cells:
        which = () if alike else (cell["model"], cell["cohort"])
        sides = (cell["baseline"], cell["candidate"])
        medians = (_dash(side["successfulElapsedMedianMs"]) for side in sides)
        yield (cell["taskID"], *which, *map(_terms, sides), *medians)


def _figures(statistics: Mapping[str, Any]) -> Iterable[tuple[str, ...]]:
    yield ("statistics, candidate against baseline", "value", "95 % interval", "made of")
    for key, words, things in (
        ("difference", "difference in verified", "pairs"),
        ("ratioOfMedians", "ratio of median times", "tasks at which both succeeded"),
        ("medianOfRatios", "median of time ratios", "pairs"),
    ):
        figure = statistics[key]
        low, high = figure["low"], figure["high"]
        interval = "—" if low is None else f"{low} to {high} ({figure['method']})"
        yield (words, _dash(figure["value"]), interval, f"{figure['n']} {things}")
    for key, words, things in (
        ("mcnemar", "McNemar's exact test, p", "discordant pairs"),
        ("signTest", "sign test over tasks, p", "tasks that differ"),
    ):
        test = statistics[key]
        made = f"{test['baseline']} + {test['candidate']} {things}"
        yield (words, _probability(test["p"]), "—", made)


def _terms(side: Mapping[str, Any]) -> str:
    return f"{side['verifiedCount']}/{side['count']}"


def _timed(side: Mapping[str, Any], key: str) -> str:
    return f"{_dash(side[key])} (of {side['verifiedCount']})"


def _counter(counter: Mapping[str, Any]) -> str:
    observed, missing = counter["observedCount"], counter["missingCount"]
    return f"{_dash(counter['median'])} ({observed} observed, {missing} missing)"


def _probability(p: float | None) -> str:
    """None is published as less than the last of its places, which then stands for all below."""
    return f"at most {p:.6f}" if p == _LEAST else _dash(p)


_LEAST = 1e-6


def _dash(value: float | None) -> str:
    return "—" if value is None else f"{value:.{_PLACES}f}".rstrip("0").rstrip(".")


_PLACES = 6
