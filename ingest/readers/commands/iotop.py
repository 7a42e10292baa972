"""`iotop`: what threads read and write, and how long they wait for it.

Example:
    Total DISK READ :       0.00 B/s | Total DISK WRITE :     104.21 M/s
    Actual DISK READ:       0.00 B/s | Actual DISK WRITE:      91.33 M/s
        TID  PRIO  USER     DISK READ  DISK WRITE  SWAPIN     IO>    COMMAND
      21733 be/4 postgres    0.00 B/s   88.21 M/s  0.00 % 91.22 % postgres: checkpointer

`IO>` is the share of its time in which a thread waits for block I/O; without delay accounting the kernel
has none, and `?unavailable?` stands in place of both shares. Amounts of `-a` are
totals since iotop began and no rates: they are left out.
Source: iotop ui.py; iotop-c view.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "iotop"
VERSION = 2
TITLE = "iotop"
COMMAND = "sudo iotop -b -o -n 2"
EXAMPLE = (
    "Total DISK READ :       0.00 B/s | Total DISK WRITE :     104.21 M/s\n"
    "    TID  PRIO  USER     DISK READ  DISK WRITE  SWAPIN     IO>    COMMAND"
)

_TOTAL = re.compile(r"^(?:\d\d:\d\d:\d\d )?\s*(?:Total|Actual|Current) DISK READ ?: ")
_HEAD = re.compile(r"^\s*(?:TIME\s+)?(?:TID|PID)\s+PRIO\s+USER\s+DISK READ>?\s+DISK WRITE>?\s")
_AMOUNT = r"(?P<{0}>\d{{1,9}}\.\d\d) (?P<{0}_unit>[BKMGT])(?:/s)?"
_ROW = re.compile(
    r"^(?:\d\d:\d\d:\d\d)?\s*(?P<tid>\d{1,10})\s+[a-z?]{2,4}(?:/[0-7])?\s+\S{1,32}\s+"
    rf"{_AMOUNT.format('read')}\s+{_AMOUNT.format('written')}\s+"
    r"(?:\?unavailable\?\s+|(?:\d{1,5}\.\d\d %\s+(?:(?P<io>\d{1,5}\.\d\d) %|\?unavailable\?)\s+))?"
    r"(?P<command>\S.*)$"
)
_SCALES = {"B": 1.0, "K": 1024.0, "M": 1024.0**2, "G": 1024.0**3, "T": 1024.0**4}

STARTS = (_TOTAL.pattern, _HEAD.pattern)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the totals or the head of the table are at `lines[at]`."""
    return bool(_TOTAL.match(lines[at]) or _HEAD.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is a total, a head or a thread."""
    return bool(_TOTAL.match(line) or _HEAD.match(line) or _ROW.match(line))


def read(text: Text) -> Reading:
    """Read rates, and the share of time that a thread waits for I/O, by name and id."""
    reader = FactReader(text)
    for line, entry in reader.lines():
        row = _ROW.match(entry)
        if row is None:
            if not _TOTAL.match(entry) and not _HEAD.match(entry):
                reader.skips.add("not a thread of iotop", line)
            continue
        labels = {"comm": _name(row["command"]), "pid": row["tid"]}
        if "/s" in entry[row.start("read") : row.end("written_unit") + 2]:
            for group in ("read", "written"):
                rate = float(row[group]) * _SCALES[row[f"{group}_unit"]]
                reader.add(f"process.{group}_bytes_per_second", rate, line, "per_second", labels)
        if row["io"]:
            share = min(1.0, float(row["io"]) / 100)
            reader.add("process.io_delay_share", round(share, 6), line, "share", labels)
    return reader.result()


def _name(command: str) -> str:
    """Return the name of a thread: of a kernel thread without its brackets, of a program without its path."""
    first = command.split(maxsplit=1)[0]
    if first.startswith("["):
        return first.strip("[]")
    return first.rpartition("/")[2].rstrip(":") or first
