"""Clocks between prints: `interval:s:1 { time(); print(@opens); clear(@opens); }`.

Example:
    21:19:40
    @opens: 12
    21:19:41
    @opens: 4012

Each belongs to the prints below it, or, where a print comes before the first clock, to those above it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from ingest.model.facts import Fact

CLOCK = r"(?P<hours>[01]\d|2[0-3]):(?P<minutes>[0-5]\d):(?P<seconds>[0-5]\d(?:\.\d{1,9})?)"
_DAY = 86_400.0


class Clocks:
    """The clocks of a text, in seconds of its first day."""

    def __init__(self) -> None:
        """Start without a clock."""
        self._lines: list[int] = []
        self._seconds: list[float] = []

    def add(self, found: re.Match[str], line: int) -> None:
        """Add the clock of a line; one that is before the last is of the next day."""
        seconds = 3600.0 * int(found["hours"]) + 60.0 * int(found["minutes"]) + float(found["seconds"])
        before = self._seconds[-1] if self._seconds else 0.0
        days = before // _DAY
        if seconds + days * _DAY < before:
            days += 1
        self._lines.append(line)
        self._seconds.append(seconds + days * _DAY)

    def timed(self, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        """Return the facts with their times; as they are where there are no clocks."""
        if not self._lines or not facts:
            return tuple(facts)
        is_above = facts[0].lines.first >= self._lines[0]
        timed = []
        for fact in facts:
            line = fact.lines.first
            at = bisect_right(self._lines, line) - 1 if is_above else bisect_left(self._lines, line)
            timed.append(replace(fact, at=self._seconds[at]) if 0 <= at < len(self._lines) else fact)
        return tuple(timed)
