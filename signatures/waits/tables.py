"""Rows and stacks of readings, as the wait graph takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ingest.frames import normalise

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ingest.model.profile import Profile
    from ingest.model.reading import Cell, RowSet


class Stack(NamedTuple):
    """One stack of a profile: functions, the innermost first, its first line and its thread."""

    frames: tuple[str, ...]
    line: int
    comm: str
    pid: int
    tid: int


def stacks_of(profile: Profile) -> Iterator[Stack]:
    """Yield every sample of a profile of bare stacks."""
    names = [normalise(frame.name) for frame in profile.frames]
    parents, frames = profile.node_parent.tolist(), profile.node_frame.tolist()
    known: dict[int, tuple[str, ...]] = {}
    rows = zip(
        profile.sample_node.tolist(),
        profile.sample_line.tolist(),
        profile.sample_thread.tolist(),
        strict=True,
    )
    for node, line, thread in rows:
        if node not in known:
            path, at = [], node
            while at >= 0:
                path.append(names[frames[at]])
                at = parents[at]
            known[node] = tuple(path)
        who = profile.threads[thread]
        yield Stack(known[node], line, who.comm, who.pid, who.tid)


def cells_of(rows: RowSet) -> Iterator[tuple[Mapping[str, Cell], int]]:
    """Yield every row by column, with its line."""
    for row, line in zip(rows.rows, rows.row_lines, strict=True):
        yield dict(zip(rows.columns, row, strict=True)), line


def whole(cell: Cell, default: int = -1) -> int:
    """Return a number of a cell, also one that ps prints as text."""
    if isinstance(cell, float):
        return int(cell)
    return int(cell) if isinstance(cell, str) and cell.isdecimal() else default


def number(cell: Cell) -> float | None:
    """Return a number of a cell, None for a cell without one."""
    return cell if isinstance(cell, float) else None
