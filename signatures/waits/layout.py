"""Layered layout of the wait graph: blockers at the left, what waits for them at their right.

Layers are longest paths from the roots, with the links that close a cycle left out; inside a layer, nodes are
ordered by the tasks behind them, then by the median position of their neighbours. The fullest layer is packed
and sets where others stand: beside the middle of their neighbours, or the first of many.

Source: Sugiyama, Tagawa, Toda, "Methods for Visual Understanding of Hierarchical System Structures" (1981).
"""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from signatures.waits.drawing import Drawing, Link

BOX_WIDTH, BOX_HEIGHT = 270, 46
GAP_X, GAP_Y, MARGIN = 50, 14, 12
STEP = BOX_HEIGHT + GAP_Y
SWEEPS = 4
NEAR = 6 * STEP
"""Neighbours this far apart are seen at once."""


class Box(NamedTuple):
    """The rectangle of a node: pixels from the top left corner, and its layer."""

    x: float
    y: float
    layer: int


class Layout(NamedTuple):
    """Positions of nodes and SVG paths of links, in the order of the drawing."""

    width: int
    height: int
    boxes: tuple[Box, ...]
    paths: tuple[str, ...]


def layout_of(drawing: Drawing) -> Layout:
    """Return the positions of a drawing."""
    count = len(drawing.nodes)
    forward = _forward(count, drawing.links)
    layers = _layers(count, forward)
    before = _reversed(forward)
    order = _ordered(layers, forward, before, _weights(drawing, layers, forward))
    tops = _tops(order, forward, before)
    tall = max(tops, default=float(MARGIN - BOX_HEIGHT)) + BOX_HEIGHT - MARGIN
    boxes = [
        Box(float(MARGIN + layers[node] * (BOX_WIDTH + GAP_X)), tops[node], layers[node])
        for node in range(count)
    ]
    paths = tuple(_path(boxes[link.source], boxes[link.target]) for link in drawing.links)
    width = 2 * MARGIN + max(len(order), 1) * (BOX_WIDTH + GAP_X) - GAP_X
    has_back = any(boxes[link.source].layer >= boxes[link.target].layer for link in drawing.links)
    height = round(2 * MARGIN + max(tall, 0.0)) + (GAP_X if has_back else 0)
    return Layout(width, height, tuple(boxes), paths)


def _reversed(forward: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the sources of every node."""
    before: list[list[int]] = [[] for _ in forward]
    for node, targets in enumerate(forward):
        for target in targets:
            before[target].append(node)
    return before


def _weights(drawing: Drawing, layers: Sequence[int], forward: Sequence[Sequence[int]]) -> list[int]:
    """Return about how many tasks are behind each node; one that waits for several counts for each."""
    weights = [len(node.tasks) for node in drawing.nodes]
    for node in sorted(range(len(layers)), key=lambda node: -layers[node]):
        weights[node] += sum(weights[target] for target in forward[node])
    return weights


def _tops(
    order: Sequence[Sequence[int]], forward: Sequence[Sequence[int]], before: Sequence[Sequence[int]]
) -> list[float]:
    """Return the upper edge of every node."""
    tops = [float(MARGIN)] * len(forward)
    fullest = max(range(len(order)), key=lambda number: len(order[number]), default=0)
    for row, node in enumerate(order[fullest] if order else ()):
        tops[node] = MARGIN + row * STEP
    outward = [(number, forward) for number in range(fullest - 1, -1, -1)]
    outward += [(number, before) for number in range(fullest + 1, len(order))]
    for number, neighbours in outward:
        free = float(MARGIN)
        for node in order[number]:
            beside = [tops[one] for one in neighbours[node]]
            first, last = min(beside, default=free), max(beside, default=free)
            tops[node] = max(free, (first + last) / 2 if last - first <= NEAR else first)
            free = tops[node] + STEP
    return tops


def _forward(count: int, links: Sequence[Link]) -> list[list[int]]:
    """Return the targets of every node without the links that close a cycle."""
    following: list[list[int]] = [[] for _ in range(count)]
    for link in links:
        if link.source != link.target and link.target not in following[link.source]:
            following[link.source].append(link.target)
    state = [0] * count
    kept: list[list[int]] = [[] for _ in range(count)]
    has_source = {target for targets in following for target in targets}
    for start in sorted(range(count), key=lambda node: node in has_source):
        if state[start]:
            continue
        state[start] = 1
        stack = [(start, iter(following[start]))]
        while stack:
            node, targets = stack[-1]
            target = next(targets, None)
            if target is None:
                state[node] = 2
                stack.pop()
            elif state[target] != 1:
                kept[node].append(target)
                if not state[target]:
                    state[target] = 1
                    stack.append((target, iter(following[target])))
    return kept


def _layers(count: int, forward: Sequence[Sequence[int]]) -> list[int]:
    """Return the layer of every node: the length of the longest path to it."""
    waiting = [0] * count
    for targets in forward:
        for target in targets:
            waiting[target] += 1
    layers = [0] * count
    ready = [node for node in range(count) if not waiting[node]]
    while ready:
        node = ready.pop()
        for target in forward[node]:
            layers[target] = max(layers[target], layers[node] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    return layers


def _ordered(
    layers: Sequence[int],
    forward: Sequence[Sequence[int]],
    before: Sequence[Sequence[int]],
    weights: Sequence[int],
) -> list[list[int]]:
    """Return the nodes of each layer from top to bottom."""
    order: list[list[int]] = [[] for _ in range(max(layers, default=-1) + 1)]
    for node in sorted(range(len(layers)), key=lambda node: -weights[node]):
        order[layers[node]].append(node)
    for sweep in range(SWEEPS):
        neighbours = before if sweep % 2 == 0 else forward
        place = {node: row for layer in order for row, node in enumerate(layer)}
        for layer in order if sweep % 2 == 0 else order[::-1]:
            layer.sort(key=lambda node: _middle(node, neighbours[node], place))
            place.update({node: row for row, node in enumerate(layer)})
    return order


def _middle(node: int, neighbours: Sequence[int], place: Mapping[int, int]) -> float:
    """Return the median row of the neighbours; a node without any stays."""
    return float(statistics.median(place[one] for one in neighbours)) if neighbours else float(place[node])


def _path(source: Box, target: Box) -> str:
    """Return a curve from the blocker's right side to the waiter's left, below both for a cycle."""
    if source.layer < target.layer:
        x1, y1 = source.x + BOX_WIDTH, source.y + BOX_HEIGHT / 2
        x2, y2 = target.x, target.y + BOX_HEIGHT / 2
        bend = GAP_X / 2
        return f"M{x1:g} {y1:g} C{x1 + bend:g} {y1:g} {x2 - bend:g} {y2:g} {x2:g} {y2:g}"
    x1, y1 = source.x + BOX_WIDTH / 2, source.y + BOX_HEIGHT
    x2, y2 = target.x + BOX_WIDTH / 2, target.y + BOX_HEIGHT
    low = max(y1, y2) + GAP_X
    return f"M{x1:g} {y1:g} C{x1:g} {low:g} {x2:g} {low:g} {x2:g} {y2:g}"
