"""Threads by their files below /proc, and by stacks that debuggers or loops over /proc print by name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.engines.threads.looks import ROWS
from ingest.frames import normalise
from signatures.waits.debuggers import user_lock_owners, user_locks
from signatures.waits.observed import Lines, Sighting
from signatures.waits.program_locks import program_waits
from signatures.waits.tables import cells_of, number, stacks_of, whole

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from ingest.model.profile import Profile
    from signatures.documents.waits import Source
    from signatures.waits.observed import ItemLike, Owner, UserLock

UNINTERRUPTIBLE = "D"
_THREAD_PATH = re.compile(r"(?:^|/)proc/(?P<pid>\d{1,10})/(?:task/(?P<tid>\d{1,10})/)?[a-z]+$")

_OF_DEBUGGERS = frozenset(
    {"stack_tasks", "lock_waiters", "lock_holders", "user_locks", "user_lock_owners", "frame_remarks"}
)
"""Row sets beside stacks that name their threads."""


class _Thread:
    """What the files of one thread in one snapshot state."""

    __slots__ = (
        "blocked_seconds",
        "comm",
        "frames",
        "has_stack",
        "lines",
        "owner",
        "pid",
        "source",
        "state",
        "tid",
        "user_lock",
        "wchan",
    )

    def __init__(self, pid: int, tid: int, lines: Lines) -> None:
        self.pid, self.tid, self.lines = pid, tid, lines
        self.comm = self.state = self.wchan = ""
        self.frames: tuple[str, ...] = ()
        self.has_stack = False
        self.source: Source = "files"
        self.blocked_seconds: float | None = None
        self.user_lock: UserLock | None = None
        self.owner: Owner | None = None


class ThreadFiles:
    """Joins files below /proc/PID, and debuggers' stacks, by thread; the same again is the next snapshot."""

    def __init__(self) -> None:
        """Start without threads."""
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
        """Take the stacks of crash, drgn, gdb or a loop over /proc, which name the thread of each."""
        tables = {rows.name: rows for rows in item.reading.row_sets}
        if ROWS in tables:
            self._listed(item)
        if not _OF_DEBUGGERS.issuperset(tables):
            return
        of_dump = set()
        for cells, line in cells_of(tables["stack_tasks"]) if "stack_tasks" in tables else ():
            tid, state = whole(cells["tid"]), str(cells["state"])
            if cells["of_dump"] == "yes":
                of_dump.add(tid)
            lines = Lines(item.evidence, item.section, line, line)
            thread = self._thread(item.evidence, tid, 0, _Thread(-1, tid, lines))
            thread.comm, thread.state = str(cells["comm"]), state or thread.state
            thread.source = "dump" if tid in of_dump else "debugger"
            if thread.state == UNINTERRUPTIBLE:
                thread.blocked_seconds = number(cells["idle_s"]) or thread.blocked_seconds
        locks = user_locks(item, tables)
        for profile in item.reading.profiles:
            if profile.what == "bare":
                self._stacks(item, profile, of_dump, locks)
        for tid, owner in user_lock_owners(item, tables).items():
            # A debugger outside its container reads thread ids that are not those of the host.
            names = [one.comm for key, one in self._threads.items() if key[:2] == (item.evidence, owner.tid)]
            if names:
                self._own(item.evidence, tid, owner._replace(comm=names[0]))

    def _listed(self, item: ItemLike) -> None:
        """Take the threads of a list that wait for a lock, and those that hold one."""
        for waits in program_waits(item):
            thread = self._thread(item.evidence, waits.tid, 0, _Thread(-1, waits.tid, waits.lines))
            thread.comm, thread.frames, thread.has_stack = waits.comm, waits.frames, bool(waits.frames)
            thread.user_lock, thread.owner, thread.source = waits.lock, waits.owner, "debugger"

    def _own(self, source: str, tid: int, owner: Owner) -> None:
        """Note the owner of the lock that a thread waits for in its last snapshot."""
        thread = self._threads.get((source, tid, self._taken.get((source, tid, ""), 0)))
        if thread is not None and thread.user_lock is not None:
            thread.owner = owner

    def _stacks(
        self,
        item: ItemLike,
        profile: Profile,
        of_dump: Collection[int],
        locks: Mapping[int, UserLock],
    ) -> None:
        """Take stacks that name their thread; one printed again is the next snapshot, except in a dump."""
        for stack in stacks_of(profile):
            tid = stack.tid if stack.tid >= 0 else stack.pid
            if tid < 0:
                continue
            key = (item.evidence, tid, "")
            snapshot = 0 if tid in of_dump else self._taken.get(key, -1) + 1
            self._taken[key] = snapshot
            lines = Lines(item.evidence, item.section, stack.line, stack.line)
            thread = self._thread(item.evidence, tid, snapshot, _Thread(stack.pid, tid, lines))
            thread.comm = stack.comm or thread.comm
            thread.frames, thread.has_stack, thread.lines = stack.frames, True, lines
            thread.user_lock = locks.get(stack.line)
            thread.source = "dump" if tid in of_dump else "debugger"

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
                blocked_seconds=thread.blocked_seconds,
                frames=frames,
                has_stack=thread.has_stack,
                workqueue="",
                owner=thread.owner,
                locks=(),
                snapshot=snapshot,
                at=None,
                lines=thread.lines,
                source=thread.source,
                user_lock=thread.user_lock,
            )


def _whole_item(item: ItemLike) -> Lines:
    """Return the lines of a section that is one file."""
    lines = [fact.lines for fact in item.reading.facts]
    stacks = [int(line) for profile in item.reading.profiles for line in profile.node_line.tolist()]
    firsts = [*(one.first for one in lines), *stacks]
    lasts = [*(one.last for one in lines), *stacks]
    return Lines(item.evidence, item.section, min(firsts, default=1), max(lasts, default=1))
