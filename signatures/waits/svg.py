"""The wait graph as a still picture: SVG without script and without style, for reports.

Blockers are at the left; the root has a thick border. A solid link is reported by the kernel or listed by
lockdep, a dashed one is inferred from functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from signatures.waits.drawing import drawing_of
from signatures.waits.layout import BOX_HEIGHT, BOX_WIDTH, MARGIN, layout_of
from signatures.waits.sentences import summary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.waits.drawing import Node
    from signatures.waits.layout import Box
    from signatures.waits.model import WaitGraph

MAX_NODES = 100
"""More nodes make a page that nobody prints."""

_HEAD = 34
_LABEL_CHARS, _NOTE_CHARS = 33, 40
_FONT = 'font-family="ui-monospace, DejaVu Sans Mono, Consolas, monospace" font-size="11"'
_INK, _FAINT, _LINE = "#1b1b1b", "#5c5c5c", "#8d9290"
_FILLS = {"task": "#ffffff", "cluster": "#f4f5f7", "resource": "#e1eef0"}
_MARKER = (
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
    f'orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="{_FAINT}"/></marker></defs>'
)
_CONTROLS = dict.fromkeys([*range(32), 127], "\N{REPLACEMENT CHARACTER}")


def picture(graph: WaitGraph, title: str = "") -> str:
    """Return the wait graph as SVG."""
    drawing = drawing_of(graph, MAX_NODES)
    layout = layout_of(drawing)
    words = summary(graph)
    heading = f"{title}: {words}" if title else words
    width = max(layout.width, 2 * MARGIN + 7 * len(heading))
    height = layout.height + _HEAD + (24 if drawing.omitted else 0)
    size = f'width="{width}" height="{height:g}"'
    canvas = f'{size} viewBox="0 0 {width} {height:g}" role="img" {_FONT}'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {canvas}>',
            f"<title>{_text(heading)}</title>",
            f'<rect {size} fill="#ffffff"/>',
            _MARKER,
            f'<text x="{MARGIN}" y="20" font-weight="bold" fill="{_INK}">{_text(heading)}</text>',
            f'<g transform="translate(0 {_HEAD})">',
            *(
                _path(path, link.label, link.reason, is_dashed=link.certainty == "inferred")
                for path, link in zip(layout.paths, drawing.links, strict=True)
            ),
            *(
                line
                for box, node in zip(layout.boxes, drawing.nodes, strict=True)
                for line in _box(box, node)
            ),
            "</g>",
            *_omitted(drawing.omitted, height),
            "</svg>\n",
        ]
    )


def _path(path: str, label: str, reason: str, *, is_dashed: bool) -> str:
    dash = ' stroke-dasharray="5 4"' if is_dashed else ""
    return (
        f'<path d={quoteattr(path)} fill="none" stroke="{_FAINT}"{dash} marker-end="url(#head)">'
        f"<title>{_text(f'{label} ({reason})')}</title></path>"
    )


def _box(box: Box, node: Node) -> Iterator[str]:
    stroke, width = ("#a8321a", 3) if node.is_root else (_LINE, 1)
    radius = BOX_HEIGHT / 2 if node.kind == "resource" else 4
    words = f"{node.label} {node.note}".strip()
    yield f'<g transform="translate({box.x:g} {box.y:g})"><title>{_text(words)}</title>'
    yield (
        f'<rect width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="{radius:g}" fill="{_FILLS[node.kind]}" '
        f'stroke="{stroke}" stroke-width="{width}"/>'
    )
    y = 19 if node.note else 27
    yield f'<text x="14" y="{y}" font-size="12" fill="{_INK}">{_text(_cut(node.label, _LABEL_CHARS))}</text>'
    if node.note:
        note = _text(_cut(node.note, _NOTE_CHARS))
        yield f'<text x="14" y="36" font-size="10" fill="{_FAINT}">{note}</text>'
    yield "</g>"


def _omitted(count: int, height: float) -> Iterator[str]:
    if count:
        words = f"{count:,} more tasks in smaller clusters are not drawn"
        yield f'<text x="{MARGIN}" y="{height - 10:g}" fill="{_FAINT}">{words}</text>'


def _cut(text: str, chars: int) -> str:
    return text if len(text) <= chars else f"{text[: chars - 1]}…"


def _text(words: str) -> str:
    return escape(words.translate(_CONTROLS))
