"""Latency ramps: consecutive round trips that fall by the send interval, because one stall released them all.

Example, sent every 10 ms:
    icmp_seq=12564 rtt=140.9 ms
    icmp_seq=12565 rtt=130.9 ms
    icmp_seq=12566 rtt=120.8 ms

Each later packet waited one interval less, so all were released at once: one backlog of 140.9 ms. Packet loss
and a slow network do not look like that.
"""

from __future__ import annotations

import statistics
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.citation import Lines
from ingest.model.facts import Fact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MIN_LENGTH = 3
LOW, HIGH = 0.8, 1.2
"""Bounds of a step, as a factor of the send interval; two timers and a queue add jitter."""

SEQUENCE_MASK = 0xFFFF
"""ICMP sequence numbers have 16 bits and wrap."""


class Reply(NamedTuple):
    """One reply."""

    seq: int
    seconds: float
    line: int


class LatencyRamp(NamedTuple):
    """Replies in a row, each an interval shorter than the one before."""

    replies: tuple[Reply, ...]

    @property
    def backlog_seconds(self) -> float:
        """Lower bound of the wait of the first reply."""
        return self.replies[0].seconds


def latency_ramps(replies: Sequence[Reply], interval_seconds: float | None = None) -> list[LatencyRamp]:
    """Return the maximal ramps among `replies`, in order.

    Without an interval the steps of one run must agree with their own median; that is only for tables that
    print round trips as round numbers.
    """
    found: list[LatencyRamp] = []
    run: list[Reply] = list(replies[:1])
    for before, reply in pairwise(replies):
        step = _step(before, reply)
        steps = [_step(a, b) for a, b in pairwise(run)]
        expected = interval_seconds or (statistics.median(steps) if steps else step)
        is_next = (reply.seq - before.seq) & SEQUENCE_MASK == 1
        if is_next and step > 0 and LOW <= round(step / expected, 6) <= HIGH:
            run.append(reply)
            continue
        found.append(LatencyRamp(tuple(run)))
        may_begin_here = interval_seconds is None and is_next and step > 0
        run = [before, reply] if may_begin_here else [reply]
    found.append(LatencyRamp(tuple(run)))
    return [ramp for ramp in found if len(ramp.replies) >= MIN_LENGTH]


def ramp_facts(found: Sequence[LatencyRamp], labels: Mapping[str, str]) -> tuple[Fact, ...]:
    """Return the number of ramps, the length of the longest, and the largest backlog.

    `found` must not be empty: only a caller that knows what is missing can state that there is no ramp.
    """
    longest = max(found, key=lambda ramp: len(ramp.replies))
    worst = max(found, key=lambda ramp: ramp.backlog_seconds)
    every = Lines(found[0].replies[0].line, found[-1].replies[-1].line)
    return (
        Fact("net.rtt.ladder.count", float(len(found)), every, "count", labels),
        Fact("net.rtt.ladder.length", float(len(longest.replies)), _lines(longest), "count", labels),
        Fact("net.rtt.backlog_seconds", worst.backlog_seconds, _lines(worst), "seconds", labels),
    )


def _step(before: Reply, after: Reply) -> float:
    return round(before.seconds - after.seconds, 9)


def _lines(ramp: LatencyRamp) -> Lines:
    return Lines(ramp.replies[0].line, ramp.replies[-1].line)
