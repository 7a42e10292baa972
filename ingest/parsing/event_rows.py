"""Rows of trace events whose fields the library knows, as ftrace and trace-cmd print them.

    inode_switch_wbs: bdi 7:0: ino=13 old_cgroup_ino=52 new_cgroup_ino=1
    mm_vmscan_memcg_reclaim_end: nr_reclaimed=32

An end of a reclaim call whose begin is there is a row with its duration; a lone end is none.
Source: include/trace/events/writeback.h, vmscan.h.
"""

from __future__ import annotations

import re

from ingest.model.reading import Cell, RowSet

_FIELDS = {
    "inode_switch_wbs": (
        re.compile(r"ino=(?P<ino>\d+) old_cgroup_ino=(?P<old>\d+) new_cgroup_ino=(?P<new>\d+)\s*$"),
        ("inode", "old_cgroup_ino", "new_cgroup_ino"),
    ),
    "memcg_reclaim_end": (
        re.compile(r"nr_reclaimed=(?P<reclaimed>\d+)\s*$"),
        ("nr_reclaimed", "tid", "elapsed_ns"),
    ),
}
_BEGIN, _END = "mm_vmscan_memcg_reclaim_begin", "mm_vmscan_memcg_reclaim_end"
_NANOSECONDS = 1e9


class EventRows:
    """Collects rows by event."""

    def __init__(self) -> None:
        """Begin without rows."""
        self._rows: dict[str, list[tuple[Cell, ...]]] = {}
        self._lines: dict[str, list[int]] = {}
        self._begun: dict[int, float] = {}

    def add(self, event: str, at: float, details: str, line: int, tid: int) -> None:
        """Take an event of the thread `tid` at `at` seconds if its fields are known."""
        own: tuple[Cell, ...] = ()
        if event == _BEGIN:
            self._begun[tid] = at
        elif event == _END:
            begun = self._begun.pop(tid, None)
            if begun is None or at < begun:
                return
            event, own = "memcg_reclaim_end", (float(tid), round((at - begun) * _NANOSECONDS))
        shape, _ = _FIELDS.get(event, (None, ()))
        if shape and (found := shape.search(details)):
            self._rows.setdefault(event, []).append((at, *map(float, found.groups()), *own))
            self._lines.setdefault(event, []).append(line)

    def result(self) -> tuple[RowSet, ...]:
        """Return the row sets, in the order of first rows."""
        return tuple(
            RowSet.of_rows(
                name, ("time_s", *_FIELDS[name][1]), tuple(rows), tuple(self._lines[name]), _span(rows)
            )
            for name, rows in self._rows.items()
        )


def _span(rows: list[tuple[Cell, ...]]) -> float | None:
    times = [row[0] for row in rows if isinstance(row[0], float)]
    return max(times) - min(times) if len(times) > 1 else None
