"""Runs of marked samples in a lane, and runs of one mark that follow runs of the other.

A lane is a CPU where samples have one, else all samples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.model.profile import NO_CPU

if TYPE_CHECKING:
    from numpy.typing import NDArray

FIRST, THEN = 1, 2


class Length(NamedTuple):
    """A length in samples, and in seconds where samples have times; 0 for none."""

    samples: int
    seconds: float


def lanes(cpus: NDArray[np.int32] | None, marks: NDArray[np.int8]) -> list[NDArray[np.intp]]:
    """Return the samples of each CPU with marks of FIRST; samples without a CPU belong to every lane."""
    anywhere = None if cpus is None else cpus == NO_CPU
    if cpus is None or anywhere is None or anywhere.all():
        return [np.arange(len(marks))]
    first = np.flatnonzero(marks == FIRST)
    numbers = np.unique(cpus if anywhere[first].any() else cpus[first])
    is_everywhere = anywhere if anywhere.any() else False
    return [np.flatnonzero((cpus == cpu) | is_everywhere) for cpu in numbers if cpu != NO_CPU]


def marks_of(first: NDArray[np.bool_], then: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Mark samples FIRST, else THEN, else 0."""
    marks = np.zeros(len(first), dtype=np.int8)
    marks[then] = THEN
    marks[first] = FIRST
    return marks


def find_pairs(
    marks: NDArray[np.int8],
    first: Length,
    then: Length,
    within: Length,
    times: NDArray[np.float64] | None = None,
) -> list[tuple[int, int]]:
    """Return (first of A, last of B) of every run of A that is followed in time by a run of B.

    Without `times` only the order counts: B starts at most `within.samples` samples after A, or directly
    after it when only a time is given.

    Args:
        marks: FIRST, THEN or 0 for each sample of a lane.
        first: Minimum length of a run of A.
        then: Minimum length of a run of B.
        within: Maximum distance between them.
        times: Seconds of each sample.
    """
    runs = _runs(marks)
    pairs = []
    for at, (mark, start, end) in enumerate(runs):
        if mark != FIRST or not _is_long(start, end, first, times):
            continue
        for following, begins, ends in runs[at + 1 :]:
            if following == FIRST or not _is_soon(end, begins, within, times):
                break
            if following == THEN and _is_long(begins, ends, then, times):
                pairs.append((start, ends))
                break
    return pairs


def _runs(marks: NDArray[np.int8]) -> list[tuple[int, int, int]]:
    """Return (mark, first, last) of the maximal runs of one mark; unmarked runs are omitted."""
    if not len(marks):
        return []
    starts = np.flatnonzero(np.concatenate(([True], marks[1:] != marks[:-1])))
    ends = np.concatenate((starts[1:], [len(marks)])) - 1
    is_marked = marks[starts] != 0
    return list(zip(*(column[is_marked].tolist() for column in (marks[starts], starts, ends)), strict=True))


def _is_long(start: int, end: int, least: Length, times: NDArray[np.float64] | None) -> bool:
    if least.seconds and times is not None:
        return bool(times[end] - times[start] >= least.seconds)
    return end - start + 1 >= least.samples


def _is_soon(end: int, begins: int, within: Length, times: NDArray[np.float64] | None) -> bool:
    if within.seconds and times is not None:
        return bool(times[begins] - times[end] <= within.seconds)
    return begins - end <= (within.samples or 1)
