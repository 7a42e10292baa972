"""Times that something else put before each row of a table: `| ts`, a loop with `date`, a monitor.

    Nov 28 22:01:02 21  0      0 9163900  73936 12524068 ...        [22:01:02] sda  0.00  12.00 ...
    2026-11-28T22:01:02+01:00 sda  0.00  12.00 ...                  19:17:37 50  0   4528 12050200 ...

Tools that print the time themselves are read with it; this is for lines that no format takes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.native.linear import Pattern

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LEAST_ROWS = 3
"""Fewer lines with a time are no table with times before its rows."""

_DATES = (
    r"\d{4}[-/]\d\d[-/]\d\d[ T_,]+|\d\d[-/.]\d\d[-/.]\d{4}[ ,]+"
    r"|(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} [ \d]\d (?:\d{4} )?"
)
_STAMP = Pattern(
    rf"^ {{0,3}}[\[(]?(?:{_DATES})?(?P<time>[0-2]\d:[0-5]\d:[0-5]\d)(?:[.,]\d{{1,9}})?"
    r"(?: ?(?:[AP]M|Z|UTC|[A-Z]{3,4}|[+-]\d\d:?\d\d))?(?: \d{4})?[\])]?(?: ?[|:>])?(?:[ \t]|$)"
)
_CLOCK = re.compile(r"\d\d:\d\d:\d\d")


class Unstamped(NamedTuple):
    """Lines without the times before them, and their clocks by the index of the line."""

    lines: list[str]
    times: Mapping[int, str]


def unstamped(lines: Sequence[str]) -> Unstamped | None:
    """Return the lines without the times before them; None where few have one."""
    bare, times = list(lines), dict[int, str]()
    for at, line in enumerate(lines):
        # Most lines have no clock in their first 40 characters.
        if _CLOCK.search(line, 0, 40) and (found := _STAMP.match(line)):
            bare[at], times[at] = line[found.end() :], found["time"]
    return Unstamped(bare, times) if len(times) >= LEAST_ROWS else None
