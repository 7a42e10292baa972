"""Times of the stamps of log lines: epoch seconds, or seconds of a year that the stamp does not name."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAYS_BEFORE = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)


def clock_of(found: re.Match[str]) -> float | None:
    """Return the seconds since the beginning of the year; None for months of other languages."""
    month = found["month"]
    hour, minute, second = (int(found[name]) for name in ("hour", "minute", "second"))
    if month not in _MONTHS or hour > 23 or minute > 59 or second > 59:
        return None
    days = _DAYS_BEFORE[_MONTHS.index(month)] + int(found["day"]) - 1
    return 86400.0 * days + 3600 * hour + 60 * minute + second


def local(date: str) -> float | None:
    """Read `Sat Nov 21 00:19:44 2026` as UTC; None when there is no such day."""
    _, month, day, clock, year = date.split()
    hour, minute, second = (int(part) for part in clock.split(":"))
    try:
        return datetime(
            int(year), _MONTHS.index(month) + 1, int(day), hour, minute, second, tzinfo=UTC
        ).timestamp()
    except ValueError:
        return None


def iso(found: re.Match[str]) -> float | None:
    """Read an ISO stamp; without zone it is taken as UTC."""
    return epoch(found["date"], (found["zone"] or "Z").replace("Z", "+00:00"), found["part"])


def epoch(date: str, zone: str, part: str | None) -> float | None:
    """Return a date with a zone and a part of a second as epoch seconds; None when there is no such day."""
    try:
        whole = datetime.fromisoformat(date.replace(" ", "T") + zone).timestamp()
    except ValueError:
        return None
    return whole + float(f"0.{part or 0}")
