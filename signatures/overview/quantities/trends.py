"""What a measure does in time: stops, bursts, falls, single high values.

    stop(measure)  ->  Departure("stop for 4 rows, …: 0, with a median of 232 MiB/s in the other rows", …)

The rows are those of one text in their order; how long a row lasts is stated only where a clock says it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from signatures.language.number_format import quantity_words
from signatures.overview.thresholds import thresholds_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from signatures.overview.measures import Measure

LIMITS = thresholds_of("quantities")
WITHIN = "bytes_per_second"


class Departure(NamedTuple):
    """What a measure does that is out of the ordinary: its sentence goes on after the name of the measure.

    Attributes:
        words: The predicate.
        first: Index of the first value that it is of.
        last: Index of the last.
        value: What it is measured by.
        rank: The lower, the more telling.
    """

    words: str
    first: int
    last: int
    value: float
    rank: int


def words_of(value: float, unit: str) -> str:
    """Return a value with its unit; `232 MiB/s` of bytes a second."""
    if unit == WITHIN:
        return f"{quantity_words(value, 'bytes')}/s"
    return quantity_words(value, unit)


def departures(measure: Measure) -> Iterator[Departure]:
    """Yield what a series does, the most telling first."""
    meaning = measure.meaning
    if meaning is None or len(measure.values) < LIMITS["few_rows"]:
        return
    finders = []
    if len(measure.values) < LIMITS["least_rows"]:
        finders = [_sudden_fall] if meaning.bad == "low" else []
    elif meaning.is_flow:
        finders = [_nothing, _bursts, _stop, _ended] if meaning.is_meant_to_flow else [_bursts, _stop]
    elif meaning.bad == "low":
        finders = [_sudden_fall, _fall]
    elif meaning.bad == "high" and meaning.unit in {"seconds", "count"}:
        finders = [_late]
    found = (one for find in finders if (one := find(measure)) is not None)
    first = next(found, None)
    if first is not None:
        yield first


def when(measure: Measure, first: int, last: int) -> str:
    """Return the rows: `from 05:00:02 on`, `in lines 11 to 14`."""
    if measure.clock:
        end = f" to {measure.clock[last]}" if last > first else ""
        return f"from {measure.clock[first]}{end}" if end else f"at {measure.clock[first]}"
    lines = measure.lines
    return f"lines {lines[first]} to {lines[last]}" if last > first else f"line {lines[first]}"


def _nothing(measure: Measure) -> Departure | None:
    """Return that nothing flows in any row of what has no other purpose."""
    if measure.values.any():
        return None
    count = len(measure.values)
    return Departure(
        f"is 0 in all {count:,} rows: nothing arrives, so a loss of 0 says nothing", 0, count - 1, 0.0, 0
    )


def _zero_runs(values: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Return first and last index of each run of zeros."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], (values == 0).astype(int), [0]])))
    return [(int(edges[at]), int(edges[at + 1]) - 1) for at in range(0, len(edges), 2)]


def _stop(measure: Measure) -> Departure | None:
    """Return the longest run of zeros of what flows steadily before it."""
    values = measure.values
    runs = [run for run in _zero_runs(values) if run[1] - run[0] + 1 >= LIMITS["stop_rows"]]
    runs = [run for run in runs if run[0] >= LIMITS["steady_rows"]]
    if not runs:
        return None
    first, last = max(runs, key=lambda run: run[1] - run[0])
    before = values[max(0, first - 8) : first]
    typical = float(np.median(values[values > 0]))
    if (before < LIMITS["steady_share"] * typical).sum() > 1 or (values == 0).mean() > 0.5:
        return None
    rows = last - first + 1
    ended = "" if last + 1 < len(values) else ", and have not gone on at the end"
    words = (
        f"stop for {rows:,} rows, {when(measure, first, last)}: 0, with a median of "
        f"{words_of(typical, measure.unit)} in the rows that have some{ended}"
    )
    return Departure(words, first, last, float(rows), 1)


def _ended(measure: Measure) -> Departure | None:
    """Return that what has no other purpose flowed in the first rows only."""
    values = measure.values
    first = int(np.flatnonzero(values)[-1]) + 1
    rows = len(values) - first
    if rows < LIMITS["ended_rows"] or (values[:first] == 0).any():
        return None
    most = words_of(float(values[:first].max()), measure.unit)
    begun = "row" if first == 1 else f"{first:,} rows"
    words = f"stop after {most} in the first {begun}: 0 in the other {rows:,}"
    return Departure(
        f"{words}, {when(measure, first, len(values) - 1)}", first, len(values) - 1, float(rows), 1
    )


def _bursts(measure: Measure) -> Departure | None:
    """Return that rows with much and rows without anything alternate in runs."""
    values = measure.values
    runs = _zero_runs(values)
    share = float((values == 0).mean())
    least = LIMITS["burst_share"]
    full = len(values) - sum(last - first + 1 for first, last in runs)
    if len(runs) < 2 or not least <= share <= 1 - least or full < LIMITS["steady_rows"]:
        return None
    at = int(np.argmax(values))
    words = (
        f"come in bursts: 0 in {len(values) - full:,} of {len(values):,} rows, up to "
        f"{words_of(float(values[at]), measure.unit)} in the others ({when(measure, at, at)})"
    )
    return Departure(words, 0, len(values) - 1, float(values[at]), 3)


def _sudden_fall(measure: Measure) -> Departure | None:
    """Return a fall within one row to almost nothing, or below 0, that lasts."""
    values = measure.values
    for at in range(1, len(values)):
        if values[at - 1] > 0 and (values[at:] < LIMITS["sudden_share"] * values[at - 1]).all():
            words = (
                f"falls from {words_of(float(values[at - 1]), measure.unit)} to "
                f"{words_of(float(values[at]), measure.unit)} within one row, {when(measure, at, at)}, "
                f"{words_of(float(values[at:].min()), measure.unit)} at least"
            )
            return Departure(words, at - 1, len(values) - 1, float(values[at]), 1)
    return None


def _fall(measure: Measure) -> Departure | None:
    """Return a steady fall of what is left."""
    values = measure.values
    steps = np.diff(values)
    is_falling = (steps <= 0).mean() >= LIMITS["falling_steps"] and (steps < 0).sum() >= LIMITS["steady_rows"]
    if values[0] <= 0 or values[-1] > LIMITS["fallen_share"] * values[0] or not is_falling:
        return None
    first, last = float(values[0]), float(values[-1])
    share = ""
    if measure.limit:
        share = (
            f", {quantity_words(last / measure.limit, 'share')} of {words_of(measure.limit, measure.unit)}"
        )
    words = (
        f"falls from {words_of(first, measure.unit)} to {words_of(last, measure.unit)}{share} "
        f"in {len(values):,} rows, {when(measure, 0, len(values) - 1)}, about "
        f"{words_of(abs(float(np.median(steps))), measure.unit)} a row, and has not stopped"
    )
    return Departure(words, 0, len(values) - 1, last, 1)


def _late(measure: Measure) -> Departure | None:
    """Return values that are many times the median of the others."""
    values = measure.values
    typical = float(np.median(values))
    high = np.flatnonzero(values >= LIMITS["late_factor"] * typical)
    if typical <= 0 or not len(high) or len(high) * 2 > len(values):
        return None
    at = int(np.argmax(values))
    if measure.unit == "count" and values[at] < LIMITS["late_count"]:
        return None
    times = f"{LIMITS['late_factor']:.0f} times the median of {words_of(typical, measure.unit)} or more"
    most = words_of(float(values[at]), measure.unit)
    words = f"is up to {most} ({when(measure, at, at)}), in {len(high):,} of {len(values):,} rows {times}"
    return Departure(words, at, at, float(values[at]), 2)
