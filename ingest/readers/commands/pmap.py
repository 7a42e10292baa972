"""`pmap -x` and `pmap -X` of a process: the resident size that its page tables hold, from /proc/PID/smaps.

Examples:
    51002:   /usr/local/bin/imgproxy
    Address           Kbytes     RSS   Dirty Mode  Mapping
    ---------------- ------- ------- -------
    total kB         2910120  611204  560120

    51002:   /usr/local/bin/imgproxy
             Address Perm   Offset Device   Inode    Size    Rss    Pss Referenced Anonymous Mapping
                                                  ======= ====== ====== ========== =========
                                                  2910120 611204 590811     598112    560120 KB

Source: pmap(1), procps src/pmap.c.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import BYTES_PER_KIB, FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "pmap"
VERSION = 1
TITLE = "pmap -x, pmap -X"
COMMAND = "pmap -x $PID"
EXAMPLE = (
    "4411:   /usr/sbin/mysqld\nAddress           Kbytes     RSS   Dirty Mode  Mapping\n"
    "---------------- ------- ------- -------\ntotal kB          822140  140112  120344"
)

_PROCESS = Pattern(r"^\s*(?P<pid>\d{1,10}):\s+\S.*$")
_HEADER = Pattern(r"^\s*Address\s+(?:Kbytes\s+RSS|Perm\s+Offset)\b.*$")
_MAPPING = Pattern(r"^\s*[0-9a-f]{8,16}\s+.*$")
_RULER = Pattern(r"^\s*(?:=+|-+)(?:\s+(?:=+|-+))+\s*$")
_TOTAL = Pattern(r"^\s*total kB\s+\d{1,15}\s+(?P<rss>\d{1,15})\b.*$")
_SUMS = Pattern(r"^\s*(?P<numbers>\d{1,15}(?:\s+\d{1,15})+)\s+KB\s*$")

STARTS = (r"\s*\d{1,10}:\s",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether pmap starts at `lines[at]`: PID and command, then the header of its table."""
    return at + 1 < len(lines) and bool(_PROCESS.match(lines[at])) and bool(_HEADER.match(lines[at + 1]))


def continues(line: str) -> bool:
    """Return whether `line` is one of the table."""
    return any(shape.match(line) for shape in (_MAPPING, _HEADER, _RULER, _TOTAL, _SUMS))


def read(text: Text) -> Reading:
    """Read the sum of resident sizes of all mappings, for each process."""
    reader = FactReader(text)
    labels: dict[str, str] = {}
    columns: list[str] = []
    for line, entry in enumerate(text.lines, start=text.first_line):
        if found := _PROCESS.match(entry):
            labels = {"pid": found["pid"]}
        elif _HEADER.match(entry):
            # Behind the columns of a mapping come those that are summed.
            columns = entry.split()
            columns = columns[columns.index("Size") :] if "Size" in columns else []
        elif found := _TOTAL.match(entry):
            _add(reader, found["rss"], line, labels)
        elif found := _SUMS.match(entry):
            sums = found["numbers"].split()
            if "Rss" in columns and len(sums) > columns.index("Rss"):
                _add(reader, sums[columns.index("Rss")], line, labels)
        elif entry.strip() and not (_MAPPING.match(entry) or _RULER.match(entry)):
            reader.skips.add("not a line of pmap", line)
    return reader.result()


def _add(reader: FactReader, kib: str, line: int, labels: dict[str, str]) -> None:
    reader.add("process.rss.smaps_rollup_bytes", float(kib) * BYTES_PER_KIB, line, "bytes", labels)
