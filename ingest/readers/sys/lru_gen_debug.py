"""`/sys/kernel/debug/lru_gen`: generations of the multi-generational LRU, group by group.

Example:
    memcg     2 /lakehouse
     node     0
             48      31760       3273           0
             49      28812        519        3202

A row is a generation: its number, its age in milliseconds, its anonymous pages, its file pages. The oldest
generation is first; a group whose oldest is young recycles its memory faster than it is used.
Source: lru_gen_seq_show in mm/vmscan.c; Documentation/admin-guide/mm/multigen_lru.rst.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ingest.model.reading import RowSet
from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Cell, Reading
    from ingest.model.section import Text

NAME = "lru-gen-debug"
VERSION = 1
TITLE = "Generations of MGLRU"
EXAMPLE = "memcg     2 /lakehouse\n node     0\n         48      31760       3273           0 "

PATHS: tuple[str, ...] = ("sys/kernel/debug/lru_gen", "sys/kernel/debug/lru_gen_full")
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ()

COLUMNS = ("cgroup", "node", "generation", "age_ms", "anon_pages", "file_pages")
_GROUP = re.compile(r"^memcg\s+\d+\s(?P<path>/?\S*)\s*$")
_NODE = re.compile(r"^ node\s+(?P<node>\d+)\s*$")
_ROW = re.compile(r"^\s+(?P<number>\d+)\s+(?P<age>\d+)\s+(?P<anon>\d+)\s+(?P<file>\d+)\s*$")


STARTS = (_GROUP.pattern,)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the file starts at `lines[at]`: a group, then a node."""
    return bool(_GROUP.match(lines[at]) and at + 1 < len(lines) and _NODE.match(lines[at + 1]))


def continues(line: str) -> bool:
    """Return whether `line` is a group, a node or a generation."""
    return bool(_GROUP.match(line) or _NODE.match(line) or _ROW.match(line))


def read(text: Text) -> Reading:
    """Read every generation as a row, and the age of the oldest one of each group as a fact."""
    reader = FactReader(text)
    group = node = ""
    is_oldest = False
    rows: list[tuple[Cell, ...]] = []
    row_lines: list[int] = []
    for line, entry in enumerate(text.lines, start=text.first_line):
        if found := _GROUP.match(entry):
            group, node = found["path"] or "/", ""
        elif found := _NODE.match(entry):
            node, is_oldest = found["node"], True
        elif (found := _ROW.match(entry)) and node:
            numbers = tuple(float(found[part]) for part in ("number", "age", "anon", "file"))
            rows.append((group, node, *numbers))
            row_lines.append(line)
            if is_oldest:
                labels = {"cgroup": group, "node": node}
                reader.add("memcg.lru_gen.oldest_seconds", numbers[1] / 1000, line, "seconds", labels)
            is_oldest = False
        elif entry.strip():
            reader.skips.add("not a generation", line)
    sets = (RowSet.of_rows("lru_gen", COLUMNS, tuple(rows), tuple(row_lines)),) if rows else ()
    return replace(reader.result(), row_sets=sets)
