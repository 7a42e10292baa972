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

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "ipc-usage"
VERSION = 1
TITLE = "ipcs -u"
COMMAND = "ipcs -u"
EXAMPLE = "------ Messages Status --------\nallocated queues = 2\nused headers = 14\nused space = 3584 bytes"

_HEAD = re.compile(r"^------ (?P<kind>Messages|Shared Memory|Semaphore) Status --------\s*$")
_COUNT = re.compile(r"^(?P<name>[a-z]+ [a-z]+)(?: = |[ \t]+)(?P<count>\d+)(?: bytes)?\s*$")
_SWAP = re.compile(r"^Swap performance: (?P<attempts>\d+) attempts\s+\d+ successes\s*$")


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a report starts at `lines[at]`."""
    return bool(_HEAD.match(lines[at]) and at + 1 < len(lines) and _COUNT.match(lines[at + 1]))


def continues(line: str) -> bool:
    """Return whether `line` can occur in it."""
    return any(shape.match(line) for shape in (_HEAD, _COUNT, _SWAP))


def read(text: Text) -> Reading:
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
