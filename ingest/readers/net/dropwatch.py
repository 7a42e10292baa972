"""dropwatch: kernel functions that dropped packets, as often as the kernel reported it.

Examples:
    1 drops at icmp_rcv+125 (0xffffffffb4505a35) [software]
    3 drops at ingress_vlan_filter [hardware]

    drop at: __udp4_lib_rcv+0xa06/0xb20 (0xffffffff9406e5b6)
    origin: software
    protocol: 0x800
    length: 46
    drop reason: NO_SOCKET

A function that frees a packet after its use counts as one that dropped it on kernels before 5.17, which know
no reason (kfree_skb). Source: src/main.c of dropwatch (handle_dm_alert_msg, handle_dm_packet_alert_msg).
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

NAME = "dropwatch"
VERSION = 1
TITLE = "dropwatch"
COMMAND = "sudo dropwatch -l kas"
EXAMPLE = "1 drops at icmp_rcv+125 (0xffffffffb4505a35) [software]"

_PLACE = (
    r"(?P<place>location 0x[0-9a-f]+|[A-Za-z_][A-Za-z0-9_.]*)"
    r"(?:\+(?:0x)?[0-9a-f]+(?:/0x[0-9a-f]+)?)?(?: \[[A-Za-z0-9_]+\])?"
)
_SUMMARY = Pattern(
    rf"^\s*(?P<count>[0-9]{{1,12}}) drops at {_PLACE}(?:\s+\((?:0x)?[0-9a-f]+\))?"
    r"(?:\s+\[(?P<origin>software|hardware)\])?\s*$"
)
_PACKET = Pattern(rf"^\s*drop at: {_PLACE}(?:\s+\((?P<group>[A-Za-z0-9_.]+)\))?\s*$")
_FIELD = Pattern(
    r"^\s*(?P<key>origin|input port ifindex|input port name|cookie|timestamp|"
    r"protocol|length|original length|drop reason): "
    r"(?P<value>.+)$"
)
_MESSAGE = re.compile(
    r"^\s*(?:dropwatch> |Init[a-z]*ing kallsyms db|Enabling monitoring\.\.\.|Kernel monitoring activated\.|"
    r"Issue Ctrl-C to stop|Got a stop message|Alert limit reached|Shutting down|Waiting for|"
    r"Setting alert mode|Alert mode successfully set|Initializing null lookup method)"
)

_OPENING = re.compile(r"^\s*(?:dropwatch> start|Init[a-z]*ing kallsyms db)")

STARTS = (r"\s*\d+ drops at \S", r"\s*drop at: \S", _OPENING.pattern.removeprefix("^"))
KEPT = {"origin": "origin", "input port name": "interface", "protocol": "protocol", "drop reason": "reason"}


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a drop is at `lines[at]`, or what the tool says before the first."""
    if _SUMMARY.match(lines[at]) or _PACKET.match(lines[at]):
        return True
    if not _OPENING.match(lines[at]):
        return False
    following = (line for line in lines[at + 1 : at + 12] if line.strip() and not _MESSAGE.match(line))
    first = next(following, "")
    return bool(_SUMMARY.match(first) or _PACKET.match(first))


def continues(line: str) -> bool:
    """Return whether `line` is a drop, a field of one or a message of the tool."""
    return any(shape.match(line) for shape in (_SUMMARY, _PACKET, _FIELD, _MESSAGE))


def read(text: Text) -> Reading:
    """Read every report; the drops of a function, or for a reason, are facts."""
    pasted = transcript(text)
    rows = Rows("trace:dropwatch")
    counts: dict[str, list[tuple[float, int]]] = {}
    packet: dict[str, Cell] = {}
    for number, line, _ in pasted.lines:
        if not line.strip():
            packet = {}
        elif report := _SUMMARY.match(line):
            count, place = float(report["count"]), report["place"].removeprefix("location ")
            rows.add(number, {"function": place, "packets": count, "origin": report["origin"]})
            counts.setdefault(place, []).append((count, number))
        elif dropped := _PACKET.match(line):
            packet = {"function": dropped["place"], "packets": 1.0}
            rows.add(number, packet)
            counts.setdefault(dropped["place"], []).append((1.0, number))
        elif packet and (found := _FIELD.match(line)):
            if found["key"] in KEPT:
                packet[KEPT[found["key"]]] = found["value"].strip()
        else:
            reason = "a message of the tool" if _MESSAGE.match(line) else "not a drop"
            pasted.skips.add(reason, number)
    return Reading(
        facts=tuple(
            Fact(
                "trace.packet_drops",
                sum(count for count, _ in found),
                Lines(found[0][1], found[-1][1]),
                "count",
                {"function": place},
            )
            for place, found in counts.items()
        ),
        row_sets=rows.sets(),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )
