"""The wait graph as a wire value, for the API and the command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.documents.waits import (
    BlockedTaskDocument,
    WaitGraphDocument,
    WaitLinkDocument,
    WaitNodeDocument,
    WaitRootDocument,
    WaitSnapshotDocument,
)
from signatures.waits.drawing import drawing_of
from signatures.waits.layout import BOX_HEIGHT, BOX_WIDTH, layout_of
from signatures.waits.sentences import is_notable, ring_sentence, root_sentence, summary

if TYPE_CHECKING:
    from signatures.waits.drawing import Node
    from signatures.waits.layout import Box
    from signatures.waits.model import Root, Task, WaitGraph
    from signatures.waits.observed import Lines

MAX_FRAMES = 40
MAX_MEMBERS = 100
"""Names of tasks in a node; its count is of all."""

MAX_TASKS = 1000
"""Blocked tasks in the table; the drawing has all of them in clusters."""


def graph_document(graph: WaitGraph, host: str, phase: str) -> WaitGraphDocument:
    """Return the graph of one host and phase: roots, picture, table, snapshots."""
    drawing = drawing_of(graph)
    layout = layout_of(drawing)
    blocked = [at for at, task in enumerate(graph.tasks) if task.is_blocked]
    waiting = {edge.task: edge for edge in graph.waits}
    return WaitGraphDocument(
        host=host,
        phase=phase,
        summary=summary(graph),
        tasks=graph.size,
        blocked=len(blocked),
        roots=tuple(_root(graph, root) for root in graph.roots),
        cycles=tuple(ring_sentence(graph, ring) for ring in graph.cycles),
        width=layout.width,
        height=layout.height,
        box_width=BOX_WIDTH,
        box_height=BOX_HEIGHT,
        nodes=tuple(_node(graph, node, box) for node, box in zip(drawing.nodes, layout.boxes, strict=True)),
        links=tuple(
            WaitLinkDocument(
                source=link.source,
                target=link.target,
                label=link.label,
                certainty=link.certainty,
                reason=link.reason,
                path=path,
                citations=(link.lines,),
            )
            for link, path in zip(drawing.links, layout.paths, strict=True)
        ),
        omitted_tasks=drawing.omitted,
        blocked_tasks=tuple(
            _task(graph.tasks[at], graph.resources[waiting[at].resource].title if at in waiting else "")
            for at in blocked[:MAX_TASKS]
        ),
        snapshots=tuple(
            WaitSnapshotDocument(
                source=one.source,
                ordinal=one.ordinal,
                at=one.at,
                tasks=one.tasks,
                blocked=one.blocked,
                stuck=one.stuck,
                citations=(one.lines,),
            )
            for one in graph.snapshots
        ),
        lacks=graph.lacks,
        is_partial=graph.is_partial,
    )


def _node(graph: WaitGraph, node: Node, box: Box) -> WaitNodeDocument:
    return WaitNodeDocument(
        x=box.x,
        y=box.y,
        layer=box.layer,
        kind=node.kind,
        label=node.label,
        note=node.note,
        count=max(1, len(node.tasks)),
        members=tuple(graph.tasks[at].name for at in node.tasks[:MAX_MEMBERS]),
        frames=node.frames[:MAX_FRAMES],
        is_root=node.is_root,
        citations=() if node.lines is None else (node.lines,),
    )


def _root(graph: WaitGraph, root: Root) -> WaitRootDocument:
    lines = graph.tasks[root.task].lines if root.task >= 0 else _first(graph, root)
    return WaitRootDocument(
        sentence=root_sentence(graph, root),
        task=graph.tasks[root.task].name if root.task >= 0 else "",
        resource=graph.resources[root.resource].kind,
        behind=root.behind,
        directly=root.directly,
        waits_for=graph.resources[root.waits_for].title if root.waits_for >= 0 else "",
        blocked_seconds=root.seconds,
        stuck=root.stuck,
        certainty=root.certainty,
        is_notable=is_notable(graph, root),
        citations=(lines,),
    )


def _first(graph: WaitGraph, root: Root) -> Lines:
    """Return the lines of the first waiter of a resource without holder."""
    return next(edge.lines for edge in graph.waits if edge.resource == root.resource)


def _task(task: Task, waits_for: str) -> BlockedTaskDocument:
    return BlockedTaskDocument(
        tid=task.tid,
        pid=None if task.pid < 0 else task.pid,
        comm=task.comm,
        state=task.state,
        blocked_seconds=task.blocked_seconds,
        waits_for=waits_for,
        frames=task.frames[:MAX_FRAMES],
        snapshots=task.sightings,
        same_place=task.same_place,
        citations=(task.lines,),
    )
