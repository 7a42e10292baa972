"""Lines above the rows: screens of perf top, headers of perf report, headers of perf.data."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.native.linear import Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

LOOK_AHEAD = 400
"""A perf.data header with many CPUs, events and topologies has fewer lines."""

SCREEN = re.compile(
    r"^\s*PerfTop:\s*(?P<irqs>\d+)\s+irqs/sec\s+kernel:\s*(?P<kernel>\d+(?:[.,]\d+)?)%(?P<rest>.*)$"
)
_EXACT = re.compile(r"\bexact:\s*(?P<share>\d+(?:[.,]\d+)?)%")
_LOST = re.compile(r"\b(?:lost|drop):\s*(?P<now>\d+)(?:/(?P<total>\d+))?")
_EVENT = Pattern(r"\[\s*(?:\d+(?:Hz)?(?:/\d+)?\s+)?(?P<event>[^\]\s][^\]]*?)\s*\]")

KEYS = re.compile(r"^(?:Mapped keys:|\s*\[\w+\]\s{2,}|Enter selection)")
"""Key help of perf top."""

SAMPLES = Pattern(
    r"^\s*#?\s*(?:Samples|Events):\s*(?P<count>\d+(?:[.,]\d+)?)\s*(?P<scale>[KMG]?)\s+"
    r"(?:of events?\s+'(?P<events>[^']*)'|(?P<event>\S+)\s*$)"
)
TOTAL_LOST = re.compile(r"^\s*#\s*Total Lost Samples:\s*(?P<count>\d+)")
COLUMNS = Pattern(
    r"^\s*#?\s*(?:Overhead|Children\s+Self)(?:\s.*)?\s(?:Source )?(?:Symbol|Shared Object|Command)\b"
)
REPORT_HINT = re.compile(r"^# To display the perf\.data header info")
FENCE = re.compile(r"^# ========\s*$")
PROPERTY = Pattern(r"^#\s(?P<name>[a-z][a-z. -]*?)\s*:\s(?P<value>.*?)\s*$")
_SCALES = {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9}
_GROUP = Pattern(r"\{(?P<members>[^}]*)\}")


class Screen(NamedTuple):
    """The header of one perf top screen; `lost` is what the kernel lost and what perf was too late for."""

    irqs_per_second: float
    kernel_share: float
    exact_share: float | None
    lost: float
    event: str


class Population(NamedTuple):
    """What one table of perf report is about; `events` has several names for an event group."""

    events: tuple[str, ...]
    samples: float


def screen(line: str) -> Screen | None:
    """Read `PerfTop: 8062 irqs/sec kernel:100.0% exact: 0.0% lost: 0/0 … [4000Hz cpu-clock]`."""
    found = SCREEN.match(line)
    if not found:
        return None
    exact, event = (shape.search(found["rest"]) for shape in (_EXACT, _EVENT))
    return Screen(
        float(found["irqs"]),
        share(found["kernel"]),
        share(exact["share"]) if exact else None,
        sum(float(lost["total"] or lost["now"]) for lost in _LOST.finditer(found["rest"])),
        event["event"] if event else "",
    )


def population(line: str) -> Population | None:
    """Read `# Samples: 3K of event 'cpu-clock:ppp'`; perf rounds counts above 1000 down to K."""
    found = SAMPLES.match(line)
    if not found:
        return None
    names = found["events"] or found["event"] or ""
    group = _GROUP.search(names)
    events = tuple(re.split(r",\s+", group["members"].strip())) if group else (names,)
    return Population(events, float(found["count"].replace(",", ".")) * _SCALES[found["scale"]])


def columns(line: str) -> tuple[str, ...] | None:
    """Return the names of a column header, None for any other line."""
    if not COLUMNS.match(line):
        return None
    return tuple(re.split(r"\s{2,}", line.strip().lstrip("#").strip()))


def opens_report(lines: Sequence[str], at: int) -> bool:
    """Return whether the perf.data header or comment at `lines[at]` belongs to a report, not to samples."""
    for line in lines[at : at + LOOK_AHEAD]:
        if COLUMNS.match(line) or SAMPLES.match(line) or TOTAL_LOST.match(line):
            return True
        if line.strip() and not line.startswith("#"):
            return False
    return False


def share(percent: str) -> float:
    """Return 0..1 of a printed percentage, with a decimal point or comma."""
    return round(float(percent.replace(",", ".")) / 100, 6)
