"""Whether runs can be compared: same machine, kernel and event, whole, alike in length, interleaved.

A difference between builds shows only between runs that differ in nothing else. What recordings do not state
cannot be checked, and is reported as that.
"""

from __future__ import annotations

import statistics
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from ingest.comparison.costs import Costs

KINDS = ("host", "kernel", "cpu", "cpus", "frequency", "duration", "work", "order", "lost")
"""Differences that may be allowed; another event or unit may not."""

MOST_TIMES = 2.0
"""Runs of half or twice the length or work have another share of start-up and warm-up."""

CPU_UNITS = frozenset({"ns", "cycles", "cpu-cycles", "ref-cycles", "instructions"})
"""Weights that measure what the CPUs did, so that their sum is the cost of a run."""


class Difference(NamedTuple):
    """One difference between runs, and whether it was allowed."""

    kind: str
    sentence: str
    is_allowed: bool


class Comparability(NamedTuple):
    """Result of the check.

    Attributes:
        differences: Allowed ones too.
        unknown: Kinds that no recording, or not every recording, states.
        notes: What a reader should know although it decides nothing.
    """

    differences: tuple[Difference, ...]
    unknown: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def prevents(self) -> bool:
        """Whether a difference was not allowed."""
        return any(not one.is_allowed for one in self.differences)


def comparability(
    base: Sequence[Costs],
    new: Sequence[Costs],
    work: Sequence[float],
    *,
    is_work_known: bool,
    allowed: Collection[str] = (),
    unchecked: Collection[str] = (),
) -> Comparability:
    """Check runs of both sides.

    Args:
        base: Runs of the baseline.
        new: Runs of the new build.
        work: Units of work of each run, those of `base` first.
        is_work_known: False when each run is one unit of work.
        allowed: Kinds that do not prevent a comparison.
        unchecked: Kinds that do not matter.
    """
    runs = (*base, *new)
    found = [*_values(runs), *_lengths(base, new, work, is_work_known=is_work_known)]
    found += [*_order(base, new), *_losses(runs)]
    return Comparability(
        tuple(
            Difference(kind, sentence, kind in allowed) for kind, sentence in found if kind not in unchecked
        ),
        tuple(kind for kind in _unknown(runs) if kind not in unchecked),
        tuple(_notes(base, new, is_work_known=is_work_known)),
    )


def _stated(runs: Sequence[Costs]) -> dict[str, tuple[str, list[str]]]:
    """Return what is stated about each run, "" where nothing is, by kind."""
    conditions = [run.conditions for run in runs]
    return {
        "event": ("events", [run.event.partition(":")[0] for run in runs]),
        "unit": ("weights", [run.unit for run in runs]),
        "host": ("hosts", [one.host for one in conditions]),
        "kernel": ("kernels", [one.kernel for one in conditions]),
        "cpu": ("CPU models", [one.cpu_model for one in conditions]),
        "cpus": ("numbers of CPUs", [str(one.cpus or "") for one in conditions]),
        "frequency": ("sampling frequencies", [_hertz(one.frequency_hz) for one in conditions]),
    }


def _hertz(frequency: float) -> str:
    return f"{frequency:g} Hz" if frequency else ""


def _values(runs: Sequence[Costs]) -> Iterator[tuple[str, str]]:
    for kind, (noun, values) in _stated(runs).items():
        different = [value for value in dict.fromkeys(values) if value]
        if len(different) > 1:
            yield kind, f"different {noun}: {', '.join(different)}"


def _unknown(runs: Sequence[Costs]) -> Iterator[str]:
    for kind, (_, values) in _stated(runs).items():
        if kind in KINDS and not all(values):
            yield kind
    if any(run.conditions.started_at is None for run in runs):
        yield "order"


def _lengths(
    base: Sequence[Costs], new: Sequence[Costs], work: Sequence[float], *, is_work_known: bool
) -> Iterator[tuple[str, str]]:
    if is_work_known:
        kind, what, values = "work", "units of work", list(work)
    else:
        kind, what = "duration", "seconds"
        values = [run.conditions.duration_seconds for run in (*base, *new)]
        if _has_cpu_time((*base, *new)):
            return
    medians = _medians(values, len(base))
    if medians is None:
        return
    before, after = medians
    if max(before, after) >= MOST_TIMES * min(before, after):
        hint = "" if is_work_known else "; state the work of each run with --work"
        if not is_work_known and after > before:
            times = f"{after / before:.2g} times as long"
            hint = f": the new runs last {times}, which may be the slowdown itself{hint}"
        yield kind, f"runs of {before:.3g} and of {after:.3g} {what}{hint}"


def _has_cpu_time(runs: Sequence[Costs]) -> bool:
    """Return whether each run states what the CPUs did, so that its length on the wall decides nothing."""
    return all("task-clock" in run.counters or run.unit.partition(":")[0] in CPU_UNITS for run in runs)


def _medians(values: Sequence[float], base: int) -> tuple[float, float] | None:
    """Return the medians of both sides, the first `base` values and the rest; None where one is missing."""
    if not base or len(values) == base or not all(values):
        return None
    return statistics.median(values[:base]), statistics.median(values[base:])


def _notes(base: Sequence[Costs], new: Sequence[Costs], *, is_work_known: bool) -> Iterator[str]:
    runs = (*base, *new)
    medians = _medians([run.conditions.duration_seconds for run in runs], len(base))
    if is_work_known or medians is None or not _has_cpu_time(runs):
        return
    before, after = medians
    if max(before, after) >= MOST_TIMES * min(before, after):
        yield (
            f"runs of {before:.3g} and of {after:.3g} seconds: their CPU time decides, as of the same work; "
            "if they serve what comes in a fixed time, state the work of each run with --work"
        )


def _order(base: Sequence[Costs], new: Sequence[Costs]) -> Iterator[tuple[str, str]]:
    """Find runs that were not interleaved: anything else that changed meanwhile looks like the build."""
    if min(len(base), len(new)) < 2:
        return
    starts = [(run.conditions.started_at, False) for run in base]
    starts += [(run.conditions.started_at, True) for run in new]
    known = sorted((at, is_new) for at, is_new in starts if at is not None)
    if len(known) < len(starts):
        return
    changes = sum(one[1] != other[1] for one, other in pairwise(known))
    if changes < max(2, min(len(base), len(new)) // 2):
        yield "order", "the runs of base and new are not interleaved: record them in turn, A B B A"


def _losses(runs: Sequence[Costs]) -> Iterator[tuple[str, str]]:
    reasons = [reason for run in runs for reason in run.conditions.losses]
    if reasons:
        more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
        yield "lost", f"recordings are not whole: {reasons[0]}{more}"
