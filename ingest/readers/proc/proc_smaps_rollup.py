"""`/proc/<pid>/smaps_rollup`: memory of one process, counted page by page.

Example:
    55bb83a9f000-7ffca1f2b000 ---p 00000000 00:00 0                          [rollup]
    Rss:              203268 kB
    Pss:              201958 kB

Source: show_smaps_rollup in fs/proc/task_mmu.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import BYTES_PER_KIB, FactReader, pid_labels, pids_of_lists
from ingest.parsing.shapes import Lines, Meaning

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

_HEAD = re.compile(r"^\s*[0-9a-f]+-[0-9a-f]+ ---p [0-9a-f]+ [0-9a-f:]+ 0\s+\[rollup\]\s*$")
_ENTRY = re.compile(r"^\s*(?P<key>[A-Z]\w*):\s+(?P<value>\d{1,20}) kB\b")


def _read(text: Text) -> Reading:
    """Read resident, proportional and swapped sizes; the file again is the next snapshot."""
    reader = FactReader(text)
    entries = [(line, entry, _ENTRY.match(entry)) for line, entry in reader.lines()]
    lists = sum(found is not None and found["key"] == "Rss" for _, _, found in entries)
    own = pid_labels(text.path)
    of_list = [own] * lists if own else pids_of_lists(text.command, "smaps_rollup", lists)
    at = -1
    for line, entry, found in entries:
        if found:
            at += found["key"] == "Rss"
            labels = of_list[max(at, 0)] if of_list else own
            name = "rss.smaps_rollup" if found["key"] == "Rss" else f"smaps_rollup.{found['key'].lower()}"
            reader.add(f"process.{name}_bytes", float(found["value"]) * BYTES_PER_KIB, line, "bytes", labels)
        elif not _HEAD.match(entry):
            reader.skips.add("not `Key: number kB`", line)
    return reader.result()


FACTS = {
    "process.smaps_rollup.<key>_bytes": Meaning(
        "sums that the kernel made over all mappings",
        "bytes",
        ("pid", "pid_namespace"),
        "process.smaps_rollup.pss_bytes = 103424000",
    ),
}
FORMAT = Lines(
    name="proc-smaps-rollup",
    version=2,
    title="/proc/PID/smaps_rollup",
    example="55bb83a9f000-7ffca1f2b000 ---p 00000000 00:00 0                          [rollup]\n"
    "Rss:              203268 kB\nPss:              201958 kB",
    paths=("proc/*/smaps_rollup",),
    first=_HEAD,
    shapes=(_HEAD, _ENTRY),
    read=_read,
)
