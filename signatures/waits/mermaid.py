"""The wait graph as a Mermaid flow chart, for Markdown.

Example:
    flowchart LR
        n0["mkdir:14954<br/>waits for reply of a FUSE server"]:::root
        n1["4 × mkdir"]
        n0 -- "inode lock (i_rwsem)" --> n1

Source: https://mermaid.js.org/syntax/flowchart.html; `#quot;` and `#35;` are its entity codes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.waits.drawing import drawing_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.waits.drawing import Node
    from signatures.waits.model import WaitGraph

MAX_NODES = 60
"""More nodes are not readable in a page."""


def mermaid_lines(graph: WaitGraph) -> Iterator[str]:
    """Yield the lines of the chart; links whose evidence is inferred are dashed."""
    drawing = drawing_of(graph, MAX_NODES)
    yield "flowchart LR"
    for at, node in enumerate(drawing.nodes):
        yield f"    n{at}{_shape(node)}{':::root' if node.is_root else ''}"
    for link in drawing.links:
        start, end = ("-.", ".->") if link.certainty == "inferred" else ("--", "-->")
        yield f'    n{link.source} {start} "{_escaped(link.label)}" {end} n{link.target}'
    if drawing.omitted:
        yield f'    more["{drawing.omitted:,} more tasks"]'
    yield "    classDef root stroke-width:3px"


def _shape(node: Node) -> str:
    label = _escaped(node.label)
    if node.kind == "resource":
        return f'(["{label}"])'
    note = f"<br/>{_escaped(node.note)}" if node.kind == "task" and node.note else ""
    return f'["{label}{note}"]'


def _escaped(text: str) -> str:
    codes = {"#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "`": "#96;"}
    return "".join(codes.get(letter, letter) for letter in text if letter.isprintable())
