"""The wait graph as a chain of causes: the root blocker, then who waits for it, along the edges of the graph.

umount:14954 waits for storage  ->  3 tasks wait for s_umount [owner reported by the kernel]  ->  …
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from signatures.overview.model import Link
from signatures.overview.thresholds import thresholds_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.overview.model import Place
    from signatures.waits.model import Edge, Root, Task, WaitGraph


def links_of(graph: WaitGraph) -> tuple[Link, ...]:
    """Return the ring of the first deadlock, else the first root and the longest groups behind it.

    A resource that nothing in the evidence holds, with tasks that hold nothing, is no chain: ().
    """
    if graph.cycles:
        return _ring(graph, graph.cycles[0])
    nodes = _from_root(graph, graph.roots[0]) if graph.roots else ()
    return nodes if len(nodes) >= thresholds_of("chain")["fewest_nodes"] else ()


def _ring(graph: WaitGraph, ring: Sequence[int]) -> tuple[Link, ...]:
    """Return each task of a deadlock after the one that waits for it."""
    waits = {one.task: one for one in graph.waits}
    nodes = []
    most = int(thresholds_of("chain")["most_nodes"])
    for at, number in enumerate(ring[:most]):
        task, wait = graph.tasks[number], waits[number]
        text = f"{task.name} waits for {graph.resources[wait.resource].bare_title}"
        before = graph.tasks[ring[at - 1]]
        edge = ("then", "wait", f"{before.name} waits for it", (waits[ring[at - 1]].lines, task.lines))
        nodes.append(Link(text, task.lines, *(edge if at else ())))
    return tuple(nodes)


def _from_root(graph: WaitGraph, root: Root) -> tuple[Link, ...]:
    """Return the root, those that wait for what it holds, and so on by the largest group."""
    waiting: dict[int, list[Edge]] = defaultdict(list)
    held: dict[int, list[Edge]] = defaultdict(list)
    for one in graph.waits:
        waiting[one.resource].append(one)
    for one in graph.holds:
        held[one.task].append(one)
    nodes = []
    if root.task >= 0:
        task = graph.tasks[root.task]
        nodes.append(Link(_doing(graph, root, task), task.lines))
    resource, seen = root.resource, {root.resource}
    holder, most = root.task, thresholds_of("chain")["most_nodes"]
    while waiting[resource] and len(nodes) < most:
        group = waiting[resource]
        text = _waiters(graph, group)
        hold = next((one for one in held[holder] if one.resource == resource), None)
        where = group[0].lines
        if nodes:
            name = graph.tasks[holder].name
            reason = f"held by {name}" + (f": {hold.reason}" if hold and hold.reason else "")
            nodes.append(Link(text, where, "then", "wait", reason, _lines(hold, group[0])))
        else:
            nodes.append(Link(text, where))
        further = [
            (len(waiting[one.resource]), -one.task, one)
            for edge in group
            for one in held[edge.task]
            if one.resource not in seen and waiting[one.resource]
        ]
        if not further:
            break
        edge = max(further)[2]
        holder, resource = edge.task, edge.resource
        seen.add(resource)
    return tuple(nodes)


def _doing(graph: WaitGraph, root: Root, task: Task) -> str:
    """Return the holder, and what it waits for itself where that is known."""
    if root.waits_for >= 0:
        return f"{task.name} waits for {graph.resources[root.waits_for].title}"
    return f"{task.name} holds {graph.resources[root.resource].bare_title}"


def _waiters(graph: WaitGraph, group: Sequence[Edge]) -> str:
    resource = graph.resources[group[0].resource].bare_title
    if len(group) == 1:
        return f"{graph.tasks[group[0].task].name} waits for {resource}"
    return f"{len(group):,} tasks wait for {resource}"


def _lines(hold: Edge | None, wait: Edge) -> tuple[Place, ...]:
    return tuple(dict.fromkeys(one.lines for one in (hold, wait) if one))
