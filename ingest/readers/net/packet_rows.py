"""Packet tables of a bcc tracer: who handled each ICMP packet, in order.

Example:
    TGID    PID     PROCESS NAME    ICMP_SEQ ** RTT
    --
    10137   10436   cadvisor        1952
    76      76      ksoftirqd/11    1953 ** 99ms
    76      76      ksoftirqd/11    1958 ** (49ms)

A value in brackets was worked out by the author, not measured: it is a note and never counts. `--` parts
bursts, as `grep -B` prints them: how much lies between is not known.

A latency ramp is three or more neighbours in sequence whose round trips fall by one and the same step:
packets sent at a fixed interval that waited for one moment.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.reading import Reading, RowSet
from ingest.native.linear import Pattern
from ingest.parsing.latency_ramp import LatencyRamp, Reply, latency_ramps, ramp_facts
from ingest.paste.transcript import decimal, transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Cell
    from ingest.model.section import Text

NAME = "packet-rows"
VERSION = 1
TITLE = "Packets by process"
COMMAND = "./icmp-trace.py"
EXAMPLE = "TGID    PID     PROCESS NAME    ICMP_SEQ\n0       0       swapper/11      770"

COLUMNS = ("tgid", "pid", "process", "seq", "burst", "note", "rtt_ms")

_HEAD = re.compile(r"^\s*TGID\s+PID\s+PROCESS(?: NAME)?\s+(?:ICMP_|TCP_)?SEQ\b(?P<rest>.*)$")
_ROW = Pattern(
    r"^\s*(?P<tgid>\d{1,10})\s+(?P<pid>\d{1,10})\s+(?P<process>\S.*?)\s+(?P<seq>\d{1,18})"
    r"(?:\s+(?:\*\*\s*)?(?P<note>\(?\s*\d[\d.,]*\s*(?:ms|us|s)\s*\)?|<?-+\s*.*|#.*))?\s*$"
)
_MEASURED = re.compile(r"^(?P<value>\d+(?:[.,]\d+)?)\s*(?P<unit>ms|us|s)$")
_SEPARATOR = re.compile(r"^\s*--\s*$")
_TO_MS = {"ms": 1.0, "us": 1e-3, "s": 1e3}


STARTS = (_HEAD.pattern,)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a packet table starts at `lines[at]`: its header, with a row below."""
    return bool(_HEAD.match(lines[at])) and any(_ROW.match(ahead) for ahead in lines[at + 1 : at + 4])


def continues(line: str) -> bool:
    """Return whether `line` can occur in a packet table."""
    return not line.strip() or bool(_ROW.match(line) or _SEPARATOR.match(line) or _HEAD.match(line))


def read(text: Text) -> Reading:
    """Read rows in printed order, bursts numbered by the separators before them."""
    pasted = transcript(text)
    rows: list[tuple[Cell, ...]] = []
    row_lines: list[int] = []
    measured: list[list[Reply]] = [[]]
    burst = 0
    for number, line, _ in pasted.lines:
        if _SEPARATOR.match(line):
            burst += 1
            measured.append([])
            detail = "`--` parts the rows: what lies between is not shown"
            pasted.remark("excerpt", detail, number)
            continue
        found = _ROW.match(line)
        if not found:
            if line.strip() and not _HEAD.match(line):
                pasted.skips.add("not a packet row", number)
            continue
        note = found["note"] or None
        value = _MEASURED.match(note) if note else None
        rtt_ms = decimal(value["value"]) * _TO_MS[value["unit"]] if value else None
        seq = int(found["seq"])
        row = (float(found["tgid"]), float(found["pid"]), found["process"], float(seq), float(burst))
        rows.append((*row, note, rtt_ms))
        row_lines.append(number)
        if rtt_ms is not None:
            measured[-1].append(Reply(seq, rtt_ms / 1000, number))
    found_ramps: list[LatencyRamp] = [ramp for replies in measured for ramp in latency_ramps(replies)]
    facts = ramp_facts(found_ramps, {"series": "icmp"}) if found_ramps else ()
    sets = (RowSet.of_rows("packet_rows", COLUMNS, tuple(rows), tuple(row_lines)),) if rows else ()
    return Reading(facts=facts, row_sets=sets, skipped=pasted.skips.result(), quality=tuple(pasted.quality))
