"""`tc -s qdisc`, `tc -s class`: what each queueing discipline sent, dropped and holds.

Example:
    qdisc fq_codel 8002: dev v0 parent 1:10 limit 20p flows 1024 quantum 1514 target 5ms interval 100ms
     Sent 577960 bytes 420 pkt (dropped 12, overlimits 1081 requeues 0)
     backlog 1254b 1p requeues 0

Source: print_tcstats2_attr in iproute2 tc/tc_util.c; tc(8).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.protocols import Start

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "tc-statistics"
VERSION = 1
TITLE = "tc -s qdisc, tc -s class"
EXAMPLE = (
    "qdisc pfifo_fast 0: dev eth0 root refcnt 2 bands 3 priomap 1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 1\n"
    " Sent 1041718 bytes 10242 pkt (dropped 0, overlimits 0 requeues 4)\n"
    " backlog 0b 0p requeues 4"
)

PATHS: tuple[str, ...] = ("sos_commands/networking/tc_-s_*",)
COMMANDS: tuple[str, ...] = (r"tc (?:-\S+ )*-s(?:tat\S*)?(?: -\S+)* (?:qdisc|class)(?: .*)?",)
HINTS: tuple[str, ...] = ()

_HEAD = re.compile(
    r"^\s*(?P<object>qdisc|class) (?P<kind>[a-z_]{2,20}) (?P<handle>[0-9a-fA-F]*:[0-9a-fA-F]*)"
    r"(?: \[[^\]]{1,40}\])?(?: dev (?P<interface>\S{1,32}))?(?P<rest> .*|)$"
)
_SENT = Pattern(
    r"^\s*Sent (?P<bytes>\d{1,20}) bytes (?P<packets>\d{1,20}) pkts? "
    r"\(dropped (?P<dropped>\d{1,20}), overlimits (?P<overlimits>\d{1,20}) requeues (?P<requeues>\d{1,20})\)"
)
_BACKLOG = re.compile(
    r"^\s*(?:rate \S+ \S+ )?backlog (?P<bytes>\d{1,18}[KMG]?)b (?P<packets>\d{1,18})p requeues \d+"
)
_DETAIL = re.compile(r"^\s+\S")
_DEVICE = re.compile(r"\bdev (?P<interface>[\w.@-]{1,32})")
_SCALES = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3}

STARTS = (
    Start((r"\s*(?:qdisc|class) [a-z_]+ [0-9a-fA-F]*:",), near=(r"\s*Sent \d+ bytes \d+ pkt",), within=3),
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether an entry with counters starts at `lines[at]`."""
    return bool(_HEAD.match(lines[at])) and any(_SENT.match(line) for line in lines[at + 1 : at + 4])


def continues(line: str) -> bool:
    """Return whether `line` is of an entry."""
    return bool(_HEAD.match(line) or _SENT.match(line) or _BACKLOG.match(line) or _DETAIL.match(line))


def read(text: Text) -> Reading:
    """Read the counters of every entry: `net.qdisc.dropped`, `net.qdisc.backlog_packets`."""
    reader = FactReader(text)
    device = _DEVICE.search(text.command)
    labels: dict[str, str] = {}
    name = ""
    for line, entry in enumerate(text.lines, start=text.first_line):
        if head := _HEAD.match(entry):
            name = "net.qdisc" if head["object"] == "qdisc" else "net.tc_class"
            interface = head["interface"] or (device["interface"] if device else "")
            labels = {"kind": head["kind"], "handle": head["handle"]}
            labels |= {"interface": interface} if interface else {}
        elif name and (sent := _SENT.match(entry)):
            for key in ("bytes", "packets"):
                reader.add(
                    f"{name}.sent_{key}",
                    float(sent[key]),
                    line,
                    "bytes" if key == "bytes" else "count",
                    labels,
                )
            for key in ("dropped", "overlimits", "requeues"):
                reader.add(f"{name}.{key}", float(sent[key]), line, "count", labels)
        elif name and (backlog := _BACKLOG.match(entry)):
            size = backlog["bytes"]
            scale = _SCALES[size[-1] if size[-1].isalpha() else ""]
            reader.add(f"{name}.backlog_bytes", float(size.rstrip("KMG")) * scale, line, "bytes", labels)
            reader.add(f"{name}.backlog_packets", float(backlog["packets"]), line, "count", labels)
        elif entry.strip() and not _DETAIL.match(entry):
            reader.skips.add("not a line of tc -s", line)
    return reader.result()
