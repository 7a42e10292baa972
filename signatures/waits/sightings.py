"""Sightings: tasks as the readings show them, one per task and snapshot.

Sources: blocks of a kernel log, /proc/PID/stack with its neighbours, rows of ps, stacks of debuggers.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from ingest.frames import normalise
from signatures.waits.model import Lines, Lock, Owner, Sighting

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ingest.model.profile import Profile
    from ingest.model.reading import Cell, RowSet
    from signatures.waits.model import ItemLike, Source

_THREAD_PATH = re.compile(r"(?:^|/)proc/(?P<pid>\d{1,10})/(?:task/(?P<tid>\d{1,10})/)?[a-z]+$")


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


def sightings_of(items: Iterable[ItemLike]) -> Iterator[Sighting]:
    """Yield the sightings of every item."""
    files = _ThreadFiles()
    for item in items:
        tables = {rows.name: rows for rows in item.reading.row_sets}
        if "kernel_tasks" in tables:
            yield from _of_log(item, tables)
        elif "ps" in tables:
            yield from _of_ps(item, tables["ps"])
        else:
            files.take(item)
    yield from files.sightings()


def _cells(rows: RowSet) -> Iterator[tuple[Mapping[str, Cell], int]]:
    for row, line in zip(rows.rows, rows.row_lines, strict=True):
        yield dict(zip(rows.columns, row, strict=True)), line


def _whole(cell: Cell, default: int = -1) -> int:
    """Return a number of a cell, also one that ps prints as text."""
    if isinstance(cell, float):
        return int(cell)
    return int(cell) if isinstance(cell, str) and cell.isdecimal() else default


def _number(cell: Cell) -> float | None:
    return cell if isinstance(cell, float) else None


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
    for cells, line in _cells(tables["lock_owners"]) if "lock_owners" in tables else ():
        if cells["owner_pid"] is not None:
            cited = Lines(item.evidence, item.section, line, line)
            owners[_whole(cells["snapshot"]), _whole(cells["pid"])] = Owner(
                str(cells["owner"]), _whole(cells["owner_pid"]), cells["owner_role"] == "reader", cited
            )
    locks: dict[int, list[Lock]] = {}
    for cells, line in _cells(tables["held_locks"]) if "held_locks" in tables else ():
        cited = Lines(item.evidence, item.section, line, line)
        lock = Lock(str(cells["name"]), str(cells["address"] or ""), normalise(str(cells["function"])), cited)
        locks.setdefault(_whole(cells["pid"]), []).append(lock)
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
        last = max(line, _whole(last_line))
        at = bisect_left(lines, line)
        has_stack = at < len(lines) and lines[at] <= last
        tid, snapshot = _whole(pid), _whole(look)
        yield Sighting(
            tid=tid,
            pid=_whole(tgid),
            comm=str(comm),
            state=str(state),
            cpu=_whole(cpu),
            blocked_seconds=_number(blocked),
            frames=stacks[at].frames if has_stack else (),
            has_stack=has_stack,
            workqueue=str(workqueue or ""),
            owner=owners.get((snapshot, tid)),
            locks=tuple(locks.get(tid, ())),
            snapshot=snapshot,
            at=_number(uptime),
            lines=Lines(item.evidence, item.section, line, last),
            source="log",
        )


def _of_ps(item: ItemLike, rows: RowSet) -> Iterator[Sighting]:
    """Yield the rows of ps; the wait channel is a stack of one function."""
    snapshots: dict[int, int] = {}
    for cells, line in _cells(rows):
        pid = _whole(cells.get("pid"))
        tid = next((_whole(cells[name]) for name in ("tid", "lwp", "spid") if cells.get(name)), pid)
        if tid < 0:
            continue
        wchan = str(cells.get("wchan") or "-")
        state = str(cells.get("state") or "")
        comm = str(cells.get("comm") or cells.get("command") or "").split(" ")[0]
        snapshot = snapshots[tid] = snapshots.get(tid, -1) + 1
        yield Sighting(
            tid=tid,
            pid=pid,
            comm=comm.strip("[]") if comm.startswith("[") else comm,
            state=state[:1],
            cpu=-1,
            blocked_seconds=None,
            frames=() if wchan in {"-", "0", "?", "*"} else (normalise(wchan),),
            has_stack=False,
            workqueue="",
            owner=None,
            locks=(),
            snapshot=snapshot,
            at=None,
            lines=Lines(item.evidence, item.section, line, line),
            source="ps",
        )


class _Thread:
    """What the files of one thread in one snapshot state."""

    __slots__ = ("comm", "frames", "has_stack", "lines", "pid", "source", "state", "tid", "wchan")

    def __init__(self, pid: int, tid: int, lines: Lines) -> None:
        self.pid, self.tid, self.lines = pid, tid, lines
        self.comm = self.state = self.wchan = ""
        self.frames: tuple[str, ...] = ()
        self.has_stack = False
        self.source: Source = "files"


class _ThreadFiles:
    """Joins files below /proc/PID, and debuggers' stacks, by thread; the same again is the next snapshot."""

    def __init__(self) -> None:
        self._threads: dict[tuple[str, int, int], _Thread] = {}
        self._taken: dict[tuple[str, int, str], int] = {}

    def take(self, item: ItemLike) -> None:
        """Take one item."""
        found = _THREAD_PATH.search(item.captured_path)
        if found is None:
            self._debugger(item)
            return
        pid, tid = int(found["pid"]), int(found["tid"] or found["pid"])
        name = item.captured_path.rpartition("/")[2]
        source = item.captured_path[: found.start()]
        key = (source, tid, name)
        snapshot = self._taken[key] = self._taken.get(key, -1) + 1
        thread = self._thread(source, tid, snapshot, _Thread(pid, tid, _whole_item(item)))
        for fact in item.reading.facts:
            if fact.name == "process.state":
                thread.state = str(fact.value)[:1]
            elif fact.name == "process.wchan" and fact.value != "0":
                thread.wchan = normalise(str(fact.value))
            elif fact.name == "process.name":
                thread.comm = str(fact.value)
            thread.comm = thread.comm or fact.labels.get("comm", "")
        for profile in item.reading.profiles:
            for stack in stacks_of(profile):
                thread.frames, thread.has_stack = stack.frames, True
                thread.lines = _whole_item(item)

    def _debugger(self, item: ItemLike) -> None:
        """Take the stacks of crash, drgn or gdb, which name the thread of each."""
        if item.reading.row_sets:
            return
        for profile in item.reading.profiles:
            if profile.what != "bare":
                continue
            for stack in stacks_of(profile):
                tid = stack.tid if stack.tid >= 0 else stack.pid
                if tid < 0:
                    continue
                key = (item.evidence, tid, "")
                snapshot = self._taken[key] = self._taken.get(key, -1) + 1
                lines = Lines(item.evidence, item.section, stack.line, stack.line)
                thread = self._thread(item.evidence, tid, snapshot, _Thread(stack.pid, tid, lines))
                thread.comm, thread.frames, thread.has_stack = stack.comm, stack.frames, True
                thread.source = "debugger"

    def _thread(self, source: str, tid: int, snapshot: int, fresh: _Thread) -> _Thread:
        return self._threads.setdefault((source, tid, snapshot), fresh)

    def sightings(self) -> Iterator[Sighting]:
        """Yield every thread of every snapshot."""
        for (_, tid, snapshot), thread in self._threads.items():
            frames = thread.frames or ((thread.wchan,) if thread.wchan else ())
            yield Sighting(
                tid=tid,
                pid=thread.pid,
                comm=thread.comm,
                state=thread.state,
                cpu=-1,
                blocked_seconds=None,
                frames=frames,
                has_stack=thread.has_stack,
                workqueue="",
                owner=None,
                locks=(),
                snapshot=snapshot,
                at=None,
                lines=thread.lines,
                source=thread.source,
            )


def _whole_item(item: ItemLike) -> Lines:
    """Return the lines of a section that is one file."""
    lines = [fact.lines for fact in item.reading.facts]
    stacks = [int(line) for profile in item.reading.profiles for line in profile.node_line.tolist()]
    firsts = [*(one.first for one in lines), *stacks]
    lasts = [*(one.last for one in lines), *stacks]
    return Lines(item.evidence, item.section, min(firsts, default=1), max(lasts, default=1))
