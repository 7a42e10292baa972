"""How long something took, by the log of an application.

Example:
    2026-11-21T10:00:01.250Z WARN query took 812 ms

Lines that begin with a time and state how long something took are rows of `stated_latencies`. A number
without a unit has that of the threshold on its line (`exceeded 20ms`) or of its name (`latency_ms`); where
neither has one, the line is skipped.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Reading, SkipCounter
from ingest.native.line_starts import LineStarts
from ingest.parsing.series import Rows

if TYPE_CHECKING:
    from ingest.model.section import Text

SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "sec": 1.0, "seconds": 1.0}

MOST_ROWS = 500_000
"""Rows that are kept; the longest latency is found among all."""

_WORDS = ("latency", "duration", "elapsed", "took", "time")
_UNIT = r"(?:ns|us|µs|ms|seconds|sec|s)"
_TIME = re.compile(
    r"^\s{0,8}\[?(?P<time>"
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S{0,20}"
    r"|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d{1,9})? \d{4}"
    r"|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d{1,9})?"
    r"|\d\d:\d\d:\d\d(?:[.,]\d{1,9})?"
    r")\]?\s"
)
_TOOK = re.compile(
    r"\b(?:latency|duration|elapsed|took|(?:response|query|request|lock|execution)[_ ]?time)"
    rf"(?:_(?P<suffix>{_UNIT}))?"
    rf"(?:\"?\s?[=:]\s?|\s)\"?(?P<number>\d{{1,15}}(?:\.\d{{1,12}})?)\"?(?:\s?(?P<unit>{_UNIT})\b)?",
    re.IGNORECASE,
)
_THRESHOLD = re.compile(rf"\b(?:exceeded|over|longer than|slower than|above) \d{{1,9}}\s?(?P<unit>{_UNIT})\b")


def _latency(line: str) -> tuple[str, float] | None:
    """Return when, and how many seconds something took; None for a line that does not state both."""
    stamp = _TIME.match(line)
    took = _TOOK.search(line, stamp.end()) if stamp else None
    if not stamp or not took:
        return None
    unit = took["unit"] or took["suffix"]
    if not unit and (threshold := _THRESHOLD.search(line)):
        unit = threshold["unit"]
    return (stamp["time"], float(took["number"]) * SECONDS[unit.lower()]) if unit else None


@cache
def _stamped() -> LineStarts:
    return LineStarts([(0, (rf"{_TIME.pattern}.*(?:{'|'.join(_WORDS)})",), (), 0)])


class Latencies:
    """Collects what the lines of a text state, piece by piece."""

    def __init__(self) -> None:
        """Begin with none."""
        self._rows = Rows("stated_latencies")
        self._skips = SkipCounter()
        self._longest = (-1.0, 0)

    def take(self, text: Text) -> None:
        """Add the latencies that `text` states."""
        for at in _stamped().scan(list(text.lines))[0]:
            number, line = text.first_line + at, text.lines[at]
            stated = _latency(line)
            if stated is None:
                continue
            self._longest = max(self._longest, (stated[1], -number))
            if len(self._rows.rows) < MOST_ROWS:
                self._rows.add(number, {"time_text": stated[0], "latency_s": round(stated[1], 9)})
            else:
                self._skips.add(f"latency beyond the first {MOST_ROWS:,}", number)

    def result(self) -> Reading:
        """Return the latencies as rows, and the longest as a fact."""
        if not self._rows.rows:
            return Reading()
        seconds, line_number = self._longest
        fact = Fact("app.longest_latency_seconds", round(seconds, 9), Lines.at(-line_number), "seconds")
        return Reading(facts=(fact,), row_sets=self._rows.sets(), skipped=self._skips.result())
