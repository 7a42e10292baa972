"""Rows of trace events whose fields the library knows, as ftrace and trace-cmd print them.

    inode_switch_wbs: bdi 7:0: ino=13 old_cgroup_ino=52 new_cgroup_ino=1

Source: include/trace/events/writeback.h.
"""

from __future__ import annotations

import re

from ingest.model.reading import Cell, RowSet

_FIELDS = {
    "inode_switch_wbs": (
        re.compile(r"ino=(?P<ino>\d+) old_cgroup_ino=(?P<old>\d+) new_cgroup_ino=(?P<new>\d+)\s*$"),
        ("inode", "old_cgroup_ino", "new_cgroup_ino"),
    )
}


class EventRows:
    """Collects rows by event."""

    def __init__(self) -> None:
        """Begin without rows."""
        self._rows: dict[str, list[tuple[Cell, ...]]] = {}
        self._lines: dict[str, list[int]] = {}

    def add(self, event: str, at: float, details: str, line: int) -> None:
        """Take an event at `at` seconds if its fields are known."""
        if event not in _FIELDS:
            return
        shape, _ = _FIELDS[event]
        if found := shape.search(details):
            self._rows.setdefault(event, []).append((at, *map(float, found.groups())))
            self._lines.setdefault(event, []).append(line)

    def result(self) -> tuple[RowSet, ...]:
        """Return the row sets, in the order of first rows."""
        return tuple(
            RowSet(name, ("time_s", *_FIELDS[name][1]), tuple(rows), tuple(self._lines[name]), _span(rows))
            for name, rows in self._rows.items()
        )


def _span(rows: list[tuple[Cell, ...]]) -> float | None:
    times = [row[0] for row in rows if isinstance(row[0], float)]
    return max(times) - min(times) if len(times) > 1 else None
