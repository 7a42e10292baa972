"""Round trips of ping, hping3 and their like: the longest, and those that fall by the send interval.

4 round trips in a row fall by equal steps, from 140.9 ms to 110.8 ms: a stall of 140.9 ms or more, …
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.model import Figure, Statement, ranked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.overview.scope_evidence import Row, ScopeEvidence

SLOW_TRIP_MS = 100.0
RAMP_STEPS = 4
"""Fewer replies may fall in steps by chance."""

CAPTURE = "sudo perf record -a -g -e cpu-clock -F 999 -- sleep 20 && sudo perf script"
"""To run on the host that answers: what its CPUs run while packets wait."""


ASKS = "what the receiving host does while packets wait"


def round_trips(evidence: ScopeEvidence) -> Iterator[tuple[Figure, Statement]]:
    """Yield the longest round trip, and the longest ramp: one stall that held several packets."""
    trips = [(value, row) for row in evidence.rows("round_trips") if (value := row.number("rtt_ms"))]
    if not trips:
        return
    if ramp := _ramp(evidence, [row for _, row in trips]):
        yield ramp
    value, row = max(trips, key=lambda one: one[0])
    slow = sum(one >= SLOW_TRIP_MS for one, _ in trips)
    text = f"The longest of {len(trips):,} round trips took {value_words(value, 'ms')}"
    if slow:
        text += f"; {slow:,} took {value_words(SLOW_TRIP_MS, 'ms')} or more"
    is_filtered = "filtered" in row.item.reading.quality_names
    text += " (a filter left the others out)" if is_filtered else ""
    figure = Figure("longest round trip", value, "ms", (row.place,))
    yield figure, Statement("network", text, (row.place,), "fact", 0.45 if slow else 0.3)


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
        f"{value_words(min(times), 'ms')}: a stall of {stall} or more, most likely of {host}, then the "
        "backlog drained at once; none of these packets was lost"
    )
    is_long = max(times) >= SLOW_TRIP_MS
    kind, strength = ranked(is_alarm=is_long, alarm=0.65, fact=0.5)
    figure = Figure("stall that a ramp of round trips shows", max(times), "ms", (found.place,), is_long)
    return figure, Statement(
        "network", text, (found.place,), kind, strength, f"{CAPTURE}  # on {host}", asks=ASKS
    )
