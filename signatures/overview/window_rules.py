"""From which value on a window of a quantity is worth a sentence: the rows of `windows.yaml`."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from ingest.engines.series.model import series_of
from ingest.engines.series.windows import worst_window
from ingest.tables import table
from signatures.overview import worst
from signatures.overview.drop_counters import drops
from signatures.overview.window_rule import Rule
from signatures.overview.window_series import series_of_rule
from signatures.overview.worst import Worst

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ingest.engines.series.model import Series
    from ingest.engines.series.windows import Window
    from ingest.model.reading import Reading
    from signatures.judging.scope import Item
    from signatures.overview.scope_evidence import ScopeEvidence

RUN_QUEUES = ("sched.runnable", "sar.runq_sz")
RUNNABLE_FACTOR = 2.0
"""Runnable tasks for each CPU, from which on they are many."""
LONG_QUEUE_SECONDS = 10.0
"""A run queue that is longer for less is a burst that the CPUs work off."""

_TABLE = Path(__file__).parent / "windows.yaml"

FEW_REQUESTS = 100.0
"""The mean time of fewer requests in one interval may be that of one of them."""

MOMENT = 2.0
"""How far above the threshold a count of one row must be: it tells a moment of an interval."""

LEAST_FOR_MEDIAN = 10
"""Rows from which on their median is what is usual."""


@cache
def rules() -> tuple[Rule, ...]:
    """Return the rules in the order of the table."""
    return tuple(
        Rule(
            row["fact"],
            float(row["above"]),
            float(row["for"]),
            row["question"],
            row["words"],
            row.get("is_meant", False),
            row.get("is_count", False),
            row.get("is_below", False),
            row.get("of", ""),
            row.get("of_share", ""),
            float(row.get("times_median", 0.0)),
            tuple(row.get("requests", ())),
        )
        for row in table(_TABLE)
    )


def all_rules(cpus: float) -> tuple[Rule, ...]:
    """Return the rows of the table, and the rules for run queues of so many CPUs; 0 where that is unknown."""
    words = f"{{value}} tasks are runnable on {cpus:,.0f} CPUs"
    queues = (
        Rule(name, RUNNABLE_FACTOR * cpus, 2.0, "scheduling", words, alarm_seconds=LONG_QUEUE_SECONDS)
        for name in RUN_QUEUES
    )
    return (*rules(), *_of_drops(), *(queues if cpus else ()))


@cache
def _of_drops() -> tuple[Rule, ...]:
    """Return the rules for drops between two looks: their shares as those of all since boot."""
    return tuple(
        Rule(
            one.counter,
            one.above,
            0.0,
            "network",
            f"{{value}} of {one.meaning}",
            is_count=True,
            bases=one.base,
            least=one.least,
            unless=one.unless,
            topic=one.topic,
        )
        for one in drops()
    )


def sentence(words: str, found: Worst) -> str:
    """Return the sentence about a window: what is high, when, how long, and the mean."""
    labels, of = found.series.labels, name_of(found)
    if "{of}" not in words and "cpu" in labels:
        words = words.replace("of CPU time", f"of the time of CPU {labels['cpu']}")
    if found.window.height > 1.0 and (counted := worst.counted_in(found)):
        number, whole = counted
        words = f"{words.replace('{value} of', f'{number:,.0f}')}, {whole:,.0f} did not,"
    text = words.format(value=worst.height(found), of=of or "a device")
    mean = "" if found.is_all_known else f" ({worst.mean_of(found)})"
    return f"{text} {worst.when(found)}{mean}"


def name_of(found: Worst) -> str:
    """Return the task, device, interface or CPU of a series; "" for the whole machine."""
    labels = found.series.labels
    return next((labels[name] for name in ("comm", "device", "interface", "cpu") if name in labels), "")


def worst_of(evidence: ScopeEvidence, rule: Rule) -> Worst | None:
    """Return the worst window by a rule, None where the means tell as much."""
    if rule not in evidence.memo:
        evidence.memo[rule] = _of_rule(evidence, rule)
    return cast("Worst | None", evidence.memo[rule])


def peak_of(evidence: ScopeEvidence, rule: Rule) -> Worst | None:
    """Return the worst window by a rule, however short, of anything but one CPU; else None."""
    return worst_of(evidence, rule._replace(least_seconds=0.0, has_cpus=False))


def is_stated(evidence: ScopeEvidence, fact: str) -> bool:
    """Return whether a window is shown that says more of a fact than its mean does."""
    if evidence.engines.series != "on":
        return False
    return any(worst_of(evidence, rule) is not None for rule in rules() if rule.fact == fact)


def _of_rule(evidence: ScopeEvidence, rule: Rule) -> Worst | None:
    """Return the highest window that the means do not tell, of the host before single CPUs."""
    found = []
    for series, items in series_of_rule(evidence, rule):
        if not rule.has_cpus and "cpu" in series.labels:
            continue
        threshold = threshold_of(rule, series)
        mean = series.rates().mean
        is_told = not rule.is_count and (mean <= threshold if rule.is_below else mean >= threshold)
        counts = _counts(rule, series, items[0].reading)
        window = None
        if not is_told:
            window = worst_window(
                series, threshold, rule.least_seconds, is_below=rule.is_below, counts=counts
            )
        if window is not None and not (rule.is_count and is_moment(window, threshold)):
            found.append(_worst(series, window, items, is_below=rule.is_below))
    sign = -1.0 if rule.is_below else 1.0
    return max(
        (one for one in found if not one.is_whole and not _is_told(evidence, rule, one)),
        key=lambda one: ("cpu" not in one.series.labels, sign * one.window.height),
        default=None,
    )


def is_moment(window: Window, threshold: float) -> bool:
    """Return whether a count of one row, which tells a moment, is not far above the threshold."""
    return window.rows == 1 and window.height < MOMENT * threshold


def _worst(series: Series, window: Window, items: Sequence[Item], *, is_below: bool) -> Worst:
    """Return a window with its item: that of the furthest row where each row has its own."""
    rated = series.rates()
    if len(items) == 1:
        return Worst(rated, window, items[0])
    inside = rated.values[window.first : window.last + 1]
    at = window.first + int(inside.argmin() if is_below else inside.argmax())
    line = int(series.lines[at])
    return Worst(rated, replace(window, lines=(line, line)), items[at])


def threshold_of(rule: Rule, series: Series) -> float:
    """Return the value from which on rows count; infinite where too few rows say what is usual."""
    if not rule.times_median:
        return rule.above
    if len(series.values) < LEAST_FOR_MEDIAN:
        return math.inf
    return max(rule.above, rule.times_median * float(np.nanmedian(series.values)))


def _is_told(evidence: ScopeEvidence, rule: Rule, found: Worst) -> bool:
    """Return whether another counter says the same in the same rows."""
    other = next((one for one in _of_drops() if one.fact == rule.unless), None)
    told = worst_of(evidence, other) if other else None
    if told is None:
        return False
    return told.window.first <= found.window.last and found.window.first <= told.window.last


def _counts(rule: Rule, series: Series, reading: Reading) -> Callable[[Window], bool] | None:
    """Return whether a window counts: more than a few drops, more than one slow request of an idle device."""
    if rule.requests:
        return _has_requests(rule, series, reading)
    wholes = series.wholes
    if not rule.least or wholes is None:
        return None
    counted = series.values * wholes
    return lambda window: float(np.nansum(counted[window.first : window.last + 1])) >= rule.least


def _has_requests(rule: Rule, series: Series, reading: Reading) -> Callable[[Window], bool]:
    """Return whether a window is more than one slow request of an idle device."""
    rates = [one for name in rule.requests for one in series_of(reading, name) if one.labels == series.labels]

    def counts(window: Window) -> bool:
        if window.rows > 1:
            return True
        line = series.lines[window.first]
        made = sum(float(one.values[one.lines == line].sum()) for one in rates)
        return made * (series.interval or 1.0) >= FEW_REQUESTS

    return counts
