"""The wait graph as nodes and links, holders apart and waiters clustered: what every picture of it draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from signatures.documents.waits import Certainty
    from signatures.waits.model import Edge, WaitGraph
    from signatures.waits.observed import Lines

MAX_NODES = 400
"""Nodes of one picture; the smallest clusters are left out, and counted."""


@dataclass(frozen=True, slots=True)
class Node:
    """A holder, a cluster of waiters with equal stacks, or a resource without a holder in the evidence.

    Attributes:
        kind: `task`, `cluster` or `resource`.
        label: `mkdir:14954`, `4 × mkdir`, or the title of the resource.
        note: What the task waits for or does; "" for resources.
        tasks: Indices of the tasks; empty for resources.
        frames: Functions, the innermost first; empty for resources.
        is_root: Others wait for it, and it waits for no task.
        lines: Lines that show it; None for resources.
    """

    kind: Literal["task", "cluster", "resource"]
    label: str
    note: str
    tasks: tuple[int, ...]
    frames: tuple[str, ...]
    is_root: bool
    lines: Lines | None


@dataclass(frozen=True, slots=True)
class Link:
    """A blocker and what it blocks: indices of nodes.

    Attributes:
        source: The blocker.
        target: The waiters.
        label: Title of the resource between them.
        certainty: The weaker evidence of the two edges.
        lines: Lines that show the wait.
        reason: The evidence in a few words.
    """

    source: int
    target: int
    label: str
    certainty: Certainty
    lines: Lines
    reason: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """Nodes and links; `omitted` tasks are in clusters beyond the limit."""

    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    omitted: int


def drawing_of(graph: WaitGraph, limit: int = MAX_NODES) -> Drawing:
    """Return the picture of a graph with at most `limit` nodes."""
    return _Drawer(graph, limit).drawing()


class _Drawer:
    """Places holders first, then resources without holder, then clusters."""

    def __init__(self, graph: WaitGraph, limit: int) -> None:
        self._graph = graph
        self._limit = limit
        self._nodes: list[Node] = []
        self._of_task: dict[int, int] = {}
        self._of_resource: dict[int, int] = {}
        self._wait_of = {edge.task: edge for edge in graph.waits}
        self._holders: dict[int, list[Edge]] = {}
        for edge in graph.holds:
            self._holders.setdefault(edge.resource, []).append(edge)
        self._root_tasks = {root.task for root in graph.roots}

    def drawing(self) -> Drawing:
        """Return nodes and links."""
        waited = {edge.resource for edge in self._graph.waits}
        for edge in self._graph.holds:
            if edge.resource in waited and edge.task not in self._of_task:
                self._holder(edge.task)
        omitted = 0
        links: list[Link] = []
        for task in list(self._of_task):
            links += self._links_to(self._of_task[task], (task,))
        for cluster in self._graph.clusters:
            members = tuple(at for at in cluster.tasks if at not in self._of_task)
            if not members:
                continue
            if len(self._nodes) >= self._limit:
                omitted += len(members)
                continue
            node = self._cluster(members, cluster.frames)
            links += self._links_to(node, members)
        return Drawing(tuple(self._nodes), tuple(links), omitted)

    def _holder(self, at: int) -> None:
        task = self._graph.tasks[at]
        wait = self._wait_of.get(at)
        if wait is not None:
            note = f"waits for {self._graph.resources[wait.resource].drawn_title}"
        elif not task.has_stack:
            note = "stack not in the evidence"
        else:
            note = "runs" if task.state == "R" else f"sleeps in {task.point.site}" if task.point else ""
        self._of_task[at] = len(self._nodes)
        is_root = at in self._root_tasks
        self._nodes.append(Node("task", task.name, note, (at,), task.frames, is_root, task.lines))

    def _cluster(self, members: tuple[int, ...], frames: tuple[str, ...]) -> int:
        tasks = [self._graph.tasks[at] for at in members]
        comms = list(dict.fromkeys(task.comm or "task" for task in tasks))
        shown = ", ".join(comms[:3]) + (" …" if len(comms) > 3 else "")
        label = tasks[0].name if len(tasks) == 1 else f"{len(tasks):,} × {shown}"
        wait = self._wait_of.get(members[0])
        note = f"waits for {self._graph.resources[wait.resource].drawn_title}" if wait else ""
        self._nodes.append(Node("cluster", label, note, members, frames, False, tasks[0].lines))
        return len(self._nodes) - 1

    def _links_to(self, node: int, members: tuple[int, ...]) -> list[Link]:
        """Return the links from the blockers of tasks that wait for one resource."""
        wait = self._wait_of.get(members[0])
        if wait is None:
            return []
        title = self._graph.resources[wait.resource].drawn_title
        holders = [edge for edge in self._holders.get(wait.resource, ()) if edge.task not in members]
        if not holders:
            source = self._resource(wait.resource)
            return [Link(source, node, title, wait.certainty, wait.lines, wait.reason)]
        return [
            Link(
                self._of_task[edge.task],
                node,
                title,
                "inferred" if "inferred" in {edge.certainty, wait.certainty} else edge.certainty,
                wait.lines,
                f"{wait.reason}; {edge.reason}",
            )
            for edge in holders
        ]

    def _resource(self, at: int) -> int:
        if at not in self._of_resource:
            row = self._graph.resources[at]
            self._of_resource[at] = len(self._nodes)
            is_root = any(root.task < 0 and root.resource == at for root in self._graph.roots)
            self._nodes.append(Node("resource", row.title, "", (), (), is_root, None))
        return self._of_resource[at]
