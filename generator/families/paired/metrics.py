"""What the measures of an arm say, for the pages that explain them."""

from typing import Literal

from generator.families.family import Metric
from generator.messages import N_

_SCORED = N_("attempts that were scored")
_OBSERVED = N_("scored attempts whose events came whole and tell it, failed ones included")
_MIDDLE = N_("the middle one of these values in order, or the mean of the middle two")


def _ratio(
    name: str,
    *,
    title: str,
    says: str,
    numerator: str,
    better: Literal["higher", "lower"] = "lower",
) -> Metric:
    return Metric(name, "ratio", title, says, numerator, _SCORED, f"{name} / scored", better=better)


def _counter(name: str, *, title: str, says: str) -> Metric:
    formula = f"median({name} | observed)"
    return Metric(
        name, "quantile", title, says, _MIDDLE, _OBSERVED, formula, better="neither", high="∞"
    )


METRICS: tuple[Metric, ...] = (
    _ratio(
        "verified",
        title=N_("Verified"),
        says=N_("How often the oracle found that the task was done."),
        numerator=N_("attempts that completed, and after which the oracle ended with status 0"),
        better="higher",
    ),
    _ratio(
        "unverified",
        title=N_("Unverified"),
        says=N_("How often an attempt completed without having done the task."),
        numerator=N_("attempts that completed, and after which the oracle did not say yes"),
    ),
    _ratio(
        "failed",
        title=N_("Failed"),
        says=N_("How often the command ended by itself, and said that it had failed."),
        numerator=N_("attempts whose command ended with another status than 0, or by a signal"),
    ),
    _ratio(
        "timed_out",
        title=N_("Timed out"),
        says=N_("How often the command did not end within the experiment's time limit."),
        numerator=N_("attempts that were ended at the time limit"),
    ),
    _ratio(
        "cancelled",
        title=N_("Cancelled"),
        says=N_("How often an attempt was given up before its end."),
        numerator=N_("attempts that were cancelled"),
    ),
    Metric(
        "latency",
        "quantile",
        title=N_("Time given success"),
        says=N_(
            "How long a verified attempt took, its verification included. It says nothing of "
            "attempts that did not succeed, so it stands beside how often one did."
        ),
        numerator=_MIDDLE,
        denominator=N_("verified attempts"),
        formula="median(elapsed | verified)",
        better="lower",
        high="∞",
    ),
    Metric(
        "latency_p95",
        "quantile",
        title=N_("Time given success, 95th percentile"),
        says=N_(
            "The time within which 95 of 100 verified attempts ended. It is told of one task with "
            "at least 20 of them: over several tasks it would tell which task is the longest."
        ),
        numerator=N_("the value at the place ⌈0.95 · n⌉ of n values in order"),
        denominator=N_("verified attempts at the one task; nothing for fewer than 20"),
        formula="elapsed[⌈0.95 · n⌉ | verified]",
        better="lower",
        high="∞",
    ),
    Metric(
        "verification",
        "quantile",
        title=N_("Time of the verification"),
        says=N_("How long the oracle took after an attempt; it is part of the attempt's time."),
        numerator=_MIDDLE,
        denominator=N_("scored attempts after which the oracle was asked"),
        formula="median(verification)",
        better="neither",
        high="∞",
    ),
    _counter(
        "input_tokens",
        title=N_("Input tokens"),
        says=N_("How many tokens the requests of an attempt had, by the command's own events."),
    ),
    _counter(
        "output_tokens",
        title=N_("Output tokens"),
        says=N_("How many tokens the replies in an attempt had, by the command's own events."),
    ),
    _counter(
        "reasoning_tokens",
        title=N_("Reasoning tokens"),
        says=N_("How many tokens were thought in an attempt, by the command's own events."),
    ),
    _counter(
        "cache_read_tokens",
        title=N_("Tokens from a cache"),
        says=N_(
            "How many tokens of an attempt's requests came from a cache, by the command's own "
            "events."
        ),
    ),
    _counter(
        "tool_calls",
        title=N_("Tool calls"),
        says=N_("How many calls of tools came to an end in an attempt, those in error included."),
    ),
    _counter(
        "tool_errors",
        title=N_("Tool errors"),
        says=N_("How many calls of tools ended in an error in an attempt."),
    ),
)
