"""The groups of columns of dstat: their titles, the names below, and what each column counts."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.parsing.series import Quantity, share
from ingest.readers.sysstat.dstat.forms import undrawn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

_CPU = {
    "usr": share("cpu.user_share"),
    "sys": share("cpu.system_share"),
    "idl": share("cpu.idle_share"),
    "wai": share("cpu.iowait_share"),
    "hiq": share("cpu.irq_share"),
    "siq": share("cpu.softirq_share"),
    "stl": share("cpu.steal_share"),
}
_RATE = "per_second"
GROUPS: Mapping[str, Mapping[str, Quantity]] = {
    "total-usage": _CPU,
    "total-cpu-usage": _CPU,
    "procs": {"run": Quantity("sched.runnable", "count"), "blk": Quantity("sched.blocked", "count")},
    "paging": {
        "in": Quantity("swap.in_bytes_per_second", _RATE),
        "out": Quantity("swap.out_bytes_per_second", _RATE),
    },
    "dsk/total": {
        "read": Quantity("io.in_bytes_per_second", _RATE),
        "writ": Quantity("io.out_bytes_per_second", _RATE),
    },
    "system": {
        "int": Quantity("system.interrupts_per_second", _RATE),
        "csw": Quantity("system.context_switches_per_second", _RATE),
    },
    "load-avg": {
        "1m": Quantity("loadavg.1m", "count"),
        "5m": Quantity("loadavg.5m", "count"),
        "15m": Quantity("loadavg.15m", "count"),
    },
    "memory-usage": {
        "used": Quantity("free.mem.used_bytes", "bytes"),
        "free": Quantity("free.mem.free_bytes", "bytes"),
        "buff": Quantity("free.mem.buffers_bytes", "bytes"),
        "buf": Quantity("free.mem.buffers_bytes", "bytes"),
        "cach": Quantity("free.mem.cache_bytes", "bytes"),
    },
    "swap": {
        "used": Quantity("free.swap.used_bytes", "bytes"),
        "free": Quantity("free.swap.free_bytes", "bytes"),
    },
}
"""Groups of the whole machine by their title, and the facts of their columns."""

_DISK = {
    "read": Quantity("disk.read_bytes_per_second", _RATE),
    "writ": Quantity("disk.written_bytes_per_second", _RATE),
}
_UTILISATION = {"util": share("disk.util_share")}
_EVENTS = ("cpu.", "loadavg.", "sched.", "system.")
"""What is counted: the letters behind it are powers of 1000."""

_TITLE = re.compile(r"^-*[a-z0-9/][a-z0-9/_.-]*$")
_KNOWN = re.compile(
    r"^-*(?:total-(?:cpu-)?usage|(?:dsk|net|io)/.*|memory-usage|load-avg|paging|procs|system|swap)-*$"
)
_HEAD = re.compile(r"^[a-z0-9#_ |:]+$")
SEPARATORS = re.compile(r"[ |:]+")
CELL = re.compile(r"^(?P<number>-?\d{1,15}(?:\.\d{0,6})?)(?P<unit>[BkKMGT]?)$")
_POWERS = {"": 0, "B": 0, "k": 1, "K": 1, "M": 2, "G": 3, "T": 4}
PRINTED = r"-?[0-9]{1,15}(?:\.[0-9]{0,6})?[BkKMGT]?"
_THOUSANDS, _KIBIS = (
    np.array([base ** _POWERS.get(chr(letter), 0) for letter in range(256)]) for base in (1000.0, 1024.0)
)
"""By the letter behind a number: what it is multiplied with."""


class Column(NamedTuple):
    """Where a value goes: the fact of a column, and whose it is."""

    quantity: Quantity
    labels: Mapping[str, str]


def is_titles(line: str) -> bool:
    """Return whether a line holds the titles of groups, between dashes, one of which is known."""
    titles = titles_of(line)
    return any("-" in title and _KNOWN.match(title) for title in titles) and all(
        "-" in title and _TITLE.match(title) for title in titles
    )


def titles_of(line: str) -> list[str]:
    """Return the titles of groups, between which dool prints bars."""
    return undrawn(line).replace("|", " ").split()


def is_head(line: str) -> bool:
    """Return whether a line holds the names of columns: two words or more between bars, none a number."""
    line = undrawn(line)
    if not _HEAD.match(line):
        return False
    names = [word for word in SEPARATORS.split(line) if word]
    return len(names) > 1 and not any(CELL.match(name) for name in names)


def columns_of(titles: Sequence[str], line: str) -> list[list[Column | None]]:
    """Return the columns of each group; none when the names are not of as many groups as titles."""
    groups = [group.split() for group in line.replace(":", "|").rstrip("| ").split("|")]
    if len(groups) != len(titles):
        return []
    return [
        [_column(title.strip("-"), name) for name in names]
        for title, names in zip(titles, groups, strict=True)
    ]


def _column(title: str, name: str) -> Column | None:
    """Return where the values of a column go, None for one that is passed over."""
    if title in GROUPS:
        quantity, labels = GROUPS[title].get(name), {}
    elif title.startswith("dsk/"):
        quantity, labels = _DISK.get(name), {"device": title.removeprefix("dsk/")}
    else:
        quantity, labels = _UTILISATION.get(name), {"device": title}
    return Column(quantity, labels) if quantity else None


def number_of(fact: str, cell: str) -> float:
    """Return what a cell prints: events by powers of 1000, bytes by powers of 1024; NaN for no number."""
    found = CELL.match(cell)
    if found is None:
        return math.nan
    base = 1000.0 if fact.startswith(_EVENTS) else 1024.0
    return float(found["number"]) * base ** _POWERS[found["unit"]]


def factors_of(column: Column | None) -> NDArray[np.float64]:
    """Return by the letter behind a number what it is multiplied with."""
    return _THOUSANDS if column and column.quantity.fact.startswith(_EVENTS) else _KIBIS
