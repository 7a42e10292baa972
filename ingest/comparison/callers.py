"""Chains of callers: which functions grew only because something they call did.

    growth_below(views, work, is_new, {"user.parse_field"})  ->  {"user.parse_rows": 41.0, …}

All callers of a slow function grow with it. One cause is one finding, named by the frame whose own growth
explains the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ingest.comparison.costs import numbered
from ingest.export.columns import MAX_ROWS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from ingest.native.views import View

_NO_RANKS = np.zeros(0, dtype=np.int32)


def growth_below(
    views: Sequence[View], work: Sequence[float], is_new: Sequence[bool], callees: Collection[str]
) -> dict[str, float]:
    """Return by caller how much its cost per unit of work grew in calls of `callees`.

    Args:
        views: One of each run.
        work: Units of work of each run.
        is_new: Which runs are of the new build.
        callees: Functions, as `kind.name`.
    """
    sums: tuple[dict[str, float], dict[str, float]] = ({}, {})
    for view, units, new in zip(views, work, is_new, strict=True):
        for name, weight in _above(view, callees).items():
            sums[new][name] = sums[new].get(name, 0.0) + weight / units
    counts = (len(is_new) - sum(is_new), sum(is_new))
    return {
        name: _mean(sums[True], name, counts[1]) - _mean(sums[False], name, counts[0])
        for name in sums[False].keys() | sums[True].keys()
    }


def _mean(sums: Mapping[str, float], name: str, count: int) -> float:
    return sums.get(name, 0.0) / count


def _above(view: View, callees: Collection[str]) -> dict[str, float]:
    """Return by caller the weight of samples in which it stands above one of `callees`."""
    names, of_frame = numbered(view.profile)
    is_callee = np.array([name in callees for name in names], dtype=np.uint8)
    above, _, calls = view.core.sandwich(
        is_callee[of_frame].tobytes(), 0.0, "left-heavy", _NO_RANKS, MAX_ROWS
    )
    weights: dict[str, float] = {}
    if not calls:
        return weights
    path: list[int] = []
    depths = np.frombuffer(above["depth"], dtype="<i4").tolist()
    frames = of_frame[np.frombuffer(above["frame"], dtype="<i4")].tolist()
    totals = np.frombuffer(above["total"], dtype="<f8").tolist()
    for depth, name, total in zip(depths, frames, totals, strict=True):
        del path[depth:]
        # A caller in recursion counts once; the first row of a path is the callee itself.
        if depth and name not in path[1:]:
            weights[names[name]] = weights.get(names[name], 0.0) + total
        path.append(name)
    return weights
