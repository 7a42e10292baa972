"""Values that a tool prints again and again: their mean becomes a fact, every look stays a row.

Example:
    mpstat prints `%sys` 12.50, 14.85 and 10.10 in lines 4, 9 and 14: the fact is `cpu.system_share` 0.12483
    of lines 4 to 14.

A stated average (`Average:`) beats ours. What a tool prints first for the time since boot is no look at now.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import RowSet
from ingest.paste.transcript import decimal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ingest.model.reading import Cell

BANNER = re.compile(
    r"^\s*Linux (?P<release>\S+) \((?P<host>[^)]+)\)\s+\S+\s+_(?P<machine>\w+)_\s+\((?P<cpus>\d+) CPUs?\)\s*$"
)
"""First line of every tool of sysstat."""

CLOCK = r"\d{1,2}:\d\d:\d\d(?: [AP]M)?"
_TIME = re.compile(r"^(?P<hours>\d{1,2}):(?P<minutes>\d\d):(?P<seconds>\d\d)(?: (?P<half>[AP]M))?$")
_NUMBER = re.compile(r"^-?\d+(?:[.,]\d+)?$")


class Quantity(NamedTuple):
    """How a printed column is named as a fact; `factor` turns what is printed into `unit`."""

    fact: str
    unit: str
    factor: float = 1.0


def share(fact: str) -> Quantity:
    """Return the quantity of a column in per cent."""
    return Quantity(fact, "share", 0.01)


CPU_SHARES: Mapping[str, Quantity] = {
    "%usr": share("cpu.user_share"),
    "%user": share("cpu.user_share"),
    "%nice": share("cpu.nice_share"),
    "%sys": share("cpu.system_share"),
    "%system": share("cpu.system_share"),
    "%iowait": share("cpu.iowait_share"),
    "%irq": share("cpu.irq_share"),
    "%soft": share("cpu.softirq_share"),
    "%steal": share("cpu.steal_share"),
    "%guest": share("cpu.guest_share"),
    "%idle": share("cpu.idle_share"),
}
"""Columns of mpstat, iostat and sar; shares of all CPUs together, or of the one that the label names."""


def banner_facts(line: str, number: int) -> tuple[Fact, ...]:
    """Return what the first line of a sysstat tool states, nothing when `line` is none."""
    found = BANNER.match(line)
    if not found:
        return ()
    lines = Lines.at(number)
    return (
        Fact("kernel.release", found["release"], lines),
        Fact("host.name", found["host"], lines),
        Fact("cpu.online", float(found["cpus"]), lines, "count"),
    )


def printed_number(cell: str) -> float | None:
    """Return a number printed with a point or a decimal comma, None for anything else."""
    return decimal(cell) if _NUMBER.match(cell) else None


def seconds_of_day(text: str) -> float | None:
    """Return seconds since midnight of `00:11:39` or `01:57:54 AM`, None for anything else."""
    found = _TIME.match(text.strip())
    if not found:
        return None
    hours = int(found["hours"]) % 12 if found["half"] else int(found["hours"])
    hours += 12 if found["half"] == "PM" else 0
    return float(3600 * hours + 60 * int(found["minutes"]) + int(found["seconds"]))


@dataclass(slots=True)
class Series:
    """Collects looks at values and turns them into one fact per name and entity."""

    _looks: dict[tuple[str, str, tuple[tuple[str, str], ...], bool], list[tuple[float, int]]] = field(
        default_factory=dict
    )

    def add(
        self,
        quantity: Quantity,
        value: float,
        line: int,
        labels: Mapping[str, str] | None = None,
        *,
        is_average: bool = False,
    ) -> None:
        """Record that `line` prints `value` in the unit of its column; `is_average` when the tool made it."""
        key = (quantity.fact, quantity.unit, tuple(sorted((labels or {}).items())), is_average)
        self._looks.setdefault(key, []).append((value * quantity.factor, line))

    def facts(self) -> list[Fact]:
        """Return the facts, in the order in which names first came."""
        facts = []
        for (name, unit, labels, is_average), looks in self._looks.items():
            if not is_average and (name, unit, labels, True) in self._looks:
                continue
            mean = sum(value for value, _ in looks) / len(looks)
            lines = Lines(looks[0][1], looks[-1][1])
            facts.append(Fact(name, round(mean, 6), lines, unit, dict(labels)))
        return facts


@dataclass(slots=True)
class Rows:
    """Collects the rows of one set as mappings; columns appear in the order they first come."""

    name: str
    rows: list[tuple[int, Mapping[str, Cell]]] = field(default_factory=list)

    def add(self, line: int, cells: Mapping[str, Cell]) -> None:
        """Add the row of `line`."""
        self.rows.append((line, cells))

    def sets(self, duration: float | None = None) -> tuple[RowSet, ...]:
        """Return the row set, or nothing when there is no row."""
        if not self.rows:
            return ()
        columns = tuple(dict.fromkeys(column for _, cells in self.rows for column in cells))
        rows = tuple(tuple(cells.get(column) for column in columns) for _, cells in self.rows)
        return (RowSet.of_rows(self.name, columns, rows, tuple(line for line, _ in self.rows), duration),)


def spanned(times: Iterable[str]) -> float | None:
    """Return seconds from the first to the last clock time; None for fewer than two.

    Midnight may lie between.
    """
    readable = [seconds for text in times if (seconds := seconds_of_day(text)) is not None]
    if len(readable) < 2 or readable[0] == readable[-1]:
        return None
    return (readable[-1] - readable[0]) % 86400


def plain_name(column: str) -> str:
    """Return a printed column as a name: `%vmeff` is `vmeff_share`, `pgscank/s` `pgscank_per_second`.

    >>> plain_name("rxkB/s"), plain_name("ldavg-15"), plain_name("%util")
    ('rxkb_per_second', 'ldavg_15', 'util_share')
    """
    suffix = "_share" if column.startswith("%") else "_per_second" if column.endswith("/s") else ""
    bare = column.removeprefix("%").removesuffix("/s")
    return re.sub(r"[^a-z0-9]+", "_", bare.lower()).strip("_") + suffix


def cells_of(words: Sequence[str], columns: Sequence[str]) -> dict[str, str] | None:
    """Return cells by column, None when there are more or fewer than columns."""
    return dict(zip(columns, words, strict=True)) if len(words) == len(columns) else None
