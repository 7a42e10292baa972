"""A plot with logarithmic axes as SVG: what doubles with its input is a line of slope one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Callable

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 640, 360, 60, 50, 40
STYLE = 'role="img" font-family="sans-serif" font-size="12"'
COLOURS = ("#1864ab", "#d9480f", "#2b8a3e")


class Line(NamedTuple):
    """Points (x, y), both above 0."""

    name: str
    points: list[tuple[float, float]]


def plot(title: str, x_name: str, lines: list[Line]) -> str:
    """Return the SVG; every point carries its number."""
    xs = [x for line in lines for x, _ in line.points]
    ys = [y for line in lines for _, y in line.points]
    x_scale = _scale(min(xs), max(xs), LEFT, WIDTH - 40)
    y_scale = _scale(min(ys) / 2, max(ys) * 2, HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" {STYLE}>',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{LEFT}" y="20" font-size="14" fill="#212529">{escape(title)}</text>',
        f'<text x="{WIDTH - 40}" y="{HEIGHT - 10}" text-anchor="end" fill="#495057">{escape(x_name)}</text>',
    ]
    for x in sorted(set(xs)):
        at = x_scale(x)
        parts.append(f'<path d="M{at:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#dee2e6"/>')
        parts.append(
            f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle" fill="#495057">{x:g}</text>'
        )
    for line, colour in zip(lines, COLOURS, strict=False):
        positions = [(x_scale(x), y_scale(y), y) for x, y in line.points]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y, _ in positions)
        parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for x, y, value in positions:
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>')
            parts.append(
                f'<text x="{x:.1f}" y="{y - 8:.1f}" text-anchor="middle" fill="{colour}">{value:.3g}</text>'
            )
        x, y, _ = positions[0]
        parts.append(f'<text x="{x:.1f}" y="{y + 18:.1f}" fill="{colour}">{escape(line.name)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _scale(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    span = math.log(high / low) or 1.0
    return lambda value: start + (end - start) * math.log(value / low) / span
