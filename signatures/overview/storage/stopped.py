"""Reads or writes that stop within a recording: steady for rows on end, then next to nothing.

Writes stop: 324,000 blocks per second over 10 rows, then 148, 0 and 0, while 1 task is blocked

The end of the work looks the same, so that a stop is worth a sentence only while tasks are in uninterruptible
sleep. Rows are those of vmstat, which counts these tasks beside the blocks; its average since boot is none.
"""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from signatures.language.number_format import value_words
from signatures.overview.model import Answer, Figure, Statement

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from signatures.overview.scope_evidence import ScopeEvidence, Table

BLOCK = 1024.0
"""Bytes of a block of vmstat."""

STEADY_ROWS = 5
"""Writeback and jobs come in bursts of fewer rows."""

STOPPED_ROWS = 3
"""A gap of a row or two is one between two requests or files."""

LEAST_RATE = 10.0 * 1024.0**2
"""Bytes a second; below it what a host writes by itself comes and goes."""

STEADY = (0.5, 2.0)
STOPPED_SHARE = 0.01
LISTED = 4
"""So many values of the stop are named one by one."""

DIRECTIONS = (("out_bytes_per_second", "Writes"), ("in_bytes_per_second", "Reads"))
CAPTURE = (
    "for p in $(ps -eo state=,pid= | awk '/^D/ {print $2}'); do "
    "head -n 99 /proc/$p/comm /proc/$p/wchan /proc/$p/stack; done; iostat -xd 1 5; dmesg | tail -n 50"
)
ASKS = "where the blocked tasks wait, and whether the device still serves requests, discards too"


class Stop(NamedTuple):
    """Indices of the first steady row, of the row behind the last one, and the same of the stopped rows."""

    steady: int
    steady_end: int
    stopped: int
    stopped_end: int


def stopped_io(evidence: ScopeEvidence) -> Answer:
    """Return the longest stop of writes and of reads, each with the tasks that are blocked meanwhile."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    for table in evidence.tables("vmstat"):
        for column, name in DIRECTIONS:
            values = np.nan_to_num(table.numbers(column))
            longest = max(stops(values), key=lambda one: one.stopped_end - one.stopped, default=None)
            if longest is not None:
                figure, statement = _stated(table, values, longest, name)
                figures.append(figure)
                statements += [statement] if statement else []
    if not figures:
        return Answer("No reads or writes that stop.")
    summary = (
        statements[0].text
        if statements
        else "Reads or writes stop while no task is blocked: they may have ended"
    )
    return Answer(f"{summary}.", tuple(figures), (), tuple(statements))


def stops(values: NDArray[np.float64]) -> Iterator[Stop]:
    """Yield the stops of a series in bytes a second: steady rows, at most one between, stopped rows."""
    if len(values) < STEADY_ROWS + STOPPED_ROWS:
        return
    behind = 0
    levels = _steady_levels(values)
    for at in _beginnings(values, levels):
        if at < behind:
            continue
        end = at if levels[at] else at - 1
        after = at
        while after < len(values) and values[after] <= STOPPED_SHARE * levels[end]:
            after += 1
        behind = max(at + 1, after)
        if after - at < STOPPED_ROWS:
            continue
        start = end - STEADY_ROWS
        while start and _is_steady(values[start - 1], levels[end]):
            start -= 1
        yield Stop(start, end, at, after)


def _steady_levels(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return by index the median of the steady rows before it; 0 where they are not steady, or too low."""
    windows = np.lib.stride_tricks.sliding_window_view(values, STEADY_ROWS)
    level = np.median(windows, axis=1)
    least, most = (bound * level[:, None] for bound in STEADY)
    is_steady = ((least <= windows) & (windows <= most)).all(axis=1) & (level >= LEAST_RATE)
    return np.concatenate([np.zeros(STEADY_ROWS), np.where(is_steady, level, 0.0)])


def _beginnings(values: NDArray[np.float64], levels: NDArray[np.float64]) -> list[int]:
    """Return the rows next to nothing whose last row before, or the one above it, ends steady rows."""
    own, above = levels[STEADY_ROWS:-1], levels[STEADY_ROWS - 1 : -2]
    level = np.where(own > 0, own, above)
    found = (level > 0) & (values[STEADY_ROWS:] <= STOPPED_SHARE * level)
    return (np.flatnonzero(found) + STEADY_ROWS).tolist()


def _is_steady(value: float, level: float) -> bool:
    least, most = STEADY
    return least * level <= value <= most * level


def _stated(
    table: Table, values: NDArray[np.float64], stop: Stop, name: str
) -> tuple[Figure, Statement | None]:
    """Return the figure of a stop, and its sentence where tasks are blocked in each of its rows."""
    steady = stop.steady_end - stop.steady
    level = statistics.median(values[stop.steady : stop.steady_end]) / BLOCK
    blocked = np.nan_to_num(table.numbers("blocked")[stop.stopped : stop.stopped_end]).tolist()
    places = (
        table.place(stop.stopped, stop.stopped_end - 1),
        table.place(stop.steady, stop.steady_end - 1),
    )
    is_blocked = min(blocked) >= 1
    figure = Figure(f"{name} before they stop", level * BLOCK, "per_second", places, is_blocked, "bytes")
    if not is_blocked:
        return figure, None
    rest = [value_words(round(one / BLOCK)) for one in values[stop.stopped : stop.stopped_end]]
    listed = f"{', '.join(rest[:-1])} and {rest[-1]}"
    if len(rest) > LISTED:
        most = max(values[stop.stopped : stop.stopped_end]) / BLOCK
        listed = f"at most {value_words(round(most))} over {len(rest)}"
    rate = value_words(round(level, 3 - len(f"{level:.0f}")))
    text = (
        f"{name} stop: {rate} blocks per second over {steady} rows, then {listed}, "
        f"while {_tasks(blocked)} blocked "
        "(the end of the work looks the same, but leaves none of its tasks blocked)"
    )
    statement = Statement(
        "io", text, places, "fact", "notable", CAPTURE, is_notable=True, asks=ASKS, topic="stopped IO"
    )
    return figure, statement


def _tasks(blocked: Sequence[float]) -> str:
    """Return `1 task is`, `3 tasks are`, `1 to 3 tasks are`."""
    least, most = min(blocked), max(blocked)
    if most == 1:
        return "1 task is"
    return f"{value_words(most)} tasks are" if least == most else f"{least:.0f} to {most:.0f} tasks are"
