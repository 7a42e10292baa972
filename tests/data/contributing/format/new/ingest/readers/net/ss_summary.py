"""`ss -s`: how many sockets there are, by TCP state and transport.

Example:
    Total: 486
    TCP:   94 (estab 13, closed 74, orphaned 0, timewait 74)

    Transport Total     IP        IPv6
    TCP	  20        20        0

Source: ss(8); print_summary in misc/ss.c of iproute2.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "ss-summary"
VERSION = 1
TITLE = "ss -s"
COMMAND = "ss -s"
EXAMPLE = "Total: 486\nTCP:   94 (estab 13, closed 74, orphaned 0, timewait 74)"

_TOTAL = re.compile(r"^Total: (?P<sockets>\d+)\s*$")
_STATES = re.compile(r"^TCP:\s+\d+ \((?P<states>[a-z]+ \d+(?:, [a-z]+ \d+)*)\)\s*$")
_HEAD = re.compile(r"^Transport\s+Total\s+IP\s+IPv6\s*$")
_ROW = re.compile(r"^(?P<transport>RAW|UDP|TCP|INET|FRAG)\s+(?P<sockets>\d+)\s+\d+\s+\d+\s*$")


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a summary starts at `lines[at]`."""
    return bool(_TOTAL.match(lines[at]) and at + 1 < len(lines) and _STATES.match(lines[at + 1]))


def continues(line: str) -> bool:
    """Return whether `line` can occur in it."""
    return any(shape.match(line) for shape in (_TOTAL, _STATES, _HEAD, _ROW))


def read(text: Text) -> Reading:
    """Read the number of sockets in total, by TCP state and by transport."""
    reader = FactReader(text)
    for line, entry in enumerate(text.lines, start=text.first_line):
        if found := _TOTAL.match(entry):
            reader.add("ss.sockets", float(found["sockets"]), line, "count")
        elif found := _STATES.match(entry):
            for state, count in (pair.split() for pair in found["states"].split(", ")):
                reader.add("ss.tcp_sockets", float(count), line, "count", {"state": state})
        elif found := _ROW.match(entry):
            labels = {"transport": found["transport"].lower()}
            reader.add("ss.transport_sockets", float(found["sockets"]), line, "count", labels)
        elif entry.strip() and not _HEAD.match(entry):
            reader.skips.add("not a line of ss -s", line)
    return reader.result()
