"""netqtop of bcc: packets of each queue of a network interface, by size.

Example:
    Thu Sep 10 11:39:21 2020
    TX
     QueueID    avg_size   [0, 64)   [64, 512)  [512, 2K)  [2K, 16K)  [16K, 64K)    BPS        PPS
        8          54          2          0          0          0          0      108.0        2.0
     Total         54          2          0          0          0          0      108.0        2.0

The counts of sizes are of one interval; from 1,000 on they are rounded to `1.5K`. With `-t` there are bytes
(BPS) and packets (PPS) a second. The total repeats the sum of the queues.
Source: tools/netqtop.py in iovisor/bcc.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.series import Rows
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Cell
    from ingest.model.section import Text

NAME = "netqtop"
VERSION = 1
PRIORITY = 59
TITLE = "netqtop (bcc)"
COMMAND = "netqtop -n eth0 -i 1 -t"
EXAMPLE = (
    "TX\n"
    " QueueID    avg_size   [0, 64)   [64, 512)  [512, 2K)  [2K, 16K)  [16K, 64K)\n"
    "    0          88          0          9          0          0          0"
)

_SIZES = ("[0, 64)", "[64, 512)", "[512, 2K)", "[2K, 16K)", "[16K, 64K)")
_COLUMNS = r"\s+".join(re.escape(size).replace(r"\ ", " ") for size in _SIZES)
_HEAD = re.compile(rf"^\s*QueueID\s+avg_size\s+{_COLUMNS}(?P<rates>\s+BPS\s+PPS)?\s*$")
_WAY = re.compile(r"^\s*(?P<way>TX|RX)\s*$")
_AMOUNT = r"[0-9]{1,12}(?:\.[0-9]{1,3})?[KM]?"
_ROW = Pattern(rf"^\s*(?P<queue>[0-9]+|Total)(?P<amounts>(?:\s+{_AMOUNT}){{6,8}})\s*$")
_STAMP = Pattern(r"^\s*[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}\s*$")
_RULE = re.compile(r"^\s*-{40,}\s*$")
_INTERFACE = Pattern(r"(?:^|\s)(?:-n|--name)[ =](?P<name>\S+)")
_SCALES = {"K": 1024.0, "M": 1024.0**2}

STARTS = (
    r"\s*QueueID\s+avg_size\s",
    r"\s*(?:TX|RX)\s*$",
    r"\s*[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}\s*$",
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the head of a table is at `lines[at]`, or the direction or the time above it."""
    if _HEAD.match(lines[at]):
        return True
    if _WAY.match(lines[at]):
        return at + 1 < len(lines) and bool(_HEAD.match(lines[at + 1]))
    return bool(_STAMP.match(lines[at])) and at + 2 < len(lines) and bool(_HEAD.match(lines[at + 2]))


def continues(line: str) -> bool:
    """Return whether `line` can occur among the tables."""
    return any(shape.match(line) for shape in (_ROW, _HEAD, _WAY, _STAMP, _RULE))


def read(text: Text) -> Reading:
    """Read the packets of every queue and direction, all intervals together."""
    pasted = transcript(text)
    interface = _INTERFACE.search(pasted.command)
    labels = {"interface": interface["name"]} if interface else {}
    rows = Rows("network_queues")
    packets: dict[tuple[str, str], list[tuple[float, int]]] = {}
    way, has_rates = "", False
    for number, line, _ in pasted.lines:
        if direction := _WAY.match(line):
            way = direction["way"].lower()
        elif head := _HEAD.match(line):
            has_rates = head["rates"] is not None
        elif row := _ROW.match(line):
            amounts = [_amount(one) for one in row["amounts"].split()]
            if row["queue"] == "Total":
                continue
            if len(amounts) != (8 if has_rates else 6):
                pasted.skips.add("not as many numbers as columns", number)
                continue
            count = sum(amounts[1:6])
            cells: dict[str, Cell] = {
                "direction": way or None,
                "queue": float(row["queue"]),
                "average_size_bytes": amounts[0],
                "packets": count,
            }
            if has_rates:
                cells |= {"bytes_per_second": amounts[6], "packets_per_second": amounts[7]}
            rows.add(number, cells)
            packets.setdefault((way, row["queue"]), []).append((count, number))
        elif line.strip() and not _STAMP.match(line) and not _RULE.match(line):
            pasted.skips.add("not a queue", number)
    facts = tuple(
        Fact(
            "net.queue.packets",
            sum(count for count, _ in found),
            Lines(found[0][1], found[-1][1]),
            "count",
            {**labels, "direction": direction, "queue": queue},
        )
        for (direction, queue), found in packets.items()
    )
    return Reading(
        facts=facts,
        row_sets=rows.sets(),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )


def _amount(printed: str) -> float:
    """Return a number that may end in the unit K or M, powers of 1024."""
    scale = _SCALES.get(printed[-1])
    return float(printed[:-1]) * scale if scale else float(printed)
