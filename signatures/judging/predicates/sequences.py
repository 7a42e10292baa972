"""`sequence`: a run of A in a lane, followed by B.

A lane is a CPU where samples have one, else the whole text; a kernel thread names its CPU itself
(`ksoftirqd/11`). Order alone is sufficient: published evidence has neither times nor CPUs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ingest.model.profile import NO_CPU
from signatures.judging.observation import MAX_EXEMPLARS, Cited, MatchResult, Reason, State, unknown
from signatures.language.patterns import is_any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from ingest.model.reading import RowSet
    from signatures.judging.profile_index import Tree
    from signatures.language.conditions import SequenceCondition, Step

NO_TIMES = "no times: only the order was tested"
FIRST, THEN = 1, 2
ONE_LANE = "not every line has a CPU: one lane is assumed"


def observe_profile(condition: SequenceCondition, tree: Tree, index: int) -> Iterator[MatchResult]:
    """Yield the result for ordered samples."""
    profile = tree.profile
    if condition.rows or not profile.is_ordered or not len(profile.sample_node):
        return
    cpus = profile.sample_cpu
    pairs = _pairs(condition, tree)
    is_assumed = cpus is None or bool((cpus == NO_CPU).any())
    lines = profile.sample_line
    citations = tuple(Cited(int(lines[a]), int(lines[b]), index) for a, b in pairs[:MAX_EXEMPLARS])
    if citations:
        nodes = {
            int(profile.sample_node[at]) for a, b in pairs for at in (a, b) if profile.sample_node[at] >= 0
        }
        citations = (citations[0]._replace(nodes=tuple(sorted(nodes))), *citations[1:])
    tests_time = condition.within_seconds or condition.first.run_seconds or condition.then.run_seconds
    notes = [ONE_LANE] if is_assumed else []
    notes += [NO_TIMES] if tests_time and profile.sample_time is None else []
    yield _result(condition, len(pairs), len(profile.sample_node), citations, "; ".join(notes))


def _pairs(condition: SequenceCondition, tree: Tree) -> list[tuple[int, int]]:
    """Return (first sample of A, last of B) of every lane, in the order of the file."""
    profile = tree.profile
    marks = _marks_of(condition, tree)
    if marks is None:
        return []
    pairs: set[tuple[int, int]] = set()
    for lane in _lanes(profile.sample_cpu, len(marks)):
        times = None if profile.sample_time is None else profile.sample_time[lane]
        found = find_pairs(marks[lane], condition, times)
        pairs.update((int(lane[start]), int(lane[end])) for start, end in found)
    return sorted(pairs)


def _lanes(cpus: NDArray[np.int32] | None, size: int) -> list[NDArray[np.intp]]:
    """Return the samples of each CPU; samples without a CPU belong to every lane."""
    if cpus is None or (cpus == NO_CPU).all():
        return [np.arange(size)]
    return [np.flatnonzero((cpus == cpu) | (cpus == NO_CPU)) for cpu in np.unique(cpus) if cpu != NO_CPU]


def observe_rows(condition: SequenceCondition, rows: RowSet) -> Iterator[MatchResult]:
    """Yield the result for a row set."""
    if rows.name != condition.rows or condition.column not in rows.columns:
        return
    at = rows.columns.index(condition.column)
    cells = [str(row[at] or "") for row in rows.rows]
    marks = _marks(
        np.array([is_any(cell, condition.first.comm) for cell in cells], dtype=np.bool_),
        np.array([is_any(cell, condition.then.comm) for cell in cells], dtype=np.bool_),
    )
    pairs = find_pairs(marks, condition)
    citations = tuple(Cited(rows.row_lines[a], rows.row_lines[b]) for a, b in pairs[:MAX_EXEMPLARS])
    yield _result(condition, len(pairs), len(rows.rows), citations, ONE_LANE)


def _result(
    condition: SequenceCondition, pairs: int, size: int, citations: tuple[Cited, ...], note: str
) -> MatchResult:
    goal = condition.at_least
    if pairs >= goal:
        caps = () if size >= 200 or condition.rows else ("short excerpt: frequency unknown",)
        return MatchResult(
            State.TRUE,
            observed=float(pairs),
            threshold=float(goal),
            distance=0.0,
            strength=1.0,
            note=note,
            caps=caps,
            citations=citations,
        )
    if size < 200 and not condition.rows:
        return unknown(Reason.TOO_FEW, f"{size} samples", observed=float(pairs), threshold=float(goal))
    return MatchResult(
        State.FALSE,
        observed=float(pairs),
        threshold=float(goal),
        distance=(goal - pairs) / goal,
        citations=citations,
    )


def _belongs(step: Step, tree: Tree) -> NDArray[np.bool_]:
    """S: the sample belongs to the step."""
    size = len(tree.profile.sample_node)
    belongs = tree.has_path(step.path) if step.path else np.ones(size, dtype=np.bool_)
    if step.comm:
        is_comm = tree.is_comm(step.comm)
        if not is_comm.any():
            # A folded stack may carry the command as its outermost frame.
            is_comm = tree.has_path((step.comm,))
        belongs &= is_comm
    return belongs


def _marks_of(condition: SequenceCondition, tree: Tree) -> NDArray[np.int8] | None:
    """Mark the samples of both steps; None when one step has none."""
    first = _belongs(condition.first, tree)
    if not first.any():
        return None
    then = _belongs(condition.then, tree)
    return _marks(first, then) if then.any() else None


def _marks(first: NDArray[np.bool_], then: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Mark samples FIRST, else THEN, else 0."""
    return np.where(first, FIRST, np.where(then, THEN, 0)).astype(np.int8)


def find_pairs(
    marks: NDArray[np.int8], condition: SequenceCondition, times: NDArray[np.float64] | None = None
) -> list[tuple[int, int]]:
    """Return (first of A, last of B) of every run of A that is followed in time by a run of B.

    Without `times` only the order counts: B starts at most `within` samples after A, or directly after it
    when only a time is given.

    Args:
        marks: FIRST, THEN or 0 for each sample of a lane.
        condition: Lengths of runs and their maximum distance.
        times: Seconds of each sample.
    """
    runs = _runs(marks)
    pairs = []
    for at, (mark, start, end) in enumerate(runs):
        if mark != FIRST or not _is_long(start, end, condition.first, times):
            continue
        for following, begins, ends in runs[at + 1 :]:
            if following == FIRST or not _is_soon(end, begins, condition, times):
                break
            if following == THEN and _is_long(begins, ends, condition.then, times):
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


def _is_long(start: int, end: int, step: Step, times: NDArray[np.float64] | None) -> bool:
    if step.run_seconds and times is not None:
        return bool(times[end] - times[start] >= step.run_seconds)
    return end - start + 1 >= step.run


def _is_soon(end: int, begins: int, condition: SequenceCondition, times: NDArray[np.float64] | None) -> bool:
    if condition.within_seconds and times is not None:
        return bool(times[begins] - times[end] <= condition.within_seconds)
    return begins - end <= (condition.within or 1)
