"""What no CPU profile shows: tasks that wait, latencies and their shape."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.model import Answer, Figure, Place, place, shortened

if TYPE_CHECKING:
    from ingest.model.histogram import Histogram
    from signatures.judging.scope import Item
    from signatures.overview.gathered import Gathered, Row

SHOWN = 8
MANY_BLOCKED = 5
LADDER_STEPS = 4
MIN_COUNTS = 20
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
SEPARATION = 8.0
"""Two peaks with so many times fewer counts between them are two populations."""


def off_cpu(gathered: Gathered) -> Answer:
    """Group tasks in uninterruptible sleep by where they wait; a perf profile of CPUs cannot see them."""
    waits: Counter[str] = Counter()
    places: dict[str, list[Place]] = {}
    seen = 0
    for row in gathered.rows("ps"):
        seen += 1
        if str(row.cells.get("state", "")).startswith("D"):
            where = str(row.cells.get("wchan") or row.cells.get("command") or "unknown place")
            waits[where] += 1
            places.setdefault(where, []).append(row.place)
    figures = [
        Figure(
            f"uninterruptible in {where}",
            float(count),
            "count",
            tuple(places[where][:3]),
            count >= MANY_BLOCKED,
        )
        for where, count in waits.most_common(SHOWN)
    ]
    for record, item in gathered.records():
        if record.kind == "hung_task":
            who = str(record.fields.get("comm", "a task"))
            where_at = (place(item, record.lines.first, record.lines.last),)
            figures.append(
                Figure(
                    f"{who} hung",
                    float(record.fields.get("seconds") or 120),
                    "seconds",
                    where_at,
                    is_notable=True,
                )
            )
    figures += _off_cpu_profiles(gathered)
    blocked = gathered.figure("sched.blocked", "blocked tasks, by vmstat", above=float(MANY_BLOCKED))
    figures += [blocked] if blocked else []
    lacks = ("ps -eLo pid,tid,stat,wchan:30,comm", "offcputime -K 10") if not figures else ()
    if not figures:
        said = "No task is in uninterruptible sleep." if seen else "Nothing tells about tasks that wait."
        return Answer(said, _nobody(gathered) if seen else (), () if seen else lacks)
    top = max(figures, key=lambda figure: figure.is_notable)
    return Answer(f"{top.label}: {top.words}.", shortened(figures, SHOWN))


def _nobody(gathered: Gathered) -> tuple[Figure, ...]:
    row = next(gathered.rows("ps"))
    return (Figure("tasks in uninterruptible sleep", 0.0, "count", (row.place,)),)


def _off_cpu_profiles(gathered: Gathered) -> list[Figure]:
    """Return the functions in which time off the CPU ends, below the scheduler."""
    figures = []
    for item in gathered.items:
        for profile in item.reading.profiles:
            if profile.what != "offcpu" or not profile.weight:
                continue
            lines = profile.sample_line
            where = (place(item, int(lines.min()), int(lines.max())),)
            factor = SECONDS.get(profile.unit)
            waited, unit = (profile.weight * factor, "seconds") if factor else (profile.weight, profile.unit)
            figures.append(Figure(f"waited in all, by {item.format}", round(waited, 6), unit, where))
    return figures


def latency(gathered: Gathered) -> Answer:
    """Say how latencies are shaped: two populations, a ladder that is a backlog, or one tail."""
    figures: list[Figure] = []
    lacks: list[str] = []
    for item in gathered.items:
        filtered = "filtered" in item.reading.quality_names
        figures += [
            _shape(histogram, item, is_filtered=filtered)
            for histogram in item.reading.histograms
            if histogram.unit in SECONDS and sum(histogram.counts) >= MIN_COUNTS
        ]
        if filtered and item.reading.row_sets:
            lacks.append(f"{item.evidence} without its filter: no percentiles are told of what is left")
    ladder = gathered.highest("net.rtt.ladder.length")
    if ladder:
        is_backlog = ladder.number >= LADDER_STEPS
        note = "round trips fall step by step: a backlog is drained" if is_backlog else ""
        figures.append(
            Figure("longest falling staircase", ladder.number, "count", (ladder.place,), is_backlog, note)
        )
    longest = gathered.highest("trace.max_latency_us")
    if longest:
        figures.append(Figure("longest latency in a table", longest.number, "us", (longest.place,)))
    slow = _slowest(list(gathered.rows("strace")))
    figures += [slow] if slow else []
    if not figures:
        return Answer("No latency was measured.", lacks=(*lacks, "bpftrace or bcc: runqlat, biolatency"))
    return Answer(
        f"{_known(len(figures))}; {figures[0].label} {figures[0].words}.",
        shortened(figures, SHOWN),
        tuple(lacks),
    )


def _known(count: int) -> str:
    return "1 latency is known" if count == 1 else f"{count} latencies are known"


def _slowest(rows: list[Row]) -> Figure | None:
    """Return the slowest system call that does not exist to wait."""
    timed = [row for row in rows if row.number("duration_s") and not row.cells.get("is_waiting")]
    if not timed:
        return None
    row = max(timed, key=lambda one: one.number("duration_s") or 0.0)
    seconds = row.number("duration_s") or 0.0
    return Figure(f"slowest call: {row.cells.get('call')}", seconds, "seconds", (row.place,), seconds > 0.1)


def _shape(histogram: Histogram, item: Item, *, is_filtered: bool) -> Figure:
    """Return the median's bucket, or what makes the histogram two."""
    counts = histogram.counts
    peaks = _peaks(counts)
    name = f"{histogram.name} {histogram.key}".strip()
    where = (place(item, histogram.lines.first, histogram.lines.last),)
    if len(peaks) > 1:
        low, high = histogram.lows[peaks[0]], histogram.lows[peaks[-1]]
        words = f"{name}: two populations, near {value_words(low)} and {value_words(high)} {histogram.unit}"
        return Figure(words, high, histogram.unit, where, note="bimodal: two different things happen")
    if is_filtered:
        return Figure(f"{name}: filtered, no median is told", float(sum(counts)), "count", where)
    half, running = sum(counts) / 2, 0.0
    for at, count in enumerate(counts):
        running += count
        if running >= half:
            return Figure(f"{name}: median below", histogram.highs[at], histogram.unit, where)
    return Figure(name, float(sum(counts)), "count", where)


def _peaks(counts: tuple[float, ...]) -> list[int]:
    """Return buckets that are peaks: higher than a valley of an eighth of them on the way to the next."""
    found: list[int] = []
    valley = 0.0
    for at, count in enumerate(counts):
        if count <= 0:
            valley = 0.0 if found else valley
            continue
        if not found:
            found.append(at)
            valley = count
        elif count > counts[found[-1]] and valley * SEPARATION > counts[found[-1]]:
            found[-1], valley = at, count
        elif valley * SEPARATION <= min(count, counts[found[-1]]):
            found.append(at)
            valley = count
        valley = min(valley, count)
    largest = max(counts)
    return [at for at in found if counts[at] * 10 >= largest]
