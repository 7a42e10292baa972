"""What is high for a while in tables of tools that no reader knows, by the rules of `windows.yaml`.

    windows(measures)  ->  Device sdb is busy 99 % of the time from 10:00:20 for 6 s (mean 31 % in 60 s)

A meaning names the fact whose rule holds for it. Unlike a fact, a measure has no analysis of its mean: rows
that are high from the first to the last are stated, too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from ingest.engines.series.clock import TEXT, seconds_of
from ingest.engines.series.model import Series
from ingest.engines.series.windows import worst_window
from signatures.overview.first_steps import topic_of_fact
from signatures.overview.levels import ratio_of
from signatures.overview.model import Quantity, Statement, ranked
from signatures.overview.quantities.cpu_time import is_whole
from signatures.overview.quantities.peers import is_total
from signatures.overview.quantities.trends import LIMITS, words_of
from signatures.overview.window_rules import is_moment, rules, sentence, threshold_of
from signatures.overview.worst import Worst

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.overview.measures import Measure
    from signatures.overview.window_rule import Rule

MILLISECONDS = 1e-3
REQUESTS = frozenset({"reads", "writes", "operations", "requests"})
"""What a latency is of, a second."""

LABELS = {"device": "device", "CPU": "cpu", "interface": "interface"}
"""By what a meaning is of, the label of its subject in the sentence."""

_CPU = re.compile(r"(?:cpu|core) ?(?P<number>\d{1,5})", re.IGNORECASE)
"""Subjects that are one CPU, whatever a meaning is of."""


def windows(measures: Sequence[Measure]) -> Iterator[Statement]:
    """Yield the worst window of each rule, the highest of its series."""
    by_fact: dict[str, list[Measure]] = {}
    for one in measures:
        if one.meaning is not None and one.meaning.window:
            by_fact.setdefault(one.meaning.window, []).append(one)
    for rule in rules():
        own = by_fact.get(rule.fact, [])
        found = [worst for one in own if (worst := _worst(rule, one)) is not None]
        if found and not rule.requests and not rule.of:
            yield _statement(rule, max(found, key=_rank))
        elif own and not rule.of and not rule.times_median:
            yield from _of_few(rule, own, measures)


def _rank(one: Worst) -> tuple[bool, float]:
    """Return the sort key: the host before single CPUs, then the height."""
    return "cpu" not in one.series.labels, one.window.height


def _of_few(rule: Rule, own: Sequence[Measure], measures: Sequence[Measure]) -> Iterator[Statement]:
    """Yield the highest value of rows that are too few for a window, or of requests that are enough."""
    best: tuple[float, Measure, int] | None = None
    for one in own:
        # The share of one CPU is none of all CPU time: what stands out among CPUs is stated as that.
        if (
            rule.is_below
            or (one.meaning and one.meaning.of == "CPU" and not is_whole(one))
            or (len(one.values) >= LIMITS["few_rows"] and not rule.requests)
        ):
            continue
        scale = MILLISECONDS if rule.fact.endswith("_ms") and one.unit == "seconds" else 1.0
        at = int(np.argmax(one.values))
        value = float(one.values[at])
        is_enough = not rule.requests or _requests(one, measures) >= LIMITS["fewest_requests"]
        if value >= rule.above * scale and is_enough and (best is None or value > best[0]):
            best = (value, one, at)
    if best:
        value, one, at = best
        of = f"{one.meaning.of if one.meaning else ''} {one.subject}".strip()
        words = rule.words.replace("Device {of}", "{of}").format(value=words_of(value, one.unit), of=of)
        yield Statement(
            rule.question,
            f"{words[:1].upper()}{words[1:]}",
            (one.place(at, at),),
            "fact",
            "notable",
            is_notable=True,
            topic=topic_of_fact(rule.fact),
            ratio=None,
            subject=f"{rule.fact} of {one.subject}".removesuffix(" of "),
            quantity=Quantity(value, one.unit),
            engine="quantities",
        )


def _requests(measure: Measure, measures: Sequence[Measure]) -> float:
    """Return how many requests a second stand in the rows of a latency; 0 where none are stated."""
    return sum(
        float(one.values.max())
        for one in measures
        if one.meaning is not None
        and one.meaning.quantity in REQUESTS
        and (one.subject, one.table) == (measure.subject, measure.table)
    )


def _worst(rule: Rule, measure: Measure) -> Worst | None:
    """Return the worst window of a measure; None of a few rows, or without one."""
    if len(measure.values) < LIMITS["few_rows"]:
        return None
    series = series_of_measure(rule.fact, measure)
    threshold = threshold_of(rule, series)
    window = worst_window(series, threshold, rule.least_seconds, is_below=rule.is_below)
    if window is None or (rule.is_count and is_moment(window, threshold)):
        return None
    return Worst(series, window, measure.item)


def series_of_measure(fact: str, measure: Measure) -> Series:
    """Return a measure as a series: with its clock, else in rows."""
    times = seconds_of(list(measure.clock), TEXT) if len(measure.clock) == len(measure.values) else None
    steps = np.diff(times) if times is not None else np.array([])
    forward = steps[steps > 0]
    interval = float(np.median(forward)) if forward.size else None
    return Series(
        fact,
        _labels(measure),
        measure.unit,
        times if times is not None else np.arange(len(measure.values), dtype=np.float64),
        measure.values,
        measure.lines,
        measure.clock if times is not None else (),
        interval,
    )


def _labels(measure: Measure) -> dict[str, str]:
    """Return what a measure is of, as a label; {} for the machine and for a total."""
    if cpu := _CPU.fullmatch(measure.subject):
        return {"cpu": cpu["number"]}
    of = LABELS.get(measure.meaning.of, "") if measure.meaning else ""
    is_one = bool(of and measure.subject) and not is_total(measure)
    is_one = is_one and (of != "cpu" or any(map(str.isdigit, measure.subject.split()[-1])))
    return {of: measure.subject} if is_one else {}


def _statement(rule: Rule, found: Worst) -> Statement:
    is_alarm = rule.is_alarm(found.window) and "cpu" not in found.series.labels
    kind, level = ranked(is_alarm=is_alarm)
    return Statement(
        rule.question,
        sentence(rule.words, found),
        (found.place,),
        kind,
        level,
        is_notable=True,
        topic=topic_of_fact(rule.fact),
        ratio=ratio_of(found.window.height, rule.above),
        subject=f"{rule.fact} of {next(iter(found.series.labels.values()), '')}".removesuffix(" of "),
        quantity=Quantity(found.window.height, found.series.unit),
        engine="quantities",
    )
