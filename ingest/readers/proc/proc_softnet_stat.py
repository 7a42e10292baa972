"""`/proc/net/softnet_stat`: one row of hexadecimal counters per CPU.

Example:
    0002609f 00000000 00000005 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 …

Columns 1-3 are packets processed, dropped, and rounds cut short (`time_squeeze`); since 5.10 column 12 is the
length of the backlog and 13 the CPU. All are 32 bits wide. Source: softnet_seq_show in net/core/net-procfs.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "proc-softnet-stat"
VERSION = 2
TITLE = "/proc/net/softnet_stat"
EXAMPLE = "0002609f 00000000 00000005 00000000 00000000 00000000 00000000 00000000 00000000 00000000"

PATHS: tuple[str, ...] = ("proc/net/softnet_stat",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ("proc_net_softnet_stat*", "softnet_stat*")

BACKLOG_COLUMN, CPU_COLUMN = 11, 12
_ROW = re.compile(r"^\s*[0-9a-f]{8}(?: [0-9a-f]{8}){8,}\s*$")


STARTS = (r"\s*[0-9a-f]{8} [0-9a-f]{8} ",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether `lines[at]` is a row: nine or more words of eight hexadecimal digits."""
    return bool(_ROW.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is another CPU's row."""
    return bool(_ROW.match(line))


def read(text: Text) -> Reading:
    """Read three counters per CPU; without the CPU column the row number replaces it.

    Where that column is, the length of the backlog is read, too.
    """
    reader = FactReader(text)
    for row, (line, entry) in enumerate(reader.lines()):
        if not _ROW.match(entry):
            reader.skips.add("not a row of softnet_stat", line)
            continue
        words = [int(word, 16) for word in entry.split()]
        labels = {"cpu": str(words[CPU_COLUMN] if len(words) > CPU_COLUMN else row)}
        for name, value in zip(("processed", "dropped", "time_squeeze"), words, strict=False):
            reader.add(f"softnet.{name}", float(value), line, "count", labels)
        if len(words) > CPU_COLUMN:
            reader.add("softnet.backlog", float(words[BACKLOG_COLUMN]), line, "count", labels)
    return reader.result()
