r"""Pauses of garbage collectors by the log of a runtime: how many, the longest, and their share of the time.

Examples:
    660279.271: [GC (Allocation Failure)  659400K->167210K(987136K), 25781.1097757 secs]
    [2.345s][info][gc] GC(12) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 3.456ms
    [gc][3436] overhead, spent [1.7s] collecting in the last [2.3s]
    gc 12 @2.104s 31%: 0.026+0.39+0.10 ms clock, 0.21+0.88/0.52/0+0.84 ms cpu, 4->5->1 MB, 8 P

The time is that between the first and the last pause, that which the line states, or the share that it
prints. Sources: HotSpot GC logs, -XX:+PrintGCDetails and -Xlog:gc; JvmGcMonitorService of Elasticsearch;
GODEBUG=gctrace=1 of Go.
"""

from __future__ import annotations

import re
import statistics
from functools import cache
from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.native.line_starts import LineStarts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.section import Text

MOST_PAUSES = 500_000
FEWEST = 3
"""Pauses of a share of the time between them."""

_SECONDS = {"ms": 1e-3, "s": 1.0, "secs": 1.0, "m": 60.0}
_NUMBER = r"\d{1,9}(?:\.\d{1,9})?"
_PAUSE = rf"(?P<pause>{_NUMBER})"
_FORMS = tuple(
    map(
        re.compile,
        (
            rf"spent \[{_PAUSE}(?P<unit>m?s|m)\] collecting in the last \[(?P<span>{_NUMBER})(?P<of>m?s|m)\]",
            rf"(?:(?P<at>{_NUMBER}): )?\[(?:Full )?GC[ (].{{0,400}}?, {_PAUSE} (?P<unit>secs)\]",
            rf"(?:\[(?P<at>{_NUMBER})s\].{{0,80}})?GC\(\d+\) Pause .{{1,99}} {_PAUSE}(?P<unit>m?s)",
            rf"^gc \d{{1,9}} @{_NUMBER}s (?P<percent>\d{{1,3}})%: ",
        ),
    )
)


@cache
def _lines() -> LineStarts:
    marks = r"(?:collecting in the last \[|\[(?:Full )?GC[ (]|GC\(\d+\) Pause |gc \d+ @\d)"
    return LineStarts([(0, (f".*{marks}",), (), 0)])


class Pauses:
    """Collects the pauses that the lines of a text state, piece by piece."""

    def __init__(self) -> None:
        """Begin with none."""
        self._pauses: list[tuple[float, int, float | None]] = []
        self._shares: list[tuple[float, int]] = []

    def take(self, text: Text) -> None:
        """Add the pauses of some lines."""
        for at in _lines().scan(list(text.lines))[0]:
            line = text.lines[at].rstrip()
            found = next(filter(None, (form.search(line) for form in _FORMS)), None)
            if found is None or len(self._pauses) + len(self._shares) >= MOST_PAUSES:
                continue
            row, number = found.groupdict(), text.first_line + at
            if row.get("percent"):
                self._shares.append((float(row["percent"]) / 100, number))
                continue
            pause = float(row["pause"]) * _SECONDS[row["unit"]]
            self._pauses.append((pause, number, float(row["at"]) if row.get("at") else None))
            if row.get("span") and (span := float(row["span"]) * _SECONDS[row["of"]]):
                self._shares.append((pause / span, number))

    def facts(self) -> Iterator[Fact]:
        """Yield count, longest and median pause, the share of all of the time, and the highest printed."""
        if self._shares:
            share, number = max(self._shares)
            yield Fact("runtime.pause.highest_share", round(share, 6), Lines.at(number), "share")
        if not self._pauses:
            return
        longest, number, _ = max(self._pauses)
        where = Lines(self._pauses[0][1], self._pauses[-1][1])
        yield Fact("runtime.pause.longest_seconds", round(longest, 9), Lines.at(number), "seconds")
        middle = statistics.median(pause for pause, _, _ in self._pauses)
        yield Fact("runtime.pause.median_seconds", round(middle, 9), where, "seconds")
        yield Fact("runtime.pause.count", float(len(self._pauses)), where, "count")
        timed = [(at, pause) for pause, _, at in self._pauses if at is not None]
        # One pause that is most of the time says nothing of the rest.
        if len(timed) < FEWEST or sorted(timed) != timed or longest * 2 > sum(pause for _, pause in timed):
            return
        # The first pause lies before the time that is known.
        span = timed[-1][0] - timed[0][0] + timed[-1][1]
        if span > 0:
            share = sum(pause for _, pause in timed[1:]) / span
            yield Fact("runtime.pause.share", round(share, 6), where, "share")
