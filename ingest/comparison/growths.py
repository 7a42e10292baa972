"""Growth of every measure with its interval and the power of its test, as results show it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ingest.comparison.family_wise import can_permute
from ingest.comparison.power import MOST_RUNS, detectable, runs_needed
from ingest.comparison.results import Growth
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
"""Confidence with which the asked growth of a total must be excluded for a pass."""

OVERDISPERSION = 4.5
"""Variance between runs in multiples of the sampling noise, assumed where a single run shows none."""


def growths(measures: Matrix, found: Judged | None, is_new: NDArray[np.bool_], first: Costs) -> list[Growth]:
    """Return the growth of every measure.

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
        there = None if is_total else first.functions.get(measure.name)
        if found is None:
            growth = float(new[at] / base[at] - 1) if base[at] else math.inf
            low, high, p_growth, p_decline, power = -math.inf, math.inf, 1.0, 1.0, math.inf
        else:
            size, error, degrees = (float(one[at]) for one in (found.growth, found.error, found.degrees))
            margin = quantile((1 - INTERVAL) / 2, degrees) * error
            growth, low, high = (math.expm1(one) for one in (size, size - margin, size + margin))
            p_growth, p_decline = float(found.p_growth[at]), float(found.p_decline[at])
            power = detectable(error, degrees, found.critical)
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


def is_excluded(is_total: NDArray[np.bool_], found: Judged, growth: float) -> bool:
    """Return whether `growth` of every total lies above its one-sided bound."""
    for at in is_total.nonzero()[0]:
        margin = quantile(1 - EXCLUDED_AT, float(found.degrees[at])) * found.error[at]
        if math.expm1(float(found.growth[at] + margin)) >= growth:
            return False
    return True


def needed(measures: Matrix, found: Judged, is_new: NDArray[np.bool_], rules: Rules) -> int | None:
    """Return the runs on each side that the noisiest total needs for the asked growth."""
    new, base = int(is_new.sum()), int((~is_new).sum())
    scale = math.sqrt(1 / new + 1 / base)
    counts = [
        runs_needed(
            float(found.error[at]) / scale,
            float(found.degrees[at]) - new - base + 2,
            found.critical,
            rules.asked,
            _least_runs(rules),
        )
        for at, one in enumerate(measures.measures)
        if one.kind == "total"
    ]
    return None if None in counts else max(count for count in counts if count is not None)


def needed_at_least(measures: Matrix, samples: float, rules: Rules) -> int | None:
    """Return the runs on each side that the asked growth needs when runs of `samples` vary as is usual."""
    critical = quantile(rules.alpha / len(measures.measures), math.inf)
    return runs_needed(math.sqrt(OVERDISPERSION / samples), 0.0, critical, rules.asked, _least_runs(rules))


def _least_runs(rules: Rules) -> int:
    """Return the fewest runs on each side that a permutation test takes."""
    return next((runs for runs in range(2, MOST_RUNS) if can_permute(2 * runs, runs, rules.alpha)), MOST_RUNS)
