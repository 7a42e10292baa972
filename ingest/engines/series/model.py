"""A series: the values of one quantity of one device, CPU or machine over time, held as arrays."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ingest.engines.series.clock import SCALES, TEXT, seconds_of
from ingest.model.row_columns import NO_WORD, Numbers, Words, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from ingest.model.facts import Fact
    from ingest.model.reading import Reading, RowSet
    from ingest.model.row_columns import Cell

LABELS = ("device", "cpu", "interface", "irq", "filesystem", "tty", "entity", "pid", "tid", "comm")
"""Columns that name what a row is about."""

GAP = 2.5
"""A step of so many intervals is a gap: rows between were cut out, or the tool stood still."""

LEAST_ROWS = 2
FEW_SNAPSHOTS = 3
"""Looks at a file from which on they are a series; a counter grows between two."""

_DAY = 86_400
_FEW_DAYS = 2 * _DAY
"""Times of looks below are clocks without a date, in seconds of the first day."""

MOST_SERIES = 2000
"""Of a table of more devices or processes, the first are looked at."""

OF_PROCESSES = {
    "process.cpu.total_share": "cpu_share",
    "process.cpu.user_share": "user_share",
    "process.cpu.system_share": "system_share",
}
"""Columns of tables of processes."""

COUNTERS = re.compile(
    r"(?:vmstat|snmp|netstat)\..*|net\.interface\.[rt]x_.*"
    r"|net\.(?:since\.)?(?:ip|icmp|tcp|udp|mptcp)[a-z0-9]*\.(?!currestab$|rto|maxconn$|forwarding$|defaultttl$).*"
)
"""Facts that only grow, but for a reset."""

STALLED = re.compile(r"pressure\.\w+\.\w+\.total_seconds|disk\.busy_seconds|stat\.cpu\.\w+_seconds")
"""Counters of time: their growth per second is a share."""


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """The values of one quantity over R rows.

    Attributes:
        name: The fact whose looks these are: `cpu.system_share`.
        labels: What it is about: `{"device": "sda"}`; {} for the machine.
        unit: The unit of the values.
        times: R seconds; counted from 0 in steps of `interval` where the rows have no clock.
        values: R numbers; NaN where a row has none.
        lines: R line numbers.
        clock: The time of the first row as printed, of each row; () without a clock.
        interval: Seconds from row to row; None where neither a clock nor the command says it.
        is_cumulative: Counted since a beginning: the differences are what happened.
        wholes: Of shares the R numbers that they are of; None where these are unknown.
    """

    name: str
    labels: Mapping[str, str]
    unit: str
    times: NDArray[np.float64]
    values: NDArray[np.float64]
    lines: NDArray[np.int32]
    clock: Sequence[str] = ()
    interval: float | None = None
    is_cumulative: bool = False
    wholes: NDArray[np.float64] | None = None

    @property
    def mean(self) -> float:
        """The mean of all values, of shares that of their wholes together; NaN without one."""
        if self.wholes is not None and (whole := float(np.nansum(self.wholes))) > 0:
            return float(np.nansum(self.values * self.wholes)) / whole
        return float(np.nanmean(self.values)) if (~np.isnan(self.values)).any() else float("nan")

    def segments(self) -> Iterator[slice]:
        """Yield the rows between gaps: a step back in time or of several intervals, and a counter's reset."""
        steps = np.diff(self.times)
        is_break = steps < 0
        if self.interval:
            is_break |= steps > GAP * self.interval
        if self.is_cumulative:
            is_break |= np.diff(self.values) < 0
        edges = [0, *(np.flatnonzero(is_break) + 1).tolist(), len(self.values)]
        yield from (slice(first, last) for first, last in pairwise(edges) if last > first)

    def rates(self) -> Series:
        """Return a counter as what it counted per second up to each row; other series as they are.

        The first row of each segment has no rate.
        """
        if not self.is_cumulative:
            return self
        found = np.full(len(self.values), np.nan)
        for segment in self.segments():
            steps = np.diff(self.times[segment])
            grown = np.diff(self.values[segment])
            found[segment][1:] = np.divide(grown, steps, out=np.full(grown.size, np.nan), where=steps > 0)
        unit = "share" if self.unit == "seconds" else "per_second"
        return replace(self, values=found, unit=unit, is_cumulative=False)


def looks_column(fact: str) -> str:
    """Return the column of a fact's looks: `runnable` of `sched.runnable`.

    Those of swap space stand beside those of devices, which have the same name behind the point.
    """
    area, _, name = fact.partition(".")
    return OF_PROCESSES.get(fact) or (f"{area}_{name}" if area == "swap" else name)


def series_of(reading: Reading, name: str, reaching: float | None = None) -> tuple[Series, ...]:
    """Return the series of a fact: one per device, CPU or interface that its rows name.

    Args:
        reading: Where the rows are.
        name: The fact.
        reaching: Only series with a value as high, at most `MOST_SERIES` of them; None for all.
    """
    own = [fact for fact in reading.facts if fact.name == name]
    if not own:
        return ()
    column = looks_column(name)
    found = [
        one
        for rows in reading.row_sets
        if column in rows.columns and len(rows) > 1
        for one in _of_rows(rows, column, own[0], reaching)
    ]
    return tuple(found) or tuple(_of_snapshots(own))


def _of_rows(rows: RowSet, column: str, fact: Fact, reaching: float | None) -> Iterator[Series]:
    values = rows.column(column)
    if not isinstance(values, Numbers):
        return
    is_high = None if reaching is None else values.array >= reaching
    if is_high is not None and not is_high.any():
        return
    clock = rows.column(TEXT)
    name = TEXT if clock is not None else next((one for one in rows.columns if one in SCALES), "")
    times = seconds_of(list(rows.column(name) or ()), name) if name else None
    texts = [str(cell) for cell in clock] if clock is not None and times is not None else []
    lines = np.frombuffer(rows.row_lines, dtype=np.int32)
    for labels, at in _groups(rows, is_high):
        kept = at[~np.isnan(values.array[at])]
        if kept.size < LEAST_ROWS:
            continue
        interval = _interval(None if times is None else times[kept], rows.duration, kept.size)
        counted = np.arange(kept.size, dtype=np.float64) * (interval or 1.0)
        own = counted if times is None else times[kept]
        shown = [texts[place] for place in kept.tolist()] if texts else ()
        yield Series(fact.name, labels, fact.unit, own, values.array[kept], lines[kept], shown, interval)


def _groups(
    rows: RowSet, is_high: NDArray[np.bool_] | None
) -> Iterator[tuple[dict[str, str], NDArray[np.intp]]]:
    """Yield what rows are about, and their places in order; only what has a high row, if these are given."""
    # A process that moves between CPUs is one series.
    of_process = "pid" in rows.columns
    named = [name for name in LABELS if name in rows.columns and not (of_process and name == "cpu")]
    if not named:
        yield {}, np.arange(len(rows))
        return
    columns = [rows.cells[rows.columns.index(name)] for name in named]
    keys = columns[0]
    if len(columns) > 1 or not isinstance(keys, Words):
        keys = words("\0".join(_text(cell) for cell in cells) for cells in zip(*columns, strict=True))
    order = np.argsort(keys.array, kind="stable")
    if is_high is not None:
        chosen = np.unique(keys.array[is_high])[:MOST_SERIES]
        order = order[np.isin(keys.array[order], chosen)]
    edges = np.flatnonzero(np.diff(keys.array[order])) + 1
    for group in np.split(order, edges):
        number = int(keys.array[group[0]])
        texts = ("" if number == NO_WORD else keys.names[number]).split("\0", len(named) - 1)
        yield {name: text for name, text in zip(named, texts, strict=True) if text not in {"", "all"}}, group


def _text(cell: Cell) -> str:
    return f"{cell:.0f}" if isinstance(cell, float) else cell or ""


def _interval(times: NDArray[np.float64] | None, duration: float | None, size: int) -> float | None:
    """Return the usual step between rows: of their clock, else of the time that they span."""
    if times is not None:
        steps = np.diff(times)
        forward = steps[steps > 0]
        return float(np.median(forward)) if forward.size else None
    return duration / (size - 1) if duration and size > 1 else None


def of_looks(name: str, looks: Sequence[Fact]) -> Series | None:
    """Return the series of one quantity that was read several times, each look with its time if all have one.

    Args:
        name: The fact.
        looks: Its numbers in the order in which they were read; None is returned for fewer than a few, and
            for a counter without times.
    """
    times = [fact.at for fact in looks if fact.at is not None]
    is_timed = len(times) == len(looks)
    is_pair = is_timed and len(looks) == LEAST_ROWS and is_counter(looks[0])
    if len(looks) < FEW_SNAPSHOTS and not is_pair:
        return None
    own = np.array(times if is_timed else range(len(looks)), dtype=np.float64)
    values = np.array([fact.value for fact in looks], dtype=np.float64)
    lines = np.array([fact.lines.first for fact in looks], dtype=np.int32)
    first = looks[0]
    grows = is_counter(first)
    if grows and not is_timed:
        return None  # A count since boot is no rate without the time between two looks.
    interval = _interval(own, None, len(looks)) if is_timed else None
    clock = [_clock(at) for at in times] if is_timed and max(times) < _FEW_DAYS else ()
    return Series(name, dict(first.labels), first.unit, own, values, lines, clock, interval, grows)


def is_counter(fact: Fact) -> bool:
    """Return whether a fact only grows, but for a reset."""
    counts = fact.unit == "count" and COUNTERS.fullmatch(fact.name) is not None
    return counts or STALLED.fullmatch(fact.name) is not None


def _clock(at: float) -> str:
    minutes, seconds = divmod(int(at) % _DAY, 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}"


def _of_snapshots(facts: Sequence[Fact]) -> Iterator[Series]:
    """Yield the series of files that were read several times."""
    by_label: dict[tuple[tuple[str, str], ...], list[Fact]] = {}
    for fact in facts:
        if isinstance(fact.value, float) and not isinstance(fact.value, bool):
            by_label.setdefault(tuple(sorted(fact.labels.items())), []).append(fact)
    for looks in by_label.values():
        if len({fact.snapshot for fact in looks}) == len(looks):
            found = of_looks(looks[0].name, sorted(looks, key=lambda fact: fact.snapshot))
            if found is not None:
                yield found
