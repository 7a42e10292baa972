"""`vmstat -s`: memory now, and what the kernel has counted since boot.

Example:
     24684100 K total memory
       280281 pages swapped out
      2942799 non-nice user cpu ticks

Counters that /proc/stat and /proc/vmstat have are the facts of these. Ticks are of USER_HZ, 100 a second.
Source: procps src/vmstat.c (sum_format).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import BYTES_PER_KIB, FactReader
from ingest.parsing.shapes import Column, Lines

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

_TICK = 0.01
_ROW = re.compile(r"^\s*(?P<value>\d{1,20}) (?P<name>(?:K )?[A-Za-z][A-Za-z -]{4,40}?)\s*$")
_FIRST = re.compile(r"^\s*\d{1,20} K total memory\s*$")

_MEMORY = {"total": "total", "free": "free", "buffer": "buffers"}
_TICKS = {
    "non-nice user": "user",
    "nice user": "nice",
    "system": "system",
    "idle": "idle",
    "IO-wait": "iowait",
    "IRQ": "irq",
    "softirq": "softirq",
    "stolen": "steal",
}
COLUMNS = {
    **{
        f"K {name} memory": Column(f"free.mem.{fact}_bytes", "bytes", BYTES_PER_KIB)
        for name, fact in _MEMORY.items()
    },
    **{
        f"K {name} swap": Column(f"free.swap.{name}_bytes", "bytes", BYTES_PER_KIB)
        for name in ("total", "used", "free")
    },
    **{
        f"{name} cpu ticks": Column(f"stat.cpu.{fact}_seconds", "seconds", _TICK)
        for name, fact in _TICKS.items()
    },
    "pages swapped in": Column("vmstat.pswpin", "count"),
    "pages swapped out": Column("vmstat.pswpout", "count"),
    "CPU context switches": Column("stat.ctxt", "count"),
    "forks": Column("stat.processes", "count"),
}
"""Facts by the words behind a number; the other numbers are no facts."""


def read(text: Text) -> Reading:
    """Read the numbers that are facts."""
    reader = FactReader(text)
    for line, row in reader.matching(_ROW, "not a counter of vmstat -s"):
        column = COLUMNS.get(row["name"])
        if column is not None:
            reader.add(column.fact, float(row["value"]) * column.factor, line, column.unit)
    return reader.result()


FORMAT = Lines(
    name="vmstat-statistics",
    title="vmstat -s",
    example="     24684100 K total memory\n      1090776 K used memory",
    paths=("sos_commands/*/vmstat_-s",),
    commands=(r"vmstat (?:-S [kK] )?-s",),
    first=_FIRST,
    shapes=(_ROW,),
    read=read,
)
