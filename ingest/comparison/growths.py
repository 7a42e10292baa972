"""Growth of every measure with its interval and the power of its test, as results show it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ingest.comparison.family_wise import can_permute
from ingest.comparison.power import MOST_RUNS, detectable, runs_needed
from ingest.comparison.results import Excluded, Growth
from ingest.comparison.student_t import quantile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ingest.comparison.costs import Costs
    from ingest.comparison.family_wise import Judged
    from ingest.comparison.measures import Matrix
    from ingest.comparison.rules import Rules

INTERVAL = 0.95
EXCLUDED_AT = 0.95
"""Confidence with which a growth is excluded, of each total and of all functions of the scope together."""

LARGE = (0.05, 0.01, 0.0)
"""Shares of the CPU time from which on functions are the scope: the first that any function has."""

MOST_LOGARITHM = 700.0
USUAL = 0.1
"""Growth of the totals for which runs are counted where none is asked for."""

OVERDISPERSION = 4.5
"""Variance between runs in multiples of the sampling noise, assumed where a single run shows none."""


def growths(measures: Matrix, found: Judged | None, is_new: NDArray[np.bool_], first: Costs) -> list[Growth]:
    """Return the growth of every measure that is tested, and of interrupts.

    Args:
        measures: Of the runs.
        found: The test; None where there are too few runs for one.
        is_new: Which rows of `measures` are of the new build.
        first: Costs of the first new run, for lines.
    """
    base, new = measures.values[~is_new].mean(axis=0), measures.values[is_new].mean(axis=0)
    grown = []
    for at, measure in enumerate(measures.measures):
        is_total = measure.kind == "total"
        if measures.is_untested(at) and measure.kind != "foreign":
            continue
        there = first.functions.get(measure.name)
        if found is None:
            growth = float(new[at] / base[at] - 1) if base[at] else math.inf
            low, high, p_growth, p_decline, power = -math.inf, math.inf, 1.0, 1.0, math.inf
        else:
            size, error, degrees = (float(one[at]) for one in (found.growth, found.error, found.degrees))
            margin = quantile((1 - INTERVAL) / 2, degrees) * error
            growth, low, high = (math.expm1(one) for one in (size, size - margin, size + margin))
            p_growth, p_decline = float(found.p_growth[at]), float(found.p_decline[at])
            power = detectable(error, degrees, float(found.critical[at]))
        grown.append(
            Growth(
                measure,
                base=float(base[at]),
                new=float(new[at]),
                growth=growth,
                low=low,
                high=high,
                p_growth=p_growth,
                p_decline=p_decline,
                detectable=power,
                base_share=1.0 if is_total else float(base[at] / base[0]),
                new_share=1.0 if is_total else float(new[at] / new[0]),
                line=there.line if there else 0,
            )
        )
    return grown


def excluded(measures: Matrix, found: Judged, is_new: NDArray[np.bool_]) -> Excluded:
    """Return the smallest growth that the runs exclude."""
    totals = [at for at, one in enumerate(measures.measures) if one.kind == "total"]
    scope, least_share = _scope(measures, is_new)
    functions = None if not scope else max(_bound(found, at, (1 - EXCLUDED_AT) / len(scope)) for at in scope)
    names = () if least_share is not None else tuple(measures.measures[at].name for at in scope)
    return Excluded(
        max(_bound(found, at, 1 - EXCLUDED_AT) for at in totals), functions, names, least_share or 0.0
    )


def _scope(measures: Matrix, is_new: NDArray[np.bool_]) -> tuple[list[int], float | None]:
    """Return the functions that a growth is excluded of: those asked for by name, else large ones."""
    functions = [
        at
        for at, one in enumerate(measures.measures)
        if one.kind in {"own", "inclusive"} and not measures.is_untested(at)
    ]
    named = [at for at in functions if measures.is_alone(at)]
    if named:
        return named, None
    base = measures.values[~is_new].mean(axis=0)
    for share in LARGE:
        large = [at for at in functions if base[at] >= share * base[0]]
        if large:
            return large, share
    return functions, 0.0


def _bound(found: Judged, at: int, probability: float) -> float:
    """Return the growth that the true one exceeds with `probability`, at least 0."""
    margin = quantile(probability, float(found.degrees[at])) * float(found.error[at])
    size = float(found.growth[at]) + margin
    return max(0.0, math.expm1(size)) if size < MOST_LOGARITHM else math.inf


def needed(measures: Matrix, found: Judged, is_new: NDArray[np.bool_], rules: Rules) -> int | None:
    """Return the runs on each side that the noisiest total or function needs for the asked growth."""
    asked = {at: rules.asked for at, one in enumerate(measures.measures) if one.kind == "total"}
    asked |= dict.fromkeys(_scope(measures, is_new)[0], rules.asked_function)
    new, base = int(is_new.sum()), int((~is_new).sum())
    scale = math.sqrt(1 / new + 1 / base)
    counts = [
        runs_needed(
            float(found.error[at]) / scale,
            float(found.degrees[at]) - new - base + 2,
            float(found.critical[at]),
            growth,
            _least_runs(rules),
        )
        for at, growth in asked.items()
        if growth is not None
    ]
    return None if None in counts else max((count for count in counts if count is not None), default=None)


def needed_at_least(measures: Matrix, samples: float, rules: Rules) -> int | None:
    """Return the runs on each side that the asked growth needs when runs of `samples` vary as is usual."""
    critical = quantile(rules.alpha / len(measures.measures), math.inf)
    asked = rules.asked or USUAL
    return runs_needed(math.sqrt(OVERDISPERSION / samples), 0.0, critical, asked, _least_runs(rules))


def _least_runs(rules: Rules) -> int:
    """Return the fewest runs on each side that a permutation test takes."""
    return next(
        (runs for runs in range(2, MOST_RUNS) if can_permute(2 * runs, runs, rules.alpha / 2)), MOST_RUNS
    )
