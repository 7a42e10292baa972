"""Ladders of round trips: packets sent at an interval that waited for one and the same moment.

Example, sent every 10 ms:
    icmp_seq=12564 rtt=140.9 ms
    icmp_seq=12565 rtt=130.9 ms
    icmp_seq=12566 rtt=120.8 ms

Each later packet waited one interval less, so all were let go at once: one backlog of 140.9 ms, drained. Loss
and a slow network do not look like that.
"""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.citation import Lines
from ingest.model.facts import Fact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MIN_LENGTH = 3
LOW, HIGH = 0.8, 1.2
"""A step of a ladder is so much of the send interval: two timers and a queue stand between them."""

SEQUENCE_MASK = 0xFFFF
"""ICMP sequence numbers have 16 bits and wrap."""


class Reply(NamedTuple):
    """One answered packet."""

    seq: int
    seconds: float
    line: int


class LatencyRamp(NamedTuple):
    """Replies in a row, each an interval shorter than the one before."""

    replies: tuple[Reply, ...]

    @property
    def backlog_seconds(self) -> float:
        """How long the first of them waited at least."""
        return self.replies[0].seconds


def ladders(replies: Sequence[Reply], interval_seconds: float | None = None) -> list[LatencyRamp]:
    """Return the ladders among `replies`, longest possible first to last.

    Without an interval the steps of one run must agree with their own median; that is only for tables that
    print round trips as round numbers.
    """
    found: list[LatencyRamp] = []
    run: list[Reply] = list(replies[:1])
    for before, reply in pairwise(replies):
        step = _step(before, reply)
        steps = [_step(a, b) for a, b in pairwise(run)]
        expected = interval_seconds or (median(steps) if steps else step)
        is_next = (reply.seq - before.seq) & SEQUENCE_MASK == 1
        if is_next and step > 0 and LOW <= round(step / expected, 6) <= HIGH:
            run.append(reply)
            continue
        found.append(LatencyRamp(tuple(run)))
        may_begin_here = interval_seconds is None and is_next and step > 0
        run = [before, reply] if may_begin_here else [reply]
    found.append(LatencyRamp(tuple(run)))
    return [ladder for ladder in found if len(ladder.replies) >= MIN_LENGTH]


def ladder_facts(found: Sequence[LatencyRamp], labels: Mapping[str, str]) -> tuple[Fact, ...]:
    """Return how many ladders there are, how long the longest is, and the largest backlog.

    `found` must not be empty: that there is no ladder can only be said by who knows what was left out.
    """
    longest = max(found, key=lambda ladder: len(ladder.replies))
    worst = max(found, key=lambda ladder: ladder.backlog_seconds)
    every = Lines(found[0].replies[0].line, found[-1].replies[-1].line)
    return (
        Fact("net.rtt.ladder.count", float(len(found)), every, "count", labels),
        Fact("net.rtt.ladder.length", float(len(longest.replies)), _lines(longest), "count", labels),
        Fact("net.rtt.backlog_seconds", worst.backlog_seconds, _lines(worst), "seconds", labels),
    )


def _step(before: Reply, after: Reply) -> float:
    return round(before.seconds - after.seconds, 9)


def _lines(ladder: LatencyRamp) -> Lines:
    return Lines(ladder.replies[0].line, ladder.replies[-1].line)
