"""The wait graph as lines of text: summary, deadlocks, root blockers, clusters, what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from ingest.frames.wait_points import wait_point
from signatures.waits import sentences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.waits.model import Task, WaitGraph
    from signatures.waits.observed import Lines

SHOWN_FRAMES = 6
SHOWN = 20


class TextLine(NamedTuple):
    """One line; an `alert` is a notable result, a `command` is to be run."""

    text: str = ""
    role: Literal["", "alert", "command"] = ""


def text_lines(graph: WaitGraph, *, with_all: bool = False) -> Iterator[TextLine]:
    """Yield the graph as text, at most `SHOWN` root blockers and clusters unless `with_all`."""
    limit = len(graph.clusters) + len(graph.roots) if with_all else SHOWN
    is_notable = bool(graph.cycles) or any(sentences.is_notable(graph, root) for root in graph.roots)
    yield TextLine(sentences.summary(graph), "alert" if is_notable else "")
    for ring in graph.cycles[1:]:
        yield TextLine(sentences.ring_sentence(graph, ring), "alert")
    yield from _roots(graph, limit)
    yield from _clusters(graph, limit)
    if len(graph.snapshots) > 1:
        yield TextLine()
        yield TextLine("Snapshots:")
        yield from (TextLine(f"    {line}") for line in sentences.snapshot_sentences(graph))
    if graph.is_partial and graph.blocked:
        yield TextLine("Counts are lower bounds: the evidence shows blocked tasks only.")
    if graph.lacks:
        yield TextLine()
        yield TextLine("Collect to know more:")
    yield from (TextLine(f"    {one}", "command") for one in graph.lacks)


def _roots(graph: WaitGraph, limit: int) -> Iterator[TextLine]:
    if graph.roots:
        yield TextLine()
        yield TextLine("Root blockers:")
    for root in graph.roots[:limit]:
        mark = "!" if sentences.is_notable(graph, root) else " "
        parts = [sentences.root_sentence(graph, root), sentences.duration(root.seconds)]
        if root.stuck:
            parts.append(f"{root.stuck:,} at the same place in several snapshots")
        yield TextLine(f"  {mark} {'; '.join(part for part in parts if part)} [{root.certainty}]")
        if root.task >= 0:
            task = graph.tasks[root.task]
            yield TextLine(f"        {_stack(task)}  {_place(task.lines)}")


def _clusters(graph: WaitGraph, limit: int) -> Iterator[TextLine]:
    if graph.clusters:
        yield TextLine()
        of_all = f"{graph.blocked:,} of {graph.size:,} tasks"
        yield TextLine(f"Blocked: {of_all} in {len(graph.clusters):,} clusters")
    for cluster in graph.clusters[:limit]:
        task = graph.tasks[cluster.tasks[0]]
        count = f"{len(cluster.tasks):,} × " if len(cluster.tasks) > 1 else ""
        title = graph.resources[cluster.resource].title if cluster.resource >= 0 else "unknown"
        yield TextLine(f"    {count}{task.name} {task.state or '?'}: {title}  {_place(task.lines)}")
        yield TextLine(f"        {_stack(task)}")
    hidden = max(0, len(graph.clusters) - limit)
    if hidden:
        yield TextLine(f"    {hidden:,} more clusters; --all shows them")


def _stack(task: Task) -> str:
    """Return the innermost functions behind those of the scheduler and of locks."""
    frames = task.frames
    point = task.point or wait_point(frames)
    start = min(point.depth, len(frames) - 1) if point else 0
    shown = frames[start : start + SHOWN_FRAMES]
    return " ← ".join(shown) + (" ← …" if len(frames) > start + SHOWN_FRAMES else "")


def _place(lines: Lines) -> str:
    last = f"-{lines.last_line}" if lines.last_line != lines.first_line else ""
    return f"{lines.evidence}:{lines.first_line}{last}"
