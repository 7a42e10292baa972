"""Values, bucket bounds and units as bpftrace prints them.

Examples:
    [0]                10402 |@@@@@@@@@@@@@@@@|
    [512, 1K)             30 |@               |
    (..., 0)               1 |@@              |
    [1000, ...)           32 |@               | <---- typed behind the bar
    count 474, average 2306, total 1093192
    { .count = 3, .average = 2, .total = 6 }

`hist` (powers of two) and `lhist` (equal steps) print alike; every bucket states its own bounds, so nothing
is assumed about the next. Suffixes are powers of two in both.

Source: hist_index_label, lhist_index_label in bpftrace src/output.cpp.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

_BOUND = r"(?:\.\.\.|-?\d{1,20}[KMGTPE]?)"
_BUCKET = re.compile(
    rf"^\s*[\[(](?P<low>{_BOUND})(?:,\s*(?P<high>{_BOUND}))?[\])]\s+(?P<count>\d+)\s*(?:\||$)"
)
_POWERS = {"K": 10, "M": 20, "G": 30, "T": 40, "P": 50, "E": 60}
_STATS = re.compile(
    r"^(?:count (?P<count>\d+), average (?P<average>-?\d+), total (?P<total>-?\d+)"
    r"|\{ \.count = (?P<count2>\d+), \.average = (?P<average2>-?\d+), \.total = (?P<total2>-?\d+) \})"
)
_NUMBER = re.compile(r"^(?P<number>-?\d+(?:\.\d+)?|0x[0-9a-f]{1,16})(?=$|\s)")
_UNITS = {
    "ns": "ns", "nsec": "ns", "nsecs": "ns", "us": "us", "usec": "us", "usecs": "us",
    "ms": "ms", "msec": "ms", "msecs": "ms", "sec": "s", "secs": "s", "seconds": "s", "bytes": "bytes",
}  # fmt: skip


class Bucket(NamedTuple):
    """One bucket: `low` inclusive, `high` exclusive; infinite where open."""

    low: float
    high: float
    counted: float
    line: int


class Stats(NamedTuple):
    """The value of `stats()`: how many, their mean and their sum, as printed."""

    counted: float
    average: float
    total: float


def bound(text: str) -> float:
    """Read `512`, `1K` (1024), `4G` (4 << 30) or `-8`."""
    if text[-1] in _POWERS:
        return float(int(text[:-1]) << _POWERS[text[-1]])
    return float(text)


def bucket(line: str, number: int) -> Bucket | None:
    """Read one bucket line, or None when it is none; what follows the bar is a note."""
    found = _BUCKET.match(line)
    if not found:
        return None
    low = -math.inf if found["low"] == "..." else bound(found["low"])
    high = low + 1
    if found["high"] is not None:
        high = math.inf if found["high"] == "..." else bound(found["high"])
    return Bucket(low, high, float(found["count"]), number)


def value(text: str) -> float | Stats | str:
    """Read a map value; what is typed behind a number is a note and ignored."""
    text = text.strip()
    if found := _STATS.match(text):
        parts = [part for part in found.groups() if part is not None]
        return Stats(*(float(part) for part in parts))
    if found := _NUMBER.match(text):
        return float(int(found["number"], 16) if found["number"].startswith("0x") else found["number"])
    return text


def unit_of(name: str) -> str:
    """Return the unit a name states: `@hold_us` → `us`, `@reclaim_us_by_comm` → `us`, `@x` → "".

    A lone `s` is a unit only at the end: `@wait_s`.
    """
    words = name.lstrip("@$").lower().split("_")
    for word in reversed(words):
        if word in _UNITS:
            return _UNITS[word]
    return "s" if len(words) > 1 and words[-1] == "s" else ""
