"""`/proc/softirqs`: soft interrupts by vector and CPU, since boot.

Example:
                        CPU0       CPU1
          TIMER:      66745      69394
         NET_RX:     171864     244912

Source: show_softirqs in fs/proc/softirqs.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader
from ingest.parsing.shapes import Lines, Meaning

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

_HEAD = re.compile(r"^\s+CPU\d+(?:\s+CPU\d+)*\s*$")
_ROW = re.compile(
    r"^\s*(?P<vector>HI|TIMER|NET_TX|NET_RX|BLOCK|BLOCK_IOPOLL|IRQ_POLL|TASKLET|SCHED|HRTIMER|RCU):"
    r"(?P<counts>(?:\s+\d+)+)\s*$"
)
_CPU = re.compile(r"CPU(\d+)")


def _read(text: Text) -> Reading:
    """Read one fact per vector and CPU: `softirqs.net_rx`."""
    reader = FactReader(text)
    cpus: list[str] = []
    for line, entry in enumerate(text.lines, start=text.first_line):
        if _HEAD.match(entry):
            cpus = _CPU.findall(entry)
        elif (row := _ROW.match(entry)) and cpus:
            name = f"softirqs.{row['vector'].lower()}"
            for cpu, count in zip(cpus, row["counts"].split(), strict=False):
                reader.add(name, float(count), line, "count", {"cpu": cpu})
        elif entry.strip():
            reader.skips.add("not a vector of softirqs", line)
    return reader.result()


FACTS = {
    "softirqs.<key>": Meaning(
        "soft interrupts of one vector on one CPU since boot", "count", ("cpu",), "softirqs.hi = 0"
    ),
}
FORMAT = Lines(
    name="proc-softirqs",
    title="/proc/softirqs",
    example="                    CPU0       CPU1       \n"
    "          HI:          0          0\n"
    "       TIMER:      66745      69394",
    paths=("proc/softirqs",),
    begins_once=True,
    first=_HEAD,
    below=_ROW,
    shapes=(_HEAD, _ROW),
    read=_read,
)
