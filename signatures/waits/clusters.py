"""Clusters: blocked tasks with equal stacks that wait for the same resource."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.waits.model import Cluster

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.waits.model import Edge, Task


def clusters_of(tasks: Sequence[Task], waits: Sequence[Edge]) -> tuple[Cluster, ...]:
    """Return the clusters, the largest first."""
    waiting = {edge.task: edge.resource for edge in waits}
    groups: dict[tuple[int, tuple[str, ...]], list[int]] = {}
    for at, task in enumerate(tasks):
        if task.is_blocked:
            groups.setdefault((waiting.get(at, -1), task.frames), []).append(at)
    found = [
        Cluster(tuple(sorted(group, key=lambda at: -(tasks[at].blocked_seconds or 0.0))), resource, frames)
        for (resource, frames), group in groups.items()
    ]
    return tuple(sorted(found, key=lambda one: (-len(one.tasks), one.tasks[0])))
