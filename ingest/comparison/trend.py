"""Trend of one measure over the points of a baseline, with its change points.

trend([[run, run], [run, run], …], "cpu")  ->  Trend(values=(182e3, 183e3, …), changes=(Change(at=7, …),))
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from ingest.comparison.change_points import change_points
from ingest.comparison.measures import CPU_TIME

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.comparison.costs import Run


class Change(NamedTuple):
    """A change point.

    Attributes:
        at: Position of the first point of the new level.
        growth: Of the new level against the one before: 0.1 is 10 %.
    """

    at: int
    growth: float


class Trend(NamedTuple):
    """One measure, point by point.

    Attributes:
        values: Geometric mean of a point's runs, per unit of work; None where no run has the measure.
        changes: Ascending.
    """

    values: tuple[float | None, ...]
    changes: tuple[Change, ...]


def trend(points: Sequence[Sequence[Run]], name: str = CPU_TIME) -> Trend:
    """Return the trend of a measure.

    Args:
        points: Runs of each point, in order of time.
        name: `cpu`, the event of a counter, or `kind.function` for its time with callees.
    """
    return trend_of([value(runs, name) for runs in points])


def trend_of(values: Sequence[float | None]) -> Trend:
    """Return the trend of a measure whose value at each point is known, in order of time."""
    known = [(at, math.log(one)) for at, one in enumerate(values) if one is not None]
    logs = [one for _, one in known]
    starts = change_points(logs)
    bounds = [0, *starts, len(logs)]
    changes = []
    for before, start, end in zip(bounds, bounds[1:], bounds[2:], strict=False):
        level, earlier = logs[start:end], logs[before:start]
        growth = math.expm1(sum(level) / len(level) - sum(earlier) / len(earlier))
        changes.append(Change(known[start][0], growth))
    return Trend(tuple(values), tuple(changes))


def of_level(points: Sequence[Sequence[Run]]) -> list[Sequence[Run]]:
    """Return the points since the last change of the CPU time: those that a build is compared with."""
    changes = trend(points).changes
    return list(points[changes[-1].at :] if changes else points)


def value(runs: Sequence[Run], name: str) -> float | None:
    """Return a measure of one point: the geometric mean of its runs, per unit of work."""
    logs = []
    for run in runs:
        cost = _cost(run, name)
        if cost:
            logs.append(math.log(cost / run.work))
    return math.exp(sum(logs) / len(logs)) if logs else None


def values(runs: Sequence[Run]) -> dict[str, float]:
    """Return every measure of one point by its name: `cpu`, events of counters, `kind.function`."""
    names = {CPU_TIME: None}
    for run in runs:
        names |= dict.fromkeys((*run.costs.counters, *run.costs.functions))
    found = {name: value(runs, name) for name in names}
    return {name: one for name, one in found.items() if one is not None}


def _cost(run: Run, name: str) -> float | None:
    if name == CPU_TIME:
        return run.costs.weight
    if name in run.costs.counters:
        return run.costs.counters[name]
    function = run.costs.functions.get(name)
    return function.total if function else None
