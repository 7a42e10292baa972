"""Root blockers and deadlocks of a wait graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.waits.model import Root

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from signatures.documents.waits import Certainty
    from signatures.waits.model import Edge, Task

_WEAKNESS: Mapping[Certainty, int] = {"reported": 0, "lockdep": 0, "inferred": 1}
MAX_ROOTS = 200


class _Lanes:
    """Edges indexed by task and resource."""

    def __init__(self, waits: Sequence[Edge], holds: Sequence[Edge]) -> None:
        self.wait_of = {edge.task: edge for edge in waits}
        self.waiters: dict[int, list[Edge]] = {}
        self.holders: dict[int, list[Edge]] = {}
        self.held_by: dict[int, list[Edge]] = {}
        for edge in waits:
            self.waiters.setdefault(edge.resource, []).append(edge)
        for edge in holds:
            self.holders.setdefault(edge.resource, []).append(edge)
            self.held_by.setdefault(edge.task, []).append(edge)

    def blockers(self, task: int) -> list[int]:
        """Return the tasks that hold what `task` waits for."""
        edge = self.wait_of.get(task)
        return [] if edge is None else [one.task for one in self.holders.get(edge.resource, ())]

    def behind(self, resources: Sequence[int]) -> set[int]:
        """Return the tasks that wait for the resources, directly or through other tasks."""
        found: set[int] = set()
        open_resources = list(resources)
        seen = set(open_resources)
        while open_resources:
            for edge in self.waiters.get(open_resources.pop(), ()):
                if edge.task in found:
                    continue
                found.add(edge.task)
                for held in self.held_by.get(edge.task, ()):
                    if held.resource not in seen:
                        seen.add(held.resource)
                        open_resources.append(held.resource)
        return found


def roots_of(
    tasks: Sequence[Task],
    waits: Sequence[Edge],
    holds: Sequence[Edge],
    cycles: Sequence[tuple[int, ...]],
) -> tuple[Root, ...]:
    """Return the tasks and resources at the root of waits, the most waiters first.

    A task is a root when its own stack is in the evidence, others wait for what it holds, and it waits for no
    task itself. A resource is a root when tasks wait for it and no holder is in the evidence; a holder that
    waits for such a resource is on the way, no root.
    """
    lanes = _Lanes(waits, holds)
    in_ring = {task for ring in cycles for task in ring}
    found = []
    open_resources = set()
    for resource in lanes.waiters:
        holders = lanes.holders.get(resource, ())
        if any(tasks[edge.task].has_stack for edge in holders):
            continue
        held_task = holders[0].task if holders else -1
        behind = lanes.behind([resource])
        if held_task < 0 and _is_own_wait(resource, lanes):
            continue
        open_resources.add(resource)
        found.append(
            Root(
                task=held_task,
                resource=resource,
                behind=len(behind),
                directly=len(lanes.waiters[resource]),
                waits_for=-1,
                seconds=_longest(behind, tasks),
                stuck=_stuck(behind, tasks),
                certainty=_strongest(holders or lanes.waiters[resource]),
            )
        )
    for at in lanes.held_by:
        if lanes.blockers(at) or at in in_ring or not tasks[at].has_stack:
            continue
        root = _of_task(at, tasks, lanes)
        if root.waits_for not in open_resources:
            found.append(root)
    found = [root for root in found if root.behind]
    return tuple(sorted(found, key=lambda root: (-root.behind, -root.directly, root.task)))[:MAX_ROOTS]


def _is_own_wait(resource: int, lanes: _Lanes) -> bool:
    """Return whether only holders wait for a resource: then it is what they wait for, no root of its own."""
    return all(edge.task in lanes.held_by for edge in lanes.waiters[resource])


def _of_task(at: int, tasks: Sequence[Task], lanes: _Lanes) -> Root:
    held = [edge.resource for edge in lanes.held_by[at]]
    behind = lanes.behind(held) - {at}
    direct = [edge for resource in held for edge in lanes.waiters.get(resource, ()) if edge.task != at]
    largest = max(held, key=lambda resource: len(lanes.waiters.get(resource, ())))
    own = lanes.wait_of.get(at)
    return Root(
        task=at,
        resource=largest,
        behind=len(behind),
        directly=len(direct),
        waits_for=-1 if own is None else own.resource,
        seconds=_longest(behind | {at}, tasks),
        stuck=_stuck(behind, tasks),
        certainty=_strongest(lanes.held_by[at]),
    )


def _longest(behind: set[int], tasks: Sequence[Task]) -> float | None:
    seconds = [tasks[at].blocked_seconds for at in behind]
    return max((one for one in seconds if one is not None), default=None)


def _stuck(behind: set[int], tasks: Sequence[Task]) -> int:
    return sum(tasks[at].same_place > 1 for at in behind)


def _strongest(edges: Sequence[Edge]) -> Certainty:
    return min((edge.certainty for edge in edges), key=_WEAKNESS.__getitem__)


def cycles_of(waits: Sequence[Edge], holds: Sequence[Edge]) -> tuple[tuple[int, ...], ...]:
    """Return the rings of tasks in which each waits for the next: deadlocks.

    Several holders are readers, which release a resource on their own: only rings of single holders count.
    """
    lanes = _Lanes(waits, holds)
    following: dict[int, int] = {}
    for task in lanes.wait_of:
        blockers = lanes.blockers(task)
        if len(blockers) == 1:
            following[task] = blockers[0]
    rings = []
    done: set[int] = set()
    for start in following:
        path: list[int] = []
        position: dict[int, int] = {}
        task = start
        while task in following and task not in done and task not in position:
            position[task] = len(path)
            path.append(task)
            task = following[task]
        if task in position:
            rings.append(tuple(path[position[task] :]))
        done.update(path)
    return tuple(rings)
