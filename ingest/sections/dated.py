"""Outputs below what `date` prints: the times at which they were read, for changes between them.

    Fri May  5 15:39:58 CST 2017
    Fri May  5 03:39:58 PM 2017
    Fri 05 May 2017 03:39:58 PM CST
    2017-05-05 15:39:58        2017-05-05T15:39:58+08:00
    15:39:58                   1493969998

The zone is not interpreted: only how far apart they are is known. Dates of several zones, or that do not
rise from the first to the last, are of something else and give no times. Each belongs to the output right
below it.
"""

from __future__ import annotations

import re
from calendar import timegm
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ingest.readers import FILES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.sections.part import Part

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})"
_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_CLOCK = r"(?P<hour>\d\d):(?P<minute>[0-5]\d):(?P<second>[0-5]\d)(?: (?P<half>AM|PM))?"
_ZONE = r"(?: (?P<zone>[A-Z]{3,5}|[+-]\d\d(?:\d\d)?))?"
_FRACTION = r"(?:[.,]\d{1,9})?"
_ISO = r"(?P<year>[12]\d{3})-(?P<number>[01]\d)-(?P<day>[0-3]\d)"
_SHAPES = (
    re.compile(rf"^{_DAY} {_MONTH} (?P<day>[ 0-3]\d) {_CLOCK}{_ZONE} (?P<year>[12]\d{{3}})\s*$"),
    re.compile(rf"^{_DAY} (?P<day>[0-3]\d) {_MONTH} (?P<year>[12]\d{{3}}) {_CLOCK}{_ZONE}\s*$"),
    re.compile(rf"^(?:{_ISO}[T ])?{_CLOCK}{_FRACTION}(?: ?(?P<zone>Z|[A-Z]{{3,5}}|[+-]\d\d:?\d\d))?\s*$"),
)
_FIRST = re.compile(rf"^(?:{_DAY} |[12]\d{{3}}-|\d\d:\d\d:\d\d)")
_EPOCH = re.compile(r"^(?P<seconds>1\d{9})(?P<fraction>\.\d{1,9})?\s*$")
"""Seconds since 1970, of the years 2001 to 2033."""
_LEAST_SHORT = 3
"""A clock or a number alone on a line is a time if several rise, none by more than an hour."""
_MOST_SHORT = 3600.0
_LAST_DAY = 31
_HOURS = 24
_HALF = 12
_NO_YEAR = 1970


class Date(NamedTuple):
    """A printed date: seconds as if of UTC, its zone, "" for none, and whether it lacks the day."""

    at: float
    zone: str
    is_short: bool = False


def date_of(line: str) -> Date | None:
    """Return the date that is the whole line, None for any other line."""
    if number := _EPOCH.match(line):
        return Date(float(number[0]), "", is_short=True)
    if not _FIRST.match(line):
        return None
    found = next((match for shape in _SHAPES if (match := shape.match(line))), None)
    if found is None:
        return None
    named = found.groupdict()
    day, hour = int(named.get("day") or 1), int(found["hour"])
    if found["half"]:
        if not 1 <= hour <= _HALF:
            return None
        hour = hour % _HALF + (_HALF if found["half"] == "PM" else 0)
    if not 1 <= day <= _LAST_DAY or hour >= _HOURS:
        return None
    month = _MONTHS.index(named["month"]) + 1 if named.get("month") else int(named.get("number") or 1)
    if not 1 <= month <= len(_MONTHS):
        return None
    year = int(named["year"] or _NO_YEAR)
    seconds = timegm((year, month, day, hour, int(found["minute"]), int(found["second"])))
    return Date(float(seconds), named["zone"] or "", is_short=named["year"] is None)


def dated(parts: Sequence[Part], lines: Sequence[str]) -> tuple[Part, ...]:
    """Return the parts, those of captured files cut at dates, with the time right above each.

    Args:
        parts: All parts of the text.
        lines: All lines of the text.
    """
    if not any(_is_untimed_file(part) for part in parts):
        return tuple(parts)
    dates = {at: date for at, line in enumerate(lines, start=1) if (date := date_of(line))}
    if not _are_times(list(dates.values())):
        return tuple(parts)
    cut: list[Part] = []
    for part in parts:
        cut.extend(_cut(part, dates) if _is_untimed_file(part) else (part,))
    return tuple(cut)


def _are_times(dates: Sequence[Date]) -> bool:
    """Return whether the dates rise, in one zone and one form."""
    steps = [after.at - before.at for before, after in pairwise(dates)]
    if not steps or min(steps) <= 0 or len({(date.zone, date.is_short) for date in dates}) > 1:
        return False
    return not dates[0].is_short or (len(dates) >= _LEAST_SHORT and max(steps) <= _MOST_SHORT)


def _is_untimed_file(part: Part) -> bool:
    """Return whether a part is a captured file, which holds one reading, with no time of its capture."""
    return part.at is None and any(part.reader is file for file in FILES)


def _cut(part: Part, dates: dict[int, Date]) -> Iterator[Part]:
    """Yield the pieces of a part between dates, without these."""
    first = part.text.first_line
    end = first + len(part.text.lines)
    heads = [line for line in dates if first <= line < end]
    above = dates.get(first - 1)
    if not heads:
        yield part if above is None else replace(part, at=above.at)
        return
    bounds = [(first, heads[0], above)] + [
        (head + 1, stop, dates[head]) for head, stop in zip(heads, [*heads[1:], end], strict=True)
    ]
    opened = part.first_line
    for start, stop, date in bounds:
        body = part.text.lines[start - first : stop - first]
        if not any(line.strip() for line in body):
            continue
        text = replace(part.text, lines=body, first_line=start)
        yield replace(part, text=text, first_line=opened, last_line=stop - 1, at=date.at if date else None)
        opened = stop
