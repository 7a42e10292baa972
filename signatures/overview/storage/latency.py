"""Latency of block devices: mean waits of iostat, and histograms of requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview import averages, calm, impossible, window_rules
from signatures.overview.block_histograms import is_of_block_device
from signatures.overview.levels import first_of, ratio_of
from signatures.overview.model import Answer, Covers, Figure, Statement, place, ranked, shortened
from signatures.overview.scope_evidence import sections_of
from signatures.overview.storage.slow_requests import slow_share
from signatures.overview.waiting.off_cpu import SECONDS
from signatures.rendering.words import capital

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.histogram import Histogram
    from signatures.judging.scope import Item
    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

SHOWN = 8
AWAITS = (
    ("disk.read_await_ms", "reads", 100.0, "disk.reads_per_second"),
    ("disk.write_await_ms", "writes", 500.0, "disk.writes_per_second"),
    ("disk.await_ms", "requests", 200.0, "disk.requests_per_second"),
)
MUCH_FASTER = 0.1
BUSY_SHARE = 0.95
MANY_BLOCKED = 5
"""Tasks in uninterruptible sleep beside a busy device, from which they are reported together."""

USED_SHARE = 0.6
"""Busy enough for a sentence."""

ALIKE = 0.9
MANY_READS = 1000.0
SMALL_READ = 8192.0
"""Many small reads: the requests cost, not the bytes."""

WAITING_MS = 5.0
QUEUED = 4.0
IOWAIT_SHARE = 0.1
"""A busy device that serves many requests at once may have room; waits, a queue or waiting CPUs say not."""

LEAST_REQUESTS = 50.0
CAPTURE = "iostat -xz 1 5; biolatency -D 10 1"
MAPPED = "lsblk; dmsetup table; iostat -xz 1 5"
"""A mapped device against the disks below it."""

INTERVAL = "iostat -xz 1 3"
ASKS = "how busy the devices are now; the first report is the average since boot"
MEASURES = ("disk.util_share", *(name for name, *_ in AWAITS))


def block_latency(evidence: ScopeEvidence) -> Answer:
    """Return the slowest device, the busiest one, and the shares of slow requests."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    for name, what, above, rate in AWAITS:
        timed = _timed(evidence, name, rate)
        entry = max(timed, key=lambda one: one.number, default=None)
        if entry is None:
            continue
        is_slow = entry.number >= above
        device = entry.label("device") or "a device"
        words = f"{capital(what)} of {device} take {value_words(entry.number, 'ms')}"
        words += averages.behind(entry) or " on average"
        figures.append(Figure(f"{what} of {device}, mean", entry.number, "ms", (entry.place,), is_slow))
        if window_rules.is_stated(evidence, name):
            continue
        kind, level = ranked(is_alarm=is_slow, fact="context")
        words += _below(timed, entry) if is_slow else ""
        capture = MAPPED if device.startswith("dm-") else INTERVAL if entry.is_since_boot else ""
        asks = ASKS if capture == INTERVAL else ""
        statements.append(
            Statement(
                "io",
                words,
                (entry.place,),
                kind,
                level,
                capture,
                asks=asks,
                topic="slow IO",
                is_summary=not is_slow,
                ratio=ratio_of(entry.number, above),
                subject=f"{what} of {device}",
            )
        )
    busy = evidence.highest("disk.util_share")
    if busy:
        is_busy = busy.number >= BUSY_SHARE
        device = busy.label("device")
        named = f"Device {device}" if device else "A device"
        text, is_saturated = f"{named} is busy {value_words(busy.number, 'share')} of the time", False
        text += _alike(evidence, busy)
        if is_busy and (waits := _waits(evidence, device)):
            text, is_saturated = f"{text}: {', '.join(waits)}", True
        elif is_busy and (blocked := evidence.highest("sched.blocked")) and blocked.number >= MANY_BLOCKED:
            count = averages.count_of(evidence, blocked, MANY_BLOCKED)
            text += f", and {count.words} tasks are blocked in uninterruptible sleep{count.mean}"
            is_saturated = True
        figures.append(Figure(f"{named} is busy", busy.number, "share", (busy.place,), is_saturated))
        is_stated = any(window_rules.is_stated(evidence, name) for name in MEASURES)
        if (
            busy.number < USED_SHARE
            and device
            and not is_stated
            and not any(one.kind == "alarm" for one in statements)
        ):
            statements.append(_calm(evidence, busy))
        if busy.number >= USED_SHARE:
            kind, level = ranked(is_alarm=is_saturated)
            text += averages.behind(busy)
            capture = INTERVAL if busy.is_since_boot else ""
            statements.append(
                Statement(
                    "io",
                    text,
                    (busy.place,),
                    kind,
                    level,
                    capture,
                    asks=ASKS,
                    topic="slow IO",
                    subject=f"use of {device}",
                )
            )
    for histogram, item in _histograms(evidence):
        figure, statement = slow_share(evidence, histogram, item)
        figures.append(figure)
        statements.append(statement)
    if not figures:
        return Answer("No latency of block devices.", lacks=(CAPTURE,))
    past = None if any(_histograms(evidence)) else averages.only_averages(evidence, MEASURES)
    first = first_of(statements)
    seen = f"{figures[0].label}: {figures[0].words}"
    return Answer(
        f"{first.text if first else seen}.",
        shortened(figures, SHOWN),
        (INTERVAL,) if past else (),
        tuple(statements),
        assesses=() if past else (Covers("io", _rests_on(evidence)),),
        is_undecided=past is not None,
        partial=(("io", averages.note(past)),) if past else (),
    )


def _rests_on(evidence: ScopeEvidence) -> tuple[Place, ...]:
    """Return the lines of all devices, and of the histograms of requests."""
    lines = sections_of(entry for name in MEASURES for entry in evidence.facts(name))
    histograms = [place(item, one.lines.first, one.lines.last) for one, item in _histograms(evidence)]
    return (*lines, *histograms)


def _calm(evidence: ScopeEvidence, busy: FactEntry) -> Statement:
    """Say that no device is above its threshold, and how the busiest one does."""
    device = busy.label("device")
    text = f"{value_words(busy.number, 'share')} of the time"
    served = [
        (rate.number, what, wait.number)
        for name, what, _, rates in AWAITS[:2]
        for wait in evidence.facts(name)
        for rate in evidence.facts(rates)
        if wait.item is rate.item is busy.item
        and wait.fact.snapshot == rate.fact.snapshot == busy.fact.snapshot
        and wait.label("device") == rate.label("device") == device
    ]
    if served and (most := max(served))[0] > 0:
        rate, what, wait = most
        text += f", with {value_words(rate)} {what} a second that take {value_words(wait, 'ms')}"
    if busy.is_since_boot:
        text = f"{averages.before(busy)}the busiest device, {device}, is busy {text}"
        return Statement(
            "io",
            text,
            (busy.place,),
            "fact",
            "context",
            INTERVAL,
            asks=ASKS,
            is_summary=True,
            subject=f"busiest device {device}",
        )
    return calm.statement(
        evidence,
        Covers("io", _rests_on(evidence)),
        f"No device is above its threshold; the busiest, {device}, is busy {text}",
        f"The busiest device, {device}, is busy {text}",
        places=(busy.place,),
        subject=f"busiest device {device}",
        is_summary=True,
    )


def _alike(evidence: ScopeEvidence, busy: FactEntry) -> str:
    """Return how many more devices are as busy, and the size of the reads of this one when they are small."""
    least = busy.number * ALIKE
    others = {one.label("device") for one in evidence.facts("disk.util_share") if one.number >= least}
    words = f", and {len(others) - 1} more as much" if len(others) > 1 else ""
    device = busy.label("device")
    reads, size = (
        next(
            (
                one.number
                for one in evidence.facts(name)
                if one.label("device") == device and one.item is busy.item
            ),
            0.0,
        )
        for name in ("disk.reads_per_second", "disk.read_bytes_per_second")
    )
    if reads >= MANY_READS and size / reads <= SMALL_READ:
        words += f": {reads:,.0f} reads a second of {value_words(size / reads / 1024.0)} KiB"
    return words


def _timed(evidence: ScopeEvidence, name: str, rate: str) -> list[FactEntry]:
    """Return the mean times of devices that serve requests: the others have a mean of few."""
    served = {
        (id(one.item), one.label("device"), one.fact.snapshot): one.number for one in evidence.facts(rate)
    }
    return [
        one
        for one in evidence.facts(name)
        if one.number and served.get((id(one.item), one.label("device"), one.fact.snapshot), 1.0)
    ]


def _below(timed: list[FactEntry], slowest: FactEntry) -> str:
    """Return that the disks below a slow mapped device are fast; "" for other devices."""
    if not slowest.label("device").startswith("dm-"):
        return ""
    disks = [
        one
        for one in timed
        if one.item is slowest.item
        and one.fact.snapshot == slowest.fact.snapshot
        and not one.label("device").startswith(("dm-", "md", "loop"))
    ]
    disk = max(disks, key=lambda one: one.number, default=None)
    if disk is None or disk.number > MUCH_FASTER * slowest.number:
        return ""
    return f", while those of the disk {disk.label('device')} take {value_words(disk.number, 'ms')}"


def _waits(evidence: ScopeEvidence, device: str) -> list[str]:
    """Return what waits for a device, as far as it is long: requests, the queue, CPUs."""
    found = []
    for name, what, least in (
        ("disk.read_await_ms", "reads take {} ms", WAITING_MS),
        ("disk.write_await_ms", "writes take {} ms", WAITING_MS),
        ("disk.await_ms", "requests take {} ms", WAITING_MS),
        ("disk.queue_length", "{} requests wait", QUEUED),
    ):
        own = [one for one in evidence.facts(name) if one.label("device") == device]
        longest = max(own, key=lambda one: one.number, default=None)
        if longest and longest.number >= least:
            found.append(what.format(value_words(longest.number)))
    iowait = evidence.highest("cpu.iowait_share")
    if iowait and iowait.number >= IOWAIT_SHARE:
        found.append(f"CPUs wait for IO {value_words(iowait.number, 'share')} of the time")
    return found


def _histograms(evidence: ScopeEvidence) -> Iterator[tuple[Histogram, Item]]:
    """Yield the histograms of block requests that state a unit of time."""
    for item in evidence.items:
        for printed in item.reading.histograms:
            histogram = impossible.credible(evidence, printed, item)
            is_timed = histogram.unit in SECONDS and sum(histogram.counts) >= LEAST_REQUESTS
            if is_timed and is_of_block_device(histogram):
                yield histogram, item
