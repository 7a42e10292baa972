"""Building the wait graph from readings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.frames.kernel_series import series_of
from ingest.frames.wait_points import SLEEPING_LOCKS, kinds, served, title_of
from signatures.waits.clusters import clusters_of
from signatures.waits.holding import (
    Candidates,
    Held,
    Others,
    bare_title,
    inferred_holders,
    instance_of_waiter,
    servers,
    titled,
)
from signatures.waits.merging import PointCache, latest_of, snapshots_of, task_of
from signatures.waits.model import HELD_BY, USER_KINDS, Edge, Resource, Task, WaitGraph
from signatures.waits.roots import cycles_of, roots_of
from signatures.waits.sightings import sightings_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from ingest.frames.wait_points import WaitPoint
    from signatures.documents.waits import Certainty
    from signatures.waits.model import Quiet
    from signatures.waits.observed import ItemLike, Lock, Owner, Sighting, UserLock


ALL_STACKS = "echo w > /proc/sysrq-trigger; dmesg"
USER_OWNERS = (
    "gdb -p PID -batch -ex 'thread apply all bt' -ex 'thread apply all -s frame apply all -q -s p *mutex' "
    "-ex 'thread apply all -s frame apply all -q -s p *rwlock'"
)
SECOND_LOOK = 'for t in /proc/[0-9]*/task/[0-9]*; do echo "==> $t/stack <=="; cat $t/stack; done'


def built(items: Sequence[ItemLike]) -> WaitGraph:
    """Build the wait graph of the readings of one host."""
    sightings, quiet = sightings_of(items)
    if not sightings:
        return WaitGraph()
    return _Builder(sightings, quiet, _release(items)).graph()


def _release(items: Sequence[ItemLike]) -> tuple[int, int] | None:
    """Return the series of the kernel, None when the evidence states none or several."""
    stated = {
        series_of(str(fact.value))
        for item in items
        for fact in item.reading.facts
        if fact.name == "kernel.release"
    }
    return next(iter(stated)) if len(stated) == 1 else None


class _Builder:
    """Adds tasks, then waits, then holders."""

    def __init__(self, sightings: Sequence[Sighting], quiet: Quiet, release: tuple[int, int] | None) -> None:
        self._quiet = quiet
        self._release = release
        points = PointCache()
        by_tid: dict[int, list[Sighting]] = {}
        for sighting in sightings:
            by_tid.setdefault(sighting.tid, []).append(sighting)
        self._tasks = [task_of(group, points) for group in by_tid.values()]
        self._main = [latest_of(group, points) for group in by_tid.values()]
        self._owners = [_last_owner(group) for group in by_tid.values()]
        self._index = {task.tid: at for at, task in enumerate(self._tasks)}
        self._snapshots = snapshots_of(sightings, points, quiet)
        self._resources: dict[tuple[str, str], int] = {}
        self._rows: list[Resource] = []
        self._waits: dict[int, Edge] = {}
        self._holds: dict[tuple[int, int], Edge] = {}
        self._open: list[tuple[int, WaitPoint]] = []
        self._joined: set[tuple[int, int]] = set()

    def graph(self) -> WaitGraph:
        """Return the whole graph."""
        for at, task in enumerate(list(self._tasks)):
            if task.is_blocked:
                self._wait(at, task)
        self._infer()
        waits = tuple(self._waits[at] for at in sorted(self._waits))
        holds = tuple(self._holds.values())
        tasks, resources = tuple(self._tasks), tuple(self._rows)
        cycles = cycles_of(waits, holds)
        roots = roots_of(tasks, waits, holds, cycles)
        clusters = clusters_of(tasks, waits)
        return WaitGraph(
            tasks=tasks,
            resources=resources,
            waits=waits,
            holds=holds,
            roots=roots,
            cycles=cycles,
            clusters=clusters,
            snapshots=self._snapshots,
            lacks=self._lacks(
                {
                    resources[root.resource].kind
                    for root in roots
                    if root.task < 0 and not resources[root.resource].outside
                }
            ),
            is_partial=not self._quiet.tasks and all(task.is_blocked or not task.sightings for task in tasks),
            quiet=self._quiet.tasks,
        )

    # --- direct evidence ---

    def _wait(self, at: int, task: Task) -> None:
        """Add what a blocked task waits for, by the strongest evidence."""
        owner, point = self._owners[at], task.point
        if lock := _waited_lock(self._main[at]):
            kind = point.kind if point else "mutex"
            name = "" if lock.name == title_of(kind) else lock.name
            resource = self._resource(kind, lock.address or lock.name, f"{name} {lock.address}".strip())
            self._waits[at] = Edge(
                at, resource, _mode(point), "lockdep", lock.lines, f"lockdep lists {lock.name}"
            )
            self._hold_by_lockdep(resource, lock)
        elif user_lock := self._main[at].user_lock:
            self._wait_in_user_space(at, task, user_lock, owner)
        elif owner is not None:
            holder = self._named(owner)
            kind = point.kind if point else "mutex"
            instance = self._owned_instance(kind, holder)
            resource = self._resource(kind, instance)
            self._waits[at] = Edge(at, resource, _mode(point), "reported", owner.lines, owner.reason)
            mode = "read" if owner.is_reader else ""
            reason = "last reader that the kernel noted" if owner.is_reader else owner.reason
            self._hold(Edge(holder, resource, mode, "reported", owner.lines, reason))
        elif point is not None:
            self._open.append((at, point))

    def _wait_in_user_space(self, at: int, task: Task, lock: UserLock, owner: Owner | None) -> None:
        """Add the wait for a lock that a debugger shows; addresses are of one process, as its evidence is."""
        site = task.point.site if task.point else ""
        instance, label = f"taken in {site}", f"taken in {site}"
        if lock.address:
            instance = f"{lock.lines.evidence} {lock.address}"
            label = f"{lock.symbol} ({lock.address})" if lock.symbol else lock.address
        resource = self._resource(lock.kind, instance, label)
        certainty: Certainty = "reported" if lock.address else "inferred"
        reason = "the lock in the debugger's stack"
        self._waits[at] = Edge(at, resource, lock.mode, certainty, lock.lines, reason)
        if owner is not None:
            self._hold(Edge(self._named(owner), resource, "", "reported", owner.lines, owner.reason))

    def _owned_instance(self, kind: str, holder: int) -> str:
        known, task = kinds().get(kind), self._tasks[holder]
        if known is not None and known.instance == "process" and task.pid >= 0:
            return str(task.pid)
        return f"{HELD_BY}{task.name}"

    def _named(self, owner: Owner) -> int:
        """Return the index of a reported owner; one that no stack shows becomes a task without stack."""
        if owner.tid not in self._index:
            self._index[owner.tid] = len(self._tasks)
            self._tasks.append(
                Task(owner.tid, -1, owner.comm, "", None, (), False, "", None, False, 0, 0, owner.lines)
            )
        return self._index[owner.tid]

    def _hold_by_lockdep(self, resource: int, wanted: Lock) -> None:
        if not wanted.address:
            return
        for at, sighting in enumerate(self._main):
            waited = _waited_lock(sighting)
            for lock in sighting.locks:
                if lock.address == wanted.address and lock is not waited:
                    self._hold(Edge(at, resource, "", "lockdep", lock.lines, f"lockdep lists {lock.name}"))

    # --- inference ---

    def _infer(self) -> None:
        """Join the remaining waits with holders that the functions of their own stacks show."""
        candidates = inferred_holders(
            self._tasks, {point.kind for _, point in self._open if point.kind in kinds()}, self._release
        )
        for resource, edge in [(edge.resource, edge) for edge in self._holds.values()]:
            row = self._rows[resource]
            known = Held(
                edge.task, row.kind, row.instance, edge.mode, edge.certainty, edge.reason, edge.lines
            )
            same = [held for held in candidates.get(row.kind, ()) if held.task == edge.task]
            for held in same:
                candidates[row.kind].remove(held)
            candidates.setdefault(row.kind, []).append(known)
        holders = Candidates(self._tasks, candidates)
        workers = Candidates(self._tasks, servers(self._tasks))
        for at, point in self._open:
            self._join(at, point, holders, workers)

    def _join(self, at: int, point: WaitPoint, holders: Candidates, workers: Candidates) -> None:
        """Add the wait of one task, and the holders when they can be only these."""
        kind, task = kinds().get(point.kind), self._tasks[at]
        instance = instance_of_waiter(task, point)
        scope = kind.scopes.get(point.site, "") if kind else ""
        others = holders.other_than(at, point.kind, instance, scope)
        is_worker = bool(served(task.frames)[0])
        if kind is not None and kind.outside and not others.held and not is_worker:
            # A worker that serves I/O waits for what lies below it, not for the worker of another device.
            others = workers.other_than(at, kind.outside)
        if not instance:
            if len(others.names) > 1:
                others = Others((), frozenset())
            else:
                instance = next(iter(others.names), "")
        resource = self._resource(point.kind, instance, site="" if kind else point.site)
        reason = f"{point.site or point.primitive} on its stack"
        self._waits[at] = Edge(at, resource, _mode(point), "inferred", task.lines, reason)
        self._hold_by_others(resource, others)

    def _hold_by_others(self, resource: int, others: Others) -> None:
        """Add the holders of a resource, writers alone if any; once for all tasks that share them."""
        joined = (resource, id(others.held))
        if joined in self._joined:
            return
        if others.is_shared:
            self._joined.add(joined)
        writers = [one for one in others.held if one.mode == "write"]
        for one in writers or others.held:
            self._hold(Edge(one.task, resource, one.mode, one.certainty, one.lines, one.reason))

    # --- rows ---

    def _resource(self, kind: str, instance: str, label: str = "", site: str = "") -> int:
        key = (kind, instance)
        if key not in self._resources:
            self._resources[key] = len(self._rows)
            known = kinds().get(kind)
            title = titled(kind, label or instance)
            outside = known.outside if known else "timer" if kind == "sleep" else ""
            self._rows.append(Resource(kind, title, instance, outside, site, bare_title(kind, site)))
        return self._resources[key]

    def _hold(self, edge: Edge) -> None:
        self._holds.setdefault((edge.task, edge.resource), edge)

    def _lacks(self, held_by_none: AbstractSet[str]) -> tuple[str, ...]:
        """Return the captures that show more; no evidence names the holder of kinds `held_by_none`."""
        lacks = []
        if held_by_none - USER_KINDS or not any(task.has_stack for task in self._tasks):
            lacks.append(ALL_STACKS)
        if held_by_none & USER_KINDS:
            lacks.append(USER_OWNERS)
        if any(sighting.user_lock for sighting in self._main):
            return tuple(lacks)
        most = max([self._quiet.most_looks, *(task.sightings for task in self._tasks)])
        if any(task.is_blocked for task in self._tasks) and most < 2:
            lacks.append(SECOND_LOOK)
        return tuple(lacks)


def _mode(point: WaitPoint | None) -> str:
    return point.mode if point else ""


def _last_owner(sightings: Sequence[Sighting]) -> Owner | None:
    """Return the owner reported in the last snapshot that reports one."""
    reported = [one for one in sightings if one.owner is not None]
    return max(reported, key=lambda one: one.snapshot).owner if reported else None


def _waited_lock(sighting: Sighting) -> Lock | None:
    """Return the lock of lockdep's list that the task waits for: the one that its own stack is about to take.

    The list starts at the call that takes a lock, so a waiter stands in it as the last entry.
    """
    if not sighting.locks or sighting.state == "R":
        return None
    last = sighting.locks[-1]
    point = PointCache().of(sighting)
    is_taking = point is not None and point.primitive in SLEEPING_LOCKS
    return last if is_taking and point is not None and last.function == point.site else None
