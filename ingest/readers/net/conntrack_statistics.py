"""`conntrack -S` and `/proc/net/stat/nf_conntrack`: what connection tracking did, by CPU.

Examples:
    cpu=0           found=0 invalid=12 insert=0 insert_failed=0 drop=0 early_drop=0 error=0 …

    entries  clashres found new invalid ignore delete chainlength insert insert_failed …
    00000014  00000000 00000000 00000000 0000000c 00000000 00000000 00000000 …

`drop`: packets dropped since no entry could be made; `early_drop`: entries evicted to make room in a full
table; `insert_failed`: entries that another packet had made meanwhile. The file prints hexadecimal numbers.
Source: conntrack(8); ct_cpu_seq_show in net/netfilter/nf_conntrack_standalone.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "conntrack-statistics"
VERSION = 1
TITLE = "conntrack -S"
EXAMPLE = (
    "cpu=0   \tfound=0 invalid=0 insert=0 insert_failed=0 drop=0 early_drop=0 error=0 search_restart=0 "
    "clash_resolve=0 chaintoolong=0"
)

PATHS: tuple[str, ...] = ("proc/net/stat/nf_conntrack",)
COMMANDS: tuple[str, ...] = (r"conntrack (?:-S|--stats)",)
HINTS: tuple[str, ...] = ()

_ROW = re.compile(r"^\s*cpu=(?P<cpu>\d{1,5})\s+(?P<counts>[a-z_]+=\d+(?:\s+[a-z_]+=\d+)+)\s*$")
_HEAD = re.compile(r"^\s*entries\s+(?:searched|clashres)\s+found\s+new\s+invalid\s")
_HEX = re.compile(r"^\s*[0-9a-f]{8}(?:\s+[0-9a-f]{8}){9,20}\s*$")
_KEYS = {"clashres": "clash_resolve"}
_OF_THE_TABLE = frozenset(("entries",))

STARTS = (r"\s*cpu=\d+\s+[a-z_]+=\d", r"\s*entries\s+(?:searched|clashres)\s")


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the row of a CPU, or the head of the file, is at `lines[at]`."""
    row = _ROW.match(lines[at])
    return bool(row and "insert_failed=" in row["counts"]) or bool(_HEAD.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is a row of one of them."""
    return bool(_ROW.match(line) or _HEAD.match(line) or _HEX.match(line))


def read(text: Text) -> Reading:
    """Read the counters of every CPU: `conntrack.insert_failed`; the number of entries is the same on all."""
    reader = FactReader(text)
    columns: list[str] = []
    cpu = 0
    for line, entry in reader.lines():
        if row := _ROW.match(entry):
            for one in row["counts"].split():
                key, _, count = one.partition("=")
                reader.add(f"conntrack.{key}", float(count), line, "count", {"cpu": row["cpu"]})
        elif _HEAD.match(entry):
            columns, cpu = entry.split(), 0
        elif columns and _HEX.match(entry):
            for name, printed in zip(columns, entry.split(), strict=False):
                key = _KEYS.get(name, name)
                if key not in _OF_THE_TABLE:
                    reader.add(f"conntrack.{key}", float(int(printed, 16)), line, "count", {"cpu": str(cpu)})
                elif cpu == 0:
                    reader.add(f"conntrack.{key}", float(int(printed, 16)), line, "count")
            cpu += 1
        else:
            reader.skips.add("not a row of connection tracking", line)
    return reader.result()
