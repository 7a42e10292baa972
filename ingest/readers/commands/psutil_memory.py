"""Sizes of a process as `psutil.Process.memory_full_info()` prints them.

Example:
    sampler 9021 pfullmem(rss=88080384, vms=792723456, shared=8388608, uss=231108608, pss=232312832, swap=0)

`rss` is a sum of counters (/proc/PID/statm); `uss` and `pss` count pages (smaps_rollup) right after it.
Source: psutil, _pslinux.py.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "psutil-memory"
VERSION = 1
TITLE = "psutil memory_full_info()"
COMMAND = "python3 -c 'import psutil; [print(p.pid, p.memory_full_info()) for p in psutil.process_iter()]'"
EXAMPLE = "9021 pfullmem(rss=88080384, vms=792723456, shared=8388608, uss=231108608, pss=232312832, swap=0)"

_ENTRY = Pattern(r"^.*\bpfullmem\((?P<sizes>rss=\d{1,20}, [a-z=0-9, ]{1,400})\).*$")
_SIZE = re.compile(r"\b(?P<key>rss|uss|pss)=(?P<bytes>\d{1,20})\b")
_PID = re.compile(r"(?:^|\s|pid=)(?P<pid>\d{1,10})[:,]? +(?:[\w.-]+ +)?pfullmem\(")

STARTS = (r".*\bpfullmem\(rss=",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether sizes stand in `lines[at]`."""
    return bool(_ENTRY.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` has sizes, too."""
    return bool(_ENTRY.match(line))


def read(text: Text) -> Reading:
    """Read `rss`, `uss` and `pss`; a line that names no PID is of a process without a label."""
    reader = FactReader(text)
    for line, entry in reader.lines():
        found = _ENTRY.match(entry)
        if not found:
            reader.skips.add("not sizes of a process", line)
            continue
        pid = _PID.search(entry)
        labels = {"pid": pid["pid"]} if pid else {}
        for size in _SIZE.finditer(found["sizes"]):
            reader.add(f"process.psutil.{size['key']}_bytes", float(size["bytes"]), line, "bytes", labels)
    return reader.result()
