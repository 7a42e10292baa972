"""Comparison of two builds by repeated runs: pass, fail, inconclusive or not comparable.

    compare(base_runs, new_runs, Rules())  ->  Result(status="fail", totals=(…), findings=(…), …)

Fail: a total or a function grew, significantly and by at least the least growth that matters. Pass: nothing
did, a growth of the totals and of functions as large as asked is excluded, and the new build does not have
more disturbed runs. Else inconclusive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ingest.comparison.causes import causes
from ingest.comparison.comparability import comparability
from ingest.comparison.disturbed import undisturbed
from ingest.comparison.family_wise import judged
from ingest.comparison.growths import excluded, growths, needed, needed_at_least
from ingest.comparison.measures import matrix
from ingest.comparison.results import Result, Shortage, Status, is_failure

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from ingest.comparison.comparability import Comparability
    from ingest.comparison.costs import Costs, Run
    from ingest.comparison.measures import Matrix
    from ingest.comparison.results import Excluded, Growth
    from ingest.comparison.rules import Rules

LEAST_RUNS = 3
"""On each side, without a baseline: fewer do not show how much runs differ."""

LEAST_HISTORY = 10
"""Points of a baseline that a build without interleaved base runs is compared with."""

SUSPICIOUS = 2
"""Disturbed runs that the new build has more than the base: the build may be slow now and then."""

BETWEEN_SESSIONS = frozenset({"host", "order"})
"""Differences that sessions of a baseline always have, which their variation includes."""


def compare(
    base: Sequence[Run],
    new: Sequence[Run],
    rules: Rules,
    *,
    is_work_known: bool = False,
    has_counters: bool = True,
    history: Iterable[Sequence[Run]] = (),
) -> Result:
    """Compare runs of two builds that were recorded in turn.

    Args:
        base: One run or more.
        new: One run or more.
        rules: What fails.
        is_work_known: False when each run is one unit of work.
        has_counters: False when a selection of samples is compared.
        history: Runs of earlier sessions of the baseline; their variation adds to that of these runs.
    """
    runs = [*base, *new]
    check = comparability(
        [run.costs for run in base],
        [run.costs for run in new],
        [run.work for run in runs],
        is_work_known=is_work_known,
        allowed=rules.allowed,
    )
    if check.prevents:
        return Result(Status.NOT_COMPARABLE, rules, _costs(base), _costs(new), check)
    measures = _matrix(runs, rules, has_counters=has_counters, history=history)
    is_new = np.arange(len(runs)) >= len(base)
    if min(len(base), len(new)) < (LEAST_RUNS if measures.measured.history is None else 2):
        samples = min(run.costs.samples for run in runs)
        grown = growths(measures, None, is_new, new[0].costs)
        return Result(
            Status.INCONCLUSIVE,
            rules,
            _costs(base),
            _costs(new),
            check,
            totals=_totals(grown),
            foreign=_foreign(grown),
            functions=tuple(sorted(_functions(grown), key=lambda one: -one.increase)),
            skipped=measures.skipped,
            shortage=Shortage.FEW_RUNS,
            runs_needed=needed_at_least(measures, samples, rules),
        )
    return _decided(base, new, rules, check=check, measures=measures, sizes=[1] * len(runs))


def compare_with_baseline(
    points: Sequence[Sequence[Run]],
    new: Sequence[Run],
    rules: Rules,
    *,
    is_work_known: bool = False,
    has_counters: bool = True,
) -> Result:
    """Compare runs of a build with a baseline recorded before, point by point.

    What is compared is the mean of the new runs with the means of the points: runs of one day vary less than
    days do.

    Args:
        points: Runs of each point of the baseline.
        new: Runs of the new build.
        rules: What fails.
        is_work_known: False when each run is one unit of work.
        has_counters: False when a selection of samples is compared.
    """
    base = [run for point in points for run in point]
    runs = [*base, *new]
    check = comparability(
        [run.costs for run in base],
        [run.costs for run in new],
        [run.work for run in runs],
        is_work_known=is_work_known,
        allowed=rules.allowed,
        unchecked=BETWEEN_SESSIONS,
    )
    if check.prevents:
        return Result(Status.NOT_COMPARABLE, rules, _costs(base), _costs(new), check)
    if len(points) < LEAST_HISTORY:
        return Result(Status.INCONCLUSIVE, rules, _costs(base), _costs(new), check, shortage=Shortage.HISTORY)
    sizes = [*map(len, points), len(new)]
    measures = _means(_matrix(runs, rules, has_counters=has_counters), sizes)
    return _decided(base, new, rules, check=check, measures=measures, sizes=sizes)


def _costs(runs: Iterable[Run]) -> tuple[Costs, ...]:
    return tuple(run.costs for run in runs)


def _totals(grown: Iterable[Growth]) -> tuple[Growth, ...]:
    return tuple(one for one in grown if one.measure.kind == "total")


def _foreign(grown: Iterable[Growth]) -> Growth | None:
    return next((one for one in grown if one.measure.kind == "foreign"), None)


def _functions(grown: Iterable[Growth]) -> list[Growth]:
    return [one for one in grown if one.measure.kind in {"own", "inclusive"}]


def _matrix(
    runs: Sequence[Run], rules: Rules, *, has_counters: bool, history: Iterable[Sequence[Run]] = ()
) -> Matrix:
    return matrix(
        [run.costs for run in runs],
        [run.work for run in runs],
        families=rules.families,
        has_counters=has_counters,
        history=[([run.costs for run in session], [run.work for run in session]) for session in history],
    )


def _means(measures: Matrix, sizes: Sequence[int]) -> Matrix:
    """Return one row for each group of runs."""
    ends = np.cumsum(sizes)[:-1]

    def averaged(rows: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.stack([part.mean(axis=0) for part in np.split(rows, ends)])

    logs = averaged(measures.measured.logs)
    return measures._replace(values=averaged(measures.values), measured=measures.measured._replace(logs=logs))


def _decided(
    base: Sequence[Run],
    new: Sequence[Run],
    rules: Rules,
    *,
    check: Comparability,
    measures: Matrix,
    sizes: Sequence[int],
) -> Result:
    """Decide on a comparison of rows, of which each stands for `sizes` runs."""
    is_new = np.cumsum(sizes) > len(base)
    counted = undisturbed(measures.measured.logs[:, 0], is_new)
    counts = np.repeat(counted, sizes).tolist()
    is_new, measures = is_new[counted], measures.of(counted)
    found = judged(measures.measured, is_new, rules.alpha)
    grown = growths(measures, found, is_new, new[0].costs)
    totals = _totals(grown)
    functions = _functions(grown)
    ours = [run for run, is_counted in zip(base, counts, strict=False) if is_counted]
    theirs = [run for run, is_counted in zip(new, counts[len(base) :], strict=True) if is_counted]
    of_new = [False] * len(ours) + [True] * len(theirs)
    findings = causes([*ours, *theirs], of_new, functions, totals[0], rules)
    disturbed = (
        tuple(at for at in range(len(base)) if not counts[at]),
        tuple(at for at in range(len(new)) if not counts[len(base) + at]),
    )
    least = excluded(measures, found, is_new)
    status, shortage = Status.PASS, None
    if any(is_failure(one, rules) for one in totals) or any(not one.is_offset for one in findings):
        status = Status.FAIL
    else:
        shortage = _shortage(least, rules, disturbed)
        status = Status.INCONCLUSIVE if shortage else Status.PASS
    return Result(
        status,
        rules,
        _costs(base),
        _costs(new),
        check,
        totals=totals,
        foreign=_foreign(grown),
        excluded=least,
        functions=tuple(sorted(functions, key=lambda one: -one.increase)),
        findings=findings,
        skipped=measures.skipped,
        method=found.method,
        disturbed=disturbed,
        shortage=shortage,
        runs_needed=needed(measures, found, is_new, rules) if len(is_new) == len(base) + len(new) else None,
    )


def _shortage(
    least: Excluded, rules: Rules, disturbed: tuple[tuple[int, ...], tuple[int, ...]]
) -> Shortage | None:
    """Return why runs without a significant growth do not pass; None where they do."""
    if rules.asked is not None and least.totals >= rules.asked:
        return Shortage.NOISE
    asked = rules.asked_function
    if asked is not None and (least.functions is None or least.functions >= asked):
        return Shortage.FUNCTION_NOISE
    if len(disturbed[1]) >= len(disturbed[0]) + SUSPICIOUS:
        return Shortage.DISTURBED
    return None
