"""Wait graphs of a handoff, one per host and phase with a blocked task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.judging.scope import scopes_of
from signatures.rendering.case_file import WaitPicture
from signatures.waits import graph_of
from signatures.waits.mermaid import mermaid_lines
from signatures.waits.sentences import ring_sentence, root_sentence, summary
from signatures.waits.svg import picture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.judging.scope import Item

MAX_ROOTS = 10


def of_items(items: Sequence[Item]) -> list[WaitPicture]:
    """Return the wait graphs of redacted items."""
    found = []
    for scope in scopes_of(items):
        graph = graph_of(scope.items)
        if not graph.blocked:
            continue
        title = f"{scope.host or 'unknown host'}, {scope.phase}"
        rings = [ring_sentence(graph, ring) for ring in graph.cycles]
        roots = [root_sentence(graph, root) for root in graph.roots[:MAX_ROOTS]]
        sentences = tuple(rings + roots) or (summary(graph),)
        found.append(WaitPicture(title, sentences, picture(graph, title), "\n".join(mermaid_lines(graph))))
    return found
