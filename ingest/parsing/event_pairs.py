"""Trace events that begin and end something of one task: how long the longest took, and what did not end.

1000.100200: sys_enter_fsync: fd: 0x3
1009.300200: sys_exit_fsync:  0x0      ->  ftrace.longest_pair = 9.2 {event=fsync, task=bash-1234}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ingest.model.citation import Lines
from ingest.model.facts import Fact

if TYPE_CHECKING:
    from collections.abc import Iterator

BEGINS, ENDS = ("_enter", "_entry", "_begin", "_start"), ("_exit", "_end", "_done", "_return")
ENTER, EXIT = "sys_enter_", "sys_exit_"
LEAST_SECONDS = 1.0
"""Of what did not end before the trace did."""


class _Begun(NamedTuple):
    at: float
    line: int
    task: str


class EventPairs:
    """Joins the events of each task as they pass."""

    def __init__(self) -> None:
        """Start without events."""
        self._open: dict[tuple[str, int], _Begun] = {}
        self._longest: tuple[float, str, _Begun, int] | None = None
        self._ended: set[str] = set()
        self._last = 0.0

    def take(self, event: str, pid: int, comm: str, at: float, line: int) -> None:
        """Take one event with its time in seconds."""
        self._last = max(self._last, at)
        name, is_begin = _named(event)
        if not name:
            return
        if is_begin:
            if event.startswith(ENTER):
                self._ended.add(name)
            self._open[name, pid] = _Begun(at, line, f"{comm}-{pid}")
            return
        self._ended.add(name)
        begun = self._open.pop((name, pid), None)
        if begun is not None and at >= begun.at:
            seconds = at - begun.at
            if self._longest is None or seconds > self._longest[0]:
                self._longest = (seconds, name, begun, line)

    def lose(self) -> None:
        """Forget what has begun: entries are missing."""
        self._open.clear()

    def facts(self) -> Iterator[Fact]:
        """Yield the longest pair, and the oldest event that did not end."""
        if self._longest is not None:
            seconds, name, begun, line = self._longest
            labels = {"event": name, "task": begun.task}
            yield Fact("ftrace.longest_pair", round(seconds, 9), Lines(begun.line, line), "seconds", labels)
        # What starts may have no event that ends it: hrtimer_start.
        left = {key: begun for key, begun in self._open.items() if key[0] in self._ended}
        oldest = min(left.items(), key=lambda one: one[1].at, default=None)
        if oldest is not None and self._last - oldest[1].at >= LEAST_SECONDS:
            (name, _), begun = oldest
            labels = {"event": name, "task": begun.task}
            seconds = round(self._last - begun.at, 9)
            yield Fact("ftrace.unfinished_pair", seconds, Lines.at(begun.line), "seconds", labels)


def _named(event: str) -> tuple[str, bool]:
    """Return what an event begins or ends, and whether it begins it; "" for others."""
    if event.startswith(ENTER):
        return event.removeprefix(ENTER), True
    if event.startswith(EXIT):
        return event.removeprefix(EXIT), False
    for suffix in BEGINS:
        if event.endswith(suffix):
            return event.removesuffix(suffix), True
    for suffix in ENDS:
        if event.endswith(suffix):
            return event.removesuffix(suffix), False
    return "", False
