"""The longest time between the stamps of two calls of one task, for traces that state no durations.

    10:34:01.454543 poll([{fd=5, events=POLLIN}], 1, -1) = 1
    10:34:49.203118 close(5)                = 0  ->  strace.longest_gap = 47.748575 {call=poll, next=close}

The time is that of the call and of the program after it: the stamps do not tell them apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.parsing.open_files import OpenFiles

if TYPE_CHECKING:
    from collections.abc import Sequence

LEAST_SECONDS = 1.0


class StampedCall(Protocol):
    """What a call needs for this."""

    @property
    def pid(self) -> float:
        """The task, or a number below 0."""

    @property
    def call(self) -> str:
        """Name of the system call."""

    @property
    def time(self) -> float | None:
        """Seconds of its stamp, None without one."""

    @property
    def args(self) -> str:
        """The arguments as printed."""

    @property
    def result(self) -> str | None:
        """What it returned, None where the line has no result."""

    @property
    def duration(self) -> float | None:
        """Seconds that it took, if that is printed."""


def longest_gap(calls: Sequence[tuple[StampedCall, int]]) -> list[Fact]:
    """Return the longest gap as a fact, at the lines of both calls; nothing where durations are printed.

    Args:
        calls: Lines of calls, with their numbers, in their order.
    """
    if any(call.duration is not None for call, _ in calls):
        return []
    last: dict[float, tuple[StampedCall, int]] = {}
    files, path = OpenFiles(), ""
    found: tuple[float, Fact] | None = None
    for call, line in calls:
        before, last[call.pid] = last.get(call.pid), (call, line)
        path = files.awaited(before[0].args) if before else ""
        files.take(call.call, call.args, call.result)
        if before is None or call.time is None or before[0].time is None:
            continue
        gap = round(call.time - before[0].time, 6)
        if gap >= LEAST_SECONDS and (found is None or gap > found[0]):
            labels = {"call": before[0].call, "next": call.call}
            if path:
                labels["path"] = path
            if call.pid >= 0:
                labels["pid"] = f"{call.pid:.0f}"
            found = gap, Fact("strace.longest_gap", gap, Lines(before[1], line), "seconds", labels)
    return [found[1]] if found else []
