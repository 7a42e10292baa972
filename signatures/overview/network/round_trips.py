"""Round trips of ping, hping3 and their like: the longest, lost ones, and ramps by the send interval.

2 of 22,352 packets to 172.16.47.27 got no answer (0.0089 %), …; the longest round trip took 1.011 s
4 round trips in a row fall by equal steps, from 140.9 ms to 110.8 ms: a stall of 140.9 ms or more, …
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from signatures.language.number_format import value_words
from signatures.overview.levels import ratio_of
from signatures.overview.model import Figure, Statement, ranked
from signatures.overview.thresholds import thresholds_of
from signatures.rendering.words import capital

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.documents.levels import Level
    from signatures.overview.scope_evidence import FactEntry, Row, ScopeEvidence

SLOW_TRIP_MS = 100.0
LOSS_SHARE = 0.01
FEW_LOST = 3.0
"""So few packets without an answer may have been on the way when the tool was stopped."""

RAMP_STEPS = 4
"""Fewer replies may fall in steps by chance."""

CAPTURE = "sudo perf record -a -g -e cpu-clock -F 999 -- sleep 20 && sudo perf script"
"""To run on the host that answers: what its CPUs run while packets wait."""


ASKS = "what the receiving host does while packets wait"

PINGS = "ping -n -D -c 60 TARGET & ping -n -D -c 60 GATEWAY; wait"
"""At the same moments: a way that is late to both is late before the gateway."""

ASKS_WHERE = "whether replies of the nearest hop are late at the same moments"


def round_trips(evidence: ScopeEvidence) -> Iterator[tuple[Figure, Statement]]:
    """Yield each summary, the longest round trip, and the longest ramp: one stall that held several."""
    yield from _totals(evidence)
    trips = [(value, row) for row in evidence.rows("round_trips") if (value := row.number("rtt_ms"))]
    if not trips:
        return
    if ramp := _ramp(evidence, [row for _, row in trips]):
        yield ramp
    value, row = max(trips, key=lambda one: one[0])
    target = row.cells.get("target")
    every, trips = trips, [one for one in trips if one[1].cells.get("target") == target]
    slow = sum(one >= SLOW_TRIP_MS for one, _ in trips)
    to = f" to {target}" if target else ""
    text = _lone_words([one for one, _ in trips], to)
    if not text:
        text = f"The longest of {len(trips):,} round trips{to} took {value_words(value, 'ms')}"
        if len(trips) > 1:
            text += f", the shortest {value_words(min(one for one, _ in trips), 'ms')}"
        if slow:
            text += f"; {slow:,} took {value_words(SLOW_TRIP_MS, 'ms')} or more"
    if others := [one for one, its in every if its.cells.get("target") != target]:
        text += f"; the longest of {len(others):,} to other targets took {value_words(max(others), 'ms')}"
    is_filtered = "filtered" in row.item.reading.quality_names
    text += " (a filter left the others out)" if is_filtered else ""
    figure = Figure("longest round trip", value, "ms", (row.place,))
    level: Level = "notable" if slow else "context"
    ratio = ratio_of(value, SLOW_TRIP_MS) if slow else None
    capture, asks = (PINGS, ASKS_WHERE) if slow else ("", "")
    yield (
        figure,
        Statement(
            "network",
            text,
            (row.place,),
            "fact",
            level,
            capture,
            ratio=ratio,
            subject=figure.label,
            asks=asks,
        ),
    )


def _lone_words(times: list[float], to: str) -> str:
    """Return that single replies were late among even ones, with the next in time; "" where they were not."""
    limits = thresholds_of("round_trips")
    typical = float(np.median(times))
    least = max(SLOW_TRIP_MS, limits["late"] * typical)
    late = {at for at, one in enumerate(times) if one >= least}
    even = [one for at, one in enumerate(times) if at not in late]
    is_lone = late.isdisjoint(at + 1 for at in late) and len(late) <= limits["lone_share"] * len(times)
    if not late or not is_lone or max(even) > limits["even"] * typical:
        return ""
    up_to = "up to " if sorted(late)[1:] else ""
    longest = f"{up_to}{value_words(max(times[at] for at in late), 'ms')}"
    return (
        f"{len(late):,} of {len(times):,} round trips{to} took {longest}, the others "
        f"{value_words(min(even), 'ms')} to {value_words(max(even), 'ms')}; nothing queued: "
        "the next reply came in time"
    )


def _totals(evidence: ScopeEvidence) -> Iterator[tuple[Figure, Statement]]:
    """Yield what a summary counts, and the longest round trip that it states and no line shows."""
    for sent in evidence.facts("net.rtt.sent"):
        received, longest = (_beside(evidence, name, sent) for name in ("received", "max_seconds"))
        if not sent.number or received is None:
            continue
        lost = max(0.0, sent.number - received.number)
        share = lost / sent.number
        parts = [_lost_words(lost, share, sent)] if lost else []
        shown = max((row.number("rtt_ms") or 0.0 for row in _rows_of(evidence, sent)), default=0.0)
        is_slow = False
        if longest and longest.number * 1000 > shown:
            parts.append(f"the longest round trip took {value_words(longest.number, 'seconds')}")
            is_slow = longest.number * 1000 >= SLOW_TRIP_MS
        if not parts:
            continue
        text = capital("; ".join(parts))
        is_lossy = share >= LOSS_SHARE
        places = tuple(dict.fromkeys(one.place for one in (sent, longest) if one))
        figure = Figure("packets without an answer", share, "share", places, is_lossy)
        level: Level = "notable" if is_lossy or is_slow else "context"
        yield figure, Statement("network", text, places, "fact", level, is_notable=is_lossy)


def _lost_words(lost: float, share: float, sent: FactEntry) -> str:
    to = f" to {sent.label('series')}" if sent.label("series") else ""
    words = f"{lost:,.0f} of {sent.number:,.0f} packets{to} got no answer ({value_words(share, 'share')})"
    is_few = lost <= FEW_LOST and share < LOSS_SHARE
    return f"{words}, which may be those on the way when it ended" if is_few else words


def _beside(evidence: ScopeEvidence, name: str, sent: FactEntry) -> FactEntry | None:
    """Return another value of the same summary."""
    found = (one for one in evidence.facts(f"net.rtt.{name}") if one.item is sent.item)
    return next((one for one in found if one.fact.labels == sent.fact.labels), None)


def _rows_of(evidence: ScopeEvidence, sent: FactEntry) -> Iterator[Row]:
    return (row for row in evidence.rows("round_trips") if row.item is sent.item)


def _ramp(evidence: ScopeEvidence, rows: list[Row]) -> tuple[Figure, Statement] | None:
    """Return the replies that came together; their sequence numbers follow one another: none is missing."""
    found = evidence.highest("net.rtt.ladder.length")
    if found is None or found.number < RAMP_STEPS:
        return None
    lines = range(found.place.first_line, found.place.last_line + 1)
    own = [one for one in rows if one.item is found.item and one.line in lines]
    times = [value for one in own if (value := one.number("rtt_ms")) is not None]
    if not times:
        return None
    target = next((str(one.cells["target"]) for one in own if one.cells.get("target")), "")
    stall = value_words(max(times), "ms")
    host = f"the receiving host{f' {target}' if target else ''}"
    text = (
        f"{found.number:,.0f} round trips in a row fall by equal steps, from {stall} to "
        f"{value_words(min(times), 'ms')}: a stall of {stall} or more of {host} or of the link to it, then "
        "the backlog drained at once; none of these packets was lost"
    )
    is_long = max(times) >= SLOW_TRIP_MS
    kind, level = ranked(is_alarm=is_long)
    figure = Figure("stall that a ramp of round trips shows", max(times), "ms", (found.place,), is_long)
    return figure, Statement(
        "network",
        text,
        (found.place,),
        kind,
        level,
        f"{CAPTURE}  # on {host}",
        asks=ASKS,
        subject=f"stall of {host}",
    )
