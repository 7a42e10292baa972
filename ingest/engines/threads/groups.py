"""Threads of one list together: who waits for which lock, who holds it, and rings of both.

crowd_of(looks)  ->  Crowd(total=23, locks=[LockGroup(lock=<0x71a>, waiting=5 threads, holder=…)], rings=[…])
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ingest.engines.threads.model import thread_name
from ingest.engines.threads.waiting import LOCK, Wait, bare_name, wait_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ingest.engines.threads.model import Lock, ThreadLook

SIGNAL = "<signal handler called>"
"""How debuggers print the frame between a handler and what its signal interrupted."""

OF_REPORT = "jvm-deadlock"
"""The form that repeats threads of the list beside it."""


class Waiting(NamedTuple):
    """A thread and where it waits; `looks` of them show it at this place."""

    look: ThreadLook
    wait: Wait
    looks: int


@dataclass(slots=True)
class LockGroup:
    """Threads that wait for one lock, or in one function for locks that nobody names.

    Attributes:
        lock: The lock; without an address where the threads do not print one.
        waiting: Those that wait, in the order of the text.
        holder: The thread that holds it; None where none does in the list.
        owner: Its name, as a waiting thread states it.
    """

    lock: Lock
    waiting: list[Waiting] = field(default_factory=list)
    holder: Waiting | None = None
    owner: str = ""

    @property
    def count(self) -> int:
        """How many threads wait."""
        return sum(one.look.count for one in self.waiting)


@dataclass(slots=True)
class Crowd:
    """All threads of one list.

    Attributes:
        threads: Each thread once, by its last look.
        locks: Locks that are waited for, the most waited for first.
        rings: Threads that wait for each other, each for the lock that the next one holds.
    """

    threads: list[Waiting]
    locks: list[LockGroup]
    rings: list[list[Waiting]]

    @property
    def total(self) -> int:
        """How many threads there are."""
        return sum(one.look.count for one in self.threads)

    def counts(self) -> Counter[str]:
        """Return how many threads wait for each kind of thing."""
        found: Counter[str] = Counter()
        for one in self.threads:
            found[one.wait.kind] += one.look.count
        return found


def crowd_of(looks: Sequence[ThreadLook]) -> Crowd:
    """Return the threads of a list with the locks between them."""
    threads = _each_once(looks)
    groups = _lock_groups(threads)
    return Crowd(threads, groups, _rings(groups))


def reentered(one: Waiting) -> str:
    """Return the function that waits for a lock and that the same thread runs below the handler of a signal.

    The signal interrupted it while it held the lock; "" where nothing shows that.
    """
    names = [bare_name(frame.name) for frame in one.look.frames]
    if one.wait.kind != LOCK or SIGNAL not in names:
        return ""
    at = names.index(SIGNAL)
    return next((name for name in names[:at] if name in names[at:] and name == one.wait.subject), "")


def _each_once(looks: Iterable[ThreadLook]) -> list[Waiting]:
    """Return every thread by its last look; the report of a deadlock adds to the thread of its name."""
    by_key: dict[tuple[str, int, str, int], list[ThreadLook]] = {}
    of_name: dict[str, ThreadLook] = {}
    reports = []
    for look in looks:
        if look.form == OF_REPORT:
            reports.append(look)
            continue
        is_named = look.tid >= 0
        key = (look.form, look.tid, look.name, 0) if is_named else (look.form, -1, look.name, look.line)
        by_key.setdefault(key, []).append(look)
        of_name[look.name] = look
    for look in reports:
        known = of_name.get(look.name)
        if known is None:
            of_name[look.name] = look
            by_key[look.form, -1, look.name, look.line] = [look]
            continue
        known.frames = known.frames or look.frames
        known.holds += look.holds
        same = not known.waits.address or known.waits.address == look.waits.address
        if same and look.waits.address:
            known.waits = look.waits if look.waits.owner else known.waits
    found = []
    for same_thread in by_key.values():
        waits = [wait_of(one) for one in same_thread]
        same_place = sum(one.kind == waits[-1].kind and one.path == waits[-1].path for one in waits)
        found.append(Waiting(same_thread[-1], waits[-1], same_place))
    return found


def _lock_groups(threads: Sequence[Waiting]) -> list[LockGroup]:
    holders = {lock.address: one for one in threads for lock in one.look.holds}
    named = {one.look.name: one for one in threads if one.look.name}
    named |= {thread_name(one.look.tid): one for one in threads if one.look.tid >= 0}
    groups: dict[tuple[str, str], LockGroup] = {}
    for one in threads:
        if one.wait.kind != LOCK:
            continue
        lock = one.look.waits
        key = (lock.address, "") if lock.address else ("", one.wait.subject)
        group = groups.setdefault(key, LockGroup(lock))
        group.waiting.append(one)
        group.owner = group.owner or lock.owner
    for group in groups.values():
        holder = holders.get(group.lock.address) or named.get(group.owner)
        if holder is not None and all(holder is not one for one in group.waiting):
            group.holder = holder
    return sorted(groups.values(), key=lambda group: -group.count)


def _rings(groups: Sequence[LockGroup]) -> list[list[Waiting]]:
    """Return each ring once; every thread waits for one lock at most, so that a walk finds it."""
    behind = {id(one.look): group.holder for group in groups for one in group.waiting if group.holder}
    threads = {id(one.look): one for group in groups for one in group.waiting}
    found: list[list[Waiting]] = []
    done: set[int] = set()
    for start in threads:
        path: list[int] = []
        at: int | None = start
        while at is not None and at not in done:
            done.add(at)
            path.append(at)
            holder = behind.get(at)
            at = id(holder.look) if holder is not None and id(holder.look) in threads else None
        if at is not None and at in path:
            found.append([threads[one] for one in path[path.index(at) :]])
    return found
