"""Tables of ps by column: the rows of tasks that may be blocked, and the others counted.

A host has thousands of threads that only sleep, and a loop of ps lists each of them hundreds of times. None
of them waits for another or holds what others wait for, as far as ps shows; they are numbers of the graph.

    quiet_of(tables)  ->  Quiet(tasks=298_113, …), and the tables with the rows of the other tasks alone
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.frames import normalise
from ingest.frames.wait_points import named_by_ps
from ingest.model.row_columns import Numbers, Words, words
from signatures.waits.merging import PointCache, is_blocked
from signatures.waits.model import NO_QUIET, Quiet
from signatures.waits.observed import Lines, Sighting
from signatures.waits.tables import whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from ingest.model.reading import Cell, RowSet
    from signatures.waits.observed import ItemLike

TASK = ("tid", "lwp", "spid")
"""Columns of thread ids; a table without one lists processes."""

NAMES = ("comm", "command")
NO_CHANNEL = frozenset({"-", "0", "?", "*"})


_UNKNOWN = Sighting(
    tid=-1,
    pid=-1,
    comm="",
    state="",
    cpu=-1,
    blocked_seconds=None,
    frames=(),
    has_stack=False,
    workqueue="",
    owner=None,
    locks=(),
    snapshot=0,
    at=None,
    lines=Lines("", 0, 0, 0),
    source="ps",
)
"""What ps does not show."""


class PsTable(NamedTuple):
    """A table of ps, and its rows that become sightings.

    Attributes:
        item: What it is of.
        rows: R rows.
        looks: R numbers: how often the task stood in the table before.
        chosen: Places of rows.
    """

    item: ItemLike
    rows: RowSet
    looks: Sequence[int]
    chosen: Sequence[int]

    def sightings(self) -> Iterator[Sighting]:
        """Yield the chosen rows; the wait channel is a stack of one function."""
        named = {name: self.rows.column(name) for name in ("pid", *TASK, "wchan", "state", *NAMES)}
        columns = {name: column for name, column in named.items() if column is not None}
        functions: dict[Cell, tuple[str, ...]] = {}
        lines = self.rows.row_lines
        for at in self.chosen:
            cells = {name: column[at] for name, column in columns.items()}
            tid, pid = _ids(cells)
            if tid < 0:
                continue
            channel = cells.get("wchan")
            if channel not in functions:
                functions[channel] = _frames(channel)
            comm = str(next((cells[name] for name in NAMES if cells.get(name)), "")).split(" ")[0]
            yield replace(
                _UNKNOWN,
                tid=tid,
                pid=pid,
                comm=comm.strip("[]") if comm.startswith("[") else comm,
                state=str(cells.get("state") or "")[:1],
                frames=functions[channel],
                snapshot=self.looks[at],
                lines=Lines(self.item.evidence, self.item.section, lines[at], lines[at]),
            )


def table_of(item: ItemLike, rows: RowSet) -> PsTable:
    """Return a table with all of its rows chosen."""
    return PsTable(item, rows, _looks(rows), range(len(rows)))


def quiet_of(tables: Sequence[PsTable]) -> tuple[Quiet, list[PsTable]]:
    """Return the tasks that no row shows blocked, counted, and the tables with the rows of the others.

    Only for evidence of ps alone: a task that ps shows asleep may be the owner in a log. Where some rows have
    a state and others have none, or ids are no numbers, no task is counted.
    """
    ids = [_task_ids(table.rows) for table in tables]
    numbers = [one for one in ids if one is not None]
    states = {bool(name) for table in tables for name in _distinct_states(table.rows)}
    if not tables or len(numbers) < len(tables) or len(states) > 1:
        return NO_QUIET, list(tables)
    tids = np.concatenate(numbers)
    blocked = np.concatenate([_is_blocked(table.rows) for table in tables])
    is_task = tids >= 0
    # The first task is the one that a graph without blocked tasks cites.
    is_kept = is_task & (blocked | (np.cumsum(is_task) == 1))
    is_quiet = is_task & ~np.isin(tids, tids[is_kept])
    of_table = np.repeat(np.arange(len(tables)), [len(table.rows) for table in tables])
    chosen = [
        table._replace(chosen=np.flatnonzero(~is_quiet[of_table == at]).tolist())
        for at, table in enumerate(tables)
    ]
    return _counted(tables, tids, of_table, is_quiet), chosen


def _counted(
    tables: Sequence[PsTable],
    tids: NDArray[np.float64],
    of_table: NDArray[np.intp],
    is_quiet: NDArray[np.bool_],
) -> Quiet:
    """Return the numbers of the quiet rows by look: a task counts once in each."""
    names = list(dict.fromkeys(table.item.evidence for table in tables))
    evidence = np.array([names.index(table.item.evidence) for table in tables])[of_table]
    looks = np.concatenate([np.asarray(table.looks, dtype=np.int64) for table in tables])
    starts = np.concatenate([[0], np.cumsum([len(table.rows) for table in tables])])
    key = evidence * (looks.max(initial=0) + 1) + looks
    different, of = np.unique(tids, return_inverse=True)
    both = key * different.size + of
    seen = np.unique(both[is_quiet])
    per_look = np.bincount(seen // different.size, minlength=int(key.max(initial=0)) + 1)
    per_task = np.bincount(seen % different.size)
    rows = np.flatnonzero(tids >= 0)
    _, first = np.unique(key[rows], return_index=True)
    # A table of the same evidence that shows a task again shows it later.
    again = {pair: at for at, pair in enumerate(both.tolist())} if len(names) < len(tables) else {}
    begins = {}
    for at in np.sort(rows[first]).tolist():
        shown = again.get(int(both[at]), at)
        table = tables[of_table[shown]]
        line = table.rows.row_lines[shown - int(starts[of_table[shown]])]
        begin = Lines(table.item.evidence, table.item.section, line, line)
        begins[table.item.evidence, int(looks[at])] = (int(per_look[key[at]]), begin)
    return Quiet(int(np.count_nonzero(per_task)), int(per_task.max(initial=0)), begins)


def _task_ids(rows: RowSet) -> NDArray[np.float64] | None:
    """Return the ids of the tasks, -1 for a row without one; None where they are not all numbers."""
    named = [column for name in (*TASK, "pid") if (column := rows.column(name)) is not None]
    if not all(isinstance(column, Numbers) for column in named):
        return None
    found = np.full(len(rows), -1.0)
    for name in ("pid", *reversed(TASK)):
        column = rows.column(name)
        if isinstance(column, Numbers):
            is_id = ~np.isnan(column.array) & ((name == "pid") | (column.array != 0))
            found = np.where(is_id, np.trunc(column.array), found)
    return found


def _looks(rows: RowSet) -> list[int]:
    """Return how often the task of each row stood in the table before."""
    ids = _task_ids(rows)
    if ids is None:
        seen: dict[int, int] = {}
        found = []
        names = [name for name in ("pid", *TASK) if name in rows.columns]
        columns = [rows.cells[rows.columns.index(name)] for name in names]
        for cells in zip(*columns, strict=True) if columns else [()] * len(rows):
            tid, _ = _ids(dict(zip(names, cells, strict=True)))
            seen[tid] = seen.get(tid, -1) + 1
            found.append(seen[tid])
        return found
    order = np.argsort(ids, kind="stable")
    at = np.arange(ids.size)
    is_first = np.concatenate([[True], np.diff(ids[order]) != 0])[: ids.size]
    begun = np.maximum.accumulate(np.where(is_first, at, 0))
    looks = np.empty(ids.size, dtype=np.int64)
    looks[order] = at - begun
    return looks.tolist()


def _is_blocked(rows: RowSet) -> NDArray[np.bool_]:
    """Return which rows show a blocked task by themselves: each pair of state and channel is judged once."""
    states, channels = _texts(rows, "state"), _texts(rows, "wchan")
    width = len(channels.names) + 1
    pairs, of = np.unique((states.array + 1) * width + channels.array + 1, return_inverse=True)
    points = PointCache()
    found = []
    for pair in pairs.tolist():
        state, channel = divmod(pair, width)
        name = channels.names[channel - 1] if channel else None
        letter = states.names[state - 1][:1] if state else ""
        one = replace(_UNKNOWN, state=letter, frames=_frames(name))
        found.append(is_blocked(one, points.of(one)))
    return np.array(found, dtype=bool)[of]


def _distinct_states(rows: RowSet) -> Sequence[str]:
    states = _texts(rows, "state")
    return (*states.names, *([""] if (states.array < 0).any() else ()))


def _texts(rows: RowSet, name: str) -> Words:
    column = rows.column(name)
    if isinstance(column, Words):
        return column
    cells = [None] * len(rows) if column is None else column
    return words(None if not cell else str(cell) for cell in cells)


def _ids(cells: dict[str, Cell]) -> tuple[int, int]:
    """Return thread and process of a row, -1 for none."""
    pid = whole(cells.get("pid"))
    return next((whole(cells[name]) for name in TASK if cells.get(name)), pid), pid


def _frames(channel: Cell) -> tuple[str, ...]:
    name = str(channel or "-")
    function = "" if name in NO_CHANNEL else named_by_ps(normalise(name))
    return (function,) if function else ()
