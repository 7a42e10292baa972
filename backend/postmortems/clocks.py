"""Clocks of timeline entries: which order they prove.

Lines of one machine are stamped by one clock, in order. The clock of another machine, and a time that a
person states, may be off: where two entries are nearer than that, their order is not decided.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from backend.postmortems.schemas import TimelineEntry

HOST_CLOCK_S = 2.0
"""By how much the clock of a machine is assumed to be off; no evidence states it."""

WHOLE_SECOND_S, WHOLE_MINUTE_S = 1.0, 60.0
"""Resolution of a time without a fraction of a second, and of one that a person states without seconds."""

OTHER_MACHINES = frozenset({"alerts", "host"})

COMPARED = frozenset({"alarm", "alert", "incident"})


def resolution_of(entry: TimelineEntry) -> float:
    """Return the resolution of the time of an entry, in seconds."""
    if entry.clock == "stated" and entry.at.second == entry.at.microsecond == 0:
        return WHOLE_MINUTE_S
    if entry.clock == "casebook":
        return 0.0
    return 0.0 if entry.at.microsecond else WHOLE_SECOND_S


def decide_order(entries: Iterable[TimelineEntry]) -> None:
    """Set uncertainty and `is_order_undecided` of the alarms and events among `entries`."""
    compared = [entry for entry in entries if entry.kind in COMPARED]
    spans = []
    for entry in compared:
        entry.uncertainty_s = resolution_of(entry) + (HOST_CLOCK_S if entry.clock in OTHER_MACHINES else 0.0)
        at = entry.at.timestamp()
        spans.append((at - entry.uncertainty_s, at + entry.uncertainty_s, _clock(entry), entry))
    spans.sort(key=lambda span: span[:3])
    _mark([(low, high, clock, entry) for low, high, clock, entry in spans])
    # The same seen from the end, for the earlier one of each pair.
    _mark([(-high, -low, clock, entry) for low, high, clock, entry in sorted(spans, key=lambda one: -one[1])])


def _mark(spans: Sequence[tuple[float, float, str, TimelineEntry]]) -> None:
    """Mark the entries whose span begins before one of another clock, which began earlier, has ended."""
    first: tuple[float, str] | None = None
    second: tuple[float, str] | None = None
    for low, high, clock, entry in spans:
        other = first if first is not None and first[1] != clock else second
        if other is not None and other[0] >= low:
            entry.is_order_undecided = True
        if first is None or high >= first[0]:
            if first is not None and first[1] != clock:
                second = first
            first = (high, clock)
        elif clock != first[1] and (second is None or high > second[0]):
            second = (high, clock)


def _clock(entry: TimelineEntry) -> str:
    """Return a key that entries of one clock share; an unnamed machine is one per file."""
    if entry.clock == "host":
        return f"host {entry.host}" if entry.host else f"file {entry.evidence_id}"
    if entry.clock == "alerts":
        return f"alerts {entry.actor}"
    return f"{entry.clock} {entry.id}"
