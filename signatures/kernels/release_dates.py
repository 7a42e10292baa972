"""Days of builds and releases: code that was written later is in neither.

Examples:
    #1 SMP Tue Nov 12 10:11:12 UTC 2024       built on 2024-11-12
    #1 SMP Debian 6.1.106-3 (2024-08-26)      built on 2024-08-26
    #1-NixOS SMP Tue Jan 1 00:00:00 UTC 1980  before the release of its own version: no day at all

A build prints the day that its builder chose; one before the release of its own base version is set aside.
"""

from __future__ import annotations

import datetime as dt
import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ingest.tables import table

if TYPE_CHECKING:
    from signatures.language.kernel_families import Kernel

Version = tuple[int, ...]

_DATA = Path(__file__).with_suffix(".yaml")
_BUILT = re.compile(
    r"\b(?P<month>[A-Z][a-z]{2}) +(?P<day>\d{1,2}) \d{2}:\d{2}:\d{2} \S{1,9} (?P<year>\d{4})\b"
)
_ISO = re.compile(r"[( ](?P<day>\d{4}-\d{2}-\d{2})[ )T]")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
MONTH_DAYS = 30.4
"""Mean length of a month in days."""


def built_on(build_text: str) -> dt.date | None:
    """Return the day that `uname -v` names, None when it names none."""
    found = _BUILT.search(build_text)
    if found is not None and found["month"] in _MONTHS:
        return _day(f"{found['year']}-{_MONTHS.index(found['month']) + 1:02d}-{int(found['day']):02d}")
    version = build_text.find("#")
    named = _ISO.search(f"{build_text[version:]} ") if version >= 0 else None
    return _day(named["day"]) if named is not None else None


def _day(text: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return None


def build_day(build_text: str, kernel: Kernel) -> dt.date | None:
    """Return the day of a build, None when unknown or before the release of its own base version."""
    built = built_on(build_text)
    first = first_day((kernel.base or kernel.version)[:2])
    return built if built is not None and first is not None and built >= first else None


def first_day(branch: Version) -> dt.date | None:
    """Return a day that no release of a branch is older than, None for branches that are too old."""
    days = [day for listed, day in _branches().items() if listed <= branch]
    return max(days, default=None)


def out_by(release: Version) -> dt.date | None:
    """Return a day on which a release of linux-stable was out, None when none is on record."""
    days = [
        day
        for listed, day in _releases().items()
        if listed[:2] == release[:2] and len(release) == 3 and listed >= release
    ]
    if len(release) == 3 and release[2] == 0 and release[:2] in _branches():
        days.append(_branches()[release[:2]])
    return min(days, default=None)


def months(days: dt.timedelta) -> int:
    """Return whole months."""
    return int(days.days / MONTH_DAYS)


@lru_cache(maxsize=1)
def _branches() -> dict[Version, dt.date]:
    return {_version(name): day for name, day in _rows()["branches"]["days"].items()}


@lru_cache(maxsize=1)
def _releases() -> dict[Version, dt.date]:
    return {_version(str(row["release"])): row["day"] for row in _rows()["releases"]}


def _rows() -> dict[str, Any]:
    rows: dict[str, Any] = table(_DATA)
    return rows


def _version(text: str) -> Version:
    return tuple(int(part) for part in text.split("."))
