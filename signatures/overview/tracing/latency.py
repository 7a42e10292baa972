"""Latencies and totals of tracing tools: rows and histograms that no other analysis reads.

The longest of 9 waits for a CPU: 7.5 ms (kworker/0:1)
Half of 12,332 values of latency_us are 4 us or more, 99 % below 16 us, the longest below 64 us
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from signatures.language.number_format import value_words
from signatures.overview import calm, impossible
from signatures.overview.block_histograms import is_of_block_device
from signatures.overview.levels import rank, ratio_of
from signatures.overview.model import Answer, Covers, Figure, Statement, place, ranked, shortened
from signatures.overview.network.round_trips import round_trips
from signatures.overview.waiting.off_cpu import SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.histogram import Histogram
    from signatures.judging.scope import Item
    from signatures.overview.model import QuestionName
    from signatures.overview.scope_evidence import Row, ScopeEvidence

SHOWN = 8
LEAST_COUNTS = 20
SLOW_SECONDS = 0.5
SLOW_SHARE = 0.01
MOST_TIME = 0.5
"""Share of the time from which few slow values matter: four of 214,851 lock holds were most of it."""

CAPTURE = "runqslower 10000; ext4slower 10; biosnoop -Q"
PREFIX = "rows:"
_WAITS = re.compile(
    r"poll|select|futex|sleep|wait|off.?cpu|accept|recv|idle|runq|run queue|rtt|oncpu|on.?cpu"
)
"""Histograms of what waits by design, and those of `scheduling`."""


class Traced(NamedTuple):
    """A table of a tool that prints one line per event.

    Attributes:
        columns: What its header has beside the latency.
        event: One event, and several.
        above: Seconds from which on one of them is far too long.
    """

    columns: frozenset[str]
    event: tuple[str, str]
    question: QuestionName
    above: float


TABLES = (
    Traced(frozenset({"disk", "sector"}), ("block request", "block requests"), "io", 0.5),
    Traced(frozenset({"disk", "bytes"}), ("block request", "block requests"), "io", 0.5),
    Traced(frozenset({"dev", "block"}), ("block request", "block requests"), "io", 0.5),
    Traced(frozenset({"off_kb"}), ("file operation", "file operations"), "io", 0.5),
    Traced(frozenset({"fd", "file"}), ("file operation", "file operations"), "io", 0.5),
    Traced(frozenset({"filename", "bytes"}), ("file operation", "file operations"), "io", 0.5),
    Traced(frozenset({"daddr", "dport"}), ("TCP connect", "TCP connects"), "network", 1.0),
    Traced(frozenset({"raddr"}), ("TCP connect", "TCP connects"), "network", 1.0),
    Traced(frozenset({"pages"}), ("direct reclaim", "direct reclaims"), "memory", 0.5),
    Traced(frozenset({"host"}), ("name look-up", "name look-ups"), "network", 1.0),
    Traced(frozenset({"func"}), ("function call", "function calls"), "cpu", 1.0),
    Traced(frozenset({"comm", "tid"}), ("wait for a CPU", "waits for a CPU"), "scheduling", 0.1),
    Traced(frozenset({"comm", "pid"}), ("wait for a CPU", "waits for a CPU"), "scheduling", 0.1),
)
"""bcc: biosnoop, ext4slower, tcpconnlat, drsnoop, gethostlatency, funcslower, runqslower; first match."""

TOTALS = ("total_us", "total_ns", "total_latency_us", "time_us", "count")
LATENCIES = {"latency_us": 1e-6, "latency_ms": 1e-3}


def traced_latency(evidence: ScopeEvidence) -> Answer:
    """Return the longest event of each table, the largest total, and the tail of each histogram."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    for figure, statement in (
        *_events(evidence),
        *_totals(evidence),
        *_tails(evidence),
        *round_trips(evidence),
    ):
        figures.append(figure)
        statements.append(statement)
    if not figures:
        return Answer("No traced latencies.", lacks=(CAPTURE,))
    return Answer(f"{min(statements, key=rank).text}.", shortened(figures, SHOWN), (), tuple(statements))


def _tables(evidence: ScopeEvidence) -> Iterator[tuple[frozenset[str], list[Row]]]:
    """Yield the columns and rows of every table of these tools."""
    names = {rows.name for item in evidence.items for rows in item.reading.row_sets}
    for name in sorted(name for name in names if name.startswith(PREFIX)):
        yield frozenset(name.removeprefix(PREFIX).split(",")), list(evidence.rows(name))


def _events(evidence: ScopeEvidence) -> Iterator[tuple[Figure, Statement]]:
    for columns, rows in _tables(evidence):
        unit = next((one for one in LATENCIES if one in columns), "")
        table = next((one for one in TABLES if one.columns <= columns), None)
        timed = [(value * LATENCIES[unit], row) for row in rows if unit and (value := row.number(unit))]
        if table is None or not timed:
            continue
        seconds, row = max(timed, key=lambda one: one[0])
        is_long = seconds >= table.above
        slow = sum(one >= table.above for one, _ in timed)
        words = value_words(seconds, "seconds")
        who = " ".join(_named(row))
        named = f" ({who})" if who else ""
        text = f"The longest of {len(timed):,} traced {table.event[1]} took {words}{named}"
        if len(timed) == 1:
            text = f"The traced {table.event[0]} took {words}{named}"
        if slow > 1:
            text += f"; {slow:,} took {value_words(table.above, 'seconds')} or more"
        kind, level = ranked(is_alarm=is_long, alarm="saturation" if slow > 1 else "degraded")
        figure = Figure(f"longest {table.event[0]}", seconds, "seconds", (row.place,), is_long, who)
        ratio = ratio_of(seconds, table.above) if is_long else None
        subject = f"{table.event[0]}{named}"
        yield figure, Statement(table.question, text, (row.place,), kind, level, ratio=ratio, subject=subject)


def _named(row: Row) -> list[str]:
    """Return who did it and what it was about: command, function, disk or file."""
    cells = (row.cells.get(name) for name in ("comm", "func", "disk", "filename", "file"))
    return [cell for cell in cells if isinstance(cell, str) and cell]


def _totals(evidence: ScopeEvidence) -> Iterator[tuple[Figure, Statement]]:
    """Yield the row with the largest total of each table of totals, as a share of the table."""
    for columns, rows in _tables(evidence):
        column = next((one for one in TOTALS if one in columns), "")
        counted = [(value, row) for row in rows if column and (value := row.number(column))]
        total = sum(value for value, _ in counted)
        if len(counted) < 2 or not total:
            continue
        value, row = max(counted, key=lambda one: one[0])
        name = next((cell for cell in row.cells.values() if isinstance(cell, str)), "one row")
        what = "events" if column == "count" else "time"
        share = value_words(value / total, "share")
        text = f"{name} has {share} of the {what} that this table counts"
        figure = Figure(f"{name}, share of {what}", value / total, "share", (row.place,))
        yield figure, Statement("cpu", text, (row.place,), "fact", "context")


def _tails(evidence: ScopeEvidence) -> Iterator[tuple[Figure, Statement]]:
    for item in evidence.items:
        for printed in item.reading.histograms:
            histogram = impossible.credible(evidence, printed, item)
            name = f"{histogram.name} {histogram.key} {histogram.probe}".lower()
            is_read = is_of_block_device(histogram) or "runq" in name or "run queue" in name
            if not is_read and histogram.unit in SECONDS and sum(histogram.counts) >= LEAST_COUNTS:
                yield _tail(evidence, histogram, item, can_alarm=not _WAITS.search(name))


def _tail(
    evidence: ScopeEvidence, histogram: Histogram, item: Item, *, can_alarm: bool
) -> tuple[Figure, Statement]:
    """Return the bound of 99 % of the values, and of the longest."""
    factor, total = SECONDS[histogram.unit], sum(histogram.counts)
    used = [at for at, count in enumerate(histogram.counts) if count]
    running, limit = 0.0, histogram.highs[used[-1]]
    for at in used:
        running += histogram.counts[at]
        if running >= 0.99 * total:
            limit = histogram.highs[at]
            break
    slow = sum(histogram.counts[at] for at in used if histogram.lows[at] * factor >= SLOW_SECONDS)
    is_slow = can_alarm and slow / total >= SLOW_SHARE
    where = (place(item, histogram.lines.first, histogram.lines.last),)
    parts = (histogram.probe or histogram.name.lstrip("@"), histogram.key)
    name = " ".join(part for part in parts if part) or "the histogram"
    longest = value_words(histogram.highs[used[-1]] * factor, "seconds")
    text = f"Half of {total:,.0f} values of {name} are {_middle_words(histogram)}, "
    text += f"99 % below {value_words(limit * factor, 'seconds')}"
    if limit < histogram.highs[used[-1]]:
        text += f", the longest below {longest}"
    if slow:
        text = f"{value_words(slow / total, 'share')} of {total:,.0f} values of {name} are 0.5 s or more"
    most = _share_of_time(histogram, factor) if 0 < slow < SLOW_SHARE * total else 0.0
    if most >= MOST_TIME:
        text += f", at least {value_words(most, 'share')} of the total time"
    figure = Figure(f"{name}: 99 % below", limit * factor, "seconds", where, is_slow)
    subject = f"values of {name}"
    if slow:
        kind, level = ranked(is_alarm=is_slow, fact="context")
        return figure, Statement("scheduling", text, where, kind, level, subject=subject)
    return figure, calm.statement(evidence, Covers("scheduling", where), text, text, subject=subject)


def _share_of_time(histogram: Histogram, factor: float) -> float:
    """Return the least share of the time of all values that the slow ones can have."""
    buckets = list(zip(histogram.counts, histogram.lows, histogram.highs, strict=True))
    slow = sum(count * low for count, low, _ in buckets if count and low * factor >= SLOW_SECONDS)
    others = sum(count * high for count, low, high in buckets if count and low * factor < SLOW_SECONDS)
    return slow / (slow + others) if slow + others else 0.0


def _middle_words(histogram: Histogram) -> str:
    """Return `4 us or more` of the bucket with the median, `below 1 us` of the lowest."""
    at, factor = _middle(histogram.counts), SECONDS[histogram.unit]
    if histogram.lows[at] > 0:
        return f"{value_words(histogram.lows[at] * factor, 'seconds')} or more"
    return f"below {value_words(histogram.highs[at] * factor, 'seconds')}"


def _middle(counts: tuple[float, ...]) -> int:
    """Return the bucket from which on at least half of the values lie."""
    running, half = 0.0, sum(counts) / 2
    for at in range(len(counts) - 1, -1, -1):
        running += counts[at]
        if running >= half:
            return at
    return 0
