"""Sightings: tasks as the readings show them, one per task and snapshot.

Sources: blocks of a kernel log, /proc/PID/stack with its neighbours, rows of ps, stacks of debuggers.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING

from ingest.frames import normalise
from signatures.waits.debuggers import lock_waiters
from signatures.waits.model import NO_QUIET
from signatures.waits.observed import Lines, Lock, Owner, Sighting
from signatures.waits.ps_tables import PsTable, quiet_of, table_of
from signatures.waits.tables import cells_of, number, stacks_of, whole
from signatures.waits.thread_files import ThreadFiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ingest.model.reading import RowSet
    from signatures.waits.model import Quiet
    from signatures.waits.observed import ItemLike


def sightings_of(items: Iterable[ItemLike]) -> tuple[list[Sighting], Quiet]:
    """Return the sightings of every item; of ps alone those of tasks that may be blocked, others counted."""
    files = ThreadFiles()
    found: list[PsTable | list[Sighting]] = []
    for item in items:
        tables = {rows.name: rows for rows in item.reading.row_sets}
        if "kernel_tasks" in tables:
            found.append(list(_of_log(item, tables)))
        elif "ps" in tables:
            found.append(table_of(item, tables["ps"]))
        elif "lock_waiters" in tables:
            found.append(list(lock_waiters(item, tables)))
            files.take(item)
        else:
            files.take(item)
    found.append(list(files.sightings()))
    of_ps = [one for one in found if isinstance(one, PsTable)]
    if any(isinstance(one, list) and one for one in found):
        shown = [one.sightings() if isinstance(one, PsTable) else one for one in found]
        return list(chain.from_iterable(shown)), NO_QUIET
    quiet, chosen = quiet_of(of_ps)
    return list(chain.from_iterable(one.sightings() for one in chosen)), quiet


def _of_log(item: ItemLike, tables: Mapping[str, RowSet]) -> Iterator[Sighting]:
    """Yield the tasks of a kernel log; the stack of a task is the one printed inside its block."""
    stacks = sorted(
        (
            stack
            for profile in item.reading.profiles
            if profile.what == "bare"
            for stack in stacks_of(profile)
        ),
        key=lambda stack: stack.line,
    )
    lines = [stack.line for stack in stacks]
    owners: dict[tuple[int, int], Owner] = {}
    for cells, line in cells_of(tables["lock_owners"]) if "lock_owners" in tables else ():
        if cells["owner_pid"] is not None:
            cited = Lines(item.evidence, item.section, line, line)
            owners[whole(cells["snapshot"]), whole(cells["pid"])] = Owner(
                str(cells["owner"]), whole(cells["owner_pid"]), cells["owner_role"] == "reader", cited
            )
    locks: dict[int, list[Lock]] = {}
    for cells, line in cells_of(tables["held_locks"]) if "held_locks" in tables else ():
        cited = Lines(item.evidence, item.section, line, line)
        lock = Lock(str(cells["name"]), str(cells["address"] or ""), normalise(str(cells["function"])), cited)
        listed = locks.setdefault(whole(cells["pid"]), [])
        if whole(cells["place"]) == 0:
            listed.clear()  # the list is printed again: at the next report, or by another report of this one
        listed.append(lock)
    tasks = tables["kernel_tasks"]
    names = (
        "pid",
        "tgid",
        "comm",
        "state",
        "cpu",
        "blocked_s",
        "workqueue",
        "snapshot",
        "uptime_s",
        "last_line",
    )
    chosen = itemgetter(*(tasks.columns.index(name) for name in names))
    # Tuples, since a log may hold tens of thousands of tasks.
    for row, line in zip(tasks.rows, tasks.row_lines, strict=True):
        pid, tgid, comm, state, cpu, blocked, workqueue, look, uptime, last_line = chosen(row)
        last = max(line, whole(last_line))
        at = bisect_left(lines, line)
        has_stack = at < len(lines) and lines[at] <= last
        tid, snapshot = whole(pid), whole(look)
        yield Sighting(
            tid=tid,
            pid=whole(tgid),
            comm=str(comm),
            state=str(state),
            cpu=whole(cpu),
            blocked_seconds=number(blocked),
            frames=stacks[at].frames if has_stack else (),
            has_stack=has_stack,
            workqueue=str(workqueue or ""),
            owner=owners.get((snapshot, tid)),
            locks=tuple(locks.get(tid, ())),
            snapshot=snapshot,
            at=number(uptime),
            lines=Lines(item.evidence, item.section, line, last),
            source="log",
        )
