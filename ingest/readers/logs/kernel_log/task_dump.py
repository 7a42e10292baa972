"""Tasks that reports print: state, owner of the lock they wait for, locks they hold.

Examples:
    INFO: task mkdir:15002 blocked for more than 20 seconds.
    task:mkdir           state:D stack:0     pid:15002 tgid:15002 ppid:14817  flags:0x00080001
    jbd2/dm-2-8     D ffff88062fd95e00     0 22274      2 0x00000080
    INFO: task mkdir:15002 <writer> blocked on an rw-semaphore likely owned by task mkdir:14954 <writer>
    Workqueue: writeback wb_workfn (flush-8:0)
    2 locks held by syz-executor/5084:
     #0: ffff88807e4a8460 (sb_writers#5){.+.+}-{0:0}, at: mnt_want_write+0x3f/0x90

Rows of `kernel_tasks` name the lines of a task's block; its call trace is in the profile, at these lines.

Sources: sched_show_task in kernel/sched/core.c; debug_show_blocker in kernel/hung_task.c;
print_worker_info in kernel/workqueue.c; lockdep_print_held_locks in kernel/locking/lockdep.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.reading import RowSet
from ingest.native.linear import Pattern
from ingest.readers.logs.kernel_log import trace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.reading import Cell
    from ingest.readers.logs.kernel_log.prefix import Entry

TASKS = (
    "comm",
    "pid",
    "tgid",
    "state",
    "cpu",
    "blocked_s",
    "report",
    "workqueue",
    "snapshot",
    "uptime_s",
    "last_line",
)
OWNERS = ("comm", "pid", "role", "lock", "owner", "owner_pid", "owner_role", "snapshot")
LOCKS = ("comm", "pid", "place", "address", "name", "function", "snapshot")

MAX_GAP_SECONDS = 2.0
"""A later stamp than this begins the next dump: khungtaskd and sysrq print all tasks in one go."""

MAX_FOREIGN = 3
"""Foreign lines in a row that end the block of a task."""

_END = re.compile(r"^-+\[ (?:cut here \]-+$|end )")
"""What begins or ends another report: no line below it is of the open block."""

_HUNG = Pattern(
    r"^INFO: task (?P<comm>.+):(?P<pid>\d{1,10}) blocked(?: in I/O wait)? for more than "
    r"(?P<seconds>\d+) seconds"
)
_STATE = Pattern(
    r"^task:(?P<comm>.+?)\s+state:(?P<state>\S)(?:\s+running task)?\s+stack:\s*\d+\s+pid:\s*(?P<pid>\d{1,10})"
    r"(?:\s+tgid:\s*(?P<tgid>\d{1,10}))?"
)
_OLD_STATE = Pattern(
    r"^(?P<comm>\S.{0,15}?)\s+(?P<state>[RSDTtZXIPKWx])(?:\s+running task)?\s*(?:[0-9a-f]{8,16}\s+)?\d+\s+"
    r"(?P<pid>\d{1,10})\s+\d+\s+0x[0-9a-f]{8,16}\s*$"
)
_ON_CPU = Pattern(
    r"\bCPU: (?P<cpu>\d+)(?: UID: \d+)? PID: (?P<pid>\d{1,10}) Comm: (?P<comm>.+?) "
    r"(?:Not tainted|Tainted|Kdump)"
)
_OWNER = Pattern(
    r"^INFO: task (?P<comm>.+):(?P<pid>\d{1,10}) (?:is |<(?P<role>reader|writer)> )blocked on "
    r"(?P<lock>an? [\w-]+)"
    r"(?:,? likely (?:owned|last held) by task (?P<owner>.+):(?P<owner_pid>\d{1,10})"
    r"(?: <(?P<owner_role>reader|writer)>)?)?"
)
_WORKQUEUE = re.compile(r"^Workqueue: (?P<work>\S.{0,200}?)\s*$")
_HOLDER = Pattern(r"^\d+ locks? held by (?P<comm>.+)/(?P<pid>\d{1,10})(?:/\d+)?:\s*$")
_LOCK = Pattern(
    r"^\s*#(?P<place>\d+): ?\s*(?:(?P<address>[0-9a-f]{8,16}) )?\((?P<name>\S.*?)\)\{[^}]*\}"
    r"(?:-\{\d+:\d+\})?, at: "
    r"(?:\[<[0-9a-f]+>\] )?(?P<function>[\w.]+)"
)
_SYSRQ = re.compile(
    r"^(?:sysrq|SysRq) ?: Show (?:State|Blocked State|backtrace of all active CPUs|Locks Held)"
)

NOTABLE = (
    r"^task:",
    *(one.pattern for one in (_HUNG, _OLD_STATE, _OWNER, _HOLDER, _LOCK)),
    *(one.pattern for one in (_WORKQUEUE, _SYSRQ)),
)
"""What begins, continues or ends a dump of tasks; `trace.NOTABLE` has the rest."""


class _Task(NamedTuple):
    cells: dict[str, Cell]
    line: int


class TaskDump:
    """Takes the entries of a log in order; `row_sets` is the result."""

    def __init__(self) -> None:
        """Start before the first dump."""
        self._tasks: list[_Task] = []
        self._owners: list[tuple[tuple[Cell, ...], int]] = []
        self._locks: list[tuple[tuple[Cell, ...], int]] = []
        self._open: _Task | None = None
        self._open_at: float | None = None
        self._foreign = 0
        self._hung: tuple[str, float] | None = None
        self._holder: tuple[str, float] | None = None
        self._report = ""
        self._snapshot = 0
        self._is_begun = False
        self._seen: set[float] = set()
        self._last_at: float | None = None

    def note_frame(self, entry: Entry) -> None:
        """Take one line that is a frame of a trace and nothing else."""
        if self._open is not None:
            self._extend(entry)

    def note_foreign(self, lines: int = 1) -> None:
        """Take lines that are of no report; some in a row end the block of a task."""
        self._foreign += lines
        if self._foreign > MAX_FOREIGN:
            self._open = None

    def end(self) -> None:
        """End the block of a task: lines are missing here."""
        self._open = self._holder = None

    def feed(self, entry: Entry) -> None:
        """Take one line that is more than a frame of a trace."""
        text = entry.text
        if text.startswith("INFO: task ") and (found := _HUNG.match(text)):
            self._begin(entry, float(found["pid"]))
            self._hung, self._report, self._open = (found["pid"], float(found["seconds"])), "hung_task", None
        elif text.startswith(("sysrq", "SysRq")) and _SYSRQ.match(text):
            self._next_snapshot()
            self._report, self._hung, self._open = "sysrq", None, None
        elif text.startswith("INFO: task ") and (found := _OWNER.match(text)):
            self._owner(found, entry)
            self._open = None
        elif found := _state(text):
            self._begin(entry, None)
            self._task(found, entry)
        elif (
            " Comm: " in text
            and (found := _ON_CPU.search(text))
            and not text.startswith(("WARNING", "BUG: unable"))
        ):
            self._begin(entry, None)
            self._running(found, entry)
        elif " held by " in text and (found := _HOLDER.match(text)):
            self._open, self._holder = None, (found["comm"], float(found["pid"]))
        elif self._holder and (found := _LOCK.match(text)):
            cells = (*self._holder, float(found["place"]), found["address"], found["name"], found["function"])
            self._locks.append(((*cells, float(self._snapshot)), entry.line))
            self._is_begun = True
        elif self._open is not None:
            self._inside(entry)

    def _begin(self, entry: Entry, hung_pid: float | None) -> None:
        """Begin the next snapshot when this line belongs to a later dump."""
        at = _stamp(entry)
        is_late = at is not None and self._last_at is not None and at - self._last_at > MAX_GAP_SECONDS
        if is_late or (hung_pid is not None and hung_pid in self._seen):
            self._next_snapshot()
        if hung_pid is not None:
            self._seen.add(hung_pid)
        self._last_at = at if at is not None else self._last_at

    def _next_snapshot(self) -> None:
        if self._is_begun:
            self._snapshot += 1
        self._is_begun = False
        self._seen.clear()

    def _task(self, found: re.Match[str], entry: Entry) -> None:
        groups = found.groupdict()
        seconds = self._hung[1] if self._hung and self._hung[0] == found["pid"] else None
        self._hung = None
        self._add(
            entry,
            comm=found["comm"],
            pid=float(found["pid"]),
            tgid=float(groups["tgid"]) if groups.get("tgid") else None,
            state=found["state"],
            blocked_s=seconds,
        )

    def _running(self, found: re.Match[str], entry: Entry) -> None:
        self._add(entry, comm=found["comm"], pid=float(found["pid"]), state="R", cpu=float(found["cpu"]))

    def _add(self, entry: Entry, **cells: Cell) -> None:
        known: dict[str, Cell] = dict.fromkeys(TASKS)
        known |= cells
        known |= {
            "report": self._report if self._report and known["cpu"] is None else "backtrace",
            "snapshot": float(self._snapshot),
            "uptime_s": _stamp(entry),
            "last_line": float(entry.last_line),
        }
        self._open, self._open_at, self._foreign = _Task(known, entry.line), _stamp(entry), 0
        self._tasks.append(self._open)
        self._is_begun = True

    def _owner(self, found: re.Match[str], entry: Entry) -> None:
        cells: tuple[Cell, ...] = (
            found["comm"],
            float(found["pid"]),
            found["role"],
            found["lock"],
            found["owner"],
            float(found["owner_pid"]) if found["owner_pid"] else None,
            found["owner_role"],
            float(self._snapshot),
        )
        self._owners.append((cells, entry.line))

    def _inside(self, entry: Entry) -> None:
        """Take a line of the open task's block, or end the block."""
        if self._open is None:
            return
        text = entry.text
        if _END.match(text):
            self._open = None
        elif trace.BODY.match(text) or trace.frames(text, 0):
            if found := _WORKQUEUE.match(text):
                self._open.cells["workqueue"] = found["work"]
            self._extend(entry)
        else:
            self.note_foreign()

    def _extend(self, entry: Entry) -> None:
        """Take a line into the open block, unless its stamp is of another time."""
        at = _stamp(entry)
        if self._open is None:
            return
        before = self._open_at
        if at is not None and before is not None and not -MAX_GAP_SECONDS <= at - before <= MAX_GAP_SECONDS:
            self._open = None
            return
        self._open.cells["last_line"] = float(entry.last_line)
        self._open_at = self._open_at if at is None else at
        self._foreign = 0

    def row_sets(self) -> Iterator[RowSet]:
        """Yield the sets that have rows."""
        tasks = [(tuple(task.cells[name] for name in TASKS), task.line) for task in self._tasks]
        for name, columns, rows in (
            ("kernel_tasks", TASKS, tasks),
            ("lock_owners", OWNERS, self._owners),
            ("held_locks", LOCKS, self._locks),
        ):
            if rows:
                yield RowSet.of_rows(
                    name, columns, tuple(cells for cells, _ in rows), tuple(line for _, line in rows)
                )


def _stamp(entry: Entry) -> float | None:
    return entry.uptime if entry.uptime is not None else entry.at


def _state(text: str) -> re.Match[str] | None:
    """Return the match of a task's first line in either shape."""
    if text.startswith("task:"):
        return _STATE.match(text)
    return _OLD_STATE.match(text) if " 0x" in text[-20:] else None
