"""Measures of a comparison: totals, and own and total CPU time of functions, per unit of work.

A function is measured when it is large enough for a growth to matter and to be seen; the rule looks at all
runs together, so that it does not depend on which of them are new.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from ingest.comparison.contrast import History, Measured
from ingest.comparison.foreign import FOREIGN
from ingest.comparison.rules import COMMON, TOTALS, UNTESTED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from ingest.comparison.costs import Costs

    Families = Callable[[Sequence[str]], Mapping[str, int]]

LEAST_SHARE = 0.005
"""Of everything, on average over all runs."""

LEAST_SAMPLES = 8.0
"""On average over all runs: with fewer the logarithm of a count is far from normal."""

HALF_A_SAMPLE = 0.5
"""Added to every function, so that one that is not in a run has a logarithm."""

MOST_HISTORY = 20.0
"""Degrees of freedom: an old, quiet month does not outvote the runs at hand."""

CPU_TIME = "cpu"


class Measure(NamedTuple):
    """One measure.

    Attributes:
        kind: A total, the time of interrupts, or the own or total cost of a function.
        name: `cpu`, the event of a counter, `interrupts`, or `kind.name` of a function.
    """

    kind: Literal["total", "foreign", "own", "inclusive"]
    name: str


class Matrix(NamedTuple):
    """Measures of runs.

    Attributes:
        measures: M measures, totals first.
        values: (runs, M) cost per unit of work.
        measured: What is compared.
        skipped: Functions that are too small to be measured.
    """

    measures: tuple[Measure, ...]
    values: NDArray[np.float64]
    measured: Measured
    skipped: int

    def is_untested(self, at: int) -> bool:
        """Return whether a measure is of no family of tests."""
        return self.measured.family is not None and bool(self.measured.family[at] == UNTESTED)

    def is_alone(self, at: int) -> bool:
        """Return whether a measure is a family of its own."""
        return self.measured.family is not None and bool(self.measured.family[at] > COMMON)

    def of(self, is_chosen: NDArray[np.bool_]) -> Matrix:
        """Return the same measures of some of the runs."""
        measured = self.measured._replace(logs=self.measured.logs[is_chosen])
        return self._replace(values=self.values[is_chosen], measured=measured)


def matrix(
    runs: Sequence[Costs],
    work: Sequence[float],
    *,
    families: Families | None = None,
    has_counters: bool = True,
    history: Iterable[tuple[Sequence[Costs], Sequence[float]]] = (),
) -> Matrix:
    """Measure runs.

    Args:
        runs: Of both sides, of one event and unit.
        work: Units of work of each run.
        families: Returns the family of tests of each function; None for one of all.
        has_counters: False when a selection of samples is compared, which counters do not follow.
        history: Earlier sessions: runs and their work.
    """
    totals = [Measure("total", CPU_TIME)]
    if has_counters:
        totals += [Measure("total", name) for name in sorted(_common_counters(runs))]
    names = sorted({name for run in runs for name in run.functions})
    family_of = families(names) if families else dict.fromkeys(names, COMMON)
    functions = [Measure(kind, name) for name in names for kind in ("own", "inclusive")]
    family = np.array([_family(one, family_of) for one in functions], dtype=np.int64)
    weight = np.mean([run.weight for run in runs])
    samples = np.mean([run.samples for run in runs])
    mean = _costs_of(runs, functions).mean(axis=0)
    # A function that is asked for by name is measured however small it is.
    is_chosen = (mean >= max(LEAST_SHARE * weight, LEAST_SAMPLES * weight / samples)) | (family > COMMON)
    chosen = [one for one, large in zip(functions, is_chosen, strict=True) if large]
    foreign = [Measure("foreign", FOREIGN)] if any(run.foreign for run in runs) else []
    tested = [one for one, of in zip(functions, family, strict=True) if of != UNTESTED]
    measures = (*totals, *foreign, *chosen)
    values, logs = _values(runs, work, measures)
    others = len(totals) + len(foreign)
    return Matrix(
        measures,
        values,
        Measured(
            logs,
            np.concatenate([np.full(others, np.inf), mean[is_chosen] / weight * samples]),
            np.arange(len(measures)) < others,
            _history(list(history), measures),
            np.concatenate([[TOTALS] * len(totals), [UNTESTED] * len(foreign), family[is_chosen]]).astype(
                np.int64
            ),
        ),
        len({one.name for one in tested} - {one.name for one in chosen}),
    )


def _family(measure: Measure, family_of: Mapping[str, int]) -> int:
    """Return the family of a measure; of a function that is tested alone the time with callees is tested."""
    family = family_of[measure.name]
    return UNTESTED if family > COMMON and measure.kind == "own" else family


def _common_counters(runs: Sequence[Costs]) -> set[str]:
    return set.intersection(*(set(run.counters) for run in runs))


def _cost(run: Costs, measure: Measure) -> float:
    if measure.kind == "foreign":
        return run.foreign
    if measure.kind == "total":
        return run.weight if measure.name == CPU_TIME else run.counters[measure.name]
    found = run.functions.get(measure.name)
    if found is None:
        return 0.0
    return found.own if measure.kind == "own" else found.total


def _costs_of(runs: Sequence[Costs], measures: Sequence[Measure]) -> NDArray[np.float64]:
    return np.array([[_cost(run, one) for one in measures] for run in runs]).reshape(len(runs), len(measures))


def _values(
    runs: Sequence[Costs], work: Sequence[float], measures: Sequence[Measure]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return costs per unit of work and their logarithms."""
    found = _costs_of(runs, measures)
    units = np.array(work, dtype=np.float64)[:, None]
    period = np.array([run.weight / run.samples for run in runs])[:, None]
    is_function = np.array([one.kind != "total" for one in measures])
    return found / units, np.log((found + HALF_A_SAMPLE * period * is_function) / units)


def _history(
    sessions: list[tuple[Sequence[Costs], Sequence[float]]], measures: Sequence[Measure]
) -> History | None:
    """Return what runs of earlier sessions varied by inside their session; None without any pair of runs."""
    squares, degrees = np.zeros(len(measures)), 0.0
    counters = {one.name for one in measures if one.kind == "total"} - {CPU_TIME}
    for runs, work in sessions:
        if len(runs) > 1 and counters <= _common_counters(runs):
            _, logs = _values(runs, work, measures)
            squares += ((logs - logs.mean(axis=0)) ** 2).sum(axis=0)
            degrees += len(runs) - 1
    if not degrees:
        return None
    counted = min(degrees, MOST_HISTORY)
    return History(squares / degrees * counted, counted)
