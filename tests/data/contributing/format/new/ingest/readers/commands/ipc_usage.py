"""`ipcs -u`: use of System V message queues, shared memory and semaphores.

Example:
    ------ Messages Status --------
    allocated queues = 2
    used headers = 14
    used space = 3584 bytes

    ------ Shared Memory Status --------
    segments allocated 3
    pages allocated 786432

Source: ipcs(1); print_usage in sys-utils/ipcs.c of util-linux.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader
from ingest.parsing.shapes import Lines, Meaning

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

_HEAD = re.compile(r"^------ (?P<kind>Messages|Shared Memory|Semaphore) Status --------\s*$")
_COUNT = re.compile(r"^(?P<name>[a-z]+ [a-z]+)(?: = |[ \t]+)(?P<count>\d+)(?: bytes)?\s*$")
_SWAP = re.compile(r"^Swap performance: (?P<attempts>\d+) attempts\s+\d+ successes\s*$")


def _read(text: Text) -> Reading:
    """Read the counts of every kind: queues, headers, segments, pages, arrays."""
    reader = FactReader(text)
    kind = ""
    for line, entry in enumerate(text.lines, start=text.first_line):
        if head := _HEAD.match(entry):
            kind = head["kind"].lower()
        elif found := _COUNT.match(entry):
            labels = {"kind": kind, "name": found["name"]}
            reader.add("ipc.count", float(found["count"]), line, "count", labels)
        elif found := _SWAP.match(entry):
            reader.add("ipc.swap_attempts", float(found["attempts"]), line, "count")
        elif entry.strip():
            reader.skips.add("not a line of ipcs -u", line)
    return reader.result()


FACTS = {
    "ipc.count": Meaning(
        'one count of message queues, shared memory or semaphores; of "used space", bytes',
        "count",
        ("kind", "name"),
        "ipc.count = 14",
    ),
    "ipc.swap_attempts": Meaning("attempts to swap shared memory", "count"),
}
FORMAT = Lines(
    name="ipc-usage",
    title="ipcs -u",
    command="ipcs -u",
    example="------ Messages Status --------\nallocated queues = 2\nused headers = 14\n"
    "used space = 3584 bytes",
    first=_HEAD,
    below=_COUNT,
    shapes=(_HEAD, _COUNT, _SWAP),
    read=_read,
)
