"""The wait graph: which task waits for which resource, and which task holds it.

    graph_of(items) -> WaitGraph(tasks, resources, edges, roots, cycles, clusters, …)

Every edge states its kind of evidence and its lines. A holder is named only when the kernel names it, lockdep
lists it, or a function on its own stack shows that it holds the resource.
"""

from __future__ import annotations

from signatures.waits.known import graph_of
from signatures.waits.model import WaitGraph

__all__ = ["WaitGraph", "graph_of"]
